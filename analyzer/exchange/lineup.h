#ifndef MWA_EXCHANGE_LINEUP_H
#define MWA_EXCHANGE_LINEUP_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * Which location is the first, of all or of one rank, by something of theirs that changes:
 * found at once, while a change costs the logarithm of the number of locations. (A tournament:
 * a tree whose nodes know the first of what is below them.) Locations of no rank don't take part.
 *
 * Not thread-safe.
 */

/* Whether one comes before other, two different locations; one of each two does. */
typedef bool (*mwa_lineup_order)(const void *user, uint32_t one, uint32_t other);

/* Fields are private. */
struct mwa_lineup {
    mwa_lineup_order is_before;
    const void *user;
    uint32_t count;   /* locations of ranks */
    uint32_t *places; /* per location: those of rank 0, of rank 1, … */
    uint32_t *starts; /* per rank: its first place; behind the last rank the end */
    uint32_t *tree;   /* locations: of the places from count on, below these the first of two */
};

/*
 * Lines up the locations of trace, which must outlive it, by how they are now.
 *
 * \return true, to be freed with mwa_lineup_fini; false without memory, nothing to be freed.
 */
bool mwa_lineup_init(struct mwa_lineup *lineup, const struct mwa_trace *trace,
                     mwa_lineup_order is_before, const void *user) MW_MUST_CHECK;

/* All zero may be freed, too. */
void mwa_lineup_fini(struct mwa_lineup *lineup);

/* What is_before compares of location, one of a rank, has changed. */
void mwa_lineup_changed(struct mwa_lineup *lineup, uint32_t location);

/* The first location of all, or of rank; MWA_NONE: there is none. */
uint32_t mwa_lineup_first(const struct mwa_lineup *lineup);
uint32_t mwa_lineup_first_of(const struct mwa_lineup *lineup, uint32_t rank);

/* All locations of rank, *count of them, in no order; they live as long as the lineup. */
const uint32_t *mwa_lineup_all_of(const struct mwa_lineup *lineup, uint32_t rank, uint32_t *count);

#endif
