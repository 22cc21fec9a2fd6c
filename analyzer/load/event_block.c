/*
 * Each event of a pass comes through here: the fields of a record are read by code that the
 * compiler makes for this record out of its row of the table, without a loop over letters. It makes
 * two of it: where a record has room, the quick one looks at the end of its fields alone; what is
 * not as usual then the careful one reads once more, and says what is wrong.
 */
#include "analyzer/load/event_block.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/OTF2_GeneralDefinitions.h>

#include "analyzer/load/event_numbers.h"
#include "analyzer/model/map.h"
#include "formats/base/status.h"

#define TIMESTAMP       5u
#define ATTRIBUTE_LIST  6u
#define TIME_BYTES      9u

/* An event is compared with all of its attributes for each one more. */
#define ATTRIBUTES_MAX 4096u

/*
 * A record whose length stands in one byte, with the time before it, the end of its block behind
 * it, and what take_number reads ahead, is not longer.
 */
#define RECORD_ROOM 320u

/* A list of so many attributes is not longer, as libotf2 holds. */
#define ATTRIBUTE_BYTES_MAX 15u
#define LIST_BYTES_MAX      5u

static const char too_much[] = "a record says that it has more than it has";

const char *mwa_record_name(unsigned type)
{
    static const char *const names[] = {
        [TIMESTAMP] = "times",
        [ATTRIBUTE_LIST] = "attributes",
#define MWA_RECORD(number, NAME, name, form, fields) [number] = #name,
#include "analyzer/load/event_records.def"
    };

    return type < sizeof names / sizeof names[0] ? names[type] : NULL;
}

/* --- records -------------------------------------------------------------------------------- */

static bool keep_value(struct mwa_event_block *block, uint64_t index, uint64_t value)
{
    if (block->is_skimmed) {
        return true;
    }
    if (!mwa_grow(&block->values, &block->value_capacity, index + 1, sizeof *block->values)) {
        block->has_no_memory = true;
        return false;
    }
    block->values[index] = value;
    block->record.types = block->types;
    block->record.values = block->values;
    return true;
}

static const unsigned char *take_values(struct mwa_event_block *block, const unsigned char *at,
                                        const unsigned char *end, uint64_t *count)
{
    uint64_t type, value;

    at = mwa_take_byte(at, end, count);
    for (uint64_t i = 0; at && i < *count; i++) {
        at = mwa_take_byte(at, end, &type);
        at = at ? mwa_take_number(block, at, end, 8, &value) : NULL;
        if (at) {
            block->types[i] = (uint8_t)type;
            at = keep_value(block, i, value) ? at : NULL;
        }
    }
    return at;
}

static const unsigned char *take_strings(struct mwa_event_block *block, const unsigned char *at,
                                         const unsigned char *end, uint64_t *count)
{
    uint64_t id;

    at = mwa_take_number(block, at, end, 4, count);
    for (uint64_t i = 0; at && i < *count; i++) {
        at = mwa_take_number(block, at, end, 4, &id);
        if (at && !keep_value(block, i, mwa_of_all(block, OTF2_MAPPING_STRING, id))) {
            at = NULL;
        }
    }
    return at;
}

MW_INLINE const unsigned char *take_field(struct mwa_event_block *block, const unsigned char *at,
                                          const unsigned char *end, char letter, uint64_t *value)
{
    switch (letter) {
    case 'b':
        return mwa_take_byte(at, end, value);
    case 't':
        return mwa_take_full(block, at, end, 8, value);
    case 'N':
        return mwa_take_number(block, at, end, 8, value);
    case 'V':
        return take_values(block, at, end, value);
    case 'S':
        return take_strings(block, at, end, value);
    default:
        return mwa_take_number(block, at, end, 4, value);
    }
}

MW_INLINE const unsigned char *take_fields(struct mwa_event_block *block, const unsigned char *at,
                                           const unsigned char *end, const char *fields,
                                           unsigned count)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < count; i++) {
        at = take_field(block, at, end, fields[i], &block->record.fields[i]);
        if (MW_UNLIKELY(!at)) {
            return NULL;
        }
    }
    return at;
}

/*
 * A record whose length is at from is longer than what is in memory, of which there is more than
 * its length then: it has to be read first, or it can't be.
 */
static void want_more(struct mwa_event_block *block, const unsigned char *from, uint64_t length)
{
    const uint64_t before = (uint64_t)(from - block->looked_at) + 9; /* up to the fields */
    const uint64_t there = (uint64_t)(block->end - block->looked_at) + block->left;

    if (block->left > 0 && there > before && there - before > length) {
        block->wanted = before + length + 1;
    } else {
        block->wrong = "a record is longer than its chunk";
    }
}

