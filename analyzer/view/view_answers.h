#ifndef MWA_VIEW_VIEW_ANSWERS_H
#define MWA_VIEW_VIEW_ANSWERS_H

#include "analyzer/view/view_index.h"
#include "analyzer/view/view_server.h"

/*
 * What the view answers: the page, its style and its script, and of an archive (user is a struct
 * mwa_view_index)
 *
 *   /meta    what it is of, its rows, states and times
 *   /states  what rows did in equal cells of time: u16, little-endian, [row][cell][state], parts of
 *            10,000; from, to, cells, first, rows or list; group: so many rows are summed up to
 *            one. States are those of ranks, and those of other locations where some have rows
 *   /span    the same of one cell, exactly: ticks, JSON; from, to, first, rows
 *   /near    single calls and messages (view_near.h, view_comms.h); from, to, first, rows
 *   /preview a rough picture of what has been read so far (view_preview.h)
 *   /call    one call (view_detail.h); id
 *   /band    one collective operation (view_bands.h); id
 *   /waits   the longest waits
 *   /lanes/… what is below the rows (view_lanes_answers.h); from, to, cells
 *
 * and what view_asks.h has.
 *
 * As long as it is read 503 is answered, and 500 where it can't be, each with {"error": why}.
 * Times are ticks since the first event. Rows are first and how many, or list=0-31,40. What is
 * asked for that there is not is cut to what there is; answers are bounded. Any thread.
 */
void mwa_view_answer(void *user, const struct mwa_view_question *question,
                     struct mwa_view_answer *answer);

/* Answers with a part of the pages, "/" or "/view.css"; false: there is none such. Any thread. */
bool mwa_view_source(const char *path, struct mwa_view_answer *answer);

/*
 * {"stage": "reading", "read": 1, "all": 2} or with "ready", or "failed" and why; "unkept" says why
 * what was read is not kept, "fate" what has become of the archive. Any thread.
 */
void mwa_view_tell(void *user, char *text, size_t size);

#define MWA_VIEW_WHY_BYTES   1800u /* all that a diagnostic says */
#define MWA_VIEW_GROUPS_MOST 256u /* of rows, in an answer of /states */
#define MWA_VIEW_CELLS_MOST  2048u

#endif
