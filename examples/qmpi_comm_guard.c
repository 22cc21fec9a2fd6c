/*
 * A QMPI tool, "comm_guard", that warns of two mistakes as far as one rank can see them:
 *
 *   - a blocking MPI_Send or MPI_Ssend to oneself for which no receive is posted: it
 *     works only while MPI has room for the message;
 *   - collectives on MPI_COMM_WORLD that some ranks call in another order than others,
 *     which MPI does not always notice, compared in MPI_Finalize; and collectives on one
 *     communicator that two threads of a rank are in at the same time.
 *
 * It follows six blocking collectives, MPI_Irecv, and of the calls that complete its
 * requests MPI_Wait and MPI_Waitall: after others it takes a receive for posted that is
 * not any more, and misses mistakes. Every rank has to run it. One instance is enough.
 */
#include <mpi.h>
#include <pthread.h>
#include <qmpi.h>
#include <stdint.h>
#include <stdio.h>

#define POSTED_MAX 4096

/* A receive from oneself, or from anyone, that has not been completed. */
struct posted {
    MPI_Request request;
    MPI_Comm comm;
    int tag;
};

struct next {
    void (*function)(void);
    int id;
};

static struct next next[MPIWATCH_QMPI_COUNT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct posted posted[POSTED_MAX];
static int posted_count;
static int collectives;        /* on MPI_COMM_WORLD */
static uint64_t order;         /* a fingerprint of them, in order */
static MPI_Comm busy[64];      /* communicators that threads are in a collective on */
static int busy_count;

static int is_me(MPI_Comm comm, int rank)
{
    int mine, is_inter;

    PMPI_Comm_test_inter(comm, &is_inter);
    PMPI_Comm_rank(comm, &mine);
    return !is_inter && rank == mine;
}

static void warn(const char *what, int number)
{
    int rank;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "comm_guard: rank %d: %s (%d)\n", rank, what, number);
}

/* --- sends to oneself ---------------------------------------------------------------- */

static void check_send(MPI_Comm comm, int dest, int tag)
{
    int found = !is_me(comm, dest);

    pthread_mutex_lock(&lock);
    for (int i = 0; i < posted_count && !found; i++) {
        found = posted[i].comm == comm && (posted[i].tag == tag || posted[i].tag == MPI_ANY_TAG);
    }
    found = found || posted_count == POSTED_MAX;
    pthread_mutex_unlock(&lock);
    if (!found) {
        warn("sends to itself, and no receive is posted; tag", tag);
    }
}

