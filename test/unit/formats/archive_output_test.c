/* What becomes of files: the archive's, those that were there, and those of what failed. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "formats/archive/otf2_output.h"
#include "test/unit/formats/maker.h"

static struct maker maker;
static struct mw_archive_result result;
static struct mw_diagnostic diagnostic;

static void set_up(void)
{
    maker_init(&maker);
}

static void tear_down(void)
{
    maker_fini(&maker);
}

TestSuite(archive_output, .init = set_up, .fini = tear_down);

Test(archive_output, takes_the_next_free_name)
{
    struct mw_archive_job job;

    maker_rank(&maker, 0, 1);
    for (int i = 0; i < 3; i++) {
        job = maker_job(&maker, 1, "run.otf2.zip");
        cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_OK);
    }
    cr_assert_str_eq(result.path, maker_path(&maker, "run-2.otf2.zip"));
    job.replace = true;
    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_OK);
    cr_assert_str_eq(result.path, maker_path(&maker, "run.otf2.zip"));
    cr_assert_eq(maker_run(&maker, "ls *.zip | wc -l; ls | grep -c partial; true"), 0);
    cr_assert_str_eq(maker.text, "3\n0\n");
}

/* What libotf2 says of chunks of definitions, of which the largest one is asked for. */
static enum mw_status open_with(uint64_t chunk_bytes)
{
    struct mw_otf2_output output;
    enum mw_status status = mw_otf2_init(&output, maker_path(&maker, "otf2"), chunk_bytes, NULL,
                                         NULL, &diagnostic);
    enum mw_status closed = mw_otf2_close(&output, NULL);

    return status == MW_OK ? closed : status;
}

Test(archive_output, asks_for_chunks_as_large_as_libotf2_gives)
{
    cr_assert_eq(open_with(MW_DEFINITION_CHUNK_BYTES_MAX), MW_OK, "%s", diagnostic.what);
    cr_assert_eq(maker_run(&maker, "rm -r otf2"), 0);
    cr_assert_eq(open_with(MW_DEFINITION_CHUNK_BYTES_MAX + 1), MW_ERROR_OTF2);
}

Test(archive_output, as_a_directory_has_checksums_that_are_right)
{
    struct mw_archive_job job;

    maker_rank(&maker, 0, 1);
    job = maker_job(&maker, 1, "run.otf2");
    job.format = MW_ARCHIVE_DIRECTORY;
    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_OK, "%s", diagnostic.what);
    cr_assert_eq(count_of(maker_print(&maker, "", "run.otf2"), "\nENTER "), 3u);
    /* crc32 by another program: Python's. */
    cr_assert_eq(maker_run(&maker, "/usr/bin/python3 -c '\n"
                                   "import os, zlib\n"
                                   "lines = open(\"run.otf2/mpiwatch.sums\").readlines()\n"
                                   "for line in lines:\n"
                                   "    crc, size, name = line.split()\n"
                                   "    data = open(\"run.otf2/\" + name, \"rb\").read()\n"
                                   "    assert len(data) == int(size)\n"
                                   "    assert zlib.crc32(data) == int(crc, 16)\n"
                                   "print(len(lines))'"),
                 0, "%s", maker.text);
    cr_assert_str_eq(maker.text, "5\n");
    cr_assert_eq(maker_run(&maker, "find run.otf2 -type f | wc -l"), 0);
    cr_assert_str_eq(maker.text, "6\n");
    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_OK);
    cr_assert_str_eq(result.path, maker_path(&maker, "run-1.otf2"));
    job.replace = true;
    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_OK);
    cr_assert_str_eq(result.path, maker_path(&maker, "run.otf2"));
}

