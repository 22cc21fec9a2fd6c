#ifndef MWA_ANALYSIS_CURSOR_CALLS_H
#define MWA_ANALYSIS_CURSOR_CALLS_H

#include "analyzer/analysis/cursor.h"

/*
 * The calls of a location that is read: a cursor's own. What they return is MW_OK, and else what
 * the cursor's diagnostic says.
 */

/* Takes the next event: user is the cursor. */
enum mw_status mwa_cursor_take(void *user, const struct mwa_event *event) MW_MUST_CHECK;

/* Closes the innermost call, of which there is one, at the event's time; open: it was not left. */
enum mw_status mwa_cursor_close_call(struct mwa_cursor *cursor, const struct mwa_event *event,
                                     bool open) MW_MUST_CHECK;

/* Tells the listener of a waypoint. */
enum mw_status mwa_cursor_tell_waypoint(const struct mwa_cursor *cursor,
                                        const struct mwa_waypoint *waypoint) MW_MUST_CHECK;

/* The index of cursor's location. */
static inline uint32_t mwa_cursor_index(const struct mwa_cursor *cursor)
{
    return (uint32_t)(cursor->location - mwa_input_trace(cursor->pass->input)->locations);
}

/* The row of polls, if there is one, is over. */
enum mw_status mwa_cursor_end_row(struct mwa_cursor *cursor) MW_MUST_CHECK;

/* Where the outermost MPI call begins that is open, or the row of polls that may go on; else the
 * time of the last event: ticks. */
static inline uint64_t mwa_cursor_begin_of_open(const struct mwa_cursor *cursor)
{
    if (cursor->row.polls > 0) {
        return cursor->row.enter;
    }
    return cursor->moment.mpi_depth > 0 ? cursor->moment.mpi_enter : cursor->time;
}

#endif
