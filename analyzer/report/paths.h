#ifndef MWA_REPORT_PATHS_H
#define MWA_REPORT_PATHS_H

#include <stdio.h>

#include <jansson.h>

/*
 * Numbers of a JSON report by dotted path: a key of an object, a position in a list, or the
 * name of an element of a list ("name" in it; blanks may be written as '_'):
 * pop.parallel_efficiency, calls.calls.MPI_Send.time_ns, pop.useful_ns.3.
 */

/* The value at path in root, or null if there is none. Borrowed from root. */
json_t *mwa_json_at(json_t *root, const char *path);

/*
 * Prints the path of every number (and of what is not known, null) in root, a line each,
 * with `indent` blanks in front. Lists show the names of their elements, or N.
 */
void mwa_put_paths(json_t *root, int indent, FILE *out);

#endif
