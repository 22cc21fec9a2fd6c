#ifndef MWA_VIEW_VIEW_ASKS_H
#define MWA_VIEW_VIEW_ASKS_H

#include <jansson.h>

#include "analyzer/view/view_index.h"
#include "analyzer/view/view_server.h"

#define MWA_VIEW_UNREAD 503u

/*
 * What a page asks to find its way, of an archive that has been read:
 *
 *   /part    the report of a span and of ranks (view_part.h): from, to, ranks begin it; job asks
 *            how far it is, and with end=1 ends it
 *   /search  the next call that fits text (by region, comm, tag, size or line: view_match.h) at a
 *            time or later, or behind a call that begins then; before that with back=1: { "hit": a
 *            place or null, "until": null, or that it was looked at up to this time only }, and
 *            with count=1 how many fit ("count", "is_whole": else there may be more), and which one
 *            of them the hit is ("position", from 1 on)
 *   /comms   communicators (view_comms.h)
 *   /kinds   waits by pattern, and the longest of each (view_detail.h)
 *   /called  how often each rank calls what (view_called.h)
 *
 * \return the status of HTTP, and *answer, null without memory. MWA_VIEW_UNREAD: it is one of
 * these, and the archive has not been read. 0: it is none of these. Any thread.
 */
unsigned mwa_view_asks(struct mwa_view_index *index, const struct mwa_view_question *question,
                       json_t **answer);

#endif
