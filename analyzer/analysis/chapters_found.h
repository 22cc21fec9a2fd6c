#ifndef MWA_ANALYSIS_CHAPTERS_FOUND_H
#define MWA_ANALYSIS_CHAPTERS_FOUND_H

#include "analyzer/load/chapters.h"
#include "analyzer/team/team.h"

/*
 * As mwa_chapters_find, of the archive that all processes of team have opened as input: each reads
 * the locations of a share of the ranks, where all know of the same places by states (which of
 * the others may be null), and else the first one reads alone. All get the same chapters, null
 * where there are none; to be freed with mwa_chapters_free, also after a failure.
 *
 * \return MW_OK; MW_ERROR_MEMORY, MW_ERROR_MPI, MW_ERROR_FORMAT (these are other bytes) on all.
 */
enum mw_status mwa_chapters_find_together(const struct mwa_team *team, struct mwa_input *input,
                                          const struct mwa_block_states *states, uint32_t most,
                                          struct mwa_chapters **chapters,
                                          struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
