/*
 * A queue of Open MPI's that threads change all the time: of one rank, two threads make 100,000
 * calls together, 10 us apart; each sends messages to its own process, 1 to 10 of them, which are
 * unexpected until it takes them. After each call, the thread reads the queue's length itself, with
 * the other one held back, and at the end the program prints the mean over time, at least and at
 * most, and the greatest: the length changes after a call was begun and before it was read.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 2, CALLS = 100000 / THREADS, DEPTH = 10, APART = 10000 * THREADS /* ns */ };

static MPI_T_pvar_session session;
static MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Under the lock. */
static unsigned long long last;
static unsigned length, greatest;
static double lower, upper;

static unsigned long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long long)time.tv_sec * 1000000000u + (unsigned long long)time.tv_nsec;
}

static int find_queue(MPI_Comm *comm)
{
    int index, elements = 0;

    MPI_T_pvar_session_create(&session);
    if (MPI_T_pvar_get_index("pml_ob1_unexpected_msgq_length", MPI_T_PVAR_CLASS_SIZE, &index) ==
        MPI_SUCCESS) {
        MPI_T_pvar_handle_alloc(session, index, comm, &handle, &elements);
    }
    return elements == 1;
}

/* Takes in what the queue is now, after a call that was begun at a time; the lock is held. */
static void note(unsigned long long begun)
{
    unsigned value = 0;
    unsigned long long time;

    MPI_T_pvar_read(session, handle, &value);
    time = now();
    lower += (double)length * (double)(begun - last);
    upper += (double)length * (double)(begun - last);
    lower += (double)(value < length ? value : length) * (double)(time - begun);
    upper += (double)(value > length ? value : length) * (double)(time - begun);
    greatest = value > greatest ? value : greatest;
    length = value;
    last = time;
}

static void call(int sends, int tag)
{
    int nothing = 0;
    unsigned long long begun;

    pthread_mutex_lock(&lock);
    begun = now();
    if (sends) {
        MPI_Send(&nothing, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&nothing, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    note(begun);
    pthread_mutex_unlock(&lock);
}

static void *run(void *which)
{
    unsigned long long next = now();
    int thread = *(const int *)which;

    for (int i = 0, depth = 1, at = 0; i < CALLS; i++) {
        call(at < depth, thread);
        if (++at == 2 * depth) {
            at = 0;
            depth = depth % DEPTH + 1;
        }
        for (next += APART; now() < next;) {
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    pthread_t threads[THREADS];
    int numbers[THREADS];
    unsigned long long first;
    int provided;

    MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE || !find_queue(&comm)) {
        MPI_Abort(comm, 77);
    }
    first = last = now();
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, run, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("%.9g %.9g %u\n", lower / (double)(last - first), upper / (double)(last - first),
           greatest);
    MPI_Finalize();
    return 0;
}
