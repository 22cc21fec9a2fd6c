#ifndef MWA_MODEL_TRACE_H
#define MWA_MODEL_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/map.h"
#include "analyzer/model/metric.h"
#include "analyzer/model/sampled.h"
#include "formats/archive/archive_words.h"
#include "formats/table/calls.h"

/*
 * What an archive defines: ranks, locations, regions, communicators. Filled by
 * analyzer/load/definitions and analyzer/load/metadata, read-only afterwards, so that
 * threads may share it. Indices are positions in the arrays, MWA_NONE is none.
 */

enum mwa_region_kind {
    MWA_REGION_USER,     /* everything that is not MPI */
    MWA_REGION_MPI,
    MWA_REGION_INIT,     /* MPI_Init, MPI_Init_thread */
    MWA_REGION_FINALIZE  /* MPI_Finalize */
};

/* What a region that is not MPI's is for, by OTF2's roles. */
enum mwa_region_role {
    MWA_ROLE_WORK,
    MWA_ROLE_SYNC,    /* threads wait for each other in it, and in no region inside */
    MWA_ROLE_TRANSFER /* data go to or from an accelerator */
};

struct mwa_region {
    const char *name;  /* never null */
    const char *group; /* "p2p", "coll", …; "user" outside MPI */
    enum mwa_region_kind kind;
    enum mwa_region_role role;
    unsigned call; /* enum mw_call; MW_CALL_COUNT: of no call that formats/table/calls.def knows */
    uint32_t mpi_index; /* among the MPI regions, MWA_NONE for others */
    const char *file;   /* where the program defines a region of its own; null: not known */
    uint32_t line;      /* where it begins there, MWA_NONE: not known */
};

/* A call of a function of the program, as OTF2's CallingContext tells it. */
struct mwa_stack_frame {
    uint32_t parent;      /* index, below its own; MWA_NONE: the outermost one that is told */
    uint32_t line;        /* in the function, where it calls what is inside; 0: not known */
    uint32_t context;     /* id of the CallingContext */
    const char *function; /* never null */
    const char *file;     /* never null; "": not known */
    const char *module;   /* path of the file that has its code; never null; "": not known */
};

/*
 * A region of OTF2: of an MPI function there may be several, one for each place in the program's
 * source that calls it, and all of them are one struct mwa_region.
 */
struct mwa_site {
    uint32_t id;     /* OTF2's */
    uint32_t region; /* index */
    uint32_t line;   /* of the call; 0: not known */
    const char *file;     /* never null; "": not known */
    const char *function; /* that calls; never null; "": not known */
    const char *library;  /* whose code that is, a file's name; never null; "": the program's, or
                             not known */
    uint32_t frame;  /* that function's, index; MWA_NONE: who called it is not told */
    uint32_t place;  /* the first site of the same call, file, line and function, whoever calls
                        that, but for wrappers (analyzer/model/places.h) */
    const struct mwa_stack_frame *led_by;     /* the program's own code that led to a library's or
                                                 a wrapper's (places.h); null: nothing to say */
    const struct mwa_stack_frame *all_led_by; /* of a place: by what all its sites are led to; null:
                                                 nothing to say, or they differ */
    bool is_repeated; /* a wrapper makes the same call in other lines, too, for led_by */
};

/* Members of communicators, as world ranks. */
struct mwa_group {
    uint32_t id;
    bool self; /* of MPI_COMM_SELF: each rank alone */
    uint32_t count;
    uint32_t *ranks;  /* by rank in the communicator; MWA_NONE: not known */
    uint32_t *sorted; /* the same in ascending order, for intercommunicators' groups, or null */
};

#define MWA_GROUP_OTHER (MWA_NONE - 1)

/* When a member had a communicator, as mpiwatch.json tells; ticks, UINT64_MAX: it doesn't. */
struct mwa_membership {
    uint32_t rank;
    uint64_t created;
    uint64_t freed;
};

/* A name that a rank gave, or took away (MW_NAME_UNREGISTERED: the name it had). */
struct mwa_comm_name {
    const char *text;
    enum mw_name_source source;
    uint32_t rank; /* MWA_NONE: not known */
    uint64_t time; /* ticks, UINT64_MAX: not known */
};

/* A rank had a communicator registered under a name; ticks. */
struct mwa_registered {
    const char *name;
    uint32_t rank;
    uint64_t from;
    uint64_t to; /* UINT64_MAX: until it was freed, or to the end */
};

