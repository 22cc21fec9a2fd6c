/* An archive has one parent for each communicator: what the other side of an intercommunicator made
 * it of has to be found among all. */
#include "analyzer/analysis/comms/made_of.h"

#include <string.h>

static const struct mwa_group *group_at(const struct mwa_trace *trace, uint32_t index)
{
    return index != MWA_NONE && !trace->groups[index].self ? &trace->groups[index] : NULL;
}

static bool has_rank(const struct mwa_group *group, uint32_t rank)
{
    for (uint32_t i = 0; i < group->count; i++) {
        if (group->ranks[i] == rank) {
            return true;
        }
    }
    return false;
}

static bool is_same(const struct mwa_group *one, const struct mwa_group *other)
{
    return one && other && one->count == other->count &&
           (one == other ||
            memcmp(one->ranks, other->ranks, one->count * sizeof *one->ranks) == 0);
}

bool mwa_is_side_of(const struct mwa_trace *trace, uint32_t comm, uint32_t inter)
{
    const struct mwa_group *group = group_at(trace, trace->comms[comm].group);

    return !trace->comms[comm].inter && trace->comms[inter].inter &&
           (is_same(group, group_at(trace, trace->comms[inter].group)) ||
            is_same(group, group_at(trace, trace->comms[inter].remote_group)));
}

uint32_t mwa_comm_made_of(const struct mwa_trace *trace, uint32_t comm, uint32_t rank)
{
    const uint32_t parent = trace->comms[comm].parent;
    const struct mwa_group *of =
        parent != MWA_NONE ? group_at(trace, trace->comms[parent].group) : NULL;
    uint32_t found = MWA_NONE;

    if (!of || !trace->comms[comm].inter || has_rank(of, rank)) {
        return parent;
    }
    for (uint32_t i = 0; i < trace->comm_count; i++) {
        const struct mwa_comm *other = &trace->comms[i];
        const bool is_sibling = other->parent == trace->comms[parent].parent &&
                                other->sequence == trace->comms[parent].sequence;

        if ((found == MWA_NONE || is_sibling) && mwa_is_side_of(trace, i, comm) &&
            has_rank(&trace->groups[other->group], rank)) {
            found = i;
        }
        if (found == i && is_sibling) {
            break;
        }
    }
    return found;
}
