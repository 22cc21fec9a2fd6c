#ifndef MWA_VIEW_VIEW_QUESTION_H
#define MWA_VIEW_VIEW_QUESTION_H

#include "analyzer/view/view_server.h"
#include "analyzer/view/view_store.h"

/* Numbers and times that are asked for. Any thread. */

/* The number by that name, at most most; otherwise, if there is none. */
uint64_t mwa_view_number(const struct mwa_view_question *question, const char *name,
                         uint64_t otherwise, uint64_t most);

/*
 * The part of the run that is asked for by from and to, which count from the first event: ticks of
 * the archive. Without them it is the whole run. It may reach behind the end, and does not end
 * before it begins.
 */
void mwa_view_times(const struct mwa_view_store *store, const struct mwa_view_question *question,
                    uint64_t *from, uint64_t *to);

#endif
