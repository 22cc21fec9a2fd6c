#ifndef MWA_ANALYSIS_ANALYSIS_H
#define MWA_ANALYSIS_ANALYSIS_H

#include "analyzer/analysis/other_locations.h"
#include "analyzer/exchange/exchange.h"
#include "analyzer/model/bins.h"
#include "analyzer/model/call_use.h"
#include "analyzer/model/event.h"
#include "analyzer/model/trace.h"
#include "analyzer/model/waypoint.h"
#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * What an analysis is: a module that sees every event of a location, in order, and
 * keeps what it needs of it in a *partial result*. Partial results of locations are
 * merged into one, in any order, and the last one is finished into a plain struct
 * (each analysis's header has it), which the renderers print.
 */

/* A call that has just been left. Times are ticks. */
struct mwa_call {
    const struct mwa_region *region;
    uint32_t site;      /* of an MPI call, index */
    uint64_t enter;
    uint64_t leave;
    uint64_t inclusive; /* leave - enter, or what coalesced polls spent inside */
    uint64_t exclusive; /* inclusive less what regions inside it took, of an MPI call less what
                           MPI calls did: callbacks of the program are time in MPI */
    uint64_t repeat;    /* MPI calls that it stands for, at least 1 */
    struct mwa_found_data found; /* as a blocking probe */
    enum mwa_use use;   /* of an MPI call, by all that its outermost one has told so far */
    bool outermost;     /* an MPI call inside no other MPI call */
    bool open;          /* never left: the record ends inside it */
};

/* Of its exclusive time what each of the calls has that it stands for; mostly it is one. */
static inline uint64_t mwa_call_each(const struct mwa_call *call)
{
    return call->repeat == 1 ? call->exclusive : call->exclusive / call->repeat;
}

/* An event and what surrounds it. Lives until the analysis returns. */
struct mwa_moment {
    const struct mwa_trace *trace;
    const struct mwa_location *location;
    const struct mwa_event *event;
    const struct mwa_call *call;      /* of MWA_LEAVE, else null */
    const struct mwa_region *mpi;     /* innermost MPI call being made, or null; at enter and
                                         leave it is the call itself */
    uint32_t site;                    /* of mpi, index */
    uint64_t mpi_enter;               /* when the outermost MPI call was entered; valid with mpi */
    uint32_t mpi_depth;               /* MPI calls being made */
    const struct mwa_window *window;  /* of the pass; null: it has none */
    const bool *selected_comms;       /* a flag for each communicator; null: all count */
    const struct mwa_other_locations *other_locations; /* the same; null: not listed */
    bool is_cut;                      /* the pass is of a span (span_cut.h) */
};

/*
 * A rank's run is from the end of MPI_Init, or its first event where there is none, to the
 * beginning of MPI_Finalize, or its last event: what these two say, for all analyses.
 */
static inline bool mwa_begins_run(const struct mwa_moment *moment)
{
    return moment->call && moment->call->outermost &&
           moment->call->region->kind == MWA_REGION_INIT;
}

static inline bool mwa_ends_run(const struct mwa_moment *moment)
{
    return moment->event->kind == MWA_ENTER && moment->mpi_depth == 1 &&
           moment->mpi->kind == MWA_REGION_FINALIZE;
}

#define MWA_KIND(kind) (1u << (kind))
#define MWA_KINDS_ALL  ((1u << MWA_EVENT_KINDS) - 1)

/*
 * A location may be read in parts, each with a partial result of its own, that are put together
 * before the last one ends: a part begins and ends outside of all calls of MPI, and regions of the
 * program that are open there are left in a part that has not seen them entered.
 */
struct mwa_part_functions {
    /* Adds the part behind partial's; later is to be destroyed as before. MW_OK,
     * MW_ERROR_MEMORY. */
    enum mw_status (*append)(void *partial, void *later);

    /*
     * How a part gets to another process: pack appends it; unpack takes it out into an empty
     * partial result, of which nothing but append will be asked. As struct mwa_analysis's.
     */
    void (*pack)(const void *partial, struct mw_buffer *to);
    enum mw_status (*unpack)(void *partial, struct mw_cursor *from);
};

struct mwa_keyed_rows;

struct mwa_analysis {
    const char *name;
    uint32_t kinds; /* MWA_KIND of the events that it wants */

    /* Those of kinds that can matter in an archive, by its definitions; others as in a moment. It
     * is asked for each location. Null: all of kinds. */
    uint32_t (*kinds_in)(const struct mwa_trace *trace,
                         const struct mwa_other_locations *others);

    size_t size; /* of a partial result, whose first member is `const struct mwa_trace *trace` */

    /* Rows that it has, by a key of theirs: they are merged, packed and freed by what is said here,
     * before the rest is merged or packed, and behind it freed. Null: there are none. */
    const struct mwa_keyed_rows *rows;

    /* Sets what of an empty partial result is not 0. Null: nothing. MW_OK, MW_ERROR_MEMORY. */
    enum mw_status (*begin)(void *partial);

    const struct mwa_part_functions *parts; /* of what can travel; null: a location is read in
                                               one */

    /* Of a pass that is cut: as struct mwa_span_listener says. Null: nothing to do. */
    void (*resume)(void *partial, uint64_t time, bool is_through);

    /* Takes one event in. MW_OK, MW_ERROR_MEMORY. */
    enum mw_status (*event)(void *partial, const struct mwa_moment *moment);

    /* The location's events are through; last is its last time. Null: nothing to do. */
    enum mw_status (*end)(void *partial, const struct mwa_location *location, uint64_t last);

    /* Adds what from holds beside rows to into; from stays to be destroyed. Null: nothing. MW_OK,
     * MW_ERROR_MEMORY. */
    enum mw_status (*merge)(void *into, const void *from);

    /*
     * How that gets to another process (analyzer/team/packing.h). pack appends it;
     * without memory to is marked failed. unpack takes it out into an empty partial result, of
     * which nothing but merge will be asked; moment has what the pass hands to all analyses, and
     * no event. MW_OK, MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other bytes. Null: there is
     * nothing beside rows, or, without rows, it can't travel, and the pass is one process's.
     */
    void (*pack)(const void *partial, struct mw_buffer *to);
    enum mw_status (*unpack)(void *partial, const struct mwa_moment *moment,
                             struct mw_cursor *from);

    /* Turns a partial result into the analysis's result struct. MW_OK, MW_ERROR_MEMORY. */
    enum mw_status (*finish)(const void *partial, void *result);

    /* Frees what it holds beside rows, whatever begin returned. Null: nothing. */
    void (*fini)(void *partial);
};

/* An empty partial result, to be freed with mwa_partial_destroy; null: no memory. */
void *mwa_partial_create(const struct mwa_analysis *analysis, const struct mwa_trace *trace);
void mwa_partial_destroy(const struct mwa_analysis *analysis, void *partial); /* null is fine */

/* As merge, pack and unpack above, rows and all. */
enum mw_status mwa_partial_merge(const struct mwa_analysis *analysis, void *into,
                                 const void *from) MW_MUST_CHECK;
void mwa_partial_pack(const struct mwa_analysis *analysis, const void *partial,
                      struct mw_buffer *to);
enum mw_status mwa_partial_unpack(const struct mwa_analysis *analysis, void *partial,
                                  const struct mwa_moment *moment,
                                  struct mw_cursor *from) MW_MUST_CHECK;

/* Whether what it has merged can get to another process. */
bool mwa_partial_may_travel(const struct mwa_analysis *analysis);

/*
 * Takes each wait that counts, of main threads: rank waited in call (null: of no region), whose use
 * that is, from … to, ticks. \return MW_OK; else the pass ends with it.
 */
typedef enum mw_status (*mwa_wait_visit)(void *user, uint32_t rank,
                                         const struct mwa_region *call, enum mwa_use use,
                                         uint64_t from, uint64_t to);

/*
 * Takes each wait that counts, whole, with its pattern (enum mwa_wait_pattern); all times of it are
 * ticks. \return MW_OK; else the pass ends with it.
 */
struct mwa_wait;
struct mwa_level_series;
struct mwa_level_change;
typedef enum mw_status (*mwa_wait_told)(void *user, unsigned pattern,
                                        const struct mwa_wait *wait);

/* Takes each change of a level, in order of time. \return MW_OK; else the pass ends with it. */
typedef enum mw_status (*mwa_level_visit)(void *user, const struct mwa_level_series *series,
                                          const struct mwa_level_change *change);
struct mwa_what_if_cases;

struct mwa_span;
struct mwa_block_states;
struct mwa_team;

#define MWA_ALL_OF_IT .rank = MWA_NONE, .from = MWA_FIRST_NS, .to = MWA_LAST_NS

/* What of the run is looked at. MWA_ALL_OF_IT: everything. */
struct mwa_scope {
    uint32_t rank;     /* whose waits */
    const bool *comms; /* a flag for each communicator: calls, messages and waits on these */
    int64_t from;      /* as mwa_trace_since_begin has it; waits are cut to from … to */
    int64_t to;
    uint32_t bins;     /* parts of from … to that timelines have; 0: the default */
    enum mwa_locations locations; /* that have rows of their own in timelines */

    /* Where the analyses need no order of locations: */
    const struct mwa_span *span;          /* they see nothing but this; null: everything */

    /* Where to begin for it, or where the run may be cut; null: at the beginning, nowhere. */
    const struct mwa_block_states *known;

    /* Who reads with this process, where mwa_may_be_shared; null: nobody. */
    const struct mwa_team *team;

    uint64_t until; /* ticks: the results are of nothing behind it (struct mwa_pass); 0: they may */

    bool goes_on;      /* hang: the run does, so that what lasts has lasted until this moment */

    /* Of mwa_collect, for analyses of exchanges: */
    uint32_t chapter;   /* of the run, 0: the first one, or all of it */
    bool with_delays;   /* waits: also what caused them, which takes half as long again */
    bool keeps_courses; /* levels: for pictures, up to MWA_COURSE_SAMPLES samples of each */
    const struct mwa_what_if_cases *cases; /* what if: the runs that are replayed; else null */
    mwa_wait_visit visit; /* waits of main threads: with user; null: nobody takes them */
    mwa_wait_told told;   /* waits of all threads: with told_user */
    void *told_user;
    mwa_level_visit level; /* changes of levels: with level_user; null: nobody takes them */
    void *level_user;
    void *user;
};

/* What two chapters of a run, of which each is followed by itself, don't have in common. */
struct mwa_seam {
    const uint64_t *sent; /* per rank: messages begun before the later one, which counts its own */
    struct mwa_region_paths *paths; /* of the earlier one; see mwa_region_paths_adopt */
    bool is_lull;
};

/*
 * An analysis of exchanges: of matched messages, grouped collectives and the order of calls
 * that they bring about (analyzer/exchange/exchange.h). It sees all ranks, so it has no partial
 * results.
 */
struct mwa_exchange_analysis {
    const char *name;

    /* slot is its position among the engine's listeners: note[slot] is its own. */
    enum mw_status (*create)(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis);

    /* Its functions; user will be *analysis. It may lag (may_lag) if it takes no moments, and
     * nobody looks at what it has while the run is followed. */
    struct mwa_exchange_listener listener;

    /*
     * Takes, before all else, which requests of messages are open where the part of the run that it
     * is told begins, and where it ends (analyzer/load/reading_start.h), which outlive it; null:
     * that is where the run does. Null: not wanted. MW_OK, MW_ERROR_MEMORY.
     */
    enum mw_status (*carry)(void *analysis, const struct mwa_reading_start *start,
                            const struct mwa_reading_start *next);

    /*
     * Takes a waypoint of location, in order of time, before the listener is told of what is at
     * the same time or later. Null: not wanted. MW_OK, MW_ERROR_MEMORY.
     */
    enum mw_status (*waypoint)(void *analysis, uint32_t location,
                               const struct mwa_waypoint *waypoint);

    /* Takes any event, at the same moment. Null: not wanted. MW_OK, MW_ERROR_MEMORY. */
    enum mw_status (*moment)(void *analysis, const struct mwa_moment *moment);

    mwa_wait_visit wait; /* takes each wait as it is found; user is *analysis. Null: not wanted */

    /*
     * Whether what a chapter has found, which was told all but what comes at the end, can be what
     * append adds or adds to: nothing was lost for want of memory, and unless it is_last nothing is
     * begun that the next one would have to know of. Else the run is followed from the beginning
     * to the end. Null: it always can.
     */
    bool (*can_be_appended)(const void *analysis, bool is_last);

    /*
     * Whether chapters of a run that begin at lulls (analyzer/load/quiet_places.h) can be appended:
     * remember appends what is to be known of one, and is_too_much tells by what all have appended,
     * in their order. Null where they always can. MW_OK, MW_ERROR_MEMORY; MW_ERROR_FORMAT: these
     * are other bytes.
     */
    void (*remember)(const void *analysis, struct mw_buffer *to);
    enum mw_status (*is_too_much)(struct mw_cursor *from, bool *is_too_much);

    /*
     * Adds what later has found to analysis, which is of the chapter before, or of all before it:
     * what finish makes of them is then what one makes that has followed the run from the
     * beginning, to the last digit. later is to be destroyed as before. MW_OK, MW_ERROR_MEMORY.
     */
    enum mw_status (*append)(void *analysis, void *later, const struct mwa_seam *seam);

    /*
     * How what a chapter has found, which is through, gets to another process
     * (analyzer/team/packing.h). pack appends it, and leaves nothing to be done with analysis
     * but to destroy it; without memory to is marked failed. unpack takes it out into an analysis
     * that was just created with a scope like the other one's, of which nothing will be asked but
     * to be what append adds; what it has of paths lives as long as paths does. MW_OK,
     * MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other bytes.
     */
    void (*pack)(void *analysis, struct mw_buffer *to);
    enum mw_status (*unpack)(void *analysis, struct mwa_region_paths *paths,
                             struct mw_cursor *from);

    /* Turns it into the analysis's result struct. MW_OK, MW_ERROR_MEMORY. */
    enum mw_status (*finish)(void *analysis, void *result);

    void (*destroy)(void *analysis); /* null is fine */
};

/* An analysis of waits, which takes them into its result as they are found. */
struct mwa_wait_analysis {
    /* Makes an empty result, whose fini is due in any case. MW_OK, MW_ERROR_MEMORY. */
    enum mw_status (*begin)(void *result, const struct mwa_trace *trace,
                            const struct mwa_window *window);
    mwa_wait_visit visit; /* user is the result */

    /* Adds what was taken into another result, of the same begin. MW_OK, MW_ERROR_MEMORY. */
    enum mw_status (*add)(void *result, const void *other);

    /*
     * How what was taken gets to another process (analyzer/team/packing.h). pack appends it;
     * without memory to is marked failed. unpack takes it out into an empty result, of the same
     * begin, of which nothing will be asked but to be what add adds. MW_OK, MW_ERROR_MEMORY,
     * MW_ERROR_FORMAT: these are other bytes. Null: it can't travel.
     */
    void (*pack)(const void *result, struct mw_buffer *to);
    enum mw_status (*unpack)(void *result, struct mw_cursor *from);
};

#endif
