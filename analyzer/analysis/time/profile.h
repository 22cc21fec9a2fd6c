#ifndef MWA_ANALYSIS_TIME_PROFILE_H
#define MWA_ANALYSIS_TIME_PROFILE_H

#include "analyzer/analysis/comms/charge.h"
#include "analyzer/analysis/time/timeline.h"

/*
 * Time and bytes by MPI call and by rank.
 *
 * A rank's *run* goes from the Leave of MPI_Init or MPI_Init_thread to the Enter of
 * MPI_Finalize on its main thread; where either is missing, from its first or to its
 * last event. *mpi* is the time inside the outermost MPI calls in that run, *useful* the
 * rest of it, less what the thread was on no core, where the archive tells that (enum
 * mw_running_value): sleeping, waiting for a file, or without a core to run on. Calls are
 * counted and timed on all threads, MPI_Init and MPI_Finalize included; a call's time is
 * exclusive of MPI calls recorded inside it.
 *
 * Where communicators are selected, calls, *mpi* and bytes are those that are charged to
 * them (analyzer/analysis/comms/charge.h); *useful* is outside of all MPI calls as ever.
 */

struct mwa_call_row {
    const struct mwa_region *region;
    uint64_t count;
    uint64_t time_ns;
    uint64_t open_ns; /* of it, in calls that were never left: for what is not known */
    uint64_t across_ns; /* of it, in calls with ranks of other jobs: if they wait is not known */
    uint64_t used_ns[MWA_USES]; /* of it, by what for (enum mwa_use) */
    uint64_t min_ns; /* of one call */
    uint64_t max_ns;
    uint64_t bytes_sent;
    uint64_t bytes_received;
    uint64_t rank_min_ns; /* of one rank's time in it, over all ranks that have events */
    uint64_t rank_max_ns;
    uint32_t rank_max; /* the lowest rank with rank_max_ns */
    uint64_t no_core_ns; /* of its time, of all threads, without a core; 0 where that is not told */
    uint64_t operations; /* collective ones that it ended, each rank's of its own … */
    uint64_t members;    /* … and of these the sizes of their communicators together */
};

/* Of a rank's main thread in its run: when it was on no core. */
struct mwa_rank_running {
    bool is_known;
    uint64_t outside_ns; /* outside of MPI … */
    uint64_t outside_no_core_ns; /* … when it could have run */
    uint64_t inside_ns;
    uint64_t inside_no_core_ns;
    uint64_t voluntary; /* switches, of the whole record */
    uint64_t involuntary;
    uint64_t minor_faults;
    uint64_t major_faults;
    uint64_t resident; /* bytes of memory that the process had, at most; 0: not told */
    bool tells_threads;  /* and how long its other threads were on cores, all together: */
    uint64_t threads_ns; /* CPU time, more than the run where they had several */
    bool tells_written;  /* and what it wrote: */
    uint64_t written;    /* bytes, to files outside of MPI … */
    bool is_text;        /* by the size of write_calls: … */
    uint64_t writing_ns; /* … about how long that took; else at least so long, … */
    uint64_t writing_most_ns; /* … and at most */
    uint32_t writing_before; /* the site of the call before which it did most … */
    uint64_t written_before; /* … and how much; 0: none is */
    uint64_t write_bytes; /* of the process, by write(2) and the like, to whatever */
    uint64_t write_calls;
    bool tells_system;  /* and when it was in the kernel: */
    uint64_t system_ns; /* about, of its time on a core outside of MPI … */
    uint32_t system_before; /* … before a call at that site most … */
    uint64_t system_before_ns; /* … and how long; 0: none is */
    uint64_t faulting_ns; /* … while there were page faults for it */
    bool tells_read;     /* and what it read: */
    uint64_t read;       /* bytes, outside of MPI, about … */
    uint64_t reading_ns; /* … and how long that took */
    uint32_t reading_before; /* the site of the call before which it did most … */
    uint64_t read_before;    /* … and how much; 0: none is */
    uint32_t before;    /* the site of the call before which it was off most outside of MPI … */
    uint64_t before_ns; /* … and how long; 0: none is */
    uint32_t asleep_before; /* the same of the time that it could not have run */
    uint64_t asleep_before_ns;
    uint32_t polled_before; /* the same, of sites of calls that poll alone … */
    uint64_t asleep_polling_ns; /* … and how long it was before all calls of these; 0: none is */
};

