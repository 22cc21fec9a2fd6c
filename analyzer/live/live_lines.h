#ifndef MWA_LIVE_LIVE_LINES_H
#define MWA_LIVE_LIVE_LINES_H

#include "analyzer/live/live.h"

/*
 * The lines of the program from which calls are made. What debugging information has of them is
 * looked up beside, by another program, while the screen goes on: a line is there some looks after
 * its call. Each is asked for once.
 */
struct mwa_live_lines;
struct mwa_site;
struct mwa_stack_frame;

/* Null: no memory. */
struct mwa_live_lines *mwa_live_lines_create(void);
void mwa_live_lines_destroy(struct mwa_live_lines *lines); /* null is fine */

/* Takes what has been found since, and asks for the calls that threads are in. With is_waiting it
 * returns when these have been looked up, MW_RESOLVER_SECONDS at most. What fails leaves lines
 * unknown. */
void mwa_live_lines_look(struct mwa_live_lines *lines, struct mwa_live *live, bool is_waiting);

/* The next look is to ask for the place of a record's code of that process, too. */
void mwa_live_lines_want(struct mwa_live_lines *lines, const struct mwa_live *live,
                         const struct mwa_live_process *process, uint32_t code);

/* Fills in where a record's code of the process says that it was called, as far as that is known:
 * file, line, function, library and frame, an index into mwa_live_frames. Valid until the next
 * look. */
void mwa_live_place_of(const struct mwa_live *live, const struct mwa_live_process *process,
                       uint32_t code, struct mwa_site *place);

/* All frames, as many as live->sites has, with texts valid until the next look; the caller's to
 * free. Null: no memory. */
struct mwa_stack_frame *mwa_live_frames(const struct mwa_live *live);

/* The line of the call that the thread is in, "held.c:35", as it is in the program, or where that
 * calls a library that is in it; false: not known. */
bool mwa_live_line(const struct mwa_live *live, const struct mwa_live_thread *thread, char *text,
                   size_t size);

#endif
