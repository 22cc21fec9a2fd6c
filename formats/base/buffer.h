#ifndef MW_FORMATS_BASE_BUFFER_H
#define MW_FORMATS_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes that grow, for what is put together in memory: ZIP headers, the block
 * index, what processes tell each other. Integers are little-endian.
 *
 * Appending does not fail at once: a buffer that got no memory is marked failed,
 * takes nothing more, and is looked at once in the end. A zeroed one is empty.
 * Who puts into it what is in a file, and can't read that, marks it with unread.
 */
struct mw_buffer {
    char *data;
    size_t bytes;
    size_t room;
    bool failed;
    int unread; /* of one that has failed: errno of a file that can't be read; 0: no memory */
};

void mw_buffer_fini(struct mw_buffer *buffer);

/* Room for bytes at the end, uninitialized and counted; null when failed. */
void *mw_buffer_extend(struct mw_buffer *buffer, size_t bytes);
void mw_buffer_append(struct mw_buffer *buffer, const void *data, size_t bytes);
void mw_buffer_u16(struct mw_buffer *buffer, uint16_t value);
void mw_buffer_u32(struct mw_buffer *buffer, uint32_t value);
void mw_buffer_u64(struct mw_buffer *buffer, uint64_t value);

/* Reading what was put into a buffer, in order. */
struct mw_cursor {
    const char *next;
    size_t left;
};

/* Copies bytes to to; false, and nothing copied, when there are fewer left. */
bool mw_cursor_take(struct mw_cursor *cursor, void *to, size_t bytes);

/* Little-endian integers at any address. */
uint16_t mw_get_u16(const void *from);
uint32_t mw_get_u32(const void *from);
uint64_t mw_get_u64(const void *from);

#endif
