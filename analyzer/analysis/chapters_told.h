#ifndef MWA_ANALYSIS_CHAPTERS_TOLD_H
#define MWA_ANALYSIS_CHAPTERS_TOLD_H

#include "analyzer/load/chapters.h"
#include "analyzer/team/team.h"

/*
 * Tells all processes of team the chapters that the first one has found, of the archive that all
 * have opened as trace: *chapters is null on the others before, and on all behind it where there
 * are none. To be freed with mwa_chapters_free, also after a failure.
 *
 * \return MW_OK; MW_ERROR_MEMORY, MW_ERROR_MPI, MW_ERROR_FORMAT (these are other bytes) on all.
 */
enum mw_status mwa_chapters_tell(const struct mwa_team *team, const struct mwa_trace *trace,
                                 struct mwa_chapters **chapters,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Where a location begins, as bytes (packing.h): taken out into zeros, which
 * mwa_location_start_fini is due for in any case. */
void mwa_location_start_pack(const struct mwa_location_start *location, struct mw_buffer *to);
enum mw_status mwa_location_start_unpack(const struct mwa_trace *trace,
                                         struct mwa_location_start *location,
                                         struct mw_cursor *from) MW_MUST_CHECK;

/* The same as bytes (packing.h), of chapters that may be null. */
void mwa_chapters_pack(const struct mwa_chapters *chapters, struct mw_buffer *to);
enum mw_status mwa_chapters_unpack(const struct mwa_trace *trace, struct mwa_chapters **chapters,
                                   struct mw_cursor *from) MW_MUST_CHECK;

#endif
