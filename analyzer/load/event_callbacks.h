#ifndef MWA_LOAD_EVENT_CALLBACKS_H
#define MWA_LOAD_EVENT_CALLBACKS_H

#include <otf2/otf2.h>

#include "analyzer/load/input.h"
#include "analyzer/load/joint.h"

/*
 * OTF2's records as events of the model: what libotf2 calls back with, one location's after the
 * other, is delivered to visit. The user pointer of all callbacks is a struct mwa_delivery.
 */
struct mwa_delivery {
    const struct mwa_trace *trace;
    uint32_t location;
    const struct mwa_joint_part *part; /* of the joint trace that events are to be of; or null */
    mwa_event_visit visit;
    void *user;

    /* Why libotf2 was stopped, if it was: */
    enum mw_status status; /* what visit returned */
    bool is_backwards;     /* times did not ascend */
    char wrong[128];       /* what an event refers to and is not there; "": nothing */

    uint64_t last_time;
};

/* Hands an event of the location on; what a callback returns. */
OTF2_CallbackCode mwa_deliver(struct mwa_delivery *delivery, struct mwa_event *event);

/*
 * Ends the reading: the event at position refers to what is not there, and numbers would be wrong
 * without a word if it were passed over. A communicator whose definition was lost is none of these:
 * its id says so.
 */
OTF2_CallbackCode mwa_delivery_refuse(struct mwa_delivery *delivery, uint64_t position,
                                      const char *what, uint32_t id);

/* The callbacks, to be deleted; null: no memory. */
OTF2_EvtReaderCallbacks *mwa_event_callbacks(void);

#endif
