#ifndef MWA_ANALYSIS_TIME_STATE_LOG_H
#define MWA_ANALYSIS_TIME_STATE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * Stretches of time that a rank spends in one state each, in the order in which they are added: a
 * few bytes of each, fewest where each begins at the end of the one before. All zero has none. Not
 * thread-safe.
 */

#define MWA_STATE_LOG_STATES 8u

struct mwa_stretch {
    unsigned state; /* below MWA_STATE_LOG_STATES */
    uint64_t from;
    uint64_t to;    /* not below from */
    uint64_t ticks; /* of the state, spread evenly from from to to */
};

struct mwa_state_log {
    struct mw_buffer bytes;
    uint64_t end; /* of the last stretch */
};

/* MW_OK, MW_ERROR_MEMORY: the log is as it was. */
enum mw_status mwa_state_log_add(struct mwa_state_log *log,
                                 const struct mwa_stretch *stretch) MW_MUST_CHECK;

/* Where a log is read; all zero: at its beginning. */
struct mwa_state_log_place {
    size_t at; /* bytes before it */
    uint64_t end; /* of the stretch before */
};

/* Fills stretch with the one at place, which goes on to the next; false: there is none. */
bool mwa_state_log_next(const struct mwa_state_log *log, struct mwa_state_log_place *place,
                        struct mwa_stretch *stretch);

void mwa_state_log_fini(struct mwa_state_log *log); /* which is empty then */

#endif
