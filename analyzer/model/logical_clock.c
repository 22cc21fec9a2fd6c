/*
 * A jump is kept with what comes of it: behind it the shift falls by a tick every MWA_CLOCK_DECAY,
 * which needs no point; before it there is a way, which sends bend (a send that is moved further
 * than its receive allows would be one more violation). Where ways overlap, they add up.
 */
#include "analyzer/model/logical_clock.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"

bool mwa_logical_clocks_init(struct mwa_logical_clocks *clocks, uint64_t count)
{
    *clocks = (struct mwa_logical_clocks){ .count = count };
    clocks->list = calloc(count + 1, sizeof *clocks->list);
    return clocks->list != NULL;
}

void mwa_clock_layer_fini(struct mwa_clock_layer *layer)
{
    for (uint64_t i = 0; i < layer->count; i++) {
        free(layer->jumps[i].points);
    }
    free(layer->jumps);
    *layer = (struct mwa_clock_layer){ 0 };
}

void mwa_logical_clocks_fini(struct mwa_logical_clocks *clocks)
{
    for (uint64_t i = 0; clocks->list && i < clocks->count; i++) {
        for (uint32_t layer = 0; layer < clocks->list[i].count; layer++) {
            mwa_clock_layer_fini(&clocks->list[i].layers[layer]);
        }
    }
    free(clocks->list);
    free(clocks->hosts);
    *clocks = (struct mwa_logical_clocks){ 0 };
}

/* --- what is moved ---------------------------------------------------------------------------- */

static uint64_t plus(uint64_t one, uint64_t other)
{
    return one < UINT64_MAX - other ? one + other : UINT64_MAX;
}

