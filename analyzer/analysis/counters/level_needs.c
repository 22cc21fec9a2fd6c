#include "analyzer/analysis/counters/level_needs.h"

#include "formats/table/calls.h"

#define OF(group) (1u << MW_GROUP_##group)
#define LEFT_OUT  " were not recorded (mpiwatch-record -e)"

static const struct need {
    uint32_t all;  /* without one of these groups it is not known … */
    uint32_t some; /* … and these begin some, too */
    const char *unknown;
    const char *more;
} needs[MWA_LEVEL_KINDS] = {
    [MWA_LEVEL_REQUESTS] = { OF(P2P), OF(COLL) | OF(COMM) | OF(TOPO) | OF(RMA) | OF(IO),
                             "calls of the group p2p" LEFT_OUT,
                             "calls of other groups that begin requests" LEFT_OUT },
    [MWA_LEVEL_SENDS] = { OF(P2P), 0, "calls of the group p2p" LEFT_OUT, NULL },
    [MWA_LEVEL_COMMS] = { OF(COMM), OF(TOPO), "calls of the group comm" LEFT_OUT,
                          "calls of the group topo, which make some," LEFT_OUT },
    [MWA_LEVEL_FLIGHT] = { OF(P2P), 0, "calls of the group p2p" LEFT_OUT, NULL },
    [MWA_LEVEL_UNEXPECTED] = { OF(P2P), 0, "calls of the group p2p" LEFT_OUT, NULL },
};

const char *mwa_level_is_unknown(enum mwa_level_kind kind, uint32_t left_out)
{
    return needs[kind].all & left_out ? needs[kind].unknown : NULL;
}

const char *mwa_level_is_more(enum mwa_level_kind kind, uint32_t left_out)
{
    return needs[kind].some & left_out ? needs[kind].more : NULL;
}
