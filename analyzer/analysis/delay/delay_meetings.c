/* Each rank forgets for itself, so that what others do makes no difference. */
#include "analyzer/analysis/delay/delay_meetings_state.h"

#include <stdlib.h>

#include "formats/base/order.h"

struct mwa_meetings *mwa_meetings_create(uint64_t ranks)
{
    struct mwa_meetings *meetings = calloc(1, sizeof *meetings);

    if (meetings) {
        meetings->ranks = ranks;
        meetings->pairs = calloc(ranks + 1, sizeof *meetings->pairs);
        meetings->parts = calloc(ranks + 1, PARTS * sizeof *meetings->parts);
        meetings->grouped = calloc(ranks + 1, sizeof *meetings->grouped);
    }
    if (meetings && (!meetings->pairs || !meetings->parts || !meetings->grouped)) {
        free(meetings->pairs);
        free(meetings->parts);
        free(meetings->grouped);
        free(meetings);
        return NULL;
    }
    return meetings;
}

void mwa_standing_destroy(struct mwa_standing *standing)
{
    if (standing) {
        mwa_mark_drop(standing->mark);
        free(standing);
    }
}

static void destroy_pair(struct pair *pair)
{
    mwa_standing_destroy(pair->standings[0]);
    mwa_standing_destroy(pair->standings[1]);
    free(pair);
}

void mwa_meetings_destroy(struct mwa_meetings *meetings)
{
    if (!meetings) {
        return;
    }
    for (uint64_t i = 0; i < meetings->known.capacity; i++) {
        const uint64_t pair = meetings->known.slots[i].value;

        if (pair != MWA_MAP_ABSENT) {
            destroy_pair((struct pair *)(uintptr_t)pair);
        }
    }
    for (uint64_t i = 0; i < meetings->ranks * PARTS; i++) {
        mwa_standing_destroy(meetings->parts[i].standing);
    }
    free(meetings->parts);
    free(meetings->pairs);
    free(meetings->grouped);
    mwa_map_fini(&meetings->known);
    free(meetings);
}

/* Makes *standing that of attendant. */
static enum mw_status stand(struct mwa_standing **standing, const struct mwa_attendant *attendant)
{
    struct mwa_standing *made = *standing;

    if (!made || made->count < attendant->count) {
        made = malloc(sizeof *made + attendant->count * sizeof *made->spent);
        if (!made) {
            return MW_ERROR_MEMORY;
        }
        mwa_standing_destroy(*standing);
        *standing = made;
    } else {
        mwa_mark_drop(made->mark);
    }
    made->mark = mwa_mark_hold(attendant->mark);
    made->logged = attendant->logged;
    made->waited = attendant->waited;
    made->count = attendant->count;
    for (uint32_t i = 0; i < attendant->count; i++) {
        made->spent[i] = -attendant->waits[i];
    }
    for (uint32_t i = 0; i < made->mark->count; i++) {
        made->spent[i] += made->mark->ticks[i];
    }
    return MW_OK;
}

/* --- pairs -------------------------------------------------------------------------------- */

static struct mwa_key key_of(uint32_t one, uint32_t other)
{
    uint64_t low = one < other ? one : other;

    return (struct mwa_key){ 0, low << 32 | (one < other ? other : one) };
}

/* Which side of pair rank is; both are only of one that met itself. */
static unsigned side_of(const struct pair *pair, uint32_t rank)
{
    return mwa_pair_rank(pair, 0) == rank ? 0 : 1;
}

/* Takes a pair off the list of the rank on a side. */
static void take_out(struct mwa_meetings *meetings, struct pair *pair, unsigned side)
{
    const uint32_t rank = mwa_pair_rank(pair, side);
    struct pairs *pairs = &meetings->pairs[rank];
    struct link *link = &pair->links[side];

    *(link->older ? &link->older->links[side_of(link->older, rank)].newer : &pairs->oldest) =
        link->newer;
    *(link->newer ? &link->newer->links[side_of(link->newer, rank)].older : &pairs->newest) =
        link->older;
    *link = (struct link){ .is_in = false };
    pairs->count--;
}

void mwa_meetings_put_last(struct mwa_meetings *meetings, struct pair *pair, unsigned side)
{
    const uint32_t rank = mwa_pair_rank(pair, side);
    struct pairs *pairs = &meetings->pairs[rank];
    struct pair *newest = pairs->newest;
    struct pair *oldest;

    pair->links[side] = (struct link){ .is_in = true, .older = newest };
    *(newest ? &newest->links[side_of(newest, rank)].newer : &pairs->oldest) = pair;
    pairs->newest = pair;
    if (++pairs->count > MWA_DELAY_PAIRS) {
        oldest = pairs->oldest;
        meetings->have_forgotten = true;
        take_out(meetings, oldest, side_of(oldest, rank));
        if (!oldest->links[0].is_in && !oldest->links[1].is_in) {
            (void)mwa_map_remove(&meetings->known, oldest->key);
            destroy_pair(oldest);
        }
    }
}

struct pair *mwa_meetings_find_pair(struct mwa_meetings *meetings, struct mwa_key key)
{
    uint64_t known = mwa_map_get(&meetings->known, key);
    struct pair *pair;

    if (known != MWA_MAP_ABSENT) {
        return (struct pair *)(uintptr_t)known;
    }
    pair = calloc(1, sizeof *pair);
    if (pair && !mwa_map_put(&meetings->known, key, (uintptr_t)pair)) {
        free(pair);
        return NULL;
    }
    if (pair) {
        pair->key = key;
    }
    return pair;
}

