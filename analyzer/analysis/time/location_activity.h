#ifndef MWA_ANALYSIS_TIME_LOCATION_ACTIVITY_H
#define MWA_ANALYSIS_TIME_LOCATION_ACTIVITY_H

#include "analyzer/analysis/time/timeline.h"

/*
 * What a location that is no main thread does, stretch by stretch. The innermost region decides,
 * but that an outermost MPI call is all of its MPI state:
 *
 *   useful    in a region: of the program, of OpenMP, a kernel
 *   p2p …     the states of timeline.h, in an outermost MPI call; waits are part of them
 *   sync      where threads wait for each other, by the region's role: barriers, the ends of tasks
 *             and threads, the entry of critical and ordered sections
 *   transfer  data on their way to or from an accelerator, by the region's role, or, in no region,
 *             by the operations on its memory that have begun and are not done
 *   idle      in no region
 *
 * Where nothing tells what a thread does outside of MPI, idle is useful: in what mpiwatch-record
 * wrote, and where it is in no region but MPI calls.
 */
enum {
    MWA_LOCATION_SYNC = MWA_STATES,
    MWA_LOCATION_TRANSFER,
    MWA_LOCATION_IDLE,
    MWA_LOCATION_STATES
};

/* Of one location. All zero at first; for one thread. */
struct mwa_activity {
    uint8_t *stack; /* states of the regions that are open */
    uint64_t capacity;
    uint64_t depth;
    uint64_t copies; /* that have begun and are not done */
    uint64_t done;   /* its time up to here is told */
    bool has_begun;
    bool is_paused;
    bool is_between; /* its thread has ended, and the next one has not begun */
    bool tells_idle; /* idle is idle */
};

/* Whether what is idle can be told of a part of the run: an event that tells it may be anywhere
 * before, in archives that mpiwatch-record did not write. */
static inline bool mwa_activity_needs_no_past(const struct mwa_trace *trace)
{
    return trace->has_metadata || trace->location_count <= trace->rank_count;
}

/* Takes ticks of a state, spread evenly from from to to. */
typedef void (*mwa_activity_visit)(void *user, unsigned state, uint64_t from, uint64_t to,
                                   uint64_t ticks);

/* The events that it is made of. */
#define MWA_ACTIVITY_KINDS                                                                         \
    (MWA_KIND(MWA_ENTER) | MWA_KIND(MWA_LEAVE) | MWA_KIND(MWA_MEASUREMENT) |                       \
     MWA_KIND(MWA_THREAD_BEGIN) | MWA_KIND(MWA_THREAD_END) | MWA_KIND(MWA_COPY))

/* \return MW_OK; MW_ERROR_MEMORY. */
enum mw_status mwa_activity_take(struct mwa_activity *activity, const struct mwa_moment *moment,
                                 mwa_activity_visit visit, void *user) MW_MUST_CHECK;

/* The same of a main thread, all of whose time is idle but where it is paused. */
void mwa_activity_take_main(struct mwa_activity *activity, const struct mwa_moment *moment,
                            mwa_activity_visit visit, void *user);

/* The location's last event was at last. */
void mwa_activity_end(struct mwa_activity *activity, uint64_t last, mwa_activity_visit visit,
                      void *user);

void mwa_activity_fini(struct mwa_activity *activity);

/*
 * Makes states of what was told of a location, which tells_idle or not, and of the time of its
 * rank's main thread that is recorded: what of that it is in no region is idle, too, for a thread
 * or a stream has events only from when it is used first to when it is used last.
 */
void mwa_activity_settle(uint64_t *ticks, uint64_t recorded, bool tells_idle);

#endif
