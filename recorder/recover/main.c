/*
 * mpiwatch-recover: makes the archive of a run that did not come to write it, from the
 * spools that its processes left.
 */
#include "config.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/archive/archive.h"
#include "formats/archive/lent_library.h"
#include "formats/archive/transport.h"
#include "formats/base/command_line.h"
#include "formats/base/option_value.h"
#include "formats/base/printable.h"
#include "formats/base/printed.h"
#include "formats/base/scratch.h"
#include "formats/base/shell_word.h"
#include "formats/spool/runs.h"
#include "recorder/recover/share.h"
#include "recorder/recover/together.h"
#include "recorder/sites/resolver.h"

enum { EXIT_COMPLETE = 0, EXIT_USAGE = 2, EXIT_NOTHING = 3, EXIT_INCOMPLETE = 4 };

struct recovery {
    const char *output; /* null: beside the run's own, or named after the program */
    const char *scratch;
    const char *debug_directory; /* null: none */
    enum mw_source_paths paths;
    enum mw_site_form site_form;
    enum mw_archive_format format;
    uint32_t level;
    bool force;
    bool list;
    bool remove;
    bool quiet;
    struct mw_runs runs;
    uint32_t name_count; /* arguments */
    bool out_of_memory;
};

static void complain(const struct mw_diagnostic *diagnostic)
{
    char text[2048];
    char shown[4096];

    mw_diagnostic_text(diagnostic, text, sizeof text);
    fprintf(stderr, "mpiwatch-recover: %s\n", mw_printable(text, shown, sizeof shown));
}

/* --- the command line --------------------------------------------------------------- */

#define MEMBER(member) .offset = offsetof(struct recovery, member)

static const struct mw_option options[] = {
    {"output", 'o', "FILE",
     "Write the archive to FILE (default: where the run would have, or "
     "PROGRAM-NONCE.otf2.zip here)",
     0, mw_take_text, MEMBER(output)},
    {"force", 0, NULL, "Replace an archive that exists (default: take the next free name)", 0,
     mw_take_flag, MEMBER(force)},
    {"format", 0, "zip|directory",
     "One compressed file, or a directory of plain OTF2 files (default: zip)", 0, mw_take_choice,
     MEMBER(format)},
    {"compress", 'z', "LEVEL", "Level of compression from 0 (none) to 9 (smallest; default: 1)", 0,
     mw_take_number, MEMBER(level), .most = 9, .offers = "0 1 2 3 4 5 6 7 8 9"},
    {"list", 0, NULL, "Only list the runs and what each holds", 0, mw_take_flag, MEMBER(list)},
    {"remove", 0, NULL,
     "Remove the spools, NAME.run and the run's own partial file once the archive is written; not "
     "while a process of the run lives here",
     0, mw_take_flag, MEMBER(remove)},
    {"scratch", 0, "DIR", "Keep temporary files in DIR (default: $TMPDIR or /tmp)", 0,
     mw_take_text, MEMBER(scratch)},
    {"debug-dir", 0, "DIR",
     "Look for the lines of calls also in DIR: in debugging information that was kept there of "
     "programs and libraries",
     0, mw_take_text, MEMBER(debug_directory)},
    {"paths", 0, "full|relative|base",
     "Name files of the source with all directories (default), as seen from the directory that "
     "they were compiled in, or without directories",
     0, mw_take_choice, MEMBER(paths)},
    {"site-form", 0, "region|attribute",
     "Tell the line of a call by the region of its events (default), or by an attribute beside "
     "it, so that other tools see one region for each MPI function",
     0, mw_take_choice, MEMBER(site_form)},
    {"quiet", 'q', NULL, "Say nothing unless there is trouble", 0, mw_take_flag, MEMBER(quiet)},
    {.name = NULL},
};

