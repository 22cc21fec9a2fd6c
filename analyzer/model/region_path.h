#ifndef MWA_MODEL_REGION_PATH_H
#define MWA_MODEL_REGION_PATH_H

#include "analyzer/model/trace.h"

/* Regions of the program that are open, one in another. */
struct mwa_region_path {
    const struct mwa_region *region;     /* the innermost */
    const struct mwa_region_path *outer; /* null: there is no other */
    uint32_t depth;                      /* how many they are, at least 1 */
    uint32_t number;                     /* from 0 on, of those of one place */
};

#endif
