#ifndef MWA_LOAD_HINT_ATTRIBUTES_H
#define MWA_LOAD_HINT_ATTRIBUTES_H

#include <otf2/otf2.h>

#include "analyzer/model/hint.h"
#include "analyzer/model/trace.h"

/* Reads what attributes say of an open call or a pending request. \return false: nothing. */
bool mwa_hint_attributes(const struct mwa_trace *trace, const OTF2_AttributeList *attributes,
                         struct mwa_hint *hint);

#endif
