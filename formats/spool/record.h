#ifndef MW_FORMATS_SPOOL_RECORD_H
#define MW_FORMATS_SPOOL_RECORD_H

#include <stdint.h>

#include "formats/table/terms.h"

/*
 * The records of an event spool (formats/spool/spool.h): what the recorder writes while
 * the program runs and formats/replay turns into OTF2 events.
 *
 * A *call record* (struct mw_call_record) stands for one MPI call; the *member
 * records* behind it, up to the next call record, say what the call did. All are
 * multiples of 8 bytes, in the byte order of the machine; state is stored last,
 * with release semantics, so that what a killed process left is either whole or
 * not there. Times are ticks of the clock that the spool's header names.
 */

enum mw_record_state {
    MW_STATE_EMPTY = 0, /* nothing written here: the end, or the next window */
    MW_STATE_OPEN = 1,  /* a call that has been entered and not left */
    MW_STATE_DONE = 2
};

enum mw_record_type {
    /* Call records, with times. */
    MW_RECORD_CALL = 1, /* an MPI call */
    MW_RECORD_PAUSE,    /* recording stops (enter = leave), call tells by whom */
    MW_RECORD_RESUME,   /* recording goes on (enter = leave) */
    MW_RECORD_SAMPLE,   /* variables read between calls (enter = leave), as members */
    MW_RECORD_USER,     /* what the program says (enter = leave), as members */
    MW_RECORD_THREAD_BEGIN = 8, /* what follows is of a thread that makes its first call */
    MW_RECORD_THREAD_END,       /* that thread has ended (enter = leave in both) */

    /* Member records, without times. */
    MW_MEMBER_SEND = 64,     /* mw_message_member: sent and done (blocking) */
    MW_MEMBER_RECV,          /* mw_message_member: received (blocking) */
    MW_MEMBER_ISEND,         /* mw_request_message_member: send initiated */
    MW_MEMBER_IRECV_POST,    /* mw_request_member: receive posted, of what it may take no more is
                                told; of version 2 and before */
    MW_MEMBER_SEND_COMPLETE, /* mw_request_member: an ISEND is complete */
    MW_MEMBER_RECV_COMPLETE, /* mw_request_message_member: an IRECV_POST or POSTED is complete */
    MW_MEMBER_TEST,          /* mw_request_member: tested, not complete */
    MW_MEMBER_CANCELLED,     /* mw_request_member: cancelled */
    MW_MEMBER_COLL,          /* mw_collective_member: a blocking collective */
    MW_MEMBER_COLL_POST,     /* mw_request_member: a non-blocking one initiated */
    MW_MEMBER_COLL_COMPLETE, /* mw_request_collective_member: and completed */
    MW_MEMBER_COMM_CREATE,   /* mw_member: a communicator begins */
    MW_MEMBER_COMM_DESTROY,  /* mw_member: a communicator ends */
    MW_MEMBER_INSIDE,        /* mw_value_member: ticks inside, where it is not leave - enter */
    MW_MEMBER_ERROR,         /* mw_value_member: the call returned this error class */
    MW_MEMBER_COMM_ENDED,    /* mw_value_member: a communicator ended inside, at this time */

    /* One-sided communication; head.comm is the number of the window. */
    MW_MEMBER_WIN_CREATE = 80, /* mw_member */
    MW_MEMBER_WIN_DESTROY,     /* mw_member */
    MW_MEMBER_RMA_COLLECTIVE,  /* mw_rma_member: all of the window; what: OTF2_CollectiveOp */
    MW_MEMBER_RMA_PUT,         /* mw_rma_member */
    MW_MEMBER_RMA_GET,         /* mw_rma_member */
    MW_MEMBER_RMA_ATOMIC,      /* mw_rma_member; what: OTF2_RmaAtomicType */
    MW_MEMBER_RMA_DONE,        /* mw_rma_member: all with this id; what: mw_rma_done */
    MW_MEMBER_RMA_LOCK,        /* mw_rma_member; what: OTF2_LockType */
    MW_MEMBER_RMA_UNLOCK,      /* mw_rma_member */
    MW_MEMBER_RMA_SYNC,        /* mw_rma_member; what: OTF2_RmaSyncType */

