/*
 * Members that wait for all of a group share one instant, as they share what they gather: a
 * collective costs as much as its members, and not as their pairs.
 */
#include "analyzer/analysis/efficiency/members_begun.h"

/* What the members of a collective share. */
struct shared {
    struct mwa_gathering gathering; /* first: a pool's to write over */
    struct mwa_instant *all[2];     /* when all of a group have begun */
};

void mwa_members_begun_init(struct mwa_members_begun *begun, struct mwa_instants *instants,
                            struct mwa_instant *(*begin_of)(const struct mwa_exchange_call *call,
                                                            uint32_t slot),
                            uint32_t slot)
{
    *begun = (struct mwa_members_begun){ .instants = instants,
                                         .begin_of = begin_of,
                                         .slot = slot,
                                         .pool = { .size = sizeof(struct shared) } };
}

void mwa_members_begun_fini(struct mwa_members_begun *begun)
{
    mwa_pool_fini(&begun->pool);
}

/* Those that are waited for, as they are asked for their word. */
struct asking {
    struct mwa_members_begun *begun;
    struct mwa_instant *all;
    enum mw_status status;
};

static struct mwa_words ask_member(const struct mwa_member *member, void *user)
{
    struct asking *asking = user;
    struct mwa_members_begun *begun = asking->begun;
    struct mwa_instant *begin = begun->begin_of(member->begin, begun->slot);

    if (begin && asking->status == MW_OK) {
        asking->status = mwa_instant_follow(begun->instants, begin, asking->all, false, MWA_NONE);
    }
    return (struct mwa_words){ 0 };
}

static struct shared *shared_of(struct mwa_members_begun *begun,
                                const struct mwa_collective *collective)
{
    uint64_t *note = &collective->members[0].note[begun->slot];

    if (*note == 0) {
        *note = (uintptr_t)mwa_pool_take(&begun->pool);
    }
    return (struct shared *)(uintptr_t)*note;
}

struct mwa_instant *mwa_members_begun_for(struct mwa_members_begun *begun,
                                          const struct mwa_member *member,
                                          struct mwa_dependence *dependence)
{
    struct mwa_collective *collective = member->collective;
    struct shared *shared = shared_of(begun, collective);
    struct asking asking = { .begun = begun, .all = mwa_instant_make(begun->instants) };
    const uint32_t index = (uint32_t)(member - collective->members);
    const unsigned group = collective->inter && index < collective->first_count;
    bool was_made;

    if (!shared || !asking.all) {
        return NULL;
    }
    was_made = shared->gathering.is_made[group];
    *dependence = mwa_dependence_of(collective, index, ask_member, &asking, &shared->gathering);
    mwa_instant_close(begun->instants, asking.all);
    if (!was_made && shared->gathering.is_made[group]) {
        shared->all[group] = asking.all;
        asking.all->references++;
    } else if (was_made && dependence->latest != MWA_NONE && !member->sources) {
        mwa_instant_drop(begun->instants, asking.all);
        asking.all = shared->all[group];
        asking.all->references++;
    }
    return asking.status == MW_OK ? asking.all : NULL;
}

struct mwa_instant *mwa_members_begun_all(struct mwa_members_begun *begun,
                                          const struct mwa_collective *collective)
{
    struct asking asking = { .begun = begun, .all = mwa_instant_make(begun->instants) };

    if (!asking.all) {
        return NULL;
    }
    for (uint32_t i = 0; i < collective->count; i++) {
        (void)ask_member(&collective->members[i], &asking);
    }
    mwa_instant_close(begun->instants, asking.all);
    return asking.status == MW_OK ? asking.all : NULL;
}

void mwa_members_begun_drop(struct mwa_members_begun *begun, struct mwa_collective *collective)
{
    uint64_t *note = &collective->members[0].note[begun->slot];
    struct shared *shared = (struct shared *)(uintptr_t)*note;

    if (shared) {
        mwa_instant_drop(begun->instants, shared->all[0]);
        mwa_instant_drop(begun->instants, shared->all[1]);
        mwa_pool_give(&begun->pool, shared);
        *note = 0;
    }
}
