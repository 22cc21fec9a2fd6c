#ifndef MWA_LIVE_LIVE_TABLES_H
#define MWA_LIVE_LIVE_TABLES_H

#include <jansson.h>

#include "analyzer/live/live_detail.h"
#include "analyzer/live/live_screen.h"

/* What the analyses found so far, as the tables of live views. */

/* Prints the view that the screen shows, other than that of ranks. \return as mwa_live_put. */
uint32_t mwa_live_tables_put(const struct mwa_live_detail *detail,
                             const struct mwa_live_found *found,
                             const struct mwa_live_screen *screen, FILE *out);

/* All of them, as members of object. */
void mwa_live_tables_json(const struct mwa_live_detail *detail,
                          const struct mwa_live_found *found, json_t *object);

#endif
