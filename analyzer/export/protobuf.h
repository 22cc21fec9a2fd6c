#ifndef MWA_EXPORT_PROTOBUF_H
#define MWA_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

#include "formats/base/buffer.h"

/*
 * Messages of Protocol Buffers (protobuf.dev, "Encoding"), appended to a buffer field by
 * field. A message inside another is put between begin and end; its length is written with
 * four bytes whatever it is, which decoders take as well.
 */

void mwa_proto_varint(struct mw_buffer *buffer, unsigned field, uint64_t value);
void mwa_proto_signed(struct mw_buffer *buffer, unsigned field, int64_t value); /* int64 */
void mwa_proto_fixed64(struct mw_buffer *buffer, unsigned field, uint64_t value);
void mwa_proto_double(struct mw_buffer *buffer, unsigned field, double value);

/* Text; bytes that are not UTF-8 become U+FFFD, as the format wants UTF-8. */
void mwa_proto_text(struct mw_buffer *buffer, unsigned field, const char *text);

/* Begins a message of less than 2^28 bytes; what is returned is for its end. */
size_t mwa_proto_begin(struct mw_buffer *buffer, unsigned field);
void mwa_proto_end(struct mw_buffer *buffer, size_t begun);

#endif
