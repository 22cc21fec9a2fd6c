#ifndef MWA_MODEL_RANGES_H
#define MWA_MODEL_RANGES_H

#include <stdint.h>

#include "analyzer/model/trace.h"

/*
 * Lists of ranks as text: "0-3,8-11", in the order of the list; "?" for a rank that is not
 * known (MWA_NONE) or of another job, "?x8" for eight of them.
 */

/*
 * Of count ranks, in a new text (for free), or null without memory. Longer than most bytes
 * (0: no limit) it ends with "…" in their place.
 */
char *mwa_ranges(const uint32_t *ranks, uint64_t count, uint64_t most);

/*
 * The same of the members of communicator index comm; groups of an inter-communicator with
 * "|" between them, "each" for MPI_COMM_SELF, "" where nothing is known.
 */
char *mwa_ranges_of_comm(const struct mwa_trace *trace, uint32_t comm, uint64_t most);

#endif
