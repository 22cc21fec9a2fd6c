/*
 * Edges of what is asked for lie between steps. There a value is as uncertain as the whole time
 * between these two steps, but for the part of it in which it is known to have stayed.
 */
#include "analyzer/view/view_series.h"

#include <math.h>

#include "formats/base/order.h"

static void include(struct mwa_view_range *range, double low, double high, uint64_t flags)
{
    range->low = range->is_empty || low < range->low ? low : range->low;
    range->high = range->is_empty || high > range->high ? high : range->high;
    range->flags |= (uint32_t)flags;
    range->is_empty = false;
}

/* A step with the time before it. */
static void include_step(struct mwa_view_range *range, struct mwa_view_step step)
{
    include(range, step.value, step.value, step.flags);
    if (!(step.flags & MWA_VIEW_UNSEEN)) {
        include(range, step.low, step.high, 0);
    }
}

/* --- nodes ---------------------------------------------------------------------------------- */

/* Includes what is at places first to end - 1 of a level, which begins there. */
static void include_nodes(const struct mwa_view_series_list *list, uint64_t level, uint64_t first,
                          uint64_t end, struct mwa_view_range *range)
{
    for (; first < end; first++) {
        const struct mwa_view_node *node = mwa_view_array_at(&list->nodes, level + first);

        include(range, node->low, node->high, node->flags);
    }
}

enum mw_status mwa_view_series_close(struct mwa_view_series_list *list, uint64_t index,
                                     struct mw_diagnostic *diagnostic)
{
    struct mwa_view_series *series = mwa_view_series_at(list, index);
    uint64_t below = series->count, from = 0;
    enum mw_status status = MW_OK;

    series->nodes = list->nodes.count;
    for (bool is_step = true; below > 0 && (is_step || below > 1) && status == MW_OK;
         is_step = false) {
        const uint64_t count = (below + MWA_VIEW_FAN - 1) / MWA_VIEW_FAN;
        const uint64_t first = list->nodes.count;

        status = mwa_view_array_add(&list->nodes, count, diagnostic);
        for (uint64_t n = 0; n < below && status == MW_OK; n++) {
            struct mwa_view_node *node =
                mwa_view_array_at(&list->nodes, first + n / MWA_VIEW_FAN);
            struct mwa_view_range range = { node->low, node->high, 0, (uint32_t)node->flags,
                                            n % MWA_VIEW_FAN == 0 };

            if (is_step) {
                include_step(&range, mwa_view_step_at(list, series, n));
            } else {
                include_nodes(list, from, n, n + 1, &range);
            }
            *node = (struct mwa_view_node){ range.low, range.high, range.flags };
        }
        from = first;
        below = count;
    }
    return status;
}

static uint64_t round_up(uint64_t value)
{
    return (value + MWA_VIEW_FAN - 1) / MWA_VIEW_FAN * MWA_VIEW_FAN;
}

/* Includes steps first to end - 1, each with the time before it. */
static void include_steps(const struct mwa_view_series_list *list,
                          const struct mwa_view_series *series, uint64_t first, uint64_t end,
                          struct mwa_view_range *range)
{
    uint64_t level = series->nodes, count = series->count;
    uint64_t high = end / MWA_VIEW_FAN * MWA_VIEW_FAN;
    uint64_t low = round_up(first);

    for (uint64_t n = first; n < (low < high ? low : end); n++) {
        include_step(range, mwa_view_step_at(list, series, n));
    }
    for (uint64_t n = high; n < end && low < high; n++) {
        include_step(range, mwa_view_step_at(list, series, n));
    }
    while (low < high) {
        first = low / MWA_VIEW_FAN;
        end = high / MWA_VIEW_FAN;
        count = (count + MWA_VIEW_FAN - 1) / MWA_VIEW_FAN;
        low = round_up(first);
        high = end / MWA_VIEW_FAN * MWA_VIEW_FAN;
        if (low < high) {
            include_nodes(list, level, first, low, range);
            include_nodes(list, level, high, end, range);
        } else {
            include_nodes(list, level, first, end, range);
        }
        level += count;
    }
}

/* --- finding -------------------------------------------------------------------------------- */

uint64_t mwa_view_series_before(const struct mwa_view_series_list *list, uint32_t kind,
                                uint32_t group, uint32_t rank)
{
    uint64_t low = 0, high = list->list.count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const struct mwa_view_series *series = mwa_view_series_at(list, middle);

        if ((mw_order(series->kind, kind) ?: mw_order(series->group, group) ?:
             mw_order(series->rank, rank)) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint64_t mwa_view_steps_until(const struct mwa_view_series_list *list,
                              const struct mwa_view_series *series, uint64_t time)
{
    uint64_t low = 0, high = series->count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (mwa_view_time_at(list, series, middle) <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct mwa_view_step mwa_view_step_at(const struct mwa_view_series_list *list,
                                      const struct mwa_view_series *series, uint64_t n)
{
    const struct mwa_view_point *point;
    double before;

    if (series->kind == MWA_VIEW_VARIABLE) {
        return *(const struct mwa_view_step *)mwa_view_array_at(&list->steps, series->first + n);
    }
    point = mwa_view_point_at(list, series, n);
    before = n > 0 ? point[-1].value : 0;
    return (struct mwa_view_step){ .time = point->time,
                                   .since = point->time,
                                   .value = point->value,
                                   .low = before,
                                   .high = before,
                                   .flags = MWA_VIEW_KNOWN | MWA_VIEW_SHARP };
}

/* The time between step n - 1 and step n, as far as it lies between from and to. */
static void include_between(const struct mwa_view_series_list *list,
                            const struct mwa_view_series *series, uint64_t n, uint64_t from,
                            uint64_t to, struct mwa_view_range *range)
{
    const bool is_last = n == series->count;
    struct mwa_view_step before, next;

    if (n == 0) {
        return;
    }
    before = mwa_view_step_at(list, series, n - 1);
    next = is_last ? before : mwa_view_step_at(list, series, n);
    if (is_last && series->kind == MWA_VIEW_VARIABLE && from > before.time) {
        return;
    }
    if (is_last || from < next.since || from <= before.time) {
        include(range, before.value, before.value, is_last ? before.flags & MWA_VIEW_SHARP : 0);
    }
    if (!is_last && to > next.since && !(next.flags & MWA_VIEW_UNSEEN)) {
        include(range, next.low, next.high, next.flags);
    } else if (!is_last) {
        range->flags |= next.flags;
    }
}

struct mwa_view_range mwa_view_series_range(const struct mwa_view_series_list *list,
                                            const struct mwa_view_series *series, uint64_t from,
                                            uint64_t to)
{
    struct mwa_view_range range = { .last = NAN, .is_empty = true };
    const uint64_t first = mwa_view_steps_until(list, series, from);
    const uint64_t end = mwa_view_steps_until(list, series, to);

    include_between(list, series, first, from, to, &range);
    if (first < end) {
        const struct mwa_view_step step = mwa_view_step_at(list, series, first);

        include(&range, step.value, step.value, step.flags);
        include_steps(list, series, first + 1, end, &range);
        include_between(list, series, end, mwa_view_time_at(list, series, end - 1), to,
                        &range);
    }
    if (end > 0 && !range.is_empty) {
        range.last = mwa_view_step_at(list, series, end - 1).value;
    }
    return range;
}
