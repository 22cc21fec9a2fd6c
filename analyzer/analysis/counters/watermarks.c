/*
 * A sample's value counts for as long as it is known to have held, and not until the next sample: a
 * window between two of them may have nothing of either.
 */
#include "analyzer/analysis/counters/watermarks.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/counters/between.h"
#include "analyzer/analysis/counters/counters.h"
#include "analyzer/analysis/counters/mark_pairs.h"
#include "formats/base/order.h"

static const char sampled[] = "sampled: it may have gone further between two samples";
static const char looked_at[] = "Open MPI looks at the value only when the mark is read";
static const char across_edge[] = "the greatest value was read across the window's edge";
static const char older[] = "the library's mark was set before the window";

/* What is looked at. */
struct window {
    const struct mwa_trace *trace;
    const struct mwa_tracks *tracks;
    uint64_t from;
    uint64_t to;
    bool is_open_mpi;
};

/* The class of a track's values. */
static enum mw_variable_class class_of(const struct mwa_counters *counters,
                                        const struct mwa_track *track)
{
    for (uint64_t i = 0; i < counters->count; i++) {
        if (counters->rows[i].track == track) {
            return counters->rows[i].effective;
        }
    }
    return MW_CLASS_LEVEL;
}

/* --- one track -------------------------------------------------------------------------- */

static void set_mark(struct mwa_mark *mark, const struct mwa_sample *sample, uint64_t from)
{
    mark->value = sample->value;
    mark->time = sample->time > from ? sample->time : from;
    mark->call = sample->time >= from ? sample->call : MWA_NONE;
}

/* Takes a sample's value, or one that was read at a time near it, for what it is. */
static void take_extreme(const struct window *window, struct mwa_watermark_row *row,
                         const struct mwa_sample *sample, bool *any)
{
    if (!*any || sample->value > row->high.value) {
        set_mark(&row->high, sample, window->from);
    }
    if (!*any || sample->value < row->low.value) {
        set_mark(&row->low, sample, window->from);
    }
    *any = true;
}

/*
 * What the values between a sample and the next one, which have none of their own, add: they are
 * of the window if all of that time is.
 */
static void take_between(const struct window *window, struct mwa_watermark_row *row,
                         const struct mwa_sample *sample, bool *any)
{
    const struct mwa_track *track = row->track;
    const struct mwa_between between =
        mwa_track_between(track, (uint64_t)(sample - track->samples), false);
    struct mwa_sample extreme = sample[1];

    if (sample[1].course == 0 || !between.is_read || sample->time < window->from ||
        sample[1].time > window->to) {
        return;
    }
    extreme.value = between.low;
    take_extreme(window, row, &extreme, any);
    extreme.value = between.high;
    take_extreme(window, row, &extreme, any);
}

/* Whether the value of a sample before the window was still there at its beginning. */
static bool is_held_into(const struct window *window, const struct mwa_track *track,
                         const struct mwa_sample *sample)
{
    const uint64_t index = (uint64_t)(sample - track->samples);

    if (sample->time >= window->from || index + 1 == track->count) {
        return true;
    }
    const struct mwa_between between = mwa_track_between(track, index, false);

    return !between.is_known || between.since >= window->from ||
           sample[1].value == sample->value;
}

/* Extremes of the value held at the window's beginning and of the samples in it. */
static bool find_extremes(const struct window *window, const struct mwa_track *track,
                          struct mwa_watermark_row *row)
{
    const struct mwa_sample *held = mwa_track_at(track, window->from);
    const struct mwa_sample *end = track->samples + track->count;
    const struct mwa_sample *sample = held ? held : track->samples;
    bool any = false;

    for (; sample < end && sample->time <= window->to; sample++) {
        if (is_held_into(window, track, sample)) {
            take_extreme(window, row, sample, &any);
        }
        if (sample + 1 < end) {
            take_between(window, row, sample, &any);
        }
    }
    if (!any && held) {
        /* It was no longer as it was, and not yet as it became: somewhere in between. */
        const struct mwa_between between =
            mwa_track_between(track, (uint64_t)(held - track->samples), false);
        struct mwa_sample bound = *held;

        bound.value = between.low;
        set_mark(&row->high, &bound, window->from);
        bound.value = between.high;
        set_mark(&row->low, &bound, window->from);
        any = true;
    }
    return any;
}

void mwa_mark_make_exact(struct mwa_mark *mark)
{
    mark->exact = mark->has_lower = mark->has_upper = true;
    mark->lower = mark->upper = mark->value;
    mark->why = "";
}

