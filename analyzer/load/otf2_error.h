#ifndef MWA_LOAD_OTF2_ERROR_H
#define MWA_LOAD_OTF2_ERROR_H

#include <stdbool.h>

#include "analyzer/load/member.h"
#include "formats/status.h"

/*
 * libotf2 prints its errors unless it is given a callback; this one keeps the first
 * message of a thread, for the diagnostic of the call that fails in the end.
 */

/* From now on libotf2 is silent, in the whole process. */
void mwa_otf2_errors_take(void);

/* Forgets this thread's message. */
void mwa_otf2_errors_clear(void);

/*
 * Runs call(argument), which calls libotf2, and leaves it at the first error. Reading a
 * damaged anchor file, libotf2 would otherwise clean up each of the properties that a
 * wrong number promises, up to four thousand million. What it had open stays open.
 *
 * \return true when call has returned, false when it was left.
 */
bool mwa_otf2_guarded(void (*call)(void *argument), void *argument);

/*
 * Fills diagnostic for a call of libotf2 that failed: with the streams' first fault if
 * there is one, else with MW_ERROR_FORMAT, the place read last, and libotf2's message;
 * what says what was being done.
 *
 * \return the status filled in, never MW_OK.
 */
enum mw_status mwa_otf2_fail(const struct mwa_stream_log *log, const char *what,
                             struct mw_diagnostic *diagnostic);

#endif
