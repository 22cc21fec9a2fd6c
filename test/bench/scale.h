#ifndef MW_TEST_BENCH_SCALE_H
#define MW_TEST_BENCH_SCALE_H

#include <stdint.h>

#include "formats/archive/archive.h"
#include "formats/archive/transport.h"

/*
 * The end of a run of many ranks in one process, for test/bench/scale.py: each rank is a coroutine
 * that writes the archive with all others, over a transport that copies memory. One runs at a
 * time, until it speaks to the others; so what it takes of the processor and of memory is its own.
 */

#define SCALE_STEPS_MAX 64u
#define SCALE_NONCE 11u /* of shapes_kit.c's spools */

/* --- scale_memory.c ------------------------------------------------------------------------- */

/* What a rank has taken from malloc, in bytes. */
struct scale_memory {
    int64_t now;
    int64_t peak; /* since it was set to now */
};

/* Counts what is taken and given back from here on in memory; null: it is nobody's. */
void scale_memory_count(struct scale_memory *memory);

/* --- scale_ranks.c -------------------------------------------------------------------------- */

/* Of one side of a step: rank 0, or the worst of the others by each number. */
struct scale_cost {
    uint64_t ns;    /* of processor time */
    int64_t peak;   /* bytes that it has from malloc, at most */
    uint64_t taken; /* bytes from other ranks */
    uint64_t given; /* bytes to other ranks */
};

struct scale_step {
    struct scale_cost first;
    struct scale_cost others;
    uint64_t all_ns; /* of all ranks together */
};

/*
 * Runs body as each of count ranks, with its transport and the caller's context, to the end; fills
 * steps, which the ranks go through by agreeing, and their count. Ends the program if one of them
 * fails, or if they do not speak in the same order.
 */
void scale_run(uint32_t count, enum mw_status (*body)(const struct mw_transport *, void *context),
               void *context, struct scale_step steps[SCALE_STEPS_MAX], uint32_t *step_count);

/* --- scale_spools.c ------------------------------------------------------------------------- */

/* Writes the spools of a rank, or of all, below directory; comms: duplicates of the world. */
void scale_make_rank(const char *directory, uint32_t rank, uint32_t ranks, uint32_t comms);
void scale_make_spools(const char *directory, uint32_t ranks, uint32_t comms);

#endif
