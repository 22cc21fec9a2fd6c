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

#define AS_IT_IS 0x80u /* with a type: the record follows as it was in the window */
#define VALUES 256u    /* of metrics, that are remembered */

/* What comes next is told by how far it is from this. */
struct prediction {
    uint64_t time;
    uint64_t fields[MW_RECORD_TYPES][MW_RECORD_FIELDS_MAX];
    uint64_t values[VALUES];
};

static uint64_t *value_of(struct prediction *predicted, uint32_t metric, unsigned index)
{
    return &predicted->values[(metric * 8 + index) % VALUES];
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

static inline unsigned length_of(uint64_t number)
{
    return number ? (71 - (unsigned)__builtin_clzll(number)) / 8 : 0;
}

/* Where the numbers of a record begin whose lengths stand at lengths. */
static inline size_t bytes_of_lengths(unsigned numbers)
{
    return (numbers + 1) / 2;
}

/* --- packing ------------------------------------------------------------------------ */

/* Writes a number. \return behind it. */
static inline char *put(char *to, uint64_t number, unsigned *length)
{
    const uint64_t little = htole64(number);

    *length = length_of(number);
    memcpy(to, &little, sizeof little);
    return to + *length;
}

static char *pack_values(struct prediction *predicted, const char *record, char *to)
{
    struct mw_metric_member head;
    unsigned char *lengths = (unsigned char *)to;

    memcpy(&head, record, sizeof head);
    to += bytes_of_lengths(head.count);
    memset(lengths, 0, bytes_of_lengths(head.count));
    for (unsigned i = 0; i < head.count; i++) {
        uint64_t *before = value_of(predicted, head.metric, i);
        uint64_t value = load(record + sizeof head + i * sizeof value, sizeof value);
        unsigned length;

        to = put(to, distance(value, *before, sizeof value), &length);
        lengths[i / 2] |= (unsigned char)(length << i % 2 * 4);
        *before = value;
    }
    return to;
}

/* With a form that is a constant this becomes straight code. */
MW_INLINE char *pack_fields(struct prediction *predicted, const char *record,
                            enum mw_record_form form, char *to)
{
    const struct mw_record_layout *layout = &mw_record_layouts[form];
    unsigned type = (unsigned char)record[1];
    char *lengths = to + 1;
    uint32_t all = 0;

    *to = (char)type;
    to = lengths + bytes_of_lengths(layout->count);
#pragma GCC unroll 6
    for (unsigned i = 0; i < layout->count; i++) {
        const struct mw_record_field *field = &layout->fields[i];
        uint64_t *before = field->is_time ? &predicted->time : &predicted->fields[type][i];
        uint64_t value = load(record + field->offset, field->bytes);
        unsigned length;

        to = put(to, distance(value, *before, field->bytes), &length);
        all |= length << 4 * i;
        *before = value;
    }
    all = htole32(all);
    memcpy(lengths, &all, bytes_of_lengths(layout->count));
    return to;
}

static inline char *pack_record(struct prediction *predicted, const char *record, char *to)
{
    enum mw_record_form form = mw_record_form((unsigned char)record[1]);

    switch (form) {
#define PACK(one)                                                                               \
    case one:                                                                                   \
        to = pack_fields(predicted, record, one, to);                                           \
        break;
        MW_RECORD_FORMS(PACK)
    case MW_FORM_NONE:
        break;
    }
    return form == MW_FORM_METRIC ? pack_values(predicted, record, to) : to;
}

/* The size of the record at the beginning of left bytes; 0: there is none, or no sound one. */
static size_t sound_record(const char *record, size_t left)
{
    struct mw_member head;
    size_t bytes = mw_record_bytes(record, left);

    if (bytes == 0 || bytes > left) {
        return 0;
    }
    memcpy(&head, record, sizeof head);
    return head.words * (size_t)8 == bytes ? bytes : 0;
}

/* \return the bytes that the records pack into, 0: there is one that can't be. */
static size_t pack_records(const char *records, size_t bytes, const char *kept, char *packed,
                           struct mw_block_packed *about)
{
    struct prediction predicted;
    char *to = packed;

    memset(&predicted, 0, sizeof predicted);
    for (size_t at = 0, size; at < bytes; at += size) {
        const char *record = records + at;

        size = sound_record(record, bytes - at);
        if (size == 0) {
            return 0;
        }
        if (record == kept) {
            about->kept_at = sizeof(struct mw_block_header) + (size_t)(to - packed) + 1;
        }
        if (record[0] != MW_STATE_DONE) {
            *to++ = (char)((unsigned char)record[1] | AS_IT_IS);
            memcpy(to, record, size);
            to += size;
        } else {
            to = pack_record(&predicted, record, to);
        }
    }
    return (size_t)(to - packed);
}

/* What there is before the first empty record, and the calls that it stands for. */
static size_t used_bytes(const char *records, size_t bytes, uint64_t *calls)
{
    size_t at = 0;

    *calls = 0;
    while (bytes - at >= sizeof(struct mw_member) && records[at] != MW_STATE_EMPTY) {
        struct mw_call_record record;

        memcpy(&record, records + at, sizeof(struct mw_member)); /* has all that is needed */
        if (record.type == MW_RECORD_CALL) {
            *calls += record.repeat;
        }
        if (record.words == 0 || record.words * (size_t)8 > bytes - at) {
            return bytes; /* somebody wrote into the window: its reader is to see it */
        }
        at += record.words * (size_t)8;
    }
    return at;
}

void mw_block_pack(const char *records, size_t bytes, const char *kept, uint32_t sequence,
                   char *block, struct mw_block_packed *packed)
{
    struct mw_block_header header = {.magic = MW_BLOCK_MAGIC, .sequence = sequence};
    char *to = block + sizeof header;
    size_t used;
    size_t done;

    memset(packed, 0, sizeof *packed);
    used = used_bytes(records, bytes, &packed->calls);
    if (used == 0) {
        return;
    }
    done = pack_records(records, used, kept, to, packed);
    if (done == 0 || done >= used) {
        memcpy(to, records, used);
        done = used;
        packed->kept_at = kept ? sizeof header + (size_t)(kept - records) : 0;
    }
    header.bytes = (uint32_t)done;
    header.records = (uint32_t)used;
    memcpy(block, &header, sizeof header);
    packed->bytes = sizeof header + done;
}

/* --- unpacking ---------------------------------------------------------------------- */

/* What is left of a block, and of the room for its records. */
struct unpacking {
    const char *from;
    const char *end;
    char *to;
    char *to_end;
};

/* Reads number index of a record. False: its length is none. */
static inline bool get(const char *lengths, unsigned index, struct unpacking *block,
                       uint64_t *number)
{
    unsigned both = (unsigned char)lengths[index / 2];
    unsigned length = index % 2 ? both >> 4 : both & 15;
    uint64_t little;

    if (length > sizeof little || block->from > block->end) {
        return false;
    }
    memcpy(&little, block->from, sizeof little);
    block->from += length;
    *number = length > 0 ? le64toh(little) << (64 - 8 * length) >> (64 - 8 * length) : 0;
    return true;
}

static bool unpack_values(struct prediction *predicted, struct unpacking *block)
{
    struct mw_metric_member head;
    const char *lengths = block->from;
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
        uint64_t *before = value_of(predicted, head.metric, i);
        uint64_t number;

        if (!get(lengths, i, block, &number)) {
            return false;
        }
        *before = at_distance(number, *before);
        store(block->to + sizeof head + i * sizeof *before, sizeof *before, *before);
    }
    block->to += bytes;
    return block->from <= block->end;
}

