#ifndef MWR_API_WORDS_H
#define MWR_API_WORDS_H

#include <stdint.h>

/*
 * Names and texts that the program gives, each with a number from 0 on in the order in
 * which they came. Nothing is ever taken out. Looking up takes no lock.
 */

#define MWR_WORD_BUCKETS 1024u
#define MWR_WORD_NONE UINT32_MAX
#define MWR_WORD_BYTES_MAX 1000u

struct mwr_word {
    struct mwr_word *following; /* in the bucket */
    uint64_t hash;
    uint32_t number;
    uint32_t kind;  /* the owner's, as in the call that added it */
    uint64_t value; /* the owner's, 0 at first */
    char text[];
};

struct mwr_words {
    void (*define)(struct mwr_word *word); /* called once for each, in the order of numbers,
                                              before it is found; may change the number */
    uint32_t limit;                        /* how many there may be */
    uint32_t count;
    struct mwr_word *buckets[MWR_WORD_BUCKETS];
};

/* The word, null if it has not come yet. Thread-safe. */
struct mwr_word *mwr_words_find(const struct mwr_words *words, const char *text);

/* The same, but a new one is added, with kind; null: too many, or no memory. Thread-safe. */
struct mwr_word *mwr_words_add(struct mwr_words *words, const char *text, uint32_t kind);

#endif
