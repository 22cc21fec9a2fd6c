/*
 * Costs are distributed when a wait is known, but waits that it leads to lie
 * before it: record_log.c keeps the waits, delay_meetings.c where two ranks met
 * last, delay_cost.c does the distribution from the end backwards. Here a wait's
 * interval is found and its parts are weighed.
 *
 * A chapter of a run that begins with a meeting of all ranks needs nothing of the one before: no
 * interval begins before such a meeting, and all that goes into a record but the number of the
 * first wait in the interval are differences of what was at its two ends. So what a later chapter
 * begins with (no waits; a main thread's time up to there, whatever that was spent on) cancels, and
 * the number is told how many waits there were before when the logs are read.
 */
#include "analyzer/analysis/delay/delay_state.h"

#include <stdlib.h>
#include <string.h>

struct mwa_delay_chapter *mwa_delay_begin_chapter(struct mwa_delay *delay)
{
    struct mwa_delay_chapter *chapter;

    if (!mwa_grow(&delay->chapters, &delay->chapter_capacity, delay->chapter_count + 1,
                  sizeof *delay->chapters)) {
        return NULL;
    }
    chapter = &delay->chapters[delay->chapter_count++];
    chapter->log = mwa_record_log_create();
    chapter->before = calloc(delay->trace->rank_count + 1, sizeof *chapter->before);
    for (uint32_t i = 0; i < MWA_ACTIVITIES; i++) {
        chapter->numbers[i] = (uint8_t)i;
    }
    return chapter->log && chapter->before ? chapter : NULL;
}

struct mwa_delay *mwa_delay_create(const struct mwa_trace *trace)
{
    struct mwa_delay *delay = calloc(1, sizeof *delay);

    if (!delay) {
        return NULL;
    }
    delay->trace = trace;
    delay->activities = mwa_activities_create(trace);
    delay->queue = mwa_delay_queue_create(MWA_DELAY_QUEUE +
                                          MWA_DELAY_QUEUE_RANK * trace->rank_count);
    delay->meetings = mwa_meetings_create(trace->rank_count);
    delay->logged = calloc(trace->rank_count + 1, sizeof *delay->logged);
    delay->waited = calloc(trace->rank_count + 1, sizeof *delay->waited);
    delay->waits = calloc(trace->rank_count + 1, sizeof *delay->waits);
    if (!mwa_delay_begin_chapter(delay) || !delay->activities || !delay->queue ||
        !delay->meetings || !delay->logged || !delay->waited || !delay->waits) {
        mwa_delay_destroy(delay);
        return NULL;
    }
    return delay;
}

void mwa_delay_destroy(struct mwa_delay *delay)
{
    if (delay) {
        mwa_delay_queue_destroy(delay->queue);
        mwa_meetings_destroy(delay->meetings);
        mwa_delay_lulls_fini(delay);
        for (uint64_t i = 0; i < delay->chapter_count; i++) {
            mwa_delay_chapter_fini(&delay->chapters[i]);
        }
        free(delay->chapters);
        mwa_activities_destroy(delay->activities);
        for (uint64_t i = 0; delay->waits && i < delay->trace->rank_count; i++) {
            free(delay->waits[i]);
        }
        free(delay->waits);
        free(delay->waited);
        free(delay->logged);
        free(delay->late);
        free(delay);
    }
}

enum mw_status mwa_delay_waypoint(struct mwa_delay *delay, uint32_t location,
                                  const struct mwa_waypoint *waypoint)
{
    return mwa_activities_waypoint(delay->activities, location, waypoint);
}

enum mw_status mwa_delay_begin(struct mwa_delay *delay, const struct mwa_exchange_call *call)
{
    return mwa_activities_begin(delay->activities, call);
}

enum mw_status mwa_delay_end(struct mwa_delay *delay, const struct mwa_exchange_call *call)
{
    return mwa_activities_end(delay->activities, call);
}

/* --- a wait's interval -------------------------------------------------------------------- */

const uint64_t *mwa_delay_waits_of(const struct mwa_delay *delay, uint32_t rank)
{
    static const uint64_t none[MWA_ACTIVITIES];

    return delay->waits[rank] ? delay->waits[rank] : none;
}

