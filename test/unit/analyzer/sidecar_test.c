#include "analyzer/sidecar/sidecar.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "analyzer/sidecar/side_by_side_crc.h"
#include "analyzer/sidecar/sidecar_layout.h"
#include "analyzer/sidecar/sidecar_writer.h"

static const struct mwa_archive_key key = { { 1, 2, 3, 4 } };
static const struct mwa_archive_key other_key = { { 1, 2, 3, 5 } };
static char cache[64];
static struct mw_diagnostic diagnostic;

static void set_up(void)
{
    snprintf(cache, sizeof cache, "/tmp/mpiwatch-sidecar-XXXXXX");
    cr_assert(mkdtemp(cache));
    setenv("XDG_CACHE_HOME", cache, 1);
}

static void tear_down(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf %s", cache);
    cr_assert_eq(system(command), 0);
}

TestSuite(sidecar, .init = set_up, .fini = tear_down, .timeout = 60);

static struct mwa_sidecar_writer *begin_with(const struct mwa_archive_key *of, const char *text)
{
    struct mwa_sidecar_writer *writer = NULL;

    cr_assert_eq(mwa_sidecar_create(of, "blocks", 7, &writer, &diagnostic), MW_OK, "%s",
                 diagnostic.what);
    cr_assert_eq(mwa_sidecar_begin(writer, "text", 5, &diagnostic), MW_OK);
    cr_assert_eq(mwa_sidecar_write(writer, text, strlen(text), &diagnostic), MW_OK);
    return writer;
}

static void write_text(const struct mwa_archive_key *of, const char *text)
{
    cr_assert_eq(mwa_sidecar_commit(begin_with(of, text), &diagnostic), MW_OK, "%s",
                 diagnostic.what);
}

/* What is in the section; "-": there is none, or no sidecar. */
static const char *read_text(const struct mwa_archive_key *of)
{
    static char text[64];
    struct mwa_sidecar *sidecar = mwa_sidecar_open(of, "blocks", 7);
    uint64_t bytes = 0;
    const void *section = sidecar ? mwa_sidecar_section(sidecar, "text", 5, &bytes) : NULL;

    snprintf(text, sizeof text, "%.*s", section ? (int)bytes : 1,
             section ? (const char *)section : "-");
    mwa_sidecar_close(sidecar);
    return text;
}

/* The path of the sidecar of key. */
static const char *path_of(void)
{
    static char path[256];
    char name[64];

    cr_assert(mwa_sidecar_name(&key, "blocks", name));
    snprintf(path, sizeof path, "%s/mpiwatch/%s", cache, name);
    return path;
}

/* How many files the cache has. */
static unsigned count_files(void)
{
    char command[128];
    unsigned count = 99;
    FILE *pipe;

    snprintf(command, sizeof command, "ls -A %s/mpiwatch | wc -l", cache);
    pipe = popen(command, "r");
    cr_assert(pipe && fscanf(pipe, "%u", &count) == 1);
    pclose(pipe);
    return count;
}

Test(sidecar, is_not_there_before_it_is_written)
{
    cr_assert_str_eq(read_text(&key), "-");
    write_text(&key, "one");
    cr_assert_str_eq(read_text(&key), "one");
    cr_assert_str_eq(read_text(&other_key), "-");
    write_text(&key, "two");
    cr_assert_str_eq(read_text(&key), "two");
    cr_assert_eq(count_files(), 1);
}

Test(sidecar, keeps_many_sections_apart)
{
    static char large[1 << 20];
    struct mwa_sidecar_writer *writer;
    struct mwa_sidecar *sidecar;
    uint64_t bytes;

    memset(large, 'x', sizeof large);
    cr_assert_eq(mwa_sidecar_create(&key, "many", 1, &writer, &diagnostic), MW_OK);
    for (uint64_t i = 1000; i-- > 0;) {
        cr_assert_eq(mwa_sidecar_begin(writer, i % 2 ? "odd" : "even", i, &diagnostic), MW_OK);
        cr_assert_eq(mwa_sidecar_write(writer, &i, sizeof i, &diagnostic), MW_OK);
    }
    cr_assert_eq(mwa_sidecar_begin(writer, "large", 0, &diagnostic), MW_OK);
    cr_assert_eq(mwa_sidecar_write(writer, large, sizeof large, &diagnostic), MW_OK);
    cr_assert_eq(mwa_sidecar_begin(writer, "empty", 0, &diagnostic), MW_OK);
    cr_assert_eq(mwa_sidecar_commit(writer, &diagnostic), MW_OK);
    sidecar = mwa_sidecar_open(&key, "many", 1);
    cr_assert(sidecar);
    for (uint64_t i = 0; i < 1000; i++) {
        const uint64_t *found = mwa_sidecar_section(sidecar, i % 2 ? "odd" : "even", i, &bytes);

        cr_assert(found && bytes == sizeof *found && *found == i);
        cr_assert_eq((uintptr_t)found % MWA_SIDECAR_ALIGNMENT, 0);
        cr_assert_null(mwa_sidecar_section(sidecar, i % 2 ? "even" : "odd", i, &bytes));
    }
    cr_assert(mwa_sidecar_section(sidecar, "empty", 0, &bytes) && bytes == 0);
    cr_assert_eq(memcmp(mwa_sidecar_section(sidecar, "large", 0, &bytes), large, sizeof large), 0);
    mwa_sidecar_close(sidecar);
}

