/* Every reader of spools refuses the same files with the same words. */
#include "formats/spool/spool_header.h"

#include <string.h>

#include "formats/table/calls.h"

enum mw_status mw_spool_header_check(const struct mw_spool_header *header, size_t bytes,
                                     const char *path, struct mw_diagnostic *diagnostic)
{
    if (bytes < sizeof *header ||
        memcmp(header->magic, MW_SPOOL_MAGIC, sizeof MW_SPOOL_MAGIC) != 0) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, path, 0, "this is no spool of mpiwatch");
    }
    if (header->byte_order != MW_SPOOL_BYTE_ORDER) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, path,
                       offsetof(struct mw_spool_header, byte_order),
                       "written on a machine of another byte order");
    }
    if (header->version != MW_SPOOL_VERSION &&
        header->version != MW_SPOOL_VERSION_WITHOUT_NOW &&
        header->version != MW_SPOOL_VERSION_WITHOUT_BLOCKS) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, path,
                       offsetof(struct mw_spool_header, version),
                       "a spool of version %u, this program knows %u", header->version,
                       MW_SPOOL_VERSION);
    }
    if (header->calls_fingerprint != mw_calls_fingerprint()) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, path,
                       offsetof(struct mw_spool_header, calls_fingerprint),
                       "written by another version of mpiwatch, with other numbers for MPI calls");
    }
    if (header->ticks_per_second == 0) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, path,
                       offsetof(struct mw_spool_header, ticks_per_second),
                       "a clock without ticks");
    }
    return MW_OK;
}
