#ifndef MWA_VALIDATE_EVENTS_H
#define MWA_VALIDATE_EVENTS_H

#include "analyzer/load/input.h"
#include "analyzer/validate/defined.h"
#include "analyzer/validate/findings.h"

/*
 * Reads the events of all locations, one after the other: times ascend, what events refer
 * to is defined, peers and roots are in their communicators, calls are nested, and there
 * are as many events as the location's definition says. One finding for each location and
 * kind of trouble, with the place of the first and how many there are. Memory: 400 KiB.
 *
 * \return true when all events could be read.
 */
bool mwa_check_events(struct mwa_input *input, const struct mwa_defined *defined,
                      struct mwa_findings *findings);

#endif
