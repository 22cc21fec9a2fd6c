/*
 * Threads of one rank that get each other's handles: each sends to itself, ROUNDS times, on a
 * communicator of its own, and completes both requests in the way that MODE says. What one
 * thread has completed, the library gives to the next one at once.
 *
 *     thread_handles MODE ROUNDS
 *
 * A message of thread t in round r has the tag 1000 * t + r and t + 1 bytes. The communicators
 * of threads 0 and 1 are called "kept", the others "counted".
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, UNSENT = 30000 };

struct thread {
    int number;
    int round;
    int tag;
    MPI_Comm comm;
    MPI_Win window;
    MPI_File file;
    char in[THREADS], out[THREADS];
    MPI_Request requests[2]; /* the receive and the send */
};

static int rounds;
static const char *mode;
static pthread_barrier_t barriers[THREADS / 2]; /* of two threads each */
static MPI_Comm between[THREADS / 2];

static int is(const char *name)
{
    return strcmp(mode, name) == 0;
}

/* --- both requests, as they are completed ------------------------------------------ */

static void by_wait(struct thread *me)
{
    MPI_Wait(&me->requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&me->requests[0], MPI_STATUS_IGNORE);
}

static void by_waitall(struct thread *me)
{
    MPI_Waitall(2, me->requests, MPI_STATUSES_IGNORE);
}

