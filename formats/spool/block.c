/*
 * Both directions go through the same fields in the same order, so that what one predicts the
 * other one does. Lengths of numbers stand in front of a record's numbers, four bits each: to read
 * eight bytes and to use a few of them costs no decisions.
 */
#include "formats/spool/block.h"

#include <endian.h>
#include <stdbool.h>
#include <string.h>

#include "formats/base/status.h"
#include "formats/spool/record_layout.h"
#include "formats/spool/spool.h"

#define AS_IT_IS 0x80u /* with a type: the record follows as it was in the window */
#define VALUES 256u    /* of metrics, that are remembered */

_Static_assert(sizeof(struct mw_partly_member) == MW_MEMBER_BYTES_MAX, "the longest member");

/* Where a metric's value number index is remembered, maybe with others. */
static unsigned value_index(uint32_t metric, unsigned index)
{
    return (metric * 8 + index) % VALUES;
}

/* What is known of the records before, which are in memory still: the next ones differ little. */
struct known {
    const char *last[MW_RECORD_TYPES]; /* the record of each type before, or one of zeros */
    uint64_t time;
    uint64_t values[VALUES];
};

static void know_nothing(struct known *known)
{
    static const char no_record[MW_MEMBER_BYTES_MAX];

    for (unsigned type = 0; type < MW_RECORD_TYPES; type++) {
        known->last[type] = no_record;
    }
    known->time = 0;
    memset(known->values, 0, sizeof known->values);
}

/* --- numbers ------------------------------------------------------------------------ */

static inline uint64_t load(const char *at, unsigned bytes)
{
    uint64_t eight;
    uint32_t four;
    uint16_t two;

    switch (bytes) {
    case sizeof two:
        memcpy(&two, at, sizeof two);
        return two;
    case sizeof four:
        memcpy(&four, at, sizeof four);
        return four;
    default:
        memcpy(&eight, at, sizeof eight);
        return eight;
    }
}

static inline void store(char *at, unsigned bytes, uint64_t value)
{
    const uint32_t four = (uint32_t)value;
    const uint16_t two = (uint16_t)value;

    switch (bytes) {
    case sizeof two:
        memcpy(at, &two, sizeof two);
        break;
    case sizeof four:
        memcpy(at, &four, sizeof four);
        break;
    default:
        memcpy(at, &value, sizeof value);
        break;
    }
}

/* How far value is from where it was thought to be: small numbers in both directions. */
static inline uint64_t distance(uint64_t value, uint64_t predicted, unsigned bytes)
{
    unsigned unused = 64 - 8 * bytes;
    int64_t apart = (int64_t)((value - predicted) << unused) >> unused;

    return (uint64_t)apart << 1 ^ (uint64_t)(apart >> 63);
}

static inline uint64_t at_distance(uint64_t distance, uint64_t predicted)
{
    return predicted + (distance >> 1 ^ -(distance & 1));
}

/* The bytes of a number that is not 0. */
static inline unsigned length_of(uint64_t number)
{
    return (71 - (unsigned)__builtin_clzll(number)) / 8;
}

/* Where the numbers of a record begin whose lengths stand at lengths. */
static inline size_t bytes_of_lengths(unsigned numbers)
{
    return (numbers + 1) / 2;
}

/* --- packing ------------------------------------------------------------------------ */

/* Writes a number that is not 0. \return behind it. */
static inline char *put(char *to, uint64_t number, unsigned *length)
{
    const uint64_t little = htole64(number);

    *length = length_of(number);
    memcpy(to, &little, sizeof little);
    return to + *length;
}

static char *pack_values(struct known *known, const char *record, char *to)
{
    struct mw_metric_member head;
    unsigned char *lengths = (unsigned char *)to;

    memcpy(&head, record, sizeof head);
    to += bytes_of_lengths(head.count);
    memset(lengths, 0, bytes_of_lengths(head.count));
    for (unsigned i = 0; i < head.count; i++) {
        uint64_t *before = &known->values[value_index(head.metric, i)];
        uint64_t value = load(record + sizeof head + i * sizeof value, sizeof value);
        unsigned length = 0;

        if (value != *before) {
            to = put(to, distance(value, *before, sizeof value), &length);
        }
        lengths[i / 2] |= (unsigned char)(length << i % 2 * 4);
        *before = value;
    }
    return to;
}

/* Writes field i of the record, unless it is what it was: its length is 0 then. */
MW_INLINE char *pack_field(struct known *known, const char *record, const char *last,
                           const struct mw_record_field *field, unsigned i, uint32_t *lengths,
                           char *to)
{
    uint64_t value = load(record + field->offset, field->bytes);
    uint64_t before = field->is_time ? known->time : load(last + field->offset, field->bytes);
    unsigned length;

    if (value != before) {
        to = put(to, distance(value, before, field->bytes), &length);
        *lengths |= length << 4 * i;
    }
    if (field->is_time) {
        known->time = value;
    }
    return to;
}

/*
 * With a form that is a constant this becomes straight code. Most of a record is what it was in the
 * one before: eight bytes of it are compared at once.
 */
