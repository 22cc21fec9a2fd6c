#ifndef MWA_ANALYSIS_MESSAGES_CLAIMS_H
#define MWA_ANALYSIS_MESSAGES_CLAIMS_H

#include "analyzer/analysis/messages/mistakes.h"

/*
 * What the members of a communicator say of one thing that they have to agree on. Mostly all say
 * the same, which takes no memory of its own. It does not depend on who is asked first.
 */

#define MWA_CLAIMS_MAX 16u /* of one thing; the least values */

/* Those who say one thing, and the first of them by rank. */
struct mwa_claim {
    uint64_t value;
    uint32_t count; /* of members; 0: nobody says anything */
    uint32_t rank;
    uint32_t site; /* where it called */
};

/* All that is said of it. Zeros: nothing. */
struct mwa_claims {
    struct mwa_claim first;
    uint32_t other_count;
    struct mwa_claim *others; /* null, or room for all */
};

/* The member of rank says value. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_claims_take(struct mwa_claims *claims, uint64_t value, uint32_t rank,
                               uint32_t site) MW_MUST_CHECK;

/* A copy, whose fini is due in any case. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_claims_copy(const struct mwa_claims *claims,
                               struct mwa_claims *copy) MW_MUST_CHECK;
bool mwa_claims_are_alike(const struct mwa_claims *claims, const struct mwa_claims *others);
void mwa_claims_fini(struct mwa_claims *claims);

/* How many things are said, and one of them. */
uint32_t mwa_claims_count(const struct mwa_claims *claims);
const struct mwa_claim *mwa_claims_at(const struct mwa_claims *claims, uint32_t index);

/* What most say; of as many, those with the lowest rank. */
const struct mwa_claim *mwa_claims_main(const struct mwa_claims *claims);

typedef bool (*mwa_claim_is_wrong)(const struct mwa_claim *claim, const struct mwa_claim *most,
                                   const void *user);

/* Of claims that are wrong beside the main one (is_wrong null: all are) the lowest rank's; null:
 * there is none. */
const struct mwa_claim *mwa_claims_other(const struct mwa_claims *claims,
                                         const struct mwa_claim *most,
                                         mwa_claim_is_wrong is_wrong, const void *user);

/* A mistake of the ranks of two claims; other null: of the first. */
struct mwa_mistake mwa_claims_mistake(enum mwa_mistake_kind kind, uint32_t comm,
                                      const struct mwa_claim *one, const struct mwa_claim *other);

/* Between processes (analyzer/team/packing.h); unpack into zeros, fini is due in any case. */
void mwa_claims_pack(const struct mwa_claims *claims, struct mw_buffer *to);
enum mw_status mwa_claims_unpack(struct mwa_claims *claims, const struct mwa_trace *trace,
                                 struct mw_cursor *from) MW_MUST_CHECK;

#endif
