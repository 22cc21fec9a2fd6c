/*
 * Whoever starts a program may have closed its standard streams, and the next file that is opened
 * gets the least number that is free. A directory can neither be read nor written, and stands
 * wherever there is a file system, as /dev/null does not.
 */
#include "formats/base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

void mw_standard_streams_hold(void)
{
    int got;

    do {
        got = open("/", O_RDONLY | O_DIRECTORY);
    } while (got >= 0 && got <= STDERR_FILENO);
    if (got >= 0) {
        close(got);
    }
}
