#ifndef MWA_MODEL_PLACES_H
#define MWA_MODEL_PLACES_H

#include "analyzer/model/trace.h"

/*
 * A place is a line of the program with a call of MPI: one site, or several that differ in who
 * called its function. Finds the place of each site. False without memory.
 */
bool mwa_trace_find_places(struct mwa_trace *trace);

#define MWA_STACK_FRAMES 64u /* more are cut, the outermost ones */

/*
 * The frames above a site's call (an index), the outermost first: indices into frames, of which
 * there is room for MWA_STACK_FRAMES. \return how many; 0: not told. *is_cut: there are more, or
 * the recorder told that.
 */
uint32_t mwa_trace_stack(const struct mwa_trace *trace, uint32_t site, uint32_t *frames,
                         bool *is_cut);

#endif
