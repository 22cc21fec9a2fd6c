#ifndef MWR_STATE_REDUCTIONS_H
#define MWR_STATE_REDUCTIONS_H

#include <stdint.h>

#include "formats/base/status.h"
#include "formats/table/terms.h"
#include "recorder/dispatch/mpi_header.h"

/*
 * Which operation of MPI's own a handle is: they keep their handles for as long as the process
 * lives. All others are the program's, of which processes have no names in common.
 */

#define MWR_REDUCTION_SLOTS 64u /* a power of two, several times as many as there are */

struct mwr_reduction {
    uintptr_t handle; /* 0: the slot is free */
    uint32_t code;    /* enum mw_reduction */
};

extern struct mwr_reduction mwr_reductions[MWR_REDUCTION_SLOTS]
    __attribute__((visibility("hidden")));

/* Learns which are MPI's own. In MPI_Init; until then all are the program's. */
void mwr_reductions_init(void);

static inline unsigned mwr_reduction_home(uintptr_t handle)
{
    return (unsigned)(((uint64_t)handle * 0x9e3779b97f4a7c15u) >> 58) % MWR_REDUCTION_SLOTS;
}

/* enum mw_reduction of the operation. Thread-safe after mwr_reductions_init. */
static inline uint32_t mwr_reduction_of(MPI_Op op)
{
    unsigned at = mwr_reduction_home((uintptr_t)op);

    while (MW_UNLIKELY(mwr_reductions[at].handle != (uintptr_t)op)) {
        if (mwr_reductions[at].handle == 0) {
            return MW_REDUCTION_USER;
        }
        at = (at + 1) % MWR_REDUCTION_SLOTS;
    }
    return mwr_reductions[at].code;
}

#endif
