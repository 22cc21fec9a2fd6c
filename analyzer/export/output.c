/*
 * A typing error in a command line must not cost anybody a file: hence a partial
 * file that is renamed, and a look at what stands in its place.
 */
#include "analyzer/export/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/model/shortage.h"
#include "formats/base/file.h"
#include "formats/base/output_name.h"

#define TRIES 100u

static bool is_archive(enum mwa_output_kind kind)
{
    return kind == MWA_OUTPUT_ARCHIVE || kind == MWA_OUTPUT_DIRECTORY;
}

/* Whether what is at path is the standard output: /dev/stdout, and what a shell has opened. */
static bool is_standard(const struct stat *about)
{
    struct stat out;

    return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == about->st_dev &&
           out.st_ino == about->st_ino && out.st_rdev == about->st_rdev;
}

static enum mw_status refuse(const char *path, const char *what, struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, MW_ERROR_USAGE, path, MW_DIAGNOSTIC_OFFSET_NONE, "%s", what);
}

/* A directory: an archive may be one, with nothing else in it. */
static enum mw_status check_directory(const char *path, enum mwa_output_kind kind,
                                      struct mw_diagnostic *diagnostic)
{
    if (kind != MWA_OUTPUT_DIRECTORY) {
        return refuse(path, "it is a directory", diagnostic);
    }
    return mw_output_holds_archive(path)
               ? MW_OK
               : refuse(path, "it is a directory with other things than an archive, which "
                              "not even --force removes",
                        diagnostic);
}

enum mw_status mwa_output_check(const char *path, enum mwa_output_kind kind, bool force,
                                struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;
    struct stat about;

    if (!path || strcmp(path, "-") == 0) {
        return MW_OK;
    }
    if (stat(path, &about) != 0) {
        return lstat(path, &about) == 0
                   ? refuse(path, "it is a symbolic link that leads nowhere", diagnostic)
                   : MW_OK; /* why it can't be written is told when it is opened */
    }
    if (!is_archive(kind) && (S_ISCHR(about.st_mode) || S_ISFIFO(about.st_mode) ||
                              is_standard(&about))) {
        return MW_OK;
    }
    if (S_ISDIR(about.st_mode)) {
        status = check_directory(path, kind, diagnostic);
    } else if (!S_ISREG(about.st_mode)) {
        return refuse(path, "it is neither a file nor a stream", diagnostic);
    } else if (about.st_size == 0 && kind != MWA_OUTPUT_DIRECTORY) {
        return MW_OK;
    } else if (kind == MWA_OUTPUT_DIRECTORY) {
        return refuse(path, "it is a file, and no directory", diagnostic);
    }
    if (status == MW_OK && !force && !mwa_output_is_ours(path, kind)) {
        status = mw_fail(diagnostic, MW_ERROR_USAGE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "it is there, and not %s that mpiwatch-analyze wrote: only --force "
                         "replaces it",
                         mwa_output_kind_name(kind));
    }
    return status;
}

enum mw_status mwa_output_target(const char *path, char *target, struct mw_diagnostic *diagnostic)
{
    char *real = realpath(path, NULL);
    int length = snprintf(target, 4096, "%s", real ? real : path);

    free(real);
    return length < 4096 - 16 ? MW_OK : refuse(path, "the path is too long", diagnostic);
}

/* A new file beside the target, under a name that is free. */
static int create_partial(struct mwa_output *output)
{
    int descriptor = -1;

    for (unsigned i = 0; i < TRIES && descriptor < 0; i++) {
        if (i == 0) {
            snprintf(output->partial, sizeof output->partial, "%.4080s.partial", output->target);
        } else {
            snprintf(output->partial, sizeof output->partial, "%.4080s.%u.partial",
                     output->target, i);
        }
        descriptor = open(output->partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST) {
            break;
        }
    }
    return descriptor;
}

/* Opens the file that will replace what is there, if anything, and has its mode. */
static FILE *open_file(struct mwa_output *output, const struct stat *replaced)
{
    int descriptor = create_partial(output);
    FILE *file;

    if (descriptor < 0) {
        return NULL;
    }
    file = fdopen(descriptor, "w");
    if (!file || (replaced && fchmod(descriptor, replaced->st_mode & 0777) != 0)) {
        int saved = errno;

        if (file) {
            fclose(file);
        } else {
            close(descriptor);
        }
        unlink(output->partial);
        errno = saved;
        return NULL;
    }
    return file;
}

enum mw_status mwa_output_open(struct mwa_output *output, const char *path,
                               enum mwa_output_kind kind, bool force,
                               struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_output_check(path, kind, force, diagnostic);
    bool is_there;
    struct stat about;

    *output = (struct mwa_output){ .path = path, .kind = kind, .force = force };
    if (status != MW_OK) {
        return status;
    }
    is_there = path && stat(path, &about) == 0;
    if (!path || strcmp(path, "-") == 0 || (is_there && is_standard(&about))) {
        output->file = stdout;
        return MW_OK;
    }
    status = mwa_output_target(path, output->target, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    output->file = is_there && !S_ISREG(about.st_mode)
                       ? fopen(path, "w")
                       : open_file(output, is_there ? &about : NULL);
    return output->file ? MW_OK
                        : mw_fail(diagnostic, mw_file_write_error(), path,
                                  MW_DIAGNOSTIC_OFFSET_NONE, "cannot write");
}

enum mw_status mwa_output_fail(const char *where, struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, mw_file_write_error(), where, MW_DIAGNOSTIC_OFFSET_NONE,
                   "cannot write the output");
}

enum mw_status mwa_output_close(struct mwa_output *output, enum mw_status status,
                                struct mw_diagnostic *diagnostic)
{
    const char *where = output->path ? output->path : "";
    bool failed = fflush(output->file) != 0 || ferror(output->file);

    if (diagnostic && !diagnostic->where[0] &&
        (status == MW_ERROR_SPACE || status == MW_ERROR_SYSTEM)) {
        snprintf(diagnostic->where, sizeof diagnostic->where, "%s", where);
    }
    if (status == MW_OK && mwa_shortage_seen()) {
        status = mw_no_memory(diagnostic, where, "for all of the output");
    }
    failed |= output->file != stdout && fclose(output->file) != 0;
    if (!failed && status == MW_OK && output->partial[0]) {
        status = mwa_output_check(output->path, output->kind, output->force, diagnostic);
        failed = status == MW_OK && rename(output->partial, output->target) != 0;
    }
    if (failed && status == MW_OK) {
        status = mwa_output_fail(where, diagnostic);
    }
    if (status != MW_OK && output->partial[0]) {
        unlink(output->partial);
    }
    output->file = NULL;
    return status;
}
