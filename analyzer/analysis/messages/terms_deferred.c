/* Members come in any order: by rank, two operations that are alike look alike. */
#include "analyzer/analysis/messages/terms_deferred.h"

#include <stdlib.h>

#include "analyzer/analysis/messages/mistake_packing.h"
#include "analyzer/team/packing.h"
#include "formats/base/order.h"

#define HEIRS_MAX 4000000u /* of all operations of a chapter: 48 MB */

static int by_rank(const void *left, const void *right)
{
    const struct mwa_terms_heir *a = left, *b = right;

    return mw_order(a->rank, b->rank) ?: mw_order(a->location, b->location) ?:
           mw_order(a->site, b->site);
}

static int by_value(const void *left, const void *right)
{
    const struct mwa_claim *a = left, *b = right;

    return mw_order(a->value, b->value);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of_claims(uint64_t hash, const struct mwa_claims *claims)
{
    for (uint32_t i = 0; i < mwa_claims_count(claims); i++) {
        const struct mwa_claim *claim = mwa_claims_at(claims, i);

        hash = mix(mix(mix(hash, claim->value), (uint64_t)claim->rank << 32 | claim->site),
                   claim->count);
    }
    return hash;
}

static struct mwa_key hash_of(uint32_t comm, uint32_t operation,
                              const struct mwa_terms_told *told)
{
    uint64_t hash = hash_of_claims(told->heir_count, &told->reductions);

    hash = hash_of_claims(mix(hash, mwa_claims_count(&told->reductions)), &told->scalars);
    for (uint64_t i = 0; i < told->heir_count; i++) {
        hash = mix(mix(hash, told->heirs[i].location), told->heirs[i].site);
    }
    return (struct mwa_key){ (uint64_t)comm << 32 | operation, hash };
}

static bool is_alike(const struct mwa_deferred_operation *one, uint32_t comm, uint32_t operation,
                     const struct mwa_terms_told *told)
{
    bool is_alike = one->comm == comm && one->operation == operation &&
                    one->told.heir_count == told->heir_count &&
                    mwa_claims_are_alike(&one->told.reductions, &told->reductions) &&
                    mwa_claims_are_alike(&one->told.scalars, &told->scalars);

    for (uint64_t i = 0; is_alike && i < told->heir_count; i++) {
        is_alike = by_rank(&one->told.heirs[i], &told->heirs[i]) == 0;
    }
    return is_alike;
}

/* What is said in one order only: the first claim is the least one, too. */
static void sort_claims(struct mwa_claims *claims)
{
    for (uint32_t i = 0; i < claims->other_count; i++) {
        if (claims->others[i].value < claims->first.value) {
            const struct mwa_claim first = claims->first;

            claims->first = claims->others[i];
            claims->others[i] = first;
        }
    }
    if (claims->other_count > 1) {
        qsort(claims->others, claims->other_count, sizeof *claims->others, by_value);
    }
}

static void sort(struct mwa_terms_told *told)
{
    sort_claims(&told->reductions);
    sort_claims(&told->scalars);
    if (told->heir_count > 1) {
        qsort(told->heirs, told->heir_count, sizeof *told->heirs, by_rank);
    }
}

/* The one that is alike; null: none is. */
static struct mwa_deferred_operation *find(struct mwa_terms_deferred *deferred, uint64_t first,
                                           uint32_t comm, uint32_t operation,
                                           const struct mwa_terms_told *told)
{
    uint64_t next = first == MWA_MAP_ABSENT ? 0 : first + 1;

    while (next > 0) {
        struct mwa_deferred_operation *one = &deferred->list[next - 1];

        if (is_alike(one, comm, operation, told)) {
            return one;
        }
        next = one->alike;
    }
    return NULL;
}

static enum mw_status keep(struct mwa_terms_deferred *deferred,
                           const struct mwa_deferred_operation *one, struct mwa_key hash)
{
    uint64_t *place;

    if (!mwa_grow(&deferred->list, &deferred->capacity, deferred->count + 1,
                  sizeof *deferred->list)) {
        return MW_ERROR_MEMORY;
    }
    place = mwa_map_put(&deferred->by_hash, hash, deferred->count);
    if (!place) {
        return MW_ERROR_MEMORY;
    }
    deferred->list[deferred->count] = *one;
    if (*place != deferred->count) {
        deferred->list[deferred->count].alike = *place + 1;
        *place = deferred->count;
    }
    deferred->heirs += one->told.heir_count;
    deferred->count++;
    return MW_OK;
}

enum mw_status mwa_terms_deferred_add(struct mwa_terms_deferred *deferred, uint32_t comm,
                                      uint32_t operation, struct mwa_terms_told *told,
                                      const struct mwa_mistake *of_bytes)
{
    struct mwa_deferred_operation *one;
    struct mwa_key hash;
    enum mw_status status;

    sort(told);
    hash = hash_of(comm, operation, told);
    one = find(deferred, mwa_map_get(&deferred->by_hash, hash), comm, operation, told);
    if (!one) {
        if (deferred->has_given_up || deferred->heirs + told->heir_count > HEIRS_MAX) {
            deferred->has_given_up = true;
            return MW_OK;
        }
        status = keep(deferred,
                      &(struct mwa_deferred_operation){ .comm = comm,
                                                        .operation = operation,
                                                        .told = *told },
                      hash);
        if (status != MW_OK) {
            return status;
        }
        *told = (struct mwa_terms_told){ .heirs = NULL };
        one = &deferred->list[deferred->count - 1];
    }
    one->times++;
    return of_bytes ? mwa_mistakes_add(&one->of_bytes, of_bytes) : MW_OK;
}

/* The terms that were told last before the chapter; 0: none were. */
static uint32_t inherited(const struct mwa_deferred_operation *one,
                          const struct mwa_terms_heir *heir, const struct mwa_map *terms)
{
    const uint64_t known =
        mwa_map_get(terms, mwa_terms_key(heir->location, one->comm, one->operation));

    return known == MWA_MAP_ABSENT ? 0 : (uint32_t)known;
}

/* Adds what is wrong with it to found, and to mistakes as often as it was so. */
static enum mw_status judge(const struct mwa_deferred_operation *one,
                            const struct mwa_terms_told *told, struct mwa_mistakes *found,
                            struct mwa_mistakes *mistakes)
{
    bool is_broken = false;
    enum mw_status status = mwa_terms_told_judge(told, one->comm, &is_broken, found);

    for (uint64_t i = 0; i < found->count && status == MW_OK; i++) {
        found->list[i].count *= one->times;
        status = mwa_mistakes_add(mistakes, &found->list[i]);
    }
    for (uint64_t i = 0; i < one->of_bytes.count && status == MW_OK && !is_broken; i++) {
        status = mwa_mistakes_add(mistakes, &one->of_bytes.list[i]);
    }
    return status;
}

enum mw_status mwa_terms_deferred_judge(const struct mwa_deferred_operation *one,
                                        const struct mwa_map *terms,
                                        struct mwa_mistakes *mistakes)
{
    struct mwa_terms_told told = { .heirs = NULL };
    struct mwa_mistakes found = { .list = NULL };
    enum mw_status status = mwa_claims_copy(&one->told.reductions, &told.reductions);

    if (status == MW_OK) {
        status = mwa_claims_copy(&one->told.scalars, &told.scalars);
    }
    for (uint64_t i = 0; i < one->told.heir_count && status == MW_OK; i++) {
        const struct mwa_terms_heir *heir = &one->told.heirs[i];

        status = mwa_terms_told_take(&told, inherited(one, heir, terms), heir->rank, heir->site);
    }
    if (status == MW_OK) {
        status = judge(one, &told, &found, mistakes);
    }
    mwa_mistakes_fini(&found);
    mwa_terms_told_fini(&told);
    return status;
}

void mwa_terms_deferred_fini(struct mwa_terms_deferred *deferred)
{
    for (uint64_t i = 0; i < deferred->count; i++) {
        mwa_terms_told_fini(&deferred->list[i].told);
        mwa_mistakes_fini(&deferred->list[i].of_bytes);
    }
    free(deferred->list);
    mwa_map_fini(&deferred->by_hash);
    *deferred = (struct mwa_terms_deferred){ .list = NULL };
}

/* --- between processes ------------------------------------------------------------------------ */

void mwa_terms_deferred_pack(const struct mwa_terms_deferred *deferred, struct mw_buffer *to)
{
    mw_buffer_u64(to, deferred->count);
    for (uint64_t i = 0; i < deferred->count; i++) {
        const struct mwa_deferred_operation *one = &deferred->list[i];

        mw_buffer_append(to, &one->comm, sizeof one->comm);
        mw_buffer_append(to, &one->operation, sizeof one->operation);
        mw_buffer_append(to, &one->times, sizeof one->times);
        mwa_claims_pack(&one->told.reductions, to);
        mwa_claims_pack(&one->told.scalars, to);
        mwa_pack_array(to, one->told.heirs, one->told.heir_count, sizeof *one->told.heirs);
        mwa_mistakes_pack(&one->of_bytes, to);
    }
}

static bool are_of(const struct mwa_terms_told *told, const struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < told->heir_count; i++) {
        const struct mwa_terms_heir *heir = &told->heirs[i];

        if (heir->location >= trace->location_count || heir->rank >= trace->rank_count ||
            (heir->site != MWA_NONE && heir->site >= trace->site_count)) {
            return false;
        }
    }
    return true;
}