/*
 * t_r(a): what the rank with these waits did of an activity between since, null: the run's
 * beginning, and mark.
 */
static inline uint64_t spent(const uint64_t *waits, uint32_t activity,
                             const struct mwa_standing *since, uint64_t begin,
                             const struct mwa_mark *mark)
{
    uint64_t ticks = activity < mark->count ? mark->ticks[activity] : 0; /* modulo 2^64 */

    ticks -= waits[activity];
    if (since) {
        ticks -= activity < since->count ? since->spent[activity] : 0;
        if (activity == since->mark->activity && begin > since->mark->time) {
            ticks -= begin - since->mark->time;
        }
    }
    return (int64_t)ticks > 0 ? ticks : 0;
}

void mwa_delay_fill_head(const struct mwa_delay *delay, const struct mwa_delay_wait *wait,
                         uint64_t *words)
{
    words[MWA_DELAY_RANK] = wait->rank;
    words[MWA_DELAY_CAUSE] = wait->cause;
    words[MWA_DELAY_FROM] = delay->logged[wait->cause];
    words[MWA_DELAY_WAIT] = wait->wait;
    words[MWA_DELAY_LEFT] = wait->wait - wait->selected;
    words[MWA_DELAY_SUM] = 0;
    words[MWA_DELAY_SITE] = wait->cause_site == MWA_NONE
                                ? 0
                                : UINT64_C(1) + delay->trace->sites[wait->cause_site].place;
}

uint32_t mwa_delay_weigh(const struct mwa_delay_interval *interval, uint64_t *words)
{
    const struct mwa_meeting *met = &interval->met;
    uint32_t count = MWA_DELAY_HEAD;

    words[MWA_DELAY_FROM] = met->other ? met->other->logged : 0;
    words[MWA_DELAY_SUM] = interval->waited - (met->other ? met->other->waited : 0);
    for (uint32_t i = 0; i < interval->count; i++) {
        uint64_t other = spent(interval->causes, i, met->other, met->begin, interval->cause);
        uint64_t own = spent(interval->waits, i, met->one, met->begin, interval->waiter);

        if (other > own) {
            words[MWA_DELAY_SUM] += other - own;
            words[count++] = (other - own) << MWA_DELAY_ACTIVITY | i;
        }
    }
    return count;
}

/* Writes the wait's record: the words behind its head are its delays. */
static enum mw_status log_wait(struct mwa_delay *delay, const struct mwa_delay_item *item)
{
    const struct mwa_delay_wait *wait = &item->wait;
    struct mwa_delay_interval interval = { .waiter = item->waiter,
                                           .cause = item->cause,
                                           .waits = mwa_delay_waits_of(delay, wait->rank),
                                           .causes = mwa_delay_waits_of(delay, wait->cause),
                                           .waited = delay->waited[wait->cause],
                                           .count = mwa_activity_count(delay->activities) };
    uint64_t words[MWA_RECORD_WORDS];
    uint32_t count = MWA_DELAY_HEAD;

    mwa_delay_fill_head(delay, wait, words);
    if (item->waiter && item->cause) {
        mwa_meetings_last(delay->meetings, wait->rank, wait->cause, &interval.met);
        if (!interval.met.one && delay->begins_at_lull) {
            return mwa_delay_put_off(delay, item);
        }
        count = mwa_delay_weigh(&interval, words);
    }
    return mwa_record_log_add(delay->chapters[0].log, words, count);
}

/* What rank has done at a meeting. */
static struct mwa_attendant attendant_of(const struct mwa_delay *delay, uint32_t rank,
                                         struct mwa_mark *mark)
{
    return (struct mwa_attendant){ .rank = rank,
                                   .mark = mark,
                                   .logged = delay->logged[rank],
                                   .waited = delay->waited[rank],
                                   .waits = mwa_delay_waits_of(delay, rank),
                                   .count = mwa_activity_count(delay->activities) };
}

/* Another thread may wait since before all met: no interval begins before that. */
static void wait_since_meeting(const struct mwa_delay *delay, struct mwa_delay_item *item)
{
    struct mwa_mark *of_all = mwa_is_main_thread(delay->trace, item->wait.location)
                                  ? NULL
                                  : mwa_meetings_of_all(delay->meetings, item->wait.rank);

    if (of_all && of_all->time > item->wait.time) {
        mwa_mark_drop(item->waiter);
        item->waiter = mwa_mark_hold(of_all);
    }
}

