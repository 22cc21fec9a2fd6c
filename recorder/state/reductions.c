/* Found by a hash of the handle: a chain of comparisons would take as long as the rest of it. */
#include "recorder/state/reductions.h"

#include <stddef.h>

/* Written in MPI_Init, before anybody reads it. */
struct mwr_reduction mwr_reductions[MWR_REDUCTION_SLOTS];

void mwr_reductions_init(void)
{
    const struct {
        MPI_Op handle;
        enum mw_reduction code;
    } own[] = {
#define MW_REDUCTION(name) {MPI_##name, MW_REDUCTION_##name},
        MW_REDUCTIONS(MW_REDUCTION)
#undef MW_REDUCTION
    };

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        unsigned at = mwr_reduction_home((uintptr_t)own[i].handle);

        while (mwr_reductions[at].handle != 0 &&
               mwr_reductions[at].handle != (uintptr_t)own[i].handle) {
            at = (at + 1) % MWR_REDUCTION_SLOTS;
        }
        mwr_reductions[at] = (struct mwr_reduction){(uintptr_t)own[i].handle, own[i].code};
    }
}
