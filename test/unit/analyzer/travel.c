#include "test/unit/analyzer/travel.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/region_paths.h"

/* xorshift64 (Marsaglia). */
static uint64_t any(uint64_t below)
{
    static uint64_t state = 88172645463325252;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

/* --- others' bytes ---------------------------------------------------------------------------- */

static char *beginning(const struct mw_buffer *packed, size_t bytes)
{
    char *data = malloc(bytes + !bytes);

    cr_assert_not_null(data);
    memcpy(data, packed->data, bytes);
    return data;
}

/* Up to three bytes are others, by a bit, by one, or altogether. */
static void spoil(char *data, size_t bytes)
{
    for (uint64_t i = 1 + any(3); i > 0; i--) {
        char *byte = &data[any(bytes)];

        switch (any(8)) {
        case 0:
            *byte = (char)any(256);
            break;
        case 1:
            *byte = (char)0xff;
            break;
        case 2:
            *byte = (char)(*byte + 1);
            break;
        case 3:
            *byte = (char)(*byte - 1);
            break;
        default:
            *byte = (char)(*byte ^ 1 << any(8));
        }
    }
}

void travel_try(const struct mw_buffer *packed, uint32_t tries,
                enum mw_status (*take)(void *user, struct mw_cursor *from), void *user)
{
    const size_t step = packed->bytes / tries + 1;
    struct mw_cursor from = { packed->data, packed->bytes };

    for (size_t bytes = any(step); bytes < packed->bytes; bytes += step) {
        char *data = beginning(packed, bytes);

        cr_expect_eq(take(user, &(struct mw_cursor){ data, bytes }), MW_ERROR_FORMAT,
                     "%zu of %zu bytes", bytes, packed->bytes);
        free(data);
    }
    for (uint32_t i = 0; i < tries; i++) {
        char *data = beginning(packed, packed->bytes);
        enum mw_status status;

        spoil(data, packed->bytes);
        status = take(user, &(struct mw_cursor){ data, packed->bytes });
        cr_expect(status == MW_OK || status == MW_ERROR_FORMAT);
        free(data);
    }
    cr_expect_eq(take(user, &from), MW_OK);
    cr_expect_eq(from.left, 0);
}

/* --- an analysis ------------------------------------------------------------------------------ */

/* It is told of nothing, and so may be any of an engine's listeners. */
static void *create(const struct traveller *traveller)
{
    void *created = NULL;

    cr_assert_eq(traveller->analysis->create(traveller->trace, 0, traveller->scope, &created),
                 MW_OK);
    return created;
}

/* What is taken is appended to nothing, and finished. */
static enum mw_status take(void *user, struct mw_cursor *from)
{
    const struct traveller *traveller = user;
    const struct mwa_exchange_analysis *analysis = traveller->analysis;
    uint64_t *sent = calloc(traveller->trace->rank_count + 1, sizeof *sent);
    struct mwa_region_paths paths = { .all = NULL };
    const struct mwa_seam seam = { .sent = sent, .paths = &paths };
    void *all = create(traveller), *taken = create(traveller);
    void *result = calloc(1, traveller->size);
    enum mw_status status = analysis->unpack(taken, &paths, from);

    if (status == MW_OK) {
        cr_assert_eq(analysis->append(all, taken, &seam), MW_OK);
        cr_assert_eq(analysis->finish(all, result), MW_OK);
        if (traveller->fini) {
            traveller->fini(result);
        }
    }
    analysis->destroy(taken);
    analysis->destroy(all);
    mwa_region_paths_fini(&paths);
    free(result);
    free(sent);
    return status;
}

void *travel(const struct traveller *traveller, void *found, struct mwa_region_paths *paths,
             uint32_t tries)
{
    struct traveller other = *traveller;
    struct mw_buffer packed = { .data = NULL };
    struct mw_cursor from;
    void *taken;

    traveller->analysis->pack(found, &packed);
    cr_assert_not(packed.failed);
    traveller->analysis->destroy(found);
    travel_try(&packed, tries, take, &other);
    taken = create(traveller);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(traveller->analysis->unpack(taken, paths, &from), MW_OK);
    mw_buffer_fini(&packed);
    return taken;
}
