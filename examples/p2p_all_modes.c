/*
 * Every way to send: four modes, blocking and not, then both forms of Sendrecv. Even
 * ranks send to the odd one above them. The receiver says by an empty message that its
 * receive is posted, which ready mode asks for. Mode k sends k + 1 ints.
 *
 * Expected in the archive of n ranks (n is even):
 *     MPI_Buffer_attach       n // 2
 *     MPI_Buffer_detach       n // 2
 *     MPI_Send                n // 2 * (1 + 8)
 *     MPI_Ssend               n // 2
 *     MPI_Bsend               n // 2
 *     MPI_Rsend               n // 2
 *     MPI_Isend               n // 2
 *     MPI_Issend              n // 2
 *     MPI_Ibsend              n // 2
 *     MPI_Irsend              n // 2
 *     MPI_Irecv               n // 2 * 8
 *     MPI_Recv                n // 2 * 8
 *     MPI_Wait                n // 2 * (4 + 8)
 *     MPI_Sendrecv            n
 *     MPI_Sendrecv_replace    n
 *     messages                n // 2 * (8 + 8) + 2 * n
 *     bytes                   n // 2 * 4 * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8) + n * 4 * (9 + 10)
 */
#include <mpi.h>
#include <stdio.h>

enum { BLOCKING = 4, MODES = 8, READY = 99 };

typedef int blocking_send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int starting_send(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static blocking_send *const blocking[] = {MPI_Send, MPI_Ssend, MPI_Bsend, MPI_Rsend};
static starting_send *const starting[] = {MPI_Isend, MPI_Issend, MPI_Ibsend, MPI_Irsend};

static int data[16];

static void send_in_mode(int mode, int to)
{
    MPI_Request request;
    int count = mode + 1;

    if (mode < BLOCKING) {
        blocking[mode](data, count, MPI_INT, to, mode, MPI_COMM_WORLD);
    } else {
        starting[mode - BLOCKING](data, count, MPI_INT, to, mode, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void send_in_all_modes(int to)
{
    static char buffer[4096];
    void *detached;
    int bytes;

    MPI_Buffer_attach(buffer, sizeof buffer);
    for (int mode = 0; mode < MODES; mode++) {
        MPI_Recv(NULL, 0, MPI_INT, to, READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        send_in_mode(mode, to);
    }
    MPI_Buffer_detach(&detached, &bytes);
}

static void receive_all(int from)
{
    for (int mode = 0; mode < MODES; mode++) {
        MPI_Request request;
        MPI_Irecv(data, 16, MPI_INT, from, mode, MPI_COMM_WORLD, &request);
        MPI_Send(NULL, 0, MPI_INT, from, READY, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, size, received[16];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size % 2 != 0) {
        fprintf(stderr, "p2p_all_modes: an even number of ranks, please\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int partner = rank ^ 1;

    if (rank % 2 == 0) {
        send_in_all_modes(partner);
    } else {
        receive_all(partner);
    }
    MPI_Sendrecv(data, 9, MPI_INT, partner, 8, received, 16, MPI_INT, partner, 8, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(data, 10, MPI_INT, partner, 9, partner, 9, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
