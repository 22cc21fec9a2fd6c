/* Members are told apart by a hash of them: comparing each communicator with each would take the
 * square of their number. */
#include "analyzer/model/sides.h"

#include <stdlib.h>

#include "analyzer/model/map.h"
#include "analyzer/model/mix.h"

/* What is looked up while sides are found. */
struct finding {
    struct mwa_trace *trace;
    struct mwa_key *keys;     /* by group: what tells its members apart */
    struct mwa_map first;     /* by members: the first communicator that has them … */
    struct mwa_map sibling;   /* … and the first of those that one call made */
    struct mwa_map are_sides; /* members of intercommunicators' sides */
};

static struct mwa_key key_of_group(const struct mwa_group *group)
{
    struct mwa_key key = { group->count, group->self };

    for (uint32_t i = 0; !group->self && i < group->count; i++) {
        key.high = mwa_mix(key.high + UINT64_C(0x9e3779b97f4a7c15) + group->ranks[i]);
        key.low = mwa_mix(key.low ^ key.high);
    }
    return key;
}

/* Those with these members that a call has made, of which one on parent was the so many-th. */
static struct mwa_key key_of_sibling(struct mwa_key members, const struct mwa_comm *comm)
{
    return (struct mwa_key){ mwa_mix(members.high + comm->parent),
                             mwa_mix(members.low ^ comm->sequence) };
}

static bool is_told(const struct mwa_trace *trace, uint32_t group)
{
    return group != MWA_NONE && !trace->groups[group].self;
}

static bool has_intercommunicator(const struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < trace->comm_count; i++) {
        if (trace->comms[i].inter) {
            return true;
        }
    }
    return false;
}

/* Puts it at a key that has nothing yet. */
static bool put_first(struct mwa_map *map, struct mwa_key key, uint32_t comm)
{
    return mwa_map_put(map, key, comm) != NULL;
}

static bool take(struct finding *finding, uint32_t index)
{
    const struct mwa_trace *trace = finding->trace;
    const struct mwa_comm *comm = &trace->comms[index];
    const bool knows_both = is_told(trace, comm->group) && is_told(trace, comm->remote_group);

    if (!is_told(trace, comm->group)) {
        return true;
    }
    if (comm->inter) {
        return put_first(&finding->are_sides, finding->keys[comm->group], index) &&
               (!knows_both ||
                put_first(&finding->are_sides, finding->keys[comm->remote_group], index));
    }
    return put_first(&finding->first, finding->keys[comm->group], index) &&
           put_first(&finding->sibling, key_of_sibling(finding->keys[comm->group], comm), index);
}

static bool is_same(struct mwa_key one, struct mwa_key other)
{
    return one.high == other.high && one.low == other.low;
}

/* What members made an intercommunicator of whose parent has others. */
static uint32_t made_by(const struct finding *finding, const struct mwa_comm *parent,
                        struct mwa_key members)
{
    uint64_t found = mwa_map_get(&finding->sibling, key_of_sibling(members, parent));

    found = found != MWA_MAP_ABSENT ? found : mwa_map_get(&finding->first, members);
    return found != MWA_MAP_ABSENT ? (uint32_t)found : MWA_NONE;
}

static void find(const struct finding *finding, uint32_t index)
{
    const struct mwa_trace *trace = finding->trace;
    const struct mwa_comm *comm = &trace->comms[index];
    const struct mwa_comm *parent = comm->parent != MWA_NONE ? &trace->comms[comm->parent] : NULL;
    struct mwa_comm_sides *sides = &trace->sides[index];
    bool is_first;

    *sides = (struct mwa_comm_sides){ .made_of = { comm->parent, comm->parent } };
    if (!comm->inter) {
        sides->is_side = is_told(trace, comm->group) &&
                         mwa_map_get(&finding->are_sides, finding->keys[comm->group]) !=
                             MWA_MAP_ABSENT;
        return;
    }
    if (!parent || !is_told(trace, parent->group) || !is_told(trace, comm->group) ||
        !is_told(trace, comm->remote_group)) {
        return;
    }
    is_first = is_same(finding->keys[parent->group], finding->keys[comm->group]);
    if (is_first || is_same(finding->keys[parent->group], finding->keys[comm->remote_group])) {
        sides->made_of[is_first] =
            made_by(finding, parent,
                    finding->keys[is_first ? comm->remote_group : comm->group]);
    }
}

bool mwa_trace_find_sides(struct mwa_trace *trace)
{
    struct finding finding = { .trace = trace };
    bool has_room;

    if (!has_intercommunicator(trace)) {
        return true;
    }
    trace->sides = calloc(trace->comm_count, sizeof *trace->sides);
    finding.keys = calloc(trace->group_count + 1, sizeof *finding.keys);
    has_room = trace->sides && finding.keys;
    for (uint64_t i = 0; has_room && i < trace->group_count; i++) {
        finding.keys[i] = key_of_group(&trace->groups[i]);
    }
    for (uint32_t i = 0; has_room && i < trace->comm_count; i++) {
        has_room = take(&finding, i);
    }
    for (uint32_t i = 0; has_room && i < trace->comm_count; i++) {
        find(&finding, i);
    }
    free(finding.keys);
    mwa_map_fini(&finding.first);
    mwa_map_fini(&finding.sibling);
    mwa_map_fini(&finding.are_sides);
    return has_room;
}

uint32_t mwa_comm_made_of(const struct mwa_trace *trace, uint32_t comm, uint32_t rank)
{
    const struct mwa_comm *of = &trace->comms[comm];

    return trace->sides && of->inter
               ? trace->sides[comm].made_of[!mwa_trace_has_rank(trace, of->group, rank)]
               : of->parent;
}
