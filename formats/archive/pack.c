/*
 * What the two forms of an archive, ZIP file and directory, do alike; the rest is
 * in pack_zip.c and pack_directory.c. The partial output is removed only by who
 * may have made it.
 */
#include "formats/archive/pack.h"

#include <string.h>

enum mw_status mw_pack_gather(struct mw_pack *pack, const struct mw_buffer *mine,
                              struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = pack->transport;
    struct mw_parts parts;
    enum mw_status status =
        transport->gather(transport->context, mine->data, mine->bytes, &parts, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        mw_buffer_append(&pack->entries, parts.parts[i], parts.sizes[i]);
    }
    mw_parts_fini(&parts);
    return pack->entries.failed
               ? mw_no_memory(diagnostic, pack->partial, "for the list of members")
               : MW_OK;
}

void mw_pack_abandon(struct mw_pack *pack)
{
    if (pack->made) {
        mw_remove_tree(pack->partial);
    }
}

void mw_pack_fini(struct mw_pack *pack)
{
    mw_zip_piece_fini(&pack->piece);
    mw_zip_piece_fini(&pack->tail);
    mw_deflater_destroy(pack->deflater);
    mw_buffer_fini(&pack->entries);
    mw_buffer_fini(&pack->own);
    memset(pack, 0, sizeof *pack);
}
