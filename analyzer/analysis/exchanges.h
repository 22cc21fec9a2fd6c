#ifndef MWA_ANALYSIS_EXCHANGES_H
#define MWA_ANALYSIS_EXCHANGES_H

#include "analyzer/analysis/follower.h"
#include "analyzer/analysis/results.h"
#include "formats/base/status.h"

/*
 * Runs pass (see mwa_pass_run for totals) with an exchange engine that count analyses share; where
 * there are none messages are only matched. Fills results' pass, matching and, by an engine,
 * exchange, and the results of the analyses.
 *
 * \return MW_OK; as mwa_pass_run.
 */
enum mw_status mwa_exchanges_run(struct mwa_pass *pass,
                                 const struct mwa_wanted_exchange *wanted, uint32_t count,
                                 const struct mwa_scope *scope, void **totals,
                                 struct mwa_results *results,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

typedef enum mw_status (*mwa_message_visit)(void *user, const struct mwa_trace *trace,
                                            const struct mwa_message *message);

/*
 * Calls message for each matched message of the archive at path, whose trace is known, and wait
 * (null: not wanted) for each wait that counts; its trace lives as long. What they return other
 * than MW_OK stops. Messages sent behind span and waits that begin there may not be told: the
 * archive is read until all others have been; and from start on, which is before span (null: from
 * the beginning), where messages begin to be numbered.
 *
 * \return MW_OK; as mwa_input_open and mwa_pass_run; what one of them returned.
 */
enum mw_status mwa_exchanges_visit(const struct mwa_trace *trace, const char *path,
                                   const struct mwa_span *span,
                                   const struct mwa_reading_start *start,
                                   mwa_message_visit message, mwa_wait_told wait, void *user,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
