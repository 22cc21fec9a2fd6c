/* All locations are open together and go on by rounds, so that what a round ends with does not
 * depend on whose turn it was. */
#include "analyzer/analysis/pass_together.h"

#include <stdlib.h>

#include "analyzer/analysis/cursor.h"
#include "analyzer/analysis/cursor_calls.h"
#include "analyzer/analysis/reading_order.h"
#include "analyzer/load/each_location.h"

/* Locations that are read together. */
struct together {
    const struct mwa_exchange *exchange; /* null: none */
    struct mwa_cursor **all; /* a heap, least time first, of those that the round is not through
                                with; behind it those that it is, or that wait for others */
    uint64_t left;           /* in the heap */
    uint64_t count;
    uint64_t waiting; /* of these, in this round */
    uint64_t span;    /* ticks of a round */
    uint64_t most;    /* batches of a location in it */
    uint64_t batches; /* that the round has read */
    bool is_cut;      /* some were not read up to its end */
};

/*
 * A round has about so many batches of each location. One that has more to say than all others may
 * read as many as make up for what a round costs that begins with looking at all, but no more: the
 * memory that a round takes grows with the locations. Where more than a part of the engine's room
 * for calls that are held back is taken, it may read a few only, or what a round adds would be too
 * much.
 */
#define ROUND_LEAST  2u
#define ROUND_MOST   4u
#define ROUND_OF_ONE 64u /* batches, or a share of the locations' number */
#define ROUND_SHARE  4u
#define ROUND_TIGHT  4u
#define ROOM_TIGHT   8u /* of the room an eighth */

/* Restores the order of the heap below at. */
static void sift_down(struct together *together, uint64_t at)
{
    struct mwa_cursor **heap = together->all;

    for (;;) {
        uint64_t least = at;
        struct mwa_cursor *moved = heap[at];

        for (uint64_t child = 2 * at + 1; child < together->left && child <= 2 * at + 2; child++) {
            if (heap[child]->time < heap[least]->time) {
                least = child;
            }
        }
        if (least == at) {
            return;
        }
        heap[at] = heap[least];
        heap[least] = moved;
        at = least;
    }
}

static uint64_t rest_of(const void *user, uint64_t at)
{
    const struct together *together = user;

    return mwa_cursor_rest(together->all[at]);
}

/* The location at a place of the heap is through with the round, or with all. */
static void take_out(struct together *together, uint64_t at, bool has_ended)
{
    struct mwa_cursor **all = together->all;
    struct mwa_cursor *cursor = all[at];

    all[at] = all[--together->left];
    all[together->left] = cursor;
    if (has_ended) {
        mwa_cursor_close(cursor);
        all[together->left] = all[--together->count];
    }
    if (at < together->left) {
        sift_down(together, at);
    }
}

/* Reads a location a turn further. */
static enum mw_status take_turn(struct together *together, uint64_t until, void **totals,
                                struct mwa_pass_result *result)
{
    const struct mwa_turn turn = mwa_reading_turn(together->left, rest_of, together);
    struct mwa_cursor *cursor = together->all[turn.at];
    enum mw_status status = mwa_cursor_advance(cursor, turn.events, totals, result);
    bool is_whole;

    if (status == MW_END) {
        take_out(together, turn.at, true);
        return MW_OK;
    }
    is_whole = mwa_cursor_ends_batch(cursor);
    together->batches += is_whole;
    cursor->round_batches += is_whole;
    if (is_whole && until < UINT64_MAX &&
        (cursor->time >= until || cursor->round_batches >= together->most)) {
        together->is_cut |= cursor->time < until;
        take_out(together, turn.at, false);
    } else {
        sift_down(together, turn.at);
    }
    return status;
}

/* Makes the next round longer or shorter, by what this one had to read; not longer where that would
 * let others get away from one that has more to say. */
static void adapt(struct together *together, uint64_t locations)
{
    if (together->batches > ROUND_MOST * locations) {
        together->span -= together->span / 2;
    } else if (!together->is_cut && together->batches < ROUND_LEAST * locations &&
               together->span < UINT64_MAX / 4) {
        together->span *= 2;
    }
}

/*
 * A location of which so many calls are held back by what others do is not read on before these
 * are: their clocks may be far ahead of its own, and all that it does would be held back. But
 * others may never say what it waits for, and all that is sent to it meanwhile is kept: if these
 * are so many messages, it goes on by its time.
 */
#define HELD_MOST (2 * MWA_EXCHANGE_LONG)
#define KEPT_MOST MWA_EXCHANGE_AHEAD

/* Whether a location is to wait for others. */
static bool is_to_wait(const struct mwa_exchange *exchange, uint32_t location)
{
    return mwa_exchange_held(exchange, location) > HELD_MOST &&
           mwa_exchange_unreceived(exchange, location) <= KEPT_MOST;
}

/* Notes who is to wait; where all would, nobody is. */
static void note_waiting(struct together *together)
{
    together->waiting = 0;
    for (uint64_t i = 0; together->exchange && i < together->count; i++) {
        struct mwa_cursor *cursor = together->all[i];

        cursor->waits = is_to_wait(together->exchange, mwa_cursor_index(cursor));
        together->waiting += cursor->waits;
    }
    for (uint64_t i = 0; together->waiting == together->count && i < together->count; i++) {
        together->all[i]->waits = false;
    }
    together->waiting = together->waiting < together->count ? together->waiting : 0;
}

