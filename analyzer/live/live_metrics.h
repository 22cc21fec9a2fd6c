#ifndef MWA_LIVE_LIVE_METRICS_H
#define MWA_LIVE_LIVE_METRICS_H

#include <stdbool.h>

#include "analyzer/live/live_detail.h"

/* Writes what the latest look told, and of detail (null: no events are read) variables, into the
 * file path as OpenMetrics 1.0, which is what Prometheus' text is, too (mpiwatch-top(1) has the
 * families): whole, or not at all.
 * \return as mwa_output_open and mwa_output_close. */
enum mw_status mwa_live_metrics(const struct mwa_live *live,
                                const struct mwa_live_detail *detail, const char *path,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
