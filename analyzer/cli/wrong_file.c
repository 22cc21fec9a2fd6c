/*
 * Beside an archive lie its run's file, the pages and tables made of it, and in /tmp the spools:
 * whoever names one of them is told what to do, and not which bytes a ZIP file would have.
 */
#include "analyzer/cli/wrong_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/export/output_kind.h"
#include "formats/base/shell_word.h"
#include "formats/spool/definition.h"
#include "formats/spool/runs.h"
#include "formats/spool/spool.h"

#define RUN_ENDING ".run"
#define RUN_BEGIN  "{\"schema\":\"mpiwatch-run/"

/* Whether a process of the runs that have left this still runs, as far as is seen on this host. */
static bool goes_on(const char *left)
{
    struct mw_runs runs = { .count = 0 };
    bool is_running = false;

    if (mw_runs_add(&runs, left, NULL) == MW_OK) {
        for (uint32_t i = 0; i < runs.count; i++) {
            for (uint32_t j = 0; j < runs.runs[i].spool_count; j++) {
                is_running |= runs.runs[i].spools[j].state == MW_RUN_RUNNING;
            }
        }
    }
    mw_runs_fini(&runs);
    return is_running;
}

/* Whoever names what a run that goes on has left so far wants to see what it does, or has not seen
 * that it is not at its end: an archive of half of it is not what is missing. */
static enum mw_status refuse(const char *path, const char *what, const char *what_while_it_runs,
                             const char *left, struct mw_diagnostic *diagnostic)
{
    const bool is_running = goes_on(left);
    char word[400];

    return mw_fail(diagnostic, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE, "%s; %s %s",
                   is_running ? what_while_it_runs : what,
                   is_running ? "what it does is shown by: mpiwatch-top"
                              : "its archive is made by: mpiwatch-recover",
                   mw_shell_word(left, "", word, sizeof word));
}

static bool is_there(const char *directory, const char *name)
{
    char path[PATH_MAX];
    struct stat about;

    return snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path &&
           stat(path, &about) == 0;
}

/* A spool directory, or one that holds such, and no archive. */
static bool holds_spools(const char *path)
{
    DIR *directory = opendir(path);
    bool spools = is_there(path, "definitions");
    bool archive = false;
    char below[NAME_MAX + sizeof "/definitions"];

    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        const char *dot = strrchr(entry->d_name, '.');

        archive |= dot && strcmp(dot, ".otf2") == 0;
        snprintf(below, sizeof below, "%s/definitions", entry->d_name);
        spools |= strncmp(entry->d_name, "mpiwatch-", strlen("mpiwatch-")) == 0 &&
                  is_there(path, below);
    }
    if (directory) {
        closedir(directory);
    }
    return spools && !archive;
}

/* What the recorder has left of a run, by the first bytes of a file. */
static enum mw_status refuse_left(const char *path, struct mw_diagnostic *diagnostic)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char head[sizeof RUN_BEGIN] = "";
    const char *slash = strrchr(path, '/');
    char spool[PATH_MAX];

    if (descriptor >= 0) {
        if (read(descriptor, head, sizeof head - 1) < 0) {
            head[0] = '\0';
        }
        close(descriptor);
    }
    if (strcmp(head, RUN_BEGIN) == 0) {
        return refuse(path, "this is what a run has left that did not finish",
                      "this is of a run that goes on", path, diagnostic);
    }
    if (strcmp(head, MW_SPOOL_MAGIC) == 0 || strcmp(head, MW_DEFINITION_MAGIC) == 0) {
        snprintf(spool, sizeof spool, "%.*s", slash ? (int)(slash - path) : 1,
                 slash ? path : ".");
        return refuse(path, "this is a part of a spool",
                      "this is a part of a spool of a run that goes on", spool, diagnostic);
    }
    return MW_OK;
}

/* The recorder takes NAME.run away when the archive NAME is whole. */
static enum mw_status refuse_gone(const char *path, struct mw_diagnostic *diagnostic)
{
    const size_t length = strlen(path);
    char archive[PATH_MAX];
    char word[400];

    if (length < sizeof RUN_ENDING || strcmp(path + length + 1 - sizeof RUN_ENDING, RUN_ENDING)) {
        return MW_OK;
    }
    snprintf(archive, sizeof archive, "%.*s", (int)(length + 1 - sizeof RUN_ENDING), path);
    return access(archive, F_OK) == 0
               ? mw_fail(diagnostic, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "it is not there any more, since its run has ended; next: "
                         "mpiwatch-analyze %s",
                         mw_shell_word(archive, "", word, sizeof word))
               : MW_OK;
}

enum mw_status mwa_wrong_file(const char *path, struct mw_diagnostic *diagnostic)
{
    struct stat about;
    char run[PATH_MAX];

    if (stat(path, &about) != 0) {
        snprintf(run, sizeof run, "%s.run", path);
        return stat(run, &about) == 0
                   ? refuse(path, "it is not there, since its run did not finish",
                            "it is not there, since its run goes on", run, diagnostic)
                   : refuse_gone(path, diagnostic);
    }
    if (S_ISDIR(about.st_mode)) {
        return holds_spools(path)
                   ? refuse(path, "there are the spools of a run that did not finish in it",
                            "there are the spools of a run that goes on in it", path, diagnostic)
                   : MW_OK;
    }
    for (unsigned kind = 0; S_ISREG(about.st_mode) && kind < MWA_OUTPUT_ARCHIVE; kind++) {
        if (mwa_output_is_ours(path, kind)) {
            return mw_fail(diagnostic, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                           "not an archive, but %s that mpiwatch-analyze has made of one",
                           mwa_output_kind_name(kind));
        }
    }
    return S_ISREG(about.st_mode) ? refuse_left(path, diagnostic) : MW_OK;
}
