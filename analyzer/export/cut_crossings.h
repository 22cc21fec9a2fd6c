#ifndef MWA_EXPORT_CUT_CROSSINGS_H
#define MWA_EXPORT_CUT_CROSSINGS_H

#include "analyzer/export/export_selection.h"

/* A message that was sent before the window and is received in it or later. */
struct mwa_crossing {
    uint32_t location; /* the sender's, an index */
    uint32_t comm;     /* OTF2's id */
    uint32_t peer;
    uint32_t tag;
    uint64_t bytes;
    uint64_t number; /* in order of sending */
};

struct mwa_crossings {
    struct mwa_crossing *list; /* by location, then number */
    uint64_t count;
    uint64_t capacity;
};

/*
 * Finds them by a pass over all messages of the archive of trace, at path. \return as
 * mwa_exchanges_visit; fini is due in any case.
 */
enum mw_status mwa_crossings_find(const struct mwa_trace *trace, const char *path,
                                  const struct mwa_selection *selection,
                                  struct mwa_crossings *crossings,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_crossings_fini(struct mwa_crossings *crossings);

#endif
