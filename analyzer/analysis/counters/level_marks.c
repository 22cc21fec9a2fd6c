/*
 * Of messages, all changes of one time count as one: in which order they were read
 * says nothing, and a peak between them never was. So a value stays pending until
 * the time moves on. Sums of ranks are kept along, since the peak of a sum is not
 * the sum of peaks.
 */
#include "analyzer/analysis/counters/level_marks.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/counters/level_needs.h"
#include "formats/base/order.h"

static const char lossy_rank[] = "the rank's record has losses or pauses";
static const char lossy[] = "messages are lost or were not recorded";
static const char cancelled[] = "sends were cancelled, when is not known";
static const char remote[] = "between hosts: as exact as their clocks agree";
static const char unreceived[] = "messages that nobody received are not counted";

static const char *const names[MWA_LEVEL_KINDS] = {
    [MWA_LEVEL_REQUESTS] = "outstanding requests",
    [MWA_LEVEL_SENDS] = "bytes of outstanding sends",
    [MWA_LEVEL_COMMS] = "communicators alive",
    [MWA_LEVEL_FLIGHT] = "bytes in flight",
    [MWA_LEVEL_UNEXPECTED] = "unexpected messages",
};

void mwa_level_marks_init(struct mwa_level_marks *marks, const struct mwa_trace *trace,
                          const struct mwa_level_options *options)
{
    *marks = (struct mwa_level_marks){ .trace = trace, .options = *options };
}

void mwa_level_marks_fini(struct mwa_level_marks *marks)
{
    for (uint64_t i = 0; i < marks->series_count; i++) {
        mwa_course_fini(&marks->series[i].course);
    }
    free(marks->series);
    free(marks->sums);
    mwa_map_fini(&marks->series_index);
    mwa_map_fini(&marks->sum_index);
}

/* --- finding ------------------------------------------------------------------------- */

static uint32_t sum_of(struct mwa_level_marks *marks, enum mwa_level_kind kind, uint32_t comm)
{
    uint64_t *place;

    if (!mwa_grow(&marks->sums, &marks->sum_capacity, marks->sum_count + 1,
                  sizeof *marks->sums) ||
        !(place = mwa_map_put(&marks->sum_index, (struct mwa_key){ kind, comm },
                              marks->sum_count))) {
        return MWA_NONE;
    }
    if (*place == marks->sum_count) {
        marks->sums[marks->sum_count++] = (struct mwa_level_sum){ .kind = kind, .comm = comm };
    }
    return (uint32_t)*place;
}

/* Of a communicator, or with MWA_NONE of the whole rank, whose number total is not known yet. */
static uint32_t find(struct mwa_level_marks *marks, enum mwa_level_kind kind, uint32_t rank,
                     uint32_t comm, uint32_t total)
{
    uint32_t sum = sum_of(marks, kind, comm);
    uint64_t *place;

    if (sum == MWA_NONE ||
        !mwa_grow(&marks->series, &marks->series_capacity, marks->series_count + 1,
                  sizeof *marks->series) ||
        !(place = mwa_map_put(&marks->series_index,
                              (struct mwa_key){ kind, (uint64_t)rank << 32 | comm },
                              marks->series_count))) {
        return MWA_NONE;
    }
    if (*place == marks->series_count) {
        marks->series[marks->series_count++] = (struct mwa_level_series){
            .kind = kind, .rank = rank, .comm = comm, .total = total, .sum = sum
        };
    }
    return (uint32_t)*place;
}

uint32_t mwa_level_marks_series(struct mwa_level_marks *marks, enum mwa_level_kind kind,
                                uint32_t rank, uint32_t comm)
{
    const struct mwa_key key = { kind, (uint64_t)rank << 32 | comm };
    uint64_t known = mwa_map_get(&marks->series_index, key);
    uint32_t total;

    if (known != MWA_MAP_ABSENT) {
        return (uint32_t)known;
    }
    total = find(marks, kind, rank, MWA_NONE, MWA_NONE);
    return comm == MWA_NONE || total == MWA_NONE ? total : find(marks, kind, rank, comm, total);
}

