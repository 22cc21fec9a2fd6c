#ifndef MWA_LOAD_OTF2_NUMBER_H
#define MWA_LOAD_OTF2_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Numbers as OTF2's files have them: those whose size is known, in the byte order of their chunk,
 * and those behind a byte that says how many bytes they have.
 */

#define MWA_UNDEFINED_SIZE 255u /* in that byte: it is undefined, and has none */

/* One of count bytes, 8 at most, which are there. */
static inline uint64_t mwa_otf2_value(const unsigned char *from, unsigned count, bool big_endian)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < count; i++) {
        value = value << 8 | from[big_endian ? i : count - 1 - i];
    }
    return value;
}

/* Where the number ends that begins at at, end at most; null when it is longer, or is none. */
static inline const unsigned char *mwa_otf2_over(const unsigned char *at, const unsigned char *end)
{
    unsigned size = at < end ? *at : 9;

    if (size > 8) {
        return size == MWA_UNDEFINED_SIZE ? at + 1 : NULL;
    }
    return (size_t)(end - at) <= size ? NULL : at + 1 + size;
}

/* The same, with its value; UINT64_MAX is an undefined one. */
static inline const unsigned char *mwa_otf2_take(const unsigned char *at,
                                                 const unsigned char *end, bool big_endian,
                                                 uint64_t *value)
{
    const unsigned char *next = mwa_otf2_over(at, end);

    if (next) {
        *value = *at == MWA_UNDEFINED_SIZE ? UINT64_MAX
                                           : mwa_otf2_value(at + 1, *at, big_endian);
    }
    return next;
}

#endif
