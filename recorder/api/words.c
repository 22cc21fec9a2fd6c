#include "recorder/api/words.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Of all lists of words: taken to add one, not to find one. */
static pthread_mutex_t word_lock = PTHREAD_MUTEX_INITIALIZER;

/* FNV-1a. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = 14695981039346656037u;

    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    }
    return hash;
}

static struct mwr_word *find_hashed(const struct mwr_words *words, const char *text,
                                    uint64_t hash)
{
    struct mwr_word *word =
        __atomic_load_n(&words->buckets[hash % MWR_WORD_BUCKETS], __ATOMIC_ACQUIRE);

    while (word && (word->hash != hash || strcmp(word->text, text) != 0)) {
        word = word->following;
    }
    return word;
}

struct mwr_word *mwr_words_find(const struct mwr_words *words, const char *text)
{
    return find_hashed(words, text, hash_of(text));
}

/* Adds a word that is not there; word_lock is held. */
static struct mwr_word *append(struct mwr_words *words, const char *text, uint64_t hash,
                               uint32_t kind)
{
    struct mwr_word **bucket = &words->buckets[hash % MWR_WORD_BUCKETS];
    size_t bytes = strlen(text) + 1;
    struct mwr_word *word =
        words->count < words->limit ? malloc(sizeof *word + bytes) : NULL;

    if (word) {
        *word = (struct mwr_word){
            .following = *bucket, .hash = hash, .number = words->count++, .kind = kind};
        memcpy(word->text, text, bytes);
        words->define(word);
        /* Release: who finds the word finds it whole, and its definition written. */
        __atomic_store_n(bucket, word, __ATOMIC_RELEASE);
    }
    return word;
}

struct mwr_word *mwr_words_add(struct mwr_words *words, const char *text, uint32_t kind)
{
    uint64_t hash = hash_of(text);
    struct mwr_word *word = find_hashed(words, text, hash);

    if (word) {
        return word;
    }
    pthread_mutex_lock(&word_lock);
    word = find_hashed(words, text, hash);
    if (!word) {
        word = append(words, text, hash, kind);
    }
    pthread_mutex_unlock(&word_lock);
    return word;
}
