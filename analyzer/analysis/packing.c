/* Sizes are looked at although nobody should have changed them: a wrong one is not believed. */
#include "analyzer/analysis/packing.h"

#include <stdlib.h>
#include <string.h>

void mwa_pack_array(struct mw_buffer *to, const void *elements, uint64_t count, size_t size)
{
    mw_buffer_u64(to, count);
    mw_buffer_append(to, elements, count * size);
}

/* How many elements follow, if they are there. */
static enum mw_status take_count(struct mw_cursor *from, size_t size, uint64_t *count)
{
    char bytes[sizeof *count];

    *count = 0;
    if (!mw_cursor_take(from, bytes, sizeof bytes) || mw_get_u64(bytes) > from->left / size) {
        return MW_ERROR_FORMAT;
    }
    *count = mw_get_u64(bytes);
    return MW_OK;
}

enum mw_status mwa_unpack_array(struct mw_cursor *from, void *elements, uint64_t *count,
                                size_t size)
{
    void *made;

    if (take_count(from, size, count) != MW_OK) {
        return MW_ERROR_FORMAT;
    }
    made = malloc(*count > 0 ? *count * size : 1);
    if (!made) {
        *count = 0;
        return MW_ERROR_MEMORY;
    }
    (void)mw_cursor_take(from, made, *count * size);
    memcpy(elements, &made, sizeof made);
    return MW_OK;
}

enum mw_status mwa_unpack_into(struct mw_cursor *from, void *elements, uint64_t count, size_t size)
{
    uint64_t there;

    return take_count(from, size, &there) == MW_OK && there == count &&
                   mw_cursor_take(from, elements, count * size)
               ? MW_OK
               : MW_ERROR_FORMAT;
}
