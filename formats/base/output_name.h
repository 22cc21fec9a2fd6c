#ifndef MW_FORMATS_BASE_OUTPUT_NAME_H
#define MW_FORMATS_BASE_OUTPUT_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"

/* What the archive is called while it is written and when it is done. Rank 0's work. */

/*
 * The number-th name that is tried for output, in path of 4096 bytes: "run.otf2.zip" itself for
 * 0, then "run-1.otf2.zip" and so on.
 *
 * \return MW_OK; MW_ERROR_USAGE when the path is too long.
 */
enum mw_status mw_output_numbered(const char *output, unsigned number, char *path,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Whether name, without a directory, is one of these names of output with ending behind. */
bool mw_output_is_numbered(const char *output, const char *name, const char *ending);

/*
 * Chooses the name to write under, in partial of 4096 bytes: output with the nonce and
 * ".partial" behind, so that runs with the same output don't meet; before that "-1", "-2" and so
 * on when the run itself has left one.
 *
 * \return MW_OK; MW_ERROR_USAGE when the path is too long; MW_ERROR_EXISTS.
 */
enum mw_status mw_output_choose(const char *output, uint64_t nonce, char *partial,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* True when the directory at path has the files of an OTF2 archive, and no others. */
bool mw_output_holds_archive(const char *path);

/*
 * Gives the finished partial file or directory its name, never over something that is
 * there: "run.otf2.zip" becomes "run-1.otf2.zip" then, "run-2.otf2.zip" and so on. With
 * replace an existing file, or a directory that holds an archive and nothing else, makes way; no
 * device, and no pipe.
 *
 * \return MW_OK and path of 4096 bytes; MW_ERROR_SYSTEM, MW_ERROR_SPACE, MW_ERROR_EXISTS.
 */
enum mw_status mw_output_publish(const char *partial, const char *output, bool replace,
                                 char *path, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