static enum mw_status process_wait(struct mwa_delay *delay, struct mwa_delay_item *item)
{
    const struct mwa_delay_wait *wait = &item->wait;
    struct mwa_attendant waiter, cause;
    enum mw_status status;
    uint64_t **waits;

    wait_since_meeting(delay, item);
    status = log_wait(delay, item);
    if (status != MW_OK) {
        return status;
    }
    waits = &delay->waits[wait->rank];
    if (!*waits && !(*waits = calloc(MWA_ACTIVITIES, sizeof **waits))) {
        return MW_ERROR_MEMORY;
    }
    delay->logged[wait->rank]++;
    delay->waited[wait->rank] += wait->wait;
    (*waits)[mwa_activity_of(delay->activities, wait->call)] += wait->wait;
    if (wait->grouped || !item->waiter || !item->cause) {
        return MW_OK;
    }
    waiter = attendant_of(delay, wait->rank, item->waiter);
    cause = attendant_of(delay, wait->cause, item->cause);
    return mwa_meetings_pair(delay->meetings, item->time, wait->is_for_leave, &waiter, &cause);
}

static enum mw_status process_meeting(struct mwa_delay *delay, const struct mwa_delay_item *item)
{
    const struct mwa_gathering gathering = { .time = item->time,
                                             .begin = item->begin,
                                             .comm = item->comm,
                                             .first = item->first,
                                             .of_all = item->of_all > 0 ? ++delay->met_of_all
                                                                        : 0 };
    enum mw_status status = MW_OK;

    mwa_meetings_open(delay->meetings, &gathering);
    for (uint32_t i = 0; i < item->count && status == MW_OK; i++) {
        const struct mwa_delay_member *member = &item->members[i];

        if (member->mark) {
            const struct mwa_attendant attendant =
                attendant_of(delay, member->rank, member->mark);

            status = mwa_meetings_join(delay->meetings, &attendant);
        }
    }
    return status;
}

/* --- marks -------------------------------------------------------------------------------- */

/* Sets a mark if its rank has come so far, or anyway: then it is what is known. */
static enum mw_status set_mark(struct mwa_delay *delay, uint32_t rank, uint64_t time, bool anyway,
                               bool *is_late, struct mwa_mark **mark)
{
    if (*mark) {
        return MW_OK;
    }
    if (!anyway && !mwa_activities_have_reached(delay->activities, rank, time)) {
        *is_late = true;
        return MW_OK;
    }
    return mwa_activities_mark(delay->activities, rank, time, mark);
}

/* Sets the marks of an item that are not set, and says whether some are still not. */
static enum mw_status set_marks(struct mwa_delay *delay, struct mwa_delay_item *item, bool anyway)
{
    enum mw_status status = MW_OK;

    item->is_late = false;
    if (item->count == 0) {
        status = set_mark(delay, item->wait.rank, item->wait.time, anyway, &item->is_late,
                          &item->waiter);
    }
    if (status == MW_OK && item->count == 0) {
        status = set_mark(delay, item->wait.cause, item->time, anyway, &item->is_late,
                          &item->cause);
    }
    for (uint32_t i = 0; i < item->count && status == MW_OK; i++) {
        struct mwa_delay_member *member = &item->members[i];

        status = set_mark(delay, member->rank, member->enter, anyway, &item->is_late,
                          &member->mark);
    }
    return status;
}

/*
 * A call of another thread may be told before the main thread's that is made at the time. Behind a
 * round, how far the main thread is does not depend on what was read first.
 */
static enum mw_status set_late_marks(struct mwa_delay *delay)
{
    const uint64_t count = delay->late_count;
    enum mw_status status = MW_OK;

    delay->late_count = 0;
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = set_marks(delay, delay->late[i], false);
        if (delay->late[i]->is_late) {
            delay->late[delay->late_count++] = delay->late[i];
        }
    }
    return status;
}

/* The item leaves the queue: its marks are what is known now. */
static enum mw_status set_last_marks(struct mwa_delay *delay, struct mwa_delay_item *item)
{
    uint64_t at = 0;

