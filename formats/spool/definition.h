#ifndef MW_FORMATS_SPOOL_DEFINITION_H
#define MW_FORMATS_SPOOL_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/clock.h"
#include "formats/base/status.h"
#include "formats/table/calls.h"

/*
 * The definitions stream of one process: what its event spools refer to and what
 * is to be known of it. Written with write(2), a record at a time, each with its
 * length and CRC, so that a killed process leaves whole records.
 *
 *   mw_definition_header, then records: u32 length, u32 crc32, u8 kind, payload
 *
 * length counts kind and payload; crc32 (zlib's) is over them. Integers are in the
 * machine's byte order, strings are u32 length and bytes.
 */

#define MW_DEFINITION_MAGIC "MWDEFS"
#define MW_DEFINITION_VERSION 3u
#define MW_DEFINITION_VERSION_OLDEST 1u /* that is read */
#define MW_DEFINITION_BYTES_MAX (64u << 20) /* of one record */
#define MW_THREADS_MULTIPLE 3u
#define MW_RANKS_MAX (1u << 22) /* a spool that tells of more is not believed */

/* 128 bits, equal on all members of a communicator; all zero: none. */
struct mw_uid {
    uint64_t high;
    uint64_t low;
};

static inline bool mw_uid_equal(struct mw_uid a, struct mw_uid b)
{
    return a.high == b.high && a.low == b.low;
}

static inline bool mw_uid_is_none(struct mw_uid uid)
{
    return uid.high == 0 && uid.low == 0;
}

enum mw_definition_kind {
    MW_DEFINE_PROCESS = 1,
    MW_DEFINE_THREAD,
    MW_DEFINE_COMM,
    MW_DEFINE_COMM_NAME,
    MW_DEFINE_COMM_FREED,
    MW_DEFINE_CLOCK,
    MW_DEFINE_SETTING,
    MW_DEFINE_LOSS,
    MW_DEFINE_END,
    MW_DEFINE_FILTERED,
    MW_DEFINE_SOURCES,
    MW_DEFINE_COMM_LIKE,
    MW_DEFINE_MEETING,
    MW_DEFINE_METRIC = 32,
    MW_DEFINE_BASELINE,
    MW_DEFINE_CVAR,
    MW_DEFINE_OFFER,
    MW_DEFINE_OWN_TRAFFIC,
    MW_DEFINE_OBJECT = 40,
    MW_DEFINE_OBJECT_NAME,
    MW_DEFINE_REGION = 48,
    MW_DEFINE_TEXT,
    MW_DEFINE_MISUSE,
    MW_DEFINE_MODULE = 56,
    MW_DEFINE_SITE,
    MW_DEFINE_FRAME,
    MW_DEFINE_STACK,
    MW_DEFINE_CIRCUMSTANCE = 60,
    MW_DEFINE_LINE,
    MW_DEFINE_LINE_FRAME,
    MW_DEFINE_SAMPLED,
    MW_DEFINE_SAMPLES,
    MW_DEFINE_SAMPLED_OTHERS,
    MW_DEFINE_CREW
};

/* Times are ticks of the spools' clock unless their name says otherwise. */

struct mw_define_process {
    uint32_t rank; /* in MPI_COMM_WORLD */
    uint32_t size; /* of MPI_COMM_WORLD */
    uint32_t host; /* index of the host, 0 is rank 0's; numbered by lowest rank */
    uint32_t pid;
    uint64_t time_ticks;    /* one moment … */
    uint64_t time_realtime; /* … and the same as ns since 1970-01-01 UTC */
    uint64_t time_resolution; /* ticks per second */
    uint32_t thread_level;  /* provided by MPI, 0 (SINGLE) to MW_THREADS_MULTIPLE */
    const char *host_name;
    const char *program;    /* absolute path of the executable */
    const char *arguments;  /* argv joined by blanks, quoted as for sh */
    const char *working_directory;
    const char *mpi_library; /* MPI_Get_library_version, one line */
    const char *recorder;    /* "mpiwatch 0.2.0" */
};

struct mw_define_thread {
    uint32_t thread; /* number within the process, 0 first; its spool is <thread>.events */
    uint64_t time;   /* of its first record */
    bool is_main;    /* called MPI_Init */
};

