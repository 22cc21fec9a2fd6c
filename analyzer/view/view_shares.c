/*
 * A page has fewer pixels than large runs have ranks: rows thinner than a pixel are summed up here,
 * so that what goes to the page does not grow with them.
 */
#include "analyzer/view/view_shares.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/bins.h"
#include "analyzer/view/view_states.h"
#include "analyzer/view/view_threads.h"

/* What a row had done, asked for at one time after another. */
struct row {
    const struct mwa_view_store *store;
    uint32_t location;
    bool is_main;
    struct mwa_view_cursor cursor; /* of a main thread */
};

static struct mwa_view_row_done done_at(struct row *row, uint64_t time)
{
    struct mwa_view_row_done done = { .recorded = 0 };
    struct mwa_view_done own;

    if (!row->is_main) {
        return mwa_view_row_done_at(row->store, row->location, time);
    }
    own = mwa_view_cursor_go(&row->cursor, time);
    memcpy(done.ticks, own.ticks, sizeof own.ticks);
    return done;
}

/* Adds the shares of one row to the sums of its group, by cell and state. */
static void add_row(const struct mwa_view_store *store, uint32_t number, unsigned states,
                    const struct mwa_window *window, uint32_t *sums)
{
    struct row row = { .store = store,
                       .location = store->rows[number],
                       .is_main = number < store->main_count };
    uint64_t ticks[MWA_LOCATION_STATES];
    struct mwa_view_row_done before;

    mwa_view_cursor_init(&row.cursor, store, row.location);
    before = done_at(&row, window->from);
    for (uint32_t cell = 0; cell < window->bins; cell++) {
        const uint64_t from = mwa_window_edge(window, cell);
        const uint64_t to = mwa_window_edge(window, cell + 1);
        const struct mwa_view_row_done after = done_at(&row, to);
        const double whole = to > from ? (double)MWA_VIEW_SHARE_WHOLE / (double)(to - from) : 0;

        mwa_view_row_between(store, row.location, &before, &after, ticks);
        for (unsigned state = 0; state < states; state++) {
            *sums++ += (uint32_t)((double)ticks[state] * whole + .5);
        }
        before = after;
    }
}

/* The means of a group of count rows. */
static unsigned char *put_means(const uint32_t *sums, size_t values, uint32_t count,
                                unsigned char *to)
{
    for (size_t i = 0; i < values; i++) {
        const uint32_t share = (sums[i] + count / 2) / count;

        *to++ = (unsigned char)share;
        *to++ = (unsigned char)(share >> 8);
    }
    return to;
}

void *mwa_view_shares(const struct mwa_view_store *store, const struct mwa_view_span *span,
                      unsigned states, uint32_t cells, uint32_t group, size_t *bytes)
{
    const struct mwa_window window = { span->from, span->to, cells };
    const size_t values = (size_t)cells * states;
    const uint32_t groups = (span->row_count + group - 1) / group;
    uint32_t *sums = malloc(values * sizeof *sums);
    unsigned char *data = malloc(groups * values * sizeof(uint16_t) + 1), *to = data;

    for (uint32_t row = 0; sums && data && row < span->row_count; row += group) {
        const uint32_t left = span->row_count - row;
        const uint32_t count = left < group ? left : group;

        for (size_t i = 0; i < values; i++) {
            sums[i] = 0;
        }
        for (uint32_t i = 0; i < count; i++) {
            add_row(store, mwa_view_span_row(span, row + i), states, &window, sums);
        }
        to = put_means(sums, values, count, to);
    }
    if (!sums) {
        free(data);
        data = NULL;
    }
    free(sums);
    *bytes = (size_t)groups * values * sizeof(uint16_t);
    return data;
}