void mwa_mark_make_bound(struct mwa_mark *mark, bool is_high, const char *why)
{
    mark->exact = false;
    mark->has_lower = is_high;
    mark->has_upper = !is_high;
    mark->lower = mark->upper = mark->value;
    mark->why = why;
}

/* A mark of the library's: what its change in the window says. */
static void judge_watermark(const struct window *window, const struct mwa_track *track,
                            struct mwa_mark *mark, bool is_high)
{
    const struct mwa_sample *before =
        window->from > 0 ? mwa_track_at(track, window->from - 1) : NULL;
    const struct mwa_sample *after = mwa_track_at(track, window->to);
    enum mw_variable_class declared = window->trace->metrics.list[track->metric].declared;

    if (window->is_open_mpi &&
        (declared == MW_CLASS_HIGHWATERMARK || declared == MW_CLASS_LOWWATERMARK)) {
        mwa_mark_make_bound(mark, is_high, looked_at);
    } else if (after && (!before || before->value != after->value)) {
        mwa_mark_make_exact(mark);
    } else {
        mwa_mark_make_bound(mark, !is_high, older);
    }
}

/*
 * A high mark that reading sets back: each sample is of the time since the one before. What
 * lies across the window's edges may belong to it or not.
 */
static void judge_drained(const struct window *window, const struct mwa_track *track,
                          struct mwa_mark *mark)
{
    const struct mwa_sample *end = track->samples + track->count;
    const struct mwa_sample *held = window->from > 0 ? mwa_track_at(track, window->from) : NULL;
    const struct mwa_sample *sample = held ? held + 1 : track->samples;
    double outside = 0;

    mark->value = 0;
    mark->call = MWA_NONE;
    mark->time = window->from;
    if (held && sample < end) {
        outside = sample->value;
        sample++;
    }
    for (; sample < end && sample->time <= window->to; sample++) {
        if (sample->value > mark->value) {
            set_mark(mark, sample, window->from);
        }
    }
    if (sample < end && sample->value > outside) {
        outside = sample->value;
    }
    mwa_mark_make_exact(mark);
    if (outside > mark->value) {
        mark->exact = false;
        mark->upper = outside;
        mark->why = across_edge;
    }
}

/* Values that can't be below 0. */
static bool is_unsigned(const struct mwa_trace *trace, const struct mwa_track *track)
{
    const struct mwa_metrics *metrics = &trace->metrics;

    return metrics->members[metrics->list[track->metric].members[track->value]].type ==
           MW_METRIC_UINT64;
}

static bool fill(const struct window *window, const struct mwa_track *track,
                 enum mw_variable_class class, struct mwa_watermark_row *row)
{
    *row = (struct mwa_watermark_row){ .track = track, .class = class };
    if (!find_extremes(window, track, row)) {
        return false;
    }
    mwa_mark_make_bound(&row->high, true, sampled);
    mwa_mark_make_bound(&row->low, false, sampled);
    if (row->low.value == 0 && is_unsigned(window->trace, track)) {
        mwa_mark_make_exact(&row->low);
    }
    if (class == MW_CLASS_HIGHWATERMARK && window->trace->metrics.list[track->metric].read_resets) {
        judge_drained(window, track, &row->high);
    } else if (class == MW_CLASS_HIGHWATERMARK) {
        judge_watermark(window, track, &row->high, true);
    } else if (class == MW_CLASS_LOWWATERMARK) {
        judge_watermark(window, track, &row->low, false);
    }
    return true;
}

/* --- all ranks ------------------------------------------------------------------------------ */

struct step {
    uint64_t time;
    double change;
};

static int by_time(const void *one, const void *other)
{
    const struct step *a = one;
    const struct step *b = other;

    return mw_order(a->time, b->time) ?: mw_order(a->change, b->change);
}

static bool is_alike(const struct mwa_track *one, const struct mwa_track *other)
{
    return one->metric == other->metric && one->value == other->value &&
           one->comm == other->comm && one->object == other->object;
}

/* The steps of a track in the window, from 0 on; returns how many. */
static uint64_t list_steps(const struct window *window, const struct mwa_track *track,
                           struct step *steps)
{
    const struct mwa_sample *end = track->samples + track->count;
    const struct mwa_sample *sample = mwa_track_at(track, window->from);
    uint64_t count = 0;
    double value = 0;

