/*
 * Integers are taken apart byte by byte, which is right on every machine and at
 * any address; compilers make one instruction of it.
 */
#include "formats/base/buffer.h"

#include <stdlib.h>
#include <string.h>

void mw_buffer_fini(struct mw_buffer *buffer)
{
    free(buffer->data);
    memset(buffer, 0, sizeof *buffer);
}

void *mw_buffer_extend(struct mw_buffer *buffer, size_t bytes)
{
    size_t needed = buffer->bytes + bytes;

    if (buffer->failed || needed < bytes) {
        buffer->failed = true;
        return NULL;
    }
    if (needed > buffer->room) {
        size_t room = needed < 128 ? 256 : needed + needed / 2;
        char *grown = realloc(buffer->data, room);

        if (!grown) {
            buffer->failed = true;
            return NULL;
        }
        buffer->data = grown;
        buffer->room = room;
    }
    buffer->bytes = needed;
    return buffer->data + needed - bytes;
}

void mw_buffer_append(struct mw_buffer *buffer, const void *data, size_t bytes)
{
    void *to = bytes > 0 ? mw_buffer_extend(buffer, bytes) : NULL;

    if (to) {
        memcpy(to, data, bytes);
    }
}

static void append_little_endian(struct mw_buffer *buffer, uint64_t value, size_t bytes)
{
    unsigned char *to = mw_buffer_extend(buffer, bytes);

    for (size_t i = 0; to && i < bytes; i++) {
        to[i] = (unsigned char)(value >> 8 * i);
    }
}

void mw_buffer_u16(struct mw_buffer *buffer, uint16_t value)
{
    append_little_endian(buffer, value, sizeof value);
}

void mw_buffer_u32(struct mw_buffer *buffer, uint32_t value)
{
    append_little_endian(buffer, value, sizeof value);
}

void mw_buffer_u64(struct mw_buffer *buffer, uint64_t value)
{
    append_little_endian(buffer, value, sizeof value);
}

bool mw_cursor_take(struct mw_cursor *cursor, void *to, size_t bytes)
{
    if (cursor->left < bytes) {
        return false;
    }
    if (bytes > 0) {
        memcpy(to, cursor->next, bytes);
    }
    cursor->next += bytes;
    cursor->left -= bytes;
    return true;
}

static uint64_t get_little_endian(const void *from, size_t bytes)
{
    const unsigned char *bytes_of = from;
    uint64_t value = 0;

    for (size_t i = 0; i < bytes; i++) {
        value |= (uint64_t)bytes_of[i] << 8 * i;
    }
    return value;
}

uint16_t mw_get_u16(const void *from)
{
    return (uint16_t)get_little_endian(from, 2);
}

uint32_t mw_get_u32(const void *from)
{
    return (uint32_t)get_little_endian(from, 4);
}

uint64_t mw_get_u64(const void *from)
{
    return get_little_endian(from, 8);
}
