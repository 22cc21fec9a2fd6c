#ifndef MWA_REPORT_VERDICT_H
#define MWA_REPORT_VERDICT_H

#include "analyzer/analysis/results.h"

/*
 * What is to be said first, and what to do: sentences from the rules that
 * mpiwatch-analyses(7) states.
 */

#define MWA_VERDICT_BYTES 1024

/*
 * What dominates, who, and why, in text (of MWA_VERDICT_BYTES).
 *
 * \return text.
 */
const char *mwa_verdict(const struct mwa_results *results, char *text);

/*
 * The next cause, which stands below the verdict, in text (of MWA_VERDICT_BYTES).
 *
 * \return text, or null when there is none.
 */
const char *mwa_second_verdict(const struct mwa_results *results, char *text);

/*
 * One or two sentences in text (of MWA_VERDICT_BYTES).
 *
 * \return text, or null when no rule has anything to say.
 */
const char *mwa_advice(const struct mwa_results *results, char *text);

#endif