    /* MPI-IO; head.comm is the number of the open file, of IO_DELETE that of the path. */
    MW_MEMBER_IO_OPEN,   /* mw_io_member; flags: OTF2_IoCreationFlag, bytes: OTF2_IoStatusFlag */
    MW_MEMBER_IO_CLOSE,  /* mw_io_member */
    MW_MEMBER_IO_DELETE, /* mw_io_member */
    MW_MEMBER_IO_SEEK,   /* mw_io_member; mode: OTF2_IoSeekOption, offset asked, bytes: reached */
    MW_MEMBER_IO_BEGIN,  /* mw_io_member: bytes asked for */
    MW_MEMBER_IO_END,    /* mw_io_member: bytes done */

    MW_MEMBER_METRIC = 96,   /* mw_metric_member: variables read at the leave */
    MW_MEMBER_METRIC_ENTER,  /* mw_metric_member: variables read at the enter */
    /* Of the time since the sample before the one that the next member is: */
    MW_MEMBER_HELD,   /* mw_value_member: its values held until so many ticks before this one's */
    MW_MEMBER_COURSE, /* mw_course_member: what the first value did meanwhile */
    MW_MEMBER_PARTLY, /* mw_partly_member: what it did in the part of it that was seen */
    MW_MEMBER_AT,     /* mw_value_member: the next member, METRIC, is an event of this time */

    MW_MEMBER_WILDCARDS = 104, /* mw_member: the next member is a receive (RECV, IRECV_POST) that
                                  was posted with these wildcards: in head.comm, mw_wildcard */
    MW_MEMBER_POSTED, /* mw_posted_member: receive posted */
    MW_MEMBER_FOUND,  /* mw_found_member: a probe that blocks found this message */
    MW_MEMBER_LANE,   /* mw_member: the next member (ISEND, RECV_COMPLETE) is a message in
                         partitions: in head.comm, which MPI_Psend_init, or MPI_Precv_init, of its
                         channel it is of, from 1 on */
    MW_MEMBER_ROOT,   /* mw_member: the next member (COLL_POST) is an operation of which head.comm
                         is the root, a rank in its communicator, and by which this process sends
                         to it, or receives from it; of the root itself, the other way round */

    /* Of MW_RECORD_USER; head.comm is the number of a region or of a text. */
    MW_MEMBER_REGION_BEGIN = 112, /* mw_member */
    MW_MEMBER_REGION_END,         /* mw_member: of the region begun last */
    MW_MEMBER_MARKER,             /* mw_member */
    MW_MEMBER_REGISTERED,         /* mw_value_member; head.comm as elsewhere, value: a text */
    MW_MEMBER_UNREGISTERED        /* the same; the text is the name that it had */
};

/* What a receive was posted with; OTF2 events have it as attribute "mpiwatch.wildcards". */
enum mw_wildcard {
    MW_WILDCARD_SOURCE = 1, /* MPI_ANY_SOURCE */
    MW_WILDCARD_TAG = 2     /* MPI_ANY_TAG */
};

#define MW_RECORD_IS_MEMBER(type) ((type) >= 64)
/* Whether a member says more of the one that follows it. */
#define MW_MEMBER_IS_OF_NEXT(type)                                                              \
    ((type) == MW_MEMBER_WILDCARDS || (type) == MW_MEMBER_LANE ||                              \
     (type) == MW_MEMBER_ROOT || ((type) >= MW_MEMBER_HELD && (type) <= MW_MEMBER_AT))
#define MW_MEMBER_IS_OBJECT(type) ((type) >= 80 && (type) < 96)

/*
 * 24 bytes. words counts 8-byte words, this header included and members not (3).
 * repeat is the number of MPI calls that the record stands for: above 1 only for
 * polls that found nothing (mw_call_polls), and then a MW_MEMBER_INSIDE tells the ticks spent
 * inside the calls. It also does for a call part of which was a tool's own time.
 */
struct mw_call_record {
    uint8_t state;
    uint8_t type;
    uint16_t words;
    uint16_t call; /* enum mw_call, or MW_CALL_COUNT + the number of a struct mw_define_site */
    uint16_t repeat;
    uint64_t enter;
    uint64_t leave; /* while OPEN 0; or when it was left, of which members are still told */
};

/* 8 bytes: the head of all members. comm is the process's own number of a communicator. */
struct mw_member {
    uint8_t state; /* MW_STATE_DONE */
    uint8_t type;
    uint16_t words;
    uint32_t comm;
};

