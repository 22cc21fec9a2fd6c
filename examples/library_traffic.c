/*
 * A program with a little traffic of its own, on a communicator that it registers as
 * "simulation", and a library in it with much, on one that it doesn't: of every sort, and
 * requests of both that are waited for together. With --comms=registered the library's
 * calls are only counted.
 *
 * 200 rounds of the library, then 20 of the simulation, each with a message of the library.
 *
 * Expected in the archive of n ranks (n >= 2), of all communicators:
 *     MPI_Comm_dup              2 * n
 *     MPI_Allreduce             (200 + 20) * n
 *     MPI_Isend                 (200 + 20 + 20) * n
 *     MPI_Irecv                 (200 + 20 + 20) * n
 *     MPI_Wait                  3 * 200 * n
 *     MPI_Waitall               20 * n
 *     MPI_Sendrecv              200 * n
 *     MPI_Send_init             n
 *     MPI_Recv_init             n
 *     MPI_Startall              200 * n
 *     MPI_Waitsome              200 * n
 *     MPI_Request_free          2 * n
 *     MPI_Ibarrier              200 * n
 *     MPI_Waitany               200 * n
 *     MPI_Send                  200 * n
 *     MPI_Mprobe                200 * n
 *     MPI_Mrecv                 200 * n
 *     MPI_Win_create            n
 *     MPI_Win_fence             2 * n
 *     MPI_Put                   n
 *     MPI_Win_free              n
 *     MPI_Comm_free             2 * n
 *     messages                  (4 * 200 + 20 + 20) * n
 *     bytes                     (200 * (8 + 16 + 8 + 4) + 20 * (8 + 800)) * n
 *     collectives               (2 * 200 + 20) * n
 *     moved ALLREDUCE           (200 + 20) * n * n * 8
 *     marker simulation         n
 */
#include <mpi.h>
#include <mpiwatch.h>
#include <stdlib.h>

static int left, right;

/* Both from the same communicator; the send may be complete at once. */
static void exchange(MPI_Comm library)
{
    double mine = 1, theirs;
    MPI_Request requests[2];

    MPI_Irecv(&theirs, 1, MPI_DOUBLE, left, 1, library, &requests[0]);
    MPI_Isend(&mine, 1, MPI_DOUBLE, right, 1, library, &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void wait_for_both(MPI_Request requests[2])
{
    int count, indices[2];

    MPI_Startall(2, requests);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Waitsome(1, requests, &count, indices, MPI_STATUSES_IGNORE);
}

static void collect(MPI_Comm library)
{
    MPI_Request barrier;
    double one = 1, sum;
    int index;

    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, library);
    MPI_Ibarrier(library, &barrier);
    MPI_Waitany(1, &barrier, &index, MPI_STATUS_IGNORE);
}

static void probe(MPI_Comm library, int rank)
{
    MPI_Message message;
    int received;

    MPI_Send(&rank, 1, MPI_INT, right, 3, library);
    MPI_Mprobe(left, 3, library, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&received, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
}

static void work_of_library(MPI_Comm library, int rank, int rounds)
{
    double out[2] = {1, 2}, in[2], kept[2];
    MPI_Request requests[2];

    MPI_Recv_init(&kept[0], 1, MPI_DOUBLE, left, 2, library, &requests[0]);
    MPI_Send_init(&out[0], 1, MPI_DOUBLE, right, 2, library, &requests[1]);
    for (int i = 0; i < rounds; i++) {
        exchange(library);
        MPI_Sendrecv(out, 2, MPI_DOUBLE, right, 4, in, 2, MPI_DOUBLE, left, 4, library,
                     MPI_STATUS_IGNORE);
        wait_for_both(requests);
        collect(library);
        probe(library, rank);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void use_window(MPI_Comm library, int rank)
{
    int cell = 0;
    MPI_Win window;

    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, library, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

/* A receive of either communicator, waited for together. */
static void simulate(MPI_Comm simulation, MPI_Comm library)
{
    double field[100] = {0}, halo[100], one = 1, sum, small;
    MPI_Request requests[4];

    MPI_Irecv(halo, 100, MPI_DOUBLE, left, 5, simulation, &requests[0]);
    MPI_Irecv(&small, 1, MPI_DOUBLE, left, 6, library, &requests[1]);
    MPI_Isend(field, 100, MPI_DOUBLE, right, 5, simulation, &requests[2]);
    MPI_Isend(&one, 1, MPI_DOUBLE, right, 6, library, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, simulation);
}

int main(int argc, char **argv)
{
    MPI_Comm simulation, library;
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &simulation);
    MPI_Comm_dup(MPI_COMM_WORLD, &library);
    MPI_Comm_rank(library, &rank);
    MPI_Comm_size(library, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    mpiwatch_comm_register(simulation, "simulation");
    work_of_library(library, rank, 200);
    use_window(library, rank);
    for (int i = 0; i < 20; i++) {
        simulate(simulation, library);
    }
    MPI_Comm_free(&library);
    MPI_Comm_free(&simulation);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
