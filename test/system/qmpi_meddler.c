/*
 * A QMPI tool, "meddler", that does to calls all that a tool may do, and a program whose
 * results show it:
 *
 *     MPI_Comm_size   is not passed on: says 42
 *     MPI_Barrier     is passed on three times
 *     MPI_Bcast       gets half of the count
 *     MPI_Allreduce   is preceded by calls of other functions, by MPI_X and by PMPI_X
 *     MPI_Send        becomes an MPI_Ssend by the next tool's hook of that
 *
 * On 2 ranks. Run as a program without the tool in the list it says other things.
 */
#include <mpi.h>
#include <qmpi.h>
#include <stdio.h>

static int comm_size(QMPI_Context context, int id, MPI_Comm comm, int *size)
{
    *size = 42;
    return MPI_SUCCESS;
}

static int barrier(QMPI_Context context, int id, MPI_Comm comm)
{
    QMPI_Barrier_t *function;

    QMPI_Get_function(id, MPI_BARRIER_T, (void (**)(void))&function, &id);
    function(context, id, comm);
    function(context, id, comm);
    return function(context, id, comm);
}

static int bcast(QMPI_Context context, int id, void *buffer, int count, MPI_Datatype datatype,
                 int root, MPI_Comm comm)
{
    QMPI_Bcast_t *function;

    QMPI_Get_function(id, MPI_BCAST_T, (void (**)(void))&function, &id);
    return function(context, id, buffer, count / 2, datatype, root, comm);
}

static int allreduce(QMPI_Context context, int id, const void *in, void *out, int count,
                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    QMPI_Allreduce_t *function;
    MPI_Comm copy;
    int size;

    QMPI_Get_function(id, MPI_ALLREDUCE_T, (void (**)(void))&function, &id);
    MPI_Comm_dup(comm, &copy);
    PMPI_Barrier(copy);
    MPI_Barrier(copy);
    MPI_Comm_size(copy, &size);
    printf("the tool sees %d\n", size);
    MPI_Comm_free(&copy);
    return function(context, id, in, out, count, datatype, op, comm);
}

static int send(QMPI_Context context, int id, const void *buffer, int count,
                MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    QMPI_Ssend_t *function;

    QMPI_Get_function(id, MPI_SSEND_T, (void (**)(void))&function, &id);
    return function(context, id, buffer, count, datatype, dest, tag, comm);
}

static void init(int id)
{
    QMPI_Register_function(id, MPI_COMM_SIZE_T, (void (*)(void))comm_size);
    QMPI_Register_function(id, MPI_BARRIER_T, (void (*)(void))barrier);
    QMPI_Register_function(id, MPI_BCAST_T, (void (*)(void))bcast);
    QMPI_Register_function(id, MPI_ALLREDUCE_T, (void (*)(void))allreduce);
    QMPI_Register_function(id, MPI_SEND_T, (void (*)(void))send);
}

__attribute__((constructor)) static void announce(void)
{
    QMPI_Register_tool_name("meddler", init);
}

int main(int argc, char **argv)
{
    int rank, size, sum = 0, numbers[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < 4; i++) {
        numbers[i] = i + 1;
    }
    MPI_Bcast(numbers, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&numbers[3], &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&sum, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("size %d, numbers %d %d %d %d\n", size, numbers[0], numbers[1], numbers[2],
               numbers[3]);
    }
    MPI_Finalize();
    return 0;
}
