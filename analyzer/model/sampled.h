#ifndef MWA_MODEL_SAMPLED_H
#define MWA_MODEL_SAMPLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where threads were when the recorder sampled them: so many times in each second of CPU time.
 * Which function a sample fell into is told of those between calls of MPI.
 */

/* A line of a function that samples fell into. */
struct mwa_sampled_spot {
    const char *function; /* never null; of code without a name the module */
    const char *file;     /* never null; "": not known */
    uint32_t line;        /* 0: not known */
    uint32_t first;       /* the first spot of the same function in the same file, an index */
    uint64_t name_key;    /* mwa_sampled_name_key of function */
};

/* Samples of a rank at a spot, on the way to a call of MPI. */
struct mwa_sampled_row {
    uint32_t rank;
    uint32_t site; /* of that call, an index; MWA_NONE: not known, or there was none */
    uint32_t spot;
    uint64_t count;
};

struct mwa_sampled_rank {
    bool was_to;         /* it was to be sampled */
    uint64_t outside;    /* samples between calls of MPI, */
    uint64_t inside;     /* in them, */
    uint64_t lost;       /* and such as there was no room for */
    const char *refused; /* why there are none, or of a thread; never null; "": there are of all */
};

/* Of threads of a rank that call no MPI, while its main thread is between calls of MPI. */
struct mwa_sampled_crew {
    uint32_t threads;  /* that were seen to compute, as many as at one time at most; 0: none */
    uint32_t refused;  /* that could not be sampled, likewise */
    uint64_t there_ns; /* for how long the former were there, all together */
    uint64_t outside;  /* samples of them, */
    uint64_t inside;   /* besides: while the main thread was in MPI, or in code of the MPI, */
    uint64_t lost;     /* and such as there was no room for, or of unknown code */
};

struct mwa_sampled {
    uint64_t rate_hz; /* 0: nothing was to be sampled, or what is said of it is wrong */
    const char *wrong; /* what of samples does not fit together, all of which are left out: a
                        * sentence with where that is; null: nothing is wrong */
    struct mwa_sampled_rank *ranks; /* of all ranks of the trace; null: as above */
    struct mwa_sampled_spot *spots;
    uint64_t spot_count;
    struct mwa_sampled_row *rows; /* of threads that call MPI */
    uint64_t row_count;
    struct mwa_sampled_crew *crews; /* of all ranks of the trace; null: the archive has none */
    struct mwa_sampled_row *crew_rows;
    uint64_t crew_row_count;
};

/* Whether there may be samples of the rank: of one some of whose threads were refused there are. */
static inline bool mwa_was_sampled(const struct mwa_sampled *sampled, uint32_t rank)
{
    const struct mwa_sampled_rank *of = sampled->ranks ? &sampled->ranks[rank] : NULL;

    return of && of->was_to && (!*of->refused || of->outside + of->inside > 0);
}

#endif
