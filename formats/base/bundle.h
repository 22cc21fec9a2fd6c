#ifndef MW_FORMATS_BASE_BUNDLE_H
#define MW_FORMATS_BASE_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/index_table.h"
#include "formats/base/status.h"

/*
 * Messages that are much alike, in one: each is a row of pieces, and equal pieces are kept once,
 * so that a hundred thousand processes' definitions take what they differ in. Made piece by piece,
 * put behind others by bundles that come as bytes, and taken out message by message, byte for byte
 * as they were. Of at most 2^32 - 1 pieces. A zeroed one is empty. Not thread-safe.
 */

struct mw_bundle_run {
    uint32_t first; /* piece */
    uint32_t count; /* pieces that follow each other */
};

struct mw_bundle {
    struct mw_buffer bytes; /* of all pieces */
    uint64_t *ends;         /* by piece: where it ends in them */
    uint32_t piece_count;
    struct mw_bundle_run *runs; /* of all messages */
    uint32_t run_count;
    uint32_t *run_ends; /* by message: where it ends in them */
    uint32_t message_count;
    struct mw_index_table by_piece;
    bool failed; /* there was no memory, and nothing is taken any more */
};

void mw_bundle_fini(struct mw_bundle *bundle);

/* Begins the next message, which has no pieces. */
void mw_bundle_begin(struct mw_bundle *bundle);

/* Puts a piece, of below 2^32 bytes (0 allowed), behind those of the message that was begun. */
void mw_bundle_add(struct mw_bundle *bundle, const void *piece, size_t bytes);

/* Puts the bundle as bytes behind what is in the buffer; both tell of having failed. */
void mw_bundle_give(const struct mw_bundle *bundle, struct mw_buffer *to);

/*
 * Puts the messages of a bundle that was given behind the own ones.
 *
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: that is none.
 */
enum mw_status mw_bundle_take(struct mw_bundle *bundle, const char *given,
                              uint64_t bytes) MW_MUST_CHECK;

/* Puts a message behind what is in the buffer, which tells of having failed. */
void mw_bundle_message(const struct mw_bundle *bundle, uint32_t message, struct mw_buffer *to);

#endif
