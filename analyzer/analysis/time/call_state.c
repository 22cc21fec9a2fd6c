/* A function's group says what it is of, but for those of requests, which may be of anything. */
#include "analyzer/analysis/time/call_state.h"

#include "formats/table/calls.h"

enum mwa_state mwa_state_of(const struct mwa_region *region, enum mwa_use use)
{
    static const enum mwa_state of_use[MWA_USES] = {
        [MWA_USE_UNTOLD] = MWA_STATE_P2P,
        [MWA_USE_MESSAGES] = MWA_STATE_P2P,
        [MWA_USE_OPERATIONS] = MWA_STATE_COLLECTIVE,
        [MWA_USE_FILES] = MWA_STATE_IO,
        [MWA_USE_OTHER] = MWA_STATE_OTHER
    };

    switch (region->call < MW_CALL_COUNT ? mw_call_group(region->call) : MW_GROUP_COUNT) {
    case MW_GROUP_P2P:
        return of_use[use];
    case MW_GROUP_COLL:
        return MWA_STATE_COLLECTIVE;
    case MW_GROUP_IO:
        return MWA_STATE_IO;
    default:
        return MWA_STATE_OTHER;
    }
}
