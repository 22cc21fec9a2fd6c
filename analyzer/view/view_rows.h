#ifndef MWA_VIEW_VIEW_ROWS_H
#define MWA_VIEW_VIEW_ROWS_H

#include <jansson.h>

#include "analyzer/view/view_near.h"

/* The rows of a view: main threads of ranks, and behind these threads and streams. Any thread. */

#define MWA_VIEW_ROWS_MOST   4096u /* in an answer */
#define MWA_VIEW_LABEL_BYTES 64u

/*
 * Reads a list of rows as the page writes it, "0-31,40": each row once, in that order, as many as
 * there are and as have room; it ends where it says something else. \return how many.
 */
uint32_t mwa_view_rows_read(const struct mwa_view_store *store, const char *text,
                            uint32_t rows[MWA_VIEW_ROWS_MOST]);

/* [{ "rank", "host", "calls" }, …] of main threads. Null: no memory. */
json_t *mwa_view_rows_main(const struct mwa_view_store *store);

/* [{ "rank", "label", "type", "name", "calls" }, …] of the rows behind these, as timeline --json
 * names them. Null: no memory. */
json_t *mwa_view_rows_others(const struct mwa_view_store *store);

/* "rank 0", "thread 0.1", "stream 0.s0", or "no rank", of a location; text has room for
 * MWA_VIEW_LABEL_BYTES. */
const char *mwa_view_rows_label(const struct mwa_view_store *store, uint32_t location, char *text);

/* How many locations have calls and no row: those of no rank. */
uint64_t mwa_view_rows_missing(const struct mwa_view_store *store);

/* [{ "key", "word" }, …] of states from one to below another. Null: no memory. */
json_t *mwa_view_rows_states(const struct mwa_view_store *store, unsigned from, unsigned to);

#endif
