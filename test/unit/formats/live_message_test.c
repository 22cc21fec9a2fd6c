#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "formats/spool/live_message.h"
#include "formats/spool/spool_info.h"
#include "formats/table/calls.h"

/* What is told of a running program, and what of it is believed. */

static struct mw_buffer buffer;
static struct mw_live_head head;
static struct mw_cursor items;
static struct mw_live_item item;
static struct mw_diagnostic diagnostic;

static struct mw_live_item receiving(uint32_t rank)
{
    struct mw_live_item made = {
        .rank = rank,
        .thread = 1,
        .pid = 77,
        .state = MW_RUN_RUNNING,
        .flags = MW_LIVE_COUNTED | MW_LIVE_INSIDE | MW_LIVE_NOW,
        .code = UINT32_MAX,
        .action = MW_CALL_MPI_Recv,
        .time_in = 1000,
        .look = 5000,
        .now = {.what = MW_NOW_ON_COMM | MW_NOW_RECEIVES, .comm = 3, .peer = -1, .source = 2,
                .source_tag = 7},
        .counts = {.calls = 12, .inside = 800, .bytes_sent = UINT64_MAX - 1, .mark = 6},
        .lost = 4,
        .comm_call = MW_CALL_MPI_Comm_split,
        .comm_sequence = 9,
        .comm = "ring",
        .program = "/bin/app",
        .line = "a.c:31",
    };

    return made;
}

static void begin(void)
{
    head = (struct mw_live_head){.nonce = 0x1234567890abcdef, .size = 4, .sequence = 41,
                                 .time = 99, .host = "node7"};
    mw_live_message_begin(&buffer, &head);
}

static void set_up(void)
{
    const struct mw_live_item zero = receiving(0);
    const struct mw_live_item three = receiving(3);

    begin();
    cr_assert(mw_live_message_add(&buffer, &zero));
    cr_assert(mw_live_message_add(&buffer, &three));
}

static void tear_down(void)
{
    mw_buffer_fini(&buffer);
}

TestSuite(live_message, .init = set_up, .fini = tear_down);

static enum mw_status read_bytes(size_t bytes)
{
    return mw_live_message_read(buffer.data, bytes, &head, &items, &diagnostic);
}

static void refuses(enum mw_status expected, const char *words)
{
    cr_assert_eq(read_bytes(buffer.bytes), expected, "%s", words);
    cr_assert_not_null(strstr(diagnostic.what, words), "%s", diagnostic.what);
}

Test(live_message, brings_what_was_told)
{
    cr_assert_eq(read_bytes(buffer.bytes), MW_OK, "%s", diagnostic.what);
    cr_assert_eq(head.nonce, 0x1234567890abcdef);
    cr_assert_eq(head.size, 4);
    cr_assert_eq(head.sequence, 41);
    cr_assert_eq(head.time, 99);
    cr_assert_str_eq(head.host, "node7");
    cr_assert_eq(head.count, 2);
    cr_assert(mw_live_message_next(&items, head.kind, &item));
    cr_assert_eq(item.rank, 0);
    cr_assert(mw_live_message_next(&items, head.kind, &item));
    cr_assert_eq(item.rank, 3);
    cr_assert_eq(item.thread, 1);
    cr_assert_eq((int32_t)item.code, -1);
    cr_assert_eq(item.action, MW_CALL_MPI_Recv);
    cr_assert_eq(item.now.enter, 1000);
    cr_assert_eq(item.now.peer, -1);
    cr_assert_eq(item.now.source, 2);
    cr_assert_eq(item.now.source_tag, 7);
    cr_assert_eq(item.counts.bytes_sent, UINT64_MAX - 1);
    cr_assert_eq(item.lost, 4);
    cr_assert_eq(item.comm_call, MW_CALL_MPI_Comm_split);
    cr_assert_str_eq(item.comm, "ring");
    cr_assert_str_eq(item.program, "/bin/app");
    cr_assert_str_eq(item.line, "a.c:31");
    cr_assert_not(mw_live_message_next(&items, head.kind, &item));
}

/* Byte for byte as formats/ARCHIVE.md has it. */
Test(live_message, has_the_form_that_is_described)
{
    cr_assert_eq(memcmp(buffer.data, "MWLIVE\0\0\3\0\0\0", 12), 0);
    cr_assert_eq(mw_get_u64(buffer.data + 12), mw_calls_fingerprint());
    cr_assert_eq(mw_get_u64(buffer.data + 20), 0x1234567890abcdef);
    cr_assert_eq(mw_get_u32(buffer.data + 28), 4);
    cr_assert_eq(mw_get_u32(buffer.data + 36), 2);
    cr_assert_eq(mw_get_u64(buffer.data + 40), 41);
    cr_assert_eq(mw_get_u64(buffer.data + 48), 99);
    cr_assert_eq(memcmp(buffer.data + 56, "\5\0node7", 7), 0);
    cr_assert_eq(buffer.bytes, 63 + 2 * (184 + 2 + 4 + 2 + 8 + 2 + 6), "%zu", buffer.bytes);
}

