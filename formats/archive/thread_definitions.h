#ifndef MW_FORMATS_ARCHIVE_THREAD_DEFINITIONS_H
#define MW_FORMATS_ARCHIVE_THREAD_DEFINITIONS_H

#include <otf2/otf2.h>

#include "formats/archive/defining.h"

/*
 * What OTF2 wants to be defined for ThreadBegin and ThreadEnd: the paradigm of POSIX
 * threads, the group of all locations of processes with several threads, and for each of
 * these processes the group of its own and a Comm of that, its thread contingent.
 */

/*
 * The ids of groups begin with first_group. Locations and communicators have to be defined
 * before.
 */
void mw_thread_definitions_write(struct mw_defining *defining, uint32_t first_group);

#endif
