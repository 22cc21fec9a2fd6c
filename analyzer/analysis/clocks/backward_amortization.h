#ifndef MWA_ANALYSIS_CLOCKS_BACKWARD_AMORTIZATION_H
#define MWA_ANALYSIS_CLOCKS_BACKWARD_AMORTIZATION_H

#include "analyzer/analysis/clocks/happened_before.h"
#include "analyzer/exchange/exchange.h"
#include "analyzer/model/logical_clock.h"

/*
 * The second half of the controlled logical clock: what comes before a jump is moved as well, along
 * a way that is straight but for sends, which must not be moved beyond what their receives allow
 * (Becker and others 2009). Layers have all their jumps, and are prepared.
 */
struct mwa_backward {
    const struct mwa_happened_before *rules;
    struct mwa_clock_layer *const *layers; /* of each location: that of its rank */
};

/* Who is to be told by an engine, of the times that the jumps were made of. */
struct mwa_exchange_listener mwa_backward_listener(struct mwa_backward *backward);

#endif