    while (delay->late[at] != item) {
        at++;
    }
    delay->late[at] = delay->late[--delay->late_count];
    return set_marks(delay, item, true);
}

/* Takes out of the queue what is too much, or all. */
static enum mw_status process(struct mwa_delay *delay, bool all)
{
    struct mwa_delay_item *item;
    enum mw_status status = MW_OK;

    while (status == MW_OK &&
           (status = mwa_delay_queue_first(delay->queue, all, &item)) == MW_OK) {
        status = item->is_late ? set_last_marks(delay, item) : MW_OK;
        if (status == MW_OK) {
            status = item->members ? process_meeting(delay, item) : process_wait(delay, item);
        }
        mwa_delay_queue_drop(delay->queue, item);
    }
    return status == MW_END ? MW_OK : status;
}

/* --- what is told ------------------------------------------------------------------------- */

/* Puts the item in the queue, or drops it after a failure. */
static enum mw_status put(struct mwa_delay *delay, struct mwa_delay_item *item)
{
    enum mw_status status = set_marks(delay, item, false);

    if (delay->start || delay->next) {
        delay->is_across |= !mwa_delay_is_between_lulls(delay, item);
    }
    if (status == MW_OK && item->is_late) {
        if (mwa_grow(&delay->late, &delay->late_capacity, delay->late_count + 1,
                     sizeof(struct mwa_delay_item *))) {
            delay->late[delay->late_count++] = item;
        } else {
            status = MW_ERROR_MEMORY;
        }
    }
    if (status != MW_OK) {
        mwa_delay_queue_drop(delay->queue, item);
        return status;
    }
    return mwa_delay_queue_put(delay->queue, item) ? MW_OK : MW_ERROR_MEMORY;
}

enum mw_status mwa_delay_take(struct mwa_delay *delay, const struct mwa_delay_wait *wait)
{
    struct mwa_delay_item *item;

    if (wait->before_chapter) {
        return MW_OK;
    }
    item = mwa_delay_queue_make(delay->queue, 0);
    if (!item) {
        return MW_ERROR_MEMORY;
    }
    item->time = wait->time + wait->wait;
    item->wait = *wait;
    delay->has_waits |= wait->grouped;
    return put(delay, item);
}

enum mw_status mwa_delay_meet(struct mwa_delay *delay, const struct mwa_collective *collective)
{
    const bool of_all = collective->count == delay->trace->rank_count;
    struct mwa_delay_item *item;
    uint64_t first_leave = UINT64_MAX;

    if (!delay->has_waits && !of_all) {
        return MW_OK;
    }
    delay->has_waits = false;
    item = mwa_delay_queue_make(delay->queue, collective->count);
    if (!item) {
        return MW_ERROR_MEMORY;
    }
    item->first = collective->members[0].rank;
    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_member *member = &collective->members[i];

        item->first = member->rank < item->first ? member->rank : item->first;
        item->members[i].rank = member->rank;
        item->members[i].enter = member->begin->enter;
        item->time = member->begin->enter > item->time ? member->begin->enter : item->time;
        first_leave = member->end->leave < first_leave ? member->end->leave : first_leave;
    }
    item->comm = collective->comm;
    item->of_all = of_all ? ++delay->meetings_of_all : 0;
    item->begin = first_leave > item->time ? first_leave : item->time;
    return put(delay, item);
}

enum mw_status mwa_delay_round(struct mwa_delay *delay)
{
    enum mw_status status = set_late_marks(delay);

    mwa_activities_forget(delay->activities);
    return status == MW_OK ? process(delay, false) : status;
}

enum mw_status mwa_delay_log_all(struct mwa_delay *delay)
{
    enum mw_status status = set_late_marks(delay);

    return status == MW_OK ? process(delay, true) : status;
}

enum mw_status mwa_delay_finish(struct mwa_delay *delay, struct mwa_delays *delays)
{
    enum mw_status status = mwa_delay_log_all(delay);

    return status == MW_OK
               ? mwa_delay_distribute(delay->trace, delay->activities, delay->chapters,
                                      delay->chapter_count, delay->logged, delays)
               : status;
}
