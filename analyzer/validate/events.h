#ifndef MWA_VALIDATE_EVENTS_H
#define MWA_VALIDATE_EVENTS_H

#include "analyzer/load/input.h"
#include "analyzer/validate/defined.h"
#include "analyzer/validate/findings.h"

/*
 * Reads the events of all locations, by as many threads as are worth it: times ascend, what
 * events refer to is defined, peers and roots are in their communicators, calls are nested, and
 * there are as many events as the location's definition says. One finding for each location and
 * kind of trouble, with the place of the first and how many there are, in the locations' order.
 * Memory: 400 KiB a thread.
 *
 * \return true when all events could be read.
 */
bool mwa_check_events(struct mwa_input *input, const struct mwa_defined *defined,
                      struct mwa_findings *findings);

#endif
