#ifndef MWA_ANALYSIS_TIME_SAMPLED_FUNCTIONS_H
#define MWA_ANALYSIS_TIME_SAMPLED_FUNCTIONS_H

#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * Where threads compute between calls of MPI, by function, as far as samples tell: those that call
 * MPI, or others of their ranks, while the main thread is between calls.
 */

struct mwa_function_row {
    const char *function;
    const char *file;     /* null: not known */
    uint32_t line;        /* with most of its samples; 0: not known */
    uint64_t line_count;
    uint64_t count;       /* samples in it */
    uint32_t rank;        /* that has most of them: */
    uint64_t rank_count;
    uint32_t site;        /* of the place of the calls on the way to which most are, an index;
                             MWA_NONE: not known, or there was none */
    uint64_t site_count;
    uint64_t whole;       /* samples of all functions, */
    uint64_t ranks;       /* and the ranks that were sampled */
};

struct mwa_functions {
    struct mwa_function_row *rows; /* the one with most samples first */
    uint64_t count;
    uint64_t outside; /* samples between calls of MPI, of the ranks that are looked at */
    uint64_t inside;
    uint64_t lost;
    uint64_t ranks;         /* that were sampled, */
    uint64_t refused;       /* and that could not be, or threads of theirs; of others: threads */
    uint32_t refused_first; /* the first of them; MWA_NONE: none, or of others */
    uint64_t in_openmp; /* of outside: in OpenMP's runtime, where threads wait */
    uint64_t threads;   /* of others: that were seen to compute, */
    uint64_t there_ns;  /* and for how long these were there, all together */
};

/*
 * Makes them of what the trace says, of one rank or of all (MWA_NONE), of threads that call MPI, or
 * of others. All zeros but refused_first where nothing was to be sampled, or there are no others.
 *
 * \return MW_OK, MW_ERROR_MEMORY; mwa_functions_fini is due in any case.
 */
enum mw_status mwa_functions_make(const struct mwa_trace *trace, uint32_t rank,
                                  struct mwa_functions *functions) MW_MUST_CHECK;
enum mw_status mwa_functions_make_others(const struct mwa_trace *trace, uint32_t rank,
                                         struct mwa_functions *functions) MW_MUST_CHECK;
void mwa_functions_fini(struct mwa_functions *functions);

/* Whether a spot is in the runtime of OpenMP, where threads wait for others and for work. */
bool mwa_sampled_in_openmp(const struct mwa_sampled_spot *spot);

/* Whether it is in the code of a parallel region, as compilers name that. */
bool mwa_sampled_in_region(const struct mwa_sampled_spot *spot);

/* The standard error of the share that part is of whole samples; 0 of none. */
double mwa_sampled_error(uint64_t part, uint64_t whole);

/* How long threads were on cores for so many samples, ns. */
uint64_t mwa_sampled_ns(const struct mwa_trace *trace, uint64_t samples);

/* How many times as many samples the rank with most has as those that were sampled on average. */
double mwa_function_over_average(const struct mwa_function_row *row);

#endif
