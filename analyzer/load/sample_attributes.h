#ifndef MWA_LOAD_SAMPLE_ATTRIBUTES_H
#define MWA_LOAD_SAMPLE_ATTRIBUTES_H

#include "analyzer/load/event_record.h"
#include "analyzer/model/event.h"
#include "analyzer/model/trace.h"

/*
 * Reads what the attributes of a Metric event say of the sample into data, all but its metric
 * and its values; course is room for what it may point to then.
 */
void mwa_sample_attributes(const struct mwa_trace *trace, const struct mwa_attributes *attributes,
                           double course[MWA_COURSE_NUMBERS], struct mwa_metric_data *data);

#endif