static const struct mw_program this_program = {
    .name = "mpiwatch-recover",
    .words = "[NAME.run|NAME|DIR...]",
    .help = "Makes the archive of a run that did not finish from what its processes left.\v"
            "NAME.run lies beside the archive to be and names the spool directories; NAME, of an "
            "archive, stands for those of all runs that were to write it; DIR is a "
            "spool directory (mpiwatch-NONCE-RANK) or one that holds such directories; a * in "
            "quotes is completed on each host. Without any, lists the runs whose spools lie in "
            "$MPIWATCH_SPOOL, $TMPDIR or /tmp.\n\n"
            "Status: 0 the archive is complete, 4 it was written but the run is not complete, 2 "
            "wrong usage, 3 nothing usable, or no archive or output could be written.",
    .options = options,
    .files = "*.run",
    .usage = EXIT_USAGE,
};

static void take_path(struct recovery *recovery, const char *name)
{
    struct mw_diagnostic diagnostic = {0};

    if (mw_runs_add(&recovery->runs, name, &diagnostic) != MW_OK) {
        complain(&diagnostic);
        recovery->out_of_memory = true;
    }
}

/*
 * A name with a * in it that no shell has completed, since it is for other hosts, too, whose disks
 * are not this one's.
 */
static void take_name(struct recovery *recovery, const char *name)
{
    glob_t found;

    recovery->name_count++;
    if (!strchr(name, '*') || access(name, F_OK) == 0 || glob(name, 0, NULL, &found) != 0) {
        take_path(recovery, name);
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        take_path(recovery, found.gl_pathv[i]);
    }
    globfree(&found);
}

/* --- listing --------------------------------------------------------------------------- */

static void print_bytes(uint64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    size_t unit = 0;

    while (value >= 1000 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000;
        unit++;
    }
    printf(unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

/* The spool of the lowest rank that came to say what it is; null if there is none. */
static const struct mw_run_spool *speaker(const struct mw_run *run)
{
    for (uint32_t i = 0; i < run->spool_count; i++) {
        if (run->spools[i].program) {
            return &run->spools[i];
        }
    }
    return NULL;
}

static void list_run(const struct mw_run *run)
{
    const struct mw_run_spool *first = speaker(run);
    time_t started = first ? (time_t)(first->started / 1000000000u) : 0;
    struct tm broken;
    char date[32] = "at an unknown time";
    char ending[1024];
    char word[PATH_MAX];
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < run->spool_count; i++) {
        bytes += run->spools[i].bytes;
    }
    if (started && localtime_r(&started, &broken)) {
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &broken);
    }
    printf("%016" PRIx64 "  %s  %s\n", run->nonce, date,
           first ? mw_printable(first->program, word, sizeof word)
                 : "(a program that got no further than MPI_Init)");
    printf("    spools of %u of %u ranks, up to ", run->spool_count, run->size);
    print_bytes(bytes);
    mw_run_ending(run, ending, sizeof ending);
    printf("\n    %s\n", ending[0] ? ending : "all ranks came through MPI_Finalize");
    if (run->run_file) {
        printf("    next: mpiwatch-recover %s%s\n", run->is_foreign ? "-o FILE " : "",
               mw_shell_word(run->run_file, "", word, sizeof word));
    } else if (run->spool_count > 0) {
        char *parent = strdup(run->spools[0].path);

        if (parent) {
            *strrchr(parent, '/') = '\0';
            printf("    next: mpiwatch-recover %s/mpiwatch-%016" PRIx64 "-*\n",
                   mw_shell_word(parent, "", word, sizeof word), run->nonce);
        }
        free(parent);
    }
}

static const char *spool_parent(void)
{
    const char *spool = getenv("MPIWATCH_SPOOL");
    const char *temporary = getenv("TMPDIR");

    return spool && *spool ? spool : temporary && *temporary ? temporary : "/tmp";
}

static int list(struct recovery *recovery)
{
    const struct mw_runs *runs = &recovery->runs;

    if (recovery->name_count == 0) {
        take_name(recovery, spool_parent());
    }
    for (uint32_t i = 0; i < runs->count; i++) {
        list_run(&runs->runs[i]);
    }
    for (uint32_t i = 0; i < runs->refusal_count; i++) {
        complain(&runs->refusals[i].why);
    }
    return runs->count > 0 ? EXIT_COMPLETE : EXIT_NOTHING;
}

