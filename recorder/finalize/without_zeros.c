/*
 * A run of zeros ends a piece only where it is longer than the head of the next one, so
 * that data without zeros grows by no more than one head.
 */
#include "recorder/finalize/without_zeros.h"

#include <string.h>

struct piece {
    uint32_t zeros; /* before it */
    uint32_t bytes;
};

static uint64_t zeros_at(const char *data, uint64_t bytes, uint64_t at)
{
    uint64_t end = at;

    while (end < bytes && data[end] == 0) {
        end++;
    }
    return end - at;
}

/* Where the piece that begins at from ends: before many zeros, or at the end. */
static uint64_t end_of_piece(const char *data, uint64_t bytes, uint64_t from)
{
    uint64_t at = from;

    while (at < bytes) {
        uint64_t zeros = zeros_at(data, bytes, at);

        if (zeros > sizeof(struct piece) || at + zeros == bytes) {
            return at;
        }
        at += zeros + 1;
    }
    return at;
}

uint64_t mwr_without_zeros(const void *data, uint64_t bytes, void *packed)
{
    const char *from = data;
    char *to = packed;
    uint64_t at = 0;

    while (at < bytes) {
        uint64_t begin = at + zeros_at(from, bytes, at);
        uint64_t end = end_of_piece(from, bytes, begin);
        struct piece piece = {(uint32_t)(begin - at), (uint32_t)(end - begin)};

        memcpy(to, &piece, sizeof piece);
        memcpy(to + sizeof piece, from + begin, piece.bytes);
        to += sizeof piece + piece.bytes;
        at = end;
    }
    return (uint64_t)(to - (char *)packed);
}

void mwr_with_zeros(const void *packed, uint64_t packed_bytes, void *data, uint64_t bytes)
{
    const char *from = packed;
    const char *end = from + packed_bytes;
    char *to = data;
    uint64_t left = bytes;
    struct piece piece;

    memset(data, 0, bytes);
    while ((size_t)(end - from) >= sizeof piece) {
        memcpy(&piece, from, sizeof piece);
        from += sizeof piece;
        if (piece.zeros > left || piece.bytes > left - piece.zeros ||
            piece.bytes > (size_t)(end - from)) {
            return;
        }
        memcpy(to + piece.zeros, from, piece.bytes);
        to += piece.zeros + piece.bytes;
        left -= piece.zeros + piece.bytes;
        from += piece.bytes;
    }
}
