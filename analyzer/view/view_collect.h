#ifndef MWA_VIEW_VIEW_COLLECT_H
#define MWA_VIEW_VIEW_COLLECT_H

#include <stdatomic.h>

#include "analyzer/load/input.h"
#include "analyzer/view/view_store.h"

/*
 * Fills store, made for input's trace, in one pass over the archive at path: calls as the pass
 * tells them, messages, collectives and waits as the analyzer finds them. Memory: that of the pass
 * and of the engine; what is in store is on disk.
 *
 * \return MW_OK; MW_END: *stop was set. As mwa_exchanges_run, mwa_view_array_add.
 */
enum mw_status mwa_view_collect(struct mwa_input *input, const char *path,
                                struct mwa_view_store *store, const atomic_bool *stop,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
