/* One thing is kept by itself, since it is mostly all that is said. */
#include "analyzer/analysis/messages/claims.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"

/* Of which there is one: the one at index 0 is the first. */
static struct mwa_claim *claim_at(struct mwa_claims *claims, uint32_t index)
{
    return index == 0 ? &claims->first : &claims->others[index - 1];
}

const struct mwa_claim *mwa_claims_at(const struct mwa_claims *claims, uint32_t index)
{
    return index == 0 ? &claims->first : &claims->others[index - 1];
}

uint32_t mwa_claims_count(const struct mwa_claims *claims)
{
    return claims->first.count == 0 ? 0 : 1 + claims->other_count;
}

static bool make_room(struct mwa_claims *claims)
{
    if (!claims->others) {
        claims->others = malloc((MWA_CLAIMS_MAX - 1) * sizeof *claims->others);
    }
    return claims->others != NULL;
}

/* Adds a value that nobody else has claimed; of too many the greatest goes, and comes no more. */
static enum mw_status add_claim(struct mwa_claims *claims, const struct mwa_claim *claim)
{
    uint32_t greatest = 0;

    if (!make_room(claims)) {
        return MW_ERROR_MEMORY;
    }
    if (mwa_claims_count(claims) < MWA_CLAIMS_MAX) {
        claims->others[claims->other_count++] = *claim;
        return MW_OK;
    }
    for (uint32_t i = 1; i < MWA_CLAIMS_MAX; i++) {
        greatest = claim_at(claims, i)->value > claim_at(claims, greatest)->value ? i : greatest;
    }
    if (claim->value < claim_at(claims, greatest)->value) {
        *claim_at(claims, greatest) = *claim;
    }
    return MW_OK;
}

enum mw_status mwa_claims_take(struct mwa_claims *claims, uint64_t value, uint32_t rank,
                               uint32_t site)
{
    const struct mwa_claim made = { value, 1, rank, site };

    for (uint32_t i = 0; i < mwa_claims_count(claims); i++) {
        struct mwa_claim *claim = claim_at(claims, i);

        if (claim->value == value) {
            claim->count++;
            if (rank < claim->rank) {
                claim->rank = rank;
                claim->site = site;
            }
            return MW_OK;
        }
    }
    if (claims->first.count == 0) {
        claims->first = made;
        return MW_OK;
    }
    return add_claim(claims, &made);
}

enum mw_status mwa_claims_copy(const struct mwa_claims *claims, struct mwa_claims *copy)
{
    *copy = (struct mwa_claims){ .first = claims->first };
    if (claims->other_count == 0) {
        return MW_OK;
    }
    if (!make_room(copy)) {
        return MW_ERROR_MEMORY;
    }
    copy->other_count = claims->other_count;
    memcpy(copy->others, claims->others, copy->other_count * sizeof *copy->others);
    return MW_OK;
}

bool mwa_claims_are_alike(const struct mwa_claims *claims, const struct mwa_claims *others)
{
    bool are_alike = mwa_claims_count(claims) == mwa_claims_count(others);

    for (uint32_t i = 0; are_alike && i < mwa_claims_count(claims); i++) {
        const struct mwa_claim *one = mwa_claims_at(claims, i), *other = mwa_claims_at(others, i);

        are_alike = one->value == other->value && one->count == other->count &&
                    one->rank == other->rank && one->site == other->site;
    }
    return are_alike;
}

void mwa_claims_fini(struct mwa_claims *claims)
{
    free(claims->others);
    *claims = (struct mwa_claims){ .others = NULL };
}

const struct mwa_claim *mwa_claims_main(const struct mwa_claims *claims)
{
    const struct mwa_claim *most = &claims->first;

    for (uint32_t i = 1; i < mwa_claims_count(claims); i++) {
        const struct mwa_claim *claim = mwa_claims_at(claims, i);

        if (claim->count > most->count ||
            (claim->count == most->count && claim->rank < most->rank)) {
            most = claim;
        }
    }
    return most;
}

const struct mwa_claim *mwa_claims_other(const struct mwa_claims *claims,
                                         const struct mwa_claim *most,
                                         mwa_claim_is_wrong is_wrong, const void *user)
{
    const struct mwa_claim *other = NULL;

    for (uint32_t i = 0; i < mwa_claims_count(claims); i++) {
        const struct mwa_claim *claim = mwa_claims_at(claims, i);

        if (claim != most && (!other || claim->rank < other->rank) &&
            (!is_wrong || is_wrong(claim, most, user))) {
            other = claim;
        }
    }
    return other;
}

struct mwa_mistake mwa_claims_mistake(enum mwa_mistake_kind kind, uint32_t comm,
                                      const struct mwa_claim *one, const struct mwa_claim *other)
{
    return (struct mwa_mistake){ .kind = kind,
                                 .is_sure = true,
                                 .rank = one->rank,
                                 .other = other ? other->rank : MWA_NONE,
                                 .comm = comm,
                                 .tag = MWA_NONE,
                                 .site = one->site,
                                 .other_site = other ? other->site : MWA_NONE,
                                 .count = 1,
                                 .bytes = UINT64_MAX,
                                 .other_bytes = UINT64_MAX };
}

void mwa_claims_pack(const struct mwa_claims *claims, struct mw_buffer *to)
{
    mw_buffer_append(to, &claims->first, sizeof claims->first);
    mwa_pack_array(to, claims->others, claims->other_count, sizeof *claims->others);
}

static bool are_of(const struct mwa_claims *claims, const struct mwa_trace *trace)
{
    for (uint32_t i = 0; i < mwa_claims_count(claims); i++) {
        const struct mwa_claim *claim = mwa_claims_at(claims, i);

        if (claim->count == 0 || claim->rank >= trace->rank_count ||
            (claim->site != MWA_NONE && claim->site >= trace->site_count)) {
            return false;
        }
    }
    return claims->first.count > 0 || claims->other_count == 0;
}

enum mw_status mwa_claims_unpack(struct mwa_claims *claims, const struct mwa_trace *trace,
                                 struct mw_cursor *from)
{
    struct mwa_claim *others = NULL;
    uint64_t count = 0;
    enum mw_status status = mw_cursor_take(from, &claims->first, sizeof claims->first)
                                ? mwa_unpack_array(from, &others, &count, sizeof *others)
                                : MW_ERROR_FORMAT;

    if (status == MW_OK && count >= MWA_CLAIMS_MAX) {
        status = MW_ERROR_FORMAT;
    }
    if (status == MW_OK && count > 0) {
        if (make_room(claims)) {
            memcpy(claims->others, others, count * sizeof *others);
            claims->other_count = (uint32_t)count;
        } else {
            status = MW_ERROR_MEMORY;
        }
    }
    free(others);
    return status == MW_OK && !are_of(claims, trace) ? MW_ERROR_FORMAT : status;
}
