/*
 * One table of fields for who writes and who reads. Messages come over a network from somebody who
 * may be anybody: all of one is checked before anything of it is taken.
 */
#include "formats/spool/live_message.h"

#include <inttypes.h>
#include <string.h>

#include "formats/spool/spool_info.h"
#include "formats/table/calls.h"

#define KIND_AT  32u /* in the head */
#define COUNT_AT 36u /* of the items, there, too */

struct field {
    size_t offset; /* in the item's struct */
    uint32_t bytes; /* 0: a text */
    bool is_list;  /* as many of these as the item's count says */
};

/* Of a kind of items. */
struct form {
    const struct field *fields;
    uint32_t field_count;
    uint32_t most;     /* that an item's count may be; 0: it has no lists … */
    size_t count_at;   /* … else where its count is */
    size_t bytes;      /* of its struct */
    bool (*is_possible)(const void *item, const struct mw_live_head *head);
};

#define BYTES_OF(type, member) sizeof(((type *)0)->member)
#define FIELD_OF(type, member)                                                                   \
    {                                                                                            \
        offsetof(type, member), BYTES_OF(type, member), false                                    \
    }
#define TEXT_OF(type, member)                                                                    \
    {                                                                                            \
        offsetof(type, member), 0, false                                                         \
    }
#define LIST_OF(type, member)                                                                    \
    {                                                                                            \
        offsetof(type, member), BYTES_OF(type, member[0]), true                                  \
    }
#define FIELD(member) FIELD_OF(struct mw_live_item, member)
#define TEXT(member)  TEXT_OF(struct mw_live_item, member)

static const struct field thread_fields[] = {
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

#undef FIELD
#undef TEXT
#define FIELD(member) FIELD_OF(struct mw_live_waits, member)
#define LIST(member)  LIST_OF(struct mw_live_waits, member)

static const struct field wait_fields[] = {
    FIELD(rank),
    FIELD(thread),
    FIELD(unknown),
    FIELD(is_final),
    FIELD(read),
    FIELD(clock_error),
    FIELD(waited),
    FIELD(told),
    FIELD(count),
    LIST(times),
    LIST(between),
};

static const struct field value_fields[] = {
    TEXT_OF(struct mw_live_values, name),
    TEXT_OF(struct mw_live_values, unit),
    FIELD_OF(struct mw_live_values, is_sum),
    FIELD_OF(struct mw_live_values, count),
    LIST_OF(struct mw_live_values, ranks),
    LIST_OF(struct mw_live_values, values),
};

static const struct field wish_fields[] = {
    FIELD_OF(struct mw_live_wish, flags),
};

static const struct field batch_fields[] = {
    FIELD_OF(struct mw_live_batch, generation),
    FIELD_OF(struct mw_live_batch, expected),
    FIELD_OF(struct mw_live_batch, number),
    FIELD_OF(struct mw_live_batch, has_records),
};

/* --- what can be --------------------------------------------------------------------------- */

static bool is_possible_thread(const void *data, const struct mw_live_head *head)
{
    const struct mw_live_item *item = data;

    return item->rank < head->size &&
           (item->thread < MW_LIVE_THREADS_MAX || item->thread == MW_LIVE_NO_THREAD) &&
           item->state < MW_RUN_STATE_COUNT && item->flags <= MW_LIVE_FLAGS &&
           item->action <= MW_CALL_COUNT && item->comm_call <= MW_CALL_COUNT;
}

static bool are_possible_waits(const void *data, const struct mw_live_head *head)
{
    const struct mw_live_waits *waits = data;
    bool are_rising = true;

    for (uint32_t i = 1; i < waits->count; i++) {
        are_rising = are_rising && waits->times[i - 1] < waits->times[i];
    }
    return are_rising && waits->rank < head->size && waits->thread < MW_LIVE_THREADS_MAX &&
           waits->unknown < MW_LIVE_NO_WAITS_COUNT && waits->is_final <= 1;
}

static bool are_possible_values(const void *data, const struct mw_live_head *head)
{
    const struct mw_live_values *values = data;
    bool are_possible = values->is_sum <= 1;

    for (uint32_t i = 0; i < values->count; i++) {
        const uint64_t exponent = values->values[i] >> 52 & 0x7ff;

        are_possible = are_possible && values->ranks[i] < head->size && exponent != 0x7ff;
    }
    return are_possible;
}

static bool is_possible_wish(const void *data, const struct mw_live_head *head)
{
    return ((const struct mw_live_wish *)data)->flags <= MW_LIVE_WISH_FLAGS && head->count == 1;
}

static bool is_possible_batch(const void *data, const struct mw_live_head *head)
{
    return ((const struct mw_live_batch *)data)->has_records <= 1 && head->count == 1;
}

#define FORM(fields, ...) fields, sizeof fields / sizeof fields[0], __VA_ARGS__

static const struct form forms[MW_LIVE_KINDS] = {
    [MW_LIVE_THREADS] = {FORM(thread_fields, 0, 0, sizeof(struct mw_live_item),
                              is_possible_thread)},
    [MW_LIVE_WAITS] = {FORM(wait_fields, MW_LIVE_LOOKS_MAX,
                            offsetof(struct mw_live_waits, count), sizeof(struct mw_live_waits),
                            are_possible_waits)},
    [MW_LIVE_VARIABLES] = {FORM(value_fields, MW_LIVE_VALUES_MAX,
                                offsetof(struct mw_live_values, count),
                                sizeof(struct mw_live_values), are_possible_values)},
    [MW_LIVE_WISH] = {FORM(wish_fields, 0, 0, sizeof(struct mw_live_wish), is_possible_wish)},
    [MW_LIVE_CALLS] = {FORM(batch_fields, 0, 0, sizeof(struct mw_live_batch),
                            is_possible_batch)},
};

/* How many its lists have. */
static uint32_t count_of(const struct form *form, const void *item)
{
    uint32_t count = 0;

    if (form->most > 0) {
        memcpy(&count, (const char *)item + form->count_at, sizeof count);
    }
    return count;
}

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
    mw_buffer_u32(buffer, head->kind);
    mw_buffer_u32(buffer, 0); /* COUNT_AT */
    mw_buffer_u64(buffer, head->sequence);
    mw_buffer_u64(buffer, head->time);
    put_text(buffer, head->host);
}