/* Calls on a communicator that was not selected: counted, and not recorded. */
struct mwa_filtered {
    uint32_t comm; /* index, MWA_NONE: of those that were not told apart */
    const char *call;
    uint64_t calls;
    uint64_t bytes_sent;
    uint64_t bytes_received;
};

/* How two jobs met: what their archives' halves of a communicator have in common. */
struct mwa_comm_meeting {
    uint64_t place;  /* 0: it is not from a meeting, or that is not told */
    uint64_t number; /* of the times that rank has met there by the same call */
    uint64_t rank;   /* who called for its job */
    uint64_t enter;  /* ns, of that call; UINT64_MAX: not known */
    uint64_t leave;
};

struct mwa_comm {
    uint32_t id;
    const char *name; /* never null, may be "" */
    bool inter;
    uint32_t group;        /* index, MWA_NONE: unknown */
    uint32_t remote_group; /* of an intercommunicator, else MWA_NONE */
    uint32_t parent;       /* index, MWA_NONE: none */
    bool has_objects;       /* windows or open files are defined on it */
    bool is_told;           /* mpiwatch.json has it */
    bool predefined;        /* by mpiwatch.json: MPI_COMM_WORLD, MPI_COMM_SELF … */
    bool foreign;           /* by mpiwatch.json: met without having been seen created */
    bool other_job;         /* by mpiwatch.json: some members are of another job */
    uint32_t *members[2];   /* of such a one, by group (1: of an intercommunicator): world ranks,
                               MWA_NONE those of another job; else null */
    uint32_t member_counts[2];
    const char *uid;        /* null: not in the archive */
    const char *default_name; /* null: not in the archive */
    const char *created_by; /* the MPI call, null: not known */
    uint64_t sequence;      /* of that creation on the parent; UINT64_MAX: not known */
    struct mwa_membership *memberships; /* null: not in mpiwatch.json */
    uint64_t membership_count;
    struct mwa_comm_name *names; /* all that were given, in their order in mpiwatch.json */
    uint64_t name_count;
    struct mwa_registered *registered; /* by rank and time */
    uint64_t registered_count;
    struct mwa_comm_meeting meeting;
    bool is_joint;         /* the archives of two jobs have it, each with its half */
    uint32_t given_count;  /* members of such a one that were started with it: they made it not */
};

/* Of a communicator, by mwa_trace_find_sides (analyzer/model/sides.h). */
struct mwa_comm_sides {
    uint32_t made_of[2]; /* what members of its group made it of, and of its remote group */
    bool is_side;        /* an intercommunicator has a side of the same members */
};

/* How times of an archive that is read with others are held against those of the first. */
enum mwa_job_clock {
    MWA_JOB_CLOCK_SHARED, /* both are of one clock */
    MWA_JOB_CLOCK_WALL,   /* by the clocks on the wall of the hosts of ranks 0 */
    MWA_JOB_CLOCK_UNKNOWN /* as they are */
};

/* One of several jobs whose archives were read together. */
struct mwa_job {
    const char *archive;
    uint64_t first_rank; /* its rank 0 */
    uint64_t rank_count;
    enum mwa_job_clock clock;
};

struct mwa_dimension {
    const char *name; /* never null, may be "" */
    uint32_t size;
    bool is_periodic;
};

/* A rank in a topology. */
struct mwa_coordinates {
    uint32_t rank; /* in the world */
    uint32_t *at;  /* by dimension */
};

/* A Cartesian topology of a communicator. */
struct mwa_topology {
    const char *name; /* never null, may be "" */
    uint32_t comm;    /* index */
    uint32_t dimension_count; /* 1 at least */
    struct mwa_dimension *dimensions;
    struct mwa_coordinates *places; /* by rank */
    uint64_t place_count, place_capacity;
};

enum mwa_location_kind {
    MWA_LOCATION_THREAD,
    MWA_LOCATION_STREAM, /* of an accelerator */
    MWA_LOCATION_METRIC  /* has only values */
};

struct mwa_location {
    uint64_t id;
    enum mwa_location_kind kind;
    const char *name;
    uint64_t events; /* as defined */
    uint32_t rank;   /* MWA_NONE: no MPI process's */
    bool master;     /* the rank's main thread */
};

enum mwa_rank_end {
    MWA_END_UNTOLD, /* with MPI_Finalize, or nobody could tell */
    MWA_END_ERROR,  /* by an MPI error that was fatal */
    MWA_END_ABORT,  /* by MPI_Abort */
    MWA_END_EXIT,   /* by exit, or by leaving main */
    MWA_END_GONE    /* without a word: its process is gone, of a run that goes on */
};

