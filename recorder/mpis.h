#ifndef MWR_MPIS_H
#define MWR_MPIS_H

/*
 * The MPIs that mpiwatch has a library for, and what they are called. ABI is the standard's own
 * (MPI 5.0, chapter 20): one library for the programs that are linked with libmpi_abi, whichever
 * MPI that is when they are started.
 */
enum mwr_mpi { MWR_MPI_UNKNOWN, MWR_MPI_OPENMPI, MWR_MPI_MPICH, MWR_MPI_ABI };

/*
 * What each is on command lines and in names of files, by enum mwr_mpi, with "auto" for
 * UNKNOWN; ends with null.
 */
extern const char *const mwr_mpi_words[];

/* "Open MPI", "MPICH", "the MPI ABI", or "an unknown MPI"; static storage. */
const char *mwr_mpi_title(enum mwr_mpi mpi);

#endif