/* The length in front of a record whose fields begin at *at then. False: it can't be. */
MW_INLINE bool take_length(struct mwa_event_block *block, const unsigned char **at,
                           uint64_t *length)
{
    const unsigned char *from = *at;

    *at = mwa_otf2_length(from, block->end, block->big_endian, length);
    if (MW_UNLIKELY(!*at)) {
        want_more(block, from, *length);
        return false;
    }
    return true;
}

MW_INLINE const unsigned char *take_LENGTH(struct mwa_event_block *block, const unsigned char *at,
                                           const char *fields, unsigned count)
{
    uint64_t length;

    if (MW_UNLIKELY(!take_length(block, &at, &length))) {
        return NULL;
    }
    if (MW_UNLIKELY(!take_fields(block, at, at + length, fields, count))) {
        block->wrong = block->wrong ? block->wrong : too_much;
        return NULL;
    }
    return at + length;
}

MW_INLINE const unsigned char *take_ALONE(struct mwa_event_block *block, const unsigned char *at,
                                          const char *fields, unsigned count)
{
    at = take_fields(block, at, block->end - 1, fields, count);
    if (MW_UNLIKELY(!at && !block->wrong)) {
        block->wrong = "an event is longer than its chunk";
    }
    return at;
}

/* A record behind its type. */
static const unsigned char *take_record(struct mwa_event_block *block, unsigned type,
                                        const unsigned char *at)
{
    switch (type) {
#define MWA_RECORD(number, NAME, name, form, fields)                                               \
    case number:                                                                                   \
        return take_##form(block, at, fields, sizeof fields - 1);
#include "analyzer/load/event_records.def"
    default:
        return take_LENGTH(block, at, "", 0);
    }
}

/* Whether a record of these fields is of RECORD_ROOM bytes at most, if its length is in one. */
MW_INLINE bool is_short(const char *fields, unsigned count)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < count; i++) {
        if (fields[i] == 'V' || fields[i] == 'S') {
            return false;
        }
    }
    return true;
}

/* The same of those that have room, before what is read of them is believed. */

MW_INLINE const unsigned char *take_quick_LENGTH(struct mwa_event_block *block,
                                                 const unsigned char *at, const char *fields,
                                                 unsigned count)
{
    const unsigned char *end = at + 1 + *at;

    if (MW_UNLIKELY(*at == MWA_LENGTH_FOLLOWS) || !is_short(fields, count)) {
        return NULL;
    }
    at = take_fields(block, at + 1, NULL, fields, count);
    return MW_LIKELY(at && at <= end) ? end : NULL;
}

MW_INLINE const unsigned char *take_quick_ALONE(struct mwa_event_block *block,
                                                const unsigned char *at, const char *fields,
                                                unsigned count)
{
    return take_fields(block, at, NULL, fields, count);
}

/*
 * The time and the record that begin at at, which have room. Null: they are to be looked at with
 * care, and nothing of the block has changed but the time, which stands there.
 */
MW_INLINE const unsigned char *take_quickly(struct mwa_event_block *block, const unsigned char *at)
{
    if (*at == TIMESTAMP) {
        memcpy(&block->time, at + 1, sizeof block->time);
        block->time = le64toh(block->time);
        at += TIME_BYTES;
    }
    block->record.type = *at++;
    switch (block->record.type) {
#define MWA_RECORD(number, NAME, name, form, fields)                                               \
    case number:                                                                                   \
        return take_quick_##form(block, at, fields, sizeof fields - 1);
#include "analyzer/load/event_records.def"
    default:
        return NULL;
    }
}

/* --- attributes ------------------------------------------------------------------------------- */

static const unsigned char *take_value(struct mwa_event_block *block, const unsigned char *at,
                                       const unsigned char *end, unsigned type, uint64_t *value)
{
    switch (type) {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_INT8:
        return mwa_take_full(block, at, end, 1, value);
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_INT16:
        return mwa_take_full(block, at, end, 2, value);
    case OTF2_TYPE_FLOAT:
        return mwa_take_full(block, at, end, 4, value);
    case OTF2_TYPE_DOUBLE:
        return mwa_take_full(block, at, end, 8, value);
    case OTF2_TYPE_UINT32:
    case OTF2_TYPE_INT32:
        return mwa_take_number(block, at, end, 4, value);
    default:
        at = mwa_take_number(block, at, end,
                         mwa_ids_of_type(type) == OTF2_MAPPING_MAX || type == OTF2_TYPE_LOCATION
                             ? 8
                             : 4,
                         value);
        if (at && mwa_ids_of_type(type) != OTF2_MAPPING_MAX) {
            *value = mwa_of_all(block, mwa_ids_of_type(type), *value);
        }
        return at;
    }
}

