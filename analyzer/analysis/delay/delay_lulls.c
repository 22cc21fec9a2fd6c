/*
 * At a lull ranks have not met, so that intervals may begin in the chapter before. All that goes
 * into a record are differences of sums, which are put together when the chapters are: what was
 * remembered of the earlier one is led over into the sums of the later one. What that counts as
 * done before it, which it does not know, is what it had when its first call began (struct
 * mwa_origin); then the earlier one's sums, and what a rank computed between its last event there
 * and that call, count instead.
 */
#include "analyzer/analysis/delay/delay_state.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/reading_start.h"

/* --- a chapter -------------------------------------------------------------------------------- */

/* The main thread's call behind a lull was entered then; otherwise: null, or it makes none. */
static uint64_t enter_behind(const struct mwa_delay *delay, const struct mwa_reading_start *lull,
                             uint32_t rank, uint64_t otherwise)
{
    const uint32_t main = delay->trace->ranks[rank].master;

    return lull && main != MWA_NONE && lull->locations[main].is_there
               ? lull->locations[main].first.enter
               : otherwise;
}

static bool is_between(const struct mwa_delay *delay, uint32_t rank, uint64_t time)
{
    return time >= enter_behind(delay, delay->start, rank, 0) &&
           time < enter_behind(delay, delay->next, rank, UINT64_MAX);
}

bool mwa_delay_is_between_lulls(const struct mwa_delay *delay, const struct mwa_delay_item *item)
{
    bool is = item->members || (is_between(delay, item->wait.rank, item->time) &&
                                is_between(delay, item->wait.cause, item->time));

    for (uint32_t i = 0; i < item->count && is; i++) {
        is = is_between(delay, item->members[i].rank, item->time);
    }
    return is;
}

enum mw_status mwa_delay_put_off(struct mwa_delay *delay, const struct mwa_delay_item *item)
{
    const uint64_t index = delay->early_count;
    const uint32_t count = mwa_activity_count(delay->activities);
    struct mwa_delay_early *early = NULL;

    if (mwa_grow(&delay->early, &delay->early_capacity, index + 1,
                 sizeof(struct mwa_delay_early *))) {
        early = malloc(sizeof *early + UINT64_C(2) * count * sizeof *early->waits);
    }
    if (!early) {
        return MW_ERROR_MEMORY;
    }
    *early = (struct mwa_delay_early){ .wait = item->wait,
                                       .waiter = mwa_mark_hold(item->waiter),
                                       .cause = mwa_mark_hold(item->cause),
                                       .waited = delay->waited[item->wait.cause],
                                       .count = count };
    memcpy(early->waits, mwa_delay_waits_of(delay, item->wait.rank),
           count * sizeof *early->waits);
    memcpy(early->waits + count, mwa_delay_waits_of(delay, item->wait.cause),
           count * sizeof *early->waits);
    delay->early[delay->early_count++] = early;
    return mwa_record_log_add(delay->chapters[0].log, &index, 1);
}

static void forget_early(struct mwa_delay *delay)
{
    for (uint64_t i = 0; i < delay->early_count; i++) {
        mwa_mark_drop(delay->early[i]->waiter);
        mwa_mark_drop(delay->early[i]->cause);
        free(delay->early[i]);
    }
    free(delay->early);
    delay->early = NULL;
    delay->early_count = 0;
}

void mwa_delay_lulls_fini(struct mwa_delay *delay)
{
    forget_early(delay);
    for (uint64_t i = 0; delay->origins && i < delay->trace->rank_count; i++) {
        mwa_standing_destroy(delay->origins[i]);
    }
    free(delay->origins);
}

/* --- two of them ------------------------------------------------------------------------------ */

struct joining {
    const struct mwa_delay *earlier;
    struct mwa_delay *later;
    uint8_t numbers[MWA_ACTIVITIES]; /* later's, by earlier's */
    uint32_t earlier_count;
    uint32_t count; /* of later's */
};

