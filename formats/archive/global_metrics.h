#ifndef MW_FORMATS_ARCHIVE_GLOBAL_METRICS_H
#define MW_FORMATS_ARCHIVE_GLOBAL_METRICS_H

#include <stdint.h>

#include <otf2/otf2.h>

#include "formats/merge/merge.h"

/* Defines a string and returns its id. */
typedef uint32_t mw_string_definer(void *context, const char *text);

/*
 * Writes a MetricClass for each merged metric, with the metric's id, and its members.
 * Part of formats/global_definitions.
 *
 * \return OTF2_SUCCESS, or the first other code.
 */
OTF2_ErrorCode mw_global_metrics_write(OTF2_GlobalDefWriter *writer,
                                       const struct mw_merged_variables *variables,
                                       mw_string_definer *string, void *context);

#endif
