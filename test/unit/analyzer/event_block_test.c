#include "analyzer/load/event_block.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 18

/* Records of a block as they are put together. */
static unsigned char bytes[1 << 17];
static size_t size;
static bool big;
static size_t behind; /* zeros that the block has behind them: its records have room then */

static struct mwa_event_block block;

static void put(unsigned byte)
{
    bytes[size++] = (unsigned char)byte;
}

static void put_full(uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned byte = big ? count - 1 - i : i;

        put(byte < 8 ? (unsigned)(value >> 8 * byte) & 255 : 0);
    }
}

static void put_number(uint64_t value)
{
    unsigned count = 0;

    while (count < 8 && value >> 8 * count) {
        count++;
    }
    put(count);
    put_full(value, count);
}

static void begin(bool big_endian)
{
    size = 0;
    big = big_endian;
    put(3);
    put(big ? 0x23 : 0x42);
    put_full(1, 8);
    put_full(1, 8);
}

/* Hands the block over as memory of its own, for the sanitizer. Freed by the next one. */
static enum mwa_event_block_step hand_over(void)
{
    static unsigned char *copy;

    free(copy);
    copy = calloc(1, size + behind);
    cr_assert_not_null(copy);
    memcpy(copy, bytes, size);
    return mwa_event_block_begin(&block, copy, size + behind);
}

/* Something of the letter's kind; another value each time. Returns what it is then. */
static uint64_t put_field(char letter)
{
    static uint64_t last;

    last++;
    switch (letter) {
    case 'b':
        put((unsigned)last & 255);
        return last & 255;
    case 't':
        put_full(last << 40, 8);
        return last << 40;
    case 'N':
        put_number(last << 32 | last);
        return last << 32 | last;
    case 'V':
        put(2);
        put(OTF2_TYPE_UINT64);
        put_number(7);
        put(OTF2_TYPE_DOUBLE);
        put(255);
        return 2;
    case 'S':
        put_number(2);
        put_number(70000);
        put(255);
        return 2;
    default:
        put_number(last << 8);
        return last << 8;
    }
}

static void check_values(char letter)
{
    const struct mwa_record *record = &block.record;

    if (letter == 'V') {
        cr_expect_eq(record->types[0], OTF2_TYPE_UINT64);
        cr_expect_eq(record->types[1], OTF2_TYPE_DOUBLE);
        cr_expect_eq(record->values[0], 7);
        cr_expect_eq(record->values[1], UINT64_MAX);
    } else if (letter == 'S') {
        cr_expect_eq(record->values[0], 70000);
        cr_expect_eq(record->values[1], UINT32_MAX);
    }
}

/* One record alone, with a field that is to come behind those that there are. */
static void check_kind(unsigned type, const char *name, bool is_alone, const char *fields,
                       bool big_endian)
{
    uint64_t values[MWA_RECORD_FIELDS];
    size_t length_at;

    begin(big_endian);
    put(5);
    put_full(UINT64_C(0x1122334455667788), 8);
    put(type);
    length_at = size;
    size += !is_alone;
    for (unsigned i = 0; fields[i]; i++) {
        values[i] = put_field(fields[i]);
    }
    if (!is_alone) {
        put(99);
        bytes[length_at] = (unsigned char)(size - length_at - 1);
    }
    put(2);
    cr_assert_eq(hand_over(), MWA_BLOCK_END);
    cr_assert_eq(mwa_event_block_next(&block), MWA_BLOCK_EVENT, "%s: %s", name, block.wrong);
    cr_expect_eq(block.record.type, type);
    cr_expect_str_eq(mwa_record_name(type), name);
    cr_expect_eq(block.record.time, UINT64_C(0x1122334455667788));
    for (unsigned i = 0; fields[i]; i++) {
        cr_expect_eq(block.record.fields[i], values[i], "%s, field %u", name, i);
        check_values(fields[i]);
    }
    cr_expect_eq(mwa_event_block_next(&block), MWA_BLOCK_LAST, "%s", name);
}

