#ifndef MWA_LIVE_ALARM_H
#define MWA_LIVE_ALARM_H

#include <jansson.h>

#include "analyzer/live/live.h"

/*
 * What who watches a run for hangs says and does: on the standard error of the run's first process
 * on this host, opened for each sentence, and in NAME.run. One thread at a time.
 */

/*
 * Why the run stands, as mpiwatch-top --why --json has it: *document is to be json_decref'd, null
 * unless MW_OK. Takes as long as the spools take to be read; ends early when the run does.
 *
 * \return MW_OK; MW_ERROR_FORMAT: there is no explanation, or the run has ended; MW_ERROR_SYSTEM;
 * MW_ERROR_MEMORY.
 */
enum mw_status mwa_alarm_ask(struct mwa_live *live, json_t **document,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Whether it is a proved deadlock, of a run all of which is seen here. */
bool mwa_alarm_is_proved(const struct mwa_live *live, const json_t *document);

/* Whether two explanations say the same of all ranks. Null is none. */
bool mwa_alarm_is_same(const json_t *one, const json_t *other);

/* Says that there was no progress for so many s, and why: null, if nobody knows. run_file may be
 * null. */
void mwa_alarm_tell(const struct mwa_live *live, const char *run_file, double seconds,
                    const json_t *document);

/* Says a sentence, as printf does. */
void mwa_alarm_say(const struct mwa_live *live, const char *format, ...) MW_PRINTF(2, 3);

/* Sends the signal to the run's processes on this host, those alone that have its spools mapped. */
void mwa_alarm_signal(const struct mwa_live *live, int signal);

#endif
