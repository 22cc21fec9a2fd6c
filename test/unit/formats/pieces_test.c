/* The small pieces that the archive is made with. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/clock.h"
#include "formats/base/index_table.h"
#include "formats/base/json_writer.h"
#include "formats/base/printable.h"
#include "formats/base/shell_word.h"
#include "formats/base/utf8.h"
#include "formats/spool/request_slots.h"
#include "test/unit/formats/maker.h"

Test(utf8, keeps_what_is_valid_and_replaces_every_other_byte)
{
    /* RFC 3629: overlong "/", a surrogate, beyond U+10FFFF, a cut sequence. */
    char *clean = mw_utf8_clean("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80 \xc0\xaf \xed\xa0\x80 "
                                "\xf4\x90\x80\x80 \xe2\x82");

    cr_assert_str_eq(clean, "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80 "
                            "\xef\xbf\xbd\xef\xbf\xbd "
                            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
                            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
                            "\xef\xbf\xbd\xef\xbf\xbd");
    free(clean);
}

Test(printable, shows_no_byte_that_a_terminal_would_obey)
{
    char shown[64];

    /* C0, DEL, C1 as UTF-8 and as a byte; a blank that is no control; backslashes stay. */
    cr_assert_str_eq(mw_printable("a\x1b[31m\n\x7f \xc2\x9b" "2J\x9b \xc2\xa0\xc3\xbc\\", shown,
                                  sizeof shown),
                     "a\\033[31m\\012\\177 \\302\\2332J\\233 \xc2\xa0\xc3\xbc\\");
    cr_assert_str_eq(mw_printable("", shown, sizeof shown), "");
    /* Cut, but never within a character or a number. */
    cr_assert_str_eq(mw_printable("ab\x1b" "c", shown, 6), "ab");
    cr_assert_str_eq(mw_printable("ab\x1b" "c", shown, 7), "ab\\033");
    cr_assert_str_eq(mw_printable("a\xc3\xbc", shown, 3), "a");
}

Test(shell_word, is_one_word_without_control_characters)
{
    char word[64];

    cr_assert_str_eq(mw_shell_word("/a/b", ".run", word, sizeof word), "/a/b.run");
    cr_assert_str_eq(mw_shell_word("", "", word, sizeof word), "''");
    cr_assert_str_eq(mw_shell_word("it's a", ".run", word, sizeof word), "'it'\\''s a.run'");
    cr_assert_str_eq(mw_shell_word("a\x1b'\\b\n", ".run", word, sizeof word),
                     "$'a\\033\\047\\134b\\n.run'");
    cr_assert_str_eq(mw_shell_word("\xc3\xbc", "", word, sizeof word), "'\xc3\xbc'");
    cr_assert_str_eq(mw_shell_word("abcdefgh", "\x1b", word, 12), "$'abcd'");
}

Test(json, is_read_by_another_program_as_it_was_meant)
{
    struct maker maker;
    struct mw_json json;
    struct mw_diagnostic diagnostic;
    json_error_t error;
    json_t *read;
    const char *text;
    json_int_t small;

    maker_init(&maker);
    mw_json_open(&json, maker_path(&maker, "json"));
    mw_json_object(&json, NULL);
    mw_json_text(&json, "text", "a\"b\\c\n\x01\x7f\xff \xc3\xa9");
    mw_json_array(&json, "list");
    mw_json_signed(&json, NULL, INT64_MIN);
    mw_json_null(&json, NULL);
    mw_json_bool(&json, NULL, true);
    mw_json_array_end(&json);
    mw_json_object(&json, "empty");
    mw_json_object_end(&json);
    for (int i = 0; i < 5000; i++) { /* more than the buffer holds */
        mw_json_unsigned(&json, "again", 1234567890);
    }
    mw_json_object_end(&json);
    cr_assert_eq(mw_json_close(&json, &diagnostic), MW_OK);
    read = json_load_file(maker_path(&maker, "json"), 0, &error);
    cr_assert_not_null(read, "%s", error.text);
    cr_assert_eq(json_unpack(read, "{s:s, s:[I, n, b], s:{}}", "text", &text, "list", &small,
                             &(int){0}, "empty"),
                 0);
    cr_assert_str_eq(text, "a\"b\\c\n\x01\x7f\xef\xbf\xbd \xc3\xa9");
    cr_assert_eq(small, INT64_MIN);
    json_decref(read);
    maker_fini(&maker);
}

