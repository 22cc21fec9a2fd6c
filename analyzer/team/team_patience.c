/* A file system that has to find another server takes a minute, and some take several. */
#include "analyzer/team/team_watch.h"

struct mwa_patience mwa_team_patience(void)
{
    return (struct mwa_patience){ .first = 60, .last = 600 };
}
