/* What ranks lack is told of one run, and of several that are compared, in the same words. */
#include "analyzer/report/lack_text.h"

#include <inttypes.h>
#include <stdio.h>

#define APART 0.01 /* of their run: what they lack while they wait is worth a word */

const char *mwa_lack_text(const struct mwa_cores *cores, char *text)
{
    const int length = snprintf(text, MWA_LACK_BYTES, "have none for %.0f%% of their run",
                                100 * cores->no_core);

    if (cores->no_core - cores->lost >= APART) {
        snprintf(text + length, MWA_LACK_BYTES - (size_t)length, ", %.0f%% beside waiting",
                 100 * cores->lost);
    }
    return text;
}

/* What they share. */
static int put_shared(const struct mwa_cores *cores, char *text, size_t room)
{
    switch (cores->lack) {
    case MWA_CORES_OF_HOST:
        return snprintf(text, room, "share the %g core%s of %.40s", cores->cores,
                        cores->cores == 1 ? "" : "s", cores->where);
    case MWA_CORES_OF_BINDING:
        return snprintf(text, room, "are bound to core%s %.40s", cores->cores == 1 ? "" : "s",
                        cores->where);
    default:
        return snprintf(text, room, "are limited to %g core%s (control group %.40s)", cores->cores,
                        cores->cores == 1 ? "" : "s", cores->where);
    }
}

void mwa_shared_cores_text(const struct mwa_cores *cores, char *text, size_t room)
{
    char lack[MWA_LACK_BYTES];
    size_t length = (size_t)(cores->ranks == 2
                                 ? snprintf(text, room, "ranks %" PRIu32 " and %" PRIu32 " ",
                                            cores->first_rank, cores->second_rank)
                                 : snprintf(text, room, "%" PRIu32 " ranks ", cores->ranks));

    length += (size_t)put_shared(cores, text + length, room - length);
    if (cores->is_known) {
        length += (size_t)snprintf(text + length, room - length, " and %s",
                                   mwa_lack_text(cores, lack));
    }
    if (cores->others >= MWA_CORES_OTHERS_MATTER) {
        snprintf(text + length, room - length,
                 ", as other threads or programs have at least %.0f%% of these cores",
                 100 * cores->others);
    }
}
