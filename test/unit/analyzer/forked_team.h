#ifndef MW_TEST_UNIT_ANALYZER_FORKED_TEAM_H
#define MW_TEST_UNIT_ANALYZER_FORKED_TEAM_H

#include "analyzer/team/team.h"

/* A team of processes of this one, over sockets. One at a time. */

#define FORKED_PROCESSES 3u

/* Makes this process several; *team is that of each, and ends with it. */
void forked_team_make(struct mwa_team *team);

/* Ends the others, and says whether all ended with the status that is expected. */
bool forked_team_end(const struct mwa_team *team, enum mw_status status, enum mw_status expected);

#endif
