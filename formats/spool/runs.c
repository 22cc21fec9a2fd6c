/*
 * What people name may be a spool, a directory of them, a run's file or the
 * archive they hoped for, and several runs lie in one /tmp: all is collected first
 * and sorted by nonce. A run's file of another user is believed only where its
 * spools are.
 */
#include "formats/spool/runs.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/array.h"
#include "formats/base/file.h"
#include "formats/base/output_name.h"
#include "formats/base/shell_word.h"
#include "formats/spool/run_file.h"

static enum mw_status no_memory(struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, NULL, "to look for spools");
}

static enum mw_status refuse(struct mw_runs *runs, const struct mw_diagnostic *why,
                             struct mw_diagnostic *diagnostic)
{
    if (!mw_array_grow((void **)&runs->refusals, runs->refusal_count, sizeof *runs->refusals)) {
        return no_memory(diagnostic);
    }
    runs->refusals[runs->refusal_count++].why = *why;
    return MW_OK;
}

/* --- collecting ------------------------------------------------------------------ */

static struct mw_run *run_of(struct mw_runs *runs, uint64_t nonce)
{
    for (uint32_t i = 0; i < runs->count; i++) {
        if (runs->runs[i].nonce == nonce) {
            return &runs->runs[i];
        }
    }
    if (!mw_array_grow((void **)&runs->runs, runs->count, sizeof *runs->runs)) {
        return NULL;
    }
    runs->runs[runs->count] = (struct mw_run){.nonce = nonce};
    return &runs->runs[runs->count++];
}

static void note_size(struct mw_run *run, uint32_t size, uint32_t rank)
{
    run->size = size > run->size ? size : run->size;
    run->size = rank >= run->size ? rank + 1 : run->size;
}

/* Puts a spool at its place among the ranks; takes it over. */
static bool insert_spool(struct mw_run *run, struct mw_run_spool *spool)
{
    uint32_t at = 0;

    note_size(run, spool->size, spool->rank);
    while (at < run->spool_count && run->spools[at].rank < spool->rank) {
        at++;
    }
    if (at < run->spool_count && run->spools[at].rank == spool->rank) {
        struct mw_run_spool *twin = &run->spools[at];
        struct mw_run_spool less = spool->bytes > twin->bytes ? *twin : *spool;

        *twin = spool->bytes > twin->bytes ? *spool : *twin;
        mw_run_spool_fini(&less);
        return true;
    }
    if (!mw_array_grow((void **)&run->spools, run->spool_count, sizeof *run->spools)) {
        return false;
    }
    memmove(&run->spools[at + 1], &run->spools[at],
            (run->spool_count - at) * sizeof *run->spools);
    run->spools[at] = *spool;
    run->spool_count++;
    return true;
}

static enum mw_status add_spool(struct mw_runs *runs, const char *path,
                                struct mw_diagnostic *diagnostic)
{
    struct mw_run_spool spool;
    struct mw_diagnostic why = {0};
    struct mw_run *run;
    enum mw_status status = mw_run_spool_look(&spool, path, &why);

    if (status == MW_ERROR_MEMORY) {
        return no_memory(diagnostic);
    }
    if (status != MW_OK) {
        return refuse(runs, &why, diagnostic);
    }
    run = run_of(runs, spool.nonce);
    if (!run || !insert_spool(run, &spool)) {
        mw_run_spool_fini(&spool);
        return no_memory(diagnostic);
    }
    return MW_OK;
}

static bool is_directory(const char *path, bool follow)
{
    struct stat about;

    return (follow ? stat(path, &about) : lstat(path, &about)) == 0 && S_ISDIR(about.st_mode);
}

static bool holds_definitions(const char *path)
{
    char definitions[PATH_MAX];
    struct stat about;

    return snprintf(definitions, sizeof definitions, "%s/definitions", path) <
               (int)sizeof definitions &&
           lstat(definitions, &about) == 0;
}

