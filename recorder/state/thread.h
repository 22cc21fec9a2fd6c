#ifndef MWR_STATE_THREAD_H
#define MWR_STATE_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/spool/spool_writer.h"
#include "formats/spool/tallies.h"
#include "recorder/dispatch/mpi_header.h"
#include "recorder/sites/call_sites.h"
#include "recorder/state/computing.h"
#include "recorder/state/own_clock.h"
#include "recorder/state/running.h"
#include "recorder/variables/sampling.h"

/*
 * What the recorder knows of each thread: the guard of the dispatch, the thread's
 * record stream, and memory for handles and statuses that a hook has to keep while a
 * call runs.
 */

struct mwr_mark;
struct mwr_comm;
struct mwr_tallies;

#define MWR_TALLIES_RECENT 64u /* a power of two */

/*
 * The record stream of one thread, or of several that lived one after the other: a program
 * that starts threads by the thousand needs as many as run at once. Lives until the
 * process ends.
 */
struct mwr_stream {
    struct mw_spool spool;
    uint32_t thread;             /* number within the process */
    uint64_t requests;           /* ids of requests given out by this thread */
    struct mw_call_record *poll; /* the latest record, if it is a poll that found nothing */
    struct mw_value_member *poll_inside; /* its ticks inside, once there are two */
    char *poll_end;              /* where the poll's record and members end */
    uint32_t poll_window;        /* the spool's window number when it was written */
    uint64_t unrecorded;         /* calls made while paused */
    struct mwr_tallies *tallies; /* of calls on filtered communicators (tallies.h) */
    struct mw_tallies_file tallies_file;
    bool has_no_tallies_file; /* it could not be made */
    bool closed;
    bool paused;                 /* a PAUSE record is the latest of its kind */
    uint32_t pauses;             /* of the process, as far as they are in the stream */
    struct mwr_stream *following;
    struct mwr_stream *next_idle; /* its thread has ended; the next new thread gets it */
};

/* A region of the program that the thread has begun and not ended. */
struct mwr_open_region {
    uint32_t number;
    bool is_recorded; /* not begun while recording was paused */
};

struct mwr_thread {
    const struct mwr_mark *outermost; /* the guard (dispatch/guard.h) */
    uint32_t generation;              /* of mwr_recorder, as this thread last saw it */
    bool is_gone;                     /* its destructor has run */
    bool is_own;                      /* calls of the recorder itself are under way */
    struct mwr_stream *recording;     /* stream, while it is to be written to, else null */
    struct mwr_stream *stream;        /* once it has one */
    struct mwr_comm *comm;            /* the communicator looked up last */
    struct mwr_running running;       /* whether it runs */
    struct mwr_computing computing;   /* where, between calls */
    /* Among threads, of the call that was entered last: */
    uint64_t entered;           /* mwr_requests_added at that time */
    struct mwr_comm *called_on; /* its communicator, null: none, or not met so far … */
    uintptr_t called_handle;    /* … and the handle, else 0 */
    const struct mw_call_record *told; /* the open record that tools told their time of … */
    uint64_t tool_time;                /* … and the time, in ns */
    struct mwr_open_region *regions;  /* outermost first (api/user.c) */
    uint32_t region_count;
    uintptr_t stack_lowest; /* where frames can be (sites/stacks.c), once asked for … */
    uintptr_t stack_end;    /* … 0: not yet … */
    uint64_t stack_limit;   /* … what RLIMIT_STACK was then … */
    uint32_t calls_elsewhere; /* … and calls from outside of them since */
    void *scratch;                    /* see mwr_thread_scratch */
    size_t scratch_bytes;
    struct mw_tally *tallies[MWR_TALLIES_RECENT]; /* used last, of recording's (tallies.h) */
};

extern __thread struct mwr_thread mwr_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/*
 * Brings the thread up to date with the recorder: gives it a stream when recording
 * has begun, writes the marks of pauses, stops it when recording has ended.
 */
void mwr_thread_renew(struct mwr_thread *thread);

/*
 * Memory of at least bytes, the thread's own, valid until the next call of this
 * function on the same thread; null when there is none. Contents are not kept.
 */
void *mwr_thread_scratch(size_t bytes);

/* --- the call being recorded --------------------------------------------- */

struct mwr_call {
    struct mwr_stream *stream;     /* null: not recording now */
    struct mw_call_record *record; /* null: nothing to write into */
    struct mw_tally *tally;        /* null, unless the call is only counted (filter.h) */
};

/* Enters a call, or a site: its record is OPEN from here on. */
void mwr_call_begin_slowly(struct mwr_call *call, unsigned id, void *caller);

/* The same for a thread that records, with what variables need before and after it. */
void mwr_call_begin_sampled(struct mwr_call *call, unsigned id, unsigned code, uint64_t enter);

extern uint32_t mwr_generation __attribute__((visibility("hidden")));

