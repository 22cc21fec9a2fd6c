#include "recorder/sites/site_numbers.h"
#include "recorder/variables/sampling.h"

#include "formats/table/calls.h"
#include "recorder/recorder.h"
#include "recorder/variables/mpit_events.h"
#include "recorder/variables/state.h"
#include "recorder/variables/variables.h"

#define READINGS_MAX 8u /* at the end of one call, for other threads' */
#define LONG_GAP_NS 100000000u /* between calls: what was pending stays without credit, too */

/* Written with atomics, under mwr_variables.lock where threads may meet; read by every call. */
uint32_t mwr_sampling;
uint64_t mwr_gap_begins = UINT64_MAX; /* the same: it is written by each look */

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
static void write_round(const struct mwr_call *call, uint64_t now)
{
    const struct mwr_reading reading =
        mwr_rounds_reading_at_leave(&mwr_variables.rounds, call->record->enter, now);
    uint8_t flags = flags_at(now);

    if (flags != 0) {
        mwr_variables_look_again();
    }
    mwr_rounds_write(&mwr_variables.rounds, call->stream, MW_MEMBER_METRIC, flags, &reading);
}

static void sample_simply(const struct mwr_call *call, uint64_t now)
{
    struct mwr_rounds *rounds = &mwr_variables.rounds;

    mwr_rounds_count_call(rounds);
    if (MW_LIKELY(!mwr_rounds_is_due(rounds, mwr_recorder.settings.pvar_interval, now))) {
        const struct mwr_reading reading =
            mwr_rounds_reading_at_leave(rounds, call->record->enter, now);

        mwr_rounds_look(rounds, call->stream, &reading);
    } else {
        write_round(call, now);
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
    return is_due || (schedule->at_phase && mwr_site_call(record->call) == MW_CALL_MPI_Pcontrol);
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

static void sample_leave(struct mwr_call *call, uint64_t now)
{
    if (MW_LIKELY(mwr_variables.is_simple)) {
        sample_simply(call, now);
    } else if (is_scheduled(call->record, now)) {
        write_round(call, now);
    }
}

/*
 * Among threads: who finds the lock held asks its holder to read once more, since that may have
 * read before this thread's call changed something; nobody waits, and nobody is kept: who ask so
 * often make calls all the time, and one of them reads next.
 */
static void sample_leave_shared(struct mwr_call *call, uint64_t now)
{
    __atomic_store_n(&mwr_variables.is_asked, true, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < READINGS_MAX &&
                         __atomic_load_n(&mwr_variables.is_asked, __ATOMIC_SEQ_CST) &&
                         pthread_mutex_trylock(&mwr_variables.lock) == 0;
         i++) {
        __atomic_store_n(&mwr_variables.is_asked, false, __ATOMIC_SEQ_CST);
        sample_leave(call, now);
        pthread_mutex_unlock(&mwr_variables.lock);
        now = mwr_clock();
    }
}

void mwr_sample_leave(struct mwr_call *call, uint64_t now)
{
    if (mwr_sampling & MWR_SAMPLE_EVENTS) {
        mwr_mpit_events_write(call);
    }
    if (!(mwr_sampling & MWR_SAMPLE_AT_LEAVE)) {
        return;
    }
    if (mwr_variables.is_shared) {
        sample_leave_shared(call, now);
    } else {
        sample_leave(call, now);
    }
}

void mwr_sample_enter(struct mwr_call *call)
{
    struct mwr_reading reading;

    if (call->record && enter_lock()) {
        reading = mwr_rounds_reading(&mwr_variables.rounds, call->record->enter);
        mwr_rounds_write(&mwr_variables.rounds, call->stream, MW_MEMBER_METRIC_ENTER, 0, &reading);
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
        const struct mwr_reading reading = mwr_rounds_reading(rounds, rounds->last_sample);

        mwr_rounds_write(rounds, stream, MW_MEMBER_METRIC, 0, &reading);
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
 * A call is entered after some time without any. What was read last stays, with the time when it
 * was read: a level that fell back just before the program went computing would seem to stay up
 * all the while. And what is read now tells whether something moved that is no call of this
 * thread.
 */
static void end_gap(struct mwr_stream *stream, uint64_t now, uint64_t gap)
{
    struct mwr_rounds *rounds = &mwr_variables.rounds;
    const struct mwr_reading reading = mwr_rounds_reading(rounds, now);
    const bool has_credit = gap >= LONG_GAP_NS || mwr_rounds_has_credit(rounds, now);
    const bool is_unsure = reading.look.lost < reading.look.found;
    bool has_moved;

    if (has_credit) {
        mwr_rounds_write_pending(rounds, stream);
    }
    has_moved = mwr_rounds_look_between(rounds, stream, &reading, has_credit);
    if (has_moved && !is_unsure) {
        rounds->sees_all_calls = false;
    }
    rounds->last_sample = now;
}

void mwr_sample_before(struct mwr_stream *stream, unsigned call, uint64_t now)
{
    /* Among threads the latest look may have been a moment ago. */
    if (now >= __atomic_load_n(&mwr_gap_begins, __ATOMIC_RELAXED) && mwr_variables.is_simple &&
        enter_lock()) {
        end_gap(stream, now, now - mwr_variables.rounds.last_look);
        leave_lock();
    }
    if ((mwr_sampling & MWR_SAMPLE_WAITING) && !is_end(call)) {
        begin_waiting(stream, true);
    }
}

void mwr_variables_pause(void)
{
    mwr_sample_unseen();
    if (mwr_sampling & MWR_SAMPLE_WAITING) {
        begin_waiting(mwr_thread.recording, mwr_variables_is_between_calls());
    }
}

void mwr_sample_moves(uint64_t now)
{
    if ((mwr_sampling & MWR_SAMPLE_WAITING) && !mwr_variables.is_shared &&
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
        const struct mwr_reading reading = mwr_rounds_reading(&mwr_variables.rounds, now);

        mwr_rounds_write(&mwr_variables.rounds, stream, MW_MEMBER_METRIC, flags, &reading);
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

void mwr_variables_read_beside(struct mwr_call *call, enum mw_record_type type)
{
    struct mwr_rounds *rounds = &mwr_variables.rounds;

    if (!mwr_variables.has_mpi_t || (!call->record && !mwr_variables_is_between_calls())) {
        return;
    }
    pthread_mutex_lock(&mwr_variables.lock);
    if (call->record) {
        const struct mwr_reading reading = mwr_rounds_reading(
            rounds, type == MW_MEMBER_METRIC_ENTER ? call->record->enter : mwr_clock());

        mwr_rounds_write(rounds, call->stream, type, 0, &reading);
    } else {
        write_between(0);
        mwr_thread.recording->poll = NULL;
    }
    pthread_mutex_unlock(&mwr_variables.lock);
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
