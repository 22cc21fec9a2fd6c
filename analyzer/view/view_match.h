#ifndef MWA_VIEW_VIEW_MATCH_H
#define MWA_VIEW_VIEW_MATCH_H

#include "analyzer/view/view_store.h"

/* Which calls fit what a user looks for. */

enum mwa_view_sought {
    MWA_VIEW_BY_REGION, /* the name of the call, or of the region of the program */
    MWA_VIEW_BY_COMM,   /* a name or the uid of a communicator that it has to do with */
    MWA_VIEW_BY_TAG,    /* of a message that it has to do with */
    MWA_VIEW_BY_SIZE,   /* it, or such a message, has more bytes than that */
    MWA_VIEW_BY_LINE,   /* FILE:LINE, FILE or LINE that it was called at */
    MWA_VIEW_SOUGHTS
};

struct mwa_view_match {
    const struct mwa_view_store *store;
    enum mwa_view_sought by;
    bool *fits; /* by region, communicator or site; null: it is a number */
    uint64_t number;
};

/*
 * What texts there are that fit is looked up once. Capitals or not is the same; a text is found
 * anywhere, but with * or ? it is the whole, as by fnmatch(3).
 *
 * \return MW_OK, to be freed with mwa_view_match_fini in any case; MW_ERROR_USAGE: no number where
 * one is needed, or nothing at all; MW_ERROR_MEMORY.
 */
enum mw_status mwa_view_match_init(struct mwa_view_match *match,
                                   const struct mwa_view_store *store, enum mwa_view_sought by,
                                   const char *text,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_view_match_fini(struct mwa_view_match *match);

/* Whether a call fits. Any thread. */
bool mwa_view_matches(const struct mwa_view_match *match, uint32_t call);

#endif
