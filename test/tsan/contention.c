/*
 * The recorder's state under real contention, as a plain program for -fsanitize=thread: threads
 * that come and go write calls into spools, start requests and complete each other's, make and
 * free communicators and windows whose handles are used again, while recording is paused and
 * resumed. In the end the spools hold every call that was not made in a pause.
 *
 * There is no MPI: what the recorder asks of it is answered here, from handles that are
 * addresses of our own.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/spool/spool_reader.h"
#include "formats/spool/spool_writer.h"
#include "recorder/api/user.h"
#include "recorder/dispatch/chain.h"
#include "recorder/finalize/circumstances.h"
#include "recorder/recorder.h"
#include "recorder/state/comms.h"
#include "recorder/state/objects.h"
#include "recorder/state/requests.h"
#include "recorder/variables/pvars.h"

#define THREADS 4
#define GENERATIONS 6 /* of threads that start and end */
#define ROUNDS 400
#define CREATIONS (THREADS * GENERATIONS * ROUNDS)
#define BATCH 24 /* requests of a round: the table grows meanwhile */

struct mwr_chain mwr_chain;
uint32_t mwr_sampling;
uint64_t mwr_gap_begins = UINT64_MAX;

static char handles[THREADS][BATCH];     /* requests */
static char comm_handles[THREADS][2];    /* communicators and windows: used again at once */
static char common[256]; /* communicators that all meet at the same time */
static char given[THREADS];      /* requests whose handles are used again at once, … */
static size_t idle[THREADS];     /* … those that are nobody's, the latest last */
static size_t idle_count;
static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static uint64_t made; /* calls */
static unsigned failures;

static void check(int is_so, const char *what)
{
    if (!is_so && __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) < 10) {
        fprintf(stderr, "contention: %s\n", what);
    }
}

/* --- what the recorder asks ---------------------------------------------------------------- */

void mwr_sample_leave(struct mwr_call *call, uint64_t now)
{
}

void mwr_sample_before(struct mwr_stream *stream, unsigned call, uint64_t now)
{
}

void mwr_variables_pause(void)
{
}

void mwr_sample_enter(struct mwr_call *call)
{
}

void mwr_regions_leave(void)
{
}

uint32_t mwr_metric_define_own(const struct mw_define_metric *metric)
{
    return UINT32_MAX;
}

void mwr_circumstances_define_thread(uint32_t thread)
{
}

static int answer_zero(MPI_Comm comm, int *value)
{
    *value = 0;
    return MPI_SUCCESS;
}

static int answer_one(MPI_Comm comm, int *value)
{
    *value = 1;
    return MPI_SUCCESS;
}

static int answer_group(MPI_Comm comm, MPI_Group *group)
{
    *group = MPI_GROUP_EMPTY;
    return MPI_SUCCESS;
}

static int answer_group_size(MPI_Group group, int *size)
{
    *size = 1;
    return MPI_SUCCESS;
}

static int answer_ranks(MPI_Group group, int count, const int ranks[], MPI_Group to, int result[])
{
    memcpy(result, ranks, (size_t)count * sizeof *result);
    return MPI_SUCCESS;
}

