#include "test/unit/analyzer/travelled.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/counters/levels.h"
#include "analyzer/analysis/efficiency/ideal_replay.h"
#include "analyzer/analysis/efficiency/what_if.h"
#include "analyzer/analysis/messages/mistakes.h"
#include "analyzer/analysis/messages/queueing.h"

#define LENGTHS 48u /* that are tried of many bytes */
#define SPOILED 12u /* copies of bytes */

struct way {
    const struct mwa_exchange_analysis *analysis;
    const struct mwa_trace *trace;
    const struct mwa_scope *scope;
    struct mwa_region_paths *paths;
};

bool travelled_length(size_t bytes, size_t number, size_t *length)
{
    static size_t turn;
    const size_t step = bytes / LENGTHS + 1;

    turn += number == 0;
    *length = number * step + turn % step;
    return *length < bytes;
}

static uint64_t some(uint64_t below)
{
    static uint64_t state = 88172645463325252;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

void travelled_spoil(char *bytes, size_t count)
{
    for (uint64_t i = 1 + some(3); i > 0; i--) {
        char *byte = &bytes[some(count)];

        *byte = some(4) ? (char)(*byte ^ 1 << some(8)) : (char)(some(2) ? 0xff : some(256));
    }
}

static void *make(const struct way *way)
{
    void *made = NULL;

    cr_assert_eq(way->analysis->create(way->trace, 1, way->scope, &made), MW_OK);
    return made;
}

/* From bytes of their own, so that a look behind the last one is seen; left: how many remain. */
static enum mw_status take(const struct way *way, const char *bytes, size_t count, void *made,
                           size_t *left)
{
    char *own = malloc(count + !count);
    struct mw_cursor from = { own, count };
    enum mw_status status;

    cr_assert_not_null(own);
    memcpy(own, bytes, count);
    status = way->analysis->unpack(made, way->paths, &from);
    *left = from.left;
    free(own);
    return status;
}

/* Finishes it, and forgets what comes of that. */
static void finish(const struct way *way, void *made)
{
    struct mwa_replay_result replayed;
    struct mwa_queueing queueing;
    struct mwa_mistakes mistakes;
    struct mwa_what_if what_if;
    struct mwa_level_marks marks;

    if (way->analysis == &mwa_replay_analysis) {
        cr_expect_eq(way->analysis->finish(made, &replayed), MW_OK);
        mwa_replay_result_fini(&replayed);
    } else if (way->analysis == &mwa_levels_analysis) {
        cr_expect_eq(way->analysis->finish(made, &marks), MW_OK);
        mwa_level_marks_fini(&marks);
    } else if (way->analysis == &mwa_queueing_analysis) {
        cr_expect_eq(way->analysis->finish(made, &queueing), MW_OK);
    } else if (way->analysis == &mwa_mistakes_analysis) {
        cr_expect_eq(way->analysis->finish(made, &mistakes), MW_OK);
        mwa_mistakes_fini(&mistakes);
    } else if (way->analysis == &mwa_what_if_analysis) {
        cr_expect_eq(way->analysis->finish(made, &what_if), MW_OK);
    }
}

static void refuse_less(const struct way *way, const struct mw_buffer *packed)
{
    size_t length, left;

    for (size_t i = 0; travelled_length(packed->bytes, i, &length); i++) {
        void *made = make(way);

        cr_expect_eq(take(way, packed->data, length, made, &left), MW_ERROR_FORMAT,
                     "%s: %zu of %zu bytes", way->analysis->name, length, packed->bytes);
        way->analysis->destroy(made);
    }
}

static void survive_others(const struct way *way, const struct mw_buffer *packed)
{
    uint64_t *sent = calloc(way->trace->rank_count + 1, sizeof *sent);
    const struct mwa_seam seam = { .sent = sent, .paths = way->paths };
    char *other = malloc(packed->bytes);

    for (unsigned i = 0; i < SPOILED; i++) {
        void *made = make(way), *before = make(way);
        enum mw_status status;
        size_t left;

        memcpy(other, packed->data, packed->bytes);
        travelled_spoil(other, packed->bytes);
        status = take(way, other, packed->bytes, made, &left);
        cr_expect(status == MW_OK || status == MW_ERROR_FORMAT);
        if (status == MW_OK) {
            cr_expect_eq(way->analysis->append(before, made, &seam), MW_OK);
            finish(way, before);
        }
        way->analysis->destroy(made);
        way->analysis->destroy(before);
    }
    free(other);
    free(sent);
}

void *travelled(const struct mwa_exchange_analysis *analysis, const struct mwa_trace *trace,
                const struct mwa_scope *scope, struct mwa_region_paths *paths, void *found)
{
    const struct way way = { analysis, trace, scope, paths };
    struct mw_buffer packed = { 0 };
    void *made = make(&way);
    size_t left;

    analysis->pack(found, &packed);
    cr_assert_not(packed.failed);
    analysis->destroy(found);
    refuse_less(&way, &packed);
    survive_others(&way, &packed);
    cr_assert_eq(take(&way, packed.data, packed.bytes, made, &left), MW_OK);
    cr_expect_eq(left, 0);
    mw_buffer_fini(&packed);
    return made;
}
