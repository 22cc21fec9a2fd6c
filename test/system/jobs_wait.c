/*
 * A job that starts another of as many ranks, which wait for each other. The arguments are the
 * command of the second one, and its arguments; without any it is the second job. In each of
 * ROUNDS rounds, behind a barrier of both,
 *
 *   rank r of the first receives from rank r of the second, which sends LATE ms late;
 *   rank r of the second sends (MPI_Ssend) to rank r of the first, which receives LATE ms late;
 *   rank 0 of the first receives from the last rank of the second by MPI_Irecv and MPI_Wait, on
 *   the communicator merged from both, LATE ms late.
 *
 * Tags tell messages apart: 100 * round + 10 * (1, 2 or 3) + r. With JOBS_PROBE in the environment
 * the first of these are probed for before, by MPI_ANY_SOURCE, and the last ones by MPI_ANY_TAG.
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 3
#define LATE   50

enum { SENT_LATE = 10, RECEIVED_LATE = 20, MERGED = 30 };

static void late(void)
{
    usleep(LATE * 1000);
}

static void probe(int source, int tag, MPI_Comm comm)
{
    if (getenv("JOBS_PROBE")) {
        MPI_Probe(source, tag, comm, MPI_STATUS_IGNORE);
    }
}

static void first_job(MPI_Comm other, MPI_Comm all, int rank, int base)
{
    MPI_Request request;
    int in, size;

    MPI_Comm_size(all, &size);
    probe(MPI_ANY_SOURCE, base + SENT_LATE + rank, other);
    MPI_Recv(&in, 1, MPI_INT, rank, base + SENT_LATE + rank, other, MPI_STATUS_IGNORE);
    late();
    MPI_Recv(&in, 1, MPI_INT, rank, base + RECEIVED_LATE + rank, other, MPI_STATUS_IGNORE);
    if (rank == 0) {
        probe(size - 1, MPI_ANY_TAG, all);
        MPI_Irecv(&in, 1, MPI_INT, size - 1, base + MERGED, all, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void second_job(MPI_Comm other, MPI_Comm all, int rank, int base)
{
    int out = 1, size, place;

    MPI_Comm_size(all, &size);
    MPI_Comm_rank(all, &place);
    late();
    MPI_Send(&out, 1, MPI_INT, rank, base + SENT_LATE + rank, other);
    MPI_Ssend(&out, 1, MPI_INT, rank, base + RECEIVED_LATE + rank, other);
    if (place == size - 1) {
        late();
        MPI_Send(&out, 1, MPI_INT, 0, base + MERGED, all);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm other, all;
    int rank, size, is_second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&other);
    is_second = other != MPI_COMM_NULL;
    if (!is_second) {
        MPI_Comm_spawn(argv[1], argv + 2, size, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                       MPI_ERRCODES_IGNORE);
    }
    MPI_Intercomm_merge(other, is_second, &all);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Barrier(all);
        if (is_second) {
            second_job(other, all, rank, 100 * round);
        } else {
            first_job(other, all, rank, 100 * round);
        }
    }
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
