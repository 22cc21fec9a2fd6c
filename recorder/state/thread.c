#include "recorder/state/crew.h"
#include "recorder/state/thread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "recorder/api/user.h"
#include "recorder/finalize/circumstances.h"
#include "recorder/recorder.h"
#include "recorder/state/error_code.h"
#include "recorder/state/signals.h"

/*
 * Polls that follow each other at once are one record; after a pause longer than this
 * the program has done something in between, which the trace should show.
 */
#define POLL_GAP_NS 20000u

/* The one thread-local variable, its thread's alone: what the hot path works with. */
__thread struct mwr_thread mwr_thread;
/* Raised, by an atomic, when a phase begins or a signal wishes something: threads look again. */
uint32_t mwr_generation;

/* Made once, by the first thread that gets a stream. */
static pthread_key_t thread_key;
static pthread_once_t thread_key_once = PTHREAD_ONCE_INIT;

/* Streams whose threads have ended; under mwr_recorder.lock. */
static struct mwr_stream *idle_streams;

/* Writes a mark of its own, at the time given or as early after it as the stream allows. */
static void write_mark(struct mwr_stream *stream, enum mw_record_type type, uint64_t time)
{
    struct mw_call_record *record =
        mw_spool_begin_mark(&stream->spool, type, MW_CALL_MPI_Pcontrol, time);

    if (record) {
        mw_spool_end(&stream->spool, record, time);
    }
    stream->poll = NULL;
}

/*
 * Marks in the stream the latest pause and resumption, as far as the thread has not
 * seen them yet. A pause in which the thread made no call is marked, too.
 */
static void mark_pauses(struct mwr_stream *stream, bool is_paused)
{
    pthread_mutex_lock(&mwr_recorder.lock);
    if (!stream->paused && stream->pauses != mwr_recorder.pauses) {
        write_mark(stream, MW_RECORD_PAUSE, mwr_recorder.paused_at);
        stream->paused = true;
        stream->pauses = mwr_recorder.pauses;
    }
    if (stream->paused && !is_paused) {
        write_mark(stream, MW_RECORD_RESUME, mwr_recorder.resumed_at);
        stream->paused = false;
        stream->pauses = mwr_recorder.pauses;
    }
    pthread_mutex_unlock(&mwr_recorder.lock);
}

/* The thread's end, unless it comes too late for the archive. The main thread has none. */
static void mark_end(struct mwr_stream *stream)
{
    enum mwr_phase phase = __atomic_load_n(&mwr_recorder.phase, __ATOMIC_ACQUIRE);

    if (stream->thread != 0 && !stream->closed &&
        (phase == MWR_RECORDING || phase == MWR_PAUSED)) {
        if (phase == MWR_RECORDING && mwr_thread.recording == stream) {
            mwr_running_finish(stream);
        }
        mark_pauses(stream, phase == MWR_PAUSED);
        write_mark(stream, MW_RECORD_THREAD_END, mwr_clock());
    }
}

/* A thread ends: the next new one goes on in its stream. */
static void leave_stream(void *argument)
{
    struct mwr_stream *stream = argument;

    mwr_regions_leave();
    mark_end(stream);
    mwr_computing_end(&mwr_thread.computing);
    mwr_thread.is_gone = true;
    mwr_thread.recording = NULL;
    free(mwr_thread.scratch);
    mwr_thread.scratch = NULL;
    mwr_thread.scratch_bytes = 0;
    pthread_mutex_lock(&mwr_recorder.lock);
    stream->poll = NULL;
    /* The first one is the main thread's alone. */
    if (!stream->closed && stream->thread != 0) {
        stream->next_idle = idle_streams;
        idle_streams = stream;
    }
    pthread_mutex_unlock(&mwr_recorder.lock);
}

/* Null if there is none. */
static struct mwr_stream *take_idle_stream(void)
{
    struct mwr_stream *stream;

