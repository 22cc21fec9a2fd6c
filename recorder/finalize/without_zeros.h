#ifndef MWR_FINALIZE_WITHOUT_ZEROS_H
#define MWR_FINALIZE_WITHOUT_ZEROS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Plain data of which most is zero, as a struct of texts with much room behind each, told in few
 * bytes: pieces, each with how many zeros are before it. For processes with the same order of
 * bytes. Thread-safe.
 */

/* Room for what bytes of data come to at most. */
#define MWR_WITHOUT_ZEROS_MAX(bytes) ((bytes) + 16u)

/* \return how many bytes of packed, MWR_WITHOUT_ZEROS_MAX(bytes) of room, were filled. */
uint64_t mwr_without_zeros(const void *data, uint64_t bytes, void *packed);

/* Fills bytes of data as they were; what packed does not tell of them is 0. */
void mwr_with_zeros(const void *packed, uint64_t packed_bytes, void *data, uint64_t bytes);

#endif
