#ifndef MWA_LIVE_LIVE_LIST_H
#define MWA_LIVE_LIVE_LIST_H

#include <stdio.h>

#include "analyzer/live/live.h"

/* The runs that run, newest first, for those who have to choose one. */

/* Prints them, for mwa_lay_out, with chosen (a position) marked; UINT32_MAX: none. False: no
 * memory. */
bool mwa_live_list_put(const struct mwa_live *live, uint32_t chosen, FILE *out);

/* Prints them as a line of JSON. False: no memory, or out has failed. */
bool mwa_live_list_json(const struct mwa_live *live, FILE *out);

#endif