    sample = sample ? sample : track->samples;
    for (; sample < end && sample->time <= window->to; sample++) {
        steps[count++] = (struct step){ sample->time > window->from ? sample->time : window->from,
                                        sample->value - value };
        value = sample->value;
    }
    return count;
}

/* The peak of the sum of rows first … first + count - 1, which are alike but for the rank. */
static enum mw_status add_up(const struct window *window, const struct mwa_watermark_row *rows,
                             uint64_t count, struct mwa_watermark_sum *sum)
{
    uint64_t total = 0;
    uint64_t used = 0;
    struct step *steps;
    double value = 0;

    for (uint64_t i = 0; i < count; i++) {
        total += rows[i].track->count;
        sum->sum_of_peaks += rows[i].high.value;
    }
    steps = malloc((total + 1) * sizeof *steps);
    if (!steps) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        used += list_steps(window, rows[i].track, steps + used);
    }
    qsort(steps, used, sizeof *steps, by_time);
    for (uint64_t i = 0; i < used; i++) {
        value += steps[i].change;
        if (i + 1 < used && steps[i + 1].time == steps[i].time) {
            continue; /* what happens at one time is seen together */
        }
        if (value > sum->peak_of_sum || sum->peak_time == 0) {
            sum->peak_of_sum = value;
            sum->peak_time = steps[i].time;
        }
    }
    free(steps);
    return MW_OK;
}

/* Whether each of the rows, which are in the order of their ranks, is of another rank. */
static bool are_of_ranks(const struct mwa_watermark_row *rows, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        if (rows[i].track->rank == rows[i - 1].track->rank) {
            return false;
        }
    }
    return true;
}

/*
 * Other tools read a variable in each thread. Whether that is a part of the rank's, or the rank's
 * each time, nobody tells: there is no sum then.
 */
static enum mw_status sum_all(const struct window *window, struct mwa_watermarks *watermarks)
{
    uint64_t first = 0;

    while (first < watermarks->count) {
        const struct mwa_watermark_row *rows = &watermarks->rows[first];
        uint64_t count = 1;

        while (first + count < watermarks->count &&
               is_alike(rows[0].track, rows[count].track)) {
            count++;
        }
        if (count > 1 && are_of_ranks(rows, count)) {
            struct mwa_watermark_sum *sum = &watermarks->sums[watermarks->sum_count++];

            *sum = (struct mwa_watermark_sum){ .track = rows[0].track, .ranks = (uint32_t)count };
            if (add_up(window, rows, count, sum) != MW_OK) {
                return MW_ERROR_MEMORY;
            }
        }
        first += count;
    }
    return MW_OK;
}

/* argmax and the like are no levels to be summed or bounded. */
static bool is_place(const struct mwa_trace *trace, const struct mwa_track *track)
{
    return mwa_metric_is_place(&trace->metrics.list[track->metric], track->value);
}

enum mw_status mwa_watermarks_make(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                                   const struct mwa_counters *counters, uint64_t from, uint64_t to,
                                   struct mwa_watermarks *watermarks)
{
    const struct window window = { .trace = trace,
                                   .tracks = tracks,
                                   .from = from,
                                   .to = to,
                                   .is_open_mpi =
                                       trace->mpi_library &&
                                       strstr(trace->mpi_library, "Open MPI") != NULL };

    *watermarks = (struct mwa_watermarks){ 0 };
    watermarks->rows = calloc(tracks->count + 1, sizeof *watermarks->rows);
    watermarks->sums = calloc(tracks->count + 1, sizeof *watermarks->sums);
    if (!watermarks->rows || !watermarks->sums) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < tracks->count; i++) {
        const struct mwa_track *track = &tracks->list[i];
        enum mw_variable_class class = class_of(counters, track);

        if (track->count > 0 && !MW_CLASS_IS_SUM(class) && class != MW_CLASS_STATE &&
            class != MW_CLASS_EVENT &&
            !is_place(trace, track) &&
            fill(&window, track, class, &watermarks->rows[watermarks->count])) {
            watermarks->count++;
        }
    }
    if (mwa_mark_pairs_join(trace, watermarks->rows, watermarks->count, from, to) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    return sum_all(&window, watermarks);
}

void mwa_watermarks_fini(struct mwa_watermarks *watermarks)
{
    free(watermarks->rows);
    free(watermarks->sums);
    for (uint64_t i = 0; i < watermarks->level_count; i++) {
        mwa_course_fini(&watermarks->courses[i]);
    }
    free(watermarks->courses);
    free(watermarks->levels);
    *watermarks = (struct mwa_watermarks){ 0 };
}
