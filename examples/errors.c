/*
 * A program that lives with errors (MPI_ERRORS_RETURN): a send to a rank that does not
 * exist, a receive that is too short, and one too short inside a Waitall, which returns
 * MPI_ERR_IN_STATUS and says in the statuses which one it was. It prints the classes of
 * the errors it got, and exits with 3.
 *
 * A message that was cut short has arrived: it is no unmatched one.
 *
 * Expected in the archive of n ranks (n is even):
 *     MPI_Send       n // 2 * 3 + n
 *     MPI_Recv       n // 2
 *     MPI_Irecv      n // 2 * 2
 *     MPI_Waitall    n // 2
 *     errors         n // 2 * 2 + n
 *     sent           n // 2 * 3
 */
#include <mpi.h>
#include <stdio.h>

static int class_of(int code)
{
    int class;

    MPI_Error_class(code, &class);
    return class;
}

static const char *word(int code)
{
    int class = class_of(code);

    return class == MPI_SUCCESS         ? "MPI_SUCCESS"
           : class == MPI_ERR_RANK      ? "MPI_ERR_RANK"
           : class == MPI_ERR_TRUNCATE  ? "MPI_ERR_TRUNCATE"
           : class == MPI_ERR_IN_STATUS ? "MPI_ERR_IN_STATUS"
                                        : "another class";
}

static void receive_too_little(int rank, int from)
{
    int in[2][10];
    MPI_Request requests[2];
    MPI_Status statuses[2] = {{.MPI_ERROR = MPI_SUCCESS}};

    int code = MPI_Recv(in[0], 2, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d: short Recv: %s\n", rank, word(code));

    MPI_Irecv(in[0], 10, MPI_INT, from, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in[1], 2, MPI_INT, from, 3, MPI_COMM_WORLD, &requests[1]);
    code = MPI_Waitall(2, requests, statuses);
    printf("rank %d: Waitall: %s, %s and %s\n", rank, word(code), word(statuses[0].MPI_ERROR),
           word(statuses[1].MPI_ERROR));
}

int main(int argc, char **argv)
{
    int rank, size, out[10] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

    int code = MPI_Send(out, 10, MPI_INT, size, 0, MPI_COMM_WORLD);
    printf("rank %d: Send to rank %d of %d: %s\n", rank, size, size, word(code));
    if (rank % 2 == 0) {
        for (int tag = 1; tag <= 3; tag++) {
            MPI_Send(out, 10, MPI_INT, rank + 1, tag, MPI_COMM_WORLD);
        }
    } else {
        receive_too_little(rank, rank - 1);
    }
    fflush(stdout); /* a launcher may end the others as soon as one of them returns 3 */
    MPI_Finalize();
    return 3;
}