/* How many waits of rank the earlier chapter has logged. */
static uint64_t logged_there(const struct joining *joining, uint32_t rank)
{
    const struct mwa_delay *earlier = joining->earlier;

    return earlier->logged[rank] - earlier->chapters[earlier->chapter_count - 1].before[rank];
}

/* Adds to spent what is to be taken off sums of the later chapter for them to be those from the
 * beginning of the earlier one on, waits not among them. */
static void take_over(const struct joining *joining, uint32_t rank, uint64_t *spent)
{
    const uint64_t *waits = mwa_delay_waits_of(joining->earlier, rank);
    struct mwa_origin origin;
    const uint64_t *total;
    uint64_t count, at;

    if (!mwa_activities_origin(joining->later->activities, rank, &origin)) {
        return; /* it makes no call in the later one */
    }
    total = mwa_activities_total(joining->earlier->activities, rank, &count, &at);
    for (uint32_t i = 0; i < joining->earlier_count; i++) {
        spent[joining->numbers[i]] -= (i < count ? total[i] : 0) - waits[i];
    }
    for (uint32_t i = 0; i < origin.count && i < joining->count; i++) {
        spent[i] += origin.ticks[i];
    }
    spent[origin.activity] -= origin.at - at;
}

/* A function for mwa_meetings_inherit; standing null: the beginning of the run. */
static struct mwa_standing *carry(void *user, uint32_t rank, const struct mwa_standing *standing)
{
    const struct joining *joining = user;
    const struct mwa_delay *earlier = joining->earlier;
    struct mwa_standing *made =
        calloc(1, sizeof *made + joining->count * sizeof *made->spent);
    const struct mwa_mark seen = {
        .time = standing ? standing->mark->time : UINT64_MAX,
        .leave = standing ? standing->mark->leave : 0,
        .activity = standing ? joining->numbers[standing->mark->activity] : 0
    };
    struct mwa_mark *mark = mwa_activities_make_mark(joining->later->activities, &seen, NULL, 0);

    if (!made || !mark) {
        mwa_mark_drop(mark);
        free(made);
        return NULL;
    }
    made->mark = mark;
    made->count = joining->count;
    made->logged = (standing ? standing->logged : 0) - logged_there(joining, rank);
    made->waited = (standing ? standing->waited : 0) - earlier->waited[rank];
    for (uint32_t i = 0; standing && i < standing->count && i < joining->earlier_count; i++) {
        made->spent[joining->numbers[i]] += standing->spent[i];
    }
    take_over(joining, rank, made->spent);
    return made;
}

/* What rank had done, by the later chapter's sums, when it met the other one in the earlier one, or
 * when the run began. Null: no memory. */
static struct mwa_standing *stand_there(struct joining *joining, uint32_t rank,
                                        const struct mwa_standing *standing)
{
    const struct mwa_delay *earlier = joining->earlier;

    return carry(joining, rank,
                 standing || !earlier->origins ? standing : earlier->origins[rank]);
}

/* Makes the record of a wait that was put off: how many words, and they. */
static enum mw_status make_record(struct joining *joining, const struct mwa_delay_early *early,
                                  uint64_t **record)
{
    uint64_t words[MWA_RECORD_WORDS];
    uint64_t waits[MWA_ACTIVITIES] = { 0 }, causes[MWA_ACTIVITIES] = { 0 };
    struct mwa_delay_interval interval = { .waiter = early->waiter,
                                           .cause = early->cause,
                                           .waits = waits,
                                           .causes = causes,
                                           .waited = early->waited,
                                           .count = joining->count };
    struct mwa_standing *one, *other;
    uint64_t count;

    memcpy(waits, early->waits, early->count * sizeof *waits);
    memcpy(causes, early->waits + early->count, early->count * sizeof *causes);
    mwa_meetings_last(joining->earlier->meetings, early->wait.rank, early->wait.cause,
                      &interval.met);
    one = stand_there(joining, early->wait.rank, interval.met.one);
    other = stand_there(joining, early->wait.cause, interval.met.other);
    if (one && other) {
        interval.met.one = one;
        interval.met.other = other;
        mwa_delay_fill_head(joining->later, &early->wait, words);
        count = mwa_delay_weigh(&interval, words);
        *record = malloc((count + 1) * sizeof **record);
        if (*record) {
            **record = count;
            memcpy(*record + 1, words, count * sizeof *words);
        }
    }
    mwa_standing_destroy(one);
    mwa_standing_destroy(other);
    return *record ? MW_OK : MW_ERROR_MEMORY;
}

