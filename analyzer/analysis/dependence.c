#include "analyzer/analysis/dependence.h"

#include <otf2/otf2.h>

/* Who waits for whom. */
enum pattern { NOBODY, EVERYBODY, ALL_FOR_DATA, ALL_FOR_ROOT, ROOT_FOR_ALL, FOR_LOWER };

static enum pattern pattern_of(const struct mwa_collective *collective)
{
    if (collective->kind == MWA_GROUP_NEIGHBOR ||
        (collective->kind == MWA_GROUP_WINDOW && collective->until > collective->since)) {
        return NOBODY; /* or a fence that assertions made local */
    }
    if (collective->kind >= MWA_GROUP_POST) {
        return FOR_LOWER; /* pairs: the second member for the first */
    }
    if (collective->kind != MWA_GROUP_COLLECTIVE) {
        return EVERYBODY;
    }
    switch (collective->operation) {
    case OTF2_COLLECTIVE_OP_BCAST:
    case OTF2_COLLECTIVE_OP_SCATTER:
    case OTF2_COLLECTIVE_OP_SCATTERV:
        return ALL_FOR_ROOT;
    case OTF2_COLLECTIVE_OP_REDUCE:
    case OTF2_COLLECTIVE_OP_GATHER:
    case OTF2_COLLECTIVE_OP_GATHERV:
        return ROOT_FOR_ALL;
    case OTF2_COLLECTIVE_OP_SCAN:
    case OTF2_COLLECTIVE_OP_EXSCAN:
        return FOR_LOWER;
    case OTF2_COLLECTIVE_OP_ALLGATHER:
    case OTF2_COLLECTIVE_OP_ALLGATHERV:
    case OTF2_COLLECTIVE_OP_ALLTOALL:
    case OTF2_COLLECTIVE_OP_ALLTOALLV:
    case OTF2_COLLECTIVE_OP_ALLTOALLW:
    case OTF2_COLLECTIVE_OP_ALLREDUCE:
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
        return ALL_FOR_DATA;
    default:
        return EVERYBODY;
    }
}

/* Takes a member in whose begin is known. */
static void wait_for(struct mwa_dependence *dependence, const struct mwa_collective *collective,
                     uint32_t index, mwa_member_word word, void *user)
{
    const struct mwa_member *member = &collective->members[index];
    uint64_t own;

    if (!member->begin) {
        return;
    }
    own = word(member, user);
    dependence->word = own > dependence->word ? own : dependence->word;
    if (dependence->latest == MWA_NONE ||
        member->begin->enter > collective->members[dependence->latest].begin->enter) {
        dependence->latest = index;
    }
}

static const struct mwa_dependence nothing = { .latest = MWA_NONE };

/* 0 or 1: group A or B of an intercommunicator; 0 otherwise. */
static unsigned group_of(const struct mwa_collective *collective, uint32_t member)
{
    return collective->inter && member >= collective->first_count;
}

/* What those have to offer that member gets something from, where that is told. */
static struct mwa_dependence on_sources(const struct mwa_collective *collective,
                                        const struct mwa_sources *sources, mwa_member_word word,
                                        void *user)
{
    struct mwa_dependence dependence = nothing;

    for (uint32_t i = 0; i < sources->count; i++) {
        wait_for(&dependence, collective, sources->positions[i], word, user);
    }
    return dependence;
}

/* What a group has to offer to those that wait for all of it. */
static void gather(const struct mwa_collective *collective, unsigned group, bool all,
                   mwa_member_word word, void *user, struct mwa_gathering *gathering)
{
    gathering->of[group] = nothing;
    gathering->is_made[group] = true;
    for (uint32_t i = 0; i < collective->count; i++) {
        if (group_of(collective, i) == group &&
            (all || collective->members[i].bytes_sent > 0)) {
            wait_for(&gathering->of[group], collective, i, word, user);
        }
    }
}

struct mwa_dependence mwa_dependence_of(const struct mwa_collective *collective, uint32_t member,
                                        mwa_member_word word, void *user,
                                        struct mwa_gathering *gathering)
{
    const enum pattern pattern = pattern_of(collective);
    const bool is_root = member == collective->root;
    const unsigned other = collective->inter ? !group_of(collective, member) : 0;
    struct mwa_dependence dependence = nothing;

    if (collective->members[member].sources) {
        return on_sources(collective, collective->members[member].sources, word, user);
    }
    if (pattern == NOBODY ||
        (pattern != EVERYBODY && pattern != FOR_LOWER &&
         collective->members[member].bytes_received == 0)) {
        return nothing;
    }
    if (pattern == ALL_FOR_ROOT) {
        if (!is_root && collective->root != MWA_NONE &&
            group_of(collective, collective->root) == other) {
            wait_for(&dependence, collective, collective->root, word, user);
        }
        return dependence;
    }
    if (pattern == FOR_LOWER) {
        for (uint32_t i = 0; i < member; i++) {
            wait_for(&dependence, collective, i, word, user);
        }
        return dependence;
    }
    if (pattern == ROOT_FOR_ALL && !is_root) {
        return nothing;
    }
    if (!gathering->is_made[other]) {
        gather(collective, other, pattern == EVERYBODY, word, user, gathering);
    }
    return gathering->of[other];
}