/* Off its core when that may cost it time: not asleep in a call of MPI, which waits then. 0 where
 * nothing is known. */
static inline uint64_t mwa_off_core_ns(const struct mwa_rank_running *running)
{
    return running->outside_ns + running->inside_no_core_ns;
}

/* Off its core when it could not have run: asleep, or waiting for a file; outside of MPI, and in
 * calls of it. */
static inline uint64_t mwa_asleep_ns(const struct mwa_rank_running *running)
{
    return running->outside_ns - running->outside_no_core_ns;
}

/* How long what it wrote is taken to have taken: between the least and the most, where these
 * differ, as long as 250 MB/s cost. */
static inline uint64_t mwa_writing_counts_ns(const struct mwa_rank_running *running)
{
    const uint64_t middle = 4 * running->writing_ns;

    return running->is_text || middle > running->writing_most_ns ? running->writing_most_ns
                                                                  : middle;
}

static inline uint64_t mwa_mpi_asleep_ns(const struct mwa_rank_running *running)
{
    return running->inside_ns - running->inside_no_core_ns;
}

struct mwa_rank_row {
    uint32_t rank;
    bool has_events;
    int64_t begin_ns; /* of the run, as mwa_trace_since_begin has it */
    uint64_t run_ns;
    uint64_t mpi_ns;
    uint64_t io_ns; /* of it, in MPI's file I/O; UINT64_MAX where communicators are selected */
    uint64_t probing_ns; /* of all MPI in the run, in calls that mwa_probes */
    uint64_t across_ns; /* the same, in calls with ranks of other jobs */
    uint64_t state_ns[MWA_STATES]; /* of all MPI in the run, by what the outermost calls are */
    uint64_t outside_ns; /* outside of MPI, on a core or not */
    uint64_t useful_ns;
    struct mwa_rank_running running;
    uint64_t calls;
    uint64_t callers; /* threads that make any of them */
    uint64_t bytes_sent;
    uint64_t bytes_received;
};

/* When the rank's run ends, as begin_ns tells when it begins; INT64_MAX: then, or later. */
static inline int64_t mwa_run_end_ns(const struct mwa_rank_row *row)
{
    const int64_t run = row->run_ns < INT64_MAX ? (int64_t)row->run_ns : INT64_MAX;

    return row->begin_ns < INT64_MAX - run ? row->begin_ns + run : INT64_MAX;
}

struct mwa_profile {
    struct mwa_call_row *calls; /* by time, then name; only calls that were made */
    uint64_t call_count;
    struct mwa_rank_row *ranks; /* by rank */
    uint64_t rank_count;
    uint64_t *called; /* [rank][row of calls]: how often, on all threads of the rank */
    uint64_t mpi_calls; /* of all locations */
    uint64_t open_calls; /* in which the record of a location ends */
    uint64_t first_ticks; /* of all events; 0 when there is none */
    uint64_t last_ticks;
    uint64_t run_from_ticks; /* of all ranks: the first beginning of a run, and the last end; */
    uint64_t run_to_ticks;   /* without one, those of all events */
    uint64_t first_end_ticks; /* the first end of a rank's run */
};

/*
 * Whether it is MPI_Probe or MPI_Mprobe, of an archive that does not tell what probes found. They
 * wait, but for which sender is not known: their time is no part of the waits, and no hop of the
 * critical path is in it.
 */
bool mwa_probes(const struct mwa_trace *trace, const struct mwa_region *region);

extern const struct mwa_analysis mwa_profile_analysis; /* finishes into struct mwa_profile */

void mwa_profile_fini(struct mwa_profile *profile);

#endif
