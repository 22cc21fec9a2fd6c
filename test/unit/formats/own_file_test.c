#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/own_file.h"
#include "test/unit/formats/maker.h"

static struct maker maker;
static struct mw_own_file file;

static void set_up(void)
{
    maker_init(&maker);
    cr_assert_eq(mw_own_file_create(&file, maker_path(&maker, "own"), NULL), MW_OK);
}

static void tear_down(void)
{
    mw_own_file_fini(&file);
    maker_fini(&maker);
}

TestSuite(own_file, .init = set_up, .fini = tear_down);

static enum mw_status map(uint64_t offset, size_t bytes, char **mapped)
{
    return mw_own_file_map(&file, offset, bytes, (void **)mapped, NULL);
}

static int lowest_descriptor(void)
{
    int descriptor = open("/dev/null", O_RDONLY);

    close(descriptor);
    return descriptor;
}

static void write_text(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");

    cr_assert(fputs(text, stream) >= 0);
    fclose(stream);
}

static void expect_text(const char *path, const char *text)
{
    char found[64] = "";
    FILE *stream = fopen(path, "r");

    cr_assert_not_null(stream);
    found[fread(found, 1, sizeof found - 1, stream)] = '\0';
    fclose(stream);
    cr_expect_str_eq(found, text);
}

Test(own_file, is_written_through_memory_and_holds_no_descriptor)
{
    int lowest = lowest_descriptor();
    char *first;
    char *second;
    char byte = 0;

    cr_assert_eq(map(0, 8192, &first), MW_OK);
    cr_assert_eq(map(4096, 8192, &second), MW_OK);
    cr_expect_eq(lowest_descriptor(), lowest);
    cr_expect_eq(file.bytes, 12288u);
    second[5] = 'x';
    cr_expect_eq(first[4101], 'x');
    munmap(first, 8192);
    munmap(second, 8192);
    int descriptor = open(maker_path(&maker, "own"), O_RDONLY);

    cr_expect_eq(pread(descriptor, &byte, 1, 4101), 1);
    cr_expect_eq(byte, 'x');
    cr_expect_eq(lseek(descriptor, 0, SEEK_END), 12288);
}

Test(own_file, leaves_alone_what_has_taken_its_place)
{
    const char *path = maker_path(&maker, "own");
    char *mapped;

    cr_assert_eq(map(0, 4096, &mapped), MW_OK);
    cr_expect(mw_own_file_is_there(&file));
    unlink(path);
    cr_expect_not(mw_own_file_is_there(&file));
    cr_expect_eq(map(0, 4096, &mapped), MW_ERROR_SYSTEM);
    write_text(path, "another's");
    cr_expect_not(mw_own_file_is_there(&file));
    cr_expect_eq(map(0, 4096, &mapped), MW_ERROR_SYSTEM);
    mw_own_file_cut(&file, 3);
    mw_own_file_discard(&file);
    expect_text(path, "another's");
}

Test(own_file, is_not_looked_for_behind_links_and_fifos, .timeout = 20)
{
    const char *path = maker_path(&maker, "own");
    const char *aside = maker_path(&maker, "aside");
    char *mapped;

    cr_assert_eq(rename(path, aside), 0);
    cr_assert_eq(mkfifo(path, 0600), 0);
    cr_expect_eq(map(0, 4096, &mapped), MW_ERROR_SYSTEM);
    unlink(path);
    cr_assert_eq(symlink(aside, path), 0);
    cr_expect_eq(map(0, 4096, &mapped), MW_ERROR_SYSTEM);
}

Test(own_file, looks_at_the_limit_on_files_each_time)
{
    struct rlimit before;
    struct rlimit low;
    enum mw_status status[3];
    int error_number;
    char *mapped;

    getrlimit(RLIMIT_FSIZE, &before);
    low = before;
    low.rlim_cur = 10000;
    status[0] = map(0, 8192, &mapped);
    setrlimit(RLIMIT_FSIZE, &low);
    status[1] = map(8192, 4096, &mapped); /* would be a SIGXFSZ, which ends the test */
    error_number = errno;
    setrlimit(RLIMIT_FSIZE, &before);
    status[2] = map(8192, 4096, &mapped);
    cr_expect_eq(status[0], MW_OK);
    cr_expect_eq(status[1], MW_ERROR_SPACE);
    cr_expect_eq(error_number, EFBIG);
    cr_expect_eq(status[2], MW_OK);
}

/* Closes, until it is told to end, all descriptors that may be the file's. */
static void *close_all(void *is_over)
{
    int lowest = lowest_descriptor();

    while (!__atomic_load_n((int *)is_over, __ATOMIC_RELAXED)) {
        for (int i = lowest; i < 1024; i++) {
            close(i);
        }
    }
    return NULL;
}

Test(own_file, is_written_while_a_thread_closes_all_descriptors)
{
    const unsigned count = 3000;
    char block[4096];
    pthread_t closer;
    int is_over = 0;
    int descriptor;

    cr_assert_eq(pthread_create(&closer, NULL, close_all, &is_over), 0);
    for (unsigned i = 0; i < count; i++) {
        memset(block, (int)(i % 251), sizeof block);
        cr_assert_eq(mw_own_file_write(&file, i * (uint64_t)sizeof block, block, sizeof block,
                                       NULL),
                     MW_OK, "block %u", i);
    }
    is_over = 1;
    pthread_join(closer, NULL);
    descriptor = open(maker_path(&maker, "own"), O_RDONLY);
    for (unsigned i = 0; i < count; i++) {
        char expected[sizeof block];

        memset(expected, (int)(i % 251), sizeof expected);
        cr_assert_eq(read(descriptor, block, sizeof block), (ssize_t)sizeof block);
        cr_assert_eq(memcmp(block, expected, sizeof block), 0, "block %u", i);
    }
    close(descriptor);
}

Test(own_file, tells_what_all_have_written)
{
    uint64_t bytes[2], calls[2];

    mw_own_file_all_written(&bytes[0], &calls[0]);
    cr_assert_eq(mw_own_file_write(&file, 0, "mine", 4, NULL), MW_OK);
    cr_assert_eq(mw_own_file_write(&file, 4, "too", 3, NULL), MW_OK);
    mw_own_file_all_written(&bytes[1], &calls[1]);
    cr_expect_eq(bytes[1] - bytes[0], 7);
    cr_expect_eq(calls[1] - calls[0], 2);
}

Test(own_file, that_is_taken_away_is_not_written_and_not_waited_for)
{
    write_text(maker_path(&maker, "other"), "other");
    cr_assert_eq(mw_own_file_write(&file, 0, "mine", 4, NULL), MW_OK);
    cr_assert_eq(rename(maker_path(&maker, "other"), maker_path(&maker, "own")), 0);
    cr_expect_eq(mw_own_file_write(&file, 0, "mine", 4, NULL), MW_ERROR_SYSTEM);
    expect_text(maker_path(&maker, "own"), "other");
}
