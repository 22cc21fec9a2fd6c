#ifndef MWR_SITES_KNOWN_STACKS_H
#define MWR_SITES_KNOWN_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * Stacks that look as they did before. A stack that was gone through once leaves what decided the
 * way: at which places from its inner end on the addresses stood that functions return to, and,
 * where a frame was found by the base pointer, the values of it that were saved. If all of that
 * stands there again, the rules of the functions lead the same way again, whatever else has
 * changed: each frame is found by the address before it, and by its own size or by one of these
 * values. So a stack with an array of another size, a frame that is aligned otherwise or another
 * function is another one, and where a library has gone, the stacks that it was on are known no
 * more until it comes again.
 *
 * They are compared from the inside outwards, up to the first difference: nothing is read that the
 * rules would not have read.
 */

/*
 * Bits of a word above all addresses. On AArch64 functions may have signed the addresses that they
 * return to there, otherwise for each place of the stack: they are compared without.
 */
#if defined(__aarch64__)
#define MWR_SIGNATURE_BITS 16
#else
#define MWR_SIGNATURE_BITS 0
#endif

/* A word of the stack. */
struct mwr_stack_word {
    intptr_t place;  /* from base on */
    uintptr_t value; /* … less what of base is in mask */
    uintptr_t mask;  /* all of it: the word is an address in the stack; else 0 */
};

struct mwr_known_stack {
    uint32_t value; /* what a record has; 0: it is known no more */
    uint16_t call;
    uint16_t count; /* of words */
    size_t extent;  /* bytes from base on that are read */
    struct mwr_known_stack *next; /* of those that make the same frames */
    struct mwr_known_stack *before; /* of all */
    struct mwr_stack_word words[];
};

/* A stack that is being gone through to be known. */
#define MWR_STACK_WORDS_MAX 160u

struct mwr_stack_words {
    struct mwr_stack_word words[MWR_STACK_WORDS_MAX];
    unsigned count;
    bool has_failed; /* there is no room, or what it depends on was not seen */
};

#define MWR_KNOWN_SETS 256u /* a power of two */
#define MWR_KNOWN_WAYS 4u

/* Those met last, by mwr_known_set; read without a lock. */
extern struct mwr_known_stack *mwr_known_stacks[MWR_KNOWN_SETS][MWR_KNOWN_WAYS]
    __attribute__((visibility("hidden")));

/* Where a stack of a call, that returns to caller and begins at base, is looked for. */
MW_INLINE unsigned mwr_known_set(unsigned call, uintptr_t caller, uintptr_t base)
{
    return (unsigned)(((caller << 10) + call + (base << 4)) * UINT64_C(0x9e3779b97f4a7c15) >> 48) %
           MWR_KNOWN_SETS;
}

/* Whether the stack from base on, of so many bytes, is this one. */
MW_INLINE bool mwr_known_is(const struct mwr_known_stack *known, unsigned call, uintptr_t base,
                            size_t bytes)
{
    const struct mwr_stack_word *word = known->words;
    const struct mwr_stack_word *end = word + known->count;

    if (known->call != call || known->extent > bytes) {
        return false;
    }
    do {
        if ((*(const uintptr_t *)(base + (uintptr_t)word->place) -
             (word->value + (base & word->mask))) << MWR_SIGNATURE_BITS) {
            return false;
        }
    } while (++word < end);
    return true;
}

/* The value of the stack; 0: it is not known. */
MW_INLINE uint32_t mwr_known_look(unsigned set, unsigned call, uintptr_t base, size_t bytes)
{
    for (unsigned way = 0; way < MWR_KNOWN_WAYS; way++) {
        const struct mwr_known_stack *known =
            __atomic_load_n(&mwr_known_stacks[set][way], __ATOMIC_ACQUIRE);

        if (!known) {
            return 0;
        }
        if (mwr_known_is(known, call, base, bytes)) {
            return __atomic_load_n(&known->value, __ATOMIC_RELAXED);
        }
    }
    return 0;
}

/* Notes a word at place, of the stack that begins at base; an address in it, or not. */
void mwr_stack_word_add(struct mwr_stack_words *words, uintptr_t base, uintptr_t place,
                        bool is_of_stack);

/*
 * Puts one of the list that the stack is into its set; one that was forgotten is known again, with
 * the value: its library has come again, and the stack was gone through since. \return true:
 * nothing is to be added, for one is, or there are enough. Takes no lock.
 */
bool mwr_known_again(struct mwr_known_stack *list, unsigned set, unsigned call, uint32_t value,
                     uintptr_t base, size_t bytes);

/*
 * Knows a stack from now on, and puts it before those of *list; a stack that can't be known, or for
 * which there is no memory, is not. Under the lock of sites.
 */
void mwr_known_add(struct mwr_known_stack **list, unsigned set, unsigned call, uint32_t value,
                   const struct mwr_stack_words *words);

/* Forgets those with addresses from begin to end. Under the lock of sites. */
void mwr_known_forget(uintptr_t begin, uintptr_t end);

#endif
