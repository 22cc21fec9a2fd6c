#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "formats/spool/live_batch.h"

/* Records of calls that ranks of two hosts take part in. */

Test(live_batch, brings_every_type_with_its_numbers)
{
    struct mw_buffer buffer = {.failed = false};
    struct mw_live_record record;
    struct mw_cursor cursor;

    for (unsigned type = 0; type < MW_LIVE_RECORD_TYPES; type++) {
        record = (struct mw_live_record){.type = (enum mw_live_record_type)type};
        for (unsigned i = 0; i < mw_live_record_numbers(record.type); i++) {
            record.numbers[i] = i % 2 ? UINT64_MAX - type : UINT64_C(127) + type + i;
        }
        mw_live_record_put(&buffer, &record);
    }
    cursor = (struct mw_cursor){.next = buffer.data, .left = buffer.bytes};
    for (unsigned type = 0; type < MW_LIVE_RECORD_TYPES; type++) {
        cr_assert(mw_live_record_take(&cursor, &record), "%u", type);
        cr_assert_eq(record.type, type);
        for (unsigned i = 0; i < mw_live_record_numbers(record.type); i++) {
            cr_assert_eq(record.numbers[i], i % 2 ? UINT64_MAX - type : UINT64_C(127) + type + i);
        }
    }
    cr_assert_not(mw_live_record_take(&cursor, &record));
    cr_assert_eq(cursor.left, 0);
    mw_buffer_fini(&buffer);
}

/* Byte for byte as formats/ARCHIVE.md has it. */
Test(live_batch, has_the_form_that_is_described)
{
    struct mw_buffer buffer = {.failed = false};
    const struct mw_live_record record = {.type = MW_LIVE_RECORD_THROUGH,
                                          .numbers = {1, 300, mw_live_fold(-2)}};

    mw_live_record_put(&buffer, &record);
    cr_assert_eq(buffer.bytes, 5);
    cr_assert_eq(memcmp(buffer.data, "\x13\x01\xac\x02\x03", 5), 0);
    mw_buffer_fini(&buffer);
}

Test(live_batch, folds_numbers_below_zero)
{
    const int64_t numbers[] = {0, -1, 1, -2, INT64_MAX, INT64_MIN};

    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        cr_assert_eq(mw_live_unfold(mw_live_fold(numbers[i])), numbers[i], "%u", i);
    }
    cr_assert_eq(mw_live_fold(-2), 3);
}

Test(live_batch, stops_where_there_is_no_record)
{
    static const char *const wrong[] = {"\x01\x05", "\x15", "\x07\x01\x01\x01\xff",
                                        "\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"};
    struct mw_live_record record;

    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct mw_cursor cursor = {.next = wrong[i], .left = strlen(wrong[i])};
        const size_t before = cursor.left;

        cr_assert_not(mw_live_record_take(&cursor, &record), "%u", i);
        cr_assert_eq(cursor.left, before, "%u", i);
    }
}
