#ifndef MWA_LOAD_COMMON_BEGIN_H
#define MWA_LOAD_COMMON_BEGIN_H

#include "analyzer/load/reading_start.h"

/*
 * Ranks' records of a ring reach back to different moments. Times of ranks can be compared from
 * where all of them have begun: each location begins with its first call of MPI that is entered
 * then or later, outside of others, and so do regions of the program that are open there. Locations
 * without calls of MPI are as they are.
 */

/*
 * Finds that by reading all locations up to there. input is no joint one, its trace is of a ring.
 *
 * \return MW_OK and *start, to be freed with mwa_reading_start_free when nobody reads from it any
 * more, and *time (ticks), where all have begun. As mwa_event_reader_read; MW_ERROR_MEMORY.
 */
enum mw_status mwa_common_begin_find(struct mwa_input *input, struct mwa_reading_start **start,
                                     uint64_t *time,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
