#ifndef MW_FORMATS_MERGE_CLOCKS_H
#define MW_FORMATS_MERGE_CLOCKS_H

#include "formats/merge/merge.h"

/*
 * Once all ranks are merged: gives all ranks of a host the points of its clock that the one has
 * told which told most of them, the lowest of these, and chooses of them (mw_clock_choose).
 *
 * \return false without memory.
 */
bool mw_merge_clocks(struct mw_merged *merged);

#endif