enum mw_comm_flags {
    MW_COMM_INTER = 1,
    MW_COMM_PREDEFINED = 2, /* MPI_COMM_WORLD, MPI_COMM_SELF, the parent of a spawned job */
    MW_COMM_FOREIGN = 4,    /* met without having been seen created; its uid is a guess */
    MW_COMM_OTHER_JOB = 8   /* some of its members are of another job */
};

/*
 * A communicator. members are world ranks in the order of the communicator; only
 * the process that is rank 0 of it carries them (of an inter-communicator: rank 0
 * of each group carries its own group's), the others have member_count 0.
 */
struct mw_define_comm {
    uint32_t comm; /* number within the process, counted from 0 */
    struct mw_uid uid;
    struct mw_uid parent;     /* none: predefined */
    uint32_t call;            /* enum mw_call that created it; MW_CALL_COUNT: none */
    uint32_t sequence;        /* number of the creation among those on the parent, from 1 */
    uint32_t flags;           /* enum mw_comm_flags */
    uint32_t rank;            /* this process's, in it */
    uint32_t size;            /* of the (local) group */
    uint32_t remote_size;     /* 0 unless MW_COMM_INTER */
    struct mw_uid local_group;  /* inter: hash of the local group's world ranks */
    struct mw_uid remote_group; /* inter: hash of the remote group's world ranks */
    uint32_t leader;          /* world rank of member 0 (inter: of the local group's) */
    uint64_t created;         /* time; 0: predefined, or an event of its creation tells */
    uint32_t member_count;
    const uint32_t *members;
};

/*
 * A communicator with the group of its parent, as MPI_Comm_dup makes it: everything that is not
 * here is the parent's, but for MW_COMM_PREDEFINED and MW_COMM_FOREIGN, which it is not. Only in
 * files: readers give it as a struct mw_define_comm.
 */
struct mw_define_comm_like {
    uint32_t comm;
    uint32_t parent; /* its number within the process */
    struct mw_uid uid;
    uint32_t call;
    uint32_t sequence;
    uint64_t created;
};

/*
 * Where and when processes of two jobs have made a communicator by MPI_Comm_accept and
 * MPI_Comm_connect, or by MPI_Comm_join; one process of each job tells it.
 */
struct mw_define_meeting {
    uint32_t comm;
    uint32_t number; /* of the times that this process has met there by the same call, from 1 */
    uint64_t place;  /* a hash of the port's name, or the socket's addresses; the same for both */
    uint64_t enter;  /* the call's times */
    uint64_t leave;
};

enum mw_name_source {
    MW_NAME_MPI,
    MW_NAME_REGISTERED,
    MW_NAME_UNREGISTERED, /* the name that it had is taken away */
    MW_NAME_SOURCES
};

struct mw_define_comm_name {
    uint32_t comm;
    uint32_t source; /* enum mw_name_source */
    uint64_t time;
    const char *name;
};

/* Where no event of the end tells. */
struct mw_define_comm_freed {
    uint32_t comm;
    uint64_t time;
};

struct mw_define_setting {
    const char *name; /* an option's long name: "events" */
    const char *value;
};

enum mw_loss_reason {
    MW_LOSS_SPACE = 1, /* the spool could not grow (disk or file size limit), or is gone */
    MW_LOSS_LIMIT,     /* the spool's own limit, --max-spool */
    MW_LOSS_MEMORY,    /* the recorder got no memory */
    MW_LOSS_PAUSED,    /* calls made while recording was paused (not an error) */
    MW_LOSS_REQUEST,   /* completions of requests that were not followed */
    MW_LOSS_DAMAGE     /* records of what no definition tells any more, found by the replay */
};

struct mw_define_loss {
    uint32_t thread;
    uint32_t reason; /* enum mw_loss_reason */
    uint64_t count;  /* calls, or completions, not recorded */
};

enum mw_end_how {
    MW_ENDED_FINALIZE = 0,
    MW_ENDED_ABORT, /* MPI_Abort; code is its argument */
    MW_ENDED_EXIT,  /* exit without MPI_Finalize; code is the status, -1 unknown */
    MW_ENDED_ERROR  /* an MPI error that is fatal; code is what the MPI gives the launcher */
};

/*
 * The process reached a known end at time. There may be several records; the last one
 * counts. Without one the process was killed, called _exit, or still runs.
 */
struct mw_define_end {
    uint64_t time;
    uint32_t how;  /* enum mw_end_how */
    uint32_t code; /* two's complement */
};

