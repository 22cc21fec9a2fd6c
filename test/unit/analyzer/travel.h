#ifndef MW_TEST_UNIT_ANALYZER_TRAVEL_H
#define MW_TEST_UNIT_ANALYZER_TRAVEL_H

#include "analyzer/analysis/analysis.h"

/*
 * What was found travels to another process, which this one is, too: it is packed, and taken out
 * again (analyzer/team/packing.h). On the way others' bytes are tried, which have to harm nobody.
 */

/* An analysis of exchanges, of whose kind are its findings. */
struct traveller {
    const struct mwa_exchange_analysis *analysis;
    size_t size;                /* of its result */
    void (*fini)(void *result); /* null: there is nothing to be freed in that */
    const struct mwa_trace *trace;
    const struct mwa_scope *scope;
};

/*
 * found, which is destroyed, as another process gets it, its paths in paths. Before that up to
 * tries of its bytes' beginnings, and as many copies that are spoiled, are refused, or appended to
 * nothing and finished.
 */
void *travel(const struct traveller *traveller, void *found, struct mwa_region_paths *paths,
             uint32_t tries);

/*
 * The same of anything: has take look at beginnings of packed, each of which it has to refuse with
 * MW_ERROR_FORMAT; at spoiled copies, which it may take or refuse; and at all of it, which it has
 * to take and leave nothing of. These are others each time, and in memory of their own, so that a
 * look behind their last byte is seen. take gives back whatever it makes of them.
 */
void travel_try(const struct mw_buffer *packed, uint32_t tries,
                enum mw_status (*take)(void *user, struct mw_cursor *from), void *user);

#endif
