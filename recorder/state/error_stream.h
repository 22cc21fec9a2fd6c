#ifndef MWR_STATE_ERROR_STREAM_H
#define MWR_STATE_ERROR_STREAM_H

#include <stddef.h>

/*
 * The stderr that the program was started with. A program may close descriptor 2, and what it
 * opens next has that number: such a file gets nothing from us.
 */

/* Writes text to it, unless descriptor 2 leads elsewhere by now. Does no harm if it can't. */
void mwr_error_stream_write(const char *text, size_t bytes);

#endif
