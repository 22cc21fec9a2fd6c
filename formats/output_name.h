#ifndef MW_FORMATS_OUTPUT_NAME_H
#define MW_FORMATS_OUTPUT_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/status.h"

/* What the archive is called while it is written and when it is done. Rank 0's work. */

/*
 * Chooses the name to write under, in partial of 4096 bytes: that of output, or of the
 * next free name when output exists and is not to be replaced, with ".partial" behind
 * (and the nonce before that when another's partial file stands there).
 *
 * \return MW_OK; MW_ERROR_USAGE when the path is too long; MW_ERROR_EXISTS.
 */
enum mw_status mw_output_choose(const char *output, bool replace, uint64_t nonce,
                                char *partial, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Gives the finished partial file or directory its name, never over something that is
 * there: "run.otf2.zip" becomes "run-1.otf2.zip" then, "run-2.otf2.zip" and so on. With
 * replace an existing file, or a directory that holds an archive, makes way.
 *
 * \return MW_OK and path of 4096 bytes; MW_ERROR_SYSTEM, MW_ERROR_SPACE, MW_ERROR_EXISTS.
 */
enum mw_status mw_output_publish(const char *partial, const char *output, bool replace,
                                 char *path, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
