#ifndef MW_FORMATS_ZIP_ISAL_H
#define MW_FORMATS_ZIP_ISAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * ISA-L's deflate (isal_library.h): what zlib deflates at level 1 in a fourth of the time, to as
 * many bytes.
 */
struct mw_isal;

/* Null: it isn't there, or there is too little memory. To be freed with mw_isal_destroy. */
struct mw_isal *mw_isal_create(void);
void mw_isal_destroy(struct mw_isal *isal);

/* Begins a stream. */
void mw_isal_reset(struct mw_isal *isal);

/*
 * Gives the stream its next block, which stays in use until it is deflated: then the stream
 * is fully flushed, or ended if this was its last block.
 */
void mw_isal_give(struct mw_isal *isal, const void *block, size_t bytes, bool is_last);

/* Deflates up to room bytes into out, and returns how many: fewer than room at the block's end. */
size_t mw_isal_take(struct mw_isal *isal, void *out, size_t room);

/* CRC-32 as zlib's crc32. */
uint32_t mw_isal_crc(const struct mw_isal *isal, uint32_t crc, const void *block, size_t bytes);

#endif
