#ifndef MW_FORMATS_BASE_ARRAY_H
#define MW_FORMATS_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Arrays that grow. They are the caller's to free; a null one is empty. */

/*
 * Room for one more element after count elements of bytes each, in an array that grows
 * by doubling and always by one element at a time (so that its room is at least the next
 * power of two); elements at its end may go.
 *
 * \return false without memory, and *array as it was.
 */
static inline bool mw_array_grow(void **array, size_t count, size_t bytes)
{
    void *grown;

    if (count > 0 && (count & (count - 1)) != 0) {
        return true;
    }
    if (count > SIZE_MAX / 2 / bytes) {
        return false;
    }
    grown = realloc(*array, (count > 0 ? 2 * count : 1) * bytes);
    if (grown) {
        *array = grown;
    }
    return grown != NULL;
}

/*
 * Room for the element of this number of bytes in an array that has *room; what is new is filled
 * with the byte fill.
 *
 * \return false without memory, and *array and *room as they were.
 */
static inline bool mw_array_widen(void **array, uint32_t *room, uint32_t number, size_t bytes,
                                  int fill)
{
    uint64_t wanted = number < 2 * (uint64_t)*room ? 2 * (uint64_t)*room : (uint64_t)number + 16;
    char *grown;

    if (number < *room) {
        return true;
    }
    if (wanted > UINT32_MAX || wanted > SIZE_MAX / bytes ||
        !(grown = realloc(*array, (size_t)wanted * bytes))) {
        return false;
    }
    memset(grown + *room * bytes, fill, ((size_t)wanted - *room) * bytes);
    *array = grown;
    *room = (uint32_t)wanted;
    return true;
}

#endif
