#ifndef MWA_LIVE_LIVE_READING_H
#define MWA_LIVE_LIVE_READING_H

#include "analyzer/live/live_hang.h"
#include "analyzer/live/live_variables.h"
#include "formats/spool/runs.h"

/* A thread's spool, which is read on while it grows, by the analyses that views show. */

enum mwa_live_part {
    MWA_LIVE_PROFILE,
    MWA_LIVE_SENT,
    MWA_LIVE_RECEIVED,
    MWA_LIVE_OF_COMMS,
    MWA_LIVE_PARTS
};

struct mwa_live_reading {
    uint32_t rank;
    uint32_t thread;
    struct mw_spool_reader *reader;
    struct mwa_live_stream stream;
    void *partials[MWA_LIVE_PARTS]; /* null: the views' results are not looked for */
    bool has_hang;             /* hangs are looked for */
    struct mwa_live_last last; /* with has_hang */
    uint64_t calls; /* told so far */
    uint64_t overwritten;
    bool has_more;  /* it was left before its end at the last look */
    bool is_through; /* there are no more for now */
    bool is_over;   /* nothing is written any more … */
    bool is_final;  /* … and was not when the reader looked at the file */
    bool is_done;
    bool is_damaged;
    bool was_paused; /* recording */
    char *path; /* of its process's spool */
};

/* What all of them have in common. */
struct mwa_live_ground {
    const struct mwa_live_trace *live;
    const bool *is_here; /* by rank: it tells the members of its communicators */
    struct mwa_live_variables *variables; /* null: they are not looked for */
    bool has_others; /* what is not known yet may be told by other hosts, also of what has ended */
};

/* *reading is null if the spool can't be opened (yet). Definitions and numbers are the caller's,
 * and hang, which is told of all events (null: hangs are not looked for); has_parts: what the views
 * show is looked for. \return false: no memory. */
bool mwa_live_reading_create(const struct mw_run_spool *spool, uint32_t thread,
                             const struct mwa_live_trace *live,
                             const struct mwa_live_numbers *numbers,
                             const struct mwa_live_hang *hang, bool has_parts,
                             struct mwa_live_reading **reading) MW_MUST_CHECK;
void mwa_live_reading_destroy(struct mwa_live_reading *reading);

/* Waits, null: none, are told of what is read from here on. */
void mwa_live_reading_wait(struct mwa_live_reading *reading, struct mwa_live_waits *waits);

/* Looks at what was written since, if all of what there was has been told. \return as
 * mw_spool_reader_again. */
enum mw_status mwa_live_reading_again(struct mwa_live_reading *reading) MW_MUST_CHECK;

/* Tells calls up to so many. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_live_reading_go_on(struct mwa_live_reading *reading,
                                      const struct mwa_live_ground *ground) MW_MUST_CHECK;

/* What one analysis has found in all of them. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_live_readings_merge(struct mwa_live_reading *const *readings, uint32_t count,
                                       const struct mwa_live_trace *live,
                                       enum mwa_live_part part, void *result) MW_MUST_CHECK;

#endif
