/*
 * A message's length comes before its bytes, which are not written yet: four bytes
 * are kept free for it, so that nothing is moved or made twice.
 */
#include "analyzer/export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/utf8.h"

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2 };

#define LENGTH_BYTES 4u

static void put_number(struct mw_buffer *buffer, uint64_t value)
{
    char bytes[10];
    size_t count = 0;

    do {
        bytes[count++] = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value > 0);
    mw_buffer_append(buffer, bytes, count);
}

static void put_tag(struct mw_buffer *buffer, unsigned field, enum wire_type type)
{
    put_number(buffer, (uint64_t)field << 3 | type);
}

void mwa_proto_varint(struct mw_buffer *buffer, unsigned field, uint64_t value)
{
    put_tag(buffer, field, WIRE_VARINT);
    put_number(buffer, value);
}

void mwa_proto_signed(struct mw_buffer *buffer, unsigned field, int64_t value)
{
    mwa_proto_varint(buffer, field, (uint64_t)value);
}

void mwa_proto_fixed64(struct mw_buffer *buffer, unsigned field, uint64_t value)
{
    put_tag(buffer, field, WIRE_FIXED64);
    mw_buffer_u64(buffer, value);
}

void mwa_proto_double(struct mw_buffer *buffer, unsigned field, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    mwa_proto_fixed64(buffer, field, bits);
}

void mwa_proto_text(struct mw_buffer *buffer, unsigned field, const char *text)
{
    char *clean = mw_utf8_clean(text);

    if (!clean) {
        buffer->failed = true;
        return;
    }
    put_tag(buffer, field, WIRE_LENGTH);
    put_number(buffer, strlen(clean));
    mw_buffer_append(buffer, clean, strlen(clean));
    free(clean);
}

size_t mwa_proto_begin(struct mw_buffer *buffer, unsigned field)
{
    put_tag(buffer, field, WIRE_LENGTH);
    (void)mw_buffer_extend(buffer, LENGTH_BYTES);
    return buffer->bytes;
}

void mwa_proto_end(struct mw_buffer *buffer, size_t begun)
{
    size_t length = buffer->bytes - begun;

    for (unsigned i = 0; i < LENGTH_BYTES && !buffer->failed; i++) {
        buffer->data[begun - LENGTH_BYTES + i] =
            (char)((length & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
        length >>= 7;
    }
}
