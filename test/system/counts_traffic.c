/*
 * Counts, preloaded behind the recorder, the calls of PMPI_… in which it sends or receives while
 * MPI_Init runs, and the bytes of their buffers. "traffic RANK CALLS SENT RECEIVED" on stdout.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static unsigned long long calls, sent, received;

static unsigned long long bytes_of(MPI_Comm comm, int count, MPI_Datatype type, int is_of_all)
{
    int size, ranks;

    PMPI_Type_size(type, &size);
    PMPI_Comm_size(comm, &ranks);
    return (unsigned long long)count * (unsigned)size * (is_of_all ? (unsigned)ranks : 1u);
}

static void count(unsigned long long out, unsigned long long in)
{
    calls++;
    sent += out;
    received += in;
}

#define NEXT(name) ((int (*)())dlsym(RTLD_NEXT, name))

static int is_root(MPI_Comm comm, int root)
{
    int rank;

    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

int PMPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    count(bytes_of(comm, n, type, 0), 0);
    return NEXT("PMPI_Send")(data, n, type, to, tag, comm);
}

int PMPI_Recv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    count(0, bytes_of(comm, n, type, 0));
    return NEXT("PMPI_Recv")(data, n, type, from, tag, comm, status);
}

int PMPI_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    unsigned long long bytes = bytes_of(comm, n, type, 0);

    count(is_root(comm, root) ? bytes : 0, is_root(comm, root) ? 0 : bytes);
    return NEXT("PMPI_Bcast")(data, n, type, root, comm);
}

int PMPI_Barrier(MPI_Comm comm)
{
    count(0, 0);
    return NEXT("PMPI_Barrier")(comm);
}

int PMPI_Allreduce(const void *data, void *result, int n, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
    count(bytes_of(comm, n, type, 0), bytes_of(comm, n, type, 0));
    return NEXT("PMPI_Allreduce")(data, result, n, type, op, comm);
}

int PMPI_Gather(const void *data, int n, MPI_Datatype type, void *all, int each,
                MPI_Datatype all_type, int root, MPI_Comm comm)
{
    count(bytes_of(comm, n, type, 0), is_root(comm, root) ? bytes_of(comm, n, type, 1) : 0);
    return NEXT("PMPI_Gather")(data, n, type, all, each, all_type, root, comm);
}

int PMPI_Scatter(const void *all, int each, MPI_Datatype all_type, void *data, int n,
                 MPI_Datatype type, int root, MPI_Comm comm)
{
    count(is_root(comm, root) ? bytes_of(comm, n, type, 1) : 0, bytes_of(comm, n, type, 0));
    return NEXT("PMPI_Scatter")(all, each, all_type, data, n, type, root, comm);
}

/* To be called by the program when MPI_Init has returned. */
void traffic_print(void)
{
    int rank;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("traffic %d %llu %llu %llu\n", rank, calls, sent, received);
    fflush(stdout);
}
