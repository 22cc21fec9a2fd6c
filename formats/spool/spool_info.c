/*
 * Whether a process still runs is not asked of its number, which may be somebody
 * else's by now, but of what it has mapped. Removing looks at the directory again
 * by device and inode, since a path may have been changed meanwhile.
 */
#include "formats/spool/spool_info.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/scratch.h"
#include "formats/spool/definition_reader.h"

static bool is_this_host(const char *host)
{
    char name[64] = "";

    return host && gethostname(name, sizeof name - 1) == 0 && strcmp(host, name) == 0;
}

/*
 * Whether the process has the spool mapped: sure, also when its number has been given
 * to another process since.
 */
static bool is_mapped_by(const struct mw_run_spool *spool)
{
    char path[64];
    char needle[64];
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    FILE *maps;

    snprintf(path, sizeof path, "/proc/%" PRIu32 "/maps", spool->pid);
    snprintf(needle, sizeof needle, "/mpiwatch-%016" PRIx64 "-%" PRIu32 "/", spool->nonce,
             spool->rank);
    maps = fopen(path, "re");
    while (maps && !found && getline(&line, &room, maps) > 0) {
        found = strstr(line, needle) != NULL;
    }
    free(line);
    if (maps) {
        fclose(maps);
    }
    return found;
}

static void take_end(struct mw_run_spool *spool, const struct mw_define_end *end)
{
    static const enum mw_run_state states[] = {
        [MW_ENDED_FINALIZE] = MW_RUN_FINALIZED,
        [MW_ENDED_ABORT] = MW_RUN_ABORTED,
        [MW_ENDED_EXIT] = MW_RUN_EXITED,
        [MW_ENDED_ERROR] = MW_RUN_FAILED,
    };

    spool->state = end->how <= MW_ENDED_ERROR ? states[end->how] : MW_RUN_SILENT;
    spool->code = (int)end->code;
}

static bool take_process(struct mw_run_spool *spool, const struct mw_define_process *process)
{
    free(spool->program);
    free(spool->host);
    spool->program = strdup(process->program);
    spool->host = strdup(process->host_name);
    spool->size = process->size;
    spool->pid = process->pid;
    spool->started = process->time_realtime;
    return spool->program && spool->host;
}

static enum mw_status read_definitions(struct mw_run_spool *spool,
                                       struct mw_diagnostic *diagnostic)
{
    char path[PATH_MAX + 16];
    struct mw_definition_reader *reader;
    struct mw_definition definition;
    bool enough = true;
    enum mw_status status;

    snprintf(path, sizeof path, "%s/definitions", spool->path);
    status = mw_definition_reader_create(path, &reader, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    spool->nonce = mw_definition_reader_nonce(reader);
    spool->rank = mw_definition_reader_rank(reader);
    while (enough && (status = mw_definition_reader_next(reader, &definition, diagnostic)) ==
                         MW_OK) {
        if (definition.kind == MW_DEFINE_PROCESS) {
            enough = take_process(spool, &definition.of.process);
        } else if (definition.kind == MW_DEFINE_END) {
            take_end(spool, &definition.of.end);
        }
    }
    mw_definition_reader_destroy(reader);
    if (!enough) {
        return mw_no_memory(diagnostic, path, "to look at it");
    }
    /* Without the first record, which tells of the process, there is nothing to go by. */
    return status == MW_ERROR_FORMAT && !spool->program ? status : MW_OK;
}

static void add_bytes(struct mw_run_spool *spool)
{
    DIR *directory = opendir(spool->path);
    struct stat about;

    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        const char *suffix = strrchr(entry->d_name, '.');

        if (suffix && strcmp(suffix, ".events") == 0 &&
            fstatat(dirfd(directory), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0) {
            spool->bytes += (uint64_t)about.st_size;
        }
    }
    if (directory) {
        closedir(directory);
    }
}

static bool is_terminated(const struct mw_run_spool *spool)
{
    char path[PATH_MAX + 16];
    struct stat about;

    snprintf(path, sizeof path, "%s/" MW_SPOOL_TERMINATED, spool->path);
    return lstat(path, &about) == 0;
}

enum mw_status mw_run_spool_look(struct mw_run_spool *spool, const char *path,
                                      struct mw_diagnostic *diagnostic)
{
    struct stat about = {0};
    enum mw_status status;

