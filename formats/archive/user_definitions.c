/*
 * Texts come before all other strings, so that the merged number of a text is its
 * string's id, and regions behind those of MPI calls: neither needs a table of ids
 * of its own.
 */
#include "formats/archive/user_definitions.h"

#include <stdlib.h>

#include "formats/archive/replay_user.h"
#include "formats/base/utf8.h"

static void note(struct mw_user_definitions *defining, OTF2_ErrorCode code)
{
    if (defining->code == OTF2_SUCCESS) {
        defining->code = code;
    }
}

static uint32_t string(struct mw_user_definitions *defining, const char *text)
{
    char *clean = mw_utf8_clean(text);

    if (!clean) {
        defining->out_of_memory = true;
        return 0;
    }
    note(defining, OTF2_GlobalDefWriter_WriteString(defining->writer, defining->string_count,
                                                    clean));
    free(clean);
    return defining->string_count++;
}

void mw_user_texts_write(struct mw_user_definitions *defining)
{
    const struct mw_merged_user *user = &defining->merged->user;

    for (uint32_t i = 0; i < user->text_count; i++) {
        string(defining, user->texts[i]);
    }
}

static void define_regions(struct mw_user_definitions *defining, uint32_t first)
{
    const struct mw_merged_user *user = &defining->merged->user;
    uint32_t description = string(defining, "user");
    uint32_t nothing = string(defining, "");

    for (uint32_t i = 0; i < user->region_count; i++) {
        uint32_t name = string(defining, user->regions[i]);

        note(defining, OTF2_GlobalDefWriter_WriteRegion(
                           defining->writer, first + i, name, name, description,
                           OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
                           nothing, 0, 0));
    }
}

static void define_parameters(struct mw_user_definitions *defining)
{
    for (uint32_t i = 0; i < MW_PARAMETER_COUNT; i++) {
        note(defining,
             OTF2_GlobalDefWriter_WriteParameter(defining->writer, i,
                                                 string(defining, mw_parameter_names[i]),
                                                 OTF2_PARAMETER_TYPE_STRING));
    }
}

void mw_user_definitions_write(struct mw_user_definitions *defining, uint32_t first)
{
    if (defining->merged->user.region_count > 0) {
        define_regions(defining, first);
    }
    if (defining->merged->user.text_count > 0) {
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