/* peer is a rank in comm (of the remote group for an inter-communicator), never PROC_NULL. */
struct mw_message_member {
    struct mw_member head;
    int32_t peer;
    int32_t tag;
    uint64_t bytes; /* UINT64_MAX: unknown */
};

/* request is unique within the process. head.comm is MW_COMM_NONE where no one needs it. */
struct mw_request_member {
    struct mw_member head;
    uint64_t request;
};

struct mw_request_message_member {
    struct mw_message_member message;
    uint64_t request;
};

/* source and tag as they were asked for: MW_POSTED_ANY for wildcards. */
struct mw_posted_member {
    struct mw_member head;
    int32_t source;
    int32_t tag;
    uint64_t request;
};

#define MW_POSTED_ANY (-1)

/* Source and tag of the message, as its receive will tell them; MW_FOUND_ANY in those of them that
 * the probe was for any of. */
struct mw_found_member {
    struct mw_member head;
    uint32_t source;
    uint32_t tag;
};

#define MW_FOUND_ANY (UINT32_C(1) << 31)

static inline int32_t mw_found_source(const struct mw_found_member *found)
{
    return (int32_t)(found->source & ~MW_FOUND_ANY);
}

static inline int32_t mw_found_tag(const struct mw_found_member *found)
{
    return (int32_t)(found->tag & ~MW_FOUND_ANY);
}

/* enum mw_wildcard of the probe. */
static inline uint32_t mw_found_wildcards(const struct mw_found_member *found)
{
    return (found->source & MW_FOUND_ANY ? (uint32_t)MW_WILDCARD_SOURCE : 0) |
           (found->tag & MW_FOUND_ANY ? (uint32_t)MW_WILDCARD_TAG : 0);
}

/* enum mw_wildcard of it. */
static inline uint32_t mw_posted_wildcards(const struct mw_posted_member *posted)
{
    return (posted->source == MW_POSTED_ANY ? (uint32_t)MW_WILDCARD_SOURCE : 0) |
           (posted->tag == MW_POSTED_ANY ? (uint32_t)MW_WILDCARD_TAG : 0);
}

/*
 * operation is an OTF2_CollectiveOp and what is known of where its data comes from, see
 * MW_OPERATION; root a rank in comm or one of MW_ROOT_*.
 */
struct mw_collective_member {
    struct mw_member head;
    int32_t root;
    uint32_t operation;
    uint64_t bytes_sent;
    uint64_t bytes_received;
};

struct mw_request_collective_member {
    struct mw_collective_member collective;
    uint64_t request;
};

/*
 * What an operation's word holds besides the OTF2_CollectiveOp in its lowest 8 bits: whether it
 * is one on a neighbourhood, and from bit 9 on the number, and 1, of the set of those that the
 * process gets something from (struct mw_define_sources); 0: not told. With MW_OPERATION_HAS_TERMS,
 * which is past all numbers of sets, there are its terms instead (formats/table/terms.h).
 */
#define MW_OPERATION_CODE(operation)    ((operation) & 0xffu)
#define MW_OPERATION_NEIGHBORS          0x100u
#define MW_OPERATION_SOURCES_SHIFT      9
#define MW_SOURCES_MAX                  ((1u << 14) - 1) /* numbers of sets stay below */
#define MW_SOURCES_NONE                 UINT32_MAX
#define MW_OPERATION_HAS_TERMS          0x800000u

static inline uint32_t mw_operation_with(uint32_t sources)
{
    return sources < MW_SOURCES_MAX ? (sources + 1) << MW_OPERATION_SOURCES_SHIFT : 0;
}

/* The number of the set, MW_SOURCES_NONE: not told. */
static inline uint32_t mw_operation_sources(uint32_t operation)
{
    return operation & MW_OPERATION_HAS_TERMS ? MW_SOURCES_NONE
                                             : (operation >> MW_OPERATION_SOURCES_SHIFT) - 1;
}

/* The bits for an operation on such terms. */
static inline uint32_t mw_operation_on(uint32_t terms)
{
    return terms == 0 ? 0 : MW_OPERATION_HAS_TERMS | terms << MW_OPERATION_SOURCES_SHIFT;
}

/* The terms, 0: not told. */
static inline uint32_t mw_operation_terms(uint32_t operation)
{
    return operation & MW_OPERATION_HAS_TERMS
               ? operation >> MW_OPERATION_SOURCES_SHIFT & MW_TERMS_MAX
               : 0;
}

