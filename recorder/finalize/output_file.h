#ifndef MWR_FINALIZE_OUTPUT_FILE_H
#define MWR_FINALIZE_OUTPUT_FILE_H

#include <stdint.h>

#include "formats/base/status.h"
#include "recorder/dispatch/mpi_header.h"

/*
 * The archive's file as the ranks make and open it together. In MPI_Finalize, by one thread of
 * each; nothing here is collective but mwr_output_open.
 */

/*
 * For rank 0: makes the file anew, and writes nonce into it, by which the others can tell it.
 * \return MW_OK; MW_ERROR_SYSTEM or MW_ERROR_SPACE, and there is no file.
 */
enum mw_status mwr_output_make(const char *path, uint64_t nonce,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* For the others: waits for that file, some seconds. \return MW_OK; MW_ERROR_SYSTEM. */
enum mw_status mwr_output_see(const char *path, uint64_t nonce,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Whether this process has the memory that the MPI takes to open a file: ROMIO ends the program
 * where it has none. \return MW_OK; MW_ERROR_MEMORY.
 */
enum mw_status mwr_output_has_memory(struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Opens it by all of comm for writing. \return what MPI returns; no error handler is called. */
int mwr_output_open(MPI_Comm comm, const char *path, MPI_File *file);

/* Whether the file may have so many bytes. \return 0; else an errno: ENOSPC, EDQUOT, … */
int mwr_output_room(const char *path, uint64_t bytes);

#endif
