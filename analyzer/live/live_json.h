#ifndef MWA_LIVE_LIVE_JSON_H
#define MWA_LIVE_LIVE_JSON_H

#include <stdio.h>

#include "analyzer/live/live_watch.h"

/* Prints what the latest look told as one line of JSON (mpiwatch-top(1) has its keys), with what
 * was read of events, if they were; and flushes out.
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_SYSTEM: out has failed. */
enum mw_status mwa_live_json(const struct mwa_live_watch *watch, FILE *out,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
