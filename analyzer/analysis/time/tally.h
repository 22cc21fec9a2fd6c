#ifndef MWA_ANALYSIS_TIME_TALLY_H
#define MWA_ANALYSIS_TIME_TALLY_H

#include "analyzer/model/map.h"
#include "formats/base/buffer.h"

/*
 * Sums by key: a few of them in place, many in a table. All zero is empty. Not
 * thread-safe.
 */

#define MWA_TALLY_FEW 4u

struct mwa_tally {
    uint32_t few; /* used elements of keys and sums; all are in table if that has any */
    uint32_t keys[MWA_TALLY_FEW];
    uint64_t sums[MWA_TALLY_FEW];
    struct mwa_map table;
};

/* Adds amount to key's sum; false when there is no memory. */
bool mwa_tally_add(struct mwa_tally *tally, uint32_t key, uint64_t amount);

/* Adds all of from to into; false when there is no memory. */
bool mwa_tally_add_all(struct mwa_tally *into, const struct mwa_tally *from);

/* The same, and empties from, which costs what the smaller one has. */
bool mwa_tally_absorb(struct mwa_tally *into, struct mwa_tally *from);

/* Adds the sums of keys first, first + 1 … to sums[0], sums[1] …, count of them. */
void mwa_tally_spread(const struct mwa_tally *tally, uint32_t first, uint64_t *sums,
                      uint64_t count);

uint64_t mwa_tally_get(const struct mwa_tally *tally, uint32_t key);

/* For another process (analyzer/team/packing.h): unpack adds to tally what pack has appended.
 * MW_OK, MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other bytes. */
void mwa_tally_pack(const struct mwa_tally *tally, struct mw_buffer *to);
enum mw_status mwa_tally_unpack(struct mwa_tally *tally, struct mw_cursor *from) MW_MUST_CHECK;

void mwa_tally_fini(struct mwa_tally *tally);

#endif
