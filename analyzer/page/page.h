#ifndef MWA_PAGE_PAGE_H
#define MWA_PAGE_PAGE_H

#include <stdio.h>

#include "analyzer/analysis/results.h"
#include "formats/base/status.h"

/*
 * The report as one HTML page that needs nothing else: its pictures are inline SVG and PNG
 * in data: URIs, its style and its script (for zooming only) are in it, and so is the JSON
 * report, in the element #report, with the end of lists that would be too long left out and
 * counted. It stays below 1 MB for archives of 1,024 ranks, by drawing ranks and time no
 * finer than MWA_PAGE_ROWS and MWA_PAGE_BINS. The page's own sources are page.html,
 * page.css, page.js and formulas.html beside this file, embedded at build time.
 */

#define MWA_PAGE_ROWS 512u
#define MWA_PAGE_BINS 1000u

/*
 * Prints the page of results, of which all that the report wants must be there. Errors of
 * out stay in out.
 *
 * \return MW_OK; MW_ERROR_MEMORY, with out begun.
 */
enum mw_status mwa_page_write(const struct mwa_results *results, FILE *out,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The same into the file path, as by mwa_output_open and mwa_output_close, whose outcomes it
 * also has. */
enum mw_status mwa_page_write_file(const struct mwa_results *results, const char *path,
                                   bool force, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