Test(clock, draws_a_line_through_the_offsets)
{
    const struct mw_clock_point points[] = {{1000, 100, 0}, {2000, 200, 0}, {4000, 0, 0}};

    cr_assert_eq(mw_clock_correct(points, 0, 77), 77u);
    cr_assert_eq(mw_clock_correct(points, 1, 77), 177u);
    cr_assert_eq(mw_clock_correct(points, 3, 1000), 1100u);
    cr_assert_eq(mw_clock_correct(points, 3, 1500), 1650u);
    cr_assert_eq(mw_clock_correct(points, 3, 500), 550u);  /* before: the first line */
    cr_assert_eq(mw_clock_correct(points, 3, 3000), 3100u);
    cr_assert_eq(mw_clock_correct(points, 3, 5000), 4900u); /* after: the last line */
}

/*
 * A lone comparison told 100 at first, to 10 at most; clocks drift, so that 1000 behind it is 350,
 * to 20: times were 250 off there, and 270 at most. What is 29 off is within what both may be
 * wrong; what was measured before the line's last point was known by it.
 */
Test(clock, knows_by_later_points_how_far_a_line_was_off)
{
    const struct mw_clock_point line[] = {{1000, 100, 10}, {1500, 100, 10}};
    const struct mw_clock_point all[] = {{1000, 100, 10}, {1200, 129, 20}, {2000, 350, 20}};
    const struct mw_clock_point before[] = {{1200, 350, 20}, {1900, 71, 20}};

    cr_assert_eq(mw_clock_missed(line, 1, all, 3), 270u);
    cr_assert_eq(mw_clock_missed(line, 1, all, 2), 0u);
    cr_assert_eq(mw_clock_missed(line, 2, before, 2), 0u);
    cr_assert_eq(mw_clock_missed(NULL, 0, all, 3), 0u);
    cr_assert_eq(mw_clock_missed(line, 1, NULL, 0), 0u);
}

/* A point within 6.7 ms, then good ones; the clocks do run apart by 30 us until the third. */
Test(clock, trusts_the_better_of_two_points)
{
    const struct mw_clock_point told[] = {
        {1000000, 5001700000, 6700000}, {2000000, 5000000000, 15000}, {3000000, 5000030000, 15000},
        {3000000, 1, 1}, {4000000, 4000000000, 20000}};
    struct mw_clock_point *points = NULL;
    size_t count = 0;

    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        cr_assert(mw_clock_add(&points, &count, &told[i], MW_NANOSECONDS));
    }
    cr_assert_eq(count, 4u, "one is not later than the one before");
    mw_clock_choose(points, &count);
    cr_assert_eq(count, 4u, "a line through fewer passes the others by too much");
    cr_assert_eq(points[0].offset, 5000000000);
    cr_assert_eq(points[0].error, 15500u, "500 ns of 1 ms is as far as clocks run apart");
    cr_assert_eq(points[1].offset, 5000000000);
    cr_assert_eq(points[1].error, 15000u);
    cr_assert_eq(points[2].offset, 5000030000, "both are as good");
    cr_assert_eq(points[3].offset, 4000005000, "by no more than it is known worse");
    cr_assert_eq(points[3].error, 25000u);
    free(points);
}

/*
 * Clocks that run apart by 1 us a second, measured to 20 us at both ends and to 300 us in between,
 * with what is wrong (250 us) the other way each time: there is one line. Another one that jumps by
 * 2 ms in the middle keeps the points at the jump.
 */
Test(clock, lays_a_line_through_the_fewest_points)
{
    struct mw_clock_point steady[] = {{0, 5000, 20000},
                                      {10000000000, 265000, 300000},
                                      {20000000000, -225000, 300000},
                                      {30000000000, 285000, 300000},
                                      {40000000000, 45000, 20000}};
    struct mw_clock_point jumps[] = {{0, 0, 20000},
                                     {10000000000, 100, 20000},
                                     {11000000000, 2000000, 20000},
                                     {20000000000, 2000100, 20000},
                                     {40000000000, 2000000, 20000}};
    size_t count = 5;

    mw_clock_choose(steady, &count);
    cr_assert_eq(count, 2u);
    cr_assert_eq(mw_clock_correct(steady, count, 20000000000), 20000025000u);
    count = 5;
    mw_clock_choose(jumps, &count);
    cr_assert_eq(count, 4u);
    cr_assert_eq(jumps[1].time, 10000000000u);
    cr_assert_eq(jumps[2].time, 11000000000u);
    cr_assert_eq(mw_clock_correct(jumps, count, 20000000000), 20002000000u);
    count = 1;
    mw_clock_choose(jumps, &count);
    cr_assert_eq(count, 1u);
    count = 0;
    mw_clock_choose(NULL, &count);
    cr_assert_eq(count, 0u);
}

