/*
 * How much is looked at for an answer depends on what is asked for, and not on how long the run
 * was: of many ranks there are fewer cells, of long lists the first ones and how many there are.
 */
#include "analyzer/view/view_lanes_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/comms/comm_label.h"
#include "analyzer/analysis/counters/tracks.h"
#include "analyzer/model/bins.h"
#include "analyzer/table/values.h"
#include "analyzer/view/view_answers.h"
#include "analyzer/view/view_question.h"
#include "analyzer/view/view_running.h"

struct asked {
    const struct mwa_view_store *store;
    const struct mwa_view_question *question;
    uint64_t from;
    uint64_t to;
    uint32_t cells;
};

/* Ticks since the first event, which may be behind all events. */
static json_t *since(const struct asked *asked, uint64_t time)
{
    return mwa_json_number(time > asked->store->from ? time - asked->store->from : 0);
}

/* --- values --------------------------------------------------------------------------------- */

static json_t *tell_steps(const struct asked *asked, const struct mwa_view_series *series,
                          uint64_t first, uint64_t end)
{
    const struct mwa_view_series_list *list = &asked->store->series;
    json_t *steps = json_array();

    for (uint64_t n = first; n < end; n++) {
        const struct mwa_view_step step = mwa_view_step_at(list, series, n);

        json_array_append_new(steps, json_pack("[o,o,o,o,o,i]", since(asked, step.time),
                                               mwa_json_ratio(step.value),
                                               mwa_json_ratio(step.low),
                                               mwa_json_ratio(step.high),
                                               since(asked, step.since), (int)step.flags));
    }
    return json_pack("{s:o}", "steps", steps);
}

/* What several series did at a time: of each, or of their sum. */
static void merge(struct mwa_view_range *all, const struct mwa_view_range *one, bool is_sum)
{
    if (one->is_empty) {
        return;
    }
    if (all->is_empty) {
        *all = *one;
    } else if (is_sum) {
        all->low += one->low;
        all->high += one->high;
        all->last += one->last;
    } else {
        all->low = one->low < all->low ? one->low : all->low;
        all->high = one->high > all->high ? one->high : all->high;
        all->last = one->last > all->last ? one->last : all->last;
    }
    all->flags |= one->flags;
}

static json_t *tell_cells(const struct asked *asked, uint64_t first, uint64_t end, bool is_sum)
{
    const struct mwa_view_series_list *list = &asked->store->series;
    const uint64_t most = MWA_VIEW_LOOKS_MOST / (end > first ? end - first : 1) + 1;
    const struct mwa_window window = { asked->from, asked->to,
                                       asked->cells < most ? asked->cells : (uint32_t)most };
    json_t *cells = json_array();

    for (uint32_t cell = 0; cell < window.bins; cell++) {
        struct mwa_view_range all = { .is_empty = true };

        for (uint64_t n = first; n < end; n++) {
            const struct mwa_view_range range = mwa_view_series_range(
                list, mwa_view_series_at(list, n), mwa_window_edge(&window, cell),
                mwa_window_edge(&window, cell + 1));

            merge(&all, &range, is_sum);
        }
        json_array_append_new(cells, all.is_empty
                                         ? json_null()
                                         : json_pack("[o,o,o,i]", mwa_json_ratio(all.low),
                                                     mwa_json_ratio(all.high),
                                                     mwa_json_ratio(all.last), (int)all.flags));
    }
    return json_pack("{s:o}", "cells", cells);
}

/* Series first to end - 1 together. */
static json_t *tell_values(const struct asked *asked, uint64_t first, uint64_t end, bool is_sum)
{
    const struct mwa_view_series_list *list = &asked->store->series;
    const struct mwa_view_series *series;
    uint64_t before, behind;

    if (end == first) {
        return json_pack("{s:[]}", "steps");
    }
    series = mwa_view_series_at(list, first);
    before = mwa_view_steps_until(list, series, asked->from);
    behind = mwa_view_steps_until(list, series, asked->to);
    if (end - first > 1 || behind - before > MWA_VIEW_STEPS_MOST) {
        return tell_cells(asked, first, end, is_sum);
    }
    return tell_steps(asked, series, before > 0 ? before - 1 : 0,
                      behind < series->count ? behind + 1 : behind);
}

/* The end of a group of series that begins at first. */
static uint64_t group_end(const struct mwa_view_series_list *list, uint32_t kind, uint32_t group)
{
    return mwa_view_series_before(list, kind, group + 1, 0);
}

static json_t *variable(const struct asked *asked)
{
    const struct mwa_view_series_list *list = &asked->store->series;
    const uint64_t group = mwa_view_number(asked->question, "variable", 0, UINT64_MAX);
    const uint64_t rank = mwa_view_number(asked->question, "rank", MWA_NONE, UINT64_MAX);
    const bool is_sum = mwa_view_number(asked->question, "sum", 0, UINT64_MAX) != 0;

    if (group >= MWA_NONE - 1) {
        return NULL;
    }
    if (rank >= MWA_NONE) {
        return tell_values(asked, mwa_view_series_before(list, MWA_VIEW_VARIABLE, (uint32_t)group,
                                                         0),
                           group_end(list, MWA_VIEW_VARIABLE, (uint32_t)group), is_sum);
    }
    return tell_values(asked,
                       mwa_view_series_before(list, MWA_VIEW_VARIABLE, (uint32_t)group,
                                              (uint32_t)rank),
                       mwa_view_series_before(list, MWA_VIEW_VARIABLE, (uint32_t)group,
                                              (uint32_t)rank + 1),
                       is_sum);
}

