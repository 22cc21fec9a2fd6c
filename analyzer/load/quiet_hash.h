#ifndef MWA_LOAD_QUIET_HASH_H
#define MWA_LOAD_QUIET_HASH_H

#include <stdint.h>

/*
 * What tells things that begin and end apart, as a number: quiet_places.h adds them up. The low
 * bits are 0, so that there is room for what kind of thing has it.
 */

enum mwa_quiet_what {
    MWA_QUIET_MESSAGE = 1,
    MWA_QUIET_BLOCKING,
    MWA_QUIET_BLOCKING_NEIGHBORS,
    MWA_QUIET_NONBLOCKING,
    MWA_QUIET_NONBLOCKING_NEIGHBORS,
    MWA_QUIET_INIT,
    MWA_QUIET_CREATION,
    MWA_QUIET_WINDOW, /* a fence, or a window made or freed */
    MWA_QUIET_NOTICE, /* of a post or complete, to a start or wait */
    MWA_QUIET_WORLD
};

#define MWA_QUIET_LOW_BITS UINT64_C(15)

/* SplitMix64's finalizer (Steele, Lea and Flood). */
static inline uint64_t mwa_quiet_mix(uint64_t bits)
{
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

static inline uint64_t mwa_quiet_hash(enum mwa_quiet_what what, uint64_t one, uint64_t other,
                                      uint64_t number)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t hash = mwa_quiet_mix(what * golden + one);

    return mwa_quiet_mix(mwa_quiet_mix(hash + golden + other) + golden + number) &
           ~MWA_QUIET_LOW_BITS;
}

#endif
