#ifndef MWA_REPORT_CAUSE_TEXT_H
#define MWA_REPORT_CAUSE_TEXT_H

#include "analyzer/analysis/results.h"

/*
 * What analyzer/analysis/causes/causes.def says of a cause, with its words in braces filled in. All
 * texts have MWA_CAUSE_BYTES.
 */

#define MWA_CAUSE_BYTES 640

/* What it is, and how much it costs: "rank 1 …: up to 3.1 s of 11.2 s"; text. Of what may come of
 * something else it says "perhaps": before waits that are found, or before what calls cost. */
const char *mwa_cause_sentence(const struct mwa_results *results, const struct mwa_cause *cause,
                               char *text);

/* What helps; null: nothing is advised. */
const char *mwa_cause_advice(const struct mwa_results *results, const struct mwa_cause *cause,
                             char *text);

/* The first cause of a class; null: there is none. */
const struct mwa_cause *mwa_cause_of_class(const struct mwa_results *results,
                                           enum mwa_cause_class class);

#endif
