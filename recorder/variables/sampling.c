#include "recorder/variables/sampling.h"

#include "formats/table/calls.h"
#include "recorder/recorder.h"
#include "recorder/variables/state.h"
#include "recorder/variables/variables.h"

#define LONG_GAP_NS 100000000u  /* between calls: what was pending is written anyway */

/* Calls after which what was pending may be written before a shorter gap. */
#define CALLS_BEFORE_PENDING 64u

/* Written with atomics, under mwr_variables.lock where threads may meet; read by every call. */
uint32_t mwr_sampling;

void mwr_sampling_set(uint32_t set, uint32_t clear)
{
    uint32_t bits = __atomic_load_n(&mwr_sampling, __ATOMIC_RELAXED);

    __atomic_store_n(&mwr_sampling, (bits & ~clear) | set, __ATOMIC_RELAXED);
}

/* --- at calls ----------------------------------------------------------------------- */

/* The flags of a round at now: every so often all variables are written, changed or not. */
static uint8_t flags_at(uint64_t now)
{
    uint64_t interval = mwr_recorder.settings.pvar_keyframe;

    return interval > 0 && now - mwr_variables.rounds.last_keyframe >= interval
               ? MW_SAMPLE_KEYFRAME
               : 0;
}

/* A round at the end of a call. */
static void write_round(struct mwr_stream *stream, uint64_t now)
{
    uint8_t flags = flags_at(now);

    if (flags != 0) {
        mwr_variables_look_again();
    }
    mwr_rounds_write(&mwr_variables.rounds, stream, MW_MEMBER_METRIC, flags, now);
}

static void sample_simply(struct mwr_stream *stream, uint64_t now)
{
    struct mwr_rounds *rounds = &mwr_variables.rounds;

    mwr_rounds_count_call(rounds);
    if (MW_LIKELY(!mwr_rounds_is_due(rounds, mwr_recorder.settings.pvar_interval, now))) {
        mwr_rounds_look(rounds, stream);
    } else {
        write_round(stream, now);
    }
    rounds->last_sample = now;
}

/* Whether the schedule, which is not the simple one, has this call's end in it. */
static bool is_scheduled(const struct mw_call_record *record, uint64_t now)
{
    const struct mwr_schedule *schedule = &mwr_variables.schedule;
    const struct mwr_rounds *rounds = &mwr_variables.rounds;
    bool is_due = rounds->has_new || rounds->is_due;

    if (schedule->calls > 0 && ++mwr_variables.ordinal % schedule->calls == 0) {
        is_due = true;
    }
    if (schedule->interval > 0 && now - rounds->last_round >= schedule->interval) {
        is_due = true;
    }
    return is_due || (schedule->at_phase && record->call == MW_CALL_MPI_Pcontrol);
}

static bool enter_lock(void)
{
    return !mwr_variables.is_shared || pthread_mutex_trylock(&mwr_variables.lock) == 0;
}

static void leave_lock(void)
{
    if (mwr_variables.is_shared) {
        pthread_mutex_unlock(&mwr_variables.lock);
    }
}

void mwr_sample_leave(struct mwr_call *call, uint64_t now)
{
    if (!enter_lock()) {
        return; /* another thread does it at this moment */
    }
    if (MW_LIKELY(mwr_variables.is_simple)) {
        sample_simply(call->stream, now);
    } else if (is_scheduled(call->record, now)) {
        write_round(call->stream, now);
    }
    leave_lock();
}

void mwr_sample_enter(struct mwr_call *call)
{
    if (call->record && enter_lock()) {
        mwr_rounds_write(&mwr_variables.rounds, call->stream, MW_MEMBER_METRIC_ENTER, 0,
                         call->record->enter);
        leave_lock();
    }
}

/*
 * Variables that wait for a call are read as if it had been after the last one, since they change
 * inside calls only. Where that can't be told, the next round has their first sample.
 */
static void begin_waiting(struct mwr_stream *stream, bool is_between_calls)
{
    struct mwr_rounds *rounds = &mwr_variables.rounds;
    struct mw_call_record *record = NULL;

    pthread_mutex_lock(&mwr_variables.lock);
    mwr_variables_bind_waiting();
    if (is_between_calls && stream->thread == 0) {
        record = mw_spool_begin_mark(&stream->spool, MW_RECORD_SAMPLE, MW_CALL_MPI_Pcontrol,
                                     rounds->last_sample);
    }
    if (record) {
        mwr_rounds_write(rounds, stream, MW_MEMBER_METRIC, 0, rounds->last_sample);
        mw_spool_end(&stream->spool, record, rounds->last_sample);
    }
    pthread_mutex_unlock(&mwr_variables.lock);
}