MW_INLINE char *pack_fields(struct known *known, const char *record,
                            enum mw_record_form form, char *to)
{
    const struct mw_record_layout *layout = &mw_record_layouts[form];
    unsigned type = (unsigned char)record[1];
    const char *last = known->last[type];
    char *lengths = to + 1;
    uint32_t all = 0;

    known->last[type] = record;
    *to = (char)type;
    to = lengths + bytes_of_lengths(layout->count);
#pragma GCC unroll 6
    for (unsigned i = 0; i < layout->count; i++) {
        const struct mw_record_field *field = &layout->fields[i];
        const struct mw_record_field *next = i + 1 < layout->count ? field + 1 : field;
        size_t word = field->offset / 8 * (size_t)8;

        if (i > 0 && (field - 1)->offset / 8 * (size_t)8 == word) {
            continue; /* it has been looked at with the one before */
        }
        if (field->is_time || load(record + word, 8) != load(last + word, 8)) {
            to = pack_field(known, record, last, field, i, &all, to);
            if (next != field && next->offset / 8 * (size_t)8 == word) {
                to = pack_field(known, record, last, next, i + 1, &all, to);
            }
        }
    }
    all = htole32(all);
    memcpy(lengths, &all, bytes_of_lengths(layout->count));
    return form == MW_FORM_METRIC ? pack_values(known, record, to) : to;
}

/* Null: there is no such record, or none of so many bytes. */
static inline char *pack_record(struct known *known, const char *record, size_t bytes,
                                char *to)
{
    struct mw_metric_member metric;

    switch (mw_record_form((unsigned char)record[1])) {
#define PACK(one)                                                                               \
    case one:                                                                                   \
        if (one == MW_FORM_METRIC) {                                                            \
            break;                                                                              \
        }                                                                                       \
        return bytes == mw_record_layouts[one].bytes ? pack_fields(known, record, one, to)    \
                                                     : NULL;
        MW_RECORD_FORMS(PACK)
    case MW_FORM_NONE:
        return NULL;
    }
    if (bytes < sizeof metric) {
        return NULL;
    }
    memcpy(&metric, record, sizeof metric);
    return metric.count > 0 && bytes == sizeof metric + metric.count * sizeof metric.values[0]
               ? pack_fields(known, record, MW_FORM_METRIC, to)
               : NULL;
}

/*
 * Packs up to the first empty record. False: there is one that can't be packed, since somebody
 * else wrote into the window.
 */
static bool pack_records(const char *records, size_t bytes, const char *kept, char *block,
                         struct mw_block_packed *packed)
{
    struct known known;
    char *to = block + sizeof(struct mw_block_header);
    const char *record = records;
    const char *end = records + bytes;

    know_nothing(&known);
    while ((size_t)(end - record) >= sizeof(struct mw_member) && *record != MW_STATE_EMPTY) {
        struct mw_call_record head; /* only what a member has, too, is filled */
        size_t length;

        memcpy(&head, record, sizeof(struct mw_member));
        length = head.words * (size_t)8;
        if (length > (size_t)(end - record)) {
            return false;
        }
        packed->calls += head.type == MW_RECORD_CALL ? head.repeat : 0;
        if (record == kept) {
            packed->kept_at = (size_t)(to - block) + 1;
        }
        if (head.state == MW_STATE_DONE) {
            to = pack_record(&known, record, length, to);
        } else if (length == 0 || mw_record_bytes(record, length) != length) {
            to = NULL;
        } else {
            *to++ = (char)(head.type | AS_IT_IS);
            memcpy(to, record, length);
            to += length;
        }
        if (!to) {
            return false;
        }
        record += length;
    }
    packed->bytes = (size_t)(to - block);
    packed->records = (size_t)(record - records);
    return true;
}

/* Takes the records as they are, up to the first empty one or to what is none. */
static void copy_records(const char *records, size_t bytes, const char *kept, char *block,
                         struct mw_block_packed *packed)
{
    size_t at = 0;

    packed->calls = 0;
    while (bytes - at >= sizeof(struct mw_member) && records[at] != MW_STATE_EMPTY) {
        struct mw_call_record head;

        memcpy(&head, records + at, sizeof(struct mw_member));
        packed->calls += head.type == MW_RECORD_CALL ? head.repeat : 0;
        if (head.words == 0 || head.words * (size_t)8 > bytes - at) {
            at = bytes;
            break;
        }
        at += head.words * (size_t)8;
    }
    memcpy(block + sizeof(struct mw_block_header), records, at);
    packed->bytes = sizeof(struct mw_block_header) + at;
    packed->records = at;
    packed->kept_at = kept ? sizeof(struct mw_block_header) + (size_t)(kept - records) : 0;
}

void mw_block_pack(const char *records, size_t bytes, const char *kept, uint32_t sequence,
                   char *block, struct mw_block_packed *packed)
{
    struct mw_block_header header = {.magic = MW_BLOCK_MAGIC, .sequence = sequence};

    memset(packed, 0, sizeof *packed);
    if (!pack_records(records, bytes, kept, block, packed) ||
        packed->bytes >= sizeof header + packed->records) {
        copy_records(records, bytes, kept, block, packed);
    }
    if (packed->records == 0) {
        packed->bytes = 0;
        return;
    }
    header.bytes = (uint32_t)(packed->bytes - sizeof header);
    header.records = (uint32_t)packed->records;
    memcpy(block, &header, sizeof header);
}