static void by_waitany(struct thread *me)
{
    int index;

    MPI_Waitany(2, me->requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitany(2, me->requests, &index, MPI_STATUS_IGNORE);
}

static void by_waitsome(struct thread *me)
{
    int indices[2], count;

    for (int done = 0; done < 2; done += count) {
        MPI_Waitsome(2, me->requests, &count, indices, MPI_STATUSES_IGNORE);
    }
}

static void by_test(struct thread *me)
{
    for (int i = 0; i < 2; i++) {
        for (int flag = 0; !flag;) {
            MPI_Test(&me->requests[i], &flag, MPI_STATUS_IGNORE);
        }
    }
}

static void by_testall(struct thread *me)
{
    for (int flag = 0; !flag;) {
        MPI_Testall(2, me->requests, &flag, MPI_STATUSES_IGNORE);
    }
}

static void by_testany(struct thread *me)
{
    int index, flag;

    for (int done = 0; done < 2; done += flag) {
        MPI_Testany(2, me->requests, &index, &flag, MPI_STATUS_IGNORE);
    }
}

static void by_testsome(struct thread *me)
{
    int indices[2], count;

    for (int done = 0; done < 2; done += count) {
        MPI_Testsome(2, me->requests, &count, indices, MPI_STATUSES_IGNORE);
    }
}

/* Asked first whether they are complete. */
static void by_status(struct thread *me)
{
    for (int i = 0; i < 2; i++) {
        for (int flag = 0; !flag;) {
            MPI_Request_get_status(me->requests[i], &flag, MPI_STATUS_IGNORE);
        }
    }
    by_wait(me);
}

/* The receive is freed, and seen to be complete when others are. */
static void by_free(struct thread *me)
{
    MPI_Request_free(&me->requests[0]);
    MPI_Wait(&me->requests[1], MPI_STATUS_IGNORE);
}

/* --- other requests, whose handles are among those used again ----------------------------- */

static void cancel(struct thread *me)
{
    MPI_Request request;
    char unused;

    MPI_Irecv(&unused, 1, MPI_CHAR, 0, UNSENT, me->comm, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void duplicate(struct thread *me)
{
    MPI_Request request;
    MPI_Comm made;

    MPI_Comm_idup(me->comm, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&made);
}

static void synchronize(struct thread *me)
{
    MPI_Request request;

    MPI_Ibarrier(me->comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
    MPI_Barrier_init(me->comm, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
#endif
}

static void put(struct thread *me)
{
    MPI_Request request;

    MPI_Rput(me->out, 1, MPI_CHAR, 0, 0, 1, MPI_CHAR, me->window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void write_file(struct thread *me)
{
    MPI_Request request;

    MPI_File_iwrite_at(me->file, 0, me->out, me->number + 1, MPI_CHAR, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* All threads put into one window, and none knows of the others. */
static void flush(struct thread *me)
{
    MPI_Put(me->out, 1, MPI_CHAR, 0, 0, 1, MPI_CHAR, me->window);
    MPI_Win_flush(0, me->window);
}

/*
 * One of two threads receives from the other, which frees the communicator as soon as its send is
 * over, and makes another one.
 */
static void renew(struct thread *me)
{
    int pair = me->number / 2;
    MPI_Comm next;

    if (me->number % 2 == 0) {
        pthread_barrier_wait(&barriers[pair]);
        MPI_Recv(me->in, 1, MPI_CHAR, 0, me->round, between[pair], MPI_STATUS_IGNORE);
        pthread_barrier_wait(&barriers[pair]);
        return;
    }
    MPI_Comm_dup(me->comm, &between[pair]);
    pthread_barrier_wait(&barriers[pair]);
    MPI_Ssend(me->out, 1, MPI_CHAR, 0, me->round, between[pair]);
    MPI_Comm_free(&between[pair]);
    MPI_Comm_dup(me->comm, &next);
    pthread_barrier_wait(&barriers[pair]);
    MPI_Comm_free(&next);
}

/* --- rounds -------------------------------------------------------------------------------- */

static void start(struct thread *me)
{
    MPI_Irecv(me->in, me->number + 1, MPI_CHAR, 0, me->tag, me->comm, &me->requests[0]);
    MPI_Issend(me->out, me->number + 1, MPI_CHAR, 0, me->tag, me->comm, &me->requests[1]);
}

static void persistent(struct thread *me)
{
    MPI_Recv_init(me->in, me->number + 1, MPI_CHAR, 0, me->tag, me->comm, &me->requests[0]);
    MPI_Ssend_init(me->out, me->number + 1, MPI_CHAR, 0, me->tag, me->comm, &me->requests[1]);
    MPI_Startall(2, me->requests);
    MPI_Waitall(2, me->requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&me->requests[0]);
    MPI_Request_free(&me->requests[1]);
}

static void probed(struct thread *me)
{
    MPI_Message message;

    MPI_Issend(me->out, me->number + 1, MPI_CHAR, 0, me->tag, me->comm, &me->requests[1]);
    MPI_Mprobe(0, me->tag, me->comm, &message, MPI_STATUS_IGNORE);
    if (me->round % 2 == 0) {
        MPI_Mrecv(me->in, me->number + 1, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    } else {
        MPI_Imrecv(me->in, me->number + 1, MPI_CHAR, &message, &me->requests[0]);
        MPI_Wait(&me->requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Wait(&me->requests[1], MPI_STATUS_IGNORE);
}

static const struct {
    const char *name;
    void (*beside)(struct thread *me);
    void (*complete)(struct thread *me);
} modes[] = {
    {"wait", NULL, by_wait},         {"waitall", NULL, by_waitall},
    {"waitany", NULL, by_waitany},   {"waitsome", NULL, by_waitsome},
    {"test", NULL, by_test},         {"testall", NULL, by_testall},
    {"testany", NULL, by_testany},   {"testsome", NULL, by_testsome},
    {"status", NULL, by_status},     {"free", NULL, by_free},
    {"cancel", cancel, by_wait},     {"idup", duplicate, by_wait},
    {"barrier", synchronize, by_wait},
    {"rput", put, by_wait},          {"write", write_file, by_wait},
    {"paused", NULL, by_wait},
};

static void run_round(struct thread *me)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (is(modes[i].name)) {
            start(me);
            if (modes[i].beside) {
                modes[i].beside(me);
            }
            modes[i].complete(me);
        }
    }
    if (is("persistent")) {
        persistent(me);
    } else if (is("probed")) {
        probed(me);
    } else if (is("flush")) {
        flush(me);
    } else if (is("renewed")) {
        renew(me);
    }
}

static void *work(void *argument)
{
    struct thread *me = argument;

    for (me->round = 0; me->round < rounds; me->round++) {
        me->tag = 1000 * me->number + me->round;
        /* On for five rounds, off for five, for all threads wherever they are. */
        if (is("paused") && me->number == 0 && me->round % 5 == 0) {
            MPI_Pcontrol(me->round / 5 % 2 == 0);
        }
        run_round(me);
    }
    return NULL;
}

static void prepare(struct thread *me, int number)
{
    char path[64];
    void *base;

    me->number = number;
    memset(me->out, number, sizeof me->out);
    MPI_Comm_dup(MPI_COMM_SELF, &me->comm);
    MPI_Comm_set_name(me->comm, number < 2 ? "kept" : "counted");
    if (is("rput") || (is("flush") && number == 0)) {
        MPI_Win_allocate(1, 1, MPI_INFO_NULL, me->comm, &base, &me->window);
        MPI_Win_lock_all(0, me->window);
    }
    if (is("write")) {
        snprintf(path, sizeof path, "written.%d", number);
        MPI_File_open(me->comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &me->file);
    }
}

static void clean(struct thread *me)
{
    if (is("rput") || (is("flush") && me->number == 0)) {
        MPI_Win_unlock_all(me->window);
        MPI_Win_free(&me->window);
    }
    if (is("write")) {
        MPI_File_close(&me->file);
    }
    MPI_Comm_free(&me->comm);
}

int main(int argc, char **argv)
{
    static struct thread threads[THREADS];
    pthread_t ids[THREADS];
    int provided;

    if (argc != 3) {
        return 2;
    }
    mode = argv[1];
    rounds = atoi(argv[2]);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < THREADS / 2; i++) {
        pthread_barrier_init(&barriers[i], NULL, 2);
    }
    for (int i = 0; i < THREADS; i++) {
        prepare(&threads[i], i);
        if (is("flush")) {
            threads[i].window = threads[0].window;
        }
    }
    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&ids[i], NULL, work, &threads[i]) != 0) {
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(ids[i], NULL);
    }
    MPI_Pcontrol(1);
    for (int i = 0; i < THREADS; i++) {
        clean(&threads[i]);
    }
    MPI_Finalize();
    return 0;
}