/* --- changes --------------------------------------------------------------------------- */

static void set_mark(struct mwa_mark *mark, double value, uint64_t from,
                     const struct mwa_level_change *change)
{
    mark->value = value;
    mark->time = change->time > from ? change->time : from;
    mark->call = change->time >= from ? change->call : MWA_NONE;
}

/* The series has this value since its change, and it is a mark, or may be. */
static enum mw_status set_marks(const struct mwa_level_marks *marks,
                                struct mwa_level_series *series,
                                const struct mwa_level_change *change)
{
    uint64_t from = marks->options.from;
    bool is_before = change->time <= from;

    if (is_before || !series->has_changes || series->value > series->high.value) {
        set_mark(&series->high, series->value, from, change);
    }
    if (is_before || !series->has_changes || series->value < series->low.value) {
        set_mark(&series->low, series->value, from, change);
    }
    series->is_held |= is_before;
    series->has_changes = true;
    return marks->options.keeps_courses
               ? mwa_course_add(&series->course, change->time, series->value)
               : MW_OK;
}

/* The series has this value since its change. */
static inline enum mw_status reach(const struct mwa_level_marks *marks,
                                   struct mwa_level_series *series,
                                   const struct mwa_level_change *change)
{
    const bool is_nothing_new = series->has_changes && series->value <= series->high.value &&
                                series->value >= series->low.value &&
                                change->time > marks->options.from &&
                                !marks->options.keeps_courses;

    return MW_LIKELY(is_nothing_new) ? MW_OK : set_marks(marks, series, change);
}

/* Of messages, what happens at one time is seen together. */
static bool is_of_messages(enum mwa_level_kind kind)
{
    return kind == MWA_LEVEL_FLIGHT || kind == MWA_LEVEL_UNEXPECTED;
}

static enum mw_status settle_series(const struct mwa_level_marks *marks,
                                    struct mwa_level_series *series)
{
    bool is_pending = series->is_pending;

    series->is_pending = false;
    return is_pending ? reach(marks, series, &series->pending) : MW_OK;
}

static void settle_sum(struct mwa_level_sum *sum)
{
    if (sum->is_pending && (sum->value > sum->peak || sum->peak_time == 0)) {
        sum->peak = sum->value;
        sum->peak_time = sum->time;
    }
    sum->is_pending = false;
}

