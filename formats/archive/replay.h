#ifndef MW_FORMATS_ARCHIVE_REPLAY_H
#define MW_FORMATS_ARCHIVE_REPLAY_H

#include <stdint.h>

#include "formats/archive/archive.h"
#include "formats/archive/archive_words.h"
#include "formats/archive/otf2_output.h"
#include "formats/base/status.h"
#include "formats/merge/location_stats.h"
#include "formats/spool/spool_directory.h"

/*
 * Writes the events of directory's thread number index (in directory->threads) to
 * output, between its events_begin and _end, and adds the calls without a site to *used.
 *
 * \return MW_OK and *stats.
 * \return MW_ERROR_FORMAT, MW_ERROR_VERSION, MW_ERROR_SYSTEM, MW_ERROR_MEMORY of the
 * spool; MW_ERROR_OTF2.
 */
enum mw_status mw_replay(struct mw_otf2_output *output,
                         const struct mw_spool_directory *directory, uint32_t index,
                         enum mw_site_form form, struct mw_location_stats *stats,
                         struct mw_call_set *used,
                         struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
