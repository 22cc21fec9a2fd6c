#ifndef MWA_ANALYSIS_COUNTERS_LEVEL_SEAMS_H
#define MWA_ANALYSIS_COUNTERS_LEVEL_SEAMS_H

#include "analyzer/analysis/counters/level_marks.h"
#include "analyzer/load/reading_start.h"

/*
 * Changes of levels near the lulls that a chapter begins and ends at. Each rank comes to a lull at
 * a time of its own: up to the last of these there may be changes of the chapter before, and from
 * the first on changes of the next one, between those of this chapter. They are put aside, and
 * taken in, in their order, when chapters are put together. Not thread-safe.
 */

#define MWA_LEVEL_SEAM_MOST (1u << 20) /* changes of a chapter that are put aside */

/* Fields are private. */
struct mwa_level_seams {
    uint64_t begin; /* ticks: changes before it are put aside, … */
    uint64_t end;   /* … and from it on */
    struct mwa_level_change *list; /* those that are, as they came */
    uint64_t count, capacity;
    bool are_many; /* more than may be: some are not there */
};

/* Of a part of trace's run that begins at start and ends at next, each null or no lull where it
 * does not at one. */
void mwa_level_seams_init(struct mwa_level_seams *seams, const struct mwa_trace *trace,
                          const struct mwa_reading_start *start,
                          const struct mwa_reading_start *next);
void mwa_level_seams_fini(struct mwa_level_seams *seams);

/* Whether a change at time, ticks, is one that is put aside. */
static inline bool mwa_level_seams_have(const struct mwa_level_seams *seams, uint64_t time)
{
    return time < seams->begin || time >= seams->end;
}

/* Puts change aside. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_level_seams_add(struct mwa_level_seams *seams,
                                   const struct mwa_level_change *change) MW_MUST_CHECK;

/*
 * Goes on, in marks, with what later_marks was fed with, and with what lies between the two
 * chapters: of the messages of the later one each rank has begun so many before (sent). MW_OK,
 * MW_ERROR_MEMORY.
 */
enum mw_status mwa_level_seams_go_on(struct mwa_level_seams *seams, struct mwa_level_marks *marks,
                                     const struct mwa_level_seams *later,
                                     const struct mwa_level_marks *later_marks,
                                     const uint64_t *sent) MW_MUST_CHECK;

/*
 * What go_on asks of later as plain bytes, for another process (analyzer/team/packing.h): unpack
 * takes it out behind its marks. MW_OK, MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_level_seams_pack(const struct mwa_level_seams *seams, struct mw_buffer *to);
enum mw_status mwa_level_seams_unpack(struct mwa_level_seams *seams,
                                      const struct mwa_level_marks *marks,
                                      struct mw_cursor *from) MW_MUST_CHECK;

#endif
