#include "analyzer/analysis/record_log.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More records than are held in memory, each with its number as the last word. */
#define RECORDS 9000u

static struct mwa_record_log *make_log(void)
{
    struct mwa_record_log *log = mwa_record_log_create();
    uint64_t words[MWA_RECORD_WORDS] = { 0 };

    cr_assert_not_null(log);
    for (uint64_t i = 0; i < RECORDS; i++) {
        words[MWA_RECORD_WORDS - 1] = i;
        cr_assert_eq(mwa_record_log_add(log, words, MWA_RECORD_WORDS), MW_OK);
    }
    return log;
}

/* The number of the file without a name; -1: there is none. */
static int find_file(void)
{
    DIR *all = opendir("/proc/self/fd");
    struct dirent *entry;
    char path[512], target[4096];
    int found = -1;

    cr_assert_not_null(all);
    while (found < 0 && (entry = readdir(all))) {
        ssize_t length;

        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = 0;
        found = strstr(target, "/mpiwatch-analyze-") ? (int)strtol(entry->d_name, NULL, 10) : -1;
    }
    closedir(all);
    return found;
}

static bool count(void *user, const uint64_t *words, uint32_t count)
{
    ++*(uint64_t *)user;
    return true;
}

Test(record_log, is_handed_on_with_what_is_in_its_file)
{
    struct mwa_record_log *log = make_log(), *taken = mwa_record_log_create();
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;
    uint64_t records = 0;
    const uint64_t *words;
    uint32_t length;

    cr_assert_geq(find_file(), 0);
    mwa_record_log_pack(log, &packed);
    cr_assert_not(packed.failed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(mwa_record_log_unpack(taken, &from, count, &records), MW_OK);
    cr_expect_eq(records, RECORDS);
    for (uint64_t i = RECORDS; i > 0; i--) {
        cr_assert_eq(mwa_record_log_last(taken, &words, &length), MW_OK);
        cr_assert_eq(words[length - 1], i - 1);
    }
    cr_expect_eq(mwa_record_log_last(taken, &words, &length), MW_END);
    mw_buffer_fini(&packed);
    mwa_record_log_destroy(taken);
    mwa_record_log_destroy(log);
}

/* A word of each length, next to those that are longest and shortest; and no words at all. */
/* The number of a record that is visited is how many there were before it. */
static bool is_next(void *user, const uint64_t *words, uint32_t count)
{
    uint64_t *visited = user;

    return count == MWA_RECORD_WORDS && words[count - 1] == (*visited)++;
}

Test(record_log, is_read_in_its_order_too)
{
    struct mwa_record_log *log = make_log();
    uint64_t visited = 0;
    const uint64_t *words;
    uint32_t length;

    cr_assert_geq(find_file(), 0);
    cr_expect_eq(mwa_record_log_visit_all(log, is_next, &visited), MW_OK);
    cr_expect_eq(visited, RECORDS);
    cr_expect_eq(mwa_record_log_visit_all(log, is_next, &visited), MW_ERROR_FORMAT,
                 "they don't begin with that number");
    cr_expect_eq(visited, RECORDS + 1);
    cr_assert_eq(mwa_record_log_last(log, &words, &length), MW_OK);
    visited = 0;
    cr_expect_eq(mwa_record_log_visit_all(log, is_next, &visited), MW_OK);
    cr_expect_eq(visited, RECORDS - 1, "one was taken out");
    cr_assert_eq(ftruncate(find_file(), 100), 0);
    visited = 0;
    cr_expect_eq(mwa_record_log_visit_all(log, is_next, &visited), MW_ERROR_SYSTEM);
    mwa_record_log_destroy(log);
}

Test(record_log, keeps_words_of_any_length)
{
    struct mwa_record_log *log = mwa_record_log_create();
    const uint64_t *words;
    uint32_t length;

    for (unsigned round = 0; round < 2000; round++) {
        uint64_t record[67] = { UINT64_MAX };

        for (unsigned i = 1; i < 66; i++) {
            record[i] = i == 65 ? 0 : UINT64_C(1) << (i - 1) | round % 2;
        }
        record[66] = round;
        cr_assert_eq(mwa_record_log_add(log, record, 67), MW_OK);
        cr_assert_eq(mwa_record_log_add(log, record, 0), MW_OK);
    }
    for (unsigned round = 2000; round-- > 0;) {
        cr_assert_eq(mwa_record_log_last(log, &words, &length), MW_OK);
        cr_assert_eq(length, 0);
        cr_assert_eq(mwa_record_log_last(log, &words, &length), MW_OK);
        cr_assert_eq(length, 67);
        cr_assert_eq(words[0], UINT64_MAX);
        for (unsigned i = 1; i < 65; i++) {
            cr_assert_eq(words[i], UINT64_C(1) << (i - 1) | round % 2, "bit %u", i - 1);
        }
        cr_assert_eq(words[65], 0);
        cr_assert_eq(words[66], round);
    }
    cr_expect_eq(mwa_record_log_last(log, &words, &length), MW_END);
    mwa_record_log_destroy(log);
}

Test(record_log, refuses_bytes_that_are_none_of_its)
{
    struct mwa_record_log *log = mwa_record_log_create();
    const uint64_t words[] = { 1, 300, 70000, 5 };
    struct mw_buffer packed = { 0 };
    uint64_t records = 0;

    cr_assert_eq(mwa_record_log_add(log, words, 4), MW_OK);
    mwa_record_log_pack(log, &packed);
    cr_assert_not(packed.failed);
    for (size_t i = packed.bytes - 13; i < packed.bytes; i++) {
        struct mwa_record_log *taken = mwa_record_log_create();
        struct mw_cursor from = { packed.data, packed.bytes };
        const char was = packed.data[i];
        /* Not bytes of words, which may be anything: two of lengths, and the tail. */
        const bool is_length = i < packed.bytes - 11 || i >= packed.bytes - 4;

        packed.data[i] = (char)(was + 1);
        cr_expect_eq(mwa_record_log_unpack(taken, &from, count, &records),
                     is_length ? MW_ERROR_FORMAT : MW_OK, "byte %zu", packed.bytes - i);
        packed.data[i] = was;
        mwa_record_log_destroy(taken);
    }
    mw_buffer_fini(&packed);
    mwa_record_log_destroy(log);
}

Test(record_log, says_that_its_file_can_not_be_read)
{
    struct mwa_record_log *log = make_log();
    struct mw_buffer packed = { 0 };

    cr_assert_eq(ftruncate(find_file(), 100), 0);
    mwa_record_log_pack(log, &packed);
    cr_expect(packed.failed);
    cr_expect_eq(packed.unread, EIO);
    mw_buffer_fini(&packed);
    mwa_record_log_destroy(log);
}
