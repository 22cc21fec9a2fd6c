#ifndef MWA_ANALYSIS_COUNTERS_SAME_THINGS_H
#define MWA_ANALYSIS_COUNTERS_SAME_THINGS_H

#include "analyzer/analysis/counters/watermarks.h"

/*
 * A level that follows from the events and a variable of the MPI may be of the same thing, and yet
 * have other values, since they count otherwise: the library's queue of unexpected messages has
 * those that have arrived, and the library's own ones, of collectives, too. Rows of which there are
 * both, of one rank, say so of each other (relation). MW_OK,
 * MW_ERROR_MEMORY.
 */
enum mw_status mwa_same_things_relate(const struct mwa_trace *trace,
                                      struct mwa_watermarks *watermarks) MW_MUST_CHECK;

#endif
