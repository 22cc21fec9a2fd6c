/*
 * There are many ways for a process to end and few in which code of ours still
 * runs; each of these tells what it knows, the first one counts, and none waits
 * for other ranks.
 */
#include "recorder/finalize/ending.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "recorder/api/saying.h"
#include "recorder/finalize/apart.h"
#include "recorder/finalize/manifest.h"
#include "recorder/recorder.h"
#include "recorder/state/crew.h"
#include "recorder/state/requests.h"
#include "recorder/state/running.h"
#include "recorder/state/thread_tallies.h"

static enum mw_loss_reason reason_of(const struct mw_spool *spool)
{
    if (spool->diagnostic.error_number == EFBIG && mwr_recorder.settings.max_spool > 0) {
        return MW_LOSS_LIMIT;
    }
    return spool->diagnostic.status == MW_ERROR_MEMORY ? MW_LOSS_MEMORY : MW_LOSS_SPACE;
}

/* Calls that the stream could not keep, and those that went with its file if that is gone. */
static uint64_t lost_of(const struct mwr_stream *stream)
{
    const struct mw_spool *spool = &stream->spool;

    return spool->lost + (mw_own_file_is_there(&spool->file) ? 0 : spool->calls);
}

static void define_loss(uint32_t thread, enum mw_loss_reason reason, uint64_t count)
{
    if (count > 0) {
        mwr_recorder_define(&(struct mw_definition){
            .kind = MW_DEFINE_LOSS,
            .of.loss = {.thread = thread, .reason = reason, .count = count},
        });
    }
}

/* MPI_Abort of MPICH 4.2 returns, and the program calls on until its launcher has killed it. */
static bool may_go_on(enum mw_end_how how)
{
    return how == MW_ENDED_ABORT || how == MW_ENDED_ERROR;
}

void mwr_ending_tell(enum mw_end_how how, int code)
{
    /* The process may end with the lock held by a thread that won't come back. */
    bool locked = pthread_mutex_trylock(&mwr_recorder.lock) == 0;

    for (const struct mwr_stream *stream = mwr_recorder.streams; locked && stream;
         stream = stream->following) {
        define_loss(stream->thread, reason_of(&stream->spool), lost_of(stream));
        define_loss(stream->thread, MW_LOSS_PAUSED, stream->unrecorded);
    }
    if (locked && !(may_go_on(how) && mwr_tallies_are_in_files())) {
        mwr_tallies_tell();
    }
    mwr_computing_tell();
    define_loss(0, mwr_recorder.stream_failed == MW_ERROR_MEMORY ? MW_LOSS_MEMORY : MW_LOSS_SPACE,
                mwr_recorder.unstreamed);
    define_loss(0, MW_LOSS_REQUEST, mwr_requests_lost());
    mwr_saying_tell();
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_END,
        .of.end = {.time = mwr_clock(), .how = how, .code = (uint32_t)code},
    });
    if (locked) {
        pthread_mutex_unlock(&mwr_recorder.lock);
    }
}

/*
 * Closes this thread's spool. Those of other threads stay mapped, in case one of them
 * is still on its way out of a call; whatever they had to write is in their files.
 */
static void close_stream(void)
{
    struct mwr_stream *own = mwr_thread.stream;

    mwr_computing_end(&mwr_thread.computing);
    if (own && own->thread == 0) {
        mwr_crew_end();
    }
    pthread_mutex_lock(&mwr_recorder.lock);
    if (own && !own->closed) {
        own->closed = true;
        mw_spool_fini(&own->spool);
    }
    pthread_mutex_unlock(&mwr_recorder.lock);
}

void mwr_ending_close(void)
{
    close_stream();
    mw_definition_writer_destroy(mwr_recorder.definitions);
    mwr_recorder.definitions = NULL;
}

/* Whether the process is a rank that has not ended yet, and isn't a child of one. */
static bool is_rank(void)
{
    enum mwr_phase phase = __atomic_load_n(&mwr_recorder.phase, __ATOMIC_ACQUIRE);

    return (phase == MWR_RECORDING || phase == MWR_PAUSED) && mwr_recorder.pid == getpid();
}

