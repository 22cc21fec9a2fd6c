#include "formats/region_role.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "formats/calls.h"

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

/* Collectives by how their name begins, after "MPI_" or "MPI_I"; the first that fits. */
static const struct {
    const char *stem;
    OTF2_RegionRole role;
} collective_roles[] = {
    {"barrier", OTF2_REGION_ROLE_BARRIER},     {"bcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
    {"scatter", OTF2_REGION_ROLE_COLL_ONE2ALL}, {"gather", OTF2_REGION_ROLE_COLL_ALL2ONE},
    {"reduce_scatter", OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"reduce_local", OTF2_REGION_ROLE_FUNCTION}, {"reduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
    {"allgather", OTF2_REGION_ROLE_COLL_ALL2ALL}, {"allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"alltoall", OTF2_REGION_ROLE_COLL_ALL2ALL},
};

OTF2_RegionRole mw_region_role(unsigned call)
{
    const char *name = mw_call_name(call) + strlen("MPI_");

    if (mw_call_group(call) != MW_GROUP_COLL) {
        return role_of_group[mw_call_group(call)];
    }
    name += name[0] == 'I' ? 1 : 0;
    for (size_t i = 0; i < sizeof collective_roles / sizeof collective_roles[0]; i++) {
        const char *stem = collective_roles[i].stem;

        if (strncasecmp(name, stem, strlen(stem)) == 0) {
            return collective_roles[i].role;
        }
    }
    return OTF2_REGION_ROLE_COLL_OTHER;
}
