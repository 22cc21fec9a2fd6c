#ifndef MWA_CLI_PROGRESS_H
#define MWA_CLI_PROGRESS_H

#include <stdint.h>

#include "analyzer/load/input.h"

/*
 * How far reading has come, on standard error: only on a terminal, and only when it takes
 * longer than a second. A pass over all events counts as all of the work; commands that
 * need several begin again at 0 %. Not thread-safe.
 */
struct mwa_progress_line {
    uint64_t all;    /* events of the archive */
    uint64_t due_ns; /* when to say more, by the monotonic clock */
    bool is_shown;
};

/* Starts telling of input, until mwa_progress_end; nothing if nobody is there to see it. */
void mwa_progress_begin(struct mwa_progress_line *line, struct mwa_input *input);

/* Wipes what is shown. */
void mwa_progress_end(struct mwa_progress_line *line);

#endif
