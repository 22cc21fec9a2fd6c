/* What chapters of a run have logged is one log: numbers of waits and activities are led over. */
#include "analyzer/analysis/delay/delay_state.h"

/* Whether what a rank had done at a moment is told in the next chapter. */
static bool lacks_mark(const struct mwa_delay *delay, uint32_t rank, uint64_t time,
                       const struct mwa_mark *mark)
{
    return !mark && !mwa_activities_have_reached(delay->activities, rank, time);
}

static bool lack_marks(const struct mwa_delay *delay)
{
    bool lack = false;

    for (uint64_t i = 0; i < delay->late_count && !lack; i++) {
        const struct mwa_delay_item *item = delay->late[i];

        lack = item->count == 0 &&
               (lacks_mark(delay, item->wait.rank, item->wait.time, item->waiter) ||
                lacks_mark(delay, item->wait.cause, item->time, item->cause));
        for (uint32_t k = 0; k < item->count; k++) {
            lack |= lacks_mark(delay, item->members[k].rank, item->members[k].enter,
                               item->members[k].mark);
        }
    }
    return lack;
}

bool mwa_delay_can_be_appended(const struct mwa_delay *delay)
{
    const bool is_at_lulls = delay->begins_at_lull || delay->ends_at_lull;

    return !mwa_activities_have_lacked(delay->activities) && !delay->is_across &&
           !(is_at_lulls && mwa_meetings_have_forgotten(delay->meetings)) &&
           !(delay->ends_at_lull && lack_marks(delay));
}

void mwa_delay_pack_remembered(const struct mwa_delay *delay, struct mw_buffer *to)
{
    mwa_meetings_pack_keys(delay->meetings, to);
}

void mwa_delay_at_lulls(struct mwa_delay *delay, const struct mwa_reading_start *start,
                        const struct mwa_reading_start *next)
{
    delay->begins_at_lull = start != NULL;
    delay->ends_at_lull = next != NULL;
    delay->start = start;
    delay->next = next;
    if (start) {
        mwa_activities_keep_origins(delay->activities, start);
    }
}

/* Has delay go on where later ends. */
static void exchange_states(struct mwa_delay *delay, struct mwa_delay *later)
{
    const struct mwa_delay earlier = *delay;

    delay->activities = later->activities;
    delay->meetings = later->meetings;
    delay->waited = later->waited;
    delay->waits = later->waits;
    delay->origins = later->origins;
    later->activities = earlier.activities;
    later->meetings = earlier.meetings;
    later->waited = earlier.waited;
    later->waits = earlier.waits;
    later->origins = earlier.origins;
}

enum mw_status mwa_delay_append(struct mwa_delay *delay, struct mwa_delay *later)
{
    uint32_t activities;
    enum mw_status status = mwa_delay_log_all(delay);

    status = status == MW_OK ? mwa_delay_log_all(later) : status;
    if (status == MW_OK && later->begins_at_lull) {
        status = mwa_delay_join_at_lull(delay, later);
    }
    if (status != MW_OK) {
        return status;
    }
    if (!mwa_grow(&delay->chapters, &delay->chapter_capacity,
                  delay->chapter_count + later->chapter_count, sizeof *delay->chapters)) {
        return MW_ERROR_MEMORY;
    }
    if (later->begins_at_lull) {
        exchange_states(delay, later);
    }
    activities = mwa_activity_count(later->activities);
    for (uint64_t i = 0; i < later->chapter_count; i++) {
        struct mwa_delay_chapter *chapter = &delay->chapters[delay->chapter_count++];

        *chapter = later->chapters[i];
        for (uint64_t j = 0; j < delay->trace->rank_count; j++) {
            chapter->before[j] += delay->logged[j];
        }
        for (uint32_t j = 0; j < MWA_ACTIVITIES && !later->begins_at_lull; j++) {
            chapter->numbers[j] =
                chapter->numbers[j] < activities
                    ? (uint8_t)mwa_activity_adopt(delay->activities, later->activities,
                                                  chapter->numbers[j])
                    : 0;
        }
    }
    later->chapter_count = 0;
    for (uint64_t i = 0; i < delay->trace->rank_count; i++) {
        delay->logged[i] += later->logged[i];
    }
    return MW_OK;
}
