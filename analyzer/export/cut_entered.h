#ifndef MWA_EXPORT_CUT_ENTERED_H
#define MWA_EXPORT_CUT_ENTERED_H

#include <stdbool.h>

#include <otf2/otf2.h>

#include "analyzer/model/trace.h"

/* A region that was entered, and what has to be told of it when it is entered again. */
struct mwa_cut_entered {
    OTF2_RegionRef region;
    OTF2_RegionRef site; /* where, if an attribute says so, else undefined */
    bool is_found;       /* attributes tell what it found as a probe: */
    OTF2_CommRef comm;
    int32_t source;
    int32_t tag;
    uint8_t wildcards; /* of the probe (enum mw_wildcard); 0: none, or its receive has them */
};

/* That of an Enter with these attributes, of a location of trace. */
struct mwa_cut_entered mwa_cut_entered_of(const struct mwa_trace *trace, OTF2_RegionRef region,
                                          const OTF2_AttributeList *attributes);

/* Adds its attributes to list. \return what libotf2 said. */
OTF2_ErrorCode mwa_cut_entered_tell(const struct mwa_trace *trace,
                                    const struct mwa_cut_entered *entered,
                                    OTF2_AttributeList *list);

/* What attributes say a receive was posted with, or a probe made: enum mw_wildcard; 0: nothing.
 * Tells it again, as above. */
uint8_t mwa_cut_wildcards_of(const struct mwa_trace *trace, const OTF2_AttributeList *attributes);
OTF2_ErrorCode mwa_cut_wildcards_tell(const struct mwa_trace *trace, uint8_t wildcards,
                                      OTF2_AttributeList *list);

#endif
