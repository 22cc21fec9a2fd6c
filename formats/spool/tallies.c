/*
 * A table that grows must not be lost when the process is killed meanwhile: the
 * larger one is filled beside the old one, and a single number in the header then
 * says which one counts.
 */
#include "formats/spool/tallies.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/file.h"
#include "formats/table/calls.h"

#define HEADER_BYTES 4096u

static uint64_t offset_of(uint32_t table)
{
    return (uint64_t)HEADER_BYTES << table;
}

static size_t bytes_of(uint32_t table)
{
    return mw_tallies_slots(table) * sizeof(struct mw_tally);
}

/* --- writing ----------------------------------------------------------------------- */

enum mw_status mw_tallies_file_init(struct mw_tallies_file *file, const char *path,
                                    const struct mw_spool_identity *identity,
                                    struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mw_own_file_create(&file->file, path, diagnostic);
    void *mapped;

    file->header = NULL;
    if (status != MW_OK) {
        return status;
    }
    status = mw_own_file_map(&file->file, 0, HEADER_BYTES, &mapped, diagnostic);
    if (status != MW_OK) {
        mw_own_file_discard(&file->file);
        return status;
    }
    file->header = mapped;
    *file->header = (struct mw_tallies_header){
        .version = MW_TALLIES_VERSION,
        .byte_order = MW_SPOOL_BYTE_ORDER,
        .nonce = identity->nonce,
        .rank = identity->rank,
        .thread = identity->thread,
        .calls_fingerprint = mw_calls_fingerprint(),
        .table = MW_TALLIES_NONE,
    };
    /* Last: a file that begins with zeros has nothing to say. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memcpy(file->header->magic, MW_TALLIES_MAGIC, sizeof file->header->magic);
    return MW_OK;
}

enum mw_status mw_tallies_file_table(struct mw_tallies_file *file, uint32_t table,
                                     struct mw_tally **slots, struct mw_diagnostic *diagnostic)
{
    /* Pages of 64 KiB hold the first tables together. */
    const uint64_t ahead = offset_of(table) % (uint64_t)sysconf(_SC_PAGESIZE);
    void *mapped;
    enum mw_status status = mw_own_file_map(&file->file, offset_of(table) - ahead,
                                            (size_t)ahead + bytes_of(table), &mapped, diagnostic);

    if (status == MW_OK) {
        *slots = (void *)((char *)mapped + ahead);
    }
    return status;
}

void mw_tallies_file_use(struct mw_tallies_file *file, uint32_t table)
{
    __atomic_store_n(&file->header->table, table, __ATOMIC_RELEASE);
}

/* --- reading ----------------------------------------------------------------------- */

static enum mw_status check(const struct mw_tallies_header *header, const char *path,
                            uint64_t nonce, struct mw_diagnostic *diagnostic)
{
    if (memcmp(header->magic, MW_TALLIES_MAGIC, sizeof header->magic) != 0) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, path, 0, "no counts of filtered calls");
    }
    if (header->version != MW_TALLIES_VERSION || header->byte_order != MW_SPOOL_BYTE_ORDER ||
        header->calls_fingerprint != mw_calls_fingerprint()) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, path, 0,
                       "counts of filtered calls by another version of mpiwatch");
    }
    if ((nonce != 0 && header->nonce != nonce) ||
        (header->table >= MW_TALLIES_TABLES && header->table != MW_TALLIES_NONE)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, path, 0,
                       "counts of filtered calls that are of another run, or damaged");
    }
    return MW_OK;
}

static enum mw_status read_table(int descriptor, const char *path, uint32_t table,
                                 struct mw_buffer *tallies, struct mw_diagnostic *diagnostic)
{
    struct mw_tally slots[128];
    enum mw_status status = MW_OK;

    for (uint64_t done = 0; status == MW_OK && done < bytes_of(table); done += sizeof slots) {
        status = mw_file_read(descriptor, slots, sizeof slots, offset_of(table) + done, path,
                              diagnostic);
        for (size_t i = 0; status == MW_OK && i < sizeof slots / sizeof slots[0]; i++) {
            if (slots[i].call > MW_CALL_COUNT) {
                status = mw_fail(diagnostic, MW_ERROR_FORMAT, path, offset_of(table) + done,
                                 "a count of filtered calls of no function");
            } else if (slots[i].call != 0) {
                mw_buffer_append(tallies, &slots[i], sizeof slots[i]);
            }
        }
    }
    return status;
}

enum mw_status mw_tallies_read(const char *path, uint64_t nonce, struct mw_buffer *tallies,
                               struct mw_diagnostic *diagnostic)
{
    struct mw_tallies_header header = {.magic = ""};
    int descriptor;
    struct stat about;
    enum mw_status status;

    if (access(path, F_OK) != 0 && errno == ENOENT) {
        return MW_OK;
    }
    status = mw_file_open_regular(path, "the counts of filtered calls", &descriptor, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    if (fstat(descriptor, &about) != 0 || about.st_size == 0) {
        goto out;
    }
    status = mw_file_read(descriptor, &header, sizeof header, 0, path, diagnostic);
    if (status != MW_OK || header.magic[0] == '\0') {
        goto out;
    }
    status = check(&header, path, nonce, diagnostic);
    if (status == MW_OK && header.table != MW_TALLIES_NONE) {
        status = read_table(descriptor, path, header.table, tallies, diagnostic);
    }
    if (status == MW_OK && tallies->failed) {
        status = mw_no_memory(diagnostic, path, "for the counts of filtered calls");
    }
out:
    close(descriptor);
    return status;
}
