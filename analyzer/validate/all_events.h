#ifndef MWA_VALIDATE_ALL_EVENTS_H
#define MWA_VALIDATE_ALL_EVENTS_H

#include <stdatomic.h>

#include "analyzer/load/each_location.h"
#include "analyzer/validate/defined.h"
#include "analyzer/validate/findings.h"

/*
 * Checks the events of all locations (events.h), in the locations' order, by as many threads as
 * are worth it. beside is what is of use only where nothing is corrupt, and is done meanwhile by
 * the thread that called; null: nothing. *is_corrupt is set as soon as a location is, or can't be
 * read, before the others are through. Memory: 400 KiB a thread.
 *
 * \return true when all events could be read.
 */
bool mwa_check_all_events(struct mwa_input *input, const struct mwa_defined *defined,
                          const struct mwa_beside *beside, atomic_bool *is_corrupt,
                          struct mwa_findings *findings);

#endif
