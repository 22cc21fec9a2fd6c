#ifndef MW_FORMATS_SPOOL_DEFINITION_LAYOUT_H
#define MW_FORMATS_SPOOL_DEFINITION_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How the definitions file is laid out, for its writer and its reader: the header
 * and, for each kind of record, the fields in their order. Private to formats/.
 */

#define MW_DEFINITION_BYTE_ORDER 0x01020304u
#define MW_DEFINITION_HEAD_BYTES 8u /* of a record: length and CRC */

struct mw_definition_header {
    char magic[8]; /* MW_DEFINITION_MAGIC */
    uint32_t version;
    uint32_t byte_order;
    uint64_t nonce;
    uint32_t rank;
    uint32_t reserved;
    uint64_t calls_fingerprint;
};

_Static_assert(sizeof(struct mw_definition_header) == 40, "no padding");

enum mw_field_type {
    MW_FIELD_BOOL, /* u8 */
    MW_FIELD_U32,
    MW_FIELD_U64,
    MW_FIELD_UID,    /* u64 high, u64 low */
    MW_FIELD_TEXT,   /* u32 length, bytes */
    MW_FIELD_MEMBERS, /* u32 count, u32 each; only in struct mw_define_comm */
    MW_FIELD_RANKS    /* the same; only in struct mw_define_sources */
};

struct mw_field {
    enum mw_field_type type;
    size_t offset; /* in the struct of the record's kind */
};

struct mw_definition_layout {
    const struct mw_field *fields;
    size_t count;
    size_t added;   /* of these, at the end: what files of older versions lack; it is 0 or "" */
    uint32_t since; /* the version that added them */
};

/*
 * The bytes of what comes next in the image of a definitions file, of which bytes (1 at least) are
 * left: the header, where it is the first, a whole record, or all that is left where there is none.
 */
uint64_t mw_definition_piece(const char *next, uint64_t bytes, bool is_first);

/* The layout of kind (enum mw_definition_kind); null when there is no such kind. */
const struct mw_definition_layout *mw_definition_layout(unsigned kind);

#endif
