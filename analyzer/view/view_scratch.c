/*
 * The lock is flock's, on the directory itself: the kernel takes it away with the program, whatever
 * ended that, and a number of a process would mean another one later, or on another host. Where a
 * file system knows no locks, nothing is removed but by who made it.
 */
#include "analyzer/view/view_scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/file.h"

#define NAME   "mpiwatch-view-"
#define DRAWN  "XXXXXX"
#define TRIES  16 /* somebody may lock what was just made, to see whether it is left over */

const char *mwa_view_temporary(void)
{
    const char *path = getenv("TMPDIR");

    return path && *path ? path : "/var/tmp";
}

/*
 * The user's own directory, locked: to be closed. -1: there is none; is_taken: as somebody else has
 * it, or as it is gone.
 */
static int lock(int parent, const char *name, bool *is_taken)
{
    const int file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat about;
    bool is_ours = file >= 0;

    *is_taken = file < 0;
    if (is_ours && flock(file, LOCK_EX | LOCK_NB) != 0) {
        *is_taken = errno == EWOULDBLOCK;
        is_ours = false;
    } else if (is_ours && (fstat(file, &about) != 0 || about.st_nlink == 0)) {
        *is_taken = true;
        is_ours = false;
    }
    is_ours = is_ours && about.st_uid == geteuid();
    if (file >= 0 && !is_ours) {
        close(file);
    }
    return is_ours ? file : -1;
}

static bool is_name(const char *name)
{
    return strncmp(name, NAME, strlen(NAME)) == 0 && strlen(name) == strlen(NAME DRAWN);
}

void mwa_view_scratch_clean(const char *parent)
{
    DIR *stream = opendir(parent);
    struct stat about;
    bool is_taken;

    if (!stream || fstat(dirfd(stream), &about) != 0 ||
        ((about.st_mode & (S_IWGRP | S_IWOTH)) && !(about.st_mode & S_ISVTX))) {
        goto out;
    }
    for (struct dirent *entry; (entry = readdir(stream));) {
        const int file =
            is_name(entry->d_name) ? lock(dirfd(stream), entry->d_name, &is_taken) : -1;

        if (file >= 0) {
            mw_remove_tree_at(dirfd(stream), entry->d_name);
            close(file);
        }
    }
out:
    if (stream) {
        closedir(stream);
    }
}

enum mw_status mwa_view_scratch_create(struct mwa_view_scratch *scratch, const char *parent,
                                       struct mw_diagnostic *diagnostic)
{
    char *path = scratch->directory.path;
    enum mw_status status;
    bool is_taken;

    mwa_view_scratch_clean(parent);
    for (int i = 0; i < TRIES; i++) {
        status = mw_path_join(path, parent, NAME DRAWN, diagnostic);
        if (status == MW_OK && !mkdtemp(path)) {
            status = mw_fail(diagnostic, mw_file_write_error(), parent, MW_DIAGNOSTIC_OFFSET_NONE,
                             "can't make a directory in it");
        }
        if (status != MW_OK) {
            break;
        }
        scratch->lock = lock(AT_FDCWD, path, &is_taken);
        if (!is_taken) {
            return MW_OK;
        }
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, parent, MW_DIAGNOSTIC_OFFSET_NONE,
                         "a directory that was made in it is gone");
    }
    path[0] = '\0';
    return status;
}

void mwa_view_scratch_remove(struct mwa_view_scratch *scratch)
{
    const bool is_there = scratch->directory.path[0] != '\0';

    mw_scratch_remove(&scratch->directory);
    if (is_there && scratch->lock >= 0) {
        close(scratch->lock);
    }
    scratch->lock = -1;
}