Test(sidecar, may_be_larger_than_what_is_read_into_memory)
{
    const uint64_t bytes = (64u << 20) + 5;
    char *large = malloc(bytes);
    struct mwa_sidecar_writer *writer = begin_with(&key, "one");
    struct mwa_sidecar *sidecar;
    uint64_t found;

    for (uint64_t i = 0; i < bytes; i++) {
        large[i] = (char)(i ^ i >> 8);
    }
    cr_assert_eq(mwa_sidecar_begin(writer, "large", 1, &diagnostic), MW_OK);
    cr_assert_eq(mwa_sidecar_write(writer, large, bytes, &diagnostic), MW_OK);
    cr_assert_eq(mwa_sidecar_commit(writer, &diagnostic), MW_OK);
    cr_assert_str_eq(read_text(&key), "one");
    sidecar = mwa_sidecar_open(&key, "blocks", 7);
    cr_assert_eq(memcmp(mwa_sidecar_section(sidecar, "large", 1, &found), large, bytes), 0);
    cr_assert_eq(found, bytes);
    mwa_sidecar_close(sidecar);
    free(large);
}

Test(sidecar, is_of_one_version_only)
{
    struct mwa_sidecar *sidecar;

    write_text(&key, "one");
    cr_assert_null(mwa_sidecar_open(&key, "blocks", 8));
    cr_assert_null(mwa_sidecar_open(&key, "states", 7));
    sidecar = mwa_sidecar_open(&key, "blocks", 7);
    cr_assert(sidecar);
    mwa_sidecar_close(sidecar);
}

Test(sidecar, is_for_the_user_alone)
{
    char directory[128];
    struct stat found;

    umask(0);
    write_text(&key, "one");
    snprintf(directory, sizeof directory, "%s/mpiwatch", cache);
    cr_assert(stat(directory, &found) == 0 && (found.st_mode & 07777) == 0700);
    cr_assert(stat(path_of(), &found) == 0 && (found.st_mode & 07777) == 0600);
    chmod(path_of(), 0644);
    cr_assert_str_eq(read_text(&key), "-");
    chmod(path_of(), 0600);
    cr_assert_str_eq(read_text(&key), "one");
    chmod(directory, 0777);
    cr_assert_str_eq(read_text(&key), "-");
}

Test(sidecar, is_not_read_through_a_link)
{
    char moved[300];

    write_text(&key, "one");
    snprintf(moved, sizeof moved, "%s.moved", path_of());
    cr_assert_eq(rename(path_of(), moved), 0);
    cr_assert_eq(symlink(moved, path_of()), 0);
    cr_assert_str_eq(read_text(&key), "-");
    unlink(path_of());
    cr_assert_eq(mkfifo(path_of(), 0600), 0);
    cr_assert_str_eq(read_text(&key), "-");
}

/* Where it does not, one that is killed leaves its file behind, for a day. */
static bool knows_nameless_files(void)
{
    const int file = open(cache, O_TMPFILE | O_RDWR, 0600);

    if (file >= 0) {
        close(file);
    }
    return file >= 0;
}