static int answer_group_free(MPI_Group *group)
{
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

static void answer_for_mpi(void)
{
    mwr_chain.library[MW_CALL_MPI_Comm_test_inter] = (mwr_function)answer_zero;
    mwr_chain.library[MW_CALL_MPI_Comm_rank] = (mwr_function)answer_zero;
    mwr_chain.library[MW_CALL_MPI_Comm_size] = (mwr_function)answer_one;
    mwr_chain.library[MW_CALL_MPI_Comm_group] = (mwr_function)answer_group;
    mwr_chain.library[MW_CALL_MPI_Group_size] = (mwr_function)answer_group_size;
    mwr_chain.library[MW_CALL_MPI_Group_translate_ranks] = (mwr_function)answer_ranks;
    mwr_chain.library[MW_CALL_MPI_Group_free] = (mwr_function)answer_group_free;
}

/* --- threads --------------------------------------------------------------------------------- */

static void make_call(unsigned id)
{
    struct mwr_call call;

    mwr_call_begin(&call, id, NULL);
    mwr_call_note(&call, MW_MEMBER_COMM_CREATE, 0);
    mwr_call_end(&call);
    __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
}

static void start_requests(size_t self, unsigned round)
{
    for (size_t i = 0; i < BATCH; i++) {
        struct mwr_request request = { .key = (uintptr_t)&handles[self][i],
                                       .id = (uint64_t)round << 16 | self << 8 | i | 1,
                                       .kind = MWR_REQUEST_SEND };

        check(mwr_request_add(&request, (MPI_Request)(void *)&handles[self][i]) == MWR_FOLLOWED,
              "a request is not followed");
    }
}

static void complete_requests(size_t other, unsigned round)
{
    mwr_thread.entered = mwr_requests_added();
    for (size_t i = 0; i < BATCH; i++) {
        uintptr_t key = (uintptr_t)&handles[other][i];
        struct mwr_request request;

        check(mwr_request_find(key, &request), "a request is not found");
        check(mwr_request_complete(key, &request), "a request can't be completed");
        check(request.id == ((uint64_t)round << 16 | other << 8 | i | 1),
              "a request has the id of another");
        check(!mwr_request_remove(key, &request), "a completed request is still there");
    }
}

/* Open MPI's own, which is several requests' at the same time. */
static void meet_shared_requests(void)
{
    struct mwr_request request = { .key = mwr_request_key(&ompi_request_empty),
                                   .id = 1,
                                   .kind = MWR_REQUEST_SEND };

    check(mwr_request_add(&request, &ompi_request_empty) == MWR_ALREADY_COMPLETE,
          "a shared handle is followed");
}

/* As the library does: the handle is another thread's before the call has come back to us. */
static void complete_after_it_is_given_away(size_t self, unsigned round)
{
    struct mwr_request request = { .id = (uint64_t)round << 16 | self << 8 | 0xff,
                                   .kind = MWR_REQUEST_RECV };
    uint64_t id = request.id;
    size_t handle;

    pthread_mutex_lock(&idle_lock);
    handle = idle[--idle_count];
    pthread_mutex_unlock(&idle_lock);
    request.key = (uintptr_t)&given[handle];
    check(mwr_request_add(&request, (MPI_Request)(void *)&given[handle]) == MWR_FOLLOWED,
          "a request is not followed");
    mwr_thread.entered = mwr_requests_added();
    pthread_mutex_lock(&idle_lock);
    idle[idle_count++] = handle;
    pthread_mutex_unlock(&idle_lock);
    sched_yield();
    check(mwr_request_complete((uintptr_t)&given[handle], &request) && request.id == id,
          "a request is taken for another");
}

/* Makes a communicator and a window with handles that were used before, and frees both. */
static void make_and_free(size_t self, unsigned round)
{
    MPI_Comm handle = (MPI_Comm)(void *)&comm_handles[self][round & 1];
    uintptr_t window = (uintptr_t)&comm_handles[self][round & 1];
    struct mwr_creation creation = mwr_comm_creation(MW_CALL_MPI_Comm_dup, MPI_COMM_WORLD);
    uint32_t number = mwr_comm_created(&creation, handle, 0);
    struct mwr_object *object;
    struct mwr_comm *comm = mwr_comm_find(handle);

    check(comm && comm->number == number, "a communicator has another number");
    object = mwr_object_created(MW_OBJECT_WINDOW, window, handle, MW_CALL_MPI_Win_create, "");
    check(object && mwr_object_find(MW_OBJECT_WINDOW, window) == object, "no window");
    check(mwr_object_forget(MW_OBJECT_WINDOW, window) == object, "another window");
    if (object) {
        mwr_object_free(object);
    }
    check(mwr_comm_forget(handle) == comm, "another communicator is freed");
    if (comm) {
        mwr_comm_freed(comm, mwr_clock());
    }
}

static void *work(void *argument)
{
    size_t self = (size_t)argument;

    pthread_barrier_wait(&barrier);
    meet_shared_requests();
    for (unsigned round = 0; round < ROUNDS; round++) {
        make_call(MW_CALL_MPI_Comm_dup);
        start_requests(self, round);
        complete_after_it_is_given_away(self, round);
        make_and_free(self, round);
        pthread_barrier_wait(&barrier);
        check(mwr_comm_find((MPI_Comm)(void *)&common[round % sizeof common]) != NULL,
              "a communicator is lost");
        complete_requests((self + 1) % THREADS, round);
        pthread_barrier_wait(&barrier);
        make_call(MW_CALL_MPI_Comm_free);
        if (round % 16 == self) {
            mwr_recorder_pause();
            make_call(MW_CALL_MPI_Comm_dup);
            mwr_recorder_resume();
        }
    }
    return NULL;
}

static void run_generation(void)
{
    pthread_t threads[THREADS];

    for (size_t i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, work, (void *)i) != 0) {
            perror("contention: pthread_create");
            exit(2);
        }
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* --- what is left ----------------------------------------------------------------------------- */

/* Calls in the spool of a stream, which is closed. */
static uint64_t calls_in(const struct mwr_stream *stream)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mw_spool_reader *reader = NULL;
    struct mw_spool_call call;
    enum mw_status status;
    uint64_t calls = 0;
    char path[MWR_PATH_BYTES + 32];

    snprintf(path, sizeof path, "%s/%u.events", mwr_recorder.spool, stream->thread);
    status = mw_spool_reader_create(path, &reader, &diagnostic);
    while (status == MW_OK) {
        status = mw_spool_reader_next(reader, &call, &diagnostic);
        if (status == MW_OK && call.record.type == MW_RECORD_CALL) {
            calls += call.record.repeat;
        }
    }
    check(status == MW_END, "a spool can't be read to its end");
    mw_spool_reader_destroy(reader);
    return calls;
}