/* Whether path is what others look at: a ZIP file, an anchor file, or a directory with one. */
static bool is_archive(const char *path)
{
    const char *dot = strrchr(path, '.');
    char anchor[PATH_MAX];
    char head[4] = "";
    int descriptor;

    if (is_directory(path, true)) {
        return snprintf(anchor, sizeof anchor, "%s/traces.otf2", path) < (int)sizeof anchor &&
               access(anchor, F_OK) == 0;
    }
    if (mw_file_open_regular(path, "", &descriptor, NULL) != MW_OK) {
        return false;
    }
    if (read(descriptor, head, sizeof head) < 0) {
        head[0] = '\0';
    }
    close(descriptor);
    return memcmp(head, "PK\3\4", sizeof head) == 0 || (dot && strcmp(dot, ".otf2") == 0);
}

static bool ends_in_run(const char *path)
{
    size_t length = strlen(path);

    return length > strlen(".run") && strcmp(path + length - strlen(".run"), ".run") == 0;
}

/* As refuse, of what could not be taken; people name the archive itself, too, and NAME.run, which
 * the recorder takes away when the archive NAME is whole. */
static enum mw_status refuse_path(struct mw_runs *runs, const char *path,
                                  struct mw_diagnostic *why, struct mw_diagnostic *diagnostic)
{
    const bool is_gone = ends_in_run(path) && access(path, F_OK) != 0;
    char archive[PATH_MAX];
    char word[400];

    snprintf(archive, sizeof archive, "%.*s",
             (int)(strlen(path) - (is_gone ? strlen(".run") : 0)), path);
    if (is_archive(archive)) {
        (void)mw_fail(why, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                      "%s; next: mpiwatch-analyze %s",
                      is_gone ? "it is not there any more, since its run has ended"
                              : "this is an archive, and no spools are left of its run",
                      mw_shell_word(archive, "", word, sizeof word));
    }
    return refuse(runs, why, diagnostic);
}

/* A directory of spool directories: the spool directory itself, or what was collected. */
static enum mw_status add_directory(struct mw_runs *runs, const char *path,
                                    struct mw_diagnostic *diagnostic)
{
    struct mw_diagnostic why = {0};
    enum mw_status status = MW_OK;
    DIR *directory = opendir(path);
    uint32_t found = 0;
    char below[PATH_MAX];

    if (!directory) {
        (void)mw_fail(&why, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE, "can't list it");
        return refuse(runs, &why, diagnostic);
    }
    for (struct dirent *entry; status == MW_OK && (entry = readdir(directory));) {
        int length = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);

        if (strncmp(entry->d_name, "mpiwatch-", strlen("mpiwatch-")) == 0 &&
            length < (int)sizeof below && is_directory(below, false) &&
            holds_definitions(below)) {
            status = add_spool(runs, below, diagnostic);
            found++;
        }
    }
    closedir(directory);
    if (status == MW_OK && found == 0) {
        (void)mw_fail(&why, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                      "there are no spools in it");
        status = refuse_path(runs, path, &why, diagnostic);
    }
    return status;
}

static void free_hosts(struct mw_run *run)
{
    for (uint32_t rank = 0; rank < run->host_count; rank++) {
        free(run->hosts[rank]);
    }
    free(run->hosts);
}

/* Moves the hosts from file to run. */
static void take_hosts(struct mw_run *run, struct mw_run_file *file)
{
    free_hosts(run);
    run->hosts = file->hosts;
    run->host_count = file->ranks;
    file->hosts = NULL;
}

/* Spools that are not to be seen are on other hosts, or gone: their ranks are missing. */
static enum mw_status add_run_file(struct mw_runs *runs, const char *path,
                                   struct mw_diagnostic *diagnostic)
{
    struct mw_diagnostic why = {0};
    struct mw_run_file file;
    enum mw_status status = mw_run_file_read(&file, path, &why);
    struct mw_run *run;

