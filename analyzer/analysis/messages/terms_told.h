#ifndef MWA_ANALYSIS_MESSAGES_TERMS_TOLD_H
#define MWA_ANALYSIS_MESSAGES_TERMS_TOLD_H

#include "analyzer/analysis/messages/claims.h"
#include "analyzer/model/map.h"

/*
 * What members say of the terms of one operation (formats/table/terms.h). A location tells them
 * where they are others than before, so that in a chapter of a run (analyzer/load/chapters.h) they
 * may be what an earlier one has told.
 */

/* A member whose terms an earlier chapter has told, if any has. */
struct mwa_terms_heir {
    uint32_t location; /* index */
    uint32_t rank;
    uint32_t site;
};

/* Zeros: nobody has said anything. */
struct mwa_terms_told {
    struct mwa_claims reductions;
    struct mwa_claims scalars;
    struct mwa_terms_heir *heirs;
    uint64_t heir_count;
    uint64_t heir_capacity;
};

/* Where in a map those are that a location has told last, of an operation (OTF2_CollectiveOp). */
static inline struct mwa_key mwa_terms_key(uint32_t location, uint32_t comm, uint32_t operation)
{
    return (struct mwa_key){ (uint64_t)location << 32 | comm, operation };
}

/* The member of rank says terms; 0: it does not say. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_terms_told_take(struct mwa_terms_told *told, uint32_t terms, uint32_t rank,
                                   uint32_t site) MW_MUST_CHECK;

/* A member is an heir. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_terms_told_inherit(struct mwa_terms_told *told,
                                      const struct mwa_terms_heir *heir) MW_MUST_CHECK;

/*
 * Adds the mistakes of an operation on comm without heirs; *is_broken: its data is not of one type.
 * MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_terms_told_judge(const struct mwa_terms_told *told, uint32_t comm,
                                    bool *is_broken, struct mwa_mistakes *mistakes) MW_MUST_CHECK;
void mwa_terms_told_fini(struct mwa_terms_told *told);

#endif
