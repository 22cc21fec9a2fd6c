#include "test/unit/analyzer/journey.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/region_paths.h"

#define MOST_CUTS 4000u
#define CHANGES   4000u

static void *create(const struct journey *journey)
{
    void *analysis = NULL;

    cr_assert_eq(journey->analysis->create(journey->trace, 0, journey->scope, &analysis), MW_OK);
    return analysis;
}

static struct mw_buffer pack(const struct journey *journey, void *analysis)
{
    struct mw_buffer packed = { .data = NULL };

    journey->analysis->pack(analysis, &packed);
    cr_assert_not(packed.failed);
    journey->analysis->destroy(analysis);
    return packed;
}

void *after_journey(const struct journey *journey, void *analysis, struct mwa_region_paths *paths)
{
    struct mw_buffer packed = pack(journey, analysis);
    struct mw_cursor from = { packed.data, packed.bytes };
    void *taken = create(journey);

    cr_assert_eq(journey->analysis->unpack(taken, paths, &from), MW_OK);
    cr_assert_eq(from.left, 0);
    mw_buffer_fini(&packed);
    return taken;
}

/* Takes what may be anything, as another process does. */
static enum mw_status use(const struct journey *journey, const char *data, size_t bytes)
{
    uint64_t *sent = calloc(journey->trace->rank_count + 1, sizeof *sent);
    struct mwa_region_paths paths = { .all = NULL };
    const struct mwa_seam seam = { sent, &paths };
    struct mw_cursor from = { data, bytes };
    void *all = create(journey), *taken = create(journey);
    void *result = calloc(1, journey->size);
    enum mw_status status = journey->analysis->unpack(taken, &paths, &from);

    if (status == MW_OK) {
        cr_assert_eq(journey->analysis->append(all, taken, &seam), MW_OK);
        cr_assert_eq(journey->analysis->finish(all, result), MW_OK);
        journey->fini(result);
    }
    journey->analysis->destroy(taken);
    journey->analysis->destroy(all);
    mwa_region_paths_fini(&paths);
    free(result);
    free(sent);
    return status;
}

static uint64_t any(uint64_t below)
{
    static uint64_t random = 1;

    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (random >> 33) % below;
}

/* Up to four bytes are others, or one less or more. */
static void use_changed(const struct journey *journey, const struct mw_buffer *packed)
{
    char *data = malloc(packed->bytes);
    enum mw_status status;

    cr_assert_not_null(data);
    memcpy(data, packed->data, packed->bytes);
    for (uint64_t i = any(4) + 1; i > 0; i--) {
        char *byte = &data[any(packed->bytes)];

        *byte = (char)(any(2) ? any(256) : (uint64_t)*byte + any(3) - 1);
    }
    status = use(journey, data, packed->bytes);
    cr_expect(status == MW_OK || status == MW_ERROR_FORMAT);
    free(data);
}

void expect_no_trust(const struct journey *journey, void *analysis)
{
    struct mw_buffer packed = pack(journey, analysis);

    for (size_t bytes = 0; bytes < packed.bytes; bytes += 1 + packed.bytes / MOST_CUTS) {
        char *data = malloc(bytes + 1); /* of its own, so that nothing behind it is read */

        cr_assert_not_null(data);
        memcpy(data, packed.data, bytes);
        cr_expect_eq(use(journey, data, bytes), MW_ERROR_FORMAT, "%zu of %zu bytes", bytes,
                     packed.bytes);
        free(data);
    }
    cr_expect_eq(use(journey, packed.data, packed.bytes), MW_OK);
    for (uint32_t i = 0; i < CHANGES; i++) {
        use_changed(journey, &packed);
    }
    mw_buffer_fini(&packed);
}
