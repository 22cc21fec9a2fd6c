#ifndef MWA_LOAD_EVENT_NUMBERS_H
#define MWA_LOAD_EVENT_NUMBERS_H

#include <endian.h>
#include <string.h>

#include "analyzer/load/event_block.h"
#include "analyzer/load/otf2_layout.h"
#include "analyzer/model/number_masks.h"
#include "formats/base/status.h"

/*
 * The numbers of records of events: for event_block.c, whose functions they become parts of.
 *
 * Each reads what begins at a byte and must not go beyond end, and returns where it ends; null when
 * it would, and when there is something else wrong, which block->wrong says. Of a record that has
 * room, end is null: whoever called sees where it ends, and nothing is said.
 */

/* One of up to width bytes, 4 or 8. */
MW_INLINE const unsigned char *mwa_take_number(struct mwa_event_block *block,
                                               const unsigned char *at, const unsigned char *end,
                                               unsigned width, uint64_t *value)
{
    const unsigned size = !end || at < end ? *at : MWA_UNDEFINED_SIZE - 1;

    if (MW_UNLIKELY(size > width)) {
        if (size == MWA_UNDEFINED_SIZE) {
            *value = mwa_number_masks[width];
            return at + 1;
        }
        block->wrong = end && size <= 8 ? "a number has more bytes than its kind of number can have"
                                      : NULL;
        return NULL;
    }
    if (end && MW_UNLIKELY((size_t)(end - at) <= size)) {
        return NULL;
    }
    if (!end || MW_LIKELY(!block->big_endian && block->end - at > 8)) {
        memcpy(value, at + 1, sizeof *value);
        *value = le64toh(*value) & mwa_number_masks[size];
    } else {
        *value = mwa_otf2_value(at + 1, size, block->big_endian);
    }
    return at + 1 + size;
}

MW_INLINE const unsigned char *mwa_take_byte(const unsigned char *at, const unsigned char *end,
                                             uint64_t *value)
{
    if (end && MW_UNLIKELY(at == end)) {
        return NULL;
    }
    *value = *at;
    return at + 1;
}

/* One of size bytes, 1, 2, 4 or 8. */
static inline const unsigned char *mwa_take_full(const struct mwa_event_block *block,
                                                 const unsigned char *at,
                                                 const unsigned char *end, unsigned size,
                                                 uint64_t *value)
{
    if (end && (size_t)(end - at) < size) {
        return NULL;
    }
    *value = mwa_otf2_value(at, size, block->big_endian);
    return at + size;
}

/* The number of a definition, as all locations have it. */
MW_INLINE uint64_t mwa_of_all(const struct mwa_event_block *block, OTF2_MappingType kind,
                              uint64_t id)
{
    if (MW_UNLIKELY(block->translate != NULL)) {
        id = block->translate(block->tables, kind, id);
        return kind == OTF2_MAPPING_LOCATION ? id : (uint32_t)id;
    }
    return id;
}

#endif
