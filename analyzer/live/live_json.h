#ifndef MWA_LIVE_LIVE_JSON_H
#define MWA_LIVE_LIVE_JSON_H

#include <stdio.h>

#include <jansson.h>

#include "analyzer/live/live_watch.h"

/* Prints what the latest look told as one line of JSON (mpiwatch-top(1) has its keys), with what
 * was read of events, if they were; and flushes out.
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_SYSTEM: out has failed. */
enum mw_status mwa_live_json(const struct mwa_live_watch *watch, FILE *out,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Prints root, which it frees, and the end of the line: as a whole, or nothing if it may lack
 * something, since memory was short more often (analyzer/model/shortage.h) than when it was begun.
 * False: that, no memory, or out has failed. */
bool mwa_live_json_print(json_t *root, size_t flags, uint64_t shortages, FILE *out);

#endif
