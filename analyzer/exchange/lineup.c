#include "analyzer/exchange/lineup.h"

#include <stdlib.h>

/* The first of two locations, each of which may be MWA_NONE. */
static uint32_t first_of_two(const struct mwa_lineup *lineup, uint32_t one, uint32_t other)
{
    if (one == MWA_NONE || other == MWA_NONE || one == other) {
        return one == MWA_NONE ? other : one;
    }
    return lineup->is_before(lineup->user, other, one) ? other : one;
}

/* Numbers the locations by rank; those of a rank stay in their order. */
static void place(struct mwa_lineup *lineup, const struct mwa_trace *trace)
{
    uint32_t *next = lineup->starts + 1; /* each is its rank's start until all are placed */

    for (uint64_t i = 0; i < trace->location_count; i++) {
        if (trace->locations[i].rank != MWA_NONE) {
            next[trace->locations[i].rank + 1]++;
            lineup->count++;
        }
    }
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        next[i + 1] += next[i];
    }
    for (uint64_t i = 0; i < trace->location_count; i++) {
        if (trace->locations[i].rank != MWA_NONE) {
            lineup->places[i] = next[trace->locations[i].rank]++;
            lineup->tree[lineup->count + lineup->places[i]] = (uint32_t)i;
        }
    }
}

bool mwa_lineup_init(struct mwa_lineup *lineup, const struct mwa_trace *trace,
                     mwa_lineup_order is_before, const void *user)
{
    *lineup = (struct mwa_lineup){ .is_before = is_before, .user = user };
    lineup->places = calloc(trace->location_count + 1, sizeof *lineup->places);
    lineup->starts = calloc(trace->rank_count + 2, sizeof *lineup->starts);
    lineup->tree = calloc(2 * trace->location_count + 2, sizeof *lineup->tree);
    if (!lineup->places || !lineup->starts || !lineup->tree) {
        mwa_lineup_fini(lineup);
        return false;
    }
    place(lineup, trace);
    for (uint32_t at = lineup->count; at-- > 1;) {
        lineup->tree[at] = first_of_two(lineup, lineup->tree[2 * at], lineup->tree[2 * at + 1]);
    }
    return true;
}

void mwa_lineup_fini(struct mwa_lineup *lineup)
{
    free(lineup->places);
    free(lineup->starts);
    free(lineup->tree);
    *lineup = (struct mwa_lineup){ 0 };
}

void mwa_lineup_changed(struct mwa_lineup *lineup, uint32_t location)
{
    uint32_t *tree = lineup->tree;

    for (uint32_t at = (lineup->count + lineup->places[location]) / 2; at > 0; at /= 2) {
        uint32_t first = first_of_two(lineup, tree[2 * at], tree[2 * at + 1]);

        if (first == tree[at] && first != location) {
            return; /* nobody above has heard of it */
        }
        tree[at] = first;
    }
}

uint32_t mwa_lineup_first(const struct mwa_lineup *lineup)
{
    return lineup->count > 0 ? lineup->tree[1] : MWA_NONE;
}

uint32_t mwa_lineup_first_of(const struct mwa_lineup *lineup, uint32_t rank)
{
    uint32_t from = lineup->count + lineup->starts[rank];
    uint32_t to = lineup->count + lineup->starts[rank + 1];
    uint32_t first = MWA_NONE;

    for (; from < to; from /= 2, to /= 2) {
        if (from % 2 == 1) {
            first = first_of_two(lineup, first, lineup->tree[from++]);
        }
        if (to % 2 == 1) {
            first = first_of_two(lineup, first, lineup->tree[--to]);
        }
    }
    return first;
}

const uint32_t *mwa_lineup_all_of(const struct mwa_lineup *lineup, uint32_t rank, uint32_t *count)
{
    *count = lineup->starts[rank + 1] - lineup->starts[rank];
    return &lineup->tree[lineup->count + lineup->starts[rank]];
}
