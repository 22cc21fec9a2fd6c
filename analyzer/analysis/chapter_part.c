/* What is told of a chapter to another process stands in the order in which it is taken in. */
#include "analyzer/analysis/chapter_part.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/matching_packing.h"
#include "analyzer/team/packing.h"

/* --- followed here ---------------------------------------------------------------------------- */

enum mw_status mwa_chapter_part_open(const struct mwa_chapter_run *run,
                                     const struct mwa_chapters *chapters,
                                     struct mwa_chapter_part *part)
{
    const uint32_t number = part->number;
    enum mw_status status;

    part->chapter.start = number > 0 ? chapters->starts[number - 1] : NULL;
    part->chapter.next = number + 1 < chapters->count ? chapters->starts[number] : NULL;
    status = mwa_input_share(run->pass->input, &part->input, &part->diagnostic);
    if (status == MW_OK) {
        mwa_input_begin_at(part->input, part->chapter.start);
    }
    return status;
}

/* Makes what takes in what is found. input has the run's trace. */
static enum mw_status begin(const struct mwa_chapter_run *run, struct mwa_chapter_part *part,
                            struct mwa_input *input, struct mw_diagnostic *diagnostic)
{
    struct mwa_scope scope = *run->scope;
    enum mw_status status = mwa_event_parts_init(&part->events, run->pass, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    if (run->visitor) {
        status = run->visitor->begin(run->visitor->user, &part->visited);
        scope.visit = run->visitor->visit;
        scope.user = part->visited;
    }
    if (status != MW_OK) {
        return mw_no_memory(diagnostic, NULL, "for waits");
    }
    scope.chapter = part->number;
    return mwa_follower_begin(&part->follower, input, run->wanted, run->wanted_count, &scope,
                              diagnostic);
}

void mwa_chapter_part_follow(const struct mwa_chapter_run *run, struct mwa_chapter_part *part)
{
    struct mwa_pass pass = *run->pass;

    pass.input = part->input;
    pass.paths = part->number == 0 || !pass.paths ? pass.paths : &part->paths;
    pass.chapter = &part->chapter;
    pass.parts = &part->events;
    pass.team = NULL;
    part->status = begin(run, part, part->input, &part->diagnostic);
    if (part->status == MW_OK) {
        part->status = mwa_follower_run(&part->follower, &pass, NULL, &part->events.result,
                                        &part->diagnostic);
    }
}

void mwa_chapter_part_pauses(const struct mwa_chapter_part *part, uint8_t *paused)
{
    mwa_matcher_paused(&part->follower.matcher, paused);
}

enum mw_status mwa_chapter_part_tell_rest(struct mwa_chapter_part *part, uint8_t *paused,
                                          struct mw_diagnostic *diagnostic)
{
    const uint64_t ranks = mwa_input_trace(part->input)->rank_count;
    const uint64_t *sent = mwa_matcher_sent(&part->follower.matcher);
    enum mw_status status;

    mwa_matcher_carry(&part->follower.matcher, paused);
    mwa_chapter_part_pauses(part, paused);
    status = mwa_follower_tell_rest(&part->follower, &part->matching, &part->exchange, diagnostic);
    part->sent = calloc(ranks + 1, sizeof *part->sent);
    if (status == MW_OK && !part->sent) {
        return mw_no_memory(diagnostic, NULL, "for messages");
    }
    if (status == MW_OK && sent) {
        memcpy(part->sent, sent, ranks * sizeof *part->sent);
    }
    return status;
}

/* --- by another process ----------------------------------------------------------------------- */

void mwa_chapter_part_pack(const struct mwa_chapter_run *run, struct mwa_chapter_part *part,
                           struct mw_buffer *to)
{
    mwa_matching_result_pack(&part->matching, to);
    mw_buffer_append(to, &part->exchange, sizeof part->exchange);
    mwa_pack_array(to, part->sent, mwa_input_trace(part->input)->rank_count, sizeof *part->sent);
    mwa_event_parts_pack(&part->events, to);
    if (run->visitor) {
        run->visitor->pack(part->visited, to);
    }
    mwa_follower_pack(&part->follower, to);
}

/* What is told beside what analyses have found. */
static enum mw_status unpack_counts(const struct mwa_trace *trace, struct mwa_chapter_part *part,
                                    struct mw_cursor *from)
{
    enum mw_status status = mwa_matching_result_unpack(trace, from, &part->matching);

    if (status == MW_OK && !mw_cursor_take(from, &part->exchange, sizeof part->exchange)) {
        status = MW_ERROR_FORMAT;
    }
    part->sent = malloc((trace->rank_count + 1) * sizeof *part->sent);
    if (status == MW_OK && !part->sent) {
        return MW_ERROR_MEMORY;
    }
    return status == MW_OK
               ? mwa_unpack_into(from, part->sent, trace->rank_count, sizeof *part->sent)
               : status;
}

enum mw_status mwa_chapter_part_unpack(const struct mwa_chapter_run *run,
                                       struct mwa_chapter_part *part, struct mw_cursor *from,
                                       struct mw_diagnostic *diagnostic)
{
    enum mw_status status = begin(run, part, run->pass->input, diagnostic);

    if (status == MW_OK) {
        status = unpack_counts(mwa_input_trace(run->pass->input), part, from);
    }
    if (status == MW_OK) {
        status = mwa_event_parts_unpack(&part->events, from);
    }
    if (status == MW_OK && run->visitor) {
        status = run->visitor->unpack(part->visited, from);
    }
    return status == MW_OK ? mwa_follower_unpack(&part->follower, &part->paths, from) : status;
}

void mwa_chapter_part_end(const struct mwa_chapter_run *run, struct mwa_chapter_part *part)
{
    mwa_follower_end(&part->follower);
    if (run->visitor) {
        run->visitor->end(part->visited);
    }
    mwa_event_parts_fini(&part->events);
    mwa_matching_result_fini(&part->matching);
    mwa_input_close(part->input);
    mwa_region_paths_fini(&part->paths);
    free(part->sent);
}
