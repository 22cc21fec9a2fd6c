#ifndef MWA_ANALYSIS_CHAPTER_PART_H
#define MWA_ANALYSIS_CHAPTER_PART_H

#include "analyzer/analysis/event_parts.h"
#include "analyzer/analysis/exchanges_in_chapters.h"

/* One chapter of a run: followed here, or by another process. For one thread at a time. */

/* What all chapters of a run are followed for. Lives as long as its parts. */
struct mwa_chapter_run {
    const struct mwa_pass *pass;
    const struct mwa_wanted_exchange *wanted;
    uint32_t wanted_count;
    const struct mwa_scope *scope;
    const struct mwa_chapter_visitor *visitor; /* null: nobody */
};

/* Zeros, then number; it stays where it is, and is to be ended. */
struct mwa_chapter_part {
    uint32_t number; /* from 0 on */
    struct mwa_chapter chapter;
    struct mwa_input *input; /* of its own; null: another process has followed it */
    struct mwa_region_paths paths;
    struct mwa_follower follower;
    struct mwa_event_parts events; /* what analyses of events find */
    void *visited; /* the visitor's */
    struct mwa_matching_result matching;
    struct mwa_exchange_result exchange;
    uint64_t *sent; /* per rank, the messages that it has begun, once the rest was told */
    enum mw_status status; /* of following */
    struct mw_diagnostic diagnostic;
};

/* Opens the input of part's chapter of chapters. Returns as mwa_input_share. */
enum mw_status mwa_chapter_part_open(const struct mwa_chapter_run *run,
                                     const struct mwa_chapters *chapters,
                                     struct mwa_chapter_part *part) MW_MUST_CHECK;

/* Follows it, and sets status and diagnostic. By any thread. */
void mwa_chapter_part_follow(const struct mwa_chapter_run *run, struct mwa_chapter_part *part);

/*
 * Says of a chapter that was followed what its thread left to be said. paused: flags of ranks whose
 * recording was paused before, to which its own are added. Returns as mwa_exchange_finish.
 */
enum mw_status mwa_chapter_part_tell_rest(struct mwa_chapter_part *part, uint8_t *paused,
                                          struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Adds to paused those of the chapter, which was followed. */
void mwa_chapter_part_pauses(const struct mwa_chapter_part *part, uint8_t *paused);

/*
 * What was found, for another process (packing.h): pack appends it, and leaves nothing to be done
 * but to end part; without memory to is marked failed. unpack takes it out into another one of that
 * number. MW_OK, MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_chapter_part_pack(const struct mwa_chapter_run *run, struct mwa_chapter_part *part,
                           struct mw_buffer *to);
enum mw_status mwa_chapter_part_unpack(const struct mwa_chapter_run *run,
                                       struct mwa_chapter_part *part, struct mw_cursor *from,
                                       struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

void mwa_chapter_part_end(const struct mwa_chapter_run *run, struct mwa_chapter_part *part);

#endif
