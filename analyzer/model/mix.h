#ifndef MWA_MODEL_MIX_H
#define MWA_MODEL_MIX_H

#include <stdint.h>

/* Makes each bit depend on all: SplitMix64's finalizer (Steele, Lea and Flood). */
static inline uint64_t mwa_mix(uint64_t bits)
{
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

#endif
