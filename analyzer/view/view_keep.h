#ifndef MWA_VIEW_VIEW_KEEP_H
#define MWA_VIEW_VIEW_KEEP_H

#include <stdatomic.h>

#include "analyzer/sidecar/sidecar.h"
#include "analyzer/view/view_store.h"

/*
 * A store that is whole, kept in the user's cache (analyzer/sidecar/sidecar.h), so that the next
 * view of the archive needs no pass over it.
 */

/*
 * Fills store, of zeros, by what is kept of the archive with that key; its arrays lie in *sidecar,
 * which is to be closed after mwa_view_store_fini.
 *
 * \return false: nothing is kept, or it does not fit the trace; store is of zeros then.
 */
bool mwa_view_keep_load(struct mwa_view_store *store, const struct mwa_trace *trace,
                        const struct mwa_archive_key *key,
                        struct mwa_sidecar **sidecar) MW_MUST_CHECK;

/*
 * Keeps store, unless *stop is set meanwhile.
 *
 * \return MW_OK. MW_END: it was stopped. As mwa_sidecar_create and mwa_sidecar_write: nothing is
 * kept then, which is a pity for the next view and no more.
 */
enum mw_status mwa_view_keep_save(const struct mwa_view_store *store,
                                  const struct mwa_archive_key *key, const atomic_bool *stop,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
