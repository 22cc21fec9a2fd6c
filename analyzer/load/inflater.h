#ifndef MWA_LOAD_INFLATER_H
#define MWA_LOAD_INFLATER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Inflates raw deflate streams piece by piece, by ISA-L where it is installed and few are inflated
 * at a time, since it takes twice zlib's memory, and by zlib otherwise. The bytes are the same.
 * An inflater is for one thread at a time.
 */
struct mwa_inflater;

enum mwa_inflating {
    MWA_INFLATING,       /* as far as what was given and the room allow */
    MWA_INFLATED,        /* the stream has ended */
    MWA_INFLATE_DAMAGED, /* this is no deflate stream */
    MWA_INFLATE_NO_MEMORY
};

/* Of a stream that begins. Null: no memory. To be freed with mwa_inflater_destroy. */
struct mwa_inflater *mwa_inflater_create(void);
void mwa_inflater_destroy(struct mwa_inflater *inflater); /* null is fine */

/* A stream, or a block of one behind a full flush, begins. Nothing was given then. */
void mwa_inflater_reset(struct mwa_inflater *inflater);

/*
 * Whether ISA-L inflates. Of a stream that is damaged, or ends too early, it may have given fewer
 * bytes than there are: then the stream is to be inflated again, by zlib.
 */
bool mwa_inflater_is_fast(const struct mwa_inflater *inflater);

/* As mwa_inflater_reset, and zlib inflates from now on. False: no memory. */
bool mwa_inflater_reset_to_zlib(struct mwa_inflater *inflater);

/* The next bytes of the stream, where all that was given is used up (mwa_inflater_is_through).
 * They stay where they are until they are. */
void mwa_inflater_give(struct mwa_inflater *inflater, const void *bytes, size_t count);
bool mwa_inflater_is_through(const struct mwa_inflater *inflater);

/*
 * Inflates up to room bytes, 1 to 2^30, into out; *got: how many. None where more has to be given,
 * or where nothing comes any more, as what is returned says.
 */
enum mwa_inflating mwa_inflater_take(struct mwa_inflater *inflater, void *out, size_t room,
                                     size_t *got);

/* CRC-32 as zlib's crc32. */
uint32_t mwa_inflater_crc(const struct mwa_inflater *inflater, uint32_t crc, const void *bytes,
                          size_t count);

#endif