    memset(spool, 0, sizeof *spool);
    spool->state = MW_RUN_SILENT;
    spool->path = realpath(path, NULL);
    if (!spool->path) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't look at it");
    }
    status = lstat(spool->path, &about) == 0
                 ? read_definitions(spool, diagnostic)
                 : mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                           "can't look at it");
    spool->device = about.st_dev;
    spool->inode = about.st_ino;
    if (status != MW_OK) {
        mw_run_spool_fini(spool);
        return status;
    }
    add_bytes(spool);
    if (spool->state == MW_RUN_SILENT && is_terminated(spool)) {
        spool->state = MW_RUN_TERMINATED;
    } else if (spool->state == MW_RUN_SILENT && is_this_host(spool->host) && is_mapped_by(spool)) {
        spool->state = MW_RUN_RUNNING;
    }
    return MW_OK;
}

/* --- removing ----------------------------------------------------------------------- */

/* "definitions", "<number>.events", "<number>.filtered", and the recorder's scratch and signal. */
static bool is_name_of_ours(const char *name)
{
    size_t digits = strspn(name, "0123456789");

    return strcmp(name, "definitions") == 0 || strcmp(name, MW_SPOOL_TERMINATED) == 0 ||
           strncmp(name, "archive-", 8) == 0 ||
           (digits > 0 && (strcmp(name + digits, ".events") == 0 ||
                           strcmp(name + digits, ".filtered") == 0));
}

/* Removes what is in a spool directory, which it closes. */
static void remove_contents(int descriptor)
{
    DIR *directory = fdopendir(descriptor);

    if (!directory) {
        close(descriptor);
        return;
    }
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (is_name_of_ours(entry->d_name)) {
            mw_remove_tree_at(dirfd(directory), entry->d_name);
        }
    }
    closedir(directory);
}

/* Opens the directory base, if it is the one that was looked at. */
static int open_same(const struct mw_run_spool *spool, int parent, const char *base)
{
    int descriptor = openat(parent, base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat about;

    if (descriptor >= 0 && (fstat(descriptor, &about) != 0 || about.st_dev != spool->device ||
                            about.st_ino != spool->inode)) {
        close(descriptor);
        errno = ESTALE;
        return -1;
    }
    return descriptor;
}

enum mw_status mw_run_spool_remove(const struct mw_run_spool *spool,
                                        struct mw_diagnostic *diagnostic)
{
    const char *base = strrchr(spool->path, '/') + 1;
    char name[64];
    char place[PATH_MAX];
    int parent;
    int descriptor;
    enum mw_status status = MW_OK;

    snprintf(name, sizeof name, "mpiwatch-%016" PRIx64 "-%" PRIu32, spool->nonce, spool->rank);
    if (strcmp(base, name) != 0) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, spool->path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "it stays, since it is not called %s as its spool", name);
    }
    snprintf(place, sizeof place, "%.*s", (int)(base - spool->path), spool->path);
    parent = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    descriptor = parent >= 0 ? open_same(spool, parent, base) : -1;
    if (descriptor >= 0) {
        remove_contents(descriptor);
    }
    if (descriptor < 0 || unlinkat(parent, base, AT_REMOVEDIR) != 0) {
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, spool->path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't remove it");
    }
    if (parent >= 0) {
        close(parent);
    }
    return status;
}

void mw_run_spool_fini(struct mw_run_spool *spool)
{
    free(spool->path);
    free(spool->program);
    free(spool->host);
    memset(spool, 0, sizeof *spool);
}
