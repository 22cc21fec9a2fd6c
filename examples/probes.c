/*
 * Probes of all kinds. Odd ranks receive from the even rank below them: a message of
 * unknown length after Probe, one after Iprobe, one by Mprobe and Mrecv, one by Improbe
 * and Mrecv, and two whose Improbe order is not their Imrecv order. Message k has k + 1
 * bytes. How often the non-blocking probes looked is printed.
 *
 * Expected in the archive of n ranks (n is even):
 *     MPI_Send        n // 2 * 6
 *     MPI_Probe       n // 2
 *     MPI_Recv        n // 2 * 2
 *     MPI_Iprobe      iprobes
 *     MPI_Mprobe      n // 2
 *     MPI_Mrecv       n // 2 * 2
 *     MPI_Improbe     improbes
 *     MPI_Imrecv      n // 2 * 2
 *     MPI_Waitall     n // 2
 *     MPI_Barrier     n
 *     messages        n // 2 * 6
 *     bytes           n // 2 * (1 + 2 + 3 + 4 + 5 + 6)
 *     collectives     n
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int iprobes, improbes;

static void check(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "probes: %s\n", what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void send_six(int to)
{
    for (int k = 0; k < 6; k++) {
        char bytes[6] = {(char)('a' + k)};
        MPI_Send(bytes, k + 1, MPI_BYTE, to, k < 4 ? k : 4, MPI_COMM_WORLD);
    }
}

static void improbe_until_found(int from, int tag, MPI_Message *message)
{
    for (int found = 0; !found;) {
        MPI_Improbe(from, tag, MPI_COMM_WORLD, &found, message, MPI_STATUS_IGNORE);
        improbes++;
    }
}

static void receive_six(int from)
{
    char bytes[6], first[6], second[6];
    MPI_Status status;
    MPI_Message message, messages[2];
    MPI_Request requests[2];
    int count, found = 0;

    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    check(count == 1 && status.MPI_SOURCE == from, "Probe");
    MPI_Recv(bytes, count, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    while (!found) {
        MPI_Iprobe(from, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        iprobes++;
    }
    MPI_Recv(bytes, 6, MPI_BYTE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Mprobe(from, 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(bytes, 6, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    check(bytes[0] == 'c', "Mrecv");

    improbe_until_found(from, 3, &message);
    MPI_Mrecv(bytes, 6, MPI_BYTE, &message, MPI_STATUS_IGNORE);

    improbe_until_found(from, 4, &messages[0]);
    improbe_until_found(from, 4, &messages[1]);
    MPI_Imrecv(second, 6, MPI_BYTE, &messages[1], &requests[0]);
    MPI_Imrecv(first, 6, MPI_BYTE, &messages[0], &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    check(first[0] == 'e' && second[0] == 'f', "Imrecv");
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank % 2 == 0) {
        send_six(rank + 1);
    } else {
        receive_six(rank - 1);
        printf("iprobes = %d\nimprobes = %d\n", iprobes, improbes);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
