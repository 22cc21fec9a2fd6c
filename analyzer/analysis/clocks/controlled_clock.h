#ifndef MWA_ANALYSIS_CLOCKS_CONTROLLED_CLOCK_H
#define MWA_ANALYSIS_CLOCKS_CONTROLLED_CLOCK_H

#include "analyzer/load/input.h"
#include "analyzer/model/logical_clock.h"

/*
 * Moves times of input so that nothing is received before it is sent, and nobody leaves a
 * collective before those came whom it needs: by the controlled logical clock (Rabenseifner 1997;
 * Becker, Rabenseifner, Wolf, Linford 2009). Events of a location stay in their order, none is
 * moved to an earlier time, and times between them stay nearly what they were. Before that hosts
 * are moved whose clocks are off throughout (host_offsets.h).
 *
 * Reads input once if there is nothing to be moved; else once to find where clocks have to jump
 * (once more, or twice, where hosts are off),
 * once for the ways there, once more to see that all is in order, and once to say what was moved.
 * If it is not, by what the first jumps brought about, that is repeated MWA_CLOCK_LAYERS times at
 * most. Input uses clocks from then on, which must outlive it, and mwa_logical_clocks_fini is due
 * after it in any case. Before anything is shared.
 *
 * Memory: 64 bytes for each jump, 16 for each send that bends the way to one; and that of an
 * engine.
 *
 * \return MW_OK; as mwa_pass_run.
 */
enum mw_status mwa_controlled_clock_make(struct mwa_input *input,
                                         struct mwa_logical_clocks *clocks,
                                         struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