struct mwa_rank {
    const char *host;    /* never null */
    uint32_t master;     /* index of its location, MWA_NONE: no events of it */
    uint32_t locations;  /* how many it has */
    int64_t pid;         /* -1: not known */
    bool calls_in_turn;  /* its MPI lets one thread call it at a time (less than
                            MPI_THREAD_MULTIPLE); else it does not, or nobody knows */
    bool handles_errors; /* its program gave MPI handlers of errors, which any call may call … */
    bool has_keyvals;    /* … or functions that copy attributes of communicators … */
    bool has_request_functions; /* … or those of generalized requests, which waits may call … */
    bool has_finalizers; /* … or that may delete those of MPI_COMM_SELF, in MPI_Finalize */
    bool incomplete;     /* its record ends before the program did */
    enum mwa_rank_end end; /* how it ended before MPI_Finalize … */
    int32_t end_code;    /* … with which class of errors, argument, status (-1: not known) */
    bool paused;         /* it made calls while recording was paused, or outside of what was cut
                          * out of a longer archive */
    uint64_t lost;       /* calls and completions that the recorder could not write */
    uint64_t cores;      /* of its host, 0: not known */
    const char *affinity; /* those that its main thread may run on, "0-3,8"; null: not known */
    const char *cgroup;  /* the group that limits it; null: none */
    uint64_t cgroup_millicores; /* to so many thousandths of a core */
};

/* The class of the MPI error that ended it; 0: none, as far as is told. */
static inline uint32_t mwa_rank_fatal(const struct mwa_rank *rank)
{
    return rank->end == MWA_END_ERROR ? (uint32_t)rank->end_code : 0;
}

/* Whether its record lacks something, so that it may be out of step with others'. */
static inline bool mwa_rank_has_gaps(const struct mwa_rank *rank)
{
    return rank->lost > 0 || rank->paused || rank->incomplete;
}

struct mwa_trace {
    struct mwa_site *sites;
    uint64_t site_count;
    bool has_sites; /* where calls were made is told, of some at least */
    struct mwa_stack_frame *frames;
    uint64_t frame_count;
    struct mwa_region *regions;
    uint64_t region_count;
    uint32_t mpi_region_count;
    uint32_t *mpi_regions; /* mpi_index to index */
    struct mwa_group *groups;
    uint64_t group_count;
    struct mwa_comm *comms;
    struct mwa_comm_sides *sides; /* by communicator; null: none is an intercommunicator, or the run
                                     goes on */
    uint64_t comm_count;
    struct mwa_topology *topologies;
    uint64_t topology_count;
    struct mwa_filtered *filtered; /* by communicator and call */
    uint64_t filtered_count;
    struct mwa_sampled sampled; /* of one archive; of several that are read as one nothing */
    struct mwa_location *locations;
    uint64_t location_count;
    struct mwa_rank *ranks;
    uint64_t rank_count;
    uint64_t host_count;
    struct mwa_job *jobs; /* null: it is one archive */
    uint64_t job_count;
    uint64_t joint_comm_count; /* communicators between jobs that both halves are there of */
    bool has_other_jobs;       /* some communicator has members of another job */
    uint64_t half_comm_count;  /* and those that just one is there of, or nobody can tell whose */
    struct mwa_map site_index; /* from OTF2's ids to indices */
    struct mwa_map comm_index;
    struct mwa_map group_index; /* MWA_GROUP_OTHER: of threads, say */
    struct mwa_map string_index; /* from OTF2's ids to positions in strings */
    struct mwa_map context_index; /* from OTF2's ids of CallingContexts to those of their Regions */
    struct mwa_metrics metrics;

    uint64_t clock_resolution; /* ticks per second */
    uint64_t clock_offset;     /* ticks of the first moment */
    uint64_t clock_length;     /* ticks of the whole trace, 0: not known */
    uint64_t run_offset;       /* ticks from clock_offset to where times count from; it may come
                                  before that, by unsigned arithmetic */
    bool begins_in_init;       /* that is where the first rank leaves MPI_Init */
    uint64_t clock_error_ns;   /* how far times may be from the clock, of one thread at most */
    const char *clock;         /* what told that thread its times; null: not known */
    uint64_t hosts_clock_error_ns; /* how far a host's clock may be, corrected, from rank 0's at
                                      most; 0: there is one host, or it was not said */
    const struct mwa_logical_clocks *clocks; /* by which times are moved (logical_clock.h), and what
                                                that changed; null: they are as recorded */
    uint64_t realtime;         /* ns since 1970 at clock_offset, UINT64_MAX: not known */
    uint32_t attributes[MW_ATTRIBUTE_COUNT]; /* OTF2's ids of mpiwatch's, MWA_NONE: not there */
    uint32_t parameters[MW_PARAMETER_COUNT]; /* the same */

