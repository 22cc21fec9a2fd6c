#ifndef MWA_REPORT_COMPARE_H
#define MWA_REPORT_COMPARE_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/*
 * Several runs side by side, the first being the reference:
 *
 *   change                T / T_ref - 1
 *   speed-up              T_ref / T                          (weak scaling: times P / P_ref)
 *   efficiency            speed-up / (P / P_ref)
 *   computation scaling   Σ U_ref / Σ U                      (weak scaling: times P / P_ref)
 *   global efficiency     parallel efficiency * computation scaling      (POP)
 *
 * and for each MPI call, each line of the program that calls MPI and each kind of wait the time per
 * rank, those that changed most against the reference first. mwa_compare_document and
 * mwa_compare_table (the runs) are its.
 */

struct mwa_compared_run {
    const char *archive; /* not owned */
    char *program;       /* with its arguments; null: not known */
    char *machines;      /* the hosts of its ranks, each once, by name */
    char *mpi_library;   /* these three: null: not known */
    char *commit;        /* of the program */
    char *cpu;           /* of rank 0's host */
    struct mwa_cores cores; /* whether each rank had one; where they are is not told */
    bool is_partial;         /* its record is incomplete … */
    uint64_t lost_calls;     /* … so many calls of all ranks were not kept */
    bool knows_lost;         /* how long it lost time for lack of cores … */
    double lost_ns;          /* … on average of its ranks */
    double waited_ns;        /* in MPI, for others, likewise */
    bool knows_threads;      /* how long other threads than the main ones ran … */
    uint64_t threads_ns;     /* … of all ranks together (mwa_threads_ran_ns) */
    struct mwa_pop_factors pop;
    uint64_t *useful_ns; /* by rank */
    uint64_t rank_count;
    double change; /* all five: NaN where not defined */
    double speedup;
    double efficiency;
    double computation_scaling;
    double global_efficiency;
};

/* A call, a line of the program that makes one, or a kind of wait. */
struct mwa_compared_time {
    char *name;
    const char *title;      /* for people: static; null: the name */
    bool is_in_run;         /* false: of MPI_Init and MPI_Finalize */
    uint64_t change_ns;     /* the greatest difference to the reference */
    uint64_t *per_rank_ns;  /* by run */
    uint64_t *waiting_ns;   /* by run: of a call, what of that is waiting; else 0 */
    uint64_t *counts;       /* by run: how often a call was made; else 0 */
    uint64_t **by_rank_ns;  /* by run: of a call, by rank, on main threads; null: not called */
    uint64_t run_count;

    /* Of a line (analyzer/report/compare_lines.h), else null: */
    char *call;
    char *file;        /* without its directory; "": not known */
    char *function;    /* where the line is not known, what else is known of the place */
    char *called_from; /* of a place in a library: that of the program (mwa_main_place), as of the
                          last run that tells; null: none does */
    uint32_t *numbers; /* of the line, by run; MWA_NONE: not there, or not known */
    char *wrapper;     /* which it calls, and which calls MPI; null: it calls MPI itself */
    char *wrapper_file;        /* of that, as file */
    uint32_t *wrapper_numbers; /* and as numbers */
};

struct mwa_compared_times {
    struct mwa_compared_time *list;
    uint64_t count;
    uint64_t capacity;
};

struct mwa_comparison {
    bool is_weak; /* the work grows with the ranks */
    struct mwa_compared_run *runs;
    uint64_t run_count;
    uint64_t added; /* of these */
    struct mwa_compared_times calls;
    struct mwa_compared_times lines;
    struct mwa_compared_times waits;
    bool knows_lines; /* all archives say where calls were made: only then there are lines to see */
};

/* Adds a time, of that name. Null: no memory, and it is to be freed with the others. */
struct mwa_compared_time *mwa_compared_time_add(struct mwa_compared_times *times, const char *name,
                                                uint64_t run_count);

/* Frees what it has. */
void mwa_compared_time_fini(struct mwa_compared_time *time);

/* What all ranks took, by rank. */
uint64_t mwa_compared_per_rank(uint64_t ns, const struct mwa_results *results);

/* Of so many runs. MW_OK, MW_ERROR_MEMORY; mwa_comparison_fini is due in any case. */
enum mw_status mwa_comparison_init(struct mwa_comparison *comparison, uint64_t run_count,
                                   bool is_weak) MW_MUST_CHECK;

#define MWA_NEED_COMPARE                                                                           \
    (MWA_NEED_POP | MWA_NEED_PROFILE | MWA_NEED_CORES | MWA_NEED_WAITS | MWA_NEED_IMBALANCE |      \
     MWA_NEED_SITES)

/*
 * Adds the next run, of which all of MWA_NEED_COMPARE must be there; archive has to stay, results
 * need not. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_comparison_add(struct mwa_comparison *comparison, const char *archive,
                                  const struct mwa_results *results) MW_MUST_CHECK;

/* Orders calls, lines and waits, when all runs are there. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_comparison_sort(struct mwa_comparison *comparison) MW_MUST_CHECK;

void mwa_comparison_fini(struct mwa_comparison *comparison);

#endif