Test(live_message, begins_anew_when_it_is_full)
{
    struct mw_live_item next = receiving(1);
    uint32_t count = 2;

    memset(next.program, 'p', sizeof next.program - 1);
    while (mw_live_message_add(&buffer, &next)) {
        count++;
    }
    cr_assert_leq(buffer.bytes, MW_LIVE_BYTES_MAX);
    cr_assert_gt(buffer.bytes, MW_LIVE_BYTES_MAX - 1000);
    cr_assert_eq(read_bytes(buffer.bytes), MW_OK, "%s", diagnostic.what);
    cr_assert_eq(head.count, count);
}

Test(live_message, is_refused_in_another_version)
{
    buffer.data[8] = 2;
    refuses(MW_ERROR_VERSION, "of version 2, and this program knows version 3");
}

Test(live_message, is_refused_with_other_numbers_of_calls)
{
    buffer.data[12] ^= 1;
    refuses(MW_ERROR_VERSION, "numbers MPI's calls otherwise");
}

Test(live_message, is_refused_when_it_is_none)
{
    buffer.data[0] = 'X';
    refuses(MW_ERROR_FORMAT, "no message of mpiwatch-top");
}

Test(live_message, is_refused_wherever_it_is_cut)
{
    for (size_t bytes = 0; bytes < buffer.bytes; bytes++) {
        cr_assert_neq(read_bytes(bytes), MW_OK, "cut to %zu bytes", bytes);
    }
}

Test(live_message, is_refused_when_it_goes_on)
{
    mw_buffer_u16(&buffer, 0);
    refuses(MW_ERROR_FORMAT, "goes on behind its last item");
}

Test(live_message, is_refused_when_it_is_too_long)
{
    cr_assert_not_null(mw_buffer_extend(&buffer, MW_LIVE_BYTES_MAX));
    refuses(MW_ERROR_FORMAT, "longer than messages are");
}

Test(live_message, is_refused_with_a_count_that_is_huge)
{
    memset(buffer.data + 36, 0xff, 4);
    refuses(MW_ERROR_FORMAT, "ends before its last item");
    memset(buffer.data + 28, 0xff, 4);
    refuses(MW_ERROR_FORMAT, "so many ranks");
}

Test(live_message, is_refused_with_numbers_that_there_are_not)
{
    static const size_t at[] = {63 + 12, 63 + 13, 63 + 18 + 1}; /* state, flags, action */

    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        buffer.data[at[i]] ^= (char)0xc0;
        refuses(MW_ERROR_FORMAT, "a number that there is not");
        buffer.data[at[i]] ^= (char)0xc0;
    }
    buffer.data[63] = 4; /* a rank of four */
    refuses(MW_ERROR_FORMAT, "a number that there is not");
}

Test(live_message, has_texts_without_nulls)
{
    buffer.data[buffer.bytes - 3] = '\0';
    refuses(MW_ERROR_FORMAT, "ends before its last item");
}

/* Waits, variables, a wish and a batch with records behind it. */
static void begin_kind(enum mw_live_kind kind, const void *made)
{
    mw_buffer_fini(&buffer);
    head = (struct mw_live_head){.nonce = 5, .size = 4, .kind = kind, .host = "node7"};
    mw_live_message_begin(&buffer, &head);
    cr_assert(mw_live_message_add(&buffer, made));
}

static const struct mw_live_waits some_waits = {
    .rank = 3, .thread = 2, .unknown = MW_LIVE_KNOWN, .is_final = 1, .read = 70,
    .clock_error = 800, .waited = 1000, .told = 2000, .count = 2, .times = {5, 9},
    .between = {300, 400}};
static const struct mw_live_values some_values = {
    .name = "length", .unit = "#", .count = 2, .ranks = {1, 3},
    .values = {0x4000000000000000, 0x3ff0000000000000}};

Test(live_message, brings_waits)
{
    struct mw_live_waits waits;

    begin_kind(MW_LIVE_WAITS, &some_waits);
    cr_assert_eq(buffer.bytes, 63 + 4 + 4 + 1 + 1 + 4 * 8 + 4 + 4 * 8, "%zu", buffer.bytes);
    cr_assert_eq(read_bytes(buffer.bytes), MW_OK, "%s", diagnostic.what);
    cr_assert(mw_live_message_next(&items, head.kind, &waits));
    cr_assert_eq(memcmp(&waits.times, &some_waits.times, sizeof waits.times), 0);
    cr_assert_eq(waits.between[1], 400);
    cr_assert_eq(waits.told, 2000);
    cr_assert_not(mw_live_message_next(&items, head.kind, &waits));
}