    const char *program;   /* as started, with arguments; never null */
    const char *creator;   /* who wrote the archive; never null */
    const char *ended;     /* how the run ended, null: not said */
    const char *mpi_library; /* null: not said */
    const char *run;       /* no other run has it, parts cut out of this one do; null: not said */
    bool has_metadata;     /* mpiwatch.json was there */
    bool incomplete;       /* the run or the archive is */
    bool is_ring;          /* the oldest of what was recorded was written over … */
    uint64_t begun;        /* … and this is read from here on (ticks), where all ranks' records
                              have begun; 0: all is */
    bool begins_late;      /* records of its ranks begin at different moments, those that have
                              gaps: it is of rings, or a part of another archive … */
    bool ends_early;       /* … and they end so */
    uint64_t lost_events;  /* of all ranks */
    uint64_t ranks_expected;
    uint64_t ranks_sites_left_out; /* that made calls at more places than there are numbers */
    const char **settings; /* name, value, name, value, … */
    uint64_t setting_count;
    const char **circumstances; /* what it was recorded on, of rank 0 and its job; likewise */
    uint64_t circumstance_count;

    char **strings; /* owned texts behind all const char * above */
    uint64_t string_count;
    uint64_t string_capacity;
    bool lacks_text; /* mwa_trace_text had no memory for one of them */
};

/* Whether what others have may be of something that the rank did before what is told of it. */
static inline bool mwa_trace_begins_late(const struct mwa_trace *trace, uint32_t rank)
{
    return trace->begins_late && rank < trace->rank_count &&
           (trace->begun > 0 || mwa_rank_has_gaps(&trace->ranks[rank]));
}

/* Whether what the rank did first was written over, or left out where others have not begun. */
static inline bool mwa_trace_is_of_ring(const struct mwa_trace *trace, uint32_t rank)
{
    return trace->is_ring && rank < trace->rank_count &&
           (trace->begun > 0 || trace->ranks[rank].lost > 0);
}

void mwa_trace_fini(struct mwa_trace *trace);

/* The kind of the region of one of MPI's functions (enum mw_call). */
enum mwa_region_kind mwa_region_kind_of_call(unsigned call);

/* A copy of text that lives as long as trace; null when there is no memory, and lacks_text is set
 * for whoever asks in the end. */
const char *mwa_trace_text(struct mwa_trace *trace, const char *text);

/*
 * Intercommunicators ask which group a rank is in: gives their groups a sorted copy. False
 * without memory.
 */
bool mwa_trace_sort_groups(struct mwa_trace *trace);

/* Puts the places of topologies in order. */
void mwa_trace_sort_topologies(struct mwa_trace *trace);

/* Where a rank of the world is in a topology; null: not in it. */
const struct mwa_coordinates *mwa_trace_coordinates(const struct mwa_topology *topology,
                                                    uint32_t rank);

/* The value of a setting of the recorder; null if it is not told. */
const char *mwa_trace_setting(const struct mwa_trace *trace, const char *name);

/*
 * The groups of calls (bits 1 << enum mw_group) that are recorded when the user says nothing, and
 * were not; 0 where the archive does not tell.
 */
uint32_t mwa_trace_left_out(const struct mwa_trace *trace);

/* Whether the record of any rank has gaps (mwa_rank_has_gaps). */
bool mwa_trace_has_gaps(const struct mwa_trace *trace);

/* As below, for those that are not at the index that is their id. */
uint32_t mwa_trace_look_up_site(const struct mwa_trace *trace, uint32_t id);
uint32_t mwa_trace_look_up_comm(const struct mwa_trace *trace, uint32_t id);

/* Whether a location (an index) is the main thread of its rank. */
static inline bool mwa_is_main_thread(const struct mwa_trace *trace, uint32_t location)
{
    return trace->locations[location].rank != MWA_NONE && trace->locations[location].master;
}

/* The place of a site, which may be MWA_NONE as well. */
static inline uint32_t mwa_trace_place(const struct mwa_trace *trace, uint32_t site)
{
    return site == MWA_NONE ? MWA_NONE : trace->sites[site].place;
}

