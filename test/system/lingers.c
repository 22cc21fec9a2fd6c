/*
 * A PMPI tool that lingers: what completes or frees something returns half a millisecond after
 * the library has done it, every other time three. Meanwhile the handle is another thread's, and
 * perhaps completed again.
 */
#include <mpi.h>
#include <time.h>

static void linger(int is_done)
{
    static int times;
    int is_long = __atomic_fetch_add(&times, 1, __ATOMIC_RELAXED) % 2;

    if (is_done) {
        nanosleep(&(struct timespec){.tv_nsec = is_long ? 3000000 : 500000}, NULL);
    }
}

#define LINGERS(name, parameters, arguments, is_done)                                           \
    int MPI_##name parameters                                                                   \
    {                                                                                           \
        int result = PMPI_##name arguments;                                                     \
                                                                                                \
        linger(is_done);                                                                        \
        return result;                                                                          \
    }

LINGERS(Wait, (MPI_Request * request, MPI_Status *status), (request, status), 1)
LINGERS(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]),
        (count, requests, statuses), 1)
LINGERS(Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status),
        (count, requests, index, status), 1)
LINGERS(Waitsome,
        (int in, MPI_Request requests[], int *out, int indices[], MPI_Status statuses[]),
        (in, requests, out, indices, statuses), 1)
LINGERS(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status),
        *flag)
LINGERS(Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
        (count, requests, flag, statuses), *flag)
LINGERS(Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
        (count, requests, index, flag, status), *flag)
LINGERS(Testsome,
        (int in, MPI_Request requests[], int *out, int indices[], MPI_Status statuses[]),
        (in, requests, out, indices, statuses), *out > 0)
LINGERS(Mrecv,
        (void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),
        (buffer, count, type, message, status), 1)
LINGERS(Imrecv,
        (void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request),
        (buffer, count, type, message, request), 1)
LINGERS(Request_free, (MPI_Request * request), (request), 1)
LINGERS(Win_flush, (int rank, MPI_Win window), (rank, window), 1)
LINGERS(Recv,
        (void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
         MPI_Status *status),
        (buffer, count, type, source, tag, comm, status), 1)
