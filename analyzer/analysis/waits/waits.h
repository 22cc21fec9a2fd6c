#ifndef MWA_ANALYSIS_WAITS_WAITS_H
#define MWA_ANALYSIS_WAITS_WAITS_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/delay/delay.h"

/*
 * Wait states: who waited for whom, in which call, for how long. The definitions are those
 * of Scalasca's SCOUT (MPI.pattern, MPI_RMA.pattern), and stand beside the code of each family:
 * waits_p2p.c, waits_collective.c, waits_onesided.c. E is when a call was entered, L when it
 * was left. No wait ends after the call that waits: where clocks disagree it is cut off at L,
 * and counted.
 */

enum mwa_wait_pattern {
#define COUNTS(constant, name, title, advice) MWA_WAIT_##constant,
#define OTHER(constant, name, title, role)    MWA_WAIT_##constant,
#include "analyzer/analysis/waits/wait_patterns.def"
    MWA_WAIT_PATTERNS
};

/* What a pattern's time is a part of. */
enum mwa_wait_role {
    MWA_WAIT_COUNTS,     /* the ranks' waiting time */
    MWA_WAIT_PART,       /* of late sender or early wait, which has counted it */
    MWA_WAIT_COMPLETION, /* a collective's own duration: nobody came late */
    MWA_WAIT_OUTSIDE     /* MPI_Init and MPI_Finalize, not the run */
};

const char *mwa_wait_name(enum mwa_wait_pattern pattern);  /* "late_sender" */
const char *mwa_wait_title(enum mwa_wait_pattern pattern); /* "late sender" */
enum mwa_wait_role mwa_wait_role(enum mwa_wait_pattern pattern);

/* What helps against a pattern that counts; null of others. */
const char *mwa_wait_advice(enum mwa_wait_pattern pattern);

/* One wait. Times are ns; time counts from the beginning of the trace. */
struct mwa_wait {
    uint64_t time;
    uint64_t wait;
    uint64_t between;               /* ticks: of a row of polls, outside of MPI between them, until
                                       what was waited for; no part of wait */
    uint64_t message;               /* whose other end was late, its number; UINT64_MAX: none's */
    uint32_t location;              /* index: where it waited */
    uint32_t rank;
    uint32_t cause;                 /* world rank, MWA_NONE: nobody in particular */
    const struct mwa_region *call;  /* in which it waited … */
    enum mwa_use use;               /* … for what … */
    const struct mwa_region_path *within; /* … in which of the program's; null: in none … */
    uint32_t site;                  /* … and where that was, index */
    uint32_t cause_site;            /* where cause made the call that was waited for, MWA_NONE:
                                       not known, or nobody in particular */
    uint32_t comm;                  /* index, MWA_NONE */
    bool grouped; /* in a collective in which everybody waits for everybody: see delay.h */
    bool other_thread;              /* not on the rank's main thread */
    bool before_chapter;            /* the chapter before has charged it: see wait_ledger.h */
};

#define MWA_WAITS_WORST 16

struct mwa_wait_row {
    uint64_t total_ns;
    uint64_t instances;
    uint64_t synchronizations;   /* of these instances, those by messages without bytes */
    uint64_t *rank_ns;           /* per rank that waited; null: all 0 */
    uint64_t *cause_ns;          /* per rank that was waited for */
    uint64_t *call_ns;           /* per mpi_index of regions */
    uint64_t *site_ns;           /* per site */
    uint64_t *place_ns;          /* per place, a site, too */
    uint64_t *cause_place_ns;    /* per place of the call that was waited for */
    uint64_t *region_ns;         /* per region of the program that was the innermost, its index */
    uint64_t *comm_ns;           /* per communicator */
    struct mwa_wait worst[MWA_WAITS_WORST]; /* the longest first; of equals the earlier */
    uint32_t worst_count;
};

/* The waits at a site, in regions of the program. */
struct mwa_path_wait {
    const struct mwa_region_path *path;
    uint32_t site; /* index */
    uint64_t ns;
};

#define MWA_WAITS_PARTS 64

struct mwa_waits {
    struct mwa_wait_row rows[MWA_WAIT_PATTERNS];

    /* Of all patterns that count, on main threads, the longest that begins in each part of the
       trace, of parts of the same length; of equals the earlier. Its wait is 0: there is none. */
    struct mwa_wait longest[MWA_WAITS_PARTS];

    struct mwa_path_wait *paths; /* of the patterns that count, what is in regions of the program */
    uint64_t path_count;
    uint64_t *unmet_ns;          /* per mpi_index: in blocking collective operations before the last
                                    member had come, waits included; null: all 0 */
    uint64_t *other_threads_ns;  /* per rank: of the patterns that count, what is not its main
                                    thread's; null: all 0 */
    uint64_t *reordered_ns;      /* per rank: before calls that received what was sent earlier than
                                    what it had waited for, since the call that received before;
                                    null: all 0 */
    uint64_t *between_ns;        /* per rank: outside of MPI between polls of its main thread that
                                    waited, of the patterns that count: in its useful time, and in
                                    none of these waits; null: all 0 */
    uint64_t rank_count;
    uint64_t call_count;
    uint64_t site_count;
    uint64_t region_count;
    uint64_t comm_count;
    uint64_t violations;         /* waits cut off at L */
    uint64_t violation_max_ns;
    uint64_t uncertain;          /* collectives left out: losses made their places doubtful */
    struct mwa_delays delays;    /* what caused the waits that count */
    uint64_t neighbors_unknown;  /* neighbourhood operations whose neighbours are not known */
};

extern const struct mwa_exchange_analysis mwa_waits_analysis; /* … struct mwa_waits */

void mwa_waits_fini(struct mwa_waits *waits);

/* The ranks' waiting time: of all patterns that count, ns. */
uint64_t mwa_waits_total_ns(const struct mwa_waits *waits);

/* Of that a rank's, with all its threads. */
uint64_t mwa_waits_rank_ns(const struct mwa_waits *waits, uint32_t rank);

/* Of that what is in its run, which is its main thread's. */
uint64_t mwa_waits_run_ns(const struct mwa_waits *waits, uint32_t rank);

/* What ranks were outside of MPI between polls that waited, together: in their useful time. */
uint64_t mwa_waits_between_ns(const struct mwa_waits *waits);

/* Of that what is not in main threads, and so not in the ranks' run. */
uint64_t mwa_waits_other_threads_ns(const struct mwa_waits *waits);

/* The pattern that counts with the most time, MWA_WAIT_PATTERNS: none has any. */
enum mwa_wait_pattern mwa_waits_dominant(const struct mwa_waits *waits);

/* The rank with the most in list (per rank, may be null), the first of equals; MWA_NONE: none. */
uint32_t mwa_waits_most(const uint64_t *list, uint64_t count);

#endif
