#ifndef MWA_LOAD_OTF2_ERROR_H
#define MWA_LOAD_OTF2_ERROR_H

#include "analyzer/load/member.h"
#include "formats/base/status.h"

/*
 * libotf2 prints its errors unless it is given a callback; this one keeps the first
 * message of a thread, for the diagnostic of the call that fails in the end.
 */

/* From now on libotf2 is silent, in the whole process. */
void mwa_otf2_errors_take(void);

/* Forgets this thread's message. */
void mwa_otf2_errors_clear(void);

/*
 * Fills diagnostic for a call of libotf2 that failed: with the streams' first fault if
 * there is one, else with MW_ERROR_MEMORY if libotf2 got none, else with MW_ERROR_FORMAT, the
 * place read last, and libotf2's message; what says what was being done.
 *
 * \return the status filled in, never MW_OK.
 */
enum mw_status mwa_otf2_fail(const struct mwa_stream_log *log, const char *what,
                             struct mw_diagnostic *diagnostic);

#endif
