#ifndef MWA_LOAD_EVENT_RECORD_H
#define MWA_LOAD_EVENT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* One event as OTF2's file of a location has it: what event_block.h reads. */

/* By the numbers of the files; one of a later version has another. */
enum mwa_record_type {
#define MWA_RECORD(number, NAME, name, form, fields) MWA_RECORD_##NAME = (number),
#include "analyzer/load/event_records.def"
};

#define MWA_RECORD_FIELDS 6u /* of a record at most */

struct mwa_attribute {
    uint32_t id;
    uint8_t type;  /* OTF2_Type */
    uint64_t bits; /* of a value of that type, zeros above those of a small one */
};

struct mwa_attributes {
    struct mwa_attribute *list; /* in their order, each id once */
    uint64_t count;
};

struct mwa_record {
    unsigned type;     /* enum mwa_record_type, or another */
    uint64_t time;     /* ticks */
    uint64_t position; /* 1 is the first event of the location */
    uint64_t fields[MWA_RECORD_FIELDS]; /* in their order; of V and S how many there are */
    struct mwa_attributes attributes;
    const uint8_t *types;   /* of V */
    const uint64_t *values; /* of V and S; they live until the next record is read */
};

/* What OTF2 calls events of this type; null: there is no such type. */
const char *mwa_record_name(unsigned type);

/* There is an attribute of that id and type (OTF2_Type): *bits are those of its value then. */
static inline bool mwa_attribute_find(const struct mwa_attributes *attributes, uint32_t id,
                                      uint8_t type, uint64_t *bits)
{
    for (uint64_t i = 0; i < attributes->count; i++) {
        const struct mwa_attribute *attribute = &attributes->list[i];

        if (attribute->id == id && attribute->type == type && id != UINT32_MAX) {
            *bits = attribute->bits;
            return true;
        }
    }
    return false;
}

#endif
