#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/spool/tallies.h"
#include "formats/table/calls.h"

static char path[64];
static struct mw_tallies_file file;
static struct mw_tally *slots;

static void begin(void)
{
    const struct mw_spool_identity identity = {.nonce = 7, .rank = 3, .thread = 1};
    struct mw_diagnostic diagnostic;

    snprintf(path, sizeof path, "/tmp/mpiwatch-tallies-%ld", (long)getpid());
    unlink(path);
    cr_assert_eq(mw_tallies_file_init(&file, path, &identity, &diagnostic), MW_OK);
}

static void use_table(uint32_t table)
{
    cr_assert_eq(mw_tallies_file_table(&file, table, &slots, NULL), MW_OK);
    slots[5] = (struct mw_tally){
        .comm = 2, .call = MW_CALL_MPI_Send + 1, .calls = 10 + table, .sent = 80};
    mw_tallies_file_use(&file, table);
}

/* Reads the file as it is at this moment, with nothing written back or closed. */
static enum mw_status read_with(uint64_t nonce, struct mw_buffer *tallies)
{
    struct mw_diagnostic diagnostic;

    *tallies = (struct mw_buffer){0};
    return mw_tallies_read(path, nonce, tallies, &diagnostic);
}

static uint64_t calls_read(void)
{
    struct mw_buffer tallies;
    uint64_t calls = 0;

    cr_assert_eq(read_with(7, &tallies), MW_OK);
    for (size_t at = 0; at < tallies.bytes; at += sizeof(struct mw_tally)) {
        struct mw_tally tally;

        memcpy(&tally, tallies.data + at, sizeof tally);
        calls += tally.calls;
    }
    mw_buffer_fini(&tallies);
    return calls;
}

static void end(void)
{
    unlink(path);
}

static void overwrite(off_t offset, const void *data, size_t bytes)
{
    int descriptor = open(path, O_WRONLY);

    cr_assert_eq(pwrite(descriptor, data, bytes, offset), (ssize_t)bytes);
    close(descriptor);
}

TestSuite(tallies, .init = begin, .fini = end);

Test(tallies, are_read_while_they_are_being_counted)
{
    struct mw_buffer tallies;
    struct mw_tally tally;

    cr_assert_eq(calls_read(), 0);
    use_table(0);
    slots[5].calls++;
    slots[127] = (struct mw_tally){.comm = 0, .call = 1, .calls = 1, .received = 1ull << 40};
    cr_assert_eq(read_with(7, &tallies), MW_OK);
    cr_assert_eq(tallies.bytes, 2 * sizeof tally);
    memcpy(&tally, tallies.data, sizeof tally);
    cr_assert_eq(tally.comm, 2);
    cr_assert_eq(tally.call, MW_CALL_MPI_Send + 1);
    cr_assert_eq(tally.calls, 11);
    cr_assert_eq(tally.sent, 80);
    memcpy(&tally, tallies.data + sizeof tally, sizeof tally);
    cr_assert_eq(tally.received, 1ull << 40);
    mw_buffer_fini(&tallies);
}

Test(tallies, count_once_when_a_larger_table_takes_over)
{
    use_table(0);
    cr_assert_eq(mw_tallies_file_table(&file, 1, &slots, NULL), MW_OK);
    slots[255] = (struct mw_tally){.comm = 2, .call = 1, .calls = 1000};
    cr_assert_eq(calls_read(), 10, "the new table does not count before it is used");
    mw_tallies_file_use(&file, 1);
    cr_assert_eq(calls_read(), 1000);
    use_table(11);
    cr_assert_eq(calls_read(), 21);
}

Test(tallies, of_no_file_and_of_one_just_begun_are_none)
{
    uint64_t zeros = 0;

    use_table(0);
    overwrite(0, &zeros, sizeof zeros);
    cr_assert_eq(calls_read(), 0);
    cr_assert_eq(truncate(path, 0), 0);
    cr_assert_eq(calls_read(), 0);
    unlink(path);
    cr_assert_eq(calls_read(), 0);
}

Test(tallies, that_are_wrong_are_refused)
{
    struct mw_buffer tallies;
    const uint32_t call = MW_CALL_COUNT + 1, table = 15, no_table = 16, version = 2;

    use_table(0);
    cr_assert_eq(read_with(8, &tallies), MW_ERROR_FORMAT, "another run's");
    cr_assert_eq(read_with(0, &tallies), MW_OK);
    mw_buffer_fini(&tallies);
    overwrite(4096 + 5 * 32 + 4, &call, sizeof call);
    cr_assert_eq(read_with(7, &tallies), MW_ERROR_FORMAT, "no such call");
    mw_buffer_fini(&tallies);
    overwrite(40, &table, sizeof table);
    cr_assert_eq(read_with(7, &tallies), MW_ERROR_FORMAT, "the file is too short for it");
    overwrite(40, &no_table, sizeof no_table);
    cr_assert_eq(read_with(7, &tallies), MW_ERROR_FORMAT, "no such table");
    overwrite(8, &version, sizeof version);
    cr_assert_eq(read_with(7, &tallies), MW_ERROR_VERSION);
    overwrite(0, "MWSPOOL", 8);
    cr_assert_eq(read_with(7, &tallies), MW_ERROR_FORMAT, "a file of another kind");
}
