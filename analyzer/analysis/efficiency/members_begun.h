#ifndef MWA_ANALYSIS_EFFICIENCY_MEMBERS_BEGUN_H
#define MWA_ANALYSIS_EFFICIENCY_MEMBERS_BEGUN_H

#include "analyzer/analysis/efficiency/dependence.h"
#include "analyzer/analysis/efficiency/instants.h"

/* When members of collectives have begun, as instants of a replay. Not thread-safe. */
struct mwa_members_begun {
    struct mwa_instants *instants;
    /* When call began, lent; null: it is not followed. The note at slot of a collective's first
     * member belongs to this. */
    struct mwa_instant *(*begin_of)(const struct mwa_exchange_call *call, uint32_t slot);
    uint32_t slot;
    struct mwa_pool pool;
};

void mwa_members_begun_init(struct mwa_members_begun *begun, struct mwa_instants *instants,
                            struct mwa_instant *(*begin_of)(const struct mwa_exchange_call *call,
                                                            uint32_t slot),
                            uint32_t slot);
void mwa_members_begun_fini(struct mwa_members_begun *begun);

/* When all have begun that member waits for (dependence.h), for an owner; null: no memory. */
struct mwa_instant *mwa_members_begun_for(struct mwa_members_begun *begun,
                                          const struct mwa_member *member,
                                          struct mwa_dependence *dependence);

/* When all members have, for an owner; null: no memory. */
struct mwa_instant *mwa_members_begun_all(struct mwa_members_begun *begun,
                                          const struct mwa_collective *collective);

/* Nobody will ask for members of collective any more. */
void mwa_members_begun_drop(struct mwa_members_begun *begun, struct mwa_collective *collective);

#endif
