#ifndef MWA_LOAD_QUIET_HASH_H
#define MWA_LOAD_QUIET_HASH_H

#include <stdint.h>

#include "analyzer/model/mix.h"

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

static inline uint64_t mwa_quiet_hash(enum mwa_quiet_what what, uint64_t one, uint64_t other,
                                      uint64_t number)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t hash = mwa_mix(what * golden + one);

    return mwa_mix(mwa_mix(hash + golden + other) + golden + number) &
           ~MWA_QUIET_LOW_BITS;
}

#endif