Test(archive_output, never_replaces_a_directory_that_is_no_archive)
{
    struct mw_archive_job job;

    maker_rank(&maker, 0, 1);
    cr_assert_eq(maker_run(&maker, "mkdir run.otf2 && echo 1 > run.otf2/thesis"), 0);
    job = maker_job(&maker, 1, "run.otf2");
    job.format = MW_ARCHIVE_DIRECTORY;
    job.replace = true;
    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_ERROR_EXISTS);
    cr_assert_eq(maker_run(&maker, "cat run.otf2/thesis; ls"), 0);
    cr_assert_str_eq(maker.text, "1\nr0\nrun.otf2\nscratch\n");
}

Test(archive_output, never_replaces_what_is_neither_a_file_nor_an_archive)
{
    struct mw_archive_job job;

    maker_rank(&maker, 0, 1);
    cr_assert_eq(maker_run(&maker, "mkfifo run.otf2.zip"), 0);
    job = maker_job(&maker, 1, "run.otf2.zip");
    job.replace = true;
    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_ERROR_EXISTS);
    cr_assert_eq(maker_run(&maker, "test -p run.otf2.zip && ls"), 0);
    cr_assert_str_eq(maker.text, "r0\nrun.otf2.zip\nscratch\n");
}

Test(archive_output, that_fails_leaves_nothing_but_the_spools)
{
    struct mw_archive_job job;

    maker_rank(&maker, 0, 2);
    maker_rank(&maker, 1, 2);
    /* Cut in the first block: header and windows, header of the segment, of the block. */
    cr_assert_eq(truncate(maker_path(&maker, "r1/0.events"), 135168 + 32 + 16 + 12), 0);
    job = maker_job(&maker, 2, "run.otf2.zip");
    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_ERROR_FORMAT);
    cr_assert_eq(diagnostic.offset, 135168u + 32u);
    cr_assert_not_null(strstr(diagnostic.where, "r1/0.events"));
    cr_assert_eq(maker_run(&maker, "ls . scratch r1"), 0);
    cr_assert_str_eq(maker.text, ".:\nr0\nr1\nscratch\n\nr1:\n0.events\ndefinitions\n\n"
                                 "scratch:\n");
}

/* Writes the archive of a rank with calls of 37 ns, one each gap ns, where files have a limit. */
static enum mw_status write_within(rlim_t bytes, unsigned calls, unsigned gap)
{
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};
    struct mw_archive_job job;
    struct mw_spool spool;
    enum mw_status status;

    maker_end(maker_definitions(&maker, 0, 1), 1);
    maker_spool(&maker, 0, 0, &spool);
    for (unsigned i = 0; i < calls; i++) {
        maker_call(&spool, MW_CALL_MPI_Barrier, gap * i, gap * i + 37);
    }
    mw_spool_fini(&spool);
    job = maker_job(&maker, 1, "run.otf2.zip");
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    status = maker_write(&job, &result, &diagnostic);
    limit.rlim_cur = RLIM_INFINITY;
    setrlimit(RLIMIT_FSIZE, &limit);
    return status;
}

Test(archive_output, that_meets_the_file_size_limit_fails_and_does_not_kill)
{
    cr_assert_neq(write_within(8192, 4000, 100), MW_OK);
    cr_assert_eq(maker_run(&maker, "ls . scratch"), 0);
    cr_assert_str_eq(maker.text, ".:\nr0\nscratch\n\nscratch:\n");
}

Test(archive_output, needs_no_room_for_events_that_are_not_deflated)
{
    /* Some 1.2 MB of events, of which hardly a byte is news. */
    cr_assert_eq(write_within(600000, 50000, 1000), MW_OK, "%s", diagnostic.what);
    cr_assert_eq(result.events, 100000u);
    cr_assert_eq(maker_run(&maker, "unzip -tq run.otf2.zip"), 0, "%s", maker.text);
}

Test(archive_output, of_spools_of_another_run_is_refused)
{
    struct mw_archive_job job;

    maker_rank(&maker, 0, 1);
    job = maker_job(&maker, 1, "run.otf2.zip");
    job.nonce = NONCE + 1;
    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_ERROR_FORMAT);
    job.nonce = NONCE;
    job.spool_count = 0;
    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_ERROR_USAGE);
}
