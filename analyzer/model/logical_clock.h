#ifndef MWA_MODEL_LOGICAL_CLOCK_H
#define MWA_MODEL_LOGICAL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How times of locations are moved so that what happened before comes before: the controlled
 * logical clock (Rabenseifner 1997; Becker, Rabenseifner, Wolf, Linford 2009). A location's clock
 * is a function of its time, by pieces straight; it is never earlier than the time, never falls,
 * and takes memory for what had to be moved alone. Times are ticks. Whoever asks may be on any
 * thread, as long as nobody changes a clock.
 */

/*
 * The control factor is 1 - 1 / MWA_CLOCK_DECAY: from a jump on, a location is behind its jump by a
 * tick more every so many, and before one it takes as many to come there.
 */
#define MWA_CLOCK_DECAY 100u

/* Before a jump, the clock is so far on its way at that time. */
struct mwa_clock_point {
    uint64_t time;
    uint64_t rise;
};

/* A jump: at its time the clock is moved by shift, of which rise is new. */
struct mwa_clock_jump {
    uint64_t time;
    uint64_t shift;
    uint64_t rise;
    uint64_t from; /* the way there begins: nothing of rise so far */
    uint64_t all_from; /* the least from of this and the jumps behind it */
    struct mwa_clock_point *points; /* between, ascending, each step steeper than the one before */
    uint64_t count, capacity;
};

/* One round of moving: jumps in the order of their times, of which several may be the same. */
struct mwa_clock_layer {
    struct mwa_clock_jump *jumps;
    uint64_t count, capacity;
};

#define MWA_CLOCK_LAYERS 4u /* at most */

struct mwa_logical_clock {
    uint64_t offset; /* by which it is moved throughout, before all else */
    struct mwa_clock_layer layers[MWA_CLOCK_LAYERS]; /* one after the other */
    uint32_t count;
    const struct mwa_logical_clock *follows; /* the clock that it is as well; null: it is its own */
    uint64_t last; /* to which its location's events are moved; 0: none is */
};

/* What was moved on a host. */
struct mwa_host_shift {
    const char *host;
    uint64_t offset_ns; /* by which it was moved throughout; of all hosts the greatest */
    uint64_t jumps;
    uint64_t events; /* that were moved */
    uint64_t mean_ns; /* by which, of these */
    uint64_t max_ns;
    uint64_t interval_max_ns; /* most by which the time between an event and the next one of its
                                 location changed */
};

struct mwa_clock_violations {
    uint64_t messages; /* received before they were sent */
    uint64_t messages_max_ns;
    uint64_t probes; /* that block, left before what they found was sent */
    uint64_t probes_max_ns;
    uint64_t collectives; /* left by a rank before one came that it needed */
    uint64_t collectives_max_ns;
};

struct mwa_logical_clocks {
    struct mwa_logical_clock *list; /* of each location */
    uint64_t count;
    uint32_t rounds; /* of moving; 0: there was nothing to be moved */
    struct mwa_clock_violations before;
    struct mwa_clock_violations after;
    struct mwa_host_shift all; /* of all hosts; its host is null */
    struct mwa_host_shift *hosts; /* in the order of their first ranks */
    uint64_t host_count;
};

/*
 * All of them zero, for count locations. \return false: no memory. mwa_logical_clocks_fini is due
 * in any case.
 */
bool mwa_logical_clocks_init(struct mwa_logical_clocks *clocks, uint64_t count);
void mwa_logical_clocks_fini(struct mwa_logical_clocks *clocks);
void mwa_clock_layer_fini(struct mwa_clock_layer *layer);

/* By how much a layer moves time: so many of its first jumps without the ways there; all of it. */
uint64_t mwa_clock_forward(const struct mwa_clock_layer *layer, uint64_t jumps, uint64_t time);
uint64_t mwa_clock_shift(const struct mwa_clock_layer *layer, uint64_t time);

/* What the clock makes of time; the last time that there is, where it would come behind that. */
uint64_t mwa_clock_at(const struct mwa_logical_clock *clock, uint64_t time);

/*
 * The clock jumps at time, no earlier than the jump before it, to be moved by shift there, which is
 * more than it is moved so far. \return false: no memory.
 */
bool mwa_clock_jump(struct mwa_clock_layer *layer, uint64_t time, uint64_t shift);

/* The layer has all its jumps: where their ways there begin. No earlier than first. */
void mwa_clock_prepare(struct mwa_clock_layer *layer, uint64_t first);

/*
 * At time the layer's ways to jumps may move it by most beyond what mwa_clock_forward tells: those
 * that lead across it share that. It takes the straight lines below all such points that come
 * nearest to the straight way. \return false: no memory.
 */
bool mwa_clock_limit(struct mwa_clock_layer *layer, uint64_t time, uint64_t most);

/* Whether a way to a jump of the layer leads across time. */
bool mwa_clock_is_limited(const struct mwa_clock_layer *layer, uint64_t time);

#endif