Test(live_message, brings_values_of_variables)
{
    struct mw_live_values values;

    begin_kind(MW_LIVE_VARIABLES, &some_values);
    cr_assert_eq(buffer.bytes, 63 + 8 + 3 + 1 + 4 + 2 * 12, "%zu", buffer.bytes);
    cr_assert_eq(read_bytes(buffer.bytes), MW_OK, "%s", diagnostic.what);
    cr_assert(mw_live_message_next(&items, head.kind, &values));
    cr_assert_str_eq(values.name, "length");
    cr_assert_eq(values.ranks[1], 3);
    cr_assert_eq(values.values[0], 0x4000000000000000);
}

Test(live_message, brings_a_batch_with_what_is_behind_it)
{
    const struct mw_live_batch made = {.generation = 7, .expected = 8, .number = 9,
                                       .has_records = 1};
    struct mw_live_batch batch;

    begin_kind(MW_LIVE_CALLS, &made);
    mw_buffer_append(&buffer, "behind", 6);
    cr_assert_eq(read_bytes(buffer.bytes), MW_OK, "%s", diagnostic.what);
    cr_assert(mw_live_message_next(&items, head.kind, &batch));
    cr_assert_eq(batch.number, 9);
    cr_assert_eq(items.left, 6);
}

/* Each byte of what is behind the head changed in turn: what is believed is within its bounds. */
static void survives_each_byte(enum mw_live_kind kind, const void *made)
{
    begin_kind(kind, made);
    for (size_t at = 63; at < buffer.bytes; at++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            const char before = buffer.data[at];
            struct mw_live_waits waits;
            struct mw_live_values values;

            buffer.data[at] = (char)byte;
            if (read_bytes(buffer.bytes) == MW_OK && kind == MW_LIVE_WAITS &&
                mw_live_message_next(&items, head.kind, &waits)) {
                cr_assert(waits.rank < head.size && waits.count <= MW_LIVE_LOOKS_MAX);
                cr_assert(waits.thread < MW_LIVE_THREADS_MAX &&
                          waits.unknown < MW_LIVE_NO_WAITS_COUNT);
            } else if (kind == MW_LIVE_VARIABLES && diagnostic.status == MW_OK &&
                       mw_live_message_next(&items, head.kind, &values)) {
                cr_assert_leq(values.count, MW_LIVE_VALUES_MAX);
                for (uint32_t i = 0; i < values.count; i++) {
                    cr_assert_lt(values.ranks[i], head.size);
                }
            }
            buffer.data[at] = before;
            diagnostic.status = MW_OK;
        }
    }
}

Test(live_message, believes_no_number_that_there_is_not)
{
    struct mw_live_waits waits = some_waits;
    struct mw_live_values values = some_values;

    survives_each_byte(MW_LIVE_WAITS, &some_waits);
    survives_each_byte(MW_LIVE_VARIABLES, &some_values);
    values.values[1] = 0x7ff0000000000000; /* infinity */
    begin_kind(MW_LIVE_VARIABLES, &values);
    refuses(MW_ERROR_FORMAT, "a number that there is not");
    waits.times[1] = 5; /* not later */
    begin_kind(MW_LIVE_WAITS, &waits);
    refuses(MW_ERROR_FORMAT, "a number that there is not");
    waits.times[1] = 9;
    begin_kind(MW_LIVE_WAITS, &waits);
    memset(buffer.data + 63 + 10 + 32, 0xff, 4); /* its count */
    refuses(MW_ERROR_FORMAT, "ends before its last item");
    begin_kind(MW_LIVE_THREADS, &(struct mw_live_item){.rank = 1});
    buffer.data[32] = MW_LIVE_KINDS;
    refuses(MW_ERROR_FORMAT, "of a kind that there is not");
}

/* The same 200,000 variations each time: what is believed can be read to its end. */
Test(live_message, survives_variations)
{
    struct mw_buffer sound = buffer;
    uint32_t believed = 0;

    srand(1);
    buffer = (struct mw_buffer){0};
    for (int run = 0; run < 200000; run++) {
        char *copy = malloc(sound.bytes); /* of this size, for who checks its bounds */
        size_t bytes = rand() % 4 == 0 ? (size_t)rand() % sound.bytes : sound.bytes;

        memcpy(copy, sound.data, sound.bytes);
        for (int i = rand() % 6; i >= 0; i--) {
            copy[(size_t)rand() % sound.bytes] = (char)(rand() % 3 == 0 ? 0xff : rand());
        }
        if (mw_live_message_read(copy, bytes, &head, &items, &diagnostic) == MW_OK) {
            uint32_t count = 0;

            believed++;
            while (head.kind == MW_LIVE_THREADS &&
                   mw_live_message_next(&items, head.kind, &item)) {
                cr_assert_lt(item.rank, head.size);
                cr_assert_lt(strlen(item.comm), MW_LIVE_TEXT_BYTES);
                count++;
            }
            cr_assert(count == head.count || head.kind != MW_LIVE_THREADS);
        }
        free(copy);
    }
    cr_assert_gt(believed, 1000, "%u", believed);
    cr_assert_lt(believed, 199000, "%u", believed);
    buffer = sound;
}
