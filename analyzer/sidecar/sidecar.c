/*
 * Home directories are on other hosts, and what is mapped of a file that another client replaces
 * may be gone at the next look (SIGBUS): what is not large is read. Nothing in it is believed
 * before it has been checked: it may be of another program, half of one, or made to mislead.
 * Sections are checked when they are asked for the first time, so that a large one costs nothing
 * who does not need it.
 */
#include "analyzer/sidecar/sidecar.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "analyzer/sidecar/side_by_side_crc.h"
#include "analyzer/sidecar/sidecar_layout.h"
#include "formats/base/file.h"

#define READ_BYTES_MAX (64u << 20) /* what has more is mapped */

enum { NOT_CHECKED, IS_SOUND, IS_DAMAGED };

struct mwa_sidecar {
    const unsigned char *bytes;
    bool is_mapped;
    uint64_t size;
    const struct mwa_sidecar_entry *table;
    uint64_t count;
    _Atomic unsigned char *checked; /* by the number of the entry */
};

static uint32_t crc_of(const void *bytes, uint64_t count)
{
    return (uint32_t)crc32_z(0, bytes, count);
}

static bool is_head_sound(const struct mwa_sidecar_head *head, const struct mwa_archive_key *key,
                          const char *part, uint32_t version)
{
    return head->mark == MWA_SIDECAR_MARK &&
           head->crc == crc_of(head, offsetof(struct mwa_sidecar_head, crc)) &&
           memcmp(&head->key, key, sizeof *key) == 0 && head->version == version &&
           strncmp(head->part, part, sizeof head->part) == 0;
}

static bool is_table_sound(const struct mwa_sidecar *sidecar, uint64_t end)
{
    for (uint64_t i = 0; i < sidecar->count; i++) {
        const struct mwa_sidecar_entry *entry = &sidecar->table[i];

        if (entry->name[MWA_SIDECAR_NAME_BYTES - 1] != 0 ||
            (i > 0 && mwa_sidecar_order(entry - 1, entry) >= 0) ||
            entry->offset % MWA_SIDECAR_ALIGNMENT != 0 || entry->offset > end ||
            entry->bytes > end - entry->offset) {
            return false;
        }
    }
    return true;
}

/* Finds the table; false: the sidecar is not sound. */
static bool take_table(struct mwa_sidecar *sidecar, const struct mwa_archive_key *key,
                       const char *part, uint32_t version)
{
    const struct mwa_sidecar_head *head = (const void *)sidecar->bytes;
    uint64_t bytes;

    if (!is_head_sound(head, key, part, version) || head->table > sidecar->size ||
        head->table % MWA_SIDECAR_ALIGNMENT != 0) {
        return false;
    }
    bytes = sidecar->size - head->table;
    if (bytes % sizeof *sidecar->table != 0 || bytes / sizeof *sidecar->table != head->count ||
        head->table_crc != crc_of(sidecar->bytes + head->table, bytes)) {
        return false;
    }
    sidecar->table = (const void *)(sidecar->bytes + head->table);
    sidecar->count = head->count;
    sidecar->checked = calloc(head->count > 0 ? head->count : 1, 1);
    return sidecar->checked && is_table_sound(sidecar, head->table);
}

/* Opens the file if it is one that the user alone can write; -1: it is not. */
static int open_file(const char *name, uint64_t *size)
{
    char path[MWA_SIDECAR_PATH_BYTES];
    int directory = mwa_sidecar_directory(false, path);
    struct stat found;
    int file;

    if (directory < 0) {
        return -1;
    }
    file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    close(directory);
    if (file >= 0 && (fstat(file, &found) != 0 || !S_ISREG(found.st_mode) ||
                      found.st_uid != geteuid() || (found.st_mode & (S_IRWXG | S_IRWXO)) != 0 ||
                      found.st_size < (off_t)MWA_SIDECAR_HEAD_BYTES)) {
        close(file);
        return -1;
    }
    *size = file >= 0 ? (uint64_t)found.st_size : 0;
    return file;
}

/* Has the file's bytes in memory, at a multiple of MWA_SIDECAR_ALIGNMENT. False: it can't be. */
static bool take_bytes(struct mwa_sidecar *sidecar, int file)
{
    const uint64_t room = (sidecar->size / MWA_SIDECAR_ALIGNMENT + 1) * MWA_SIDECAR_ALIGNMENT;
    struct mw_diagnostic unsaid;
    void *bytes;

    sidecar->is_mapped = sidecar->size > READ_BYTES_MAX;
    if (sidecar->is_mapped) {
        bytes = mmap(NULL, sidecar->size, PROT_READ, MAP_PRIVATE, file, 0);
        sidecar->bytes = bytes != MAP_FAILED ? bytes : NULL;
        return sidecar->bytes != NULL;
    }
    bytes = aligned_alloc(MWA_SIDECAR_ALIGNMENT, room);
    sidecar->bytes = bytes;
    return bytes && mw_file_read(file, bytes, sidecar->size, 0, "", &unsaid) == MW_OK;
}

struct mwa_sidecar *mwa_sidecar_open(const struct mwa_archive_key *key, const char *part,
                                     uint32_t version)
{
    struct mwa_sidecar *sidecar = calloc(1, sizeof *sidecar);
    char name[MWA_SIDECAR_FILE_BYTES];
    int file = -1;

    if (!sidecar || !mwa_sidecar_name(key, part, name) ||
        (file = open_file(name, &sidecar->size)) < 0) {
        free(sidecar);
        return NULL;
    }
    if (!take_bytes(sidecar, file) || !take_table(sidecar, key, part, version)) {
        close(file);
        mwa_sidecar_close(sidecar);
        return NULL;
    }
    (void)futimens(file, NULL); /* it has been used */
    close(file);
    return sidecar;
}

void mwa_sidecar_close(struct mwa_sidecar *sidecar)
{
    if (!sidecar) {
        return;
    }
    if (!sidecar->is_mapped) {
        free((void *)(uintptr_t)sidecar->bytes);
    } else if (sidecar->bytes) {
        munmap((void *)(uintptr_t)sidecar->bytes, sidecar->size);
    }
    free((void *)sidecar->checked);
    free(sidecar);
}

static int by_entry(const void *one, const void *other)
{
    return mwa_sidecar_order(one, other);
}

const void *mwa_sidecar_section(struct mwa_sidecar *sidecar, const char *name, uint64_t number,
                                uint64_t *bytes)
{
    struct mwa_sidecar_entry wanted = { .number = number };
    const struct mwa_sidecar_entry *entry;
    _Atomic unsigned char *checked;

    *bytes = 0;
    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    entry = bsearch(&wanted, sidecar->table, sidecar->count, sizeof wanted, by_entry);
    if (!entry) {
        return NULL;
    }
    checked = &sidecar->checked[entry - sidecar->table];
    if (atomic_load(checked) == NOT_CHECKED) {
        atomic_store(checked, mwa_side_by_side_crc(sidecar->bytes + entry->offset,
                                                      entry->bytes) == entry->crc
                                  ? IS_SOUND
                                  : IS_DAMAGED);
    }
    if (atomic_load(checked) != IS_SOUND) {
        return NULL;
    }
    *bytes = entry->bytes;
    return sidecar->bytes + entry->offset;
}