/* Whether this thread records at this moment. */
MW_INLINE bool mwr_thread_records(void)
{
    return mwr_thread.generation == __atomic_load_n(&mwr_generation, __ATOMIC_ACQUIRE) &&
           mwr_thread.recording;
}

/* The same at the entry of a call, where what has changed since the last one can be marked. */
MW_INLINE bool mwr_thread_will_record(void)
{
    if (MW_UNLIKELY(mwr_thread.generation !=
                    __atomic_load_n(&mwr_generation, __ATOMIC_ACQUIRE))) {
        mwr_thread_renew(&mwr_thread);
    }
    return mwr_thread.recording;
}

/* caller: where it returns to; null: that is not to be told. */
static inline void mwr_call_begin(struct mwr_call *call, unsigned id, void *caller)
{
    struct mwr_thread *thread = &mwr_thread;
    unsigned code;
    uint64_t enter;

    call->tally = NULL;
    if (MW_UNLIKELY(thread->generation != __atomic_load_n(&mwr_generation, __ATOMIC_ACQUIRE) ||
                    !thread->recording)) {
        mwr_call_begin_slowly(call, id, caller);
        return;
    }
    call->stream = thread->recording;
    code = mwr_site_code(id, caller);
    enter = mwr_clock();
    if (MW_UNLIKELY((mwr_sampling & (MWR_SAMPLE_AT_ENTER | MWR_SAMPLE_WAITING)) ||
                    enter >= __atomic_load_n(&mwr_gap_begins, __ATOMIC_RELAXED) ||
                    enter >= thread->running.due ||
                    mwr_computing_has_notes(&thread->computing))) {
        mwr_call_begin_sampled(call, id, code, enter);
        return;
    }
    call->record = mw_spool_begin(&call->stream->spool, code, enter);
}

/* A tool tells that so many ns of the call that is being recorded were its own. */
void mwr_call_tool_time(uint64_t nanoseconds);

/* Notes what is left of a call's time without the tools'. */
void mwr_call_note_tools(struct mwr_call *call, uint64_t leave);

/* Looks, as it is left, whether the thread runs, and what others of the process do. */
void mwr_call_look(struct mwr_call *call, uint64_t leave);

/* Leaves it. */
static inline void mwr_call_end(struct mwr_call *call)
{
    if (MW_LIKELY(call->record != NULL)) {
        uint64_t leave = mwr_clock();

        call->record->leave = leave; /* should the process be killed while samples are taken */
        if (MW_UNLIKELY(mwr_sampling & MWR_SAMPLE_LEAVING)) {
            mwr_sample_leave(call, leave);
        }
        if (MW_UNLIKELY(leave >= mwr_thread.running.due)) {
            mwr_call_look(call, leave);
        } else {
            mwr_thread.running.inside += leave - call->record->enter;
        }
        if (MW_UNLIKELY(mwr_thread.told == call->record)) {
            mwr_call_note_tools(call, leave);
        }
        if (MW_UNLIKELY(mwr_computing_has_notes(&mwr_thread.computing))) {
            mwr_computing_leave(&mwr_thread.computing);
        }
        mwr_thread.running.left = leave;
        mw_spool_end(&call->stream->spool, call->record, leave);
    }
}

/* A member of the call's record, to be filled and committed; null: nothing to write into. */
static inline void *mwr_call_member(struct mwr_call *call, enum mw_record_type type, size_t bytes,
                                    uint32_t comm)
{
    return MW_LIKELY(call->record != NULL)
               ? mw_spool_member(&call->stream->spool, type, bytes, comm)
               : NULL;
}

/* Members of which only the head, or the head and a number, is to be said. */
static inline void mwr_call_note(struct mwr_call *call, enum mw_record_type type, uint32_t comm)
{
    struct mw_member *member = mwr_call_member(call, type, sizeof *member, comm);

    if (member) {
        mw_spool_commit(member);
    }
}

static inline void mwr_call_note_request(struct mwr_call *call, enum mw_record_type type,
                                         uint32_t comm, uint64_t request)
{
    struct mw_request_member *member = mwr_call_member(call, type, sizeof *member, comm);

    if (member) {
        member->request = request;
        mw_spool_commit(member);
    }
}

/* Whether the poll in call, having found nothing, will share the record before it. */
bool mwr_call_continues_poll(const struct mwr_call *call);

/*
 * Leaves a poll that found nothing. Polls of one kind that follow each other closely
 * share one record, with the number of calls and the time inside them.
 */
void mwr_call_end_poll(struct mwr_call *call);

/* Notes the error class of a call that did not return MPI_SUCCESS. */
void mwr_call_failed(struct mwr_call *call, int error_code);

/* A new request id, unique in the process; stream must not be null. */
static inline uint64_t mwr_stream_request(struct mwr_stream *stream)
{
    return (uint64_t)stream->thread << 40 | ++stream->requests;
}

#endif