static json_t *flight(const struct asked *asked)
{
    const struct mwa_view_series_list *list = &asked->store->series;
    const uint64_t comm = mwa_view_number(asked->question, "comm", MWA_NONE, UINT64_MAX);
    const uint32_t group = comm < MWA_NONE - 2 ? (uint32_t)comm + 1 : 0;

    return tell_values(asked, mwa_view_series_before(list, MWA_VIEW_FLIGHT, group, 0),
                       group_end(list, MWA_VIEW_FLIGHT, group), false);
}

static json_t *alive(const struct asked *asked)
{
    const struct mwa_view_series_list *list = &asked->store->series;

    return tell_values(asked, mwa_view_series_before(list, MWA_VIEW_ALIVE, 0, 0),
                       group_end(list, MWA_VIEW_ALIVE, 0), false);
}

/* --- lists ---------------------------------------------------------------------------------- */

static json_t *comm_name(const struct mwa_trace *trace, uint32_t comm)
{
    char text[MWA_COMM_LABEL_BYTES];

    return mwa_json_text(comm == MWA_NONE ? NULL : mwa_comm_label(trace, comm, text));
}

static json_t *about(const struct mwa_trace *trace, const struct mwa_view_series *series,
                     uint64_t ranks)
{
    const struct mwa_metrics *metrics = &trace->metrics;
    const struct mwa_metric *metric = &metrics->list[series->metric];
    const struct mwa_metric_member *member = &metrics->members[metric->members[series->value]];
    const struct mwa_track track = { .metric = series->metric, .comm = series->comm,
                                     .object = series->object, .location = series->location };

    return json_pack("{s:i,s:o,s:s,s:o,s:o,s:o,s:i}", "variable", (int)series->group, "name",
                     mwa_json_text(member->name), "class",
                     mw_class_name((enum mw_variable_class)series->class), "unit",
                     mwa_json_text(member->unit), "of",
                     mwa_json_text(mwa_track_bound(trace, &track)), "comm",
                     comm_name(trace, series->comm), "ranks", (int)ranks);
}

/* Of how many ranks series first to end - 1 are; of other tools' threads each has its own. */
static uint64_t count_ranks(const struct mwa_view_series_list *list, uint64_t first, uint64_t end)
{
    uint64_t count = 0;

    for (uint64_t n = first; n < end; n++) {
        count += n == first ||
                 mwa_view_series_at(list, n)->rank != mwa_view_series_at(list, n - 1)->rank;
    }
    return count;
}

static json_t *variables(const struct asked *asked)
{
    const struct mwa_view_series_list *list = &asked->store->series;
    const uint64_t end = mwa_view_series_before(list, MWA_VIEW_ALIVE, 0, 0);
    json_t *told = json_array();
    uint64_t at = 0;

    while (at < end && json_array_size(told) < MWA_VIEW_LISTED_MOST) {
        const struct mwa_view_series *series = mwa_view_series_at(list, at);
        const uint64_t next = group_end(list, MWA_VIEW_VARIABLE, series->group);

        json_array_append_new(told, about(asked->store->trace, series,
                                          count_ranks(list, at, next)));
        at = next;
    }
    return json_pack("{s:o,s:i}", "list", told, "count",
                     end > 0 ? (int)mwa_view_series_at(list, end - 1)->group + 1 : 0);
}

static json_t *flights(const struct asked *asked)
{
    const struct mwa_view_series_list *list = &asked->store->series;
    const uint64_t first = mwa_view_series_before(list, MWA_VIEW_FLIGHT, 1, 0);
    json_t *told = json_array();

    for (uint64_t n = first; n < list->list.count && n - first < MWA_VIEW_LISTED_MOST; n++) {
        const uint32_t comm = mwa_view_series_at(list, n)->comm;

        json_array_append_new(told, json_pack("{s:i,s:o}", "comm", (int)comm, "name",
                                              comm_name(asked->store->trace, comm)));
    }
    return json_pack("{s:o,s:o}", "list", told, "count",
                     mwa_json_number(list->list.count - first));
}

static json_t *tell_life(const struct mwa_trace *trace, const struct mwa_view_life *life)
{
    const struct mwa_comm *comm = &trace->comms[life->comm];
    const struct mwa_group *group = comm->group != MWA_NONE ? &trace->groups[comm->group] : NULL;

    return json_pack("{s:i,s:o,s:o,s:o,s:o,s:o}", "comm", (int)life->comm, "name",
                     comm_name(trace, life->comm), "created_ns",
                     life->has_created ? json_integer(life->created) : json_null(), "freed_ns",
                     life->has_freed ? json_integer(life->freed) : json_null(), "members",
                     group ? mwa_json_number(group->self ? 1 : group->count) : json_null(),
                     "created_by", mwa_json_text(comm->created_by));
}