enum mw_status mwa_meetings_pair(struct mwa_meetings *meetings, uint64_t time, bool is_at_leave,
                                 const struct mwa_attendant *one,
                                 const struct mwa_attendant *other)
{
    struct pair *pair = mwa_meetings_find_pair(meetings, key_of(one->rank, other->rank));
    enum mw_status status;

    if (!pair) {
        return MW_ERROR_MEMORY;
    }
    for (unsigned side = 0; side < (one->rank != other->rank ? 2u : 1u); side++) {
        if (pair->links[side].is_in) {
            take_out(meetings, pair, side);
        }
        mwa_meetings_put_last(meetings, pair, side);
    }
    pair->time = time;
    pair->is_at_leave = is_at_leave;
    status = stand(&pair->standings[one->rank > other->rank], one);
    return status == MW_OK ? stand(&pair->standings[one->rank <= other->rank], other) : status;
}

/* --- groups ------------------------------------------------------------------------------- */

/* Less than 0: one was before the other; 0: it is the same one. */
static int order_of(const struct mwa_gathering *one, const struct mwa_gathering *other)
{
    return mw_order(one->time, other->time) ?: mw_order(one->comm, other->comm)
               ?: mw_order(one->first, other->first);
}

void mwa_meetings_open(struct mwa_meetings *meetings, const struct mwa_gathering *gathering)
{
    meetings->open = *gathering;
}

struct part *mwa_meetings_part_for(struct part *parts, uint32_t comm)
{
    struct part *part = &parts[OF_ALL + 1];

    for (struct part *other = part; other < &parts[PARTS]; other++) {
        if (other->standing && other->in.comm == comm) {
            return other;
        }
        if (part->standing && (!other->standing || order_of(&other->in, &part->in) < 0)) {
            part = other;
        }
    }
    return part;
}

enum mw_status mwa_meetings_join(struct mwa_meetings *meetings,
                                 const struct mwa_attendant *attendant)
{
    const struct mwa_gathering *open = &meetings->open;
    struct part *parts = mwa_meetings_parts(meetings, attendant->rank);
    struct part *part =
        open->of_all > 0 ? &parts[OF_ALL] : mwa_meetings_part_for(parts, open->comm);

    meetings->have_forgotten |=
        open->of_all == 0 && part->standing && part->in.comm != open->comm;
    part->in = *open;
    if (open->of_all == 0 && open->time >= meetings->grouped[attendant->rank]) {
        meetings->grouped[attendant->rank] = open->time + 1;
    }
    return stand(&part->standing, attendant);
}

/* Makes the last meeting of all that of both, if they took part and it is not before met_at. */
static bool find_all(const struct part *ones, const struct part *others, uint64_t met_at,
                     struct mwa_meeting *met)
{
    const struct part *one = &ones[OF_ALL];
    const struct part *other = &others[OF_ALL];

    if (!one->standing || !other->standing || one->in.of_all != other->in.of_all ||
        one->in.time != other->in.time || one->in.time < met_at) {
        return false;
    }
    *met = (struct mwa_meeting){ .one = one->standing,
                                 .other = other->standing,
                                 .begin = one->in.begin };
    return true;
}

/* Makes the latest meeting of a group in which both have taken part theirs, if it is not before
 * met_at. */
static void find_group(const struct part *ones, const struct part *others, uint64_t met_at,
                       struct mwa_meeting *met)
{
    const struct mwa_gathering *latest = NULL;

    for (uint32_t i = OF_ALL + 1; i < PARTS; i++) {
        if (!ones[i].standing || ones[i].in.time < met_at ||
            (latest && order_of(&ones[i].in, latest) < 0)) {
            continue;
        }
        for (uint32_t j = OF_ALL + 1; j < PARTS; j++) {
            if (others[j].standing && order_of(&others[j].in, &ones[i].in) == 0) {
                latest = &ones[i].in;
                *met = (struct mwa_meeting){ .one = ones[i].standing,
                                             .other = others[j].standing,
                                             .begin = ones[i].in.begin };
                break;
            }
        }
    }
}

/* The first of both leaves; 0: nobody is known to. */
static uint64_t first_leave(const struct mwa_mark *one, const struct mwa_mark *other)
{
    if (one->leave == 0 || other->leave == 0) {
        return one->leave + other->leave;
    }
    return one->leave < other->leave ? one->leave : other->leave;
}

struct mwa_mark *mwa_meetings_of_all(const struct mwa_meetings *meetings, uint32_t rank)
{
    const struct mwa_standing *standing = mwa_meetings_parts(meetings, rank)[OF_ALL].standing;

    return standing ? standing->mark : NULL;
}

/*
 * Of what is at the same time, a pair's meeting comes first: its wait is told before. That of all
 * comes last: nobody asks for what was before it.
 */
void mwa_meetings_last(const struct mwa_meetings *meetings, uint32_t one, uint32_t other,
                       struct mwa_meeting *met)
{
    const struct part *ones = mwa_meetings_parts(meetings, one);
    const struct part *others = mwa_meetings_parts(meetings, other);
    uint64_t known = mwa_map_get(&meetings->known, key_of(one, other));
    uint64_t met_at = 0;

    *met = (struct mwa_meeting){ .begin = 0 };
    if (known != MWA_MAP_ABSENT) {
        const struct pair *pair = (const struct pair *)(uintptr_t)known;

        met->one = pair->standings[one > other];
        met->other = pair->standings[one <= other];
        met_at = pair->time;
        met->begin = pair->is_at_leave ? pair->time
                                       : first_leave(met->one->mark, met->other->mark);
    }
    if (find_all(ones, others, met_at, met)) {
        met_at = ones[OF_ALL].in.time + 1;
    }
    if (meetings->grouped[one] > met_at) {
        find_group(ones, others, met_at, met);
    }
}