/* One that only ends an object, whose variables are never bound then. */
static bool is_end(unsigned call)
{
    return call == MW_CALL_MPI_Comm_free || call == MW_CALL_MPI_Comm_disconnect;
}

/*
 * A level that fell back just before the program went computing would seem to stay up all
 * the while: what was read then is written now, with the time when it was read.
 */
static void write_what_was_pending(struct mwr_stream *stream, uint64_t now)
{
    struct mwr_rounds *rounds = &mwr_variables.rounds;
    uint64_t gap = now - rounds->last_sample;
    struct mw_call_record *record;

    if (gap < mwr_recorder.settings.pvar_interval || mwr_variables.is_shared ||
        (gap < LONG_GAP_NS && rounds->calls - rounds->last_pending < CALLS_BEFORE_PENDING &&
         rounds->calls >= rounds->last_pending)) {
        return;
    }
    record = mw_spool_begin_mark(&stream->spool, MW_RECORD_SAMPLE, MW_CALL_MPI_Pcontrol,
                                 rounds->last_sample);
    if (record) {
        mwr_rounds_write_pending(rounds, stream);
        mw_spool_end(&stream->spool, record, rounds->last_sample);
    }
}

void mwr_sample_before(struct mwr_stream *stream, unsigned call, uint64_t now)
{
    if ((mwr_sampling & MWR_SAMPLE_WAITING) && !is_end(call)) {
        begin_waiting(stream, true);
    }
    if (mwr_sampling & MWR_SAMPLE_PENDING) {
        write_what_was_pending(stream, now);
    }
}

void mwr_variables_pause(void)
{
    if (mwr_sampling & MWR_SAMPLE_WAITING) {
        begin_waiting(mwr_thread.recording, mwr_variables_is_between_calls());
    }
}

void mwr_sample_moves(uint64_t now)
{
    if ((mwr_sampling & MWR_SAMPLE_BEFORE) && !mwr_variables.is_shared &&
        mwr_thread.stream && mwr_thread.stream->thread == 0) {
        mwr_variables.rounds.last_sample = now;
    }
}

/* --- at no call ------------------------------------------------------------------------ */

/* A round of its own in the stream of this thread; the lock is held. */
static void write_between(uint8_t flags)
{
    struct mwr_stream *stream = mwr_thread.recording;
    uint64_t now = mwr_clock();
    struct mw_call_record *record =
        mw_spool_begin_mark(&stream->spool, MW_RECORD_SAMPLE, MW_CALL_MPI_Pcontrol, now);

    if (record) {
        mwr_rounds_write(&mwr_variables.rounds, stream, MW_MEMBER_METRIC, flags, now);
        mw_spool_end(&stream->spool, record, now);
    }
}

/* Takes one sample into the sampler's own stream. */
void mwr_variables_sample_by_thread(void)
{
    mwr_thread_renew(&mwr_thread);
    if (mwr_thread.recording) {
        pthread_mutex_lock(&mwr_variables.lock);
        write_between(flags_at(mwr_clock()));
        pthread_mutex_unlock(&mwr_variables.lock);
    }
}

/* Whether this thread may write between calls: it makes none at this moment. */
bool mwr_variables_is_between_calls(void)
{
    struct mwr_thread *thread = &mwr_thread;

    if (thread->generation != __atomic_load_n(&mwr_generation, __ATOMIC_ACQUIRE)) {
        mwr_thread_renew(thread);
    }
    return thread->recording && !thread->recording->spool.open &&
           (mwr_variables.is_shared || thread->recording->thread == 0);
}

void mwr_variables_phase(void)
{
    if (mwr_variables.has_mpi_t && mwr_variables.schedule.at_phase &&
        mwr_variables_is_between_calls()) {
        pthread_mutex_lock(&mwr_variables.lock);
        write_between(0);
        mwr_thread.recording->poll = NULL;
        pthread_mutex_unlock(&mwr_variables.lock);
    }
}

bool mwr_variables_snapshot(void)
{
    if (!mwr_variables.has_mpi_t || !mwr_variables_is_between_calls()) {
        return false;
    }
    pthread_mutex_lock(&mwr_variables.lock);
    mwr_variables_bind_waiting();
    write_between(MW_SAMPLE_KEYFRAME);
    mwr_thread.recording->poll = NULL;
    pthread_mutex_unlock(&mwr_variables.lock);
    return true;
}
