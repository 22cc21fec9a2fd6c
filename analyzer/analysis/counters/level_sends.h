#ifndef MWA_ANALYSIS_COUNTERS_LEVEL_SENDS_H
#define MWA_ANALYSIS_COUNTERS_LEVEL_SENDS_H

#include "analyzer/load/reading_start.h"
#include "analyzer/model/map.h"
#include "analyzer/model/pool.h"
#include "analyzer/model/trace.h"

/*
 * Non-blocking sends that are not complete, for levels.h. Not thread-safe. Of a rank with several
 * threads the end of a request may be seen first: its receives are kept as well, so that what one
 * of them has left is not taken for the end of a send that has its number later.
 */

struct mwa_level_send {
    uint32_t comm;
    uint32_t location;
    bool has_ended;
    bool is_receive; /* of which only that counts */
    uint64_t bytes;
    uint64_t time; /* of the beginning, or of the end if that was seen first */
    uint32_t call;
};

/* Zeros has none. */
struct mwa_level_sends {
    struct mwa_map requests; /* rank and request to a struct mwa_level_send * */
    struct mwa_pool pool;
};

/* Adds the one of rank's request, in place of the one that it had; false without memory. */
bool mwa_level_sends_add(struct mwa_level_sends *sends, uint32_t rank, uint64_t request,
                         const struct mwa_level_send *send) MW_MUST_CHECK;

/* Takes it out; false: there is none. */
bool mwa_level_sends_take(struct mwa_level_sends *sends, uint32_t rank, uint64_t request,
                          struct mwa_level_send *send);

/* Whether the receives of rank are kept, too. */
static inline bool mwa_level_sends_keep_receives(const struct mwa_trace *trace, uint32_t rank)
{
    return trace->ranks[rank].locations > 1;
}

/* Adds those that are open where a part of a run begins; false without memory. */
bool mwa_level_sends_carry(struct mwa_level_sends *sends, const struct mwa_trace *trace,
                           const struct mwa_reading_start *start) MW_MUST_CHECK;

void mwa_level_sends_fini(struct mwa_level_sends *sends);

#endif
