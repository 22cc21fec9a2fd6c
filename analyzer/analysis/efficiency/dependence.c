#include "analyzer/analysis/efficiency/dependence.h"

#include "analyzer/model/needs.h"

/* Takes a member in whose begin is known. */
static void wait_for(struct mwa_dependence *dependence, const struct mwa_collective *collective,
                     uint32_t index, mwa_member_words words, void *user)
{
    const struct mwa_member *member = &collective->members[index];

    if (!member->begin) {
        return;
    }
    dependence->words = mwa_greatest(dependence->words, words(member, user));
    if (dependence->latest == MWA_NONE ||
        mwa_is_later(member, &collective->members[dependence->latest])) {
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
                                        const struct mwa_sources *sources, mwa_member_words words,
                                        void *user)
{
    struct mwa_dependence dependence = nothing;

    for (uint32_t i = 0; i < sources->count; i++) {
        wait_for(&dependence, collective, sources->positions[i], words, user);
    }
    return dependence;
}

/* What a group has to offer to those that wait for all of it. */
static void gather(const struct mwa_collective *collective, unsigned group, bool all,
                   mwa_member_words words, void *user, struct mwa_gathering *gathering)
{
    gathering->of[group] = nothing;
    gathering->is_made[group] = true;
    for (uint32_t i = 0; i < collective->count; i++) {
        if (group_of(collective, i) == group &&
            (all || collective->members[i].bytes_sent > 0)) {
            wait_for(&gathering->of[group], collective, i, words, user);
        }
    }
}

struct mwa_dependence mwa_dependence_of(const struct mwa_collective *collective, uint32_t member,
                                        mwa_member_words words, void *user,
                                        struct mwa_gathering *gathering)
{
    const enum mwa_needs needs = mwa_needs_of(collective);
    const bool is_root = member == collective->root;
    const unsigned other = collective->inter ? !group_of(collective, member) : 0;
    struct mwa_dependence dependence = nothing;

    if (collective->members[member].sources) {
        return on_sources(collective, collective->members[member].sources, words, user);
    }
    if (needs == MWA_NEEDS_NOBODY) {
        return nothing;
    }
    if (needs == MWA_NEEDS_LOWER || needs == MWA_NEEDS_FIRST) {
        for (uint32_t i = 0; i < member; i++) {
            wait_for(&dependence, collective, i, words, user);
        }
        return dependence;
    }
    if (needs != MWA_NEEDS_ALL && collective->members[member].bytes_received == 0) {
        return nothing;
    }
    if (needs == MWA_NEEDS_ROOT) {
        if (!is_root && collective->root != MWA_NONE &&
            group_of(collective, collective->root) == other) {
            wait_for(&dependence, collective, collective->root, words, user);
        }
        return dependence;
    }
    if (needs == MWA_NEEDS_ALL_AT_ROOT && !is_root) {
        return nothing;
    }
    if (!gathering->is_made[other]) {
        gather(collective, other, needs == MWA_NEEDS_ALL, words, user, gathering);
    }
    return gathering->of[other];
}
