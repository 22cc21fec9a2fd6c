/*
 * What is known is never freed nor changed, since those who compare take no lock: it is bounded
 * instead, and what varies without end is gone through at each call.
 */
#include "recorder/sites/known_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/sites/frame.h"

#define LIST_MAX 4u /* that make the same frames: of other sizes each time, one does not pay */
#define BYTES_MAX (8u << 20) /* of all */

/* Written by any thread, atomically. */
struct mwr_known_stack *mwr_known_stacks[MWR_KNOWN_SETS][MWR_KNOWN_WAYS];

/* Under the lock of sites. */
static struct mwr_known_stack *latest;
static size_t bytes_used; /* atomic */
/* Which way is given up next; atomic, any will do. */
static unsigned turns;

void mwr_stack_word_add(struct mwr_stack_words *words, uintptr_t base, uintptr_t place,
                        bool is_of_stack)
{
    struct mwr_stack_word *word = &words->words[words->count];

    if (words->count == MWR_STACK_WORDS_MAX) {
        words->has_failed = true;
        return;
    }
    word->place = (intptr_t)(place - base);
    word->mask = is_of_stack ? UINTPTR_MAX : 0;
    memcpy(&word->value, (const void *)place, sizeof word->value);
    word->value = is_of_stack ? word->value - base : mwr_frame_address(word->value);
    words->count++;
}

/* Puts it into its set, in the place of another one if there is no room. */
static void put(struct mwr_known_stack *known, unsigned set)
{
    unsigned way = 0;

    for (; way < MWR_KNOWN_WAYS; way++) {
        const struct mwr_known_stack *there =
            __atomic_load_n(&mwr_known_stacks[set][way], __ATOMIC_ACQUIRE);

        if (!there || there == known || __atomic_load_n(&there->value, __ATOMIC_RELAXED) == 0) {
            break;
        }
    }
    if (way == MWR_KNOWN_WAYS) {
        way = __atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED) % MWR_KNOWN_WAYS;
    }
    __atomic_store_n(&mwr_known_stacks[set][way], known, __ATOMIC_RELEASE);
}

bool mwr_known_again(struct mwr_known_stack *list, unsigned set, unsigned call, uint32_t value,
                     uintptr_t base, size_t bytes)
{
    unsigned count = 0;

    for (; list; list = list->next) {
        if (mwr_known_is(list, call, base, bytes)) {
            __atomic_store_n(&list->value, value, __ATOMIC_RELAXED);
            put(list, set);
            return true;
        }
        count++;
    }
    return count >= LIST_MAX || __atomic_load_n(&bytes_used, __ATOMIC_RELAXED) >= BYTES_MAX;
}

void mwr_known_add(struct mwr_known_stack **list, unsigned set, unsigned call, uint32_t value,
                   const struct mwr_stack_words *words)
{
    size_t bytes = sizeof(struct mwr_known_stack) + words->count * sizeof words->words[0];
    struct mwr_known_stack *known = words->has_failed || words->count == 0 ? NULL : malloc(bytes);

    if (!known) {
        return;
    }
    *known = (struct mwr_known_stack){.value = value, .call = (uint16_t)call,
                                      .count = (uint16_t)words->count, .next = *list,
                                      .before = latest};
    memcpy(known->words, words->words, words->count * sizeof words->words[0]);
    for (unsigned i = 0; i < words->count; i++) {
        size_t behind = (size_t)words->words[i].place + sizeof words->words[i].value;

        known->extent = behind > known->extent ? behind : known->extent;
    }
    __atomic_store_n(&bytes_used, bytes_used + bytes, __ATOMIC_RELAXED);
    latest = known;
    __atomic_store_n(list, known, __ATOMIC_RELEASE);
    put(known, set);
}

void mwr_known_forget(uintptr_t begin, uintptr_t end)
{
    for (struct mwr_known_stack *known = latest; known; known = known->before) {
        for (unsigned i = 0; i < known->count; i++) {
            if (known->words[i].mask == 0 && known->words[i].value - begin < end - begin) {
                __atomic_store_n(&known->value, 0, __ATOMIC_RELAXED);
            }
        }
    }
}