/*
 * Calls on a communicator that were counted and not recorded (--comms), summed up over the
 * threads of the process; one for each communicator and call that there were any of.
 */
struct mw_define_filtered {
    uint32_t comm; /* MW_COMM_NONE: of communicators past those that are told apart */
    uint32_t call; /* enum mw_call */
    uint64_t calls;
    uint64_t bytes_sent;     /* by these calls, as the records would have said */
    uint64_t bytes_received;
};

/*
 * Ranks of a communicator that a process gets something from in a collective operation, as
 * operations refer to them: its in-neighbours, or those whose counts are not 0.
 */
struct mw_define_sources {
    uint32_t sources; /* number within the process, counted from 0 */
    uint32_t comm;
    uint32_t count;
    const uint32_t *ranks; /* in the communicator, rising, the process itself not among them */
};

/* What MPI_T calls the class of a performance variable, alike for all MPIs. */
enum mw_variable_class {
    MW_CLASS_STATE,
    MW_CLASS_LEVEL,
    MW_CLASS_SIZE,
    MW_CLASS_PERCENTAGE,
    MW_CLASS_HIGHWATERMARK,
    MW_CLASS_LOWWATERMARK,
    MW_CLASS_COUNTER,
    MW_CLASS_AGGREGATE,
    MW_CLASS_TIMER,
    MW_CLASS_GENERIC,
    MW_CLASS_EVENT, /* no variable: each sample is an event of the MPI, with its elements */
    MW_CLASS_COUNT
};

/* Whether values of the class are sums: stored less a baseline, their first value. */
#define MW_CLASS_IS_SUM(class) ((class) >= MW_CLASS_COUNTER && (class) <= MW_CLASS_TIMER)

enum mw_variable_flags {
    MW_VARIABLE_READONLY = 1,
    MW_VARIABLE_CONTINUOUS = 2,
    MW_VARIABLE_ATOMIC = 4,
    MW_VARIABLE_READ_RESETS = 8, /* reading it sets it back, for everyone */
    MW_VARIABLE_REBUILT = 16 /* of a sum: values go on over resets and wraps of the variable */
};

#define MW_BIND_EVENT "EVENT" /* of metrics whose samples are events of the MPI */

/*
 * What samples refer to by metric: a performance variable in one form. bind is one of
 * MPI_T's names without its prefix ("NO_OBJECT", "MPI_COMM").
 */
struct mw_define_metric {
    uint32_t metric; /* number within the process, counted from 0 */
    const char *name; /* the variable's */
    uint32_t declared;  /* enum mw_variable_class, as the MPI says */
    uint32_t effective; /* and as the values behave, as far as known when it was recorded */
    uint32_t type;      /* enum mw_metric_type */
    uint32_t bits;      /* of the variable's integers; sums are modulo 2^bits */
    const char *bind;
    uint32_t verbosity; /* 1 (USER_BASIC) to 9 (MPIDEV_ALL) */
    uint32_t flags;     /* enum mw_variable_flags */
    uint32_t form;      /* enum mw_metric_form */
    uint32_t first;     /* MW_METRIC_LIST: the first element */
    uint32_t count;     /* values of a sample */
    uint32_t elements;  /* of the variable when it was first bound; 1 unless an array */
    const char *unit;   /* "#", "bytes", "s" … */
    const char *description;
    const char *items; /* of a STATE: "0=idle;1=busy"; else "" */
    const char *categories; /* of MPI_T that it is in: "pml, ob1" */
};

/* The first value of a sum's element, which was subtracted from all that are stored. */
struct mw_define_baseline {
    uint32_t metric;
    uint32_t object; /* the process's number of the communicator, window or open file that the
                        metric's bind says; MW_COMM_NONE: bound to none */
    uint32_t element;
    uint64_t value; /* its bits */
    uint64_t doubt; /* the same: so much of value may be the program's, and come to the sum */
};

/* A control variable as it was when recording began. */
struct mw_define_cvar {
    const char *name;
    const char *value;
    const char *type;  /* "int", "char", … */
    const char *scope; /* MPI_T's names: "READONLY", "ALL_EQ" … */
    uint32_t verbosity;
    bool set_by_user; /* a variable of the environment sets it */
};

/* How many variables the MPI offers, and what became of the wish to record them. */
struct mw_define_offer {
    uint32_t pvars;
    uint32_t pvars_valid;
    uint32_t pvars_recorded;
    uint32_t cvars;
    const char *note; /* a sentence where there is something to say, else "" */
};