    pthread_mutex_lock(&mwr_recorder.lock);
    stream = idle_streams;
    if (stream) {
        idle_streams = stream->next_idle;
    }
    pthread_mutex_unlock(&mwr_recorder.lock);
    return stream;
}

static void make_thread_key(void)
{
    pthread_key_create(&thread_key, leave_stream);
}

/* Tells the definitions of a new stream. */
static void define_thread(const struct mwr_stream *stream)
{
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_THREAD,
        .of.thread = {.thread = stream->thread,
                      .time = mwr_clock(),
                      .is_main = stream->thread == 0},
    });
    mwr_circumstances_define_thread(stream->thread);
}

/* Says once why a thread is not recorded, unless that was foreseen; its calls are counted. */
static void say_unstreamed(enum mw_status status, const struct mw_diagnostic *diagnostic)
{
    char text[2048];

    if (mwr_recorder.stream_failed == MW_OK) {
        mwr_recorder.stream_failed = status;
        if (status == MW_ERROR_SPACE && mwr_recorder_has_no_room(mwr_recorder.spool_limit)) {
            return;
        }
        mwr_say("rank %u: the calls of a thread are not recorded: %s", mwr_recorder.rank,
                mw_diagnostic_text(diagnostic, text, sizeof text));
    }
}

/* Makes the thread's stream; null when there is no memory or no spool for it. */
static struct mwr_stream *create_stream(void)
{
    struct mw_diagnostic diagnostic = {0};
    enum mw_status status;
    struct mwr_stream *stream = calloc(1, sizeof *stream);
    struct mw_spool_identity identity = {.nonce = mwr_recorder.nonce,
                                         .rank = mwr_recorder.rank,
                                         .wrap = mwr_recorder.settings.on_full == MWR_ON_FULL_WRAP};
    char path[MWR_PATH_BYTES + 32];

    if (!stream) {
        status = mw_fail(&diagnostic, MW_ERROR_MEMORY, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "there is no memory");
        say_unstreamed(status, &diagnostic);
        return NULL;
    }
    pthread_mutex_lock(&mwr_recorder.lock);
    identity.thread = mwr_recorder.stream_count;
    snprintf(path, sizeof path, "%s/%u.events", mwr_recorder.spool, identity.thread);
    status = mw_spool_init(&stream->spool, path, &identity, mwr_recorder.spool_limit,
                           &diagnostic);
    if (status != MW_OK) {
        pthread_mutex_unlock(&mwr_recorder.lock);
        say_unstreamed(status, &diagnostic);
        free(stream);
        return NULL;
    }
    stream->thread = __atomic_fetch_add(&mwr_recorder.stream_count, 1, __ATOMIC_RELAXED);
    stream->pauses = mwr_recorder.pauses;
    stream->following = mwr_recorder.streams;
    mwr_recorder.streams = stream;
    pthread_mutex_unlock(&mwr_recorder.lock);
    define_thread(stream);
    return stream;
}

/* Gives the thread its stream, once: true then. */
static bool ensure_stream(struct mwr_thread *thread)
{
    if (thread->stream || !mwr_recorder.definitions) {
        return false;
    }
    thread->stream = take_idle_stream();
    if (!thread->stream) {
        thread->stream = create_stream();
    }
    if (!thread->stream) {
        return false;
    }
    pthread_once(&thread_key_once, make_thread_key);
    pthread_setspecific(thread_key, thread->stream);
    return true;
}

void mwr_thread_renew(struct mwr_thread *thread)
{
    enum mwr_phase phase;
    bool is_new;

    mwr_signals_obey();
    thread->generation = __atomic_load_n(&mwr_generation, __ATOMIC_ACQUIRE);
    thread->recording = NULL;
    phase = __atomic_load_n(&mwr_recorder.phase, __ATOMIC_ACQUIRE);
    if (thread->is_gone || (phase != MWR_RECORDING && phase != MWR_PAUSED)) {
        return;
    }
    is_new = ensure_stream(thread);
    if (thread->stream) {
        mark_pauses(thread->stream, phase == MWR_PAUSED);
        if (is_new && thread->stream->thread != 0) {
            write_mark(thread->stream, MW_RECORD_THREAD_BEGIN, mwr_clock());
        }
        thread->recording = phase == MWR_RECORDING ? thread->stream : NULL;
        mwr_running_begin(&thread->running);
        mwr_computing_begin(&thread->computing);
        if (thread->stream->thread == 0) {
            mwr_crew_begin();
        }
    }
}

