/* What is known of a call by its Enter is lost with that, when a part begins inside of the call. */
#include "analyzer/export/cut_entered.h"

static OTF2_RegionRef site_of(const struct mwa_trace *trace, const OTF2_AttributeList *attributes)
{
    const uint32_t id = trace->attributes[MW_ATTRIBUTE_SITE];
    OTF2_RegionRef site = OTF2_UNDEFINED_REGION;

    if (id != MWA_NONE && OTF2_AttributeList_TestAttributeByID(attributes, id) &&
        OTF2_AttributeList_GetRegionRef(attributes, id, &site) != OTF2_SUCCESS) {
        return OTF2_UNDEFINED_REGION;
    }
    return site;
}

uint8_t mwa_cut_wildcards_of(const struct mwa_trace *trace, const OTF2_AttributeList *attributes)
{
    const uint32_t id = trace->attributes[MW_ATTRIBUTE_WILDCARDS];
    uint8_t wildcards = 0;

    return id != MWA_NONE && OTF2_AttributeList_TestAttributeByID(attributes, id) &&
                   OTF2_AttributeList_GetUint8(attributes, id, &wildcards) == OTF2_SUCCESS
               ? wildcards
               : 0;
}

OTF2_ErrorCode mwa_cut_wildcards_tell(const struct mwa_trace *trace, uint8_t wildcards,
                                      OTF2_AttributeList *list)
{
    return wildcards == 0 ? OTF2_SUCCESS
                          : OTF2_AttributeList_AddUint8(
                                list, trace->attributes[MW_ATTRIBUTE_WILDCARDS], wildcards);
}

struct mwa_cut_entered mwa_cut_entered_of(const struct mwa_trace *trace, OTF2_RegionRef region,
                                          const OTF2_AttributeList *attributes)
{
    const uint32_t *ids = trace->attributes;
    const uint32_t comm = ids[MW_ATTRIBUTE_FOUND_COMM];
    struct mwa_cut_entered entered = { .region = region, .site = site_of(trace, attributes) };

    entered.is_found =
        comm != MWA_NONE && OTF2_AttributeList_TestAttributeByID(attributes, comm) &&
        OTF2_AttributeList_GetCommRef(attributes, comm, &entered.comm) == OTF2_SUCCESS &&
        OTF2_AttributeList_GetInt32(attributes, ids[MW_ATTRIBUTE_FOUND_SOURCE],
                                    &entered.source) == OTF2_SUCCESS &&
        OTF2_AttributeList_GetInt32(attributes, ids[MW_ATTRIBUTE_FOUND_TAG], &entered.tag) ==
            OTF2_SUCCESS;
    entered.wildcards = mwa_cut_wildcards_of(trace, attributes);
    return entered;
}

OTF2_ErrorCode mwa_cut_entered_tell(const struct mwa_trace *trace,
                                    const struct mwa_cut_entered *entered,
                                    OTF2_AttributeList *list)
{
    const uint32_t *ids = trace->attributes;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    if (entered->site != OTF2_UNDEFINED_REGION) {
        code = OTF2_AttributeList_AddRegionRef(list, ids[MW_ATTRIBUTE_SITE], entered->site);
    }
    if (!entered->is_found || code != OTF2_SUCCESS) {
        return code;
    }
    return OTF2_AttributeList_AddCommRef(list, ids[MW_ATTRIBUTE_FOUND_COMM], entered->comm)
               ?: OTF2_AttributeList_AddInt32(list, ids[MW_ATTRIBUTE_FOUND_SOURCE],
                                              entered->source)
               ?: OTF2_AttributeList_AddInt32(list, ids[MW_ATTRIBUTE_FOUND_TAG], entered->tag)
               ?: mwa_cut_wildcards_tell(trace, entered->wildcards, list);
}