static enum mw_status take_for_series(const struct mwa_level_marks *marks,
                                      struct mwa_level_series *series,
                                      const struct mwa_level_change *change)
{
    if (series->is_pending && series->pending.time != change->time &&
        settle_series(marks, series) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    series->value += change->by;
    if (!is_of_messages(series->kind)) {
        return reach(marks, series, change);
    }
    if (!series->has_first || series->first.time == change->time) {
        series->first = *change;
        series->has_first = true;
    }
    series->pending = *change;
    series->is_pending = true;
    return MW_OK;
}

/* From time on, which is not before the one of the change before, there is one more. */
static void go_to(struct mwa_level_sum *sum, uint64_t time)
{
    settle_sum(sum);
    if (!sum->has_first) {
        sum->first_time = time;
        sum->has_first = true;
    }
    sum->time = time;
    sum->is_pending = true;
}

enum mw_status mwa_level_marks_take(struct mwa_level_marks *marks,
                                    const struct mwa_level_change *change)
{
    const uint64_t from = marks->options.from;
    const uint64_t time = change->time > from ? change->time : from;
    struct mwa_level_series *series;
    struct mwa_level_sum *sum;

    if (change->time > marks->options.to) {
        return MW_OK;
    }
    for (uint32_t at = change->series; at != MWA_NONE; at = series->total) {
        series = &marks->series[at];
        if (take_for_series(marks, series, change) != MW_OK) {
            return MW_ERROR_MEMORY;
        }
        sum = &marks->sums[series->sum];
        if (!sum->is_pending || sum->time != time) {
            go_to(sum, time);
        }
        sum->value += change->by;
    }
    return marks->options.visit
               ? marks->options.visit(marks->options.user, &marks->series[change->series], change)
               : MW_OK;
}

/* --- later ones --------------------------------------------------------------------------- */

/* Whether one comes behind other, which is of the same time but was taken in before a seam. */
static bool is_behind(const struct mwa_level_change *one, const struct mwa_level_change *other)
{
    return one->order >> MWA_MESSAGE_RANK_BITS >= other->order >> MWA_MESSAGE_RANK_BITS;
}

/* mark, or what later has found from a level on that it took for 0. */
static void join_mark(struct mwa_mark *mark, const struct mwa_mark *later, double from,
                      bool is_beyond)
{
    if (is_beyond) {
        *mark = *later;
        mark->value += from;
    }
}

/* What both have at one time is one change, called as the last of it. */
static struct mwa_level_change meet(const struct mwa_level_change *before,
                                    const struct mwa_level_change *later)
{
    return is_behind(later, before) ? *later : *before;
}

static enum mw_status join_series(const struct mwa_level_marks *marks,
                                  struct mwa_level_series *series,
                                  const struct mwa_level_series *later)
{
    const double from = series->value;
    const bool meets = series->is_pending && later->has_first &&
                       series->pending.time == later->first.time;
    const struct mwa_level_change met = meets ? meet(&series->pending, &later->first)
                                              : later->first;
    struct mwa_mark high = later->high, low = later->low;

    if (!meets && (later->has_changes || later->is_pending) &&
        settle_series(marks, series) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    if (meets && met.time >= marks->options.from) {
        high.call = high.time == met.time ? met.call : high.call;
        low.call = low.time == met.time ? met.call : low.call;
    }
    if (later->has_changes) {
        const bool is_new = later->is_held || !series->has_changes;

        join_mark(&series->high, &high, from, is_new || from + high.value > series->high.value);
        join_mark(&series->low, &low, from, is_new || from + low.value < series->low.value);
        series->has_changes = true;
        series->is_held |= later->is_held;
    }
    if (mwa_course_append(&series->course, &later->course, from) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    if (later->is_pending) {
        series->pending = meets && later->pending.time == met.time ? met : later->pending;
        series->is_pending = true;
    }
    series->value += later->value;
    series->is_remote |= later->is_remote;
    return MW_OK;
}

static void join_sum(struct mwa_level_sum *sum, const struct mwa_level_sum *later)
{
    if (!later->has_first) {
        return;
    }
    if (sum->is_pending && sum->time != later->first_time) {
        settle_sum(sum);
    }
    if (later->peak_time > 0 &&
        (sum->peak_time == 0 || sum->value + later->peak > sum->peak)) {
        sum->peak = sum->value + later->peak;
        sum->peak_time = later->peak_time;
    }
    sum->value += later->value;
    sum->time = later->time;
    sum->is_pending = later->is_pending;
}

enum mw_status mwa_level_marks_go_on(struct mwa_level_marks *marks,
                                     const struct mwa_level_marks *later)
{
    for (uint64_t i = 0; i < later->series_count; i++) {
        const struct mwa_level_series *from = &later->series[i];
        const uint32_t to = mwa_level_marks_series(marks, from->kind, from->rank, from->comm);

        if (to == MWA_NONE || join_series(marks, &marks->series[to], from) != MW_OK) {
            return MW_ERROR_MEMORY;
        }
    }
    for (uint64_t i = 0; i < later->sum_count; i++) {
        const uint32_t to = sum_of(marks, later->sums[i].kind, later->sums[i].comm);

        if (to == MWA_NONE) {
            return MW_ERROR_MEMORY;
        }
        join_sum(&marks->sums[to], &later->sums[i]);
    }
    return MW_OK;
}

/* --- what may be wrong -------------------------------------------------------------------- */

static bool has_losses(const struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        if (mwa_rank_has_gaps(&trace->ranks[i])) {
            return true;
        }
    }
    return trace->incomplete;
}

/* Why a series of messages may be wrong, beside its own rank's losses; null: it is exact. */
static const char *doubt_of(const struct mwa_trace *trace,
                            const struct mwa_matching_result *matching,
                            const struct mwa_level_series *series)
{
    bool is_unmatched = matching->unmatched_sends > 0 || matching->unmatched_receives > 0;

    if (!is_of_messages(series->kind)) {
        return NULL;
    }
    if (is_unmatched && has_losses(trace)) {
        return lossy;
    }
    for (uint64_t i = 0; i < matching->cancelled_send_count; i++) {
        const struct mwa_cancelled_send *send = &matching->cancelled_sends[i];

        if (series->kind == MWA_LEVEL_FLIGHT && send->from == series->rank &&
            (series->comm == MWA_NONE || send->comm == series->comm)) {
            return cancelled;
        }
    }
    if (series->kind == MWA_LEVEL_UNEXPECTED && matching->unmatched_sends > 0) {
        return unreceived;
    }
    return series->is_remote ? remote : NULL;
}

static void judge(const struct mwa_level_marks *marks, const struct mwa_matching_result *matching,
                  const struct mwa_level_series *series, struct mwa_watermark_row *row)
{
    const char *doubt = doubt_of(marks->trace, matching, series);
    const char *more = mwa_level_is_more(series->kind, mwa_trace_left_out(marks->trace));

    if (!doubt && mwa_rank_has_gaps(&marks->trace->ranks[series->rank])) {
        doubt = lossy_rank;
    }
    if (doubt) {
        mwa_mark_make_bound(&row->high, true, doubt);
        mwa_mark_make_bound(&row->low, false, doubt);
    } else if (more) {
        mwa_mark_make_bound(&row->high, true, more);
        mwa_mark_make_bound(&row->low, true, more);
    } else {
        mwa_mark_make_exact(&row->high);
        mwa_mark_make_exact(&row->low);
    }
}

/* --- rows -------------------------------------------------------------------------------- */

static int by_place(const void *one, const void *other)
{
    const struct mwa_level_series *a = *(const struct mwa_level_series *const *)one;
    const struct mwa_level_series *b = *(const struct mwa_level_series *const *)other;
    uint32_t shift = is_of_messages(a->kind); /* the whole rank first, else last */

    return mw_order(a->kind, b->kind) ?: mw_order(a->comm + shift, b->comm + shift) ?:
           mw_order(a->rank, b->rank);
}

static void fill_row(const struct mwa_level_marks *marks,
                     const struct mwa_matching_result *matching,
                     const struct mwa_level_series *series, struct mwa_track *track,
                     struct mwa_watermark_row *row)
{
    *track = (struct mwa_track){ .name = names[series->kind],
                                 .metric = MWA_NONE,
                                 .rank = series->rank,
                                 .comm = series->comm,
                                 .object = MWA_NONE,
                                 .location = MWA_NONE };
    *row = (struct mwa_watermark_row){
        .track = track, .class = MW_CLASS_LEVEL, .high = series->high, .low = series->low
    };
    if (!series->is_held && row->low.value > 0) { /* it is 0 until the first change */
        const uint64_t begin = marks->trace->clock_offset;

        row->low.value = 0;
        row->low.time = marks->options.from > begin ? marks->options.from : begin;
        row->low.call = MWA_NONE;
    }
    judge(marks, matching, series, row);
}

/* Notes the levels that are not known. \return the kinds, as bits. */
static uint32_t find_unknown(const struct mwa_level_marks *marks, struct mwa_watermarks *watermarks)
{
    const uint32_t left_out = mwa_trace_left_out(marks->trace);
    uint32_t kinds = 0;

    _Static_assert(MWA_LEVEL_KINDS <= MWA_LEVELS_UNKNOWN, "all of them may be");
    watermarks->unknown_count = 0;
    for (unsigned kind = 0; kind < MWA_LEVEL_KINDS; kind++) {
        const char *why = mwa_level_is_unknown((enum mwa_level_kind)kind, left_out);

        if (why) {
            watermarks->unknown[watermarks->unknown_count++] =
                (struct mwa_level_unknown){ .name = names[kind], .why = why };
            kinds |= 1u << kind;
        }
    }
    return kinds;
}

/* The sum of the rows from first on that are alike but for the rank. */
static void append_sum(const struct mwa_level_marks *marks, const struct mwa_level_series *series,
                       uint64_t first, struct mwa_watermarks *watermarks)
{
    const struct mwa_level_sum *sum = &marks->sums[series->sum];
    struct mwa_watermark_sum *result = &watermarks->sums[watermarks->sum_count];
    uint64_t count = watermarks->count - first;

    if (count < 2) {
        return;
    }
    *result = (struct mwa_watermark_sum){ .track = watermarks->rows[first].track,
                                          .ranks = (uint32_t)count,
                                          .peak_of_sum = sum->peak,
                                          .peak_time = sum->peak_time };
    for (uint64_t i = first; i < watermarks->count; i++) {
        result->sum_of_peaks += watermarks->rows[i].high.value;
    }
    watermarks->sum_count++;
}

/* Makes room for more rows and sums, and for the tracks that they are of. */
static bool make_room(struct mwa_watermarks *watermarks, uint64_t more)
{
    uint64_t rows_wanted = watermarks->count + more + 1;
    uint64_t sums_wanted = watermarks->sum_count + more + 1;
    struct mwa_watermark_row *rows =
        realloc(watermarks->rows, rows_wanted * sizeof *watermarks->rows);
    struct mwa_watermark_sum *sums;

    if (!rows) {
        return false;
    }
    watermarks->rows = rows;
    sums = realloc(watermarks->sums, sums_wanted * sizeof *watermarks->sums);
    if (!sums) {
        return false;
    }
    watermarks->sums = sums;
    watermarks->levels = calloc(more + 1, sizeof *watermarks->levels);
    watermarks->courses = calloc(more + 1, sizeof *watermarks->courses);
    return watermarks->levels && watermarks->courses;
}

enum mw_status mwa_level_marks_append(struct mwa_level_marks *marks,
                                      const struct mwa_matching_result *matching,
                                      struct mwa_watermarks *watermarks)
{
    struct mwa_level_series **sorted = calloc(marks->series_count + 1, sizeof(void *));
    uint64_t first = watermarks->count;
    const uint32_t unknown = find_unknown(marks, watermarks);
    enum mw_status status = MW_OK;

    if (!sorted || !make_room(watermarks, marks->series_count)) {
        free(sorted);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < marks->sum_count; i++) {
        settle_sum(&marks->sums[i]);
    }
    for (uint64_t i = 0; i < marks->series_count && status == MW_OK; i++) {
        sorted[i] = &marks->series[i];
        status = settle_series(marks, sorted[i]);
    }
    if (status != MW_OK) {
        free(sorted);
        return status;
    }
    qsort(sorted, marks->series_count, sizeof(void *), by_place);
    for (uint64_t i = 0; i < marks->series_count; i++) {
        if (sorted[i]->has_changes && !(unknown & 1u << sorted[i]->kind)) {
            fill_row(marks, matching, sorted[i], &watermarks->levels[watermarks->level_count],
                     &watermarks->rows[watermarks->count++]);
            watermarks->courses[watermarks->level_count++] = sorted[i]->course;
            sorted[i]->course = (struct mwa_course){ 0 };
        }
        if (i + 1 == marks->series_count || sorted[i + 1]->sum != sorted[i]->sum) {
            append_sum(marks, sorted[i], first, watermarks);
            first = watermarks->count;
        }
    }
    free(sorted);
    return MW_OK;
}