static bool keep_attribute(struct mwa_event_block *block, const struct mwa_attribute *attribute)
{
    struct mwa_attributes *kept = &block->record.attributes;

    for (uint64_t i = 0; i < kept->count; i++) {
        if (kept->list[i].id == attribute->id) {
            block->wrong = "an event has an attribute twice";
            return false;
        }
    }
    if (!mwa_grow(&kept->list, &block->attribute_capacity, kept->count + 1, sizeof *kept->list)) {
        block->has_no_memory = true;
        return false;
    }
    kept->list[kept->count++] = *attribute;
    return true;
}

static const unsigned char *take_attribute(struct mwa_event_block *block, const unsigned char *at,
                                           const unsigned char *end)
{
    struct mwa_attribute attribute;
    uint64_t id, type;

    at = mwa_take_number(block, at, end, 4, &id);
    at = at ? mwa_take_byte(at, end, &type) : NULL;
    at = at ? take_value(block, at, end, (unsigned)type, &attribute.bits) : NULL;
    if (!at || block->is_skimmed) {
        return at;
    }
    attribute.id = (uint32_t)mwa_of_all(block, OTF2_MAPPING_ATTRIBUTE, id);
    attribute.type = (uint8_t)type;
    return keep_attribute(block, &attribute) ? at : NULL;
}

/* A list of attributes behind its type. */
static const unsigned char *take_attributes(struct mwa_event_block *block, const unsigned char *at)
{
    const unsigned char *end, *next;
    uint64_t length, count;

    if (!take_length(block, &at, &length)) {
        return NULL;
    }
    end = at + length;
    next = mwa_take_number(block, at, end, 4, &count);
    block->attributes += next ? count : 0;
    if (block->attributes > ATTRIBUTES_MAX) {
        block->wrong = "an event has more than 4096 attributes";
        return NULL;
    }
    if (next && length > count * ATTRIBUTE_BYTES_MAX + LIST_BYTES_MAX) {
        block->wrong = "a list of attributes is longer than they can be";
        return NULL;
    }
    for (uint64_t i = 0; next && i < count; i++) {
        next = take_attribute(block, next, end);
    }
    if (!next && !block->wrong) {
        block->wrong = too_much;
    }
    return next ? end : NULL;
}

/* --- blocks ----------------------------------------------------------------------------------- */

static enum mwa_event_block_step wrong(struct mwa_event_block *block, const char *what)
{
    block->wrong = what;
    return MWA_BLOCK_WRONG;
}

static void count(struct mwa_chunk_counts *counts, unsigned type, const unsigned char *from,
                  const unsigned char *to)
{
    counts->records[type]++;
    counts->bytes[type] += (uint64_t)(to - from);
}

/* Says of which records of those in memory nobody needs to look at where memory ends. */
static void find_room(struct mwa_event_block *block)
{
    const bool has_room = (size_t)(block->end - block->begin) >= RECORD_ROOM;

    block->room_ends = has_room && !block->big_endian && !block->counts
                           ? block->end - RECORD_ROOM + 1
                           : block->begin;
}

enum mwa_event_block_step mwa_event_block_begin_part(struct mwa_event_block *block,
                                                     const unsigned char *bytes, size_t have,
                                                     uint64_t size)
{
    block->begin = block->looked_at = bytes;
    block->end = bytes + have;
    block->passed = 0;
    block->left = size - have;
    block->wrong = NULL;
    if (size < MWA_CHUNK_HEAD || bytes[0] != MWA_CHUNK_BEGIN) {
        return wrong(block, "this is no chunk");
    }
    if (bytes[1] != MWA_LITTLE_ENDIAN && bytes[1] != MWA_BIG_ENDIAN) {
        return wrong(block, "the byte order of a chunk is none");
    }
    block->big_endian = bytes[1] == MWA_BIG_ENDIAN;
    block->at = bytes + MWA_CHUNK_HEAD;
    find_room(block);
    return MWA_BLOCK_END;
}

enum mwa_event_block_step mwa_event_block_begin(struct mwa_event_block *block,
                                                const unsigned char *bytes, size_t size)
{
    return mwa_event_block_begin_part(block, bytes, size, size);
}

void mwa_event_block_begin_at(struct mwa_event_block *block, const struct mwa_event_place *place,
                              const unsigned char *bytes, size_t have, uint64_t size)
{
    block->begin = block->looked_at = block->at = bytes;
    block->end = bytes + have;
    block->passed = place->offset;
    block->left = size - place->offset - have;
    block->wrong = NULL;
    block->big_endian = place->big_endian;
    block->time = place->time;
    block->attributes = 0;
    block->record.position = place->events;
    find_room(block);
}

struct mwa_event_place mwa_event_block_place(const struct mwa_event_block *block)
{
    return (struct mwa_event_place){ .offset = block->passed + (uint64_t)(block->at - block->begin),
                                     .time = block->time,
                                     .events = block->record.position,
                                     .big_endian = block->big_endian };
}