    if (status != MW_OK) {
        return refuse_path(runs, path, &why, diagnostic);
    }
    for (uint32_t rank = 0; status == MW_OK && rank < file.ranks; rank++) {
        if (file.spools[rank] && file.spools[rank][0] &&
            is_directory(file.spools[rank], false)) {
            status = add_spool(runs, file.spools[rank], diagnostic);
        }
    }
    run = status == MW_OK ? run_of(runs, file.nonce) : NULL;
    if (run && file.is_own) {
        take_hosts(run, &file);
    }
    if (run) {
        run->size = file.ranks > run->size ? file.ranks : run->size;
        run->is_foreign |= !file.is_own;
        free(run->output);
        free(run->run_file);
        run->output = file.is_own ? file.output : NULL;
        file.output = file.is_own ? NULL : file.output;
        run->run_file = strdup(path);
        run->run_device = file.device;
        run->run_inode = file.inode;
    }
    mw_run_file_fini(&file);
    return run ? MW_OK : no_memory(diagnostic);
}

/* The NAME.run files of all runs that were to write the archive output; *found counts them. */
static enum mw_status add_output(struct mw_runs *runs, const char *output,
                                 uint32_t *found, struct mw_diagnostic *diagnostic)
{
    const char *slash = strrchr(output, '/');
    int length = slash ? (int)(slash - output) : 0;
    enum mw_status status = MW_OK;
    char place[PATH_MAX];
    char path[PATH_MAX];
    DIR *directory;

    *found = 0;
    if (snprintf(place, sizeof place, "%.*s%s", length, output, slash ? "/" : "./") >=
            (int)sizeof place ||
        !(directory = opendir(place))) {
        return MW_OK;
    }
    for (struct dirent *entry; status == MW_OK && (entry = readdir(directory));) {
        if (mw_output_is_numbered(output, entry->d_name, ".run") &&
            snprintf(path, sizeof path, "%s%s", slash ? place : "", entry->d_name) <
                (int)sizeof path) {
            status = add_run_file(runs, path, diagnostic);
            ++*found;
        }
    }
    closedir(directory);
    return status;
}

enum mw_status mw_runs_add(struct mw_runs *runs, const char *path,
                                    struct mw_diagnostic *diagnostic)
{
    bool is_there = is_directory(path, true);
    uint32_t found = 0;
    enum mw_status status =
        is_there || ends_in_run(path) ? MW_OK : add_output(runs, path, &found, diagnostic);

    if (status != MW_OK || found > 0) {
        return status;
    }
    if (!is_there) {
        return add_run_file(runs, path, diagnostic);
    }
    return holds_definitions(path) ? add_spool(runs, path, diagnostic)
                                   : add_directory(runs, path, diagnostic);
}

void mw_runs_fini(struct mw_runs *runs)
{
    for (uint32_t i = 0; i < runs->count; i++) {
        for (uint32_t j = 0; j < runs->runs[i].spool_count; j++) {
            mw_run_spool_fini(&runs->runs[i].spools[j]);
        }
        free(runs->runs[i].spools);
        free(runs->runs[i].output);
        free(runs->runs[i].run_file);
        free_hosts(&runs->runs[i]);
    }
    free(runs->runs);
    free(runs->refusals);
    memset(runs, 0, sizeof *runs);
}

/* --- telling ------------------------------------------------------------------------ */

struct text {
    char *next;
    size_t left;
};

static void say(struct text *text, const char *format, ...) MW_PRINTF(2, 3);

static void say(struct text *text, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text->next, text->left, format, arguments);
    va_end(arguments);
    if (length > 0) {
        size_t taken = (size_t)length < text->left ? (size_t)length : text->left - 1;

        text->next += taken;
        text->left -= taken;
    }
}

/* What is the same of several ranks and to be said once. */
struct outcome {
    int state; /* enum mw_run_state; -1: no spool */
    int code;
};

static struct outcome outcome_of(const struct mw_run *run, uint32_t rank)
{
    for (uint32_t i = 0; i < run->spool_count; i++) {
        if (run->spools[i].rank == rank) {
            return (struct outcome){(int)run->spools[i].state, run->spools[i].code};
        }
    }
    return (struct outcome){-1, 0};
}

