#include "recorder/finalize/without_zeros.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 300u

/* What data come to; they are the same again. */
static uint64_t packed_bytes(const char *data, uint64_t bytes)
{
    static char packed[MWR_WITHOUT_ZEROS_MAX(BYTES)];
    char again[BYTES];
    uint64_t count = mwr_without_zeros(data, bytes, packed);

    memset(again, 'x', sizeof again);
    mwr_with_zeros(packed, count, again, bytes);
    cr_assert_eq(memcmp(again, data, bytes), 0);
    return count;
}

Test(without_zeros, needs_a_head_of_8_bytes_for_each_piece)
{
    char data[BYTES] = {0};

    cr_expect_eq(packed_bytes(data, sizeof data), 8);
    data[0] = 'a';
    cr_expect_eq(packed_bytes(data, sizeof data), 8 + 1 + 8);
    data[200] = 'b';
    data[205] = 'c'; /* 4 zeros between them are told with them */
    cr_expect_eq(packed_bytes(data, sizeof data), 8 + 1 + 8 + 6 + 8);
    data[299] = 'd';
    cr_expect_eq(packed_bytes(data, sizeof data), 8 + 1 + 8 + 6 + 8 + 1);
    memset(data, 'e', sizeof data);
    cr_expect_eq(packed_bytes(data, sizeof data), 8 + BYTES);
}

Test(without_zeros, gives_random_data_back_in_the_room_that_is_said)
{
    char data[BYTES];

    srand(1);
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t bytes = (uint64_t)rand() % BYTES;
        int share = 1 + rand() % 20;

        for (uint64_t at = 0; at < bytes; at++) {
            data[at] = (char)(rand() % share ? 0 : 1 + rand() % 255);
        }
        cr_assert_leq(packed_bytes(data, bytes), MWR_WITHOUT_ZEROS_MAX(bytes));
    }
}

Test(without_zeros, fills_no_more_than_there_is_room_for)
{
    const uint32_t lies[][2] = {{8, 1}, {0, 9}, {0, 8}, {UINT32_MAX, UINT32_MAX}};

    for (unsigned i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        char packed[12];
        char data[9] = "xxxxxxxx"; /* the 9th is not given */

        memcpy(packed, lies[i], 8);
        memcpy(packed + 8, "abcd", 4);
        mwr_with_zeros(packed, sizeof packed, data, 8);
        cr_expect_eq(memcmp(data, "\0\0\0\0\0\0\0\0\0", 9), 0);
    }
}
