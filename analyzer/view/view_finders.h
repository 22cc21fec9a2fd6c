#ifndef MWA_VIEW_VIEW_FINDERS_H
#define MWA_VIEW_VIEW_FINDERS_H

#include <stdint.h>

#include "analyzer/view/view_store.h"
#include "formats/base/status.h"

/*
 * Which calls, as probes that block, have found a message that is not told yet: a message is told
 * when it is received, behind them. Memory is that of messages which were found and are not
 * received. Not thread-safe.
 */

/* Fields are private. All zero: nobody has found anything. */
struct mwa_view_finders {
    struct mwa_view_finder *list;
    uint64_t capacity;
    uint32_t count;
    uint32_t free; /* the first that can be used again, and 1; 0: none */
};

/* Frees the memory; all zero may be freed, too. */
void mwa_view_finders_fini(struct mwa_view_finders *finders);

/*
 * call of store has found a message of which *note is kept, 0 before anybody has: until it is told
 * that the message is received, the call is one that has found what is not.
 *
 * \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_view_finders_add(struct mwa_view_finders *finders,
                                    const struct mwa_view_store *store, uint32_t call,
                                    uint64_t *note, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The message is received: the first call that found it; MWA_NONE: none is known. */
uint32_t mwa_view_finders_received(struct mwa_view_finders *finders,
                                   const struct mwa_view_store *store, uint64_t note);

#endif