static bool is_same(struct outcome one, struct outcome other)
{
    return one.state == other.state && one.code == other.code;
}

static void say_outcome(struct text *text, struct outcome outcome)
{
    static const char *const words[] = {
        [MW_RUN_FINALIZED] = "through MPI_Finalize",
        [MW_RUN_RUNNING] = "still running",
        [MW_RUN_SILENT] = "killed, or ended without a word",
        [MW_RUN_TERMINATED] = "ended by SIGTERM",
    };

    if (outcome.state < 0) {
        say(text, "no spool");
    } else if (outcome.state == MW_RUN_ABORTED) {
        say(text, "MPI_Abort with code %d", outcome.code);
    } else if (outcome.state == MW_RUN_EXITED) {
        say(text, "exit without MPI_Finalize, with status %d", outcome.code);
    } else if (outcome.state == MW_RUN_FAILED && outcome.code == MW_CODE_LAUNCHER_GONE) {
        say(text, "ended by the MPI, whose launcher was gone");
    } else if (outcome.state == MW_RUN_FAILED) {
        say(text, "a fatal MPI error with code %d", outcome.code);
    } else {
        say(text, "%s", words[outcome.state]);
    }
}

#define RANGES_MAX 8

/* "rank 1", "ranks 0, 2-3", "ranks 0, 2, 4, …". */
static void say_ranks(struct text *text, const struct outcome *outcomes, uint32_t size,
                      struct outcome wanted)
{
    unsigned ranges = 0;
    uint32_t count = 0;

    for (uint32_t rank = 0; rank < size; rank++) {
        count += is_same(outcomes[rank], wanted);
    }
    say(text, count == 1 ? "rank " : "ranks ");
    for (uint32_t rank = 0; rank < size && ranges <= RANGES_MAX; rank++) {
        uint32_t last = rank;

        if (!is_same(outcomes[rank], wanted)) {
            continue;
        }
        while (last + 1 < size && is_same(outcomes[last + 1], wanted)) {
            last++;
        }
        say(text, "%s", ranges > 0 ? ", " : "");
        if (ranges++ == RANGES_MAX) {
            say(text, "... (%u in all)", count);
        } else if (last > rank) {
            say(text, "%u-%u", rank, last);
        } else {
            say(text, "%u", rank);
        }
        rank = last;
    }
}

/* Whether no lower rank had the same outcome. */
static bool is_first(const struct outcome *outcomes, uint32_t rank)
{
    for (uint32_t i = 0; i < rank; i++) {
        if (is_same(outcomes[i], outcomes[rank])) {
            return false;
        }
    }
    return true;
}

/* The most telling first. */
static const int order[] = {MW_RUN_FAILED,  MW_RUN_ABORTED,
                            MW_RUN_EXITED,  MW_RUN_TERMINATED,
                            MW_RUN_SILENT,  MW_RUN_RUNNING,
                            MW_RUN_FINALIZED, -1};

const char *mw_run_ending(const struct mw_run *run, char *text, size_t size)
{
    struct text to = {text, size};
    struct outcome *outcomes = malloc((run->size + (size_t)1) * sizeof *outcomes);
    bool all_finalized = true;

    text[0] = '\0';
    if (!outcomes) {
        return text;
    }
    for (uint32_t rank = 0; rank < run->size; rank++) {
        outcomes[rank] = outcome_of(run, rank);
        all_finalized &= outcomes[rank].state == MW_RUN_FINALIZED;
    }
    for (size_t i = 0; !all_finalized && i < sizeof order / sizeof order[0]; i++) {
        for (uint32_t rank = 0; rank < run->size; rank++) {
            if (outcomes[rank].state == order[i] && is_first(outcomes, rank)) {
                say(&to, "%s", to.next > text ? "; " : "");
                say_outcome(&to, outcomes[rank]);
                say(&to, ": ");
                say_ranks(&to, outcomes, run->size, outcomes[rank]);
            }
        }
    }
    free(outcomes);
    return text;
}
