#include "analyzer/analysis/delay/delay_meetings.h"

#include <stdlib.h>

/* Two ranks that met as such. */
struct pair {
    struct mwa_key key; /* the lower rank << 32 | the higher */
    uint64_t number;
    struct mwa_standing *standings[2]; /* of the lower rank, of the higher */
    struct pair *newer;
    struct pair *older;
};

/* A rank's part in a group's meeting. */
struct part {
    uint64_t instance; /* of all meetings, from 1; 0: none */
    uint64_t number;
    uint64_t begin;
    uint32_t comm;
    struct mwa_standing *standing;
};

struct mwa_meetings {
    uint64_t ranks;
    struct mwa_map pairs; /* to struct pair */
    struct pair *oldest;
    struct pair *newest;
    struct part *parts; /* per rank MWA_DELAY_GROUPS */
    struct part open;   /* the group that is meeting */
};

struct mwa_meetings *mwa_meetings_create(uint64_t ranks)
{
    struct mwa_meetings *meetings = calloc(1, sizeof *meetings);

    if (meetings) {
        meetings->ranks = ranks;
        meetings->parts = calloc(ranks + 1, MWA_DELAY_GROUPS * sizeof *meetings->parts);
    }
    if (meetings && !meetings->parts) {
        free(meetings);
        return NULL;
    }
    return meetings;
}

static void destroy_standing(struct mwa_standing *standing)
{
    if (standing) {
        mwa_mark_drop(standing->mark);
        free(standing);
    }
}

static void destroy_pair(struct pair *pair)
{
    destroy_standing(pair->standings[0]);
    destroy_standing(pair->standings[1]);
    free(pair);
}

void mwa_meetings_destroy(struct mwa_meetings *meetings)
{
    struct pair *next;

    if (!meetings) {
        return;
    }
    for (struct pair *pair = meetings->oldest; pair; pair = next) {
        next = pair->newer;
        destroy_pair(pair);
    }
    for (uint64_t i = 0; i < meetings->ranks * MWA_DELAY_GROUPS; i++) {
        destroy_standing(meetings->parts[i].standing);
    }
    free(meetings->parts);
    mwa_map_fini(&meetings->pairs);
    free(meetings);
}

/* Makes *standing that of attendant. */
static enum mw_status stand(struct mwa_standing **standing, const struct mwa_attendant *attendant)
{
    struct mwa_standing *made = *standing;

    if (!made || made->count < attendant->count) {
        made = malloc(sizeof *made + attendant->count * sizeof *made->waits);
        if (!made) {
            return MW_ERROR_MEMORY;
        }
        destroy_standing(*standing);
        *standing = made;
    } else {
        mwa_mark_drop(made->mark);
    }
    made->mark = mwa_mark_hold(attendant->mark);
    made->count = attendant->count;
    for (uint32_t i = 0; i < attendant->count; i++) {
        made->waits[i] = attendant->waits[i];
    }
    return MW_OK;
}

/* --- pairs -------------------------------------------------------------------------------- */

static struct mwa_key key_of(uint32_t one, uint32_t other)
{
    uint64_t low = one < other ? one : other;

    return (struct mwa_key){ 0, low << 32 | (one < other ? other : one) };
}

static void take_out(struct mwa_meetings *meetings, struct pair *pair)
{
    *(pair->older ? &pair->older->newer : &meetings->oldest) = pair->newer;
    *(pair->newer ? &pair->newer->older : &meetings->newest) = pair->older;
}

static void put_last(struct mwa_meetings *meetings, struct pair *pair)
{
    pair->newer = NULL;
    pair->older = meetings->newest;
    *(meetings->newest ? &meetings->newest->newer : &meetings->oldest) = pair;
    meetings->newest = pair;
}

/* The pair that met longest ago is forgotten. */
static void forget(struct mwa_meetings *meetings)
{
    struct pair *pair = meetings->oldest;

    take_out(meetings, pair);
    (void)mwa_map_remove(&meetings->pairs, pair->key);
    destroy_pair(pair);
}

