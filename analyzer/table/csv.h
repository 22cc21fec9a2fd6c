#ifndef MWA_TABLE_CSV_H
#define MWA_TABLE_CSV_H

#include <stdio.h>

#include <jansson.h>

#include "analyzer/analysis/results.h"

/*
 * A field: text as analyzer/table/clean.h shows it, in quotes where it has to be. What a
 * spreadsheet would take for a formula has a ' before it.
 */
void mwa_csv_text(const char *text, FILE *out);

/*
 * The table of object's list of that name, which has rows: what is no list of results (table.h has
 * those). Frees object, null is fine. Of an object in a row each member is a column, named
 * high_value.
 */
void mwa_csv_table(json_t *object, const char *list_name, FILE *out);

#endif