void *mwr_thread_scratch(size_t bytes)
{
    struct mwr_thread *thread = &mwr_thread;

    if (bytes > thread->scratch_bytes) {
        size_t grown = bytes + bytes / 2 + 1024;

        free(thread->scratch);
        thread->scratch = malloc(grown);
        thread->scratch_bytes = thread->scratch ? grown : 0;
    }
    return thread->scratch;
}

void mwr_call_begin_slowly(struct mwr_call *call, unsigned id, void *caller)
{
    struct mwr_thread *thread = &mwr_thread;

    if (thread->generation != __atomic_load_n(&mwr_generation, __ATOMIC_ACQUIRE)) {
        mwr_thread_renew(thread);
    }
    call->stream = thread->recording;
    call->record = NULL;
    if (call->stream) {
        mwr_call_begin_sampled(call, id, mwr_site_code(id, caller), mwr_clock());
    } else if (thread->stream) {
        thread->stream->unrecorded++;
    } else if (__atomic_load_n(&mwr_recorder.phase, __ATOMIC_ACQUIRE) == MWR_RECORDING) {
        __atomic_add_fetch(&mwr_recorder.unstreamed, 1, __ATOMIC_RELAXED);
    }
}

/* Other threads are looked at by the main one. */
static void look_at_crew(const struct mwr_stream *stream, uint64_t outside, unsigned code,
                         uint64_t now)
{
    if (stream->thread == 0) {
        mwr_crew_look(outside, code, now);
    }
}

void mwr_call_look(struct mwr_call *call, uint64_t leave)
{
    const uint64_t outside =
        mwr_running_outside(&mwr_thread.running, leave, leave - call->record->enter);

    look_at_crew(call->stream, outside, call->record->call, leave);
    mwr_running_leave(call, leave);
}

void mwr_call_begin_sampled(struct mwr_call *call, unsigned id, unsigned code, uint64_t enter)
{
    mwr_sample_before(call->stream, id, enter);
    if (enter >= mwr_thread.running.due) {
        look_at_crew(call->stream, mwr_running_outside(&mwr_thread.running, enter, 0), code,
                     enter);
        mwr_thread.running.reads.is_send = mw_call_kind(id) == MW_KIND_SEND ||
                                           mw_call_kind(id) == MW_KIND_ISEND;
        enter = mwr_running_enter(call->stream, enter);
    }
    if (mwr_computing_has_notes(&mwr_thread.computing)) {
        mwr_computing_enter(&mwr_thread.computing, code);
    }
    call->record = mw_spool_begin(&call->stream->spool, code, enter);
    if (mwr_sampling & MWR_SAMPLE_AT_ENTER) {
        mwr_sample_enter(call);
    }
}

bool mwr_call_continues_poll(const struct mwr_call *call)
{
    const struct mwr_stream *stream = call->stream;
    const struct mw_call_record *record = call->record;
    const struct mw_call_record *poll;

    /* A record in the same window and right behind the poll's: the poll is still mapped. */
    if (!record || !stream->poll || stream->poll_window != stream->spool.sequence ||
        stream->poll_end != (const char *)record ||
        stream->spool.next != (const char *)(record + 1)) {
        return false;
    }
    poll = stream->poll;
    return poll->call == record->call && poll->repeat < UINT16_MAX &&
           record->enter - poll->leave <= POLL_GAP_NS;
}