Test(sidecar, stays_as_it_was_when_its_writer_gives_up_or_is_killed)
{
    pid_t child;

    write_text(&key, "one");
    mwa_sidecar_discard(begin_with(&key, "two"));
    cr_assert_str_eq(read_text(&key), "one");
    cr_assert_eq(count_files(), 1);
    child = fork();
    if (child == 0) {
        (void)begin_with(&key, "three");
        raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
    cr_assert_str_eq(read_text(&key), "one");
    cr_assert_eq(count_files(), knows_nameless_files() ? 1 : 2);
    cr_assert_eq(mwa_sidecar_forget(&other_key), 0);
}

Test(sidecar, of_two_writers_at_once_the_last_one_stays)
{
    struct mwa_sidecar_writer *one = begin_with(&key, "one");
    struct mwa_sidecar_writer *two = begin_with(&key, "two");

    cr_assert_eq(mwa_sidecar_commit(two, &diagnostic), MW_OK);
    cr_assert_str_eq(read_text(&key), "two");
    cr_assert_eq(mwa_sidecar_commit(one, &diagnostic), MW_OK);
    cr_assert_str_eq(read_text(&key), "one");
    cr_assert_eq(count_files(), 1);
}

Test(sidecar, can_be_replaced_while_it_is_read)
{
    struct mwa_sidecar *sidecar;
    uint64_t bytes;

    write_text(&key, "one");
    sidecar = mwa_sidecar_open(&key, "blocks", 7);
    write_text(&key, "two");
    cr_assert_eq(mwa_sidecar_forget(&key), 1);
    cr_assert_eq(memcmp(mwa_sidecar_section(sidecar, "text", 5, &bytes), "one", 3), 0);
    mwa_sidecar_close(sidecar);
    cr_assert_str_eq(read_text(&key), "-");
}

Test(sidecar, leaves_nothing_where_files_may_not_be_so_large)
{
    static char large[1 << 20];
    const struct rlimit limit = { 1 << 19, 1 << 19 };
    struct mwa_sidecar_writer *writer;

    write_text(&key, "one");
    setrlimit(RLIMIT_FSIZE, &limit);
    writer = begin_with(&key, "two");
    cr_assert_eq(mwa_sidecar_write(writer, large, sizeof large, &diagnostic), MW_ERROR_SPACE);
    mwa_sidecar_discard(writer);
    writer = begin_with(&key, "two");
    cr_assert_eq(mwa_sidecar_write(writer, large, (1 << 18) - 100, &diagnostic), MW_OK);
    cr_assert_eq(mwa_sidecar_write(writer, large, 1 << 18, &diagnostic), MW_OK);
    cr_assert_eq(mwa_sidecar_commit(writer, &diagnostic), MW_ERROR_SPACE);
    cr_assert_str_eq(read_text(&key), "one");
    cr_assert_eq(count_files(), 1);
}

Test(sidecar, gives_way_when_it_was_used_longest_ago)
{
    char path[MWA_SIDECAR_PATH_BYTES];
    const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
    const struct timespec older[2] = { { .tv_sec = 900 }, { .tv_sec = 900 } };
    const struct archive_use {
        struct mwa_archive_key key;
        const struct timespec *used;
    } uses[] = { { { { 1, 1, 1, 1 } }, old }, { { { 2, 2, 2, 2 } }, older }, { { { 3 } }, NULL } };
    struct stat found;
    char name[64];
    int directory;

    for (unsigned i = 0; i < 3; i++) {
        write_text(&uses[i].key, "text");
    }
    directory = mwa_sidecar_directory(false, path);
    for (unsigned i = 0; i < 2; i++) {
        mwa_sidecar_name(&uses[i].key, "blocks", name);
        cr_assert_eq(utimensat(directory, name, uses[i].used, 0), 0);
    }
    cr_assert_eq(fstatat(directory, name, &found, 0), 0);
    mwa_sidecar_trim(directory, 3 * (uint64_t)found.st_size);
    cr_assert_eq(count_files(), 3);
    mwa_sidecar_trim(directory, 3 * (uint64_t)found.st_size - 1);
    cr_assert_eq(count_files(), 2);
    cr_assert_str_eq(read_text(&uses[1].key), "-");
    cr_assert_str_eq(read_text(&uses[0].key), "text"); /* and so it has been used */
    mwa_sidecar_trim(directory, (uint64_t)found.st_size);
    cr_assert_str_eq(read_text(&uses[0].key), "text");
    cr_assert_str_eq(read_text(&uses[2].key), "-");
    close(directory);
}

/* Writes bytes over those at offset, or cuts the file there if there are none. */
static void damage(uint64_t offset, const void *bytes, size_t size)
{
    int file = open(path_of(), O_WRONLY);

    cr_assert(file >= 0);
    cr_assert_eq(size > 0 ? pwrite(file, bytes, size, (off_t)offset)
                          : ftruncate(file, (off_t)offset),
                 (ssize_t)size);
    close(file);
}

Test(sidecar, may_have_a_tenth_of_a_large_disk_and_four_gib_of_a_small_one)
{
    cr_assert_eq(mwa_sidecar_bytes_most(0), 4ull << 30);
    cr_assert_eq(mwa_sidecar_bytes_most(40ull << 30), 4ull << 30);
    cr_assert_eq(mwa_sidecar_bytes_most(1000ull << 30), 100ull << 30);
}

/* 50 MB and some are more than three threads' parts, none of which is as long as another. */
Test(sidecar, sums_of_threads_are_those_of_one)
{
    const uint64_t lengths[] = { 0, 1, 1u << 20, (32u << 20) + 3, (50u << 20) + 17 };
    unsigned char *bytes = malloc(lengths[4]);

    for (uint64_t i = 0; i < lengths[4]; i++) {
        bytes[i] = (unsigned char)(i * 2654435761u >> 13);
    }
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        cr_assert_eq(mwa_side_by_side_crc(bytes, lengths[i]),
                     (uint32_t)crc32_z(0, bytes, lengths[i]), "%u", i);
    }
    free(bytes);
}

