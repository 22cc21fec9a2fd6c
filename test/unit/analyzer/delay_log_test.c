#include "analyzer/analysis/delay/delay_log.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More records than are held in memory, each with its number as the last word. */
#define RECORDS 9000u

static struct mwa_delay_log *make_log(void)
{
    struct mwa_delay_log *log = mwa_delay_log_create();
    uint64_t words[MWA_DELAY_RECORD_WORDS] = { 0 };

    cr_assert_not_null(log);
    for (uint64_t i = 0; i < RECORDS; i++) {
        words[MWA_DELAY_RECORD_WORDS - 1] = i;
        cr_assert_eq(mwa_delay_log_add(log, words, MWA_DELAY_RECORD_WORDS), MW_OK);
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

Test(delay_log, is_handed_on_with_what_is_in_its_file)
{
    struct mwa_delay_log *log = make_log(), *taken = mwa_delay_log_create();
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;
    uint64_t records = 0;
    const uint64_t *words;
    uint32_t length;

    cr_assert_geq(find_file(), 0);
    mwa_delay_log_pack(log, &packed);
    cr_assert_not(packed.failed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(mwa_delay_log_unpack(taken, &from, count, &records), MW_OK);
    cr_expect_eq(records, RECORDS);
    for (uint64_t i = RECORDS; i > 0; i--) {
        cr_assert_eq(mwa_delay_log_last(taken, &words, &length), MW_OK);
        cr_assert_eq(words[length - 1], i - 1);
    }
    cr_expect_eq(mwa_delay_log_last(taken, &words, &length), MW_END);
    mw_buffer_fini(&packed);
    mwa_delay_log_destroy(taken);
    mwa_delay_log_destroy(log);
}

Test(delay_log, says_that_its_file_can_not_be_read)
{
    struct mwa_delay_log *log = make_log();
    struct mw_buffer packed = { 0 };

    cr_assert_eq(ftruncate(find_file(), 100), 0);
    mwa_delay_log_pack(log, &packed);
    cr_expect(packed.failed);
    cr_expect_eq(packed.unread, EIO);
    mw_buffer_fini(&packed);
    mwa_delay_log_destroy(log);
}
