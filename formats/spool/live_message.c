/*
 * One table of fields for who writes and who reads. Messages come over a network from somebody who
 * may be anybody: all of one is checked before anything of it is taken.
 */
#include "formats/spool/live_message.h"

#include <inttypes.h>
#include <string.h>

#include "formats/spool/spool_info.h"
#include "formats/table/calls.h"

#define COUNT_AT 36u /* of the items, in the head */

struct field {
    size_t offset; /* in struct mw_live_item */
    uint32_t bytes; /* 0: a text */
};

#define FIELD(member)                                                                            \
    {                                                                                            \
        offsetof(struct mw_live_item, member), sizeof(((struct mw_live_item *)0)->member)        \
    }
#define TEXT(member)                                                                             \
    {                                                                                            \
        offsetof(struct mw_live_item, member), 0                                                 \
    }

static const struct field fields[] = {
    FIELD(rank),
    FIELD(thread),
    FIELD(pid),
    FIELD(state),
    FIELD(flags),
    FIELD(code),
    FIELD(action),
    FIELD(time_in),
    FIELD(time_out),
    FIELD(begin),
    FIELD(look),
    FIELD(now.what),
    FIELD(now.comm),
    FIELD(now.peer),
    FIELD(now.tag),
    FIELD(now.bytes),
    FIELD(now.source),
    FIELD(now.source_tag),
    FIELD(now.window),
    FIELD(now.count),
    FIELD(counts.calls),
    FIELD(counts.inside),
    FIELD(counts.sent),
    FIELD(counts.received),
    FIELD(counts.bytes_sent),
    FIELD(counts.bytes_received),
    FIELD(counts.collective_sent),
    FIELD(counts.collective_received),
    FIELD(counts.left),
    FIELD(counts.mark),
    FIELD(lost),
    FIELD(comm_call),
    FIELD(comm_sequence),
    TEXT(comm),
    TEXT(program),
    TEXT(line),
};

#define FIELDS (sizeof fields / sizeof fields[0])

static size_t text_length(const char *text)
{
    return strnlen(text, MW_LIVE_TEXT_BYTES - 1);
}

/* --- writing ------------------------------------------------------------------------------- */

static void put_text(struct mw_buffer *buffer, const char *text)
{
    mw_buffer_u16(buffer, (uint16_t)text_length(text));
    mw_buffer_append(buffer, text, text_length(text));
}

static void put_number(struct mw_buffer *buffer, const void *from, uint32_t bytes)
{
    if (bytes == sizeof(uint8_t)) {
        mw_buffer_append(buffer, from, bytes);
    } else if (bytes == sizeof(uint16_t)) {
        mw_buffer_u16(buffer, *(const uint16_t *)from);
    } else if (bytes == sizeof(uint32_t)) {
        mw_buffer_u32(buffer, *(const uint32_t *)from);
    } else {
        mw_buffer_u64(buffer, *(const uint64_t *)from);
    }
}

void mw_live_message_begin(struct mw_buffer *buffer, const struct mw_live_head *head)
{
    mw_buffer_append(buffer, MW_LIVE_MAGIC, 8);
    mw_buffer_u32(buffer, MW_LIVE_VERSION);
    mw_buffer_u64(buffer, mw_calls_fingerprint());
    mw_buffer_u64(buffer, head->nonce);
    mw_buffer_u32(buffer, head->size);
    mw_buffer_u32(buffer, 0);
    mw_buffer_u32(buffer, 0); /* COUNT_AT */
    mw_buffer_u64(buffer, head->sequence);
    mw_buffer_u64(buffer, head->time);
    put_text(buffer, head->host);
}

bool mw_live_message_add(struct mw_buffer *buffer, const struct mw_live_item *item)
{
    const size_t before = buffer->bytes;
    uint32_t count;

    for (size_t i = 0; i < FIELDS; i++) {
        const char *from = (const char *)item + fields[i].offset;

        if (fields[i].bytes == 0) {
            put_text(buffer, from);
        } else {
            put_number(buffer, from, fields[i].bytes);
        }
    }
    if (buffer->failed || buffer->bytes > MW_LIVE_BYTES_MAX) {
        buffer->bytes = before;
        return false;
    }
    count = mw_get_u32(buffer->data + COUNT_AT) + 1;
    for (unsigned i = 0; i < sizeof count; i++) {
        buffer->data[COUNT_AT + i] = (char)(count >> 8 * i);
    }
    return true;
}

/* --- reading ------------------------------------------------------------------------------- */

