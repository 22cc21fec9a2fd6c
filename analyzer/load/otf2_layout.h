#ifndef MWA_LOAD_OTF2_LAYOUT_H
#define MWA_LOAD_OTF2_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How OTF2's files are laid out. A chunk, of events or definitions, begins with 18 bytes, of
 * which the second says the byte order, and has records up to its end or the file's: a byte of
 * their type, their length, their fields. The anchor file begins and ends in the same way. Numbers
 * are of a size that is known, in the byte order of their chunk, or behind a byte that says how
 * many bytes they have.
 */

#define MWA_CHUNK_END       0u
#define MWA_FILE_END        2u
#define MWA_CHUNK_BEGIN     3u
#define MWA_CHUNK_HEAD      18u /* bytes */
#define MWA_LITTLE_ENDIAN   0x42u
#define MWA_BIG_ENDIAN      0x23u
#define MWA_LENGTH_FOLLOWS  255u /* in the place of a record's length: it is in 8 bytes behind */

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

/*
 * Where the fields begin of a record whose type at is behind, and *length, that of the fields; end:
 * of the chunk. Null: they are longer than what is left of it, of which one byte at least, its end,
 * comes behind them.
 */
static inline const unsigned char *mwa_otf2_length(const unsigned char *at,
                                                   const unsigned char *end, bool big_endian,
                                                   uint64_t *length)
{
    *length = at < end ? *at++ : MWA_LENGTH_FOLLOWS;
    if (*length == MWA_LENGTH_FOLLOWS) {
        if (end - at < 8) {
            return NULL;
        }
        *length = mwa_otf2_value(at, 8, big_endian);
        at += 8;
    }
    return (uint64_t)(end - at) > *length ? at : NULL;
}

#endif