void mwa_event_block_resume(struct mwa_event_block *block, const unsigned char *bytes, size_t have)
{
    const uint64_t offset = mwa_event_block_offset(block);

    block->left += (uint64_t)(block->end - block->looked_at);
    block->left -= have;
    block->passed = offset;
    block->at = bytes + (block->at - block->looked_at);
    block->begin = block->looked_at = bytes;
    block->end = bytes + have;
    find_room(block);
}

/* Takes the time in front of a record, if there is one. False: the block ends inside. */
MW_INLINE bool take_time(struct mwa_event_block *block, const unsigned char **at)
{
    const unsigned char *from = *at;

    if (from < block->end && *from == TIMESTAMP) {
        if ((size_t)(block->end - from) < TIME_BYTES) {
            return false;
        }
        memcpy(&block->time, from + 1, sizeof block->time);
        block->time = block->big_endian ? be64toh(block->time) : le64toh(block->time);
        *at += TIME_BYTES;
    }
    return *at < block->end;
}

/* A record, with its type at at, ends at next: counts it and the time in front of it. */
static void count_record(struct mwa_event_block *block, const unsigned char *at,
                         const unsigned char *next)
{
    if (at > block->looked_at) {
        count(block->counts, TIMESTAMP, block->looked_at, at);
    }
    if (next) {
        count(block->counts, *at, at, next);
    }
}

/* The record that is looked at is to be looked at again, with so many bytes of it in memory. */
static enum mwa_event_block_step more(struct mwa_event_block *block, uint64_t wanted)
{
    block->at = block->looked_at;
    block->wanted = wanted;
    return MWA_BLOCK_MORE;
}

/* The block ends at at, or a record can't be taken that begins there. */
static enum mwa_event_block_step step_of(struct mwa_event_block *block, const unsigned char *at)
{
    if (*at == MWA_CHUNK_END || *at == MWA_FILE_END) {
        if (block->counts) {
            count_record(block, at, NULL);
        }
        return *at == MWA_CHUNK_END ? MWA_BLOCK_END : MWA_BLOCK_LAST;
    }
    return block->has_no_memory ? MWA_BLOCK_NO_MEMORY
           : block->wrong       ? MWA_BLOCK_WRONG
                                : more(block, block->wanted);
}

/*
 * Takes what block->at begins with, a time, if there is one, and a record, and goes behind them:
 * EVENT then.
 */
MW_APART enum mwa_event_block_step take_carefully(struct mwa_event_block *block)
{
    struct mwa_record *record = &block->record;
    const unsigned char *at = block->at, *next;

    block->looked_at = at;
    if (MW_UNLIKELY((size_t)(block->end - at) < RECORD_ROOM && block->left > 0)) {
        return more(block, RECORD_ROOM);
    }
    if (MW_UNLIKELY(!take_time(block, &at))) {
        return wrong(block, "the chunk has no end");
    }
    if (*at == MWA_CHUNK_END || *at == MWA_FILE_END) {
        return step_of(block, at);
    }
    record->type = *at;
    next = record->type == ATTRIBUTE_LIST ? take_attributes(block, at + 1)
                                          : take_record(block, record->type, at + 1);
    if (MW_UNLIKELY(!next)) {
        return step_of(block, at);
    }
    if (MW_UNLIKELY(block->counts != NULL)) {
        count_record(block, at, next);
    }
    block->at = next;
    return MWA_BLOCK_EVENT;
}

/* The same with what is as usual alone, and goes nowhere else. */
MW_INLINE bool take_as_usual(struct mwa_event_block *block)
{
    const unsigned char *at = block->at;
    const unsigned char *next = MW_LIKELY(at < block->room_ends) ? take_quickly(block, at) : NULL;

    if (MW_UNLIKELY(!next)) {
        return false;
    }
    block->looked_at = at;
    block->at = next;
    return true;
}

enum mwa_event_block_step mwa_event_block_next(struct mwa_event_block *block)
{
    struct mwa_record *record = &block->record;

    if (block->attributes == 0) {
        record->attributes.count = 0; /* those were of the event before */
    }
    while (MW_UNLIKELY(!take_as_usual(block))) {
        enum mwa_event_block_step step = take_carefully(block);

        if (step != MWA_BLOCK_EVENT) {
            return step;
        }
        if (record->type != ATTRIBUTE_LIST) {
            break;
        }
    }
    if (MW_UNLIKELY(block->translate != NULL)) {
        mwa_ids_translate(&block->record, block->translate, block->tables);
    }
    block->attributes = 0;
    record->time = block->time;
    record->position++;
    return MWA_BLOCK_EVENT;
}

uint64_t mwa_event_block_offset(const struct mwa_event_block *block)
{
    return block->passed + (uint64_t)(block->looked_at - block->begin);
}

void mwa_event_block_fini(struct mwa_event_block *block)
{
    free(block->record.attributes.list);
    free(block->values);
}
