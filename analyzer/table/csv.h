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
 * The table of object's list of that name; frees object, null is fine. Of an object in a row each
 * member is a column, named high_value. columns: the header of a list without rows, the same that
 * one with rows gets; null for a list that always has some.
 */
void mwa_csv_table(json_t *object, const char *list_name, const char *columns, FILE *out);

#endif
