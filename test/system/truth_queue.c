/*
 * A queue of Open MPI's that is nearly always empty: every 20 ms rank 0 sends 20 messages, and
 * rank 1 waits for the last of them, so that 19 are unexpected until it takes them at once. Rank 1
 * reads the queue's length itself after each call, and prints its mean over time, at least and at
 * most: it changes after a call was begun and before it was read.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BURSTS = 100, BURST = 20 };

static MPI_T_pvar_session session;
static MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
static int elements;
static unsigned long long last;
static unsigned length;
static double lower, upper;

static unsigned long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long long)time.tv_sec * 1000000000u + (unsigned long long)time.tv_nsec;
}

static void find_queue(MPI_Comm *comm)
{
    int count;

    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_num(&count);
    for (int i = 0; i < count; i++) {
        char name[256];
        char description[256];
        int bytes = sizeof name;
        int more = sizeof description;
        int verbosity, class, bind, readonly, continuous, atomic;
        MPI_Datatype type;
        MPI_T_enum items;

        if (MPI_T_pvar_get_info(i, name, &bytes, &verbosity, &class, &type, &items, description,
                                &more, &bind, &readonly, &continuous, &atomic) == MPI_SUCCESS &&
            strcmp(name, "pml_ob1_unexpected_msgq_length") == 0) {
            MPI_T_pvar_handle_alloc(session, i, comm, &handle, &elements);
        }
    }
}

/* Takes in what the queue is now, after a call that was begun at a time. */
static void note(unsigned long long begun)
{
    unsigned of_peer[16] = {0};
    unsigned sum = 0;
    unsigned long long time;

    MPI_T_pvar_read(session, handle, of_peer);
    time = now();
    for (int i = 0; i < elements; i++) {
        sum += of_peer[i];
    }
    lower += (double)length * (double)(begun - last);
    upper += (double)length * (double)(begun - last);
    lower += (double)(sum < length ? sum : length) * (double)(time - begun);
    upper += (double)(sum > length ? sum : length) * (double)(time - begun);
    length = sum;
    last = time;
}

static void receive(int tag)
{
    unsigned long long begun = now();
    int nothing;

    MPI_Recv(&nothing, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    note(begun);
}

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    unsigned long long first;
    int provided, rank, nothing = 0;

    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &rank);
    find_queue(&comm);
    if (handle == MPI_T_PVAR_HANDLE_NULL || elements > 16) {
        MPI_Abort(comm, 77);
    }
    first = last = now();
    for (int i = 0; i < BURSTS; i++) {
        usleep(20000);
        for (int tag = 0; rank == 0 && tag < BURST; tag++) {
            MPI_Send(&nothing, 1, MPI_INT, 1, tag, comm);
        }
        for (int k = 0; rank == 1 && k < BURST; k++) {
            receive((k + BURST - 1) % BURST);
        }
    }
    if (rank == 1) {
        printf("%.9g %.9g\n", lower / (double)(last - first), upper / (double)(last - first));
    }
    MPI_Finalize();
    return 0;
}