/* The time up to which the next round goes. */
static uint64_t end_of_round(const struct together *together)
{
    uint64_t first = UINT64_MAX;

    for (uint64_t i = 0; i < together->count; i++) {
        const struct mwa_cursor *cursor = together->all[i];

        first = !cursor->waits && cursor->time < first ? cursor->time : first;
    }
    return mwa_reading_round(first < UINT64_MAX - together->span ? first + together->span
                                                                 : UINT64_MAX);
}

/* Makes a heap of those that are before until: a batch of the others would lead them away. */
static void begin_round(struct together *together, uint64_t until)
{
    struct mwa_cursor **all = together->all;

    together->left = together->count;
    for (uint64_t at = together->left; at-- > 0;) {
        struct mwa_cursor *cursor = all[at];

        cursor->round_batches = 0;
        if (cursor->waits || (until < UINT64_MAX && cursor->time >= until)) {
            all[at] = all[--together->left];
            all[together->left] = cursor;
        }
    }
    for (uint64_t at = together->left; at-- > 0;) {
        sift_down(together, at);
    }
}

/* How many batches of a location the next round has. */
static uint64_t most_of_one(const struct together *together)
{
    const uint64_t share = together->count / ROUND_SHARE;

    if (together->exchange && mwa_exchange_room_taken(together->exchange) >
                                  mwa_exchange_room(together->exchange) / ROOM_TIGHT) {
        return ROUND_TIGHT;
    }
    return share > ROUND_OF_ONE ? share : ROUND_OF_ONE;
}

static enum mw_status run_round(struct together *together, void **totals,
                                struct mwa_pass_result *result)
{
    const uint64_t locations = together->count;
    enum mw_status status = MW_OK;
    uint64_t until;

    note_waiting(together);
    until = end_of_round(together);
    together->batches = 0;
    together->is_cut = false;
    together->most = most_of_one(together);
    begin_round(together, until);
    while (together->left > 0 && status == MW_OK) {
        status = take_turn(together, until, totals, result);
    }
    adapt(together, locations - together->waiting);
    return status;
}

/* Whether what follows can't change what is told up to the pass's until. */
static bool is_enough(const struct mwa_pass *pass, const struct together *together)
{
    if (pass->until == 0 || !pass->exchange) {
        return false;
    }
    for (uint64_t i = 0; i < together->count; i++) {
        if (!mwa_cursor_is_behind(together->all[i], pass->until)) {
            return false;
        }
    }
    return mwa_exchange_is_settled(pass->exchange, pass->until);
}

static enum mw_status advance_together(const struct mwa_pass *pass, struct mwa_cursor **cursors,
                                       uint64_t count, void **totals,
                                       struct mwa_pass_result *result)
{
    struct together together = { .exchange = pass->exchange,
                                 .all = cursors,
                                 .count = count,
                                 .span = 1 };
    enum mw_status status = MW_OK;

    while (together.count > 0 && status == MW_OK && !is_enough(pass, &together)) {
        status = run_round(&together, totals, result);
        if (status == MW_OK && pass->exchange) {
            status = mwa_exchange_round(pass->exchange);
        }
    }
    return status;
}

/* Ends those of count cursors that have not ended: no thread reads ahead any more. */
static enum mw_status stop_all(struct mwa_cursor *cursors, uint64_t count, void **totals,
                               struct mwa_pass_result *result)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        if (cursors[i].pass) {
            status = mwa_cursor_stop(&cursors[i], totals, result);
        }
    }
    return status;
}

/* A location that has nothing in the chapter: nobody waits for it. */
static enum mw_status pass_over(const struct mwa_pass *pass, uint32_t location)
{
    return pass->exchange ? mwa_exchange_advance(pass->exchange, location, UINT64_MAX)
                          : mwa_ordering_advance(pass->ordering, location, UINT64_MAX);
}

enum mw_status mwa_pass_together(const struct mwa_pass *pass, void **totals,
                                 struct mwa_pass_result *result,
                                 struct mw_diagnostic *diagnostic)
{
    uint64_t count = mwa_input_trace(pass->input)->location_count;
    uint32_t threads = mwa_threads_worth_it(pass->input);
    struct mwa_read_ahead *ahead = NULL;
    struct mwa_cursor *cursors = calloc(count + 1, sizeof *cursors);
    struct mwa_cursor **heap = calloc(count + 1, sizeof(struct mwa_cursor *));
    enum mw_status status = MW_OK;
    uint64_t wanted = 0;

    if (!cursors || !heap) {
        status = mw_no_memory(diagnostic, NULL, "for the locations");
        goto out;
    }
    if (threads > 1 && !pass->chapter &&
        mwa_read_ahead_create(pass->input, pass->limit && threads > 2 ? threads - 2 : threads - 1,
                              mwa_batch_of(pass), pass->limit, &ahead, NULL) != MW_OK) {
        ahead = NULL; /* no more files may be open: this thread reads */
    }
    for (uint32_t i = 0; i < count && status == MW_OK; i++) {
        if (!mwa_chapter_has(pass->chapter, i)) {
            status = pass_over(pass, i);
        } else if (mwa_pass_wants(pass, i)) {
            status = mwa_cursor_open(pass, ahead, i, &cursors[i], diagnostic);
            heap[wanted++] = &cursors[i];
        }
    }
    if (status == MW_OK && ahead) {
        status = mwa_read_ahead_start(ahead, diagnostic);
    }
    if (status == MW_OK) {
        status = advance_together(pass, heap, wanted, totals, result);
    }
out:
    mwa_read_ahead_destroy(ahead); /* its threads use the cursors */
    if (status == MW_OK) {
        status = stop_all(cursors, count, totals, result);
    }
    for (uint64_t i = 0; cursors && i < count; i++) {
        mwa_cursor_close(&cursors[i]);
    }
    free(cursors);
    free(heap);
    return status;
}