/* --- recovering -------------------------------------------------------------------------- */

/* The archive's absolute path, in text of PATH_MAX. */
static enum mw_status name_output(const struct recovery *recovery,
                                  const struct mw_run *run, uint64_t nonce, char *text,
                                  struct mw_diagnostic *diagnostic)
{
    const struct mw_run_spool *first = run ? speaker(run) : NULL;
    const char *of_run = run ? run->output : NULL;
    const char *program = first ? strrchr(first->program, '/') : NULL;
    char name[PATH_MAX];
    char directory[PATH_MAX];

    if (recovery->output || of_run) {
        snprintf(name, sizeof name, "%s", recovery->output ? recovery->output : of_run);
    } else {
        snprintf(name, sizeof name, "%.255s-%016" PRIx64 "%s", program ? program + 1 : "mpiwatch",
                 nonce, recovery->format == MW_ARCHIVE_ZIP ? ".otf2.zip" : ".otf2");
    }
    if (name[0] == '/') {
        memcpy(text, name, sizeof name);
        return MW_OK;
    }
    if (!getcwd(directory, sizeof directory)) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "there is no current directory");
    }
    return mw_path_join(text, directory, name, diagnostic);
}

/* Whether path is the NAME.run that told of the run. */
static bool is_run_file(const struct mw_run *run, const char *path)
{
    struct stat about;

    return run->run_file && stat(path, &about) == 0 && about.st_dev == run->run_device &&
           about.st_ino == run->run_inode;
}

static bool is_running(const struct mw_run *run)
{
    for (uint32_t i = 0; i < run->spool_count; i++) {
        if (run->spools[i].state == MW_RUN_RUNNING) {
            return true;
        }
    }
    return false;
}

/* Unless something else has come to its place since it was read. */
static void remove_run_file(const struct mw_run *run)
{
    struct stat about;

    if (lstat(run->run_file, &about) == 0 && about.st_dev == run->run_device &&
        about.st_ino == run->run_inode) {
        unlink(run->run_file);
    }
}

static void remove_run(const struct mw_run *run)
{
    struct mw_diagnostic diagnostic;
    char partial[PATH_MAX];
    bool all = true;

    if (is_running(run)) {
        fprintf(stderr, "mpiwatch-recover: nothing was removed: the run goes on\n");
        return;
    }
    for (uint32_t i = 0; i < run->spool_count; i++) {
        if (mw_run_spool_remove(&run->spools[i], &diagnostic) != MW_OK) {
            complain(&diagnostic);
            all = false;
        }
    }
    if (run->run_file && all) {
        remove_run_file(run);
        snprintf(partial, sizeof partial, "%.4050s.%016" PRIx64 ".partial", run->output,
                 run->nonce);
        mw_remove_tree(partial);
    }
}

static void say_result(const struct mw_archive_result *result, const char *ending)
{
    char word[PATH_MAX];

    printf("%s: ", mw_printable(result->path, word, sizeof word));
    print_bytes(result->bytes);
    printf(", %" PRIu64 " events in %" PRIu64 " calls of %u of %u ranks, lost %" PRIu64,
           result->events, result->calls, result->ranks, result->ranks_expected, result->lost);
    if (result->ranks_unheard > 0) {
        printf(" and all calls of %u rank%s", result->ranks_unheard,
               result->ranks_unheard == 1 ? "" : "s");
    }
    printf("; ");
    if (!result->complete) {
        printf("INCOMPLETE: %s", ending);
        if (result->ranks_damaged > 0) {
            printf("%sspools of %u rank%s are damaged, and what they held behind that is lost",
                   ending[0] ? "; " : "", result->ranks_damaged,
                   result->ranks_damaged == 1 ? "" : "s");
        }
        printf("; ");
    }
    if (result->places_given_up > 0) {
        printf("places of calls told as addresses, since looking up lines failed or took too long: "
               "%u; ",
               result->places_given_up);
    }
    printf("next: mpiwatch-analyze %s\n", mw_shell_word(result->path, "", word, sizeof word));
}

