/* An event's attributes are a record of their own: most calls have none. */
#include "formats/archive/replay_enter.h"

#include "formats/archive/archive_words.h"
#include "formats/archive/replay_pending.h"

static void note(OTF2_ErrorCode *code, OTF2_ErrorCode said)
{
    if (*code == OTF2_SUCCESS) {
        *code = said;
    }
}

OTF2_AttributeList *mw_replay_enter(const struct mw_replay_enter *enter, OTF2_AttributeList *list,
                                    OTF2_ErrorCode *code)
{
    if (enter->repeat <= 1 && !enter->is_inside_told && !enter->now && !enter->found &&
        enter->site == MW_SITE_NONE) {
        return NULL;
    }
    note(code, OTF2_AttributeList_RemoveAllAttributes(list));
    if (enter->now) {
        note(code, mw_replay_now(enter->now, enter->known, list));
    }
    if (enter->found) {
        note(code, OTF2_AttributeList_AddCommRef(list, MW_ATTRIBUTE_FOUND_COMM,
                                                 enter->found->head.comm));
        note(code, OTF2_AttributeList_AddInt32(list, MW_ATTRIBUTE_FOUND_SOURCE,
                                               mw_found_source(enter->found)));
        note(code, OTF2_AttributeList_AddInt32(list, MW_ATTRIBUTE_FOUND_TAG,
                                               mw_found_tag(enter->found)));
    }
    if (enter->found && enter->wildcards != 0) {
        note(code, OTF2_AttributeList_AddUint8(list, MW_ATTRIBUTE_WILDCARDS,
                                               (uint8_t)enter->wildcards));
    }
    if (enter->repeat > 1) {
        note(code, OTF2_AttributeList_AddUint64(list, MW_ATTRIBUTE_REPEAT, enter->repeat));
    }
    if (enter->is_inside_told) {
        note(code, OTF2_AttributeList_AddUint64(list, MW_ATTRIBUTE_INSIDE, enter->inside));
    }
    if (enter->site != MW_SITE_NONE) {
        note(code, OTF2_AttributeList_AddRegionRef(list, MW_ATTRIBUTE_SITE, enter->site));
    }
    return list;
}

OTF2_AttributeList *mw_replay_leave(bool is_open, const uint64_t *error, OTF2_AttributeList *list,
                                    OTF2_ErrorCode *code)
{
    if (!is_open && !error) {
        return NULL;
    }
    note(code, OTF2_AttributeList_RemoveAllAttributes(list));
    if (is_open) {
        note(code, OTF2_AttributeList_AddUint8(list, MW_ATTRIBUTE_OPEN, 1));
    }
    if (error) {
        note(code, OTF2_AttributeList_AddInt32(list, MW_ATTRIBUTE_ERROR, (int32_t)*error));
    }
    return list;
}
