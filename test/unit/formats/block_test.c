#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "formats/spool/block.h"
#include "formats/spool/record_layout.h"

/* Records of all types with any values come out of a block as they went in. */

static char records[MW_BLOCK_RECORDS_MAX];
static char block[MW_BLOCK_ROOM];
static char packed_again[MW_BLOCK_BYTES_MAX + MW_BLOCK_SLACK];
static char unpacked[MW_BLOCK_RECORDS_MAX];

static uint64_t some_number(unsigned bits)
{
    uint64_t number = (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();

    return bits == 0 ? 0 : number >> (64 - bits);
}

/* Writes a record of a random type behind at. \return behind it; at: there is no room. */
static size_t add_record(size_t at, unsigned bits)
{
    struct mw_member head = {.state = MW_STATE_DONE};
    size_t bytes;

    do {
        head.type = (uint8_t)(rand() % (int)MW_RECORD_TYPES);
    } while (mw_record_form(head.type) == MW_FORM_NONE);
    bytes = mw_record_layouts[mw_record_form(head.type)].bytes;
    if (mw_record_form(head.type) == MW_FORM_METRIC) {
        bytes += 8 * (size_t)(1 + rand() % 255);
    }
    if (bytes > sizeof records - at) {
        return at;
    }
    for (size_t i = 4; i < bytes; i += 4) {
        uint32_t four = (uint32_t)some_number(rand() % 8 ? bits : 64);

        memcpy(records + at + i, &four, sizeof four);
    }
    if (mw_record_form(head.type) == MW_FORM_METRIC) {
        records[at + 15] =
            (char)((bytes - sizeof(struct mw_metric_member)) / 8); /* the count */
    } else if (mw_record_form(head.type) == MW_FORM_CALL && rand() % 10 == 0) {
        head.state = MW_STATE_OPEN;
    }
    head.words = (uint16_t)(bytes / 8);
    memcpy(records + at, &head, 4);
    return at + bytes;
}

static size_t fill(unsigned bits)
{
    size_t used = 0;

    memset(records, 0, sizeof records);
    for (size_t next = add_record(0, bits); next != used; next = add_record(used, bits)) {
        used = next;
    }
    return used;
}

static size_t unpack(const struct mw_block_header *header, size_t bytes)
{
    memset(packed_again, 0, sizeof packed_again);
    memcpy(packed_again, block + sizeof *header, bytes);
    memset(unpacked, 0, sizeof unpacked);
    return mw_block_unpack(header, packed_again, bytes, unpacked);
}

Test(block, gives_back_what_was_packed)
{
    struct mw_block_packed packed;
    struct mw_block_header header;

    srand(7);
    for (unsigned round = 0; round < 300; round++) {
        size_t used = fill(round % 33);

        mw_block_pack(records, sizeof records, NULL, round, block, &packed);
        memcpy(&header, block, sizeof header);
        cr_assert_eq(header.magic, MW_BLOCK_MAGIC);
        cr_assert_eq(header.sequence, round);
        cr_assert_eq(header.records, used);
        cr_assert_eq(packed.bytes, sizeof header + header.bytes);
        cr_assert_leq(packed.bytes, MW_BLOCK_BYTES_MAX);
        cr_assert_eq(unpack(&header, header.bytes), used);
        cr_assert_eq(memcmp(records, unpacked, used), 0, "round %u", round);
    }
}

Test(block, ends_before_an_empty_record_and_counts_calls)
{
    struct mw_call_record call = {MW_STATE_DONE, MW_RECORD_CALL, 3, 1, 4, 10, 20};
    struct mw_block_packed packed;
    struct mw_block_header header;

    memset(records, 0, sizeof records);
    mw_block_pack(records, sizeof records, NULL, 1, block, &packed);
    cr_expect_eq(packed.bytes, 0);
    for (size_t i = 0; i < 5; i++) {
        memcpy(records + i * sizeof call, &call, sizeof call);
    }
    records[3 * sizeof call + 1] = MW_RECORD_PAUSE; /* is no call */
    records[4 * sizeof call] = MW_STATE_EMPTY;
    mw_block_pack(records, sizeof records, records + 2 * sizeof call, 1, block, &packed);
    memcpy(&header, block, sizeof header);
    cr_expect_eq(packed.calls, 12);
    cr_expect_eq(header.records, 4 * sizeof call);
    cr_expect_eq(packed.kept_at, sizeof header + 7 + 5 + 1); /* type, lengths and what changes */
}

Test(block, that_somebody_wrote_into_is_as_it_is)
{
    struct mw_block_packed packed;
    struct mw_block_header header;

    srand(3);
    for (unsigned round = 0; round < 2000; round++) {
        size_t used = fill(8);

        for (int i = rand() % 4; i >= 0; i--) {
            records[(size_t)rand() % used] = (char)rand();
        }
        mw_block_pack(records, sizeof records, NULL, round, block, &packed);
        memcpy(&header, block, sizeof header);
        cr_assert_leq(packed.bytes, MW_BLOCK_BYTES_MAX);
        if (packed.bytes > 0) {
            cr_assert_eq(unpack(&header, header.bytes), header.records);
            cr_assert_eq(memcmp(records, unpacked, header.records), 0, "round %u", round);
        }
    }
}

Test(block, that_is_cut_or_damaged_has_its_whole_records)
{
    struct mw_block_packed packed;
    struct mw_block_header header;

    srand(5);
    fill(12);
    mw_block_pack(records, sizeof records, NULL, 0, block, &packed);
    memcpy(&header, block, sizeof header);
    for (size_t bytes = 0; bytes < header.bytes; bytes += 97) {
        size_t whole = unpack(&header, bytes);

        cr_assert_lt(whole, header.records);
        cr_assert_eq(memcmp(records, unpacked, whole), 0);
    }
    for (unsigned round = 0; round < 20000; round++) {
        char *at = &block[sizeof header + (size_t)rand() % header.bytes];
        char before = *at;

        *at = (char)rand();
        cr_assert_leq(unpack(&header, header.bytes), header.records);
        *at = before;
    }
}
