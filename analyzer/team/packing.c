/* Sizes are looked at although nobody should have changed them: a wrong one is not believed. */
#include "analyzer/team/packing.h"

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

void mwa_pack_map(struct mw_buffer *to, const struct mwa_map *map)
{
    mw_buffer_u64(to, map->count);
    for (uint64_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].value != MWA_MAP_ABSENT) {
            mw_buffer_append(to, &map->slots[i], sizeof map->slots[i]);
        }
    }
}

enum mw_status mwa_unpack_map(struct mw_cursor *from, struct mwa_map *map)
{
    return mwa_unpack_array(from, &map->slots, &map->capacity, sizeof *map->slots);
}

bool mwa_is_flag(const bool *flag)
{
    unsigned char byte;

    memcpy(&byte, flag, sizeof byte);
    return byte <= 1;
}

/* Where a text is among the trace's strings; behind them: none is meant. */
static uint64_t position_of(const struct mwa_map *positions, const struct mwa_trace *trace,
                            const char *text)
{
    const uint64_t at =
        text ? mwa_map_get(positions, (struct mwa_key){ 0, (uintptr_t)text }) : MWA_MAP_ABSENT;

    /* An id that no string has is the empty text (mwa_trace_string). */
    return at != MWA_MAP_ABSENT ? at : trace->string_count + (text ? 1 : 0);
}

void mwa_pack_texts(struct mw_buffer *to, const struct mwa_trace *trace, const void *texts,
                    uint64_t count, size_t stride)
{
    struct mwa_map positions = { 0 };

    for (uint64_t i = 0; count > 0 && i < trace->string_count; i++) {
        const struct mwa_key key = { 0, (uintptr_t)trace->strings[i] };

        to->failed |= !mwa_map_put(&positions, key, i);
    }
    for (uint64_t i = 0; i < count; i++) {
        const char *text;

        memcpy(&text, (const char *)texts + i * stride, sizeof text);
        mw_buffer_u64(to, position_of(&positions, trace, text));
    }
    mwa_map_fini(&positions);
}

enum mw_status mwa_unpack_texts(struct mw_cursor *from, const struct mwa_trace *trace, void *texts,
                                uint64_t count, size_t stride)
{
    for (uint64_t i = 0; i < count; i++) {
        const char *text;
        char position[8];
        uint64_t at;

        if (!mw_cursor_take(from, position, sizeof position)) {
            return MW_ERROR_FORMAT;
        }
        at = mw_get_u64(position);
        text = at < trace->string_count    ? trace->strings[at]
               : at == trace->string_count ? NULL
                                           : "";
        memcpy((char *)texts + i * stride, &text, sizeof text);
    }
    return MW_OK;
}
