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
    if (enter->repeat <= 1 && !enter->is_inside_told && !enter->now &&
        enter->site == MW_SITE_NONE) {
        return NULL;
    }
    note(code, OTF2_AttributeList_RemoveAllAttributes(list));
    if (enter->now) {
        note(code, mw_replay_now(enter->now, enter->known, list));
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