static void check_kinds(bool big_endian)
{
#define ALONE  true
#define LENGTH false
#define MWA_RECORD(number, NAME, name, form, fields)                                               \
    check_kind(number, #name, form, fields, big_endian);
#include "analyzer/load/event_records.def"
}

Test(event_block, has_all_kinds_of_records)
{
    uint64_t count = 0;

    for (behind = 0; behind <= 400; behind += 400) {
        check_kinds(false);
        check_kinds(true);
    }
#define MWA_RECORD(number, NAME, name, form, fields) count++;
#include "analyzer/load/event_records.def"
    cr_expect_eq(count, 79);
    cr_expect_eq(block.record.position, 4 * count);
    mwa_event_block_fini(&block);
}

Test(event_block, passes_over_kinds_that_are_to_come)
{
    begin(false);
    put(200);
    put(255); /* a length of 8 bytes follows */
    put_full(3, 8);
    put_full(0, 3);
    put(MWA_RECORD_ENTER);
    put_number(5);
    put(0);
    hand_over();
    cr_assert_eq(mwa_event_block_next(&block), MWA_BLOCK_EVENT);
    cr_expect_eq(block.record.type, 200);
    cr_expect_null(mwa_record_name(200));
    cr_assert_eq(mwa_event_block_next(&block), MWA_BLOCK_EVENT);
    cr_expect_eq(block.record.fields[0], 5);
    cr_expect_eq(block.record.position, 2);
    cr_expect_eq(mwa_event_block_next(&block), MWA_BLOCK_END);
}

static void put_list(unsigned id, unsigned type, uint64_t value)
{
    put(6);
    put(6);
    put_number(1);
    put(1);
    put(id);
    put(type);
    put((unsigned)value);
}

/* They are of the event that comes next, be it in the next block, and of no other. */
Test(event_block, has_attributes_of_the_next_event)
{
    uint64_t bits = 77;

    begin(false);
    put_list(1, OTF2_TYPE_UINT8, 200);
    put(0);
    hand_over();
    cr_expect_eq(mwa_event_block_next(&block), MWA_BLOCK_END);
    begin(false);
    put_list(2, OTF2_TYPE_INT8, 201);
    put(MWA_RECORD_ENTER);
    put(0);
    put(MWA_RECORD_LEAVE);
    put(0);
    put(2);
    hand_over();
    cr_assert_eq(mwa_event_block_next(&block), MWA_BLOCK_EVENT);
    cr_expect_eq(block.record.attributes.count, 2);
    cr_expect(!mwa_attribute_find(&block.record.attributes, 1, OTF2_TYPE_INT8, &bits));
    cr_expect(!mwa_attribute_find(&block.record.attributes, 3, OTF2_TYPE_UINT8, &bits));
    cr_expect_eq(bits, 77);
    cr_expect(mwa_attribute_find(&block.record.attributes, 1, OTF2_TYPE_UINT8, &bits));
    cr_expect_eq(bits, 200);
    cr_expect(mwa_attribute_find(&block.record.attributes, 2, OTF2_TYPE_INT8, &bits));
    cr_expect_eq(bits, 201);
    cr_assert_eq(mwa_event_block_next(&block), MWA_BLOCK_EVENT);
    cr_expect_eq(block.record.attributes.count, 0);
    mwa_event_block_fini(&block);
}

static void expect_wrong(const char *what, size_t at)
{
    enum mwa_event_block_step step = hand_over();

    while (step == MWA_BLOCK_END || step == MWA_BLOCK_EVENT) {
        step = mwa_event_block_next(&block);
        cr_assert_neq(step, MWA_BLOCK_END, "nothing was found, but should be: %s", what);
    }
    cr_assert_eq(step, MWA_BLOCK_WRONG);
    cr_expect_not_null(strstr(block.wrong, what), "%s, instead of %s", block.wrong, what);
    cr_expect_eq(mwa_event_block_offset(&block), at, "%s at %zu", block.wrong,
                 mwa_event_block_offset(&block));
}

/* An allreduce whose fields are of so many bytes, as it says, or of a number that is too wide. */
static void refuse_collective(unsigned length, unsigned width, const char *why)
{
    begin(false);
    put(5);
    put_full(77, 8);
    put(MWA_RECORD_MPI_COLLECTIVE_END);
    put(length);
    put(4);
    put_number(1);
    put(255);
    put_number(8);
    put(width);
    put_full(8, 8);
    put(2);
    expect_wrong(why, HEADER_BYTES);
}

/* What libotf2 takes, and what it refuses without a place, has its place. */
static void refuse_records(void)
{
    begin(false);
    put(MWA_RECORD_ENTER);
    put(5);
    put_full(1, 5);
    put(2);
    expect_wrong("a number has more bytes", HEADER_BYTES);
    begin(false);
    put(5);
    put_full(78, 8);
    put(MWA_RECORD_LEAVE);
    put(9);
    put_full(1, 8);
    put(2);
    expect_wrong("an event is longer than its chunk", HEADER_BYTES);
    refuse_collective(14, 8, "a record says that it has more than it has");
    refuse_collective(15, 9, "a record says that it has more than it has");
    refuse_collective(6, 8, "a record says that it has more than it has");
    begin(false);
    put(MWA_RECORD_MPI_SEND);
    put(20);
    put(5);
    put_full(1, 19);
    put(2);
    expect_wrong("a number has more bytes", HEADER_BYTES);
    begin(false);
    put(MWA_RECORD_MPI_SEND);
    put(2);
    put_number(1);
    put(5); /* which is not of it */
    put_full(1, 8);
    put(2);
    expect_wrong("a record says that it has more than it has", HEADER_BYTES);
}

Test(event_block, refuses_what_can_not_be)
{
    refuse_records();
    behind = 400;
    refuse_records();
    behind = 0;
    begin(false);
    bytes[1] = 0x43;
    expect_wrong("the byte order of a chunk is none", 0);
    begin(false);
    size--;
    expect_wrong("this is no chunk", 0);
    begin(false);
    put_list(1, OTF2_TYPE_UINT8, 1);
    put_list(1, OTF2_TYPE_UINT8, 1);
    put(2);
    expect_wrong("an attribute twice", HEADER_BYTES + 8);
    mwa_event_block_fini(&block);
    block = (struct mwa_event_block){ 0 };
    begin(false);
    put(6);
    put(7);
    put_number(0);
    put_full(0, 6);
    put(2);
    expect_wrong("a list of attributes is longer", HEADER_BYTES);
}

static uint64_t tenfold(const void *tables, OTF2_MappingType kind, uint64_t id)
{
    return id * 10 + kind + *(const uint64_t *)tables;
}

Test(event_block, translates_numbers_of_definitions_and_no_others)
{
    const uint64_t more = UINT64_C(1) << 32; /* than such a number has bits */

    begin(false);
    put_list(4, OTF2_TYPE_COMM, 0);
    bytes[size - 1] = 255;
    put(MWA_RECORD_MPI_SEND);
    put(8);
    for (unsigned i = 1; i <= 4; i++) {
        put_number(i);
    }
    put(2);
    block.translate = tenfold;
    block.tables = &more;
    hand_over();
    cr_assert_eq(mwa_event_block_next(&block), MWA_BLOCK_EVENT);
    cr_expect_eq(block.record.fields[0], 1);
    cr_expect_eq(block.record.fields[1], 20 + OTF2_MAPPING_COMM);
    cr_expect_eq(block.record.fields[2], 3);
    cr_expect_eq(block.record.fields[3], 4);
    cr_expect_eq(block.record.attributes.list[0].id, 40 + OTF2_MAPPING_ATTRIBUTE);
    cr_expect_eq(block.record.attributes.list[0].bits,
                 (uint32_t)(UINT32_MAX * UINT64_C(10) + OTF2_MAPPING_COMM));
    mwa_event_block_fini(&block);
}

/* What reading found: each event, and how it ended, as a sum that tells orders apart. */
static uint64_t sum_of(uint64_t sum, const struct mwa_event_block *read)
{
    const struct mwa_record *record = &read->record;
    const uint64_t found[] = { record->type, record->time, record->position, record->fields[0],
                               record->attributes.count, mwa_event_block_offset(read) };

    for (unsigned i = 0; i < sizeof found / sizeof found[0]; i++) {
        sum = (sum ^ found[i]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return sum;
}

/*
 * Reads the block with no more in memory than is wanted, but so many bytes at least, in memory of
 * its own each time, for the sanitizer. The sum, and *step that it ended with.
 */
static uint64_t read_in_parts(struct mwa_event_block *read, size_t least,
                              enum mwa_event_block_step *step)
{
    size_t have = least < size ? least : size;
    unsigned char *part = malloc(have);
    uint64_t sum = 0;

    memcpy(part, bytes, have);
    *step = mwa_event_block_begin_part(read, part, have, size);
    while (*step != MWA_BLOCK_WRONG) {
        *step = mwa_event_block_next(read);
        if (*step == MWA_BLOCK_MORE) {
            const size_t at = mwa_event_block_offset(read);
            unsigned char *before = part;

            have = read->wanted > least ? read->wanted : least;
            have = have < size - at ? have : size - at;
            part = malloc(have);
            memcpy(part, bytes + at, have);
            mwa_event_block_resume(read, part, have);
            free(before);
        } else if (*step == MWA_BLOCK_EVENT) {
            sum = sum_of(sum, read);
        } else {
            break;
        }
    }
    sum = sum_of(sum, read);
    free(part);
    mwa_event_block_fini(read);
    return sum;
}

static void expect_the_same_in_parts(enum mwa_event_block_step wanted)
{
    static const size_t least[] = { HEADER_BYTES, 100, 321, 1000, 5000 };
    struct mwa_event_block whole = { 0 };
    enum mwa_event_block_step step, other;
    uint64_t sum = read_in_parts(&whole, size, &step);

    cr_expect_eq(step, wanted, "%s", whole.wrong);
    for (unsigned i = 0; i < sizeof least / sizeof least[0]; i++) {
        struct mwa_event_block parts = { 0 };

        cr_expect_eq(read_in_parts(&parts, least[i], &other), sum, "%zu bytes", least[i]);
        cr_expect_eq(other, step, "%zu bytes", least[i]);
        cr_expect_eq(parts.wrong, whole.wrong, "%zu bytes: %s", least[i], parts.wrong);
    }
}

/* A record of a kind that is to come, with a length of 8 bytes in front of so many. */
static void put_long(uint64_t length)
{
    put(200);
    put(255);
    put_full(length, 8);
    put_full(0, 8);
    size += length - 8;
}

/* Records are the same, and so is what is wrong with them, wherever what is in memory ends. */
Test(event_block, is_the_same_in_parts)
{
    begin(false);
    for (unsigned i = 0; i < 300; i++) {
        put(5);
        put_full(1000 + i, 8);
        put_list(1, OTF2_TYPE_UINT8, i % 200);
        put_list(2, OTF2_TYPE_UINT8, 3);
        put(MWA_RECORD_ENTER);
        put_number(i);
        put(5);
        put_full(2000 + i, 8);
        put(MWA_RECORD_LEAVE);
        put_number(UINT32_MAX - i);
        put(201);
        put(i % 255); /* and so long it is */
        size += i % 255;
        if (i % 50 == 49) {
            put(5);
            put_full(5000 + i, 8);
            put_long(20 * i);
        }
    }
    put(5);
    put_full(9000, 8);
    put(0);
    put_full(0, 4); /* the end comes earlier than the block's size says */
    expect_the_same_in_parts(MWA_BLOCK_END);
    size = 3000;
    expect_the_same_in_parts(MWA_BLOCK_WRONG);
}

/* Of each second event the time is said, the others have that of the one before. */
static void put_events(bool big_endian, uint64_t count)
{
    begin(big_endian);
    for (uint64_t i = 0; i < count; i++) {
        if (i % 2 == 0) {
            put(5);
            put_full(1000 + i, 8);
        }
        put_list(1, OTF2_TYPE_UINT8, i % 3);
        put(MWA_RECORD_ENTER);
        put_number(i << 8);
    }
    put(2);
}

/* What follows an event is the same for who begins there, with memory of what follows alone. */
static void expect_the_same_from(const struct mwa_event_place *place)
{
    const size_t left = size - place->offset;
    unsigned char *rest = malloc(left);
    struct mwa_event_block whole = block, other = { 0 };
    enum mwa_event_block_step step;

    memset(&whole.record.attributes, 0, sizeof whole.record.attributes); /* block owns them */
    whole.attribute_capacity = 0;
    memcpy(rest, bytes + place->offset, left);
    mwa_event_block_begin_at(&other, place, rest, left, size);
    step = mwa_event_block_next(&whole);
    cr_expect_eq(mwa_event_block_next(&other), step);
    cr_expect(step != MWA_BLOCK_EVENT || sum_of(0, &other) == sum_of(0, &whole),
              "behind event %zu", (size_t)place->events);
    mwa_event_block_fini(&other);
    mwa_event_block_fini(&whole);
    free(rest);
}

Test(event_block, goes_on_behind_any_event)
{
    for (int big_endian = 0; big_endian < 2; big_endian++) {
        put_events(big_endian == 1, 100);
        cr_assert_eq(hand_over(), MWA_BLOCK_END);
        for (uint64_t i = 1; i <= 100; i++) {
            struct mwa_event_place place;

            cr_assert_eq(mwa_event_block_next(&block), MWA_BLOCK_EVENT);
            place = mwa_event_block_place(&block);
            cr_expect_eq(place.events, block.record.position);
            cr_expect_eq(place.time, 1000 + (i - 1) / 2 * 2);
            expect_the_same_from(&place);
        }
        cr_expect_eq(mwa_event_block_next(&block), MWA_BLOCK_LAST);
        mwa_event_block_fini(&block);
        memset(&block, 0, sizeof block);
    }
}

/* The last byte of a record may not be that of its block, which is to have an end. */
Test(event_block, has_no_record_that_is_longer)
{
    begin(true);
    put_long(700);
    expect_the_same_in_parts(MWA_BLOCK_WRONG);
    put(2);
    expect_the_same_in_parts(MWA_BLOCK_LAST);
    begin(true);
    put(200);
    put(255);
    put_full(UINT64_MAX, 8);
    size += 2000;
    expect_the_same_in_parts(MWA_BLOCK_WRONG);
}
