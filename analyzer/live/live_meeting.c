/* Spools keep what is not read: nothing is lost by waiting for the others, but not for long. */
#include "analyzer/live/live_meeting.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/live/live_waits.h"

#define PATIENCE (10 * (uint64_t)1000000000) /* ns that others have to tell of the other ranks */

void mwa_live_meeting_fini(struct mwa_live_meeting *meeting)
{
    mwa_live_across_destroy(meeting->across);
    meeting->across = NULL;
}

bool mwa_live_meeting_goes_on(const struct mwa_live_meeting *meeting)
{
    return meeting->across && meeting->generation == mwa_live_peers_generation(meeting->peers);
}

bool mwa_live_meeting_begin(struct mwa_live_meeting *meeting, struct mwa_live_trace *live,
                            uint32_t ranks)
{
    mwa_live_across_destroy(meeting->across);
    meeting->generation = mwa_live_peers_generation(meeting->peers);
    meeting->begun = mwa_live_time();
    meeting->ranks = ranks;
    meeting->across = mwa_live_across_create(meeting->peers, live, ranks);
    return meeting->across;
}

bool mwa_live_meeting_hear(struct mwa_live_meeting *meeting, uint32_t from,
                           const struct mw_cursor *records)
{
    return mwa_live_meeting_goes_on(meeting) &&
           mwa_live_across_hear(meeting->across, from, records);
}

void mwa_live_meeting_tell_ranks(struct mwa_live_meeting *meeting, const struct mwa_live *live,
                                 bool has_waits)
{
    for (uint32_t i = 0; i < live->process_count; i++) {
        const uint32_t rank = live->processes[i].spool->rank;
        const uint32_t threads =
            mwa_live_place(live, i, UINT32_MAX) - mwa_live_place(live, i, 0);
        const uint32_t told = mwa_live_across_threads(meeting->across, rank);

        if (live->processes[i].is_elsewhere || threads == 0 || told == threads ||
            rank >= meeting->ranks) {
            continue;
        }
        if (has_waits) {
            mwa_live_peers_anew(meeting->peers);
            return;
        }
        mwa_live_across_rank(meeting->across, rank, threads);
    }
}

/* Whose definitions tell most of the clock here; null: nobody's do, or it is rank 0's. */
static const struct mwa_live_numbers *find_clock(struct mwa_live_meeting *meeting,
                                                 const struct mwa_live *live,
                                                 const struct mwa_live_numbers *numbers)
{
    const struct mwa_live_numbers *best = NULL;

    for (uint32_t i = 0; i < live->process_count; i++) {
        const uint32_t rank = live->processes[i].spool->rank;

        if (live->processes[i].is_elsewhere || rank >= meeting->ranks) {
            continue;
        }
        if (rank == 0) {
            meeting->has_clock = true;
            return NULL;
        }
        if (numbers[rank].clock_count > (best ? best->clock_count : 0)) {
            best = &numbers[rank];
        }
    }
    return best;
}

/* The error of times that are told by what was measured, or were by what was known before. Calls
 * that were taken by a worse comparison are not taken again. */
static uint64_t error_of(const struct mwa_live_meeting *meeting,
                         const struct mwa_live_waits *waits,
                         const struct mwa_live_numbers *measured,
                         const struct mw_clock_point *points, size_t count)
{
    uint64_t error = waits ? meeting->clock_error : 0;
    const uint64_t missed =
        waits ? mwa_live_waits_clock_missed(waits, measured->clock, measured->clock_count) : 0;

    error = missed > error ? missed : error;
    for (size_t i = 0; i < count; i++) {
        error = points[i].error > error ? points[i].error : error;
    }
    return error;
}

bool mwa_live_meeting_clock(struct mwa_live_meeting *meeting, const struct mwa_live *live,
                            const struct mwa_live_numbers *numbers, struct mwa_live_waits *waits)
{
    const struct mwa_live_numbers *best = find_clock(meeting, live, numbers);
    size_t count = best ? best->clock_count : 0;
    struct mw_clock_point *points = malloc((count + 1) * sizeof *points);
    bool has_memory;

    if (points && count > 0) {
        memcpy(points, best->clock, count * sizeof *points);
        mw_clock_choose(points, &count);
        meeting->has_clock = true;
        meeting->clock_error = error_of(meeting, waits, best, points, count);
    }
    has_memory = points && (!waits || mwa_live_waits_clock(waits, points, count));
    free(points);
    return has_memory;
}

bool mwa_live_meeting_is_ready(const struct mwa_live_meeting *meeting)
{
    return meeting->has_clock && mwa_live_across_has_all(meeting->across);
}

uint32_t *mwa_live_meeting_extra(const struct mwa_live_meeting *meeting)
{
    uint32_t *extra = calloc(meeting->ranks + (size_t)1, sizeof *extra);

    for (uint32_t i = 0; extra && i < meeting->ranks; i++) {
        const uint32_t threads = mwa_live_across_threads(meeting->across, i);

        extra[i] = threads > 0 ? threads - 1 : 0;
    }
    return extra;
}

bool mwa_live_meeting_holds(const struct mwa_live_meeting *meeting, bool has_waits)
{
    return (!has_waits && mwa_live_time() - meeting->begun < PATIENCE) ||
           mwa_live_peers_are_full(meeting->peers);
}

const char *mwa_live_no_waits_words(enum mw_live_no_waits unknown)
{
    static const char *const words[MW_LIVE_NO_WAITS_COUNT] = {
        [MW_LIVE_NOT_ALL_HERE] = "not all ranks are here",
        [MW_LIVE_ON_OTHERS] = "ranks run on other hosts",
        [MW_LIVE_NO_CLOCKS] = "the clocks of hosts were not compared",
        [MW_LIVE_SEEN_TWICE] = "two tell of the same rank",
        [MW_LIVE_LOST] = "calls could not be recorded",
        [MW_LIVE_OVERWRITTEN] = "a ring has lost calls",
        [MW_LIVE_DAMAGED] = "a spool is damaged",
        [MW_LIVE_PAUSED] = "recording was paused",
        [MW_LIVE_NOT_POSSIBLE] = "a host tells of its calls what can't be",
    };

    return words[unknown];
}
