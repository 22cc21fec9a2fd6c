#ifndef MWA_ANALYSIS_WAITS_CLOSEUPS_H
#define MWA_ANALYSIS_WAITS_CLOSEUPS_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/load/input.h"

/*
 * The calls, regions, messages and waits around the longest waits, of main threads: what a reader
 * wants to see when a table says that a rank waited long. They are chosen among the longest waits
 * of each pattern that counts, and of each part of the run (struct mwa_waits): the longest first,
 * of equals the earlier one, and none that is at the same time as one that was chosen before. A
 * close-up goes from a wait's beginning to its end, with a third of its length on either side.
 */

#define MWA_CLOSEUPS      4u
#define MWA_CLOSEUP_CALLS 20000u /* the longest; and messages and waits, the first of each; the rest
                                    is counted */

/*
 * An outermost MPI call, or a region of the program, which is seen no longer than the close-up
 * lasts. Times are ticks.
 */
struct mwa_seen_call {
    const struct mwa_region *region;
    enum mwa_use use; /* of a call */
    uint64_t enter;
    uint64_t leave;  /* goes_on: the close-up's end */
    uint64_t repeat; /* calls that it stands for */
    uint64_t bytes;  /* UINT64_MAX: it moves none */
    uint32_t rank;
    uint32_t site;   /* index, MWA_NONE */
    uint32_t comm;   /* index, MWA_NONE */
    uint32_t peer;   /* world rank, the last one it exchanged with; MWA_NONE */
    bool goes_on;    /* a region that is left later */
};

struct mwa_seen_message {
    uint64_t sent;
    uint64_t received; /* the end of the call that completes it */
    uint64_t bytes;    /* UINT64_MAX: not known */
    uint32_t from;     /* world ranks */
    uint32_t to;
    uint32_t comm;     /* index */
    uint32_t tag;
};

struct mwa_seen_wait {
    uint64_t from;
    uint64_t to;
    const struct mwa_region *call;
    uint32_t rank;
};

struct mwa_closeup {
    uint64_t from;
    uint64_t to;
    struct mwa_seen_wait wait;  /* that it is about … */
    const struct mwa_wait *as_told; /* … as it is in the result of waits */
    struct mwa_seen_call *calls; /* rank by rank, in order of time */
    struct mwa_seen_message *messages;
    struct mwa_seen_wait *waits; /* of all ranks meanwhile, that one too */
    uint64_t call_count, call_capacity;
    uint64_t message_count, message_capacity;
    uint64_t wait_count, wait_capacity;
    uint64_t left_out; /* beyond MWA_CLOSEUP_CALLS */
};

struct mwa_closeups {
    struct mwa_closeup list[MWA_CLOSEUPS]; /* the longest wait first */
    uint32_t count;
};

struct mwa_results;

/*
 * Makes results' close-ups of its waits: reads input's archive once more, which has no readers, as
 * far as the last of them, from the quiet places (analyzer/load/quiet_places.h) before them if
 * scope's known says where these are, else from the beginning. Waits meanwhile are those in scope.
 *
 * \return MW_OK; as mwa_input_share and mwa_pass_run.
 */
enum mw_status mwa_closeups_find(struct mwa_input *input, const struct mwa_scope *scope,
                                 struct mwa_results *results,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

void mwa_closeups_fini(struct mwa_closeups *closeups);

#endif