/*
 * What the recorder itself had sent and received through the MPI in MPI_Init, before it bound the
 * first variables.
 */
struct mw_define_own_traffic {
    uint64_t calls;
    uint64_t sent; /* bytes given to these calls */
    uint64_t received;
};

enum mw_object_kind {
    MW_OBJECT_WINDOW,
    MW_OBJECT_FILE,   /* a path; name is it, as the program gave it */
    MW_OBJECT_HANDLE, /* a file that is open */
    MW_OBJECT_KIND_COUNT
};

#define MW_OBJECT_NUMBER_MAX 500000u /* numbers stay below: a mapping table is one record */

/*
 * What one-sided communication and MPI-IO speak of. Its uid is the same in all processes
 * that share it.
 */
struct mw_define_object {
    uint32_t kind;      /* enum mw_object_kind */
    uint32_t number;    /* within the process and the kind, counted from 0 */
    struct mw_uid uid;
    struct mw_uid comm; /* the communicator that it was made on; none for a file */
    struct mw_uid file; /* of a handle; else none */
    uint32_t call;      /* enum mw_call that made it */
    uint32_t sequence;  /* among the objects made on the communicator, from 1 */
    const char *name;   /* of files and handles the path; "" for windows */
};

/* MPI_Win_set_name */
struct mw_define_object_name {
    uint32_t kind;
    uint32_t number;
    uint64_t time;
    const char *name;
};

#define MW_USER_NUMBER_MAX 100000u /* numbers of regions and of texts stay below */

/* A region that the program names (mpiwatch_region_begin); numbered from 0 in their order. */
struct mw_define_region {
    uint32_t region;
    const char *name;
};

/* A text of events: of a marker, or a name given by registration; numbered likewise. */
struct mw_define_text {
    uint32_t text;
    const char *value;
};

/* How the program's use of the API went wrong; summed up over the threads. */
struct mw_define_misuse {
    uint64_t unbalanced;   /* ends of regions that had not begun, regions begun and not ended */
    uint64_t not_recorded; /* what could not be: too many names, no memory, inside of MPI */
};

/* The program or a library, as it was loaded; numbered from 0. */
struct mw_define_module {
    uint32_t module;
    const char *path;
    const char *build_id; /* in hexadecimal digits; "" where it has none */
};

#define MW_SITES_MAX (65536u - MW_CALL_COUNT) /* numbers stay below: struct mw_call_record */
#define MW_SITE_NONE UINT32_MAX

/*
 * A place in the program from which a call of MPI is made. Records have it in the place of the
 * call: their call is MW_CALL_COUNT + site then.
 */
struct mw_define_site {
    uint32_t site; /* number within the process, counted from 0 */
    uint32_t call; /* enum mw_call */
    uint32_t module;
    uint64_t address; /* where the call returns to, as the module's file counts addresses */
};

/*
 * A site whose line was known when the call was made, of a program that is run as it is written
 * (Python): numbered with the other sites.
 */
struct mw_define_line {
    uint32_t site;
    uint32_t call;
    uint32_t module; /* the file of the source */
    uint32_t line;
    const char *function;
};

#define MW_FRAMES_MAX 1000000u
#define MW_FRAME_NONE UINT32_MAX       /* no parent: the outermost frame */
#define MW_FRAME_CUT (UINT32_MAX - 1u) /* no parent: that there are others is known */

/* A frame of the program, in the one that called it. */
struct mw_define_frame {
    uint32_t frame;  /* number within the process, counted from 0 */
    uint32_t parent; /* a frame, MW_FRAME_NONE or MW_FRAME_CUT */
    uint32_t module;
    uint64_t address; /* where what it calls returns to, as the module's file counts addresses */
};

/* A frame whose line was known when the call was made: numbered with the other frames. */
struct mw_define_line_frame {
    uint32_t frame;
    uint32_t parent;
    uint32_t module; /* the file of the source */
    uint32_t line;
    const char *function;
};

/* A site whose callers are known, too: numbered with the other sites. */
struct mw_define_stack {
    uint32_t site;
    uint32_t call; /* enum mw_call */
    uint32_t frame; /* that makes the call */
};

/*
 * How often the process's threads were seen at an address between calls of MPI, on the way to one
 * at this site. What several tell of one pair adds up.
 */
