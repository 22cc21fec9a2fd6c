#include "analyzer/exchange/tails.h"

#include <stdlib.h>

#include "analyzer/exchange/channels.h"

#define SHIFT_MOST (MWA_TAIL_KEPT / 2)

/* --- what there was --------------------------------------------------------------------------- */

static struct mwa_tail *tail_of(struct mwa_index *index, struct mwa_tail **list,
                                struct mwa_key key)
{
    const uint64_t at = mwa_index_of(index, key, list, sizeof **list);

    return at == MWA_MAP_ABSENT ? NULL : &(*list)[at];
}

static bool add(struct mwa_tail *tail, uint64_t begin, uint64_t end)
{
    if (tail) {
        tail->begins[tail->count % MWA_TAIL_KEPT] = begin;
        tail->ends[tail->count++ % MWA_TAIL_KEPT] = end;
    }
    return tail != NULL;
}

bool mwa_tails_add_send(struct mwa_tails *tails, struct mwa_key channel, uint64_t begin)
{
    return add(tail_of(&tails->send_index, &tails->sends, channel), begin, begin);
}

bool mwa_tails_add_receive(struct mwa_tails *tails, struct mwa_key channel, uint64_t end)
{
    return add(tail_of(&tails->receive_index, &tails->receives, channel), end, end);
}

bool mwa_tails_add_number(struct mwa_tails *tails, struct mwa_key series, enum mwa_needs needs,
                          uint32_t root, uint64_t begin, uint64_t end)
{
    struct mwa_tail *tail = tail_of(&tails->number_index, &tails->numbers, series);

    if (tail) {
        tail->needs = needs;
        tail->root = root;
    }
    return add(tail, begin, end);
}

void mwa_tails_fini(struct mwa_tails *tails)
{
    mwa_index_fini(&tails->send_index);
    mwa_index_fini(&tails->receive_index);
    mwa_index_fini(&tails->number_index);
    free(tails->sends);
    free(tails->receives);
    free(tails->numbers);
    *tails = (struct mwa_tails){ .sends = NULL };
}

/* --- which of the last ones belong together --------------------------------------------------- */

/* Two ranks, and how far their clocks may be apart. */
struct two {
    const struct mwa_trace *trace;
    uint64_t error_ns;
};

static struct two two_ranks(const struct mwa_trace *trace, uint32_t one, uint32_t other)
{
    const bool share_host = trace->ranks[one].host == trace->ranks[other].host;

    return (struct two){ trace, 2 * (trace->clock_error_ns +
                                     (share_host ? 0 : trace->hosts_clock_error_ns)) };
}

/* The one that so many come behind. */
static uint64_t at(const struct mwa_tail *tail, uint64_t behind)
{
    return (tail->count - 1 - behind) % MWA_TAIL_KEPT;
}

/* Whether end, of who needs what begins at begin, is after that. */
static bool is_before(const struct two *ranks, uint64_t begin, uint64_t end)
{
    return begin <= end || mwa_trace_ns(ranks->trace, begin - end) <= ranks->error_ns;
}

/* Whether all that is kept can belong together where the last so many of either have no other. */
static bool can_be(const struct two *ranks, const struct mwa_tail *giver, uint64_t giver_left,
                   const struct mwa_tail *taker, uint64_t taker_left)
{
    uint64_t compared = 0;

    for (uint64_t i = 0; i + SHIFT_MOST < MWA_TAIL_KEPT && i + giver_left < giver->count &&
                         i + taker_left < taker->count;
         i++) {
        if (!is_before(ranks, giver->begins[at(giver, i + giver_left)],
                       taker->ends[at(taker, i + taker_left)])) {
            return false;
        }
        compared++;
    }
    return compared > 0;
}

/* --- messages --------------------------------------------------------------------------------- */

/* How many of the last sends of a channel were not received any more. */
static uint64_t left_sends(const struct mwa_trace *trace, struct mwa_key channel,
                           const struct mwa_tail *send, const struct mwa_tail *receive)
{
    const struct two ranks =
        two_ranks(trace, mwa_channel_source(channel), mwa_channel_destination(channel));
    uint64_t left = 0;

    while (left < SHIFT_MOST && !can_be(&ranks, send, left, receive, 0)) {
        left++;
    }
    return left < SHIFT_MOST ? left : 0;
}

static bool note(struct mwa_map *of, struct mwa_key key, uint64_t count)
{
    return count == 0 || mwa_map_put(of, key, count) != NULL;
}

static bool compare_channel(const struct mwa_tails *tails, const struct mwa_trace *trace,
                            struct mwa_key channel, struct mwa_beginnings *beginnings)
{
    static const struct mwa_tail none;
    const uint64_t sends = mwa_map_get(&tails->send_index.positions, channel);
    const uint64_t receives = mwa_map_get(&tails->receive_index.positions, channel);
    const struct mwa_tail *send = sends == MWA_MAP_ABSENT ? &none : &tails->sends[sends];
    const struct mwa_tail *receive =
        receives == MWA_MAP_ABSENT ? &none : &tails->receives[receives];
    const uint64_t left = trace->ends_early ? left_sends(trace, channel, send, receive) : 0;
    const uint64_t sent = send->count - left;

    if (sent > receive->count) {
        return !mwa_trace_begins_late(trace, mwa_channel_destination(channel)) ||
               note(&beginnings->sends, channel, sent - receive->count);
    }
    return !mwa_trace_begins_late(trace, mwa_channel_source(channel)) ||
           note(&beginnings->receives, channel, receive->count - sent);
}

