/*
 * A PMPI tool, the way that mpiP does it: wrappers of C functions that save the place
 * of the call by setjmp, take the time with MPI's clock around PMPI_X, and are wrappers of
 * the Fortran names, too. Rank 0 says at the end how often it was called.
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>

static int sends, receives, ranks;
static double seconds;

static int send_at(jmp_buf *place, const void *buffer, int count, MPI_Datatype datatype, int dest,
                   int tag, MPI_Comm comm)
{
    double start = PMPI_Wtime();
    int result = PMPI_Send(buffer, count, datatype, dest, tag, comm);

    seconds += PMPI_Wtime() - start;
    sends++;
    return result;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype datatype, int dest, int tag,
             MPI_Comm comm)
{
    jmp_buf place;

    setjmp(place);
    return send_at(&place, buffer, count, datatype, dest, tag, comm);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    double start = PMPI_Wtime();
    int result = PMPI_Recv(buffer, count, datatype, source, tag, comm, status);

    seconds += PMPI_Wtime() - start;
    receives++;
    return result;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    ranks++;
    return PMPI_Comm_rank(comm, rank);
}

void mpi_comm_rank_(MPI_Fint *comm, MPI_Fint *rank, MPI_Fint *error);

void mpi_comm_rank_(MPI_Fint *comm, MPI_Fint *rank, MPI_Fint *error)
{
    int c_rank = -1;

    ranks++;
    *error = PMPI_Comm_rank(MPI_Comm_f2c(*comm), &c_rank);
    *rank = c_rank;
}

static int report(void)
{
    int rank;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        fprintf(stderr, "pmpi: %d sends, %d receives, %d ranks\n", sends, receives, ranks);
    }
    return PMPI_Finalize();
}

int MPI_Finalize(void)
{
    return report();
}

void mpi_finalize_(MPI_Fint *error);

void mpi_finalize_(MPI_Fint *error)
{
    *error = report();
}