struct mw_define_sampled {
    uint32_t site; /* MW_SITE_NONE: of calls that are told without */
    uint32_t module;
    uint64_t address; /* of the instruction that was next, as the module's file counts addresses */
    uint64_t count;
};

/* How often they were looked at in all; one, of a process that was to do it. */
struct mw_define_samples {
    uint32_t rate;     /* in each second that a thread runs */
    uint64_t outside;  /* between calls of MPI … */
    uint64_t inside;   /* … and in calls, in code of the program's or of libraries */
    uint64_t lost;     /* besides: that there was no room for, or in code that is in no file */
    const char *refused; /* why a thread was not looked at; "": all were */
};

/*
 * What other threads of the process do that call no MPI, while the main one is between calls and
 * while it is in one; one, of a process that has such. Where they were is told as of threads that
 * do, by MW_DEFINE_SAMPLED_OTHERS.
 */
struct mw_define_crew {
    uint32_t threads; /* that were seen to compute, as many as at one time at most */
    uint32_t refused; /* that could not be looked at, likewise */
    uint64_t there;   /* ns that the former were there, all together, while it was between calls */
    uint64_t outside; /* samples meanwhile … */
    uint64_t inside;  /* … and while it was in calls, or in code of the MPI's … */
    uint64_t lost;    /* … and, of the former, what there was no room for, or was in no file */
};

/* What a circumstance is of; who tells those of the job, the MPI and the run is rank 0. */
enum mw_circumstance_of {
    MW_CIRCUMSTANCE_OF_PROCESS,
    MW_CIRCUMSTANCE_OF_THREAD,
    MW_CIRCUMSTANCE_OF_JOB, /* variables of the environment that the batch system sets */
    MW_CIRCUMSTANCE_OF_MPI, /* variables of the environment that the MPI reads */
    MW_CIRCUMSTANCE_OF_RUN
};

/* Of a process: MPI may call functions of the program's, in which it may do anything; what they do
 * is in no record. */
#define MW_CIRCUMSTANCE_ERRHANDLER "error_handlers"      /* in any call that fails */
#define MW_CIRCUMSTANCE_KEYVAL     "attribute_functions" /* that copy those of communicators */
#define MW_CIRCUMSTANCE_REQUEST    "request_functions"   /* of generalized requests, in what waits
                                                            for them */
#define MW_CIRCUMSTANCE_FINALIZE   "finalize_functions"  /* in MPI_Finalize, which deletes
                                                            attributes of MPI_COMM_SELF … */
#define MW_CIRCUMSTANCE_FINALIZE_OVER "finalize_functions_over" /* … and has done so */

/* What the process ran in when it began; the five above, and sites_left_out, since then. */
struct mw_define_circumstance {
    uint32_t of;     /* enum mw_circumstance_of */
    uint32_t thread; /* whose, of MW_CIRCUMSTANCE_OF_THREAD */
    const char *name;
    const char *value;
};

/* Any of the above; kind tells which. Strings and members belong to the reader. */
struct mw_definition {
    enum mw_definition_kind kind;
    union {
        struct mw_define_process process;
        struct mw_define_thread thread;
        struct mw_define_comm comm;
        struct mw_define_comm_like comm_like;
        struct mw_define_meeting meeting;
        struct mw_define_comm_name comm_name;
        struct mw_define_comm_freed comm_freed;
        struct mw_clock_point clock; /* in ticks */
        struct mw_define_setting setting;
        struct mw_define_loss loss;
        struct mw_define_end end;
        struct mw_define_metric metric;
        struct mw_define_baseline baseline;
        struct mw_define_cvar cvar;
        struct mw_define_offer offer;
        struct mw_define_own_traffic own_traffic;
        struct mw_define_object object;
        struct mw_define_object_name object_name;
        struct mw_define_filtered filtered;
        struct mw_define_sources sources;
        struct mw_define_region region;
        struct mw_define_text text;
        struct mw_define_misuse misuse;
        struct mw_define_module module;
        struct mw_define_line line;
        struct mw_define_line_frame line_frame;
        struct mw_define_site site;
        struct mw_define_frame frame;
        struct mw_define_stack stack;
        struct mw_define_circumstance circumstance;
        struct mw_define_sampled sampled;
        struct mw_define_samples samples;
        struct mw_define_crew crew;
    } of;
};

#endif
