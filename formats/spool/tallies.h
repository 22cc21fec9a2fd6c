#ifndef MW_FORMATS_SPOOL_TALLIES_H
#define MW_FORMATS_SPOOL_TALLIES_H

#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/own_file.h"
#include "formats/base/status.h"
#include "formats/spool/spool_writer.h"

/*
 * The counts of one thread's filtered calls, in a file beside its event spool that is
 * written through memory: a process that is killed leaves them as they were. (The layout
 * is in formats/ARCHIVE.md.) A process that ends in any other way tells them in its
 * definitions, which count then.
 *
 * Table number k has 128 << k slots and lies at 4096 << k, so that a larger one can be
 * filled while the one before still counts.
 *
 * Writer: one thread at a time.
 */

#define MW_TALLIES_MAGIC "MWTALLY"
#define MW_TALLIES_VERSION 1u
#define MW_TALLIES_TABLES 16u
#define MW_TALLIES_NONE UINT32_MAX

/* What was called of one kind on one communicator. */
struct mw_tally {
    uint32_t comm; /* the process's number; MW_COMM_NONE: past those that are told apart */
    uint32_t call; /* 1 + enum mw_call; 0: the slot is free */
    uint64_t calls;
    uint64_t sent; /* bytes */
    uint64_t received;
};

/* At the start of the file; the rest of its 4096 bytes is zero. */
struct mw_tallies_header {
    char magic[8]; /* MW_TALLIES_MAGIC */
    uint32_t version;
    uint32_t byte_order; /* MW_SPOOL_BYTE_ORDER */
    uint64_t nonce;
    uint32_t rank;
    uint32_t thread;
    uint64_t calls_fingerprint;
    uint32_t table; /* the one that counts; MW_TALLIES_NONE: there is none yet */
};

/* --- writing ----------------------------------------------------------------------- */

struct mw_tallies_file {
    struct mw_tallies_header *header; /* mapped; null: there is no file */
    struct mw_own_file file;
};

static inline uint32_t mw_tallies_slots(uint32_t table)
{
    return 128u << table;
}

/*
 * Creates the file path (O_EXCL, no symlink followed, mode 0600), without tables.
 *
 * \return MW_OK; MW_ERROR_MEMORY, MW_ERROR_SYSTEM or MW_ERROR_SPACE, and there is no file.
 */
enum mw_status mw_tallies_file_init(struct mw_tallies_file *file, const char *path,
                                    const struct mw_spool_identity *identity,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Makes table number table (below MW_TALLIES_TABLES), all of its slots free. It stays mapped.
 *
 * \return MW_OK and *slots; MW_ERROR_SYSTEM or MW_ERROR_SPACE, and nothing has changed.
 */
enum mw_status mw_tallies_file_table(struct mw_tallies_file *file, uint32_t table,
                                     struct mw_tally **slots,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* From here on the slots of this table count, and no others. */
void mw_tallies_file_use(struct mw_tallies_file *file, uint32_t table);

/* --- reading ----------------------------------------------------------------------- */

/*
 * Appends the slots in use of the file path to tallies, one struct mw_tally each. A nonce
 * other than 0 has to be that of the file. Nothing that the file says is trusted.
 *
 * \return MW_OK, also when there is no such file, or one that was just being created.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY; MW_ERROR_FORMAT: it is none, or damaged;
 * MW_ERROR_VERSION: of another version, byte order or table of calls.
 */
enum mw_status mw_tallies_read(const char *path, uint64_t nonce, struct mw_buffer *tallies,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
