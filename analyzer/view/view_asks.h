#ifndef MWA_VIEW_VIEW_ASKS_H
#define MWA_VIEW_VIEW_ASKS_H

#include <jansson.h>

#include "analyzer/view/view_index.h"
#include "analyzer/view/view_server.h"

/*
 * What a page asks to find its way, of an archive that has been read:
 *
 *   /part    the report of a span and of ranks (view_part.h): from, to, ranks begin it; job asks
 *            how far it is, and with end=1 ends it
 *
 * \return the status of HTTP, and *answer, null without memory; 0: it is none of these. Any thread.
 */
unsigned mwa_view_asks(struct mwa_view_index *index, const struct mwa_view_question *question,
                       json_t **answer);

#endif