Test(sidecar, is_none_wherever_it_is_damaged)
{
    struct stat found;

    write_text(&key, "some text that is long enough");
    cr_assert_eq(stat(path_of(), &found), 0);
    for (off_t at = 0; at < found.st_size; at++) {
        unsigned char byte = 0;
        const char *text;
        int file;

        write_text(&key, "some text that is long enough");
        file = open(path_of(), O_RDONLY);
        cr_assert_eq(pread(file, &byte, 1, at), 1);
        close(file);
        byte ^= 0x10;
        damage((uint64_t)at, &byte, 1);
        text = read_text(&key);
        cr_assert(strcmp(text, "-") == 0 || strcmp(text, "some text that is long enough") == 0,
                  "byte %d", (int)at);
        damage((uint64_t)at, NULL, 0);
        cr_assert_str_eq(read_text(&key), "-", "cut at %d", (int)at);
    }
}

/* What an attacker writes has sums that are right. */
static void forge(struct mwa_sidecar_head head, struct mwa_sidecar_entry entry)
{
    const uint64_t table = head.table % 1000000;

    write_text(&key, "some text that is long enough");
    head.table_crc = (uint32_t)crc32_z(0, (const void *)&entry, sizeof entry);
    head.crc = (uint32_t)crc32_z(0, (const void *)&head, offsetof(struct mwa_sidecar_head, crc));
    damage(0, &head, sizeof head);
    damage(table, &entry, sizeof entry);
    cr_assert_str_eq(read_text(&key), "-");
}

Test(sidecar, is_none_when_its_sums_are_right_and_its_numbers_are_not)
{
    struct mwa_sidecar_head head;
    struct mwa_sidecar_entry entry, forged;
    struct mwa_sidecar_head forged_head;
    int file;

    write_text(&key, "some text that is long enough");
    file = open(path_of(), O_RDONLY);
    cr_assert_eq(pread(file, &head, sizeof head, 0), sizeof head);
    cr_assert_eq(pread(file, &entry, sizeof entry, (off_t)head.table), sizeof entry);
    close(file);
    forged = entry;
    forged.bytes = UINT64_MAX;
    forge(head, forged);
    forged = entry;
    forged.offset = UINT64_MAX - 63;
    forge(head, forged);
    forged = entry;
    forged.offset += 1;
    forge(head, forged);
    forged = entry;
    memset(forged.name, 'x', sizeof forged.name);
    forge(head, forged);
    forged_head = head;
    forged_head.count = UINT64_MAX / sizeof entry + 2;
    forge(forged_head, entry);
    forged_head = head;
    forged_head.count = 2;
    forge(forged_head, entry);
    forged_head = head;
    forged_head.table += 64000000;
    forge(forged_head, entry);
}

Test(sidecar, needs_a_cache)
{
    struct mwa_sidecar_writer *writer;

    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    cr_assert_eq(mwa_sidecar_create(&key, "blocks", 7, &writer, &diagnostic), MW_ERROR_SYSTEM);
    cr_assert_str_eq(read_text(&key), "-");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    cr_assert_eq(mwa_sidecar_create(&key, "blocks", 7, &writer, &diagnostic), MW_ERROR_SYSTEM);
    setenv("HOME", cache, 1);
    write_text(&key, "below .cache");
    cr_assert_str_eq(read_text(&key), "below .cache");
    cr_assert_eq(mwa_sidecar_create(&key, "../b", 7, &writer, &diagnostic), MW_ERROR_USAGE);
    setenv("XDG_CACHE_HOME", cache, 1);
}
