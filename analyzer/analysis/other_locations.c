/*
 * They are chosen by their places in the list, where all of a rank are side by side, so that
 * what has rows is one piece of it.
 */
#include "analyzer/analysis/other_locations.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/base/order.h"

static bool is_other(const struct mwa_location *location)
{
    return location->rank != MWA_NONE && !location->master && location->events > 0 &&
           location->kind != MWA_LOCATION_METRIC;
}

static int by_rank(const void *one, const void *other)
{
    const struct mwa_other_location *a = one;
    const struct mwa_other_location *b = other;

    return mw_order(a->rank, b->rank) ?: mw_order(a->location, b->location);
}

/* Numbers those of each rank by their kinds. */
static void number_all(const struct mwa_trace *trace, struct mwa_other_locations *others)
{
    uint32_t next[2] = { 0 };

    for (uint64_t i = 0; i < others->count; i++) {
        struct mwa_other_location *other = &others->all[i];
        bool is_stream = trace->locations[other->location].kind == MWA_LOCATION_STREAM;

        if (i == 0 || others->all[i - 1].rank != other->rank) {
            next[false] = 1;
            next[true] = 0;
        }
        other->number = next[is_stream]++;
        others->index_of[other->location] = (uint32_t)i;
    }
}

static void choose(struct mwa_other_locations *others, uint32_t rank, enum mwa_locations which)
{
    others->candidates = others->count;
    if (rank != MWA_NONE) {
        others->first = mwa_other_locations_of(others, rank, &others->candidates);
    }
    others->rows = which == MWA_LOCATIONS_MAIN ? 0 : others->candidates;
    if (which == MWA_LOCATIONS_SOME && others->rows > MWA_OTHER_LOCATIONS_SOME) {
        others->rows = MWA_OTHER_LOCATIONS_SOME;
    }
}

enum mw_status mwa_other_locations_make(const struct mwa_trace *trace, uint32_t rank,
                                        enum mwa_locations which,
                                        struct mwa_other_locations *others)
{
    *others = (struct mwa_other_locations){
        .all = malloc((trace->location_count + 1) * sizeof *others->all),
        .index_of = malloc((trace->location_count + 1) * sizeof *others->index_of)
    };
    if (!others->all || !others->index_of) {
        return MW_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < trace->location_count; i++) {
        others->index_of[i] = MWA_NONE;
        if (is_other(&trace->locations[i])) {
            others->all[others->count++] =
                (struct mwa_other_location){ .rank = trace->locations[i].rank, .location = i };
        }
    }
    qsort(others->all, others->count, sizeof *others->all, by_rank);
    number_all(trace, others);
    choose(others, rank, which);
    return MW_OK;
}

void mwa_other_locations_fini(struct mwa_other_locations *others)
{
    free(others->all);
    free(others->index_of);
    *others = (struct mwa_other_locations){ 0 };
}

uint64_t mwa_other_locations_of(const struct mwa_other_locations *others, uint32_t rank,
                                uint64_t *count)
{
    uint64_t first = mw_first_from(others->all, others->count, sizeof *others->all,
                                   offsetof(struct mwa_other_location, rank), rank);

    for (*count = 0; first + *count < others->count && others->all[first + *count].rank == rank;) {
        (*count)++;
    }
    return first;
}

const char *mwa_location_kind_name(enum mwa_location_kind kind)
{
    return kind == MWA_LOCATION_STREAM   ? "stream"
           : kind == MWA_LOCATION_METRIC ? "metric"
                                         : "thread";
}

const char *mwa_location_label(const struct mwa_trace *trace,
                               const struct mwa_other_locations *others, uint32_t location,
                               char *text)
{
    bool is_stream = trace->locations[location].kind == MWA_LOCATION_STREAM;
    uint32_t index = others->index_of[location];

    snprintf(text, MWA_LOCATION_LABEL_BYTES, "%" PRIu32 ".%s%" PRIu32,
             trace->locations[location].rank, is_stream ? "s" : "",
             index == MWA_NONE ? 0 : others->all[index].number);
    return text;
}
