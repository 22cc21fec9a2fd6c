/*
 * Rows are searched side by side in stretches of time, each twice as long as the one before: what
 * is near is found at once, and what is found is the first one of all rows.
 */
#include "analyzer/view/view_find.h"

#include <stdlib.h>

#define STRETCHES 1000u /* of the run, in the first one */

static bool is_behind(const struct mwa_view_call *call, uint64_t number,
                      const struct mwa_view_spot *spot)
{
    return call->enter > spot->time || (call->enter == spot->time && number + 1 > spot->call);
}

static bool is_before(const struct mwa_view_call *call, uint64_t number,
                      const struct mwa_view_spot *spot)
{
    return call->enter < spot->time || (call->enter == spot->time && number + 1 < spot->call);
}

struct search {
    const struct mwa_view_match *match;
    struct mwa_view_spot spot;
    uint64_t *cursors; /* by row: how many of its calls lie before what is not yet looked at */
    uint64_t looked;
    uint32_t best;
};

/* Keeps the call if it is nearer to the spot than the best one so far. */
static void take(struct search *search, uint32_t number, bool is_back)
{
    const struct mwa_view_store *store = search->match->store;
    const struct mwa_view_call *call = mwa_view_call_at(store, number);
    struct mwa_view_spot best;

    if (search->best != MWA_NONE) {
        best = (struct mwa_view_spot){ mwa_view_call_at(store, search->best)->enter,
                                       search->best + UINT64_C(1) };
        if (is_back ? !is_behind(call, number, &best) : !is_before(call, number, &best)) {
            return;
        }
    }
    search->best = number;
}

/* Calls of a row from its cursor to a time, the first that fits. */
static void look_ahead(struct search *search, uint32_t row, uint64_t until)
{
    const struct mwa_view_store *store = search->match->store;
    const struct mwa_view_location *location = &store->locations[store->rows[row]];
    uint64_t n = search->cursors[row];

    for (; n < location->call_count; n++) {
        const uint32_t number = mwa_view_nth(location, n);
        const struct mwa_view_call *call = mwa_view_call_at(store, number);

        if (call->enter > until) {
            break;
        }
        search->looked++;
        if (is_behind(call, number, &search->spot) && mwa_view_matches(search->match, number)) {
            take(search, number, false);
            break;
        }
    }
    search->cursors[row] = n;
}

static void look_back(struct search *search, uint32_t row, uint64_t until)
{
    const struct mwa_view_store *store = search->match->store;
    const struct mwa_view_location *location = &store->locations[store->rows[row]];
    uint64_t n = search->cursors[row];

    for (; n > 0; n--) {
        const uint32_t number = mwa_view_nth(location, n - 1);
        const struct mwa_view_call *call = mwa_view_call_at(store, number);

        if (call->enter < until) {
            break;
        }
        search->looked++;
        if (is_before(call, number, &search->spot) && mwa_view_matches(search->match, number)) {
            take(search, number, true);
            break;
        }
    }
    search->cursors[row] = n;
}

static void begin(struct search *search, bool is_back)
{
    const struct mwa_view_store *store = search->match->store;
    const uint64_t time = search->spot.time;

    for (uint32_t row = 0; row < store->row_count; row++) {
        const struct mwa_view_location *location = &store->locations[store->rows[row]];

        search->cursors[row] = is_back   ? mwa_view_entered(store, location, time)
                               : time > 0 ? mwa_view_entered(store, location, time - 1)
                                          : 0;
    }
}

uint32_t mwa_view_find(const struct mwa_view_match *match, struct mwa_view_spot spot,
                       bool is_back, uint64_t *until)
{
    const struct mwa_view_store *store = match->store;
    struct search search = { match, spot, calloc(store->row_count + 1, sizeof(uint64_t)), 0,
                             MWA_NONE };
    uint64_t stretch = (store->to - store->from) / STRETCHES + 1, edge = spot.time;
    bool is_end = false;

    edge = edge < store->from ? store->from : edge > store->to ? store->to : edge;
    *until = spot.time;
    if (!search.cursors) {
        return MWA_NONE;
    }
    begin(&search, is_back);
    while (search.best == MWA_NONE && !is_end && search.looked < MWA_VIEW_FOUND_MOST) {
        is_end = is_back ? edge - store->from <= stretch : store->to - edge <= stretch;
        edge = is_end ? is_back ? store->from : store->to : is_back ? edge - stretch
                                                                    : edge + stretch;
        for (uint32_t row = 0; row < store->row_count; row++) {
            is_back ? look_back(&search, row, edge) : look_ahead(&search, row, edge);
        }
        stretch *= 2;
    }
    *until = search.best == MWA_NONE && !is_end ? edge : UINT64_MAX;
    free(search.cursors);
    return search.best;
}

struct mwa_view_found mwa_view_count(const struct mwa_view_match *match, uint32_t hit)
{
    const struct mwa_view_store *store = match->store;
    const struct mwa_view_spot spot = {
        hit == MWA_NONE ? 0 : mwa_view_call_at(store, hit)->enter, hit + UINT64_C(1)
    };
    struct mwa_view_found found = { .is_whole = true };
    uint64_t looked = 0;

    for (uint32_t row = 0; row < store->row_count && found.is_whole; row++) {
        const struct mwa_view_location *location = &store->locations[store->rows[row]];

        for (uint64_t n = 0; n < location->call_count && found.is_whole; n++) {
            const uint32_t number = mwa_view_nth(location, n);

            if (++looked > MWA_VIEW_FOUND_MOST) {
                found.is_whole = false;
            } else if (mwa_view_matches(match, number)) {
                found.all++;
                found.until_hit += hit != MWA_NONE &&
                                   !is_behind(mwa_view_call_at(store, number), number, &spot);
            }
        }
    }
    return found;
}
