#ifndef MWA_ANALYSIS_CLOCKS_FORWARD_AMORTIZATION_H
#define MWA_ANALYSIS_CLOCKS_FORWARD_AMORTIZATION_H

#include "analyzer/analysis/clocks/happened_before.h"
#include "analyzer/analysis/clocks/host_offsets.h"
#include "analyzer/exchange/exchange.h"
#include "analyzer/model/logical_clock.h"
#include "analyzer/model/pool.h"

/*
 * The first half of the controlled logical clock (Rabenseifner 1997, Becker and others 2009): with
 * C the times told, LC those that become of them, m the least latency and g the control factor,
 *
 *     LC(receive) = max(C(receive), LC(event before) + g (C(receive) - C(event before)),
 *                       LC(send) + m)
 *
 * and so without the send for all other events; the end of a probe that blocks is a receive of what
 * it found. It finds where locations have to jump, and counts
 * what is out of order by the times told, to itself.
 */
struct mwa_forward {
    const struct mwa_happened_before *rules;
    struct mwa_host_offsets *offsets; /* takes what is told in a certain order; null: nobody does */
    struct mwa_clock_layer *layers; /* of each location: what is made */
    uint64_t jumps;                 /* of all layers */
    uint64_t probes;     /* left before what they found was sent */
    uint64_t probes_max; /* ticks, by so many at most */
    uint64_t collectives; /* members that left before those came that they need */
    uint64_t collectives_max; /* ticks, by so many at most */
    struct mwa_pool operations;
    struct mwa_wanted_time *wanted; /* of the call that ends */
    uint64_t wanted_count, wanted_capacity;
};

/* layers are all zero, one for each location of the trace. */
void mwa_forward_init(struct mwa_forward *forward, const struct mwa_happened_before *rules,
                      struct mwa_clock_layer *layers);
void mwa_forward_fini(struct mwa_forward *forward);

/* Who is to be told by an engine, alone. */
struct mwa_exchange_listener mwa_forward_listener(struct mwa_forward *forward);

#endif