/* What the processes have agreed on. */
struct share {
    struct mw_transport transport;
    const struct mw_run *run; /* as far as this process sees it; may be null */
    bool *mine;                        /* for each of its spools */
    uint64_t nonce;
    struct mw_run all; /* process 0 */
    char ending[1024];          /* process 0 */
};

/* Its absolute path, in text of PATH_MAX; null: there is none. */
static const char *find_debug_directory(const struct recovery *recovery, char *text)
{
    if (!recovery->debug_directory) {
        return NULL;
    }
    if (!realpath(recovery->debug_directory, text)) {
        fprintf(stderr, "mpiwatch-recover: %s: %s; lines are looked for without\n",
                recovery->debug_directory, strerror(errno));
        return NULL;
    }
    return text;
}

static enum mw_status write_archive(const struct recovery *recovery, const struct share *share,
                                    struct mw_archive_result *result,
                                    struct mw_diagnostic *diagnostic)
{
    const struct mw_run *run = share->run;
    const char *temporary = getenv("TMPDIR");
    char output[PATH_MAX] = "";
    const char **spools = calloc(run ? run->spool_count + (size_t)1 : 1, sizeof *spools);
    char resolver[4096];
    char debug_directory[PATH_MAX];
    struct mw_archive_job job = {
        .spools = spools,
        .scratch = recovery->scratch         ? recovery->scratch
                   : temporary && *temporary ? temporary
                                             : "/tmp",
        .output = output,
        .format = recovery->format,
        .level = (int)recovery->level,
        .replace = recovery->force,
        .nonce = share->nonce,
        .incomplete = share->ending[0] != '\0',
        .ended = share->ending[0] ? share->ending : NULL,
        .salvage = true,
        .resolver = mwr_resolver_find(resolver, sizeof resolver) ? resolver : NULL,
        .paths = recovery->paths,
        .site_form = recovery->site_form,
        .debug_directory = find_debug_directory(recovery, debug_directory),
        .hosts = run ? run->hosts : NULL,
        .host_count = run ? run->host_count : 0,
    };
    enum mw_status worst = MW_OK;
    enum mw_status status =
        spools ? name_output(recovery, run, share->nonce, output, diagnostic) : MW_ERROR_MEMORY;

    for (uint32_t i = 0; status == MW_OK && run && i < run->spool_count; i++) {
        if (share->mine[i]) {
            spools[job.spool_count++] = run->spools[i].path;
        }
    }
    if (status == MW_OK && run && is_run_file(run, output)) {
        status = mw_fail(diagnostic, MW_ERROR_USAGE, output, MW_DIAGNOSTIC_OFFSET_NONE,
                         "this is the list of the run's spools, and no place for its archive");
    }
    (void)!share->transport.agree(share->transport.context, status, &worst, NULL);
    if (worst == MW_OK) {
        status = mw_archive_write(&job, &share->transport, result, diagnostic);
    }
    free(spools);
    return status != MW_OK ? status : worst;
}

/* Collective: shares the work, does it, and says what came of it. */
static int recover_together(const struct recovery *recovery, struct share *share)
{
    static struct mw_archive_result result;
    struct mw_diagnostic diagnostic = {0};
    enum mw_status status = mwr_recover_share(&share->transport, &recovery->runs, share->mine,
                                              &share->nonce, &share->all, &diagnostic);

    if (status == MW_OK && share->transport.rank == 0) {
        mw_run_ending(&share->all, share->ending, sizeof share->ending);
    }
    if (status == MW_OK) {
        status = write_archive(recovery, share, &result, &diagnostic);
    }
    free(share->all.spools);
    if (status != MW_OK) {
        if (status != MW_ERROR_PEER) {
            complain(&diagnostic);
        }
        return EXIT_NOTHING;
    }
    if (recovery->remove && share->run) {
        remove_run(share->run);
    }
    if (!recovery->quiet && share->transport.rank == 0) {
        say_result(&result, share->ending);
        fflush(stdout); /* a launcher may end all when one has ended with a status */
    }
    return result.complete || share->transport.rank != 0 ? EXIT_COMPLETE : EXIT_INCOMPLETE;
}

