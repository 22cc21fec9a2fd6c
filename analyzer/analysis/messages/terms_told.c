/* Reductions and scalars are held against each other each by itself. */
#include "analyzer/analysis/messages/terms_told.h"

#include <stdlib.h>

#include "formats/table/terms.h"

enum mw_status mwa_terms_told_take(struct mwa_terms_told *told, uint32_t terms, uint32_t rank,
                                   uint32_t site)
{
    const uint32_t reduction = MW_TERMS_REDUCTION(terms);
    const uint32_t scalar = MW_TERMS_SCALAR(terms);
    enum mw_status status =
        reduction == 0 ? MW_OK : mwa_claims_take(&told->reductions, reduction, rank, site);

    return status == MW_OK && scalar != 0 ? mwa_claims_take(&told->scalars, scalar, rank, site)
                                          : status;
}

enum mw_status mwa_terms_told_inherit(struct mwa_terms_told *told,
                                      const struct mwa_terms_heir *heir)
{
    if (!mwa_grow(&told->heirs, &told->heir_capacity, told->heir_count + 1,
                  sizeof *told->heirs)) {
        return MW_ERROR_MEMORY;
    }
    told->heirs[told->heir_count++] = *heir;
    return MW_OK;
}

static bool is_at_odds(const struct mwa_claim *claim, const struct mwa_claim *most,
                       const void *user)
{
    return MW_SCALAR_KIND((uint32_t)claim->value) == MW_SCALAR_AT_ODDS;
}

/* Holds what members tell of a term against each other; kind: what it is if they differ. */
static enum mw_status judge_term(const struct mwa_claims *claims, uint32_t comm,
                                 enum mwa_mistake_kind kind, bool *is_broken,
                                 struct mwa_mistakes *mistakes)
{
    const struct mwa_claim *one = mwa_claims_main(claims);
    const struct mwa_claim *other = NULL;
    const struct mwa_claim *own =
        kind == MWA_MISTAKE_TYPE ? mwa_claims_other(claims, NULL, is_at_odds, NULL) : NULL;
    struct mwa_mistake mistake;

    if (own) { /* what it sends is at odds with what it receives, whatever others say */
        one = own;
    } else {
        other = mwa_claims_other(claims, one, NULL, NULL);
    }
    *is_broken = own || other;
    if (!*is_broken) {
        return MW_OK;
    }
    mistake = mwa_claims_mistake(kind, comm, one, other);
    mistake.term = (uint32_t)one->value;
    mistake.other_term = other ? (uint32_t)other->value : 0;
    return mwa_mistakes_add(mistakes, &mistake);
}

enum mw_status mwa_terms_told_judge(const struct mwa_terms_told *told, uint32_t comm,
                                    bool *is_broken, struct mwa_mistakes *mistakes)
{
    enum mw_status status =
        judge_term(&told->reductions, comm, MWA_MISTAKE_REDUCTION, is_broken, mistakes);

    return status == MW_OK
               ? judge_term(&told->scalars, comm, MWA_MISTAKE_TYPE, is_broken, mistakes)
               : status;
}

void mwa_terms_told_fini(struct mwa_terms_told *told)
{
    mwa_claims_fini(&told->reductions);
    mwa_claims_fini(&told->scalars);
    free(told->heirs);
    *told = (struct mwa_terms_told){ .heirs = NULL };
}
