#ifndef MWR_FINALIZE_OUTPUT_HINTS_H
#define MWR_FINALIZE_OUTPUT_HINTS_H

#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"

/*
 * Hints with which MPI opens the archive: the user's (--io-hints), one that the archive's bytes
 * depend on, and one that ROMIO's memory does. In MPI_Finalize, by one thread.
 */

/* The hints; the caller frees them. MPI_INFO_NULL when MPI can't make any. */
MPI_Info mwr_output_hints(void);

/* Bytes of the buffer that ROMIO allocates for collective writes when it opens the archive. */
uint64_t mwr_output_hints_memory(void);

/*
 * ROMIO prints the hints of each file that it opens on stdout where ROMIO_PRINT_HINTS is in the
 * environment; of ours only with --verbose: else it is not there between the two. Who looks for
 * other variables meanwhile does not notice.
 */
void mwr_output_hints_be_silent(void);
void mwr_output_hints_be_told(void);

/* With --verbose rank 0 says which of the user's hints the MPI has for this file. */
void mwr_output_hints_tell(MPI_File file);

#endif
