#ifndef MW_FORMATS_ARCHIVE_GLOBAL_METRICS_H
#define MW_FORMATS_ARCHIVE_GLOBAL_METRICS_H

#include <stdint.h>

#include <otf2/otf2.h>

#include "formats/archive/defining.h"

/*
 * Writes a MetricClass for each merged metric, with the metric's id, and its members.
 * Part of formats/global_definitions.
 */
void mw_global_metrics_write(struct mw_defining *defining);

#endif
