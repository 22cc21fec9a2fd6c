/* Ranks have the same variables, and what a thousand of them are like is told by two of them. */
#include "analyzer/report/extreme_tracks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/report/extreme_ranks.h"
#include "formats/base/order.h"

struct extent {
    struct mwa_track_extent of;
    uint64_t index;
};

static int by_name(const void *one, const void *other)
{
    const struct extent *a = one, *b = other;

    return strcmp(a->of.name, b->of.name) ?: mw_order(a->index, b->index);
}

/* Of extents of the same name, which are known before those that are not. */
static void mark(const struct extent *extents, uint64_t count, bool *is_extreme)
{
    const struct extent *most = extents, *least = extents;

    for (uint64_t i = 1; i < count; i++) {
        if (isfinite(extents[i].of.most) &&
            (!isfinite(most->of.most) || extents[i].of.most > most->of.most)) {
            most = &extents[i];
        }
        if (isfinite(extents[i].of.least) &&
            (!isfinite(least->of.least) || extents[i].of.least < least->of.least)) {
            least = &extents[i];
        }
    }
    is_extreme[most->index] = true;
    is_extreme[least->index] = true;
}

/* The flags of count extents. */
static uint64_t mark_all(struct extent *extents, uint64_t count, bool *is_extreme)
{
    uint64_t left = count;

    qsort(extents, count, sizeof *extents, by_name);
    for (uint64_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && strcmp(extents[end].of.name, extents[first].of.name) == 0) {
            end++;
        }
        mark(&extents[first], end - first, is_extreme);
    }
    for (uint64_t i = 0; i < count; i++) {
        left -= is_extreme[extents[i].index];
    }
    return left;
}

bool *mwa_extreme_tracks(const struct mwa_results *results, const struct mwa_screen *screen,
                         uint64_t count, mwa_extent_of *extent_of, uint64_t *left)
{
    const bool are_many = results->trace->rank_count > MWA_RANKS_WITH_LINES &&
                          !screen->all_ranks && results->rank == MWA_NONE;
    bool *is_extreme = are_many ? calloc(count + 1, sizeof *is_extreme) : NULL;
    struct extent *extents = is_extreme ? malloc((count + 1) * sizeof *extents) : NULL;
    uint64_t known = 0;

    *left = 0;
    if (!extents) {
        free(is_extreme);
        return NULL;
    }
    for (uint64_t i = 0; i < count; i++) {
        const struct extent extent = { extent_of(results, i), i };

        if (extent.of.name) {
            extents[known++] = extent;
        }
    }
    *left = mark_all(extents, known, is_extreme);
    free(extents);
    return is_extreme;
}

void mwa_say_extreme_tracks(uint64_t left, const char *most, const char *least, FILE *out)
{
    if (left > 0) {
        fprintf(out,
                "and %" PRIu64 " more: shown are of each variable the one with %s and the one "
                "with %s; --all-ranks has all\n",
                left, most, least);
    }
}
