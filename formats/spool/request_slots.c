#include "formats/spool/request_slots.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 1024u /* of the table, which doubles when it is half full */
#define WORDS (MW_REQUEST_SLOTS / 64)
#define FREE UINT32_MAX

struct mw_request_slots {
    uint32_t *table;     /* slots, by the requests that have them: open addressing; or FREE */
    uint32_t room;       /* a power of two */
    uint64_t *requests;  /* by slot, half as many as there is room for */
    uint64_t taken[WORDS]; /* a bit for each slot */
    uint32_t lowest;       /* no word before this one has a free slot */
    uint32_t count;
};

/* A table of room free entries; null without memory. */
static uint32_t *make_table(uint32_t room)
{
    uint32_t *table = malloc(room * sizeof *table);

    if (table) {
        memset(table, 0xff, room * sizeof *table);
    }
    return table;
}
_Static_assert(FREE == UINT32_MAX, "each byte of it is 0xff");

struct mw_request_slots *mw_request_slots_create(void)
{
    struct mw_request_slots *slots = calloc(1, sizeof *slots);

    if (!slots) {
        return NULL;
    }
    slots->room = ROOM_FIRST;
    slots->table = make_table(slots->room);
    slots->requests = malloc(slots->room / 2 * sizeof *slots->requests);
    if (!slots->table || !slots->requests) {
        mw_request_slots_destroy(slots);
        return NULL;
    }
    return slots;
}

void mw_request_slots_destroy(struct mw_request_slots *slots)
{
    if (slots) {
        free(slots->table);
        free(slots->requests);
        free(slots);
    }
}

/*
 * Ids rise by one: four that follow each other are neighbours in the table, which fit into a line
 * of the cache. The next four are elsewhere: many requests at once would else be one long row
 * without a gap, which is walked through whenever one is taken out (close_gap).
 */
static uint32_t home(const struct mw_request_slots *slots, uint64_t request)
{
    uint64_t spread = (request / 4) * UINT64_C(0x9e3779b97f4a7c15);

    return ((uint32_t)(spread >> 32) * 4 + (uint32_t)(request % 4)) & (slots->room - 1);
}

/* Where request is in the table, or would be. */
static uint32_t find(const struct mw_request_slots *slots, uint64_t request)
{
    uint32_t at = home(slots, request);

    while (slots->table[at] != FREE && slots->requests[slots->table[at]] != request) {
        at = (at + 1) & (slots->room - 1);
    }
    return at;
}

static uint32_t take_lowest(struct mw_request_slots *slots)
{
    while (slots->taken[slots->lowest] == UINT64_MAX) {
        slots->lowest++;
    }
    unsigned bit = (unsigned)__builtin_ctzll(~slots->taken[slots->lowest]);

    slots->taken[slots->lowest] |= (uint64_t)1 << bit;
    return slots->lowest * 64 + bit;
}

static void give_back(struct mw_request_slots *slots, uint32_t slot)
{
    slots->taken[slot / 64] &= ~((uint64_t)1 << slot % 64);
    slots->lowest = slot / 64 < slots->lowest ? slot / 64 : slots->lowest;
}

/* Closes the gap at hole, so that no search ends too early. */
static void close_gap(struct mw_request_slots *slots, uint32_t hole)
{
    for (uint32_t at = (hole + 1) & (slots->room - 1); slots->table[at] != FREE;
         at = (at + 1) & (slots->room - 1)) {
        uint32_t from_home =
            (at - home(slots, slots->requests[slots->table[at]])) & (slots->room - 1);

        if (from_home >= ((at - hole) & (slots->room - 1))) {
            slots->table[hole] = slots->table[at];
            hole = at;
        }
    }
    slots->table[hole] = FREE;
}

/* Doubles the table; false, and all as it was, without memory. */
static bool enlarge(struct mw_request_slots *slots)
{
    uint32_t *old = slots->table;
    uint32_t room = slots->room;
    uint64_t *requests = realloc(slots->requests, room * sizeof *requests);
    uint32_t *table;

    if (!requests) {
        return false;
    }
    slots->requests = requests;
    table = make_table(2 * room);
    if (!table) {
        return false;
    }
    slots->table = table;
    slots->room = 2 * room;
    for (uint32_t i = 0; i < room; i++) {
        if (old[i] != FREE) {
            table[find(slots, requests[old[i]])] = old[i];
        }
    }
    free(old);
    return true;
}

uint64_t mw_request_slots_start(struct mw_request_slots *slots, uint64_t request)
{
    uint32_t at = find(slots, request);
    uint32_t slot = slots->table[at];

    if (slot != FREE) {
        return slot; /* started again without an end */
    }
    if (slots->count == MW_REQUEST_SLOTS) {
        return MW_REQUEST_LONG + request;
    }
    if (slots->count >= slots->room / 2) {
        if (!enlarge(slots)) {
            return MW_REQUEST_LONG + request;
        }
        at = find(slots, request);
    }
    slot = take_lowest(slots);
    slots->count++;
    slots->table[at] = slot;
    slots->requests[slot] = request;
    return slot;
}

uint64_t mw_request_slots_look(const struct mw_request_slots *slots, uint64_t request)
{
    uint32_t slot = slots->table[find(slots, request)];

    return slot != FREE ? slot : MW_REQUEST_LONG + request;
}

uint64_t mw_request_slots_end(struct mw_request_slots *slots, uint64_t request)
{
    uint32_t at = find(slots, request);
    uint32_t slot = slots->table[at];

    if (slot == FREE) {
        return MW_REQUEST_LONG + request;
    }
    give_back(slots, slot);
    close_gap(slots, at);
    slots->count--;
    return slot;
}

uint64_t mw_request_slots_of(const struct mw_request_slots *slots, uint32_t slot)
{
    return slots->requests[slot];
}