enum mw_rma_done {
    MW_RMA_DONE_LOCAL, /* the origin's buffers may be used again */
    MW_RMA_DONE_REMOTE /* and the target has it */
};

/*
 * id is that of the operation; operations on one target between two synchronizations
 * share one, since they are completed together. target is a rank in the window, or
 * MW_RMA_ALL.
 */
struct mw_rma_member {
    struct mw_member head;
    int32_t target;
    uint32_t what;
    uint64_t bytes_sent; /* to the target; MW_BYTES_UNKNOWN is possible in both */
    uint64_t bytes_received;
    uint64_t id;
};

#define MW_RMA_ALL (-1)

struct mw_io_member {
    struct mw_member head;
    uint32_t mode;  /* OTF2_IoOperationMode, or of IO_OPEN OTF2_IoAccessMode */
    uint32_t flags; /* OTF2_IoOperationFlag */
    uint64_t bytes;
    int64_t offset; /* in the file, bytes; negative: unknown */
    uint64_t id;
};

struct mw_value_member {
    struct mw_member head;
    uint64_t value;
};

/* How the values of a metric are to be read (OTF2 types of the same names). */
enum mw_metric_type { MW_METRIC_UINT64, MW_METRIC_INT64, MW_METRIC_DOUBLE };

enum mw_metric_form {
    MW_METRIC_LIST,      /* the variable's elements, or some of them */
    MW_METRIC_STATISTICS, /* sum, greatest, index of the greatest, elements that are not 0, or
                             the first of these */
    MW_METRIC_TOP,        /* the greatest elements, each with its index behind it */
    MW_METRIC_RUNNING     /* enum mw_running_value */
};

/*
 * The values of MW_RUNNING_METRIC, UINT64 all: what is known of a thread since its sample before.
 * Times are ns. They are of a stretch that ends with the sample; before it the thread ran all the
 * time. Counts are of all the time since the sample before.
 */
enum mw_running_value {
    MW_RUNNING_STRETCH,         /* its length, 0: of counts and memory only */
    MW_RUNNING_OUTSIDE,         /* between calls of MPI: on no core … */
    MW_RUNNING_OUTSIDE_NO_CORE, /* … of which it could have run */
    MW_RUNNING_INSIDE,          /* the same inside of calls */
    MW_RUNNING_INSIDE_NO_CORE,
    MW_RUNNING_VOLUNTARY,   /* switches: it went to sleep */
    MW_RUNNING_INVOLUNTARY, /* switches: it could have run on */
    MW_RUNNING_MINOR_FAULTS,
    MW_RUNNING_MAJOR_FAULTS,
    MW_RUNNING_RESIDENT, /* bytes of memory that the process has, 0: not read */
    MW_RUNNING_THREADS,  /* CPU time of the process's other threads, of the main thread's samples;
                          * spools and archives of older recorders end before it, … */
    MW_RUNNING_WRITTEN,  /* bytes that it has written to files between calls of MPI; … or before
                          * this one */
    MW_RUNNING_WRITING,  /* about how long that took, as text: MW_WRITING_NS for each byte, and no
                          * longer than each time between two calls was */
    MW_RUNNING_CHARS,    /* bytes that the process has handed to write and the like, of the main
                          * thread's samples; … */
    MW_RUNNING_WRITES,   /* … and how many times; others, and those of kernels that do not tell it,
                          * end before this one: */
    MW_RUNNING_SYSTEM,   /* about how long it was in the kernel between calls of MPI, where these
                          * take a tenth of the time at most; … or before this one: */
    MW_RUNNING_READ,     /* bytes that it has read between calls of MPI, about … */
    MW_RUNNING_READING,  /* … and how long that took, as text: MW_READING_NS for each byte, where
                          * it read small pieces, and no longer than it was outside of MPI */
    MW_RUNNING_VALUES
};

#define MW_WRITING_NS 20u /* numbers are made text by C's printf in less, by Python in more */
#define MW_READING_NS 15u /* and made of text in about so much by both, by Fortran's READ in more */

#define MW_RUNNING_METRIC "mpiwatch.running"
#define MW_RUNNING_LOOK_NS 1000000u /* between looks of the recorder, at least */

/* What kind of object head.comm is the number of, MW_COMM_NONE being none. */
enum mw_metric_object { MW_METRIC_OF_COMM, MW_METRIC_OF_WINDOW, MW_METRIC_OF_FILE };

#define MW_METRIC_STATISTICS_COUNT 4u
#define MW_METRIC_VALUES_MAX 255u

