#ifndef MWA_LOAD_OBJECT_CALLBACKS_H
#define MWA_LOAD_OBJECT_CALLBACKS_H

#include <otf2/otf2.h>

/*
 * OTF2's records of windows and files as events of the model; they are delivered as those of
 * analyzer/load/event_callbacks.h.
 */
void mwa_object_callbacks_set(OTF2_EvtReaderCallbacks *all);

#endif