Test(clock, turns_ticks_into_nanoseconds)
{
    cr_assert_eq(mw_clock_nanoseconds(123456789012345678u, 1000000000u), 123456789012345678u);
    cr_assert_eq(mw_clock_nanoseconds(5, 2), 2500000000u);
    cr_assert_eq(mw_clock_offset(-5, 2), -2500000000);
}

static bool number_is(const void *context, uint32_t index, const void *key)
{
    return ((const uint32_t *)context)[index] == *(const uint32_t *)key;
}

Test(index_table, finds_what_was_added_also_where_hashes_collide)
{
    uint32_t numbers[1000];
    struct mw_index_table table = {0};
    uint32_t absent = 7000;

    for (uint32_t i = 0; i < 1000; i++) {
        numbers[i] = 3 * i;
        cr_assert(mw_index_add(&table, i % 10, i)); /* ten hashes for a thousand */
    }
    for (uint32_t i = 0; i < 1000; i++) {
        cr_assert_eq(mw_index_find(&table, i % 10, number_is, numbers, &numbers[i]), i);
    }
    cr_assert_eq(mw_index_find(&table, 0, number_is, numbers, &absent), MW_INDEX_NONE);
    mw_index_fini(&table);
}

/* In proportion to the square of the requests under way this takes minutes, else a moment. */
Test(request_slots, cost_no_more_where_many_requests_are_under_way, .timeout = 60)
{
    struct mw_request_slots *slots = mw_request_slots_create();

    for (uint64_t first = 1; first < 50 * MW_REQUEST_SLOTS; first += MW_REQUEST_SLOTS) {
        for (uint64_t i = 0; i < MW_REQUEST_SLOTS; i++) {
            cr_assert_eq(mw_request_slots_start(slots, first + i), i);
        }
        for (uint64_t i = 0; i < MW_REQUEST_SLOTS; i++) {
            cr_assert_eq(mw_request_slots_end(slots, first + i), i);
        }
    }
    mw_request_slots_destroy(slots);
}

Test(request_slots, are_used_again_lowest_first)
{
    struct mw_request_slots *slots = mw_request_slots_create();

    cr_assert_eq(mw_request_slots_start(slots, 1000), 0u);
    cr_assert_eq(mw_request_slots_start(slots, 1001), 1u);
    cr_assert_eq(mw_request_slots_start(slots, 1002), 2u);
    cr_assert_eq(mw_request_slots_look(slots, 1001), 1u);
    cr_assert_eq(mw_request_slots_end(slots, 1001), 1u);
    cr_assert_eq(mw_request_slots_end(slots, 1000), 0u);
    cr_assert_eq(mw_request_slots_start(slots, 1003), 0u);
    cr_assert_eq(mw_request_slots_start(slots, 1004), 1u);
    cr_assert_eq(mw_request_slots_end(slots, 1002), 2u);
    cr_assert_eq(mw_request_slots_end(slots, 1002), MW_REQUEST_LONG + 1002, "not active");
    mw_request_slots_destroy(slots);
}

Test(request_slots, are_unique_among_a_hundred_thousand_active_requests)
{
    const uint32_t count = 100000;
    struct mw_request_slots *slots = mw_request_slots_create();
    bool *seen = calloc(MW_REQUEST_SLOTS, sizeof *seen);

    for (uint32_t i = 0; i < count; i++) {
        uint64_t id = mw_request_slots_start(slots, 7 * i);

        if (i < MW_REQUEST_SLOTS) {
            cr_assert_lt(id, MW_REQUEST_SLOTS);
            cr_assert_not(seen[id]);
            cr_assert_eq(mw_request_slots_of(slots, (uint32_t)id), 7 * i);
            seen[id] = true;
        } else {
            cr_assert_eq(id, MW_REQUEST_LONG + 7 * i);
        }
    }
    /* In another order, so that gaps in the table close over several homes. */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = (uint32_t)((uint64_t)i * 40503 % count);
        uint64_t id = mw_request_slots_end(slots, 7 * other);

        cr_assert(other < MW_REQUEST_SLOTS ? id < MW_REQUEST_SLOTS : id >= MW_REQUEST_LONG);
    }
    cr_assert_eq(mw_request_slots_start(slots, 1), 0u, "all are free again");
    free(seen);
    mw_request_slots_destroy(slots);
}
