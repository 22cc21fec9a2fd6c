#ifndef MWA_EXPORT_OUTPUT_H
#define MWA_EXPORT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/export/output_kind.h"
#include "formats/base/status.h"

/*
 * Every file that mpiwatch-analyze writes is opened here, so that it never takes the place of
 * something else: what is there is replaced if it is empty or an output of the same kind, and
 * otherwise only by force. The new file is there once it is whole: it is written beside, as
 * PATH.partial, and renamed; a link stays, what it leads to is replaced. Pipes and devices for
 * characters are written to directly; so is the standard output, which is meant by "-", by a
 * path of null, and by whatever path is the same file.
 */
struct mwa_output {
    FILE *file;
    const char *path; /* the caller's, or null */
    enum mwa_output_kind kind;
    bool force;
    char target[4096];  /* where it belongs */
    char partial[4096]; /* where it is written meanwhile, "": directly */
};

/*
 * Whether path may be written: to be asked before the work is done. Of an archive in a directory
 * also whether nothing else is in that, as not even force removes it.
 *
 * \return MW_OK; MW_ERROR_USAGE when something else is there.
 */
enum mw_status mwa_output_check(const char *path, enum mwa_output_kind kind, bool force,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * The path, in target of 4096 bytes, without the links that it goes through.
 *
 * \return MW_OK; MW_ERROR_USAGE when it is too long.
 */
enum mw_status mwa_output_target(const char *path, char *target,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * \return MW_OK, and mwa_output_close is due; MW_ERROR_SYSTEM, MW_ERROR_SPACE, or
 * MW_ERROR_USAGE as mwa_output_check.
 */
enum mw_status mwa_output_open(struct mwa_output *output, const char *path,
                               enum mwa_output_kind kind, bool force,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Says by errno why the output at where ("": the standard output) can't be written.
 * MW_ERROR_SPACE, MW_ERROR_SYSTEM. */
enum mw_status mwa_output_fail(const char *where, struct mw_diagnostic *diagnostic);

/*
 * Ends the file; with a status that is not MW_OK it is removed, and the status returned. What
 * came to stand in its place meanwhile is not replaced either.
 *
 * \return status; MW_ERROR_SPACE or MW_ERROR_SYSTEM if something could not be written;
 * MW_ERROR_USAGE.
 */
enum mw_status mwa_output_close(struct mwa_output *output, enum mw_status status,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