bool mw_live_message_add(struct mw_buffer *buffer, const void *item)
{
    const size_t before = buffer->bytes;
    const struct form *form;
    uint32_t count;

    if (buffer->failed) {
        return false;
    }
    form = &forms[mw_get_u32(buffer->data + KIND_AT)];
    for (uint32_t i = 0; i < form->field_count; i++) {
        const struct field *field = &form->fields[i];
        const char *from = (const char *)item + field->offset;

        count = field->is_list ? count_of(form, item) : 1;
        for (uint32_t k = 0; k < count; k++, from += field->bytes) {
            if (field->bytes == 0) {
                put_text(buffer, from);
            } else {
                put_number(buffer, from, field->bytes);
            }
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

static bool take_field(struct mw_cursor *cursor, const struct form *form,
                       const struct field *field, void *item)
{
    char *to = (char *)item + field->offset;
    const uint32_t count = field->is_list ? count_of(form, item) : 1;
    bool is_there = count <= (field->is_list ? form->most : 1);

    for (uint32_t i = 0; is_there && i < count; i++, to += field->bytes) {
        is_there = field->bytes == 0 ? take_text(cursor, to)
                                     : take_number(cursor, to, field->bytes);
    }
    return is_there;
}

static bool take_item(struct mw_cursor *cursor, uint32_t kind, void *item)
{
    const struct form *form = &forms[kind];
    bool is_there = true;

    memset(item, 0, form->bytes);
    for (uint32_t i = 0; is_there && i < form->field_count; i++) {
        is_there = take_field(cursor, form, &form->fields[i], item);
    }
    if (kind == MW_LIVE_THREADS) {
        struct mw_live_item *thread = item;

        thread->now.enter = thread->time_in;
        thread->now.call = thread->action;
    }
    return is_there;
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
        !take_number(cursor, &head->size, 4) || !take_number(cursor, &head->kind, 4) ||
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
    union {
        struct mw_live_item thread;
        struct mw_live_waits waits;
        struct mw_live_values values;
        struct mw_live_wish wish;
        struct mw_live_batch batch;
    } item;
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
    if (head->kind >= MW_LIVE_KINDS || (head->kind == MW_LIVE_CALLS && head->count != 1)) {
        return wrong(diagnostic, "a message of a kind that there is not");
    }
    *items = cursor;
    for (uint32_t i = 0; i < head->count; i++) {
        if (!take_item(&cursor, head->kind, &item)) {
            return wrong(diagnostic, "a message ends before its last item");
        }
        if (!forms[head->kind].is_possible(&item, head)) {
            return wrong(diagnostic, "an item has a number that there is not");
        }
    }
    return cursor.left == 0 || head->kind == MW_LIVE_CALLS
               ? MW_OK
               : wrong(diagnostic, "a message goes on behind its last item");
}

bool mw_live_message_next(struct mw_cursor *items, uint32_t kind, void *item)
{
    return items->left > 0 && take_item(items, kind, item);
}