#define SEND(name, number)                                                                      \
    static int guard_##name(QMPI_Context context, int id, const void *buffer, int count,        \
                            MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)            \
    {                                                                                           \
        id = next[number].id;                                                                   \
        check_send(comm, dest, tag);                                                            \
        return ((QMPI_##name##_t *)next[number].function)(context, id, buffer, count, datatype, \
                                                          dest, tag, comm);                     \
    }
SEND(Send, MPI_SEND_T)
SEND(Ssend, MPI_SSEND_T)

static int guard_Irecv(QMPI_Context context, int id, void *buffer, int count,
                       MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                       MPI_Request *request)
{
    id = ((QMPI_Irecv_t *)next[MPI_IRECV_T].function)(context, next[MPI_IRECV_T].id, buffer, count,
                                                      datatype, source, tag, comm, request);
    if (id == MPI_SUCCESS && (source == MPI_ANY_SOURCE || is_me(comm, source))) {
        pthread_mutex_lock(&lock);
        if (posted_count < POSTED_MAX) {
            posted[posted_count++] = (struct posted){*request, comm, tag};
        }
        pthread_mutex_unlock(&lock);
    }
    return id;
}

/* Forgets a receive when its request is handed over to be completed. */
static void forget(MPI_Request request)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < posted_count; i++) {
        if (posted[i].request == request) {
            posted[i] = posted[--posted_count];
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

static int guard_Wait(QMPI_Context context, int id, MPI_Request *request, MPI_Status *status)
{
    id = next[MPI_WAIT_T].id;
    forget(*request);
    return ((QMPI_Wait_t *)next[MPI_WAIT_T].function)(context, id, request, status);
}

static int guard_Waitall(QMPI_Context context, int id, int count, MPI_Request requests[],
                         MPI_Status statuses[])
{
    id = next[MPI_WAITALL_T].id;
    for (int i = 0; i < count; i++) {
        forget(requests[i]);
    }
    return ((QMPI_Waitall_t *)next[MPI_WAITALL_T].function)(context, id, count, requests,
                                                           statuses);
}

/* --- the order of collectives ------------------------------------------------------------ */

static void begin_collective(MPI_Comm comm, int number)
{
    int is_busy = 0;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < busy_count; i++) {
        is_busy |= busy[i] == comm;
    }
    if (busy_count < 64) {
        busy[busy_count++] = comm;
    }
    if (comm == MPI_COMM_WORLD) {
        order = (order ^ (uint64_t)number) * 0x100000001b3u;
        collectives++;
    }
    pthread_mutex_unlock(&lock);
    if (is_busy) {
        warn("two threads are in collectives on one communicator; function", number);
    }
}

static void end_collective(MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    for (int i = busy_count - 1; i >= 0; i--) {
        if (busy[i] == comm) {
            busy[i] = busy[--busy_count];
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

/* Of all functions only those below are registered, and of them the hooks are made. */
#define COLLECTIVE(name, number, params, ...)                                                   \
    static int guard_##name params                                                              \
    {                                                                                           \
        id = next[number].id;                                                                   \
        begin_collective(comm, number);                                                         \
        id = ((QMPI_##name##_t *)next[number].function)(context, id, __VA_ARGS__);              \
        end_collective(comm);                                                                   \
        return id;                                                                              \
    }
COLLECTIVE(Barrier, MPI_BARRIER_T, (QMPI_Context context, int id, MPI_Comm comm), comm)
COLLECTIVE(Bcast, MPI_BCAST_T,
           (QMPI_Context context, int id, void *buffer, int count, MPI_Datatype datatype,
            int root, MPI_Comm comm),
           buffer, count, datatype, root, comm)
COLLECTIVE(Reduce, MPI_REDUCE_T,
           (QMPI_Context context, int id, const void *in, void *out, int count,
            MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm),
           in, out, count, datatype, op, root, comm)
COLLECTIVE(Allreduce, MPI_ALLREDUCE_T,
           (QMPI_Context context, int id, const void *in, void *out, int count,
            MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
           in, out, count, datatype, op, comm)
COLLECTIVE(Gather, MPI_GATHER_T,
           (QMPI_Context context, int id, const void *in, int in_count, MPI_Datatype in_type,
            void *out, int out_count, MPI_Datatype out_type, int root, MPI_Comm comm),
           in, in_count, in_type, out, out_count, out_type, root, comm)
COLLECTIVE(Allgather, MPI_ALLGATHER_T,
           (QMPI_Context context, int id, const void *in, int in_count, MPI_Datatype in_type,
            void *out, int out_count, MPI_Datatype out_type, MPI_Comm comm),
           in, in_count, in_type, out, out_count, out_type, comm)

static int guard_Finalize(QMPI_Context context, int id)
{
    uint64_t least, most;
    int rank;

    id = next[MPI_FINALIZE_T].id;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Allreduce(&order, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    PMPI_Allreduce(&order, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (least != most) {
        warn("ranks called the collectives on MPI_COMM_WORLD in different orders; here",
             collectives);
    }
    return ((QMPI_Finalize_t *)next[MPI_FINALIZE_T].function)(context, id);
}

static void guard(int id, int number, void (*hook)(void))
{
    QMPI_Register_function(id, (enum QMPI_Functions_enum)number, hook);
    QMPI_Get_function(id, (enum QMPI_Functions_enum)number, &next[number].function,
                      &next[number].id);
}

static void init(int id)
{
    if (next[MPI_SEND_T].function) {
        fprintf(stderr, "comm_guard: one instance is enough\n");
        return;
    }
    guard(id, MPI_SEND_T, (void (*)(void))guard_Send);
    guard(id, MPI_SSEND_T, (void (*)(void))guard_Ssend);
    guard(id, MPI_IRECV_T, (void (*)(void))guard_Irecv);
    guard(id, MPI_WAIT_T, (void (*)(void))guard_Wait);
    guard(id, MPI_WAITALL_T, (void (*)(void))guard_Waitall);
    guard(id, MPI_BARRIER_T, (void (*)(void))guard_Barrier);
    guard(id, MPI_BCAST_T, (void (*)(void))guard_Bcast);
    guard(id, MPI_REDUCE_T, (void (*)(void))guard_Reduce);
    guard(id, MPI_ALLREDUCE_T, (void (*)(void))guard_Allreduce);
    guard(id, MPI_GATHER_T, (void (*)(void))guard_Gather);
    guard(id, MPI_ALLGATHER_T, (void (*)(void))guard_Allgather);
    guard(id, MPI_FINALIZE_T, (void (*)(void))guard_Finalize);
}

__attribute__((constructor)) static void announce(void)
{
    QMPI_Register_tool_name("comm_guard", init);
}
