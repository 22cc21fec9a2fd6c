/*
 * There is one graph of who waits for whom, that of the analyzer. It is given what the spools on
 * this host say; where some are elsewhere their clocks differ, which is an archive's affair.
 */
#include "analyzer/live/live_why.h"

#include <jansson.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/live/live_json.h"
#include "analyzer/live/live_reason.h"
#include "analyzer/model/shortage.h"
#include "analyzer/model/text_stream.h"
#include "analyzer/report/text.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/tables.h"
#include "formats/base/launched_job.h"
#include "formats/base/nearby.h"
#include "formats/base/scratch.h"

#define HANG_OF_INCOMPLETE 4 /* what an archive of a run that goes on is */

extern char **environ;

/* Runs arguments[0], a program beside this one, to its end; *code: its exit status. */
static enum mw_status run(char **arguments, int *code, struct mw_diagnostic *diagnostic)
{
    char path[PATH_MAX];
    pid_t child;
    int status;

    if (!mw_nearby_command(BINDIR, arguments[0], path, sizeof path)) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, BINDIR, MW_DIAGNOSTIC_OFFSET_NONE,
                       "%s is neither there nor beside mpiwatch-top", arguments[0]);
    }
    fflush(stdout);
    if (posix_spawn(&child, path, NULL, NULL, arguments, environ) != 0 ||
        waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "it could not be run");
    }
    *code = WEXITSTATUS(status);
    return MW_OK;
}

static enum mw_status recover(const struct mwa_live *live, char *archive,
                              struct mw_diagnostic *diagnostic)
{
    char **arguments = calloc(live->process_count + (size_t)6, sizeof *arguments);
    uint32_t count = 0;
    int code = 0;
    enum mw_status status;

    if (!arguments) {
        return mw_no_memory(diagnostic, NULL, "to explain the run");
    }
    arguments[count++] = "mpiwatch-recover";
    arguments[count++] = "--quiet";
    arguments[count++] = "-o";
    arguments[count++] = archive;
    for (uint32_t i = 0; i < live->process_count; i++) {
        arguments[count++] = live->processes[i].spool->path;
    }
    status = run(arguments, &code, diagnostic);
    free(arguments);
    if (status == MW_OK && access(archive, F_OK) != 0) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "mpiwatch-recover could make no archive of what the run has written so "
                         "far (it ended with status %d)",
                         code);
    }
    return status;
}

static enum mw_status explain(char *archive, bool is_json, struct mw_diagnostic *diagnostic)
{
    /* Who watches may have been started by a launcher; who explains is alone. */
    char *arguments[] = {"mpiwatch-analyze", "hang", "--quiet", "--mpi=off", "--now", archive,
                         is_json ? "--json" : NULL, NULL};
    int code = 0;
    enum mw_status status = run(arguments, &code, diagnostic);

    return status != MW_OK ? status
           : code == 0 || code == HANG_OF_INCOMPLETE
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_FORMAT, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "mpiwatch-analyze hang ended with status %d", code);
}

/* By way of an archive. */
static enum mw_status explain_archive(const struct mwa_live *live, bool is_json,
                                      struct mw_diagnostic *diagnostic)
{
    const char *temporary = getenv("TMPDIR");
    struct mw_scratch scratch = {.path = ""};
    char archive[4096];
    enum mw_status status;

    status = mw_scratch_create(&scratch, temporary && *temporary ? temporary : "/tmp", diagnostic);
    if (status == MW_OK) {
        status = mw_path_join(archive, scratch.path, "now.otf2.zip", diagnostic);
    }
    if (status == MW_OK) {
        status = recover(live, archive, diagnostic);
    }
    if (status == MW_OK) {
        status = explain(archive, is_json, diagnostic);
    }
    mw_scratch_remove(&scratch);
    return status;
}

