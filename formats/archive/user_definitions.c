/*
 * Texts come before all other strings, so that the merged number of a text is its
 * string's id, and regions behind those of MPI calls: neither needs a table of ids
 * of its own.
 */
#include "formats/archive/user_definitions.h"

#include <stdlib.h>

#include "formats/archive/replay_user.h"

void mw_user_texts_write(struct mw_defining *defining)
{
    const struct mw_merged_user *user = &defining->merged->user;

    for (uint32_t i = 0; i < user->text_count; i++) {
        mw_defining_string(defining, user->texts[i]);
    }
}

static void define_regions(struct mw_defining *defining, uint32_t first)
{
    const struct mw_merged_user *user = &defining->merged->user;
    uint32_t description = mw_defining_string(defining, "user");
    uint32_t nothing = mw_defining_string(defining, "");

    for (uint32_t i = 0; i < user->region_count; i++) {
        uint32_t name = mw_defining_string(defining, user->regions[i]);

        mw_defining_note(defining, OTF2_GlobalDefWriter_WriteRegion(
                                       defining->writer, first + i, name, name, description,
                                       OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER,
                                       OTF2_REGION_FLAG_NONE, nothing, 0, 0));
    }
}

static void define_parameters(struct mw_defining *defining)
{
    for (uint32_t i = 0; i < MW_PARAMETER_COUNT; i++) {
        mw_defining_note(defining, OTF2_GlobalDefWriter_WriteParameter(
                                       defining->writer, i,
                                       mw_defining_string(defining, mw_parameter_names[i]),
                                       i == MW_PARAMETER_DISCONTINUITY
                                           ? OTF2_PARAMETER_TYPE_UINT64
                                           : OTF2_PARAMETER_TYPE_STRING));
    }
}

/* Whether events may have parameters. */
static bool has_parameters(const struct mw_merged *merged)
{
    const struct mw_merged_variables *variables = &merged->variables;

    for (uint32_t i = 0; i < variables->metric_count; i++) {
        if (variables->metrics[i].flags & MW_VARIABLE_REBUILT) {
            return true;
        }
    }
    return merged->user.text_count > 0;
}

void mw_user_definitions_write(struct mw_defining *defining, uint32_t first)
{
    if (defining->merged->user.region_count > 0) {
        define_regions(defining, first);
    }
    if (has_parameters(defining->merged)) {
        define_parameters(defining);
    }
}

OTF2_ErrorCode mw_user_maps_write(OTF2_DefWriter *writer, const struct mw_user_map *map)
{
    OTF2_IdMap *ids;
    OTF2_ErrorCode code;

    if (map->text_count == 0) {
        return OTF2_SUCCESS;
    }
    ids = OTF2_IdMap_CreateFromUint32Array(map->text_count, map->texts, false);
    if (!ids) {
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    }
    code = OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_STRING, ids);
    OTF2_IdMap_Free(ids);
    return code;
}
