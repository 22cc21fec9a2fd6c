#ifndef MW_FORMATS_MERGE_MERGE_NAMES_H
#define MW_FORMATS_MERGE_MERGE_NAMES_H

#include <stdbool.h>

#include "formats/merge/merge.h"

/* The names of merged communicators; a part of formats/merge, not for others. */

/*
 * Takes in a name that a process gave to a communicator. What an earlier process gave
 * already is dropped: a name is usually given by all members alike.
 *
 * \return false without memory.
 */
bool mw_merge_name(struct mw_merged *merged, const struct mw_merged_name *given);

/*
 * Gives every communicator its default name, and the name that counts: the registered
 * one, else the one set in MPI, else the default. False without memory.
 */
bool mw_merge_choose_names(struct mw_merged *merged);

#endif
