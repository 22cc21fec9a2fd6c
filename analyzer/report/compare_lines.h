#ifndef MWA_REPORT_COMPARE_LINES_H
#define MWA_REPORT_COMPARE_LINES_H

#include "analyzer/analysis/summary.h"
#include "analyzer/report/compare.h"

/*
 * Lines of the program that call MPI, run by run, of what mwa_comparison_add is told. A line of one
 * run is that of another one if its call, function, file (without its directory) and number are the
 * same; where a function makes the same call in as many lines in both, the first is the first
 * whatever their numbers, since editing a file moves its lines. Without numbers it is by the text
 * that mwa_place says. Where one line leads to several calls, by wrappers or by one that makes the
 * call twice, each is known by where the wrapper makes it. Calls that begin and end the run are
 * left out.
 */

/* Adds the lines of the next run. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_compared_lines_add(struct mwa_comparison *comparison,
                                      const struct mwa_results *results) MW_MUST_CHECK;

/* Gives all lines their names, when all runs are there. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_compared_lines_name(struct mwa_comparison *comparison) MW_MUST_CHECK;

/* "solve.c:31", as it is in a run, or in the first that has it; in text, of MWA_PLACE_BYTES. */
const char *mwa_compared_line(const struct mwa_compared_time *line, uint64_t run, char *text);

#endif