static enum mw_status unpack_one(struct mwa_deferred_operation *one,
                                 const struct mwa_trace *trace, struct mw_cursor *from)
{
    enum mw_status status;

    if (!mw_cursor_take(from, &one->comm, sizeof one->comm) ||
        !mw_cursor_take(from, &one->operation, sizeof one->operation) ||
        !mw_cursor_take(from, &one->times, sizeof one->times) ||
        one->comm >= trace->comm_count) {
        return MW_ERROR_FORMAT;
    }
    status = mwa_claims_unpack(&one->told.reductions, trace, from);
    if (status == MW_OK) {
        status = mwa_claims_unpack(&one->told.scalars, trace, from);
    }
    if (status == MW_OK) {
        status = mwa_unpack_array(from, &one->told.heirs, &one->told.heir_count,
                                  sizeof *one->told.heirs);
    }
    if (status == MW_OK && !are_of(&one->told, trace)) {
        status = MW_ERROR_FORMAT;
    }
    return status == MW_OK ? mwa_mistakes_unpack(&one->of_bytes, trace, from) : status;
}

enum mw_status mwa_terms_deferred_unpack(struct mwa_terms_deferred *deferred,
                                         const struct mwa_trace *trace, struct mw_cursor *from)
{
    char bytes[sizeof(uint64_t)];
    enum mw_status status =
        mw_cursor_take(from, bytes, sizeof bytes) ? MW_OK : MW_ERROR_FORMAT;
    uint64_t count = status == MW_OK ? mw_get_u64(bytes) : 0;

    for (; count > 0 && status == MW_OK; count--) {
        if (!mwa_grow(&deferred->list, &deferred->capacity, deferred->count + 1,
                      sizeof *deferred->list)) {
            return MW_ERROR_MEMORY;
        }
        deferred->list[deferred->count] = (struct mwa_deferred_operation){ .times = 0 };
        status = unpack_one(&deferred->list[deferred->count++], trace, from);
    }
    return status;
}
