#ifndef MW_FORMATS_BASE_ARRAY_H
#define MW_FORMATS_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * Room for one more element after count elements of bytes each, in an array that grows
 * by doubling and always by one element at a time (so that its room is the next power
 * of two). The array is the caller's to free; a null one is empty.
 *
 * \return false without memory, and *array as it was.
 */
static inline bool mw_array_grow(void **array, size_t count, size_t bytes)
{
    void *grown;

    if (count > 0 && (count & (count - 1)) != 0) {
        return true;
    }
    grown = realloc(*array, (count > 0 ? 2 * count : 1) * bytes);
    if (grown) {
        *array = grown;
    }
    return grown != NULL;
}

#endif
