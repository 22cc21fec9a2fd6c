/*
 * All eight ways to complete requests, statuses ignored. For each, a rank exchanges four
 * messages of 16 bytes with its partner: 4 Irecv, a barrier of its own making (Sendrecv
 * of nothing), 4 Isend, then receives and sends are completed by the way's own call. How
 * often the calls that may come back with nothing, or with less than all, were made is
 * printed.
 *
 * Expected in the archive of n ranks (n is even):
 *     MPI_Irecv       8 * 4 * n
 *     MPI_Isend       8 * 4 * n
 *     MPI_Sendrecv    8 * n
 *     MPI_Wait        8 * n
 *     MPI_Waitany     8 * n
 *     MPI_Waitsome    waitsomes
 *     MPI_Waitall     n
 *     MPI_Test        tests
 *     MPI_Testany     testanys
 *     MPI_Testsome    testsomes
 *     MPI_Testall     testalls
 *     messages        8 * 4 * n + 8 * n
 *     bytes           8 * 4 * n * 16
 */
#include <mpi.h>
#include <stdio.h>

enum { MESSAGES = 4, REQUESTS = 2 * MESSAGES };

static int waitsomes, tests, testanys, testsomes, testalls;

static void by_wait(MPI_Request *requests)
{
    for (int i = REQUESTS - 1; i >= 0; i--) {
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

static void by_waitany(MPI_Request *requests)
{
    for (int i = 0; i < REQUESTS; i++) {
        int index;
        MPI_Waitany(REQUESTS, requests, &index, MPI_STATUS_IGNORE);
    }
}

static void by_waitsome(MPI_Request *requests)
{
    int indices[REQUESTS];

    for (int done = 0, count; done < REQUESTS; done += count) {
        MPI_Waitsome(REQUESTS, requests, &count, indices, MPI_STATUSES_IGNORE);
        waitsomes++;
    }
}

static void by_waitall(MPI_Request *requests)
{
    MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
}

static void by_test(MPI_Request *requests)
{
    for (int i = 0; i < REQUESTS; i++) {
        for (int done = 0; !done; tests++) {
            MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
        }
    }
}

static void by_testany(MPI_Request *requests)
{
    for (int left = REQUESTS; left > 0; testanys++) {
        int index, done;
        MPI_Testany(REQUESTS, requests, &index, &done, MPI_STATUS_IGNORE);
        left -= done && index != MPI_UNDEFINED;
    }
}

static void by_testsome(MPI_Request *requests)
{
    int indices[REQUESTS];

    for (int done = 0, count; done < REQUESTS; done += count) {
        MPI_Testsome(REQUESTS, requests, &count, indices, MPI_STATUSES_IGNORE);
        testsomes++;
    }
}

static void by_testall(MPI_Request *requests)
{
    for (int done = 0; !done; testalls++) {
        MPI_Testall(REQUESTS, requests, &done, MPI_STATUSES_IGNORE);
    }
}

static void exchange(int partner, void (*complete)(MPI_Request *))
{
    static char out[MESSAGES][16], in[MESSAGES][16];
    MPI_Request requests[REQUESTS];

    for (int i = 0; i < MESSAGES; i++) {
        MPI_Irecv(in[i], 16, MPI_BYTE, partner, i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Sendrecv(NULL, 0, MPI_BYTE, partner, 9, NULL, 0, MPI_BYTE, partner, 9, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Isend(out[i], 16, MPI_BYTE, partner, i, MPI_COMM_WORLD, &requests[MESSAGES + i]);
    }
    complete(requests);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int partner = rank ^ 1;
    exchange(partner, by_wait);
    exchange(partner, by_waitany);
    exchange(partner, by_waitsome);
    exchange(partner, by_waitall);
    exchange(partner, by_test);
    exchange(partner, by_testany);
    exchange(partner, by_testsome);
    exchange(partner, by_testall);
    printf("waitsomes = %d\ntests = %d\ntestanys = %d\ntestsomes = %d\ntestalls = %d\n", waitsomes,
           tests, testanys, testsomes, testalls);
    MPI_Finalize();
    return 0;
}
