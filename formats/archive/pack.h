#ifndef MW_FORMATS_ARCHIVE_PACK_H
#define MW_FORMATS_ARCHIVE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/archive/otf2_output.h"
#include "formats/archive/transport.h"
#include "formats/base/buffer.h"
#include "formats/base/scratch.h"
#include "formats/base/status.h"
#include "formats/zip/deflate.h"
#include "formats/zip/zip_writer.h"

/* A file of a directory while it is written. */
struct mw_pack_file {
    bool is_open;
    int descriptor;
    char path[4096];
    char name[256];
    uint64_t bytes;
    uint32_t crc;
};

/*
 * How members become an archive: one ZIP file, or a directory. Each process adds its
 * members, rank 0 also the global ones; the functions are steps of one sequence, in
 * this order, and those marked collective are called by all processes.
 */
struct mw_pack {
    const struct mw_pack_operations *operations;
    const struct mw_transport *transport;
    uint64_t nonce;
    int level;
    char partial[4096];        /* the output, under the name that it has until it is done */
    struct mw_scratch scratch; /* this process's */
    struct mw_buffer entries;  /* all processes', on rank 0 */
    struct mw_buffer own;      /* directory: this process's, as in the block index */
    struct mw_deflater *deflater;
    struct mw_zip_piece piece; /* zip: this process's members */
    struct mw_zip_piece tail;  /* zip: rank 0's, the global members and the directory */
    struct mw_zip_piece *open; /* zip: the one to which a member is added */
    struct mw_pack_file file;  /* directory: the member that is added */
    uint64_t base;             /* zip: where the piece begins in the archive */
    uint64_t total;            /* bytes of all pieces; of all members in a directory */
    bool made;                 /* rank 0 has made the partial output, or it may have */
};

struct mw_pack_operations {
    /* Prepares for members; rank 0 makes the directory. */
    enum mw_status (*begin)(struct mw_pack *pack, struct mw_diagnostic *diagnostic);
    /* When rank 0 has begun: checks that the output is seen from here. */
    enum mw_status (*join)(struct mw_pack *pack, struct mw_diagnostic *diagnostic);
    /* Begins the member name. global: rank 0's, for the end. */
    enum mw_status (*open)(struct mw_pack *pack, const char *name, bool global,
                           struct mw_diagnostic *diagnostic);
    /*
     * Adds the next block of the member that was begun, of MW_EVENT_CHUNK_BYTES; the last one
     * may have fewer, and ends it.
     */
    enum mw_status (*append)(struct mw_pack *pack, const void *block, size_t bytes,
                             bool is_last, struct mw_diagnostic *diagnostic);
    /* Collective: tells rank 0 the members of all. */
    enum mw_status (*collect)(struct mw_pack *pack, struct mw_diagnostic *diagnostic);
    /* Rank 0: writes the index or the checksums, which end the archive. */
    enum mw_status (*seal)(struct mw_pack *pack, struct mw_diagnostic *diagnostic);
    /* Collective: puts the pieces together in the partial output. */
    enum mw_status (*write)(struct mw_pack *pack, struct mw_diagnostic *diagnostic);
    /* Reads back what this process has written. */
    enum mw_status (*verify)(struct mw_pack *pack, struct mw_diagnostic *diagnostic);
};

extern const struct mw_pack_operations mw_pack_zip;
extern const struct mw_pack_operations mw_pack_directory;

/* Adds the file source as member name and removes it. */
enum mw_status mw_pack_file(struct mw_pack *pack, const char *source, const char *name,
                            bool global, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Adds the next block of pack (the context) as append does. */
mw_otf2_take mw_pack_take;

/* Adds bytes of data as the global member name. */
enum mw_status mw_pack_memory(struct mw_pack *pack, const void *data, size_t bytes,
                              const char *name, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Removes what of the output this process has made, after a failure. */
void mw_pack_abandon(struct mw_pack *pack);

/* Frees all but the output and the scratch directory. A zeroed one is fine. */
void mw_pack_fini(struct mw_pack *pack);

/* Gathers mine of all processes, back to back, into pack->entries on rank 0. Collective. */
enum mw_status mw_pack_gather(struct mw_pack *pack, const struct mw_buffer *mine,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
