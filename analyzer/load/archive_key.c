/*
 * Sums of the files in a directory are added, for these come in any order.
 */
#include "analyzer/load/archive_key.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/index_table.h"

/* What is summed up of a directory. */
struct sums {
    const struct mwa_files *files;
    size_t base; /* bytes of the anchor's name without ".otf2" */
    uint64_t count, bytes, hash;
    bool has_failed;
};

/* What stat says of a file, without the gaps that a struct stat has. */
static uint64_t hash_of(const struct stat *found, const char *name)
{
    const uint64_t numbers[] = { (uint64_t)found->st_size,         (uint64_t)found->st_ino,
                                 (uint64_t)found->st_dev,          (uint64_t)found->st_mtim.tv_sec,
                                 (uint64_t)found->st_mtim.tv_nsec, (uint64_t)found->st_ctim.tv_sec,
                                 (uint64_t)found->st_ctim.tv_nsec };

    return mw_hash_bytes(mw_hash_bytes(MW_HASH_START, name, strlen(name)), numbers,
                         sizeof numbers);
}

static bool add_content(const char *path, uint64_t *hash)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    unsigned char buffer[16384];
    ssize_t got;

    if (file < 0) {
        return false;
    }
    while ((got = read(file, buffer, sizeof buffer)) > 0) {
        *hash = mw_hash_bytes(*hash, buffer, (uint64_t)got);
    }
    close(file);
    return got == 0;
}

/* Files of locations are in a folder; what is beside it and is not the archive's does not count. */
static void add_file(void *user, const char *name)
{
    struct sums *sums = user;
    const char behind = strncmp(name, mwa_files_anchor_name(sums->files), sums->base) == 0
                            ? name[sums->base]
                            : 0;
    char path[4200];
    struct stat found;
    uint64_t hash;

    if (behind != '.' && behind != '/') {
        return;
    }
    mwa_files_place(sums->files, name, path, sizeof path);
    if (stat(path, &found) != 0) {
        sums->has_failed = true;
        return;
    }
    hash = hash_of(&found, name);
    sums->has_failed |= behind == '.' && !add_content(path, &hash);
    sums->count++;
    sums->bytes += (uint64_t)found.st_size;
    sums->hash += hash;
}

bool mwa_archive_key(const struct mwa_files *files, struct mwa_archive_key *key)
{
    const struct mwa_zip *zip = mwa_files_zip(files);
    struct sums sums = { .files = files };

    if (zip) {
        const struct mwa_zip_sums *of = mwa_zip_sums(zip);

        *key = (struct mwa_archive_key){ { 1, of->size, of->directory_crc, of->directory_hash } };
        return true;
    }
    sums.base = strlen(mwa_files_anchor_name(files)) - strlen(".otf2");
    mwa_files_walk(files, add_file, &sums);
    *key = (struct mwa_archive_key){ { 2, sums.bytes, sums.count, sums.hash } };
    return !sums.has_failed;
}