/* --- unpacking ---------------------------------------------------------------------- */

/* What is left of a block, and of the room for its records. */
struct unpacking {
    const char *from;
    const char *end;
    char *to;
    char *to_end;
};

/* Reads a number of so many bytes. False: there is no such length. */
static inline bool get(struct unpacking *block, unsigned length, uint64_t *number)
{
    uint64_t little;

    if (length > sizeof little || block->from > block->end) {
        return false;
    }
    memcpy(&little, block->from, sizeof little);
    block->from += length;
    *number = length > 0 ? le64toh(little) << (64 - 8 * length) >> (64 - 8 * length) : 0;
    return true;
}

static bool unpack_values(struct known *known, struct unpacking *block)
{
    struct mw_metric_member head;
    const unsigned char *lengths = (const unsigned char *)block->from;
    size_t bytes;

    memcpy(&head, block->to, sizeof head);
    bytes = sizeof head + head.count * sizeof(uint64_t);
    if (head.count == 0 || bytes > (size_t)(block->to_end - block->to) ||
        bytes_of_lengths(head.count) > (size_t)(block->end - block->from)) {
        return false;
    }
    head.head.words = (uint16_t)(bytes / 8);
    memcpy(block->to, &head, sizeof head);
    block->from += bytes_of_lengths(head.count);
    for (unsigned i = 0; i < head.count; i++) {
        uint64_t *before = &known->values[value_index(head.metric, i)];
        uint64_t number;

        if (!get(block, lengths[i / 2] >> i % 2 * 4 & 15, &number)) {
            return false;
        }
        *before = at_distance(number, *before);
        store(block->to + sizeof head + i * sizeof *before, sizeof *before, *before);
    }
    block->to += bytes;
    return block->from <= block->end;
}

/* As pack_fields. */
MW_INLINE bool unpack_fields(struct known *known, unsigned type,
                             enum mw_record_form form, struct unpacking *block)
{
    const struct mw_record_layout *layout = &mw_record_layouts[form];
    const struct mw_member head = {MW_STATE_DONE, (uint8_t)type, layout->bytes / 8, 0};
    const char *last = known->last[type];
    uint32_t lengths = 0;

    if (layout->bytes > block->to_end - block->to ||
        bytes_of_lengths(layout->count) > (size_t)(block->end - block->from)) {
        return false;
    }
    memcpy(block->to, last, layout->bytes);
    memcpy(block->to, &head, offsetof(struct mw_member, comm));
    known->last[type] = block->to;
    memcpy(&lengths, block->from, bytes_of_lengths(layout->count));
    lengths = le32toh(lengths);
    block->from += bytes_of_lengths(layout->count);
#pragma GCC unroll 6
    for (unsigned i = 0; i < layout->count; i++) {
        const struct mw_record_field *field = &layout->fields[i];
        uint64_t before = field->is_time ? known->time : load(last + field->offset, field->bytes);
        unsigned length = lengths >> 4 * i & 15;
        uint64_t number = 0;

        if (length > 0 && !get(block, length, &number)) {
            return false;
        }
        if (length > 0 || field->is_time) {
            store(block->to + field->offset, field->bytes, at_distance(number, before));
        }
        if (field->is_time) {
            known->time = at_distance(number, before);
        }
    }
    if (form == MW_FORM_METRIC) {
        return unpack_values(known, block);
    }
    block->to += layout->bytes;
    return block->from <= block->end;
}

static inline bool unpack_record(struct known *known, unsigned type,
                                 struct unpacking *block)
{
    switch (mw_record_form(type)) {
#define UNPACK(one)                                                                             \
    case one:                                                                                   \
        return unpack_fields(known, type, one, block);
        MW_RECORD_FORMS(UNPACK)
    case MW_FORM_NONE:
        break;
    }
    return false;
}

static bool copy_record(struct unpacking *block)
{
    size_t left = (size_t)(block->end - block->from);
    size_t bytes = mw_record_bytes(block->from, left);

    if (bytes == 0 || bytes > left || bytes > (size_t)(block->to_end - block->to)) {
        return false;
    }
    memcpy(block->to, block->from, bytes);
    block->from += bytes;
    block->to += bytes;
    return true;
}

size_t mw_block_unpack(const struct mw_block_header *header, const char *packed, size_t bytes,
                       char *records)
{
    struct known known;
    struct unpacking block = {packed, packed + bytes, records, records + header->records};
    const char *whole = records;

    if (header->bytes == header->records) {
        memcpy(records, packed, bytes);
        return bytes;
    }
    know_nothing(&known);
    while (block.from < block.end) {
        unsigned tag = (unsigned char)*block.from++;

        if (!(tag & AS_IT_IS ? copy_record(&block)
                             : unpack_record(&known, tag, &block))) {
            break;
        }
        whole = block.to;
    }
    return (size_t)(whole - records);
}
