#ifndef MWA_ANALYSIS_HANG_HANG_WINDOW_H
#define MWA_ANALYSIS_HANG_HANG_WINDOW_H

#include "analyzer/analysis/hang/hang_graph.h"

/*
 * Whether world rank self, which is inside of a call of this kind (enum mw_call_kind) on the window
 * of its hint, waits there for other; *why tells for what, and has a meaning then alone.
 */
bool mwa_hang_waits_on_window(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                              unsigned kind, uint32_t self, uint32_t other,
                              enum mwa_hang_why *why);

#endif
