/*
 * The cache may be on a disk that several hosts share, and its files may be removed by anyone who
 * tidies up, at any time: all is done by names in a directory that is open.
 */
#include "analyzer/sidecar/sidecar_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/model/map.h"
#include "formats/base/index_table.h"
#include "formats/base/order.h"

#define KEY_DIGITS   32u
#define PART_MOST    20u
#define STALE_S      86400
#define FOLDER       "mpiwatch"

/* --- the directory ---------------------------------------------------------------------------- */

/* The user's cache; false: the environment says nothing of use. */
static bool find_cache(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = -1;

    if (cache && cache[0] == '/') {
        length = snprintf(path, size, "%s", cache);
    } else if (home && home[0] == '/') {
        length = snprintf(path, size, "%s/.cache", home);
    }
    return length > 0 && (size_t)length + sizeof "/" FOLDER <= size;
}

/* It is the user's own, and nobody else can write to it. */
static bool is_own_directory(int descriptor)
{
    struct stat found;

    return fstat(descriptor, &found) == 0 && found.st_uid == geteuid() &&
           (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

int mwa_sidecar_directory(bool is_made, char path[MWA_SIDECAR_PATH_BYTES])
{
    int descriptor;

    if (!find_cache(path, MWA_SIDECAR_PATH_BYTES)) {
        errno = ENOENT;
        return -1;
    }
    if (is_made) {
        (void)mkdir(path, 0700);
    }
    strncat(path, "/" FOLDER, MWA_SIDECAR_PATH_BYTES - strlen(path) - 1);
    if (is_made) {
        (void)mkdir(path, 0700);
    }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0 && !is_own_directory(descriptor)) {
        close(descriptor);
        errno = EPERM;
        return -1;
    }
    return descriptor;
}

/* --- names ------------------------------------------------------------------------------------ */

static void key_digits(const struct mwa_archive_key *key, char digits[KEY_DIGITS + 1])
{
    const uint64_t one = mw_hash_bytes(MW_HASH_START, key, sizeof *key);
    const uint64_t other = mw_hash_bytes(one, key, sizeof *key);

    snprintf(digits, KEY_DIGITS + 1, "%016" PRIx64 "%016" PRIx64, one, other);
}

bool mwa_sidecar_name(const struct mwa_archive_key *key, const char *part,
                      char name[MWA_SIDECAR_FILE_BYTES])
{
    const size_t length = strlen(part);
    char digits[KEY_DIGITS + 1];

    key_digits(key, digits);
    return length > 0 && length <= PART_MOST &&
           strspn(part, "abcdefghijklmnopqrstuvwxyz") == length &&
           snprintf(name, MWA_SIDECAR_FILE_BYTES, "%s-%s", digits, part) > 0;
}

/* Whether name is that of a sidecar, or of what is to be one, which begins with a dot. */
static bool is_name(const char *name)
{
    const size_t dot = name[0] == '.';

    return strspn(name + dot, "0123456789abcdef") == KEY_DIGITS && name[dot + KEY_DIGITS] == '-';
}

/* --- what is in it ---------------------------------------------------------------------------- */

struct kept_file {
    char name[NAME_MAX + 1];
    uint64_t bytes;
    struct timespec used;
};

struct kept_files {
    struct kept_file *list;
    uint64_t count, capacity;
    uint64_t bytes;
};

static DIR *open_listing(int directory)
{
    int again = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = again >= 0 ? fdopendir(again) : NULL;

    if (again >= 0 && !listing) {
        close(again);
    }
    return listing;
}

static void list_files(int directory, struct kept_files *files)
{
    DIR *listing = open_listing(directory);
    struct dirent *entry;
    struct stat found;

    while (listing && (entry = readdir(listing))) {
        struct kept_file *file;

        if (!is_name(entry->d_name) ||
            fstatat(directory, entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(found.st_mode)) {
            continue;
        }
        if (!mwa_grow(&files->list, &files->capacity, files->count + 1, sizeof *files->list)) {
            break;
        }
        file = &files->list[files->count++];
        snprintf(file->name, sizeof file->name, "%s", entry->d_name);
        file->bytes = (uint64_t)found.st_size;
        file->used = found.st_mtim;
        files->bytes += file->bytes;
    }
    if (listing) {
        closedir(listing);
    }
}

static int by_use(const void *one, const void *other)
{
    const struct kept_file *a = one;
    const struct kept_file *b = other;

    return a->used.tv_sec != b->used.tv_sec ? mw_order((uint64_t)a->used.tv_sec,
                                                       (uint64_t)b->used.tv_sec)
                                            : mw_order((uint64_t)a->used.tv_nsec,
                                                       (uint64_t)b->used.tv_nsec);
}

void mwa_sidecar_trim(int directory, uint64_t bytes)
{
    const time_t now = time(NULL);
    struct kept_files files = { 0 };

    list_files(directory, &files);
    if (files.count > 0) {
        qsort(files.list, files.count, sizeof *files.list, by_use);
    }
    for (uint64_t i = 0; i < files.count; i++) {
        const struct kept_file *file = &files.list[i];
        const bool is_begun = file->name[0] == '.';

        if (is_begun ? now - file->used.tv_sec > STALE_S : files.bytes > bytes) {
            (void)unlinkat(directory, file->name, 0);
            files.bytes -= file->bytes;
        }
    }
    free(files.list);
}

uint64_t mwa_sidecar_forget(const struct mwa_archive_key *key)
{
    char path[MWA_SIDECAR_PATH_BYTES], digits[KEY_DIGITS + 1];
    int directory = mwa_sidecar_directory(false, path);
    DIR *listing = directory >= 0 ? open_listing(directory) : NULL;
    struct dirent *entry;
    uint64_t count = 0;

    key_digits(key, digits);
    while (listing && (entry = readdir(listing))) {
        if (is_name(entry->d_name) && strncmp(entry->d_name, digits, KEY_DIGITS) == 0) {
            count += unlinkat(directory, entry->d_name, 0) == 0;
        }
    }
    if (listing) {
        closedir(listing);
    }
    if (directory >= 0) {
        close(directory);
    }
    return count;
}