/* What is to be known of a sample; OTF2 events have it as attribute "mpiwatch.flags". */
enum mw_metric_flags {
    MW_SAMPLE_KEYFRAME = 1,   /* written although nothing may have changed */
    MW_SAMPLE_BASELINE = 2,   /* the first one */
    MW_SAMPLE_END = 4,        /* the last one: the variable's object is about to end */
    MW_SAMPLE_FOREIGN = 8,    /* since the last one the application reset or wrote it */
    MW_SAMPLE_START = 16,     /* since the last one it was started */
    MW_SAMPLE_STOP = 32,      /* since the last one it was stopped; in the first one and the last,
                                 without a start: nobody started it, and the values are none */
    MW_SAMPLE_GAP = 64,       /* samples before it were lost */
    MW_SAMPLE_READ_ERROR = 128 /* it can't be read any more: the values are the last ones */
};

/*
 * Values of one metric (struct mw_define_metric) on an object, or on none. Places and
 * numbers among the values are UINT64, all others of the metric's type.
 */
struct mw_metric_member {
    struct mw_member head;
    uint32_t metric; /* number within the process */
    uint8_t flags;   /* enum mw_metric_flags */
    uint8_t type;    /* enum mw_metric_type */
    uint8_t form;    /* enum mw_metric_form, 16 * enum mw_metric_object, and of a rebuilt sum
                        enum mw_metric_steps */
    uint8_t count;   /* of values, at least 1 */
    uint64_t values[]; /* bits of them */
};

/*
 * What the value of a variable, or the sum of its elements, was between two samples, in bits of
 * doubles: its mean over that time is from mean_lower to mean_upper, the least and the greatest
 * value that was read are low and high. head.comm is MW_COMM_NONE.
 */
struct mw_course_member {
    struct mw_member head;
    uint64_t mean_lower;
    uint64_t mean_upper;
    uint64_t low;
    uint64_t high;
};

/*
 * The same without some of that time: calls were made in it after which nobody read the variable,
 * or that were not recorded.
 */
struct mw_partly_member {
    struct mw_course_member seen;
    uint64_t unseen; /* ticks */
};

#define MW_METRIC_FORM(member_form)   ((unsigned)(member_form) & 15u)
#define MW_METRIC_OBJECT(member_form) ((unsigned)(member_form) >> 4 & 3u)

/* What happened to the variable of a rebuilt sum since the sample before, to any element. */
enum mw_metric_steps { MW_METRIC_WAS_RESET = 64, MW_METRIC_HAS_WRAPPED = 128 };

/* Whether a value is an index or a number of elements, and not a value of the variable. */
#define MW_METRIC_IS_PLACE(form, index)                                                         \
    (((form) == MW_METRIC_STATISTICS && (index) >= 2) ||                                        \
     ((form) == MW_METRIC_TOP && (index) % 2 == 1))

#define MW_COMM_NONE UINT32_MAX
#define MW_COMM_WORLD 0u /* the process's number of MPI_COMM_WORLD */
#define MW_COMM_SELF 1u  /* and of MPI_COMM_SELF */

/*
 * Roots that are no rank; as uint32_t they are OTF2_CollectiveRoot's values.
 */
#define MW_ROOT_NONE (-1)       /* the operation has no root */
#define MW_ROOT_SELF (-2)       /* MPI_ROOT on an inter-communicator */
#define MW_ROOT_THIS_GROUP (-3) /* MPI_PROC_NULL on an inter-communicator */

#define MW_BYTES_UNKNOWN UINT64_MAX

_Static_assert(sizeof(struct mw_call_record) == 24, "call records are 3 words");
_Static_assert(sizeof(struct mw_message_member) == 24, "no padding");
_Static_assert(sizeof(struct mw_request_message_member) == 32, "no padding");
_Static_assert(sizeof(struct mw_posted_member) == 24, "no padding");
_Static_assert(sizeof(struct mw_found_member) == 16, "no padding");
_Static_assert(sizeof(struct mw_course_member) == 40, "no padding");
_Static_assert(sizeof(struct mw_partly_member) == 48, "no padding");
_Static_assert(sizeof(struct mw_rma_member) == 40, "no padding");
_Static_assert(sizeof(struct mw_io_member) == 40, "no padding");
_Static_assert(sizeof(struct mw_request_collective_member) == 40, "no padding");

#endif
