#ifndef MWA_SIDECAR_SIDECAR_LAYOUT_H
#define MWA_SIDECAR_SIDECAR_LAYOUT_H

#include <string.h>

#include "analyzer/sidecar/sidecar.h"
#include "formats/base/order.h"

/*
 * A sidecar as it is on the disk: the head, sections, and the table of these, ascending by name and
 * number. In the byte order of who wrote it: another one's mark is none.
 */

#define MWA_SIDECAR_MARK 0x315244535741574dull /* "MWAWSDR1" */

struct mwa_sidecar_head {
    uint64_t mark;
    struct mwa_archive_key key;
    char part[24];
    uint32_t version; /* of the part */
    uint32_t table_crc;
    uint64_t table; /* where it begins; it ends with the file */
    uint64_t count; /* of sections */
    uint32_t zero;
    uint32_t crc; /* of the head up to here */
};

struct mwa_sidecar_entry {
    char name[MWA_SIDECAR_NAME_BYTES]; /* zeros behind it */
    uint64_t number;
    uint64_t offset;
    uint64_t bytes;
    uint32_t crc;
    uint32_t zero;
};

_Static_assert(sizeof(struct mwa_sidecar_head) == 96 && sizeof(struct mwa_sidecar_entry) == 48,
               "there are no gaps whose bytes are anything");

#define MWA_SIDECAR_HEAD_BYTES 128u /* where the first section begins */

/* What tables are sorted by. */
static inline int mwa_sidecar_order(const struct mwa_sidecar_entry *one,
                                    const struct mwa_sidecar_entry *other)
{
    int order = memcmp(one->name, other->name, sizeof one->name);

    return order != 0 ? order : mw_order(one->number, other->number);
}

#endif
