#ifndef MWA_PAGE_PAGE_TABLE_H
#define MWA_PAGE_PAGE_TABLE_H

#include "analyzer/page/sections.h"
#include "analyzer/table/tables.h"

/* Puts one cell more into a row; null: there is none. */
typedef void (*mwa_page_put)(const struct mwa_cell *cell, FILE *out);

/*
 * A table of results in the order for people: the first rows, then up to most of them in all behind
 * a line that opens them, and how many there are ("12 of 140"). The script makes one table of both,
 * which can be sorted and filtered. of: where the list is in the JSON report, or
 * null. Sets page->status.
 */
void mwa_page_table(struct mwa_page *page, const char *of, const struct mwa_table *table,
                    uint64_t open, uint64_t most, mwa_page_put more);

/* The same of a list that the results do not have: its rows are those of root. */
void mwa_page_list(struct mwa_page *page, const char *of, const struct mwa_table *table,
                   const struct mwa_cell *root, uint64_t open, uint64_t most, mwa_page_put more);

#endif