/*
 * Adds to the first of several polls the time inside it, which was the record's own
 * until now. There is room for it, since a call's was just taken back.
 */
static void start_poll_inside(struct mwr_stream *stream)
{
    struct mw_value_member *inside =
        mw_spool_member(&stream->spool, MW_MEMBER_INSIDE, sizeof *inside, MW_COMM_NONE);

    inside->value = stream->poll->leave - stream->poll->enter;
    mw_spool_commit(inside);
    stream->poll_inside = inside;
    stream->poll_end = stream->spool.next;
}

void mwr_call_tool_time(uint64_t nanoseconds)
{
    struct mwr_thread *thread = &mwr_thread;
    const struct mw_call_record *open = thread->recording ? thread->recording->spool.open : NULL;

    if (thread->told != open) {
        thread->told = open;
        thread->tool_time = 0;
    }
    thread->tool_time += nanoseconds;
}

void mwr_call_note_tools(struct mwr_call *call, uint64_t leave)
{
    uint64_t spent = leave - call->record->enter;
    uint64_t tools = mwr_thread.tool_time < spent ? mwr_thread.tool_time : spent;
    struct mw_value_member *member =
        mwr_call_member(call, MW_MEMBER_INSIDE, sizeof *member, MW_COMM_NONE);

    mwr_thread.told = NULL;
    if (member) {
        member->value = spent - tools;
        mw_spool_commit(member);
    }
}

/* What is to be sampled at the end of a poll; whether anything was written. */
static bool sample_poll(struct mwr_call *call, uint64_t leave)
{
    const struct mw_spool *spool = &call->stream->spool;
    const char *before = spool->next;

    if (mwr_sampling & MWR_SAMPLE_LEAVING) {
        mwr_sample_leave(call, leave);
    }
    if (leave >= mwr_thread.running.due) {
        mwr_call_look(call, leave);
    }
    if (mwr_computing_has_notes(&mwr_thread.computing)) {
        mwr_computing_leave(&mwr_thread.computing);
    }
    return before != spool->next;
}

void mwr_call_end_poll(struct mwr_call *call)
{
    struct mwr_stream *stream = call->stream;
    struct mw_call_record *record = call->record;
    bool is_sampled = false;
    uint64_t enter;
    uint64_t leave;

    if (!record) {
        return;
    }
    leave = mwr_clock();
    mwr_thread.running.left = leave;
    if (MW_LIKELY(leave < mwr_thread.running.due)) {
        mwr_thread.running.inside += leave - record->enter;
    }
    if (MW_UNLIKELY((mwr_sampling & MWR_SAMPLE_LEAVING) || leave >= mwr_thread.running.due)) {
        is_sampled = sample_poll(call, leave);
    }
    if (MW_UNLIKELY(mwr_thread.told == record)) {
        mwr_call_note_tools(call, leave);
        mw_spool_end(&stream->spool, record, leave);
        stream->poll = NULL;
        return;
    }
    if (!mwr_call_continues_poll(call)) {
        mw_spool_end(&stream->spool, record, leave);
        /* A sample's time is that of the leave, which is not to be moved. */
        stream->poll = is_sampled ? NULL : record;
        stream->poll_inside = NULL;
        stream->poll_end = stream->spool.next;
        stream->poll_window = stream->spool.sequence;
        return;
    }
    enter = record->enter;
    mw_spool_take_back(&stream->spool, record);
    if (!stream->poll_inside) {
        start_poll_inside(stream);
    }
    stream->poll_inside->value += leave - enter;
    stream->poll->leave = leave;
    stream->poll->repeat++;
}

void mwr_call_failed(struct mwr_call *call, int error_code)
{
    struct mw_value_member *member =
        mwr_call_member(call, MW_MEMBER_ERROR, sizeof *member, MW_COMM_NONE);

    if (member) {
        member->value = (uint64_t)(uint32_t)mwr_error_class(error_code);
        mw_spool_commit(member);
    }
}
