#ifndef MWA_LOAD_MEMBER_H
#define MWA_LOAD_MEMBER_H

#include <stdint.h>
#include <stdio.h>

#include "analyzer/load/block_index.h"
#include "analyzer/load/zip.h"
#include "formats/base/status.h"

/*
 * Streams over the members of a ZIP file and over plain files, for libotf2, which
 * reads through stdio. A stream notes where it was read last and what went wrong
 * first, since libotf2 only says that something did.
 */

/* What streams tell: one per set of files, shared by its streams. Not thread-safe. */
struct mwa_stream_log {
    struct mw_diagnostic fault; /* the first one; status MW_OK: none */
    char last[1024];            /* path or path!member of the last read, "" before */
    uint64_t last_offset;       /* of the last read, in uncompressed bytes */
};

/*
 * Who reads: we, up to the last byte, or libotf2. That does not look at how many bytes it got, and
 * would take what its memory held before for events, so that zeros without end come behind the
 * last byte. It asks for chunks one by one, and gets none that analyzer/load/chunk.h refuses.
 */
enum mwa_stream_use {
    MWA_FOR_US,
    MWA_FOR_LIBOTF2,                    /* what has no chunks: the anchor file */
    MWA_FOR_LIBOTF2_GLOBAL_DEFINITIONS, /* from here on, by chunks */
    MWA_FOR_LIBOTF2_LOCAL_DEFINITIONS,
    MWA_FOR_LIBOTF2_EVENTS
};

/*
 * Opens a stream of the uncompressed bytes of member. Memory: 4 KiB and an inflater (inflater.h),
 * whatever the member's size. Seeking inflates what lies between, and backwards from the beginning
 * again; blocks, if it is not null, says where else inflating can begin, and lives as long as the
 * stream. The CRC is checked when the last byte has been read, unless bytes
 * before it were not.
 *
 * \return a stream to be closed with fclose before zip and log go; or null with
 * log->fault filled.
 */
FILE *mwa_member_open(const struct mwa_zip *zip, const struct mwa_zip_member *member,
                      const char *zip_path, enum mwa_stream_use use,
                      const struct mwa_indexed_member *blocks, struct mwa_stream_log *log);

/*
 * Opens the plain file at path.
 *
 * \return as above; a file that is not there is no fault: null and errno ENOENT.
 */
FILE *mwa_plain_open(const char *path, enum mwa_stream_use use, struct mwa_stream_log *log);

/*
 * The same without stdio, which has a buffer for each of these streams and copies all through it:
 * for who has one. Not thread-safe.
 */
struct mwa_source {
    void *cookie; /* null: there is none */
    const cookie_io_functions_t *functions;
};

/* As the two above: false instead of null, and nothing is to be closed. */
bool mwa_member_source(const struct mwa_zip *zip, const struct mwa_zip_member *member,
                       const char *zip_path, enum mwa_stream_use use,
                       const struct mwa_indexed_member *blocks, struct mwa_stream_log *log,
                       struct mwa_source *source);
bool mwa_plain_source(const char *path, enum mwa_stream_use use, struct mwa_stream_log *log,
                      struct mwa_source *source);

/* Reads size bytes; fewer at the end, or with a fault in the log. */
size_t mwa_source_read(const struct mwa_source *source, void *buffer, size_t size);

/* What is read next begins offset bytes from the beginning on. False: there is no such byte. */
bool mwa_source_seek(const struct mwa_source *source, uint64_t offset);

/* Null as its cookie is fine, and is what it has then. */
void mwa_source_close(struct mwa_source *source);

#endif