bool mwr_ending_is_open(void)
{
    return is_rank() && !mwr_recorder.has_told_end;
}

/*
 * Tells how a rank ends before MPI_Finalize, which is told once; false: it has been, or the rank
 * has no spool and nothing to tell. Recording goes on: the process's other threads, if it is one
 * of the MPI's own that ends it, make calls until they are gone.
 */
static bool tell_early_end(enum mw_end_how how, int code)
{
    if (!is_rank() || !mwr_recorder.definitions ||
        __atomic_exchange_n(&mwr_recorder.has_told_end, true, __ATOMIC_RELAXED)) {
        return false;
    }
    mwr_ending_tell(how, code);
    return true;
}

/* Says how this rank ends and what to do next, if nobody else has. */
static void say_early_end(const char *what, const char *word, int code)
{
    char next[MWR_PATH_BYTES];

    if (!mwr_manifest_note_end(word, code)) {
        return;
    }
    if (!mw_definition_writer_is_there(mwr_recorder.definitions)) {
        mwr_say("rank %u %s with code %d; its spool in %s is gone, and all that was recorded",
                mwr_recorder.rank, what, code, mwr_recorder.spool);
        return;
    }
    mwr_say("rank %u %s with code %d; what was recorded is kept; next: %s",
            mwr_recorder.rank, what, code, mwr_manifest_next(next, sizeof next));
}

void mwr_ending_abort(int code)
{
    if (tell_early_end(MW_ENDED_ABORT, code)) {
        say_early_end("called MPI_Abort", "abort", code);
    }
}

#ifndef MPICH_VERSION
/*
 * Open MPI's own end of a process, of which MPI_Abort is one way and an error on a communicator
 * or window with MPI_ERRORS_ARE_FATAL the other. From there it calls _exit, so that no destructor
 * runs; the library calls it by this name, which it exports in all versions since 1.0.
 */
struct ompi_communicator_t;
int ompi_mpi_abort(struct ompi_communicator_t *communicator, int code)
    __attribute__((visibility("default")));

int ompi_mpi_abort(struct ompi_communicator_t *communicator, int code)
{
    __typeof__(&ompi_mpi_abort) real =
        (__typeof__(real))dlsym(RTLD_NEXT, "ompi_mpi_abort");

    if (tell_early_end(MW_ENDED_ERROR, code)) {
        say_early_end("ends by a fatal MPI error", "error", code);
    }
    /* It is there always: this library is linked with the MPI's. */
    return real ? real(communicator, code) : code;
}
#endif

static void keep_status(int status, void *unused)
{
    mwr_recorder.exit_status = status;
}

void mwr_ending_watch(void)
{
    mwr_recorder.pid = getpid();
    mwr_recorder.exit_status = -1;
    on_exit(keep_status, NULL);
}

/* Up to when this thread ran, which calls exit, unless it does so inside of a call. */
static void tell_rest(void)
{
    if (is_rank() && mwr_thread_records() && !mwr_thread.outermost) {
        mwr_running_finish(mwr_thread.stream);
    }
}

/* Runs after all of the program's own exit handlers: one of them may call MPI_Finalize. */
static __attribute__((destructor)) void end_without_finalize(void)
{
    char word[MWR_PATH_BYTES];

    tell_rest();
    if (is_rank() && mwr_recorder.is_apart && mwr_recorder.sessions == 0) {
        mwr_apart_end();
    } else if (tell_early_end(MW_ENDED_EXIT, mwr_recorder.exit_status)) {
        if (mwr_manifest_note_end("exit", mwr_recorder.exit_status)) {
            mwr_say("rank %u ended without MPI_Finalize, with status %d; what was recorded is "
                    "kept; next: %s",
                    mwr_recorder.rank, mwr_recorder.exit_status,
                    mwr_manifest_next(word, sizeof word));
        }
    }
}
