/*
 * An archive must never take the place of a file that somebody wants to keep, also
 * if two runs end at the same moment: names are taken by renameat2 or link, which
 * fail if they are taken. To look first and rename then is left for file systems
 * that have neither.
 */
#include "formats/base/output_name.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/file.h"
#include "formats/base/scratch.h"

#define PATH_BYTES 4096
#define TRIES 100000u

static bool exists(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0;
}

static bool is_directory(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Whether path is a pipe, a device or a socket. */
static bool is_special(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISLNK(about.st_mode) &&
           !S_ISDIR(about.st_mode);
}

/* Where the suffix of an archive's name begins: ".otf2.zip", ".otf2", ".zip" or the end. */
static size_t stem_length(const char *path)
{
    static const char *const suffixes[] = {".otf2.zip", ".otf2", ".zip"};
    size_t length = strlen(path);

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t suffix = strlen(suffixes[i]);

        if (length > suffix && strcmp(path + length - suffix, suffixes[i]) == 0) {
            return length - suffix;
        }
    }
    return length;
}

enum mw_status mw_output_numbered(const char *output, unsigned number, char *path,
                                  struct mw_diagnostic *diagnostic)
{
    size_t stem = stem_length(output);
    int length;

    if (number == 0) {
        length = snprintf(path, PATH_BYTES, "%s", output);
    } else {
        length = snprintf(path, PATH_BYTES, "%.*s-%u%s", (int)stem, output, number,
                          output + stem);
    }
    /* The partial file's name has to fit as well. */
    return length < PATH_BYTES - 46
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_USAGE, output, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the path is too long");
}

bool mw_output_is_numbered(const char *output, const char *name, const char *ending)
{
    const char *slash = strrchr(output, '/');
    const char *base = slash ? slash + 1 : output;
    size_t stem = stem_length(base);
    size_t digits;

    if (strncmp(name, base, stem) != 0) {
        return false;
    }
    name += stem;
    digits = name[0] == '-' && name[1] != '0' ? strspn(name + 1, "0123456789") : 0;
    name += digits > 0 ? digits + 1 : 0;
    return strncmp(name, base + stem, strlen(base + stem)) == 0 &&
           strcmp(name + strlen(base + stem), ending) == 0;
}

enum mw_status mw_output_choose(const char *output, uint64_t nonce, char *partial,
                                struct mw_diagnostic *diagnostic)
{
    char path[PATH_BYTES];
    enum mw_status status = mw_output_numbered(output, 0, path, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    snprintf(partial, PATH_BYTES, "%.4050s.%016" PRIx64 ".partial", path, nonce);
    for (unsigned number = 1; exists(partial) && number < TRIES; number++) {
        snprintf(partial, PATH_BYTES, "%.4050s.%016" PRIx64 "-%u.partial", path, nonce, number);
    }
    if (exists(partial)) {
        return mw_fail(diagnostic, MW_ERROR_EXISTS, partial, MW_DIAGNOSTIC_OFFSET_NONE,
                       "the file to write the archive to is there already");
    }
    return MW_OK;
}

/* Renames, unless path is taken (errno EEXIST). Not all file systems can do it at once. */
static bool rename_if_free(const char *partial, const char *path)
{
    if (renameat2(AT_FDCWD, partial, AT_FDCWD, path, RENAME_NOREPLACE) == 0) {
        return true;
    }
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) {
        return false;
    }
    if (!is_directory(partial)) {
        if (link(partial, path) == 0) {
            unlink(partial);
            return true;
        }
        if (errno == EEXIST) {
            return false;
        }
    }
    if (exists(path)) {
        errno = EEXIST;
        return false;
    }
    return rename(partial, path) == 0;
}

static enum mw_status cannot_rename(const char *path, struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, mw_file_write_error(), path, MW_DIAGNOSTIC_OFFSET_NONE,
                   "can't give the archive its name");
}

/* Whether all in the directory, which is closed, is called as one of names. */
static bool holds_only(int directory, const char *const *names, size_t count)
{
    DIR *stream = directory >= 0 ? fdopendir(directory) : NULL;
    const struct dirent *entry;
    bool only = stream != NULL;

    if (!stream && directory >= 0) {
        close(directory);
    }
    while (only && (entry = readdir(stream)) != NULL) {
        bool is_known = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;

        for (size_t i = 0; !is_known && i < count; i++) {
            is_known = fnmatch(names[i], entry->d_name, 0) == 0;
        }
        only = is_known;
    }
    if (stream) {
        closedir(stream);
    }
    return only;
}

bool mw_output_holds_archive(const char *path)
{
    static const char *const files[] = { "traces", "traces.otf2", "traces.def", "mpiwatch.json",
                                         "mpiwatch.sums", "mpiwatch.idx" };
    static const char *const locals[] = { "[0-9]*.evt", "[0-9]*.def", "[0-9]*.snap",
                                          "[0-9]*.marker" };
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int folder = directory >= 0 ? openat(directory, "traces", O_RDONLY | O_DIRECTORY | O_CLOEXEC |
                                                                  O_NOFOLLOW)
                                : -1;
    bool is_there = directory >= 0 && faccessat(directory, "traces.otf2", F_OK, 0) == 0;
    bool only_locals = holds_only(folder, locals, sizeof locals / sizeof locals[0]);

    return holds_only(directory, files, sizeof files / sizeof files[0]) && is_there && only_locals;
}

/* Moves an archive directory out of the way, puts the new one there and removes the old. */
static enum mw_status replace_directory(const char *partial, const char *path,
                                        struct mw_diagnostic *diagnostic)
{
    char old[PATH_BYTES + 16];

    snprintf(old, sizeof old, "%s.old", partial);
    if (!is_directory(path) || !mw_output_holds_archive(path)) {
        return mw_fail(diagnostic, MW_ERROR_EXISTS, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "this is no directory with an archive and nothing else: it is not "
                       "replaced");
    }
    if (!rename_if_free(path, old)) {
        return cannot_rename(path, diagnostic);
    }
    if (!rename_if_free(partial, path)) {
        enum mw_status status = cannot_rename(path, diagnostic);

        (void)rename_if_free(old, path);
        return status;
    }
    mw_remove_tree(old);
    return MW_OK;
}

static enum mw_status replace_output(const char *partial, const char *path,
                                     struct mw_diagnostic *diagnostic)
{
    if (is_directory(partial) && exists(path)) {
        return replace_directory(partial, path, diagnostic);
    }
    if (is_special(path)) {
        return mw_fail(diagnostic, MW_ERROR_EXISTS, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "this is no file: it is not replaced");
    }
    return rename(partial, path) == 0 ? MW_OK : cannot_rename(path, diagnostic);
}

enum mw_status mw_output_publish(const char *partial, const char *output, bool replace,
                                 char *path, struct mw_diagnostic *diagnostic)
{
    unsigned number = 0;
    enum mw_status status = mw_output_numbered(output, number, path, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    if (replace) {
        return replace_output(partial, path, diagnostic);
    }
    while (!rename_if_free(partial, path)) {
        if (errno != EEXIST || number == TRIES) {
            return cannot_rename(path, diagnostic);
        }
        status = mw_output_numbered(output, ++number, path, diagnostic);
        if (status != MW_OK) {
            return status;
        }
    }
    return MW_OK;
}
