/*
 * A process can be in a session alone, so that nothing here may wait for others
 * but calls that MPI itself makes all of them wait in.
 */
#include "recorder/hooks/session.h"

#include <stdlib.h>

#include "formats/base/launched_job.h"
#include "recorder/dispatch/chain.h"
#include "recorder/finalize/siblings.h"
#include "recorder/finalize/start.h"
#include "recorder/hooks/completion.h"
#include "recorder/hooks/init_hooks.h"
#include "recorder/hooks/message.h"
#include "recorder/recorder.h"

void mwr_session_forget_world(void)
{
    if (mwr_recorder.world != MPI_GROUP_NULL) {
        MWR_PMPI(Group_free)(&mwr_recorder.world);
    }
}

#if MWR_HAS_MPI_Session_init

/*
 * The first session, opened before recording could start; and whether someone tries to. Written
 * under mwr_recorder.lock.
 */
static struct {
    uint64_t enter;
    uint64_t leave;
    bool is_kept;
    bool is_starting;
    bool has_looked; /* whether all ranks of the host are recorded */
    bool is_alone;   /* they aren't */
} first;

static void say_at_exit(void)
{
    if (mwr_recorder.phase == MWR_IDLE && !first.is_alone && !mwr_is_initialized() &&
        mw_launched_first()) {
        mwr_say("not recorded: the program uses MPI sessions, never calls MPI_Init, and makes no "
                "communicator of all processes in which recording could start");
    }
}

/* Under the recorder's lock: keeps what a program without MPI_Init needs. */
static void take_world(MPI_Session session, uint64_t enter)
{
    if (mwr_recorder.world != MPI_GROUP_NULL || mwr_is_initialized() ||
        (mwr_recorder.phase != MWR_IDLE && !mwr_recorder.is_apart)) {
        return;
    }
    if (MWR_PMPI(Group_from_session_pset)(session, "mpi://WORLD", &mwr_recorder.world) !=
        MPI_SUCCESS) {
        mwr_recorder.world = MPI_GROUP_NULL;
    }
    if (!first.is_kept) {
        first.is_kept = true;
        first.enter = enter;
        first.leave = mwr_clock();
        atexit(say_at_exit);
    }
}

void mwr_before_session_init(void)
{
    pthread_mutex_lock(&mwr_recorder.lock);
    if (mwr_recorder.phase == MWR_IDLE && !mwr_is_initialized() && !first.has_looked) {
        mwr_siblings_mark();
    }
    pthread_mutex_unlock(&mwr_recorder.lock);
}

void mwr_after_session_init(struct mwr_call *call, uint64_t enter, int result,
                            MPI_Session session)
{
    bool goes_on;

    mwr_after_plain(call, result);
    if (result != MPI_SUCCESS || session == MPI_SESSION_NULL) {
        return;
    }
    pthread_mutex_lock(&mwr_recorder.lock);
    goes_on = mwr_recorder.is_apart && mwr_recorder.sessions == 0;
    mwr_recorder.sessions++;
    take_world(session, enter);
    pthread_mutex_unlock(&mwr_recorder.lock);
    if (goes_on) {
        mwr_recorder_resume();
    }
}

void mwr_before_session_finalize(struct mwr_call *call)
{
    bool is_last;

    pthread_mutex_lock(&mwr_recorder.lock);
    is_last = mwr_recorder.sessions == 1;
    pthread_mutex_unlock(&mwr_recorder.lock);
    if (!is_last) {
        return;
    }
    if (mwr_recorder.is_apart && !mwr_is_initialized()) {
        mwr_free_kept(call);
        if (mwr_recorder.self != MPI_COMM_NULL) {
            MWR_PMPI(Comm_free)(&mwr_recorder.self);
        }
    }
    mwr_session_forget_world();
}

void mwr_after_session_finalize(struct mwr_call *call, int result)
{
    bool is_last;

    mwr_after_plain(call, result);
    if (result != MPI_SUCCESS) {
        return;
    }
    pthread_mutex_lock(&mwr_recorder.lock);
    is_last = mwr_recorder.sessions > 0 && --mwr_recorder.sessions == 0;
    pthread_mutex_unlock(&mwr_recorder.lock);
    if (is_last && mwr_recorder.is_apart && !mwr_is_initialized()) {
        mwr_call_end(call);
        call->record = NULL;
        mwr_recorder_pause();
    }
}

static bool spans_world(MPI_Group group)
{
    int compared = MPI_UNEQUAL;

    return mwr_recorder.world != MPI_GROUP_NULL && !mwr_is_initialized() &&
           MWR_PMPI(Group_compare)(group, mwr_recorder.world, &compared) == MPI_SUCCESS &&
           compared != MPI_UNEQUAL;
}

/* Whether others would never come; once, since the marks go when recording starts. */
static bool is_alone(void)
{
    bool result;

    pthread_mutex_lock(&mwr_recorder.lock);
    if (!first.has_looked) {
        first.has_looked = true;
        first.is_alone = mwr_siblings_are_missing();
    }
    result = first.is_alone;
    pthread_mutex_unlock(&mwr_recorder.lock);
    return result;
}

/* Whether this thread, and one of every other process, is here to start. */
static bool all_start(MPI_Comm comm)
{
    int mine;
    int all = 0;

    pthread_mutex_lock(&mwr_recorder.lock);
    mine = mwr_recorder.phase == MWR_IDLE && !first.is_starting;
    first.is_starting |= mine;
    pthread_mutex_unlock(&mwr_recorder.lock);
    if (MWR_PMPI(Allreduce)(&mine, &all, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS) {
        all = 0;
    }
    if (mine && !all) {
        pthread_mutex_lock(&mwr_recorder.lock);
        first.is_starting = false;
        pthread_mutex_unlock(&mwr_recorder.lock);
    }
    return all;
}

/* The calls that were made before there was a place to record them. */
static void record_beginning(struct mwr_call *call, unsigned id, void *caller, uint64_t enter)
{
    struct mwr_call opening;

    mwr_call_begin(&opening, MW_CALL_MPI_Session_init, NULL);
    if (opening.record) {
        opening.record->enter = first.enter;
        mw_spool_end(&opening.stream->spool, opening.record, first.leave);
    }
    mwr_call_begin(call, id, caller);
    if (call->record) {
        call->record->enter = enter;
    }
}

void mwr_session_may_start(struct mwr_call *call, unsigned id, void *caller, uint64_t enter,
                           int result, MPI_Group group, const MPI_Comm *comm)
{
    if (result != MPI_SUCCESS || !spans_world(group) || is_alone() ||
        !all_start(*comm)) {
        return;
    }
    mwr_start_in_session(*comm);
    if (mwr_recorder.phase != MWR_IDLE) {
        record_beginning(call, id, caller, enter);
        if (mwr_recorder.settings.start_paused) {
            mwr_recorder_pause();
        }
    }
}

#endif
