/*
 * Removing goes by directory descriptors and never through a link: in /tmp
 * somebody else could put one between looking and removing.
 */
#include "formats/base/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/file.h"

#define DEPTH_MAX 8

enum mw_status mw_path_join(char *text, const char *path, const char *name,
                            struct mw_diagnostic *diagnostic)
{
    int length = snprintf(text, 4096, "%s/%s", path, name);

    return length < 4096 ? MW_OK
                         : mw_fail(diagnostic, MW_ERROR_USAGE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                                   "the path is too long");
}

enum mw_status mw_scratch_create(struct mw_scratch *scratch, const char *parent,
                                 struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mw_path_join(scratch->path, parent, "archive-XXXXXX", diagnostic);

    if (status == MW_OK && !mkdtemp(scratch->path)) {
        status = mw_fail(diagnostic, mw_file_write_error(), parent, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't make a scratch directory in it");
    }
    if (status != MW_OK) {
        scratch->path[0] = '\0';
    }
    return status;
}

static void remove_at(int directory, const char *name, int depth);

static void remove_contents(int directory, int depth)
{
    DIR *stream = fdopendir(directory);

    if (!stream) {
        close(directory);
        return;
    }
    for (struct dirent *entry; (entry = readdir(stream));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            remove_at(dirfd(stream), entry->d_name, depth);
        }
    }
    closedir(stream);
}

static void remove_at(int directory, const char *name, int depth)
{
    if (unlinkat(directory, name, 0) == 0) {
        return;
    }
    int inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (inner >= 0 && depth < DEPTH_MAX) {
        remove_contents(inner, depth + 1);
        unlinkat(directory, name, AT_REMOVEDIR);
    } else if (inner >= 0) {
        close(inner);
    }
}

void mw_remove_tree_at(int directory, const char *name)
{
    remove_at(directory, name, 0);
}

void mw_remove_tree(const char *path)
{
    remove_at(AT_FDCWD, path, 0);
}

void mw_scratch_remove(struct mw_scratch *scratch)
{
    if (scratch->path[0]) {
        mw_remove_tree(scratch->path);
        scratch->path[0] = '\0';
    }
}