static bool compare_channels(const struct mwa_tails *tails, const struct mwa_index *index,
                             const struct mwa_trace *trace, struct mwa_beginnings *beginnings)
{
    for (uint64_t i = 0; i < index->positions.capacity; i++) {
        const struct mwa_map_slot *slot = &index->positions.slots[i];

        if (slot->value != MWA_MAP_ABSENT &&
            !compare_channel(tails, trace, slot->key, beginnings)) {
            return false;
        }
    }
    return true;
}

/* --- collectives ------------------------------------------------------------------------------ */

/* A series of all ranks. */
struct series {
    bool is_there;
    bool is_late;       /* one's record begins late */
    uint32_t rank;      /* the one that the others are compared with … */
    uint64_t reference; /* … and the place of its tail */
    uint64_t least;     /* of what ranks have up to the last one of that */
};

/* Whether both can belong together like this, for whom of them needs the other. */
static bool can_both_be(const struct two *ranks, const struct mwa_tail *reference,
                        uint64_t reference_left, const struct mwa_tail *other,
                        uint64_t other_left)
{
    const bool needs_other =
        other->needs != MWA_NEEDS_ROOT && other->needs != MWA_NEEDS_LOWER;
    const bool is_needed = other->needs != MWA_NEEDS_ALL_AT_ROOT;

    return (!is_needed ||
            can_be(ranks, reference, reference_left, other, other_left)) &&
           (!needs_other ||
            can_be(ranks, other, other_left, reference, reference_left));
}

/* What other has up to the reference's last one: it may have had some more, or not so many. */
static uint64_t count_up_to(const struct mwa_trace *trace, const struct series *series,
                            const struct mwa_tail *reference, const struct mwa_tail *other,
                            uint32_t rank)
{
    const struct two ranks = two_ranks(trace, series->rank, rank);

    for (uint64_t left = 0; trace->ends_early && left < SHIFT_MOST; left++) {
        if (can_both_be(&ranks, reference, 0, other, left)) {
            return other->count - left;
        }
        if (can_both_be(&ranks, reference, left, other, 0)) {
            return other->count + left;
        }
    }
    return other->count;
}

/* What is found of all series, and of each rank's what it has up to the reference's last one. */
struct all_series {
    struct mwa_index index;
    struct series *list;
    uint64_t *counts;
};

static uint32_t rank_of(struct mwa_key key)
{
    return (uint32_t)key.high;
}

static struct series *series_of(struct all_series *all, struct mwa_key key)
{
    const struct mwa_key without_rank = { key.high >> 32, key.low };
    const uint64_t place =
        mwa_index_of(&all->index, without_rank, &all->list, sizeof *all->list);

    return place == MWA_MAP_ABSENT ? NULL : &all->list[place];
}

/* Takes in who has a series; the root, or else the first, is compared with. */
static bool take_rank(struct all_series *all, const struct mwa_tails *tails,
                      const struct mwa_trace *trace, const struct mwa_map_slot *slot)
{
    const uint32_t rank = rank_of(slot->key);
    const uint32_t root = tails->numbers[slot->value].root;
    struct series *series = series_of(all, slot->key);

    if (!series) {
        return false;
    }
    if (!series->is_there || rank == root || (series->rank != root && rank < series->rank)) {
        series->rank = rank;
        series->reference = slot->value;
    }
    series->is_there = true;
    series->is_late |= mwa_trace_begins_late(trace, rank);
    series->least = UINT64_MAX;
    return true;
}

static void count_rank(struct all_series *all, const struct mwa_tails *tails,
                       const struct mwa_trace *trace, const struct mwa_map_slot *slot)
{
    struct series *series = series_of(all, slot->key);
    uint64_t *count = &all->counts[slot->value];

    *count = count_up_to(trace, series, &tails->numbers[series->reference],
                         &tails->numbers[slot->value], rank_of(slot->key));
    series->least = *count < series->least ? *count : series->least;
}

static bool note_rank(struct all_series *all, const struct mwa_map_slot *slot,
                      struct mwa_beginnings *beginnings)
{
    const struct series *series = series_of(all, slot->key);

    return !series->is_late || note(&beginnings->numbers, slot->key,
                                    all->counts[slot->value] - series->least);
}

static bool compare_series(const struct mwa_tails *tails, const struct mwa_trace *trace,
                           struct mwa_beginnings *beginnings)
{
    enum { TAKE, COUNT, NOTE, STEPS };
    const struct mwa_map *all_numbers = &tails->number_index.positions;
    struct all_series all = { .counts = calloc(tails->number_index.count + 1,
                                               sizeof *all.counts) };
    bool has_room = all.counts != NULL;

    for (int step = TAKE; step < STEPS; step++) {
        for (uint64_t i = 0; has_room && i < all_numbers->capacity; i++) {
            const struct mwa_map_slot *slot = &all_numbers->slots[i];

            if (slot->value == MWA_MAP_ABSENT) {
                continue;
            }
            if (step == TAKE) {
                has_room = take_rank(&all, tails, trace, slot);
            } else if (step == COUNT) {
                count_rank(&all, tails, trace, slot);
            } else {
                has_room = note_rank(&all, slot, beginnings);
            }
        }
    }
    free(all.counts);
    free(all.list);
    mwa_index_fini(&all.index);
    return has_room;
}

enum mw_status mwa_tails_compare(const struct mwa_tails *tails, const struct mwa_trace *trace,
                                 struct mwa_beginnings *beginnings)
{
    return compare_channels(tails, &tails->send_index, trace, beginnings) &&
                   compare_channels(tails, &tails->receive_index, trace, beginnings) &&
                   compare_series(tails, trace, beginnings)
               ? MW_OK
               : MW_ERROR_MEMORY;
}
