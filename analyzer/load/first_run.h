#ifndef MWA_LOAD_FIRST_RUN_H
#define MWA_LOAD_FIRST_RUN_H

#include "analyzer/load/input.h"

/*
 * When the first rank leaves MPI_Init, *origin in ticks: reads the main thread of each rank up to
 * there, or to the first message or collective outside of it. input is used up by that.
 *
 * \return MW_OK; MW_END when no rank does; as mwa_event_reader_read.
 */
enum mw_status mwa_first_run(struct mwa_input *input, uint64_t *origin,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
