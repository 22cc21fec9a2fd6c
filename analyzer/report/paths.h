#ifndef MWA_REPORT_PATHS_H
#define MWA_REPORT_PATHS_H

#include <stdio.h>

#include <jansson.h>

#include "analyzer/table/table.h"

/*
 * Numbers of a JSON report by dotted path: a key of an object, a position in a list, or the
 * name of an element of a list ("name" in it; blanks may be written as '_'):
 * pop.parallel_efficiency, calls.calls.MPI_Send.time_ns, pop.useful_ns.3.
 */

/* What is at a path: */
struct mwa_found {
    json_t *value;                   /* borrowed of root; null: there is none */
    const struct mwa_column *column; /* what says it; null: no value of a column */
    bool is_absent; /* of a row that is not there, and would have zeros: a call that nobody made */
};

/* Looks path up in root, which is JSON of table. */
struct mwa_found mwa_find(json_t *root, const struct mwa_table *table, const char *path);

/*
 * Prints the path of every number (and of what is not known, null) in root, a line each. Lists show
 * the names of their elements, each once and 40 at most (how many there are else is said), or N.
 */
void mwa_put_paths(json_t *root, FILE *out);

/*
 * Those of these paths, of all names, that somebody may have meant who wrote path, where nothing
 * is: what differs by a few letters, else what ends so, else what is in the last that there is of
 * it: "a", "a, b, c and 4 more". \return text, of MWA_NEAR_BYTES; "": there is none.
 */
#define MWA_NEAR_BYTES 384
const char *mwa_near_paths(json_t *root, const char *path, char *text);

#endif
