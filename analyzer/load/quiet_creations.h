#ifndef MWA_LOAD_QUIET_CREATIONS_H
#define MWA_LOAD_QUIET_CREATIONS_H

#include "analyzer/load/positions.h"
#include "analyzer/model/map.h"
#include "analyzer/model/trace.h"

/* What all locations that one thread reads have in common. Zeros, then mwa_quiet_common_init. */
struct mwa_quiet_common {
    const struct mwa_trace *trace;
    struct mwa_positions positions;
    struct mwa_map creations; /* to how many members make the communicators of one call */
    struct mwa_map creators;  /* to the communicator whose first member stands for them */
};

/* False without memory; mwa_quiet_common_fini is due in any case, before trace is freed. */
bool mwa_quiet_common_init(struct mwa_quiet_common *common,
                           const struct mwa_trace *trace) MW_MUST_CHECK;
void mwa_quiet_common_fini(struct mwa_quiet_common *common);

/* What tells from others the communicators that one call makes: those of the same creation on the
 * same parent, at least. */
struct mwa_key mwa_quiet_creation_of(const struct mwa_trace *trace, uint32_t comm);

#endif