static bool unpack_record(struct prediction *predicted, unsigned type, struct unpacking *block)
{
    const struct mw_record_layout *layout = &mw_record_layouts[mw_record_form(type)];
    const struct mw_member head = {MW_STATE_DONE, (uint8_t)type, layout->bytes / 8, 0};
    const char *lengths = block->from;

    if (layout->bytes == 0 || layout->bytes > block->to_end - block->to ||
        bytes_of_lengths(layout->count) > (size_t)(block->end - block->from)) {
        return false;
    }
    memcpy(block->to, &head, sizeof head);
    block->from += bytes_of_lengths(layout->count);
    for (unsigned i = 0; i < layout->count; i++) {
        const struct mw_record_field *field = &layout->fields[i];
        uint64_t *before = field->is_time ? &predicted->time : &predicted->fields[type][i];
        uint64_t number;

        if (!get(lengths, i, block, &number)) {
            return false;
        }
        *before = at_distance(number, *before);
        store(block->to + field->offset, field->bytes, *before);
    }
    if (mw_record_form(type) == MW_FORM_METRIC) {
        return unpack_values(predicted, block);
    }
    block->to += layout->bytes;
    return block->from <= block->end;
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
    struct prediction predicted;
    struct unpacking block = {packed, packed + bytes, records, records + header->records};
    const char *whole = records;

    if (header->bytes == header->records) {
        memcpy(records, packed, bytes);
        return bytes;
    }
    memset(&predicted, 0, sizeof predicted);
    while (block.from < block.end) {
        unsigned tag = (unsigned char)*block.from++;

        if (!(tag & AS_IT_IS ? copy_record(&block)
                             : unpack_record(&predicted, tag, &block))) {
            break;
        }
        whole = block.to;
    }
    return (size_t)(whole - records);
}