/* Texts have no nulls in them. */
static bool take_text(struct mw_cursor *cursor, char *text)
{
    char raw[2];
    uint16_t length;

    if (!mw_cursor_take(cursor, raw, sizeof raw)) {
        return false;
    }
    length = mw_get_u16(raw);
    if (length >= MW_LIVE_TEXT_BYTES || !mw_cursor_take(cursor, text, length)) {
        return false;
    }
    text[length] = '\0';
    return strlen(text) == length;
}

static bool take_number(struct mw_cursor *cursor, void *to, uint32_t bytes)
{
    char raw[8];

    if (!mw_cursor_take(cursor, raw, bytes)) {
        return false;
    }
    if (bytes == sizeof(uint8_t)) {
        *(uint8_t *)to = (uint8_t)raw[0];
    } else if (bytes == sizeof(uint16_t)) {
        *(uint16_t *)to = mw_get_u16(raw);
    } else if (bytes == sizeof(uint32_t)) {
        *(uint32_t *)to = mw_get_u32(raw);
    } else {
        *(uint64_t *)to = mw_get_u64(raw);
    }
    return true;
}

static bool take_item(struct mw_cursor *cursor, struct mw_live_item *item)
{
    *item = (struct mw_live_item){0};
    for (size_t i = 0; i < FIELDS; i++) {
        char *to = (char *)item + fields[i].offset;

        if (!(fields[i].bytes == 0 ? take_text(cursor, to)
                                   : take_number(cursor, to, fields[i].bytes))) {
            return false;
        }
    }
    item->now.enter = item->time_in;
    item->now.call = item->action;
    return true;
}

static bool is_possible(const struct mw_live_item *item, const struct mw_live_head *head)
{
    return item->rank < head->size &&
           (item->thread < MW_LIVE_THREADS_MAX || item->thread == MW_LIVE_NO_THREAD) &&
           item->state < MW_RUN_STATE_COUNT && item->flags <= MW_LIVE_FLAGS &&
           item->action <= MW_CALL_COUNT && item->comm_call <= MW_CALL_COUNT;
}

static enum mw_status wrong(struct mw_diagnostic *diagnostic, const char *what)
{
    return mw_fail(diagnostic, MW_ERROR_FORMAT, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                   "what is told of a running program can't be right: %s", what);
}

static enum mw_status read_head(struct mw_cursor *cursor, struct mw_live_head *head,
                                struct mw_diagnostic *diagnostic)
{
    char magic[8];
    uint32_t version;
    uint64_t fingerprint;
    uint32_t reserved;

    if (!mw_cursor_take(cursor, magic, sizeof magic) || memcmp(magic, MW_LIVE_MAGIC, 8) != 0 ||
        !take_number(cursor, &version, sizeof version)) {
        return wrong(diagnostic, "this is no message of mpiwatch-top");
    }
    if (version != MW_LIVE_VERSION) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "what is told of a running program is of version %" PRIu32
                       ", and this program knows version %u",
                       version, MW_LIVE_VERSION);
    }
    if (!take_number(cursor, &fingerprint, 8) || !take_number(cursor, &head->nonce, 8) ||
        !take_number(cursor, &head->size, 4) || !take_number(cursor, &reserved, 4) ||
        !take_number(cursor, &head->count, 4) || !take_number(cursor, &head->sequence, 8) ||
        !take_number(cursor, &head->time, 8) || !take_text(cursor, head->host)) {
        return wrong(diagnostic, "a message ends in its head");
    }
    return fingerprint == mw_calls_fingerprint()
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_VERSION, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "who tells of the running program numbers MPI's calls otherwise: it is "
                         "of another version of mpiwatch");
}

enum mw_status mw_live_message_read(const void *message, size_t bytes, struct mw_live_head *head,
                                    struct mw_cursor *items, struct mw_diagnostic *diagnostic)
{
    struct mw_cursor cursor = {.next = message, .left = bytes};
    struct mw_live_item item;
    enum mw_status status = read_head(&cursor, head, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    if (bytes > MW_LIVE_BYTES_MAX) {
        return wrong(diagnostic, "a message is longer than messages are");
    }
    if (head->size > MW_LIVE_RANKS_MAX) {
        return wrong(diagnostic, "a run of so many ranks");
    }
    *items = cursor;
    for (uint32_t i = 0; i < head->count; i++) {
        if (!take_item(&cursor, &item)) {
            return wrong(diagnostic, "a message ends before its last item");
        }
        if (!is_possible(&item, head)) {
            return wrong(diagnostic, "an item has a number that there is not");
        }
    }
    return cursor.left == 0 ? MW_OK : wrong(diagnostic, "a message goes on behind its last item");
}

bool mw_live_message_next(struct mw_cursor *items, struct mw_live_item *item)
{
    return items->left > 0 && take_item(items, item);
}
