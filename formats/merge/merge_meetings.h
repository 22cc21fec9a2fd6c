#ifndef MW_FORMATS_MERGE_MERGE_MEETINGS_H
#define MW_FORMATS_MERGE_MERGE_MEETINGS_H

#include "formats/merge/merge.h"

/*
 * Takes in where rank's process met another job, having defined the communicator; who tells it
 * first of one is believed. \return false: no memory.
 */
bool mw_merge_meeting(struct mw_merged *merged, uint32_t rank,
                      const struct mw_define_meeting *meeting);

#endif