/* The pair of key, out of the list; null without memory. */
static struct pair *find_pair(struct mwa_meetings *meetings, struct mwa_key key)
{
    uint64_t known = mwa_map_get(&meetings->pairs, key);
    struct pair *pair;

    if (known != MWA_MAP_ABSENT) {
        pair = (struct pair *)(uintptr_t)known;
        take_out(meetings, pair);
        return pair;
    }
    if (meetings->pairs.count >= MWA_DELAY_PAIRS * meetings->ranks) {
        forget(meetings);
    }
    pair = calloc(1, sizeof *pair);
    if (pair && !mwa_map_put(&meetings->pairs, key, (uintptr_t)pair)) {
        free(pair);
        return NULL;
    }
    return pair;
}

enum mw_status mwa_meetings_pair(struct mwa_meetings *meetings, uint64_t number,
                                 const struct mwa_attendant *one,
                                 const struct mwa_attendant *other)
{
    const struct mwa_key key = key_of(one->rank, other->rank);
    struct pair *pair = find_pair(meetings, key);
    enum mw_status status;

    if (!pair) {
        return MW_ERROR_MEMORY;
    }
    put_last(meetings, pair);
    pair->key = key;
    pair->number = number;
    status = stand(&pair->standings[one->rank > other->rank], one);
    return status == MW_OK ? stand(&pair->standings[one->rank <= other->rank], other) : status;
}

/* --- groups ------------------------------------------------------------------------------- */

void mwa_meetings_open(struct mwa_meetings *meetings, uint64_t number, uint64_t begin,
                       uint32_t comm)
{
    meetings->open.instance++;
    meetings->open.number = number;
    meetings->open.begin = begin;
    meetings->open.comm = comm;
}

enum mw_status mwa_meetings_join(struct mwa_meetings *meetings,
                                 const struct mwa_attendant *attendant)
{
    struct part *parts = &meetings->parts[(uint64_t)attendant->rank * MWA_DELAY_GROUPS];
    struct part *part = parts;
    struct mwa_standing *standing;

    for (uint32_t i = 0; i < MWA_DELAY_GROUPS; i++) {
        if (parts[i].instance > 0 && parts[i].comm == meetings->open.comm) {
            part = &parts[i];
            break;
        }
        part = parts[i].instance < part->instance ? &parts[i] : part;
    }
    standing = part->standing;
    *part = meetings->open;
    part->standing = standing;
    return stand(&part->standing, attendant);
}

/* Whether two ranks have taken part in a meeting that is later than met. */
static void find_group(const struct mwa_meetings *meetings, uint32_t one, uint32_t other,
                       struct mwa_meeting *met)
{
    const struct part *ones = &meetings->parts[(uint64_t)one * MWA_DELAY_GROUPS];
    const struct part *others = &meetings->parts[(uint64_t)other * MWA_DELAY_GROUPS];

    for (uint32_t i = 0; i < MWA_DELAY_GROUPS; i++) {
        if (ones[i].instance == 0 || (met->one && ones[i].number <= met->number)) {
            continue;
        }
        for (uint32_t j = 0; j < MWA_DELAY_GROUPS; j++) {
            if (others[j].instance == ones[i].instance) {
                *met = (struct mwa_meeting){ .one = ones[i].standing,
                                             .other = others[j].standing,
                                             .begin = ones[i].begin,
                                             .number = ones[i].number };
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

void mwa_meetings_last(const struct mwa_meetings *meetings, uint32_t one, uint32_t other,
                       struct mwa_meeting *met)
{
    uint64_t known = mwa_map_get(&meetings->pairs, key_of(one, other));

    *met = (struct mwa_meeting){ .number = 0 };
    if (known != MWA_MAP_ABSENT) {
        const struct pair *pair = (const struct pair *)(uintptr_t)known;

        met->one = pair->standings[one > other];
        met->other = pair->standings[one <= other];
        met->number = pair->number;
        met->begin = first_leave(met->one->mark, met->other->mark);
    }
    find_group(meetings, one, other, met);
}