static enum mw_status print(const struct mwa_live_reason *reason, bool is_json, unsigned columns,
                            FILE *to, struct mw_diagnostic *diagnostic)
{
    const struct mwa_screen screen = {.columns = columns, .bins = 1};
    char *text = NULL;
    size_t size = 0;
    FILE *out;

    if (is_json) {
        const uint64_t shortages = mwa_shortage_count();
        json_t *document = mwa_document_json(&mwa_hang_document, &reason->results);

        return mwa_live_json_print(document, JSON_INDENT(1), shortages, to)
                   ? MW_OK
                   : mw_no_memory(diagnostic, NULL, "to explain the run");
    }
    out = mwa_open_text(&text, &size);
    if (out) {
        mwa_text_hang(&reason->results, &screen, out);
    }
    if (!out || fclose(out) != 0) {
        free(text);
        return mw_no_memory(diagnostic, NULL, "to explain the run");
    }
    mwa_lay_out(text, size, columns, to);
    free(text);
    return MW_OK;
}

static bool is_spread(const struct mwa_live *live)
{
    for (uint32_t i = 0; i < live->process_count; i++) {
        if (live->processes[i].is_elsewhere) {
            return true;
        }
    }
    return false;
}

/* Of a run whose ranks are all on this host. */
static enum mw_status explain_here(struct mwa_live_watch *watch, bool is_json, unsigned columns,
                                   FILE *out, struct mw_diagnostic *diagnostic)
{
    struct mwa_live_reason reason;
    enum mw_status status = mwa_live_reason_find(watch, &reason, diagnostic);

    if (status == MW_OK) {
        status = print(&reason, is_json, columns, out, diagnostic);
    }
    mwa_live_reason_fini(&reason);
    return status;
}

enum mw_status mwa_live_why(struct mwa_live_watch *watch, bool is_json, unsigned columns,
                            struct mw_diagnostic *diagnostic)
{
    if (watch->live->host_count > 0) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       MWA_LIVE_WHY_TOGETHER);
    }
    return is_spread(watch->live)
               ? explain_archive(watch->live, is_json, diagnostic)
               : explain_here(watch, is_json, columns, stdout, diagnostic);
}

enum mw_status mwa_live_why_json(struct mwa_live_watch *watch, FILE *out,
                                 struct mw_diagnostic *diagnostic)
{
    return watch->live->host_count > 0 || is_spread(watch->live)
               ? mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         MWA_LIVE_WHY_TOGETHER)
               : explain_here(watch, true, 0, out, diagnostic);
}

/* Beside the archive to be, which all hosts see, and hidden. */
static enum mw_status name_together(const char *run_file, char *archive, size_t size,
                                    struct mw_diagnostic *diagnostic)
{
    const char *slash = strrchr(run_file, '/');
    const char *name = slash ? slash + 1 : run_file;
    const size_t length = strlen(name);
    const int used = snprintf(archive, size, "%.*s.%s.why.otf2.zip", (int)(name - run_file),
                              run_file, name);

    return length > 4 && strcmp(name + length - 4, ".run") == 0 && used > 0 && (size_t)used < size
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_USAGE, run_file, MW_DIAGNOSTIC_OFFSET_NONE,
                         "to explain a run on several hosts its NAME.run is needed");
}

enum mw_status mwa_live_why_together(const char **names, bool is_json,
                                     struct mw_diagnostic *diagnostic)
{
    char archive[PATH_MAX];
    char *arguments[] = {"mpiwatch-recover", "--quiet", "--force", "-o", archive,
                         (char *)names[0],   NULL};
    int code = 0;
    enum mw_status status = name_together(names[0], archive, sizeof archive, diagnostic);

    if (status == MW_OK) {
        status = run(arguments, &code, diagnostic);
    }
    if (status == MW_OK && code != 0 && code != HANG_OF_INCOMPLETE) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "mpiwatch-recover could make no archive of what the run has written so "
                         "far (it ended with status %d)",
                         code);
    }
    if (status == MW_OK && mw_launched_first()) {
        status = explain(archive, is_json, diagnostic);
        unlink(archive);
    }
    return status;
}