/* How many jumps are at time or before it. */
static uint64_t jumps_until(const struct mwa_clock_layer *layer, uint64_t time)
{
    uint64_t low = 0, high = layer->count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (layer->jumps[middle].time <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint64_t shift_behind(const struct mwa_clock_layer *layer, uint64_t jumps, uint64_t time)
{
    const struct mwa_clock_jump *jump = jumps > 0 ? &layer->jumps[jumps - 1] : NULL;
    uint64_t fallen = jump ? (time - jump->time) / MWA_CLOCK_DECAY : 0;

    return jump && fallen < jump->shift ? jump->shift - fallen : 0;
}

uint64_t mwa_clock_forward(const struct mwa_clock_layer *layer, uint64_t jumps, uint64_t time)
{
    const uint64_t behind = jumps_until(layer, time);

    return shift_behind(layer, behind < jumps ? behind : jumps, time);
}

/* Between two points, rounded down. */
static uint64_t between(struct mwa_clock_point one, struct mwa_clock_point other, uint64_t time)
{
    unsigned __int128 risen = (unsigned __int128)(other.rise - one.rise) * (time - one.time);

    return one.rise + (uint64_t)(risen / (other.time - one.time));
}

/* How far on its way to jump, whose time is not yet, the clock is at time. */
static uint64_t on_the_way(const struct mwa_clock_jump *jump, uint64_t time)
{
    struct mwa_clock_point before = { jump->from, 0 };

    if (time <= jump->from) {
        return 0;
    }
    for (uint64_t i = 0; i < jump->count; i++) {
        if (jump->points[i].time >= time) {
            return between(before, jump->points[i], time);
        }
        before = jump->points[i];
    }
    return between(before, (struct mwa_clock_point){ jump->time, jump->rise }, time);
}

uint64_t mwa_clock_shift(const struct mwa_clock_layer *layer, uint64_t time)
{
    const uint64_t behind = jumps_until(layer, time);
    uint64_t shift = shift_behind(layer, behind, time);

    for (uint64_t i = behind; i < layer->count && layer->jumps[i].all_from < time; i++) {
        shift = plus(shift, on_the_way(&layer->jumps[i], time));
    }
    return shift;
}

uint64_t mwa_clock_at(const struct mwa_logical_clock *clock, uint64_t time)
{
    if (clock->follows) {
        clock = clock->follows;
    }
    time = plus(time, clock->offset);
    for (uint32_t i = 0; i < clock->count; i++) {
        time = plus(time, mwa_clock_shift(&clock->layers[i], time));
    }
    return time;
}

/* --- how clocks are made ---------------------------------------------------------------------- */

bool mwa_clock_jump(struct mwa_clock_layer *layer, uint64_t time, uint64_t shift)
{
    const uint64_t so_far = mwa_clock_forward(layer, layer->count, time);

    if (!mwa_grow(&layer->jumps, &layer->capacity, layer->count + 1, sizeof *layer->jumps)) {
        return false;
    }
    layer->jumps[layer->count++] = (struct mwa_clock_jump){ .time = time,
                                                            .shift = shift,
                                                            .rise = shift - so_far,
                                                            .from = time,
                                                            .all_from = time };
    return true;
}

void mwa_clock_prepare(struct mwa_clock_layer *layer, uint64_t first)
{
    uint64_t least = UINT64_MAX;

    for (uint64_t i = layer->count; i-- > 0;) {
        struct mwa_clock_jump *jump = &layer->jumps[i];
        const uint64_t room = jump->time > first ? jump->time - first : 0;

        jump->from = jump->rise < room / MWA_CLOCK_DECAY
                         ? jump->time - jump->rise * MWA_CLOCK_DECAY
                         : jump->time - room;
        least = jump->from < least ? jump->from : least;
        jump->all_from = least;
    }
}

static bool leads_across(const struct mwa_clock_jump *jump, uint64_t time)
{
    return jump->from < time && time < jump->time;
}

/* Whether b stands above the straight line from a to c, or on it. */
static bool is_above(struct mwa_clock_point a, struct mwa_clock_point b, struct mwa_clock_point c)
{
    if (b.rise < a.rise || b.rise >= c.rise) {
        return b.rise >= a.rise;
    }
    return (unsigned __int128)(b.rise - a.rise) * (c.time - a.time) >=
           (unsigned __int128)(c.rise - a.rise) * (b.time - a.time);
}

/* The point with this index; before the first and behind the last are the ends of the way. */
static struct mwa_clock_point point_at(const struct mwa_clock_jump *jump, uint64_t index)
{
    return index == 0             ? (struct mwa_clock_point){ jump->from, 0 }
           : index <= jump->count ? jump->points[index - 1]
                                  : (struct mwa_clock_point){ jump->time, jump->rise };
}

static void remove_point(struct mwa_clock_jump *jump, uint64_t index)
{
    memmove(&jump->points[index - 1], &jump->points[index],
            (jump->count - index) * sizeof *jump->points);
    jump->count--;
}

/* The way to jump comes through point at most, which keeps it convex. */
static bool bend(struct mwa_clock_jump *jump, struct mwa_clock_point point)
{
    uint64_t at = 1;

    while (at <= jump->count && jump->points[at - 1].time < point.time) {
        at++;
    }
    if (at <= jump->count && jump->points[at - 1].time == point.time) {
        if (jump->points[at - 1].rise <= point.rise) {
            return true;
        }
        jump->points[at - 1] = point;
    } else if (is_above(point_at(jump, at - 1), point, point_at(jump, at))) {
        return true;
    } else {
        if (!mwa_grow(&jump->points, &jump->capacity, jump->count + 1, sizeof *jump->points)) {
            return false;
        }
        memmove(&jump->points[at], &jump->points[at - 1],
                (jump->count - at + 1) * sizeof *jump->points);
        jump->points[at - 1] = point;
        jump->count++;
    }
    while (at > 1 && is_above(point_at(jump, at - 2), point_at(jump, at - 1), point)) {
        remove_point(jump, --at);
    }
    while (at < jump->count && is_above(point, point_at(jump, at + 1), point_at(jump, at + 2))) {
        remove_point(jump, at + 1);
    }
    return true;
}

bool mwa_clock_is_limited(const struct mwa_clock_layer *layer, uint64_t time)
{
    for (uint64_t i = jumps_until(layer, time);
         i < layer->count && layer->jumps[i].all_from < time; i++) {
        if (leads_across(&layer->jumps[i], time)) {
            return true;
        }
    }
    return false;
}

bool mwa_clock_limit(struct mwa_clock_layer *layer, uint64_t time, uint64_t most)
{
    const uint64_t behind = jumps_until(layer, time);
    uint64_t ways = 0;
    bool done = true;

    for (uint64_t i = behind; i < layer->count && layer->jumps[i].all_from < time; i++) {
        ways += leads_across(&layer->jumps[i], time);
    }
    for (uint64_t i = behind;
         i < layer->count && layer->jumps[i].all_from < time && done; i++) {
        if (leads_across(&layer->jumps[i], time)) {
            done = bend(&layer->jumps[i], (struct mwa_clock_point){ time, most / ways });
        }
    }
    return done;
}
