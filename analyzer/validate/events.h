#ifndef MWA_VALIDATE_EVENTS_H
#define MWA_VALIDATE_EVENTS_H

#include <otf2/otf2.h>

#include "analyzer/load/input.h"
#include "analyzer/validate/defined.h"
#include "analyzer/validate/findings.h"

/* What libotf2 is to call for events that are checked, by any number of threads; to be freed with
 * OTF2_EvtReaderCallbacks_Delete. Null: no memory. */
OTF2_EvtReaderCallbacks *mwa_event_callbacks(void);

/*
 * Reads the events of a location, an index of input's trace: times ascend, what events refer to is
 * defined, peers and roots are in their communicators, calls are nested, and there are as many
 * events as the location's definition says. One finding for each kind of trouble, with the place
 * of the first and how many there are. Memory: 400 KiB.
 *
 * \return true when all of them could be read.
 */
bool mwa_check_events(struct mwa_input *input, uint32_t location,
                      const struct mwa_defined *defined,
                      const OTF2_EvtReaderCallbacks *callbacks, struct mwa_findings *findings);

#endif
