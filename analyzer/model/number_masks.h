#ifndef MWA_MODEL_NUMBER_MASKS_H
#define MWA_MODEL_NUMBER_MASKS_H

#include <stdint.h>

/* What of 8 bytes, the least first, is a number of so many. */
static const uint64_t mwa_number_masks[9] = { 0,
                                              UINT64_MAX >> 56,
                                              UINT64_MAX >> 48,
                                              UINT64_MAX >> 40,
                                              UINT64_MAX >> 32,
                                              UINT64_MAX >> 24,
                                              UINT64_MAX >> 16,
                                              UINT64_MAX >> 8,
                                              UINT64_MAX };

#endif