/* The first life that lasts until ns or longer, of all before it none does. */
static uint64_t lives_until(const struct mwa_view_lanes *lanes, int64_t ns)
{
    uint64_t low = 0, high = lanes->lives.count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (mwa_view_life_at(lanes, middle)->until < ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static json_t *lives(const struct asked *asked)
{
    const struct mwa_view_lanes *lanes = &asked->store->lanes;
    const struct mwa_trace *trace = asked->store->trace;
    const int64_t from = mwa_trace_since_begin(trace, asked->from);
    const int64_t to = mwa_trace_since_begin(trace, asked->to);
    uint64_t count = 0;
    json_t *told = json_array();

    for (uint64_t n = lives_until(lanes, from); n < lanes->lives.count; n++) {
        const struct mwa_view_life *life = mwa_view_life_at(lanes, n);

        if (life->created > to) {
            break;
        }
        if (life->freed >= from && count++ < MWA_VIEW_LISTED_MOST) {
            json_array_append_new(told, tell_life(trace, life));
        }
    }
    return json_pack("{s:o,s:o}", "count", mwa_json_number(count), "list", told);
}

static json_t *tell_mark(const struct asked *asked, const struct mwa_view_mark *mark)
{
    static const char *const words[] = { [MWA_VIEW_MARKER] = "marker",
                                         [MWA_VIEW_PAUSED] = "paused",
                                         [MWA_VIEW_LOST] = "lost",
                                         [MWA_VIEW_CUT] = "cut" };
    const bool is_marker = mark->kind == MWA_VIEW_MARKER;

    return json_pack("{s:s,s:o,s:o,s:o,s:o,s:o}", "kind", words[mark->kind], "from",
                     since(asked, mark->from), "to", since(asked, mark->to), "rank",
                     mark->rank == MWA_NONE ? json_null() : mwa_json_number(mark->rank), "text",
                     mwa_json_text(is_marker ? mwa_view_array_at(&asked->store->lanes.texts,
                                                                 mark->text)
                                             : NULL),
                     "lost",
                     mark->kind == MWA_VIEW_LOST ? mwa_json_number(mark->text) : json_null());
}

static json_t *marks(const struct asked *asked)
{
    const struct mwa_view_lanes *lanes = &asked->store->lanes;
    uint64_t low = 0, high = lanes->marks.count, count = 0;
    json_t *told = json_array();

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (mwa_view_mark_at(lanes, middle)->until < asked->from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < lanes->marks.count && mwa_view_mark_at(lanes, low)->from <= asked->to; low++) {
        const struct mwa_view_mark *mark = mwa_view_mark_at(lanes, low);

        if (mark->to >= asked->from && count++ < MWA_VIEW_LISTED_MOST) {
            json_array_append_new(told, tell_mark(asked, mark));
        }
    }
    return json_pack("{s:o,s:o}", "count", mwa_json_number(count), "list", told);
}

static json_t *running(const struct asked *asked)
{
    return mwa_view_running(asked->store, asked->from, asked->to, asked->cells);
}

/* Null, too, where there is no such rank. */
static json_t *off_core(const struct asked *asked)
{
    const struct mwa_view_store *store = asked->store;
    const uint64_t rank = mwa_view_number(asked->question, "rank", MWA_NONE, UINT64_MAX);
    uint32_t row = 0;

    while (row < store->main_count && store->trace->locations[store->rows[row]].rank != rank) {
        row++;
    }
    return rank != MWA_NONE && row == store->main_count
               ? NULL
               : mwa_view_off_core(store, rank == MWA_NONE ? MWA_NONE : row, asked->from,
                                   asked->to, asked->cells);
}

json_t *mwa_view_lane(const struct mwa_view_store *store, const char *name,
                      const struct mwa_view_question *question)
{
    static const struct {
        const char *name;
        json_t *(*tell)(const struct asked *asked);
    } lanes[] = {
        { "variables", variables }, { "variable", variable }, { "flights", flights },
        { "flight", flight },       { "alive", alive },       { "lives", lives },
        { "marks", marks },         { "running", running },   { "off_core", off_core },
    };
    struct asked asked = { .store = store, .question = question };
    json_t *told;

    mwa_view_times(store, question, &asked.from, &asked.to);
    asked.cells = (uint32_t)mwa_view_number(question, "cells", 256, MWA_VIEW_CELLS_MOST);
    asked.cells = asked.cells > 0 ? asked.cells : 1;
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        if (strcmp(lanes[i].name, name) == 0) {
            told = lanes[i].tell(&asked);
            if (told) {
                json_object_set_new(told, "from", since(&asked, asked.from));
                json_object_set_new(told, "to", since(&asked, asked.to));
            }
            return told;
        }
    }
    return NULL;
}
