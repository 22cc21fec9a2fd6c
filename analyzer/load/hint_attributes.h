#ifndef MWA_LOAD_HINT_ATTRIBUTES_H
#define MWA_LOAD_HINT_ATTRIBUTES_H

#include "analyzer/load/event_record.h"
#include "analyzer/model/hint.h"
#include "analyzer/model/trace.h"

/* Reads what attributes say of an open call or a pending request. \return false: nothing. */
bool mwa_hint_attributes(const struct mwa_trace *trace, const struct mwa_attributes *attributes,
                         struct mwa_hint *hint);

#endif
