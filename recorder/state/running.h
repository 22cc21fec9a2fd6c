#ifndef MWR_STATE_RUNNING_H
#define MWR_STATE_RUNNING_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/state/kernel_counts.h"
#include "recorder/state/kernel_time.h"
#include "recorder/state/thread_reads.h"

/*
 * Whether a thread runs: at the first end of a call that is at least MW_RUNNING_LOOK_NS after the
 * last look, its CPU time is compared with the time that went by. What is missing is told in
 * samples of one metric (enum mw_running_value), apart for calls of MPI and for what is between
 * them, and apart by whether the thread could have run and had no core.
 *
 * Of a stretch of many calls it is not seen in which of them the thread lost its core. So where
 * time is missing, the next piece after a look, a call or what is between two, is looked at by
 * itself, and stretches are shared out as such pieces were.
 *
 * A look is two system calls of two thirds of a microsecond. Only where more than 2 % or 100 us are
 * missing switches count: without any, it was not the thread that waited. Only samples,
 * of which there are 50 a second at most, cost more: what waited for a core is read from /proc, as
 * a file, opened and closed again, since a descriptor that is kept is the program's to close.
 * Beyond that rate times are added up, and told with the next sample. What was outside of calls is
 * told between calls only where most of it came together before the call that is entered then, by
 * chance before one of several, as often as there was time; else in a call, after 200 ms.
 *
 * At each look the kernel also tells how much the thread has written to files, which it counts
 * when pages become dirty: neither sockets and pipes are in it, nor files in memory; what MPI's
 * calls on files write is passed over, and other calls are taken to write nothing. How many bytes
 * and calls of write(2) and the like those of the whole process are is in a file of /proc, read
 * once a second and at the end. And how long the thread was in the kernel: that it finds by
 * its ticks, of a few milliseconds, so that it is about right of a hundred of them, and of less
 * than ten nothing is told. Of a stretch with many calls of MPI it is not known where that was.
 * And how much it has read, which is a matter of its own (recorder/state/thread_reads.h).
 */

struct mwr_call;
struct mwr_stream;

/* Times in ns; outside of calls is [0], inside [1]. The thread's own. */
struct mwr_running {
    uint64_t due;    /* from when on the end of a call is looked at; UINT64_MAX: never */
    uint64_t left;   /* when the last call was left */
    uint64_t inside; /* time in calls that were left since the last look */
    uint64_t looked; /* the last look, and what the CPU time was then */
    uint64_t cpu;
    uint64_t since;  /* when what is to be told began; 0: there is nothing */
    bool is_placed;  /* what is outside may be told as of the piece before the last look */
    uint64_t off[2]; /* to be told: not on a core … */
    uint64_t sure[2]; /* … of which the thread did not sleep, by the switches */
    uint64_t single[2];     /* how long pieces were that were looked at by themselves, … */
    uint64_t single_off[2]; /* … and for how long of that the thread was on no core */
    uint64_t crowded;       /* until when such looks are made */
    uint64_t delay;   /* all the time without a core, as far as it is accounted for */
    uint64_t dropped; /* missing, but too little to be told, since delay was read */
    uint64_t paid;    /* until when samples have used up their share of time */
    uint64_t memory_due;
    uint64_t resident; /* bytes, as read last and as told last */
    uint64_t told_resident;
    uint64_t blocks;  /* written up to the last look, … */
    uint64_t spooled; /* … and to the spool */
    uint64_t written; /* to be told: bytes between calls of MPI … */
    uint64_t writing; /* … and how long that may have taken */
    struct mwr_kernel_time kernel; /* when it was in the kernel */
    struct mwr_kernel_io io_seen; /* as read last and as told last */
    struct mwr_kernel_io io_told;
    struct mwr_thread_reads reads;
    uint64_t others; /* CPU time of the process's other threads, at the last sample */
    struct mwr_kernel_counts seen; /* at the last look that asked */
    struct mwr_kernel_counts told; /* at the last sample */
};

/* Defines the metric, if the settings say so, before recording begins. */
void mwr_running_start(void);

/* A thread begins to record, or goes on after a pause: what went by is nobody's. */
void mwr_running_begin(struct mwr_running *running);

/* A call is about to be entered at now, or to be left; to be called when now is due. \return when
 * it is entered: later where the core was lost meanwhile, which is not to be told of the call. */
uint64_t mwr_running_enter(struct mwr_stream *stream, uint64_t now);
void mwr_running_leave(struct mwr_call *call, uint64_t now);

/* How long the thread was outside of calls since the last look, up to now, of which it is in a call
 * for inside, ns; 0 before the first look. Calls that are made inside of others count twice. */
uint64_t mwr_running_outside(const struct mwr_running *running, uint64_t now, uint64_t inside);

/* What the thread has written to files was its own until call was entered, which may write to some
 * itself; and what it has written since then until now was MPI's, as what it has read may be. */
void mwr_running_note_written(const struct mwr_call *call);
void mwr_running_pass_written(void);

/* The last sample of the thread: into the open call, or between calls. */
void mwr_running_finish_in(struct mwr_call *call);
void mwr_running_finish(struct mwr_stream *stream);

#endif
