#ifndef MWA_LOAD_ZIP_H
#define MWA_LOAD_ZIP_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * The directory of a ZIP or ZIP64 file, read with the distrust that a file from
 * elsewhere deserves: what is handed out has been checked against the file's size
 * and against the other members. Reading is by pread, so that one directory serves
 * many streams (analyzer/load/member.h).
 */

enum mwa_zip_method { MWA_ZIP_STORED = 0, MWA_ZIP_DEFLATED = 8 };

struct mwa_zip_member {
    const char *name; /* relative, without "." and "..", '/' between parts */
    enum mwa_zip_method method;
    uint32_t crc;             /* of the uncompressed bytes */
    uint64_t compressed_size; /* bytes from data_offset */
    uint64_t size;            /* bytes uncompressed */
    uint64_t header_offset;   /* of the local header in the file */
    uint64_t data_offset;     /* of the compressed bytes in the file */
};

struct mwa_zip;

/*
 * Opens path and checks its whole directory: every member's local header is there and
 * agrees, data lie inside the file and overlap no other, names are sane and unique,
 * sizes are possible for deflate. Memory: the central directory's size and 64 bytes
 * per member.
 *
 * \return MW_OK and *zip, to be freed with mwa_zip_close.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY.
 * \return MW_ERROR_FORMAT with path, or path!member, and the offset in the file.
 */
enum mw_status mwa_zip_open(const char *path, struct mwa_zip **zip,
                            struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Null is fine. No stream of it may be in use any more. */
void mwa_zip_close(struct mwa_zip *zip);

/* Members, sorted by name; they live as long as zip. */
uint64_t mwa_zip_count(const struct mwa_zip *zip);
const struct mwa_zip_member *mwa_zip_member(const struct mwa_zip *zip, uint64_t index);

/* The member called name, or null. */
const struct mwa_zip_member *mwa_zip_find(const struct mwa_zip *zip, const char *name);

/* What tells the file from all others: its size, and sums of its central directory, where the sizes
 * and CRCs of all members are. */
struct mwa_zip_sums {
    uint64_t size;
    uint32_t directory_crc;
    uint64_t directory_hash; /* FNV-1a */
};
const struct mwa_zip_sums *mwa_zip_sums(const struct mwa_zip *zip);

/* The file descriptor to pread members from; owned by zip. */
int mwa_zip_descriptor(const struct mwa_zip *zip);

/* True when the file at path begins or ends like a ZIP file; false also when it can't be read. */
bool mwa_zip_looks_like(const char *path);

#endif
