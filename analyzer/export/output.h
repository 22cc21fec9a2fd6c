#ifndef MWA_EXPORT_OUTPUT_H
#define MWA_EXPORT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "formats/status.h"

/*
 * A file that is there once it is whole: it is written as PATH.partial and renamed. What is
 * no regular file (a pipe, a device) is written to directly.
 */
struct mwa_output {
    FILE *file;
    const char *path; /* the caller's */
    char partial[4096];
};

/* \return MW_OK, and mwa_output_close is due; MW_ERROR_SYSTEM, MW_ERROR_SPACE, MW_ERROR_USAGE. */
enum mw_status mwa_output_open(struct mwa_output *output, const char *path,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Ends the file; with a status that is not MW_OK it is removed, and the status returned.
 *
 * \return status; MW_ERROR_SPACE or MW_ERROR_SYSTEM if something could not be written.
 */
enum mw_status mwa_output_close(struct mwa_output *output, enum mw_status status,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
