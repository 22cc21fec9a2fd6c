#ifndef MWA_MODEL_EVENT_H
#define MWA_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/hint.h"

/* One event of one location, with ids turned into the model's indices. */

#define MWA_NESTED_MAX 100000u /* calls inside of each other: with more an archive is damaged */

enum mwa_event_kind {
    MWA_ENTER,
    MWA_LEAVE,
    MWA_SEND,           /* message: a blocking send, at its beginning */
    MWA_ISEND,          /* message with request: a send begins */
    MWA_ISEND_COMPLETE, /* request */
    MWA_IRECV_POST,     /* request: a receive is posted */
    MWA_IRECV,          /* message with request: and has received this */
    MWA_RECV,           /* message: a blocking receive, at its end */
    MWA_TEST,           /* request: tested, not complete */
    MWA_CANCELLED,      /* request */
    MWA_COLLECTIVE_BEGIN,
    MWA_COLLECTIVE_END,      /* collective */
    MWA_COLLECTIVE_POST,     /* request: a non-blocking one begins */
    MWA_COLLECTIVE_COMPLETE, /* collective with request */
    MWA_COMM_CREATE,         /* comm */
    MWA_COMM_DESTROY,        /* comm */
    MWA_MEASUREMENT,         /* on */
    MWA_METRIC,              /* metric */
    MWA_RUNNING,             /* metric, of none, with enum mw_running_value */
    MWA_THREAD_BEGIN,        /* the location's next events are of a new thread */
    MWA_THREAD_END,
    MWA_MARKER,              /* mark: what the program says */
    MWA_REGISTERED,          /* mark: a communicator is registered under a name */
    MWA_UNREGISTERED,        /* mark: it is not any more */
    MWA_WINDOW_COLLECTIVE,   /* collective, its root OTF2's id of the window: fence, free … */
    MWA_ONESIDED,            /* onesided: who exposes, accesses, locks what */
    MWA_FILE,                /* file: a transfer of a file begins */
    MWA_DISCONTINUITY,       /* metric without values, flags enum mw_discontinuity: its variable was
                                reset or has wrapped, its next sample goes on nevertheless */
    MWA_COPY,                /* on: a copy to or from memory that is not MPI's begins, or ends */
    MWA_OBJECT,              /* comm: whatever else is done with a window or an open file of it */
    MWA_FOUND,               /* message: what a probe found that was entered then. No reader has it:
                                mwa_found_event makes it of an MWA_ENTER */
    MWA_EVENT_KINDS
};

struct mwa_message_data {
    uint32_t comm; /* index, MWA_NONE: undefined */
    uint32_t peer; /* rank in comm, as recorded */
    uint32_t tag;
    uint64_t bytes;
    uint32_t wildcards; /* of MWA_RECV, MWA_IRECV_POST: posted with enum mw_wildcard */
    uint32_t lane; /* of MWA_ISEND, MWA_IRECV in partitions: which MPI_Psend_init, or
                      MPI_Precv_init, of its channel it is of, from 1 on; else 0 */
};

struct mwa_group;

struct mwa_collective_data {
    uint32_t comm; /* index, MWA_NONE: undefined */
    uint32_t operation; /* OTF2_CollectiveOp */
    uint32_t root;
    uint64_t bytes_sent;
    uint64_t bytes_received;
    bool of_handle; /* nothing passes on comm: it is made or freed, or something is made of it */
    bool on_neighbors; /* by attribute mpiwatch.neighbors; else the call's name says so */
    bool has_terms; /* they are told anew; else those of such an operation on comm before hold */
    uint32_t terms; /* formats/table/terms.h */
    const struct mwa_group *sources; /* whom something comes from; null: not told */
};

/* What a rank does with a window, other than collectively. */
enum mwa_onesided_step {
    MWA_STEP_NOTICE, /* it gives notice to target: post and complete, in the call they end with */
    MWA_STEP_AWAIT,  /* it wants one from target: start, wait */
    MWA_STEP_GROUP,  /* a notice to each in group, or it wants one of each: the call tells which */
    MWA_STEP_REQUEST, /* it wants to lock target; what other tools tell of a lock */
    MWA_STEP_LOCK,   /* it has locked target, in the call that this ends */
    MWA_STEP_UNLOCK,
    MWA_STEP_ACCESS, /* an operation on target begins */
    MWA_STEP_DONE,   /* operations that share an id are complete */
    MWA_STEP_DONE_LOCALLY /* the same, but maybe not at the target */
};

