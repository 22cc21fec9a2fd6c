#include "analyzer/analysis/comms/comm_timeline.h"

#include <stdlib.h>

#include "formats/base/order.h"

/* A communicator begins (+1) or ends (-1) to be alive. */
struct step {
    int64_t t_ns;
    int change;
};

static int by_creation(const void *one, const void *other)
{
    const struct mwa_comm_row *a = ((const struct mwa_comm_lane *)one)->row;
    const struct mwa_comm_row *b = ((const struct mwa_comm_lane *)other)->row;

    return mw_order(a->has_created, b->has_created) ?:
           mw_order_signed(a->created_ns, b->created_ns) ?: mw_order(a->comm, b->comm);
}

/* Whether it has anything to do with the time from from_ns to to_ns. */
static bool touches(const struct mwa_comm_lane *lane, int64_t from_ns, int64_t to_ns)
{
    const struct mwa_comm_row *row = lane->row;

    return lane->cell_count > 0 ||
           ((!row->has_created || row->created_ns <= to_ns) &&
            (!row->has_freed || row->freed_ns >= from_ns));
}

static enum mw_status make_lanes(const struct mwa_trace *trace, const struct mwa_comms *comms,
                                 const struct mwa_comm_activity *activity, const bool *selected,
                                 struct mwa_comm_timeline *timeline)
{
    int64_t from_ns = mwa_trace_since_begin(trace, timeline->window.from);
    int64_t to_ns = mwa_trace_since_begin(trace, timeline->window.to);
    uint64_t cell = 0;

    timeline->lanes = calloc(comms->count + 1, sizeof *timeline->lanes);
    if (!timeline->lanes) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < comms->count; i++) {
        struct mwa_comm_lane lane = { .row = &comms->rows[i], .cells = &activity->cells[cell] };

        while (cell < activity->count && activity->cells[cell].comm == i) {
            cell++;
            lane.cell_count++;
        }
        if ((!selected || selected[i]) && touches(&lane, from_ns, to_ns)) {
            timeline->lanes[timeline->count++] = lane;
        }
    }
    qsort(timeline->lanes, timeline->count, sizeof *timeline->lanes, by_creation);
    return MW_OK;
}

/* At one time, ends come first. */
static int by_time(const void *one, const void *other)
{
    const struct step *a = one;
    const struct step *b = other;

    return mw_order_signed(a->t_ns, b->t_ns) ?: a->change - b->change;
}

static void note_alive(struct mwa_comm_timeline *timeline, int64_t t_ns, uint64_t count)
{
    struct mwa_alive *last = timeline->alive_count > 0
                                 ? &timeline->alive[timeline->alive_count - 1]
                                 : NULL;

    if (timeline->alive_count == 0 || count > timeline->alive_max) {
        timeline->alive_max = count;
        timeline->alive_max_ns = t_ns;
    }
    if (last && last->t_ns == t_ns) {
        last->count = count;
    } else {
        timeline->alive[timeline->alive_count++] = (struct mwa_alive){ t_ns, count };
    }
}

/* Runs through the steps; only what lies in the window is noted. */
static void count_alive(const struct step *steps, uint64_t count, int64_t from_ns,
                        int64_t to_ns, struct mwa_comm_timeline *timeline)
{
    uint64_t alive = 0;
    uint64_t i = 0;

    for (; i < count && steps[i].t_ns <= from_ns; i++) {
        alive += (uint64_t)steps[i].change;
    }
    note_alive(timeline, from_ns, alive);
    for (; i < count && steps[i].t_ns <= to_ns; i++) {
        alive += (uint64_t)steps[i].change;
        note_alive(timeline, steps[i].t_ns, alive);
    }
}

static enum mw_status make_alive(const struct mwa_trace *trace, const struct mwa_comms *comms,
                                 struct mwa_comm_timeline *timeline)
{
    struct step *steps = calloc(2 * comms->count + 1, sizeof *steps);
    uint64_t count = 0;

    timeline->alive = calloc(2 * comms->count + 1, sizeof *timeline->alive);
    if (!steps || !timeline->alive) {
        free(steps);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < comms->count; i++) {
        const struct mwa_comm_row *row = &comms->rows[i];

        if (!row->has_created || (row->has_freed && row->freed_ns <= row->created_ns)) {
            continue;
        }
        steps[count++] = (struct step){ row->created_ns, 1 };
        if (row->has_freed) {
            steps[count++] = (struct step){ row->freed_ns, -1 };
        }
    }
    qsort(steps, count, sizeof *steps, by_time);
    count_alive(steps, count, mwa_trace_since_begin(trace, timeline->window.from),
                mwa_trace_since_begin(trace, timeline->window.to), timeline);
    free(steps);
    return MW_OK;
}

enum mw_status mwa_comm_timeline_make(const struct mwa_trace *trace,
                                      const struct mwa_window *window,
                                      const struct mwa_comms *comms,
                                      const struct mwa_comm_activity *activity,
                                      const bool *selected, struct mwa_comm_timeline *timeline)
{
    enum mw_status status;

    *timeline = (struct mwa_comm_timeline){ .window = *window };
    status = make_lanes(trace, comms, activity, selected, timeline);
    return status == MW_OK ? make_alive(trace, comms, timeline) : status;
}

void mwa_comm_timeline_fini(struct mwa_comm_timeline *timeline)
{
    free(timeline->lanes);
    free(timeline->alive);
    *timeline = (struct mwa_comm_timeline){ 0 };
}