/* The index of the site of OTF2's region id, or of its communicator id, or MWA_NONE. */
static inline uint32_t mwa_trace_site(const struct mwa_trace *trace, uint32_t id)
{
    return MW_LIKELY(id < trace->site_count && trace->sites[id].id == id)
               ? id
               : mwa_trace_look_up_site(trace, id);
}

static inline uint32_t mwa_trace_comm(const struct mwa_trace *trace, uint32_t id)
{
    return MW_LIKELY(id < trace->comm_count && trace->comms[id].id == id)
               ? id
               : mwa_trace_look_up_comm(trace, id);
}

/* Whether rank is in the group, an index, which is the first one of an intercommunicator. */
bool mwa_trace_has_rank(const struct mwa_trace *trace, uint32_t group, uint32_t rank);

/* The group with OTF2's id, of ranks; null: there is none. */
const struct mwa_group *mwa_trace_group(const struct mwa_trace *trace, uint32_t id);

/* The text of OTF2's string id, "" when it is not defined. */
const char *mwa_trace_string(const struct mwa_trace *trace, uint32_t id);

/*
 * The world rank of peer, a rank in communicator index comm (in the remote group of an
 * intercommunicator) as seen by world rank self; MWA_NONE when that can't be known.
 */
uint32_t mwa_trace_peer(const struct mwa_trace *trace, uint32_t comm, uint32_t self,
                        uint32_t peer);

/*
 * All members of a communicator: both groups of an intercommunicator; 1 for COMM_SELF. Of one
 * that goes over several jobs as many as OTF2's groups have.
 */
uint64_t mwa_trace_comm_size(const struct mwa_trace *trace, uint32_t comm);

/* Whether all ranks of trace are members of comm, and it is no inter-communicator. */
static inline bool mwa_trace_is_of_all(const struct mwa_trace *trace, uint32_t comm)
{
    return !trace->comms[comm].inter && mwa_trace_comm_size(trace, comm) == trace->rank_count;
}

/*
 * The world ranks in group 0 or 1 (1: of an intercommunicator) of a communicator, *count of them,
 * in its order; MWA_NONE those of other jobs, and what is not known. Null with 0 for
 * COMM_SELF, and where there is no such group.
 */
const uint32_t *mwa_trace_members(const struct mwa_trace *trace, uint32_t comm, unsigned group,
                                  uint64_t *count);

/* All members as mwa_trace_comm_size, but those of other jobs, too. */
uint64_t mwa_trace_comm_total(const struct mwa_trace *trace, uint32_t comm);

/* Those of this job alone: as mwa_trace_comm_size where there is no other. */
uint64_t mwa_trace_comm_present(const struct mwa_trace *trace, uint32_t comm);

/* The ranks of the job that rank is of: from *first on so many. */
uint64_t mwa_trace_job_ranks(const struct mwa_trace *trace, uint64_t rank, uint64_t *first);

/* Ticks a second, where the archive says nonsense as well. */
uint64_t mwa_trace_resolution(const struct mwa_trace *trace);

/*
 * What all times of the trace's events are multiples of, in ns, as the recorder was told; 0: nobody
 * says.
 */
uint64_t mwa_trace_time_unit(const struct mwa_trace *trace);

/* ticks to ns, exactly when the clock ticks in ns, else to the nearest below. */
uint64_t mwa_trace_ns(const struct mwa_trace *trace, uint64_t ticks);

/* The other way round, rounded up. */
uint64_t mwa_trace_ticks(const struct mwa_trace *trace, uint64_t ns);

/*
 * Where all times that a user reads or types count from: the first rank leaves MPI_Init, or, where
 * no rank does, the trace's beginning. Ticks.
 */
uint64_t mwa_trace_origin(const struct mwa_trace *trace);

/* OTF2 events of all locations, by their definitions, modulo 2^64. */
uint64_t mwa_defined_events(const struct mwa_trace *trace);

/* A time as users read it, in ns since the origin; below 0 for what comes before. */
int64_t mwa_trace_since_begin(const struct mwa_trace *trace, uint64_t time);

#define MWA_FIRST_NS INT64_MIN /* the beginning and the end of all times */
#define MWA_LAST_NS  INT64_MAX

/*
 * The other way round, so that a time that was printed finds its event: the first time that is
 * ns or more, and the last one that is ns or less, as mwa_trace_since_begin tells it. What would
 * be before all times is the first of them, what would be behind is the last.
 */
uint64_t mwa_trace_first_at(const struct mwa_trace *trace, int64_t ns);
uint64_t mwa_trace_last_at(const struct mwa_trace *trace, int64_t ns);

#endif
