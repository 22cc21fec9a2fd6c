#ifndef MWA_LOAD_CALLBACK_H
#define MWA_LOAD_CALLBACK_H

#include <otf2/OTF2_EvtReaderCallbacks.h>

/*
 * The head of a callback of libotf2 for an event: what all have come first, used or not, and the
 * event's own parameters follow. MWA_CALLBACK(on_enter, OTF2_RegionRef region) makes
 *
 *   static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time,
 *                                     uint64_t position, void *user,
 *                                     OTF2_AttributeList *attributes, OTF2_RegionRef region)
 */
#define MWA_CALLBACK(name, ...)                                                                    \
    static OTF2_CallbackCode name(OTF2_LocationRef location, OTF2_TimeStamp time,                  \
                                  uint64_t position, void *user, OTF2_AttributeList *attributes,   \
                                  ##__VA_ARGS__)

#endif
