#ifndef MWA_EXPORT_MOVED_EVENTS_H
#define MWA_EXPORT_MOVED_EVENTS_H

#include <otf2/otf2.h>

#include "analyzer/model/logical_clock.h"

/* Who takes OTF2's records of each kind, by otf2_records.def; null: nobody. */
struct mwa_event_callbacks {
#define EVENT(name, parameters, arguments) OTF2_EvtReaderCallback_##name name;
#include "analyzer/export/otf2_records.def"
};

/* The user of the callbacks below: callbacks get user, and times as clock moves them. */
struct mwa_moved_events {
    const struct mwa_event_callbacks *callbacks;
    void *user;
    const struct mwa_logical_clock *clock; /* null: times are as they are told */
};

/*
 * What libotf2's reader is to be given with a struct mwa_moved_events, to be freed with
 * OTF2_EvtReaderCallbacks_Delete; null: no memory.
 */
OTF2_EvtReaderCallbacks *mwa_moved_events_callbacks(const struct mwa_event_callbacks *callbacks);

#endif