struct mwa_onesided_data {
    enum mwa_onesided_step step;
    uint32_t comm;   /* the window's, index; MWA_NONE: not known */
    uint32_t window; /* index among the trace's objects */
    uint32_t target; /* rank in the window's communicator, MWA_NONE: all of them */
    bool exclusive;  /* of a lock */
    const struct mwa_group *group; /* of STEP_GROUP, as world ranks; else null */
    uint64_t bytes_sent; /* of an access: to the target */
    uint64_t bytes_received;
    uint64_t id;     /* of operations */
};

/* What is asked for; 0: it is of the other direction. */
struct mwa_file_data {
    uint32_t comm; /* that the file was opened on, index; MWA_NONE: not known */
    uint64_t bytes_read;
    uint64_t bytes_written;
    uint64_t offset; /* in the file, bytes; UINT64_MAX: not told */
};

/* The message that a blocking probe found. Without padding, as it is kept in files. */
struct mwa_found_data {
    uint16_t is_told;   /* 1; 0: nothing of this is */
    uint16_t wildcards; /* enum mw_wildcard of the probe; 0: none, or the receive that it posts, as
                           MPI_Mprobe does, has them, or they are not told of a run that goes on */
    uint32_t comm;    /* index */
    uint32_t peer;    /* rank in comm, as recorded */
    uint32_t tag;
};

struct mwa_region_data {
    uint32_t region; /* index, MWA_NONE: undefined */
    uint32_t site;   /* index, likewise; where it is told by an attribute, the Enter alone has it */
    bool open;       /* Leave: the process died inside this call */
    uint32_t error_class; /* Leave: that the call returned (MPI's number); 0: none, or not told */
    uint64_t repeat; /* Enter: calls that it stands for, 1 or more */
    uint64_t inside; /* Enter: ticks inside these calls, UINT64_MAX: from enter to leave. Leave:
                        UINT64_MAX, else what holds instead of the Enter's, as repeat then does */
    struct mwa_found_data found; /* Enter */
};

#define MWA_COURSE_NUMBERS 4u

/* A sample of a metric class. */
struct mwa_metric_data {
    uint32_t metric; /* index */
    uint32_t comm;   /* index, MWA_NONE: bound to none */
    uint32_t object; /* window or open file, index; MWA_NONE: bound to none */
    uint32_t flags;  /* enum mw_metric_flags (formats/spool/record.h) */
    uint32_t count; /* 0: the variable stands still (mwa_metric_is_still) */
    bool has_held;   /* … */
    uint64_t held;   /* … how many ticks before it the values before it still held */
    uint64_t unseen; /* ticks since the sample before that course says nothing of */
    const double *course; /* of the first value since the sample before: mean at least, mean at
                             most, least, greatest; null: not told */
    const uint64_t *values; /* bits, by their members' types */
};

struct mwa_mark_data {
    uint32_t comm; /* index, MWA_NONE: of none */
    const char *text; /* of the trace; never null */
};

struct mwa_event {
    enum mwa_event_kind kind;
    uint32_t location; /* index */
    uint64_t time;     /* ticks, corrected for the clock's offset */
    uint64_t request;
    const struct mwa_hint *hint; /* of MWA_ENTER and MWA_TEST: what was waited for at the end of the
                                    record; null: that is not what this tells */
    uint32_t object;   /* of MWA_FILE, MWA_OBJECT: window or open file, index, or MWA_NONE */
    union {
        struct mwa_region_data call;
        struct mwa_message_data message;
        struct mwa_collective_data collective;
        uint32_t comm;
        bool on;
        struct mwa_metric_data metric;
        struct mwa_mark_data mark;
        struct mwa_onesided_data onesided;
        struct mwa_file_data file;
    } of;
};

/* MWA_FOUND of a probe that location has entered at time. */
static inline struct mwa_event mwa_found_event(uint32_t location, uint64_t time,
                                               const struct mwa_found_data *found)
{
    return (struct mwa_event){ .kind = MWA_FOUND,
                               .location = location,
                               .time = time,
                               .of.message = { .comm = found->comm,
                                               .peer = found->peer,
                                               .tag = found->tag,
                                               .bytes = UINT64_MAX } };
}

#endif
