/*
 * Other tools colour and group regions by their roles. A kind of call says more
 * than its group where it has a role of its own: Barrier and Bcast are both
 * collective.
 */
#include "formats/table/region_role.h"

#include "formats/table/calls.h"

static const OTF2_RegionRole role_of_group[MW_GROUP_COUNT] = {
    [MW_GROUP_P2P] = OTF2_REGION_ROLE_POINT2POINT,
    [MW_GROUP_COLL] = OTF2_REGION_ROLE_COLL_OTHER,
    [MW_GROUP_COMM] = OTF2_REGION_ROLE_FUNCTION,
    [MW_GROUP_TOPO] = OTF2_REGION_ROLE_FUNCTION,
    [MW_GROUP_RMA] = OTF2_REGION_ROLE_RMA,
    [MW_GROUP_IO] = OTF2_REGION_ROLE_FILE_IO,
    [MW_GROUP_ENV] = OTF2_REGION_ROLE_FUNCTION,
    [MW_GROUP_TYPE] = OTF2_REGION_ROLE_FUNCTION,
    [MW_GROUP_ATTR] = OTF2_REGION_ROLE_FUNCTION,
    [MW_GROUP_ERR] = OTF2_REGION_ROLE_FUNCTION,
    [MW_GROUP_INFO] = OTF2_REGION_ROLE_FUNCTION,
    [MW_GROUP_GROUP] = OTF2_REGION_ROLE_FUNCTION,
    [MW_GROUP_CONV] = OTF2_REGION_ROLE_FUNCTION,
    [MW_GROUP_TOOL] = OTF2_REGION_ROLE_FUNCTION,
};

/* A kind's own; OTF2_REGION_ROLE_UNKNOWN: as its group. */
static const OTF2_RegionRole role_of_kind[MW_KIND_COUNT] = {
#define ROLE_GROUP   OTF2_REGION_ROLE_UNKNOWN
#define ROLE_BARRIER OTF2_REGION_ROLE_BARRIER
#define ROLE_ONE2ALL OTF2_REGION_ROLE_COLL_ONE2ALL
#define ROLE_ALL2ONE OTF2_REGION_ROLE_COLL_ALL2ONE
#define ROLE_ALL2ALL OTF2_REGION_ROLE_COLL_ALL2ALL
#define ROLE_OTHER   OTF2_REGION_ROLE_COLL_OTHER
#define MW_KIND(name, role, meanings) [MW_KIND_##name] = ROLE_##role,
#include "formats/table/call_kinds.def"
};

OTF2_RegionRole mw_region_role(unsigned call)
{
    OTF2_RegionRole own = role_of_kind[mw_call_kind(call)];

    return own != OTF2_REGION_ROLE_UNKNOWN ? own : role_of_group[mw_call_group(call)];
}
