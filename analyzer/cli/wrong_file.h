#ifndef MWA_CLI_WRONG_FILE_H
#define MWA_CLI_WRONG_FILE_H

#include "formats/base/status.h"

/*
 * Whether path is something else of mpiwatch that people take for an archive: what a run has left
 * that did not finish, or what mpiwatch-analyze has written.
 *
 * \return MW_OK if it is not, whether it is an archive or not; MW_ERROR_FORMAT, with what it is
 * and the command that it is for.
 */
enum mw_status mwa_wrong_file(const char *path, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
