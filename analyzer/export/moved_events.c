/* libotf2 corrects clocks by what the archive holds of them, and by nothing else. */
#include "analyzer/export/moved_events.h"

/* Defines move_NAME of each record: EVENT(MpiRequestTest, (uint64_t requestID), (requestID)) makes
 * move_MpiRequestTest, which hands it on to callbacks->MpiRequestTest. */
#define EVENT(name, parameters, arguments)                                                        \
    static OTF2_CallbackCode move_##name(OTF2_LocationRef location, OTF2_TimeStamp time,          \
                                         uint64_t position, void *user,                           \
                                         OTF2_AttributeList *attributes BEHIND parameters)        \
    {                                                                                             \
        const struct mwa_moved_events *moved = user;                                              \
        const uint64_t at = moved->clock ? mwa_clock_at(moved->clock, time) : time;               \
                                                                                                  \
        return moved->callbacks->name(location, at, position, moved->user,                        \
                                      attributes BEHIND arguments);                               \
    }
#include "analyzer/export/otf2_records.def"

OTF2_EvtReaderCallbacks *mwa_moved_events_callbacks(const struct mwa_event_callbacks *callbacks)
{
    OTF2_EvtReaderCallbacks *all = OTF2_EvtReaderCallbacks_New();

    if (!all) {
        return NULL;
    }
#define EVENT(name, parameters, arguments)                                                        \
    OTF2_EvtReaderCallbacks_Set##name##Callback(all, callbacks->name ? move_##name : NULL);
#include "analyzer/export/otf2_records.def"
    return all;
}
