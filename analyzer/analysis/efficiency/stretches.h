#ifndef MWA_ANALYSIS_EFFICIENCY_STRETCHES_H
#define MWA_ANALYSIS_EFFICIENCY_STRETCHES_H

#include "analyzer/model/map.h"
#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * How long a rank's main thread was outside of MPI before the calls of each place, within its run.
 * All zero is a rank that has made none. Not thread-safe.
 */

struct mwa_stretch {
    uint64_t ticks;
    uint64_t calls;
    uint64_t shortest; /* before one of them, ticks */
    uint32_t place; /* a site, the first of its line; MWA_NONE: not known */
    uint32_t unused;
};

struct mwa_stretches {
    struct mwa_stretch *list; /* in the order of being come to first */
    struct mwa_index index;   /* by place */
    uint64_t next;            /* of the list, most likely: programs go round */
};

/* The same of a rank in a list of all: by rank, then place. */
struct mwa_rank_stretch {
    uint32_t rank;
    uint32_t place;
    uint64_t ns;
    uint64_t calls;
    uint64_t shortest_ns; /* before one of them */
};

void mwa_stretches_fini(struct mwa_stretches *stretches);

/* Ticks more before one more call at place. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_stretches_add(struct mwa_stretches *stretches, uint32_t place,
                                 uint64_t ticks) MW_MUST_CHECK;

/* The run begins: what was before does not count. */
void mwa_stretches_begin(struct mwa_stretches *stretches);

/* Adds those of the next chapter. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_stretches_append(struct mwa_stretches *stretches,
                                    const struct mwa_stretches *later) MW_MUST_CHECK;

/*
 * What mwa_stretches_append asks of later, for another process (analyzer/team/packing.h): unpack
 * takes out into an empty one what pack has appended, of places before sites, or of none. MW_OK,
 * MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_stretches_pack(const struct mwa_stretches *stretches, struct mw_buffer *to);
enum mw_status mwa_stretches_unpack(struct mwa_stretches *stretches, uint64_t sites,
                                    struct mw_cursor *from) MW_MUST_CHECK;

#endif