static enum mw_status make_records(struct joining *joining)
{
    struct mwa_delay *later = joining->later;
    struct mwa_delay_chapter *chapter = &later->chapters[0];
    enum mw_status status = MW_OK;

    chapter->early = calloc(later->early_count + 1, sizeof(uint64_t *));
    if (!chapter->early) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < later->early_count && status == MW_OK; i++) {
        status = make_record(joining, later->early[i], &chapter->early[i]);
        chapter->early_count += status == MW_OK;
    }
    return status;
}

/* Where the run began, for ranks that have not met since. */
static enum mw_status make_origins(struct joining *joining)
{
    const uint64_t ranks = joining->later->trace->rank_count;
    enum mw_status status = MW_OK;

    joining->later->origins = calloc(ranks + 1, sizeof(struct mwa_standing *));
    if (!joining->later->origins) {
        return MW_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < ranks && status == MW_OK; i++) {
        joining->later->origins[i] = stand_there(joining, i, NULL);
        status = joining->later->origins[i] ? MW_OK : MW_ERROR_MEMORY;
    }
    return status;
}

/* Ranks that make no call in the later chapter are where they were. */
static enum mw_status leave_where_they_are(struct joining *joining)
{
    struct mwa_delay *later = joining->later;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < later->trace->rank_count && status == MW_OK; i++) {
        const uint64_t *waits = mwa_delay_waits_of(joining->earlier, i);
        struct mwa_origin origin;

        if (mwa_activities_origin(later->activities, i, &origin)) {
            continue;
        }
        later->waits[i] = later->waits[i] ? later->waits[i]
                                          : calloc(MWA_ACTIVITIES, sizeof *later->waits[i]);
        status = later->waits[i]
                     ? mwa_activities_stay(later->activities, joining->earlier->activities, i,
                                           joining->numbers)
                     : MW_ERROR_MEMORY;
        for (uint32_t k = 0; k < joining->earlier_count && status == MW_OK; k++) {
            later->waits[i][joining->numbers[k]] += waits[k];
        }
    }
    return status;
}

/* Gives earlier's activities later's numbers, in its records, too. */
static void renumber(struct joining *joining, struct mwa_delay *earlier)
{
    joining->earlier_count = mwa_activity_count(earlier->activities);
    for (uint32_t i = 0; i < joining->earlier_count; i++) {
        joining->numbers[i] = (uint8_t)mwa_activity_adopt(joining->later->activities,
                                                          earlier->activities, i);
    }
    joining->count = mwa_activity_count(joining->later->activities);
    for (uint64_t i = 0; i < earlier->chapter_count; i++) {
        uint8_t *numbers = earlier->chapters[i].numbers;

        for (uint32_t k = 0; k < MWA_ACTIVITIES; k++) {
            numbers[k] = numbers[k] < joining->earlier_count ? joining->numbers[numbers[k]] : 0;
        }
    }
}

enum mw_status mwa_delay_join_at_lull(struct mwa_delay *delay, struct mwa_delay *later)
{
    struct joining joining = { .earlier = delay, .later = later };
    enum mw_status status = mwa_activities_finish(delay->activities);

    renumber(&joining, delay);
    if (status == MW_OK) {
        status = make_records(&joining);
    }
    forget_early(later); /* its marks are of activities that become delay's */
    if (status == MW_OK) {
        status = make_origins(&joining);
    }
    if (status == MW_OK) {
        status = mwa_meetings_inherit(later->meetings, delay->meetings, carry, &joining);
    }
    return status == MW_OK ? leave_where_they_are(&joining) : status;
}