static int report(void)
{
    uint64_t found = 0;
    uint64_t unrecorded = 0;
    struct mwr_creation creation;

    for (struct mwr_stream *each = mwr_recorder.streams; each; each = each->following) {
        mw_spool_fini(&each->spool);
        found += calls_in(each);
        unrecorded += each->unrecorded;
    }
    check(found + unrecorded == made, "calls are missing from the spools");
    check(unrecorded > 0 && found > unrecorded, "there was no contention with pauses");
    check(mwr_recorder.stream_count <= THREADS + 1, "streams of ended threads are not used again");
    check(mwr_requests_lost() == 0, "requests were lost");
    creation = mwr_comm_creation(MW_CALL_MPI_Comm_dup, MPI_COMM_WORLD);
    check(creation.sequence == CREATIONS + 1, "creations are not counted one by one");
    check(mwr_comm_created(&creation, (MPI_Comm)(void *)&creation, 0) ==
              2 + sizeof common + CREATIONS,
          "a communicator has more than one number");
    printf("contention: %llu calls, %llu of them paused, %u streams, %u failures\n",
           (unsigned long long)made, (unsigned long long)unrecorded, mwr_recorder.stream_count,
           failures);
    return failures > 0;
}

int main(int argc, char **argv)
{
    struct mw_diagnostic diagnostic = { 0 };
    char path[MWR_PATH_BYTES + 32];

    if (argc != 2 || mkdir(argv[1], 0700) != 0) {
        fprintf(stderr, "usage: contention NEW_DIRECTORY\n");
        return 2;
    }
    answer_for_mpi();
    for (idle_count = 0; idle_count < THREADS; idle_count++) {
        idle[idle_count] = idle_count;
    }
    pthread_barrier_init(&barrier, NULL, THREADS);
    mwr_clock_start(true);
    mwr_recorder.nonce = 7;
    mwr_recorder.size = 1;
    mwr_recorder.is_multiple = true;
    mwr_recorder.pid = getpid();
    snprintf(mwr_recorder.spool, sizeof mwr_recorder.spool, "%s", argv[1]);
    snprintf(path, sizeof path, "%s/definitions", argv[1]);
    if (mw_definition_writer_create(path, 7, 0, &mwr_recorder.definitions, &diagnostic) !=
            MW_OK ||
        mwr_comms_init(&diagnostic) != MW_OK) {
        fprintf(stderr, "contention: %s: %s\n", diagnostic.where, diagnostic.what);
        return 2;
    }
    mwr_requests_init(true);
    mwr_recorder_enter(MWR_RECORDING);
    make_call(MW_CALL_MPI_Init_thread); /* stream 0 is the main thread's */
    for (unsigned i = 0; i < GENERATIONS; i++) {
        run_generation();
    }
    mwr_recorder_enter(MWR_FINISHED);
    return report();
}
