#ifndef MWA_LIVE_LIVE_JSON_H
#define MWA_LIVE_LIVE_JSON_H

#include <stdio.h>

#include "analyzer/live/live.h"

/* Prints what the latest look told as one line of JSON (mpiwatch-top(1) has its keys), and flushes
 * out. \return false: no memory, or out has failed. */
bool mwa_live_json(const struct mwa_live *live, FILE *out);

#endif