/* Whether the words of the command line leave open what only the caller can decide. */
static bool asks_too_little(const struct recovery *recovery)
{
    const struct mw_runs *runs = &recovery->runs;

    return runs->count > 1 || (runs->count == 1 && runs->runs[0].is_foreign &&
                               (!recovery->output || recovery->remove));
}

static int complain_of_words(const struct recovery *recovery)
{
    const struct mw_runs *runs = &recovery->runs;
    char shown[PATH_MAX];

    if (runs->count == 1 && runs->runs[0].is_foreign) {
        fprintf(stderr,
                "mpiwatch-recover: %s: somebody else may have written this: it does not decide "
                "%s\n",
                mw_printable(runs->runs[0].run_file, shown, sizeof shown),
                recovery->output ? "what is removed; name the spool directories themselves"
                                 : "where the archive goes; say it with --output");
    } else if (runs->count > 1) {
        fprintf(stderr,
                "mpiwatch-recover: these are the spools of %u runs; name those of one, or its "
                "NAME.run:\n",
                runs->count);
        for (uint32_t i = 0; i < runs->count; i++) {
            list_run(&runs->runs[i]);
        }
    }
    return EXIT_USAGE;
}

/* All processes of a job take part in what is collective, also those that see nothing. */
static int recover(const struct recovery *recovery)
{
    static struct share share;
    const struct mw_runs *runs = &recovery->runs;
    struct mw_diagnostic diagnostic = {0};
    enum mw_status worst = MW_OK;
    int status;

    if (mwr_together_begin(&share.transport, &diagnostic) != MW_OK) {
        complain(&diagnostic);
        return EXIT_NOTHING;
    }
    /* In a job it is nothing strange that a process does not see the spools of others. */
    for (uint32_t i = 0; share.transport.size == 1 && i < runs->refusal_count; i++) {
        complain(&runs->refusals[i].why);
    }
    if (share.transport.size == 1 && runs->count == 0 && runs->refusal_count > 0) {
        mw_lent_end(&share.transport);
        return EXIT_NOTHING;
    }
    share.run = runs->count > 0 ? &runs->runs[0] : NULL;
    share.mine = calloc(share.run ? share.run->spool_count + (size_t)1 : 1, sizeof *share.mine);
    (void)!share.transport.agree(share.transport.context,
                                 asks_too_little(recovery) ? MW_ERROR_USAGE
                                 : share.mine              ? MW_OK
                                                           : MW_ERROR_MEMORY,
                                 &worst, NULL);
    if (worst == MW_ERROR_USAGE) {
        status = complain_of_words(recovery);
    } else {
        status = worst == MW_OK ? recover_together(recovery, &share) : EXIT_NOTHING;
    }
    free(share.mine);
    mw_lent_end(&share.transport);
    return status;
}

int main(int count, char **words)
{
    static struct recovery recovery = {.level = 1};
    struct mw_command_line line = {.program = &this_program, .out = stdout, .err = stderr};
    int status = mw_command_line_read(&line, count, words, &recovery);

    if (status != MW_COMMAND_LINE_GO_ON) {
        return mw_printed(stdout, stderr, this_program.name, status, EXIT_NOTHING);
    }
    for (char **word = line.words; *word; word++) {
        take_name(&recovery, *word);
    }
    if (recovery.out_of_memory) {
        status = EXIT_NOTHING;
    } else if (recovery.list || recovery.name_count == 0) {
        status = list(&recovery);
    } else {
        status = recover(&recovery);
    }
    mw_runs_fini(&recovery.runs);
    return mw_printed(stdout, stderr, this_program.name, status, EXIT_NOTHING);
}
