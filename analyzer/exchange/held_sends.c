/*
 * A queue by number: sends are settled in any order and taken in that of their
 * beginning, so that numbers have to stay good while the front moves.
 */
#include "analyzer/exchange/held_sends.h"

#include <stdlib.h>
#include <string.h>

void mwa_held_sends_fini(struct mwa_held_sends *held)
{
    free(held->items);
    *held = (struct mwa_held_sends){ 0 };
}

uint64_t mwa_held_sends_add(struct mwa_held_sends *held, const struct mwa_held_send *send)
{
    uint64_t used = held->first - held->base;
    uint64_t number = held->first + held->count;

    if (used > 0 && used >= held->count) {
        memmove(held->items, held->items + used, held->count * sizeof *held->items);
        held->base = held->first;
    }
    if (!mwa_grow(&held->items, &held->capacity, number - held->base + 1, sizeof *held->items)) {
        return UINT64_MAX;
    }
    held->items[number - held->base] = *send;
    held->count++;
    return number;
}

void mwa_held_sends_settle(struct mwa_held_sends *held, uint64_t number, bool cancelled)
{
    if (number >= held->first && number - held->first < held->count) {
        held->items[number - held->base].is_open = false;
        held->items[number - held->base].is_dropped = cancelled;
    }
}

void mwa_held_sends_tell(struct mwa_held_sends *held, const struct mwa_lookahead *ahead)
{
    for (uint64_t i = 0; i < held->count; i++) {
        struct mwa_held_send *send = &held->items[held->first - held->base + i];

        send->is_dropped |= send->is_open && mwa_lookahead_cancels(ahead, send->ordinal);
        send->is_open = false;
    }
}

void mwa_held_sends_release(struct mwa_held_sends *held)
{
    for (uint64_t i = 0; i < held->count; i++) {
        held->items[held->first - held->base + i].is_open = false;
    }
}

bool mwa_held_sends_next(struct mwa_held_sends *held, struct mwa_held_send *send)
{
    while (held->count > 0 && !held->items[held->first - held->base].is_open) {
        *send = held->items[held->first - held->base];
        held->first++;
        held->count--;
        if (!send->is_dropped) {
            return true;
        }
    }
    return false;
}
