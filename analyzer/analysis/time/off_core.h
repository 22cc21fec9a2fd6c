#ifndef MWA_ANALYSIS_TIME_OFF_CORE_H
#define MWA_ANALYSIS_TIME_OFF_CORE_H

#include "analyzer/analysis/time/profile.h"

/* When a main thread was on no core, as far as samples of it tell (enum mw_running_value). */

/* Of one thread. Plain data; all zero: nothing is told. */
struct mwa_off_core_sums {
    uint64_t values[MW_RUNNING_VALUES]; /* ns; the greatest of MW_RUNNING_RESIDENT */
    bool is_told;
    bool tells_threads; /* MW_RUNNING_THREADS is known */
    bool tells_written; /* MW_RUNNING_WRITTEN up to MW_RUNNING_WRITES are … */
    bool tells_system;  /* … and MW_RUNNING_SYSTEM is, … */
    bool tells_read;    /* … and the two behind it */
    uint32_t before;    /* the site before which most of it was outside of MPI; MWA_NONE: none … */
    uint64_t before_ns; /* … and how much */
    uint32_t asleep_before; /* the same of what it could not have run */
    uint64_t asleep_before_ns;
    uint32_t polled_before; /* the same of sites of calls that poll alone … */
    uint64_t polled_before_ns;
    uint64_t asleep_polling_ns; /* … and before all of these together */
    uint32_t writing_before; /* the same of what it has written, bytes */
    uint64_t written_before;
    uint32_t system_before; /* the same of what it was in the kernel, ns */
    uint64_t system_before_ns;
    uint32_t reading_before; /* the same of what it has read, bytes */
    uint64_t read_before;
    uint64_t faulting_ns; /* in the kernel, by samples with page faults for it */
};

/* Outside of MPI, before calls at a site; ns. */
struct mwa_off_core_stretch {
    uint64_t off;
    uint64_t asleep; /* of it: it could not have run */
    uint64_t asleep_about; /* the same before these, or others shortly before */
    uint64_t written; /* bytes */
    uint64_t system;  /* in the kernel */
    uint64_t read;    /* bytes */
};

/* In calls that have ended; ticks. */
struct mwa_off_core_spent {
    uint64_t *in; /* per mpi_index; null: none */
    uint64_t in_all;
};

/* What a sample tells of the inside of calls; ns. */
struct mwa_off_core_sample {
    uint64_t stretch, no_core;
    uint32_t mpi_index; /* of the call in which it lies; MWA_NONE: in none */
    uint64_t open;      /* in that call, since it was entered or the last sample was */
};

/* What a part's first sample tells of the lack of cores, if where that was depends on when the call
 * before was left, which is in a part before. */
struct mwa_off_core_unplaced {
    uint64_t time;    /* ticks */
    uint64_t stretch; /* ns */
    uint64_t no_core; /* ns; 0: there is none */
};

/*
 * While its events are read. All zero is empty. For one thread.
 *
 * The events may be read in parts, with one of these each, which are appended: so a part's first
 * sample waits for what the parts before know of the stretch that it tells of.
 *
 * What was without a core inside of calls since the sample before is shared out to functions: to
 * the call in which the sample lies, and to those that ended since, as long as each was in the
 * stretch that the sample tells of (formats/ARCHIVE.md: it is not seen in which of many calls it
 * was).
 */
struct mwa_off_core {
    struct mwa_off_core_sums sums;
    struct mwa_off_core_stretch pending; /* before the call that is entered next */
    struct mwa_off_core_unplaced unplaced;
    uint64_t left; /* when the last call was; ticks; 0: none */
    bool is_sampled; /* between calls, since then */
    struct mwa_off_core_stretch *before; /* per site; null: none */
    bool has_entered;                    /* a call at a site, the first one at … */
    uint32_t first_site;
    struct mwa_off_core_spent spent;     /* since the last sample */
    struct mwa_off_core_sample first;    /* which is not shared out yet … */
    struct mwa_off_core_spent before_first; /* … and what was spent before; null: no sample */
    uint64_t *no_core; /* per mpi_index: without a core inside of such calls, 1/1024 ns; null:
                          nothing is told */
    uint64_t sampled; /* when the last sample was; ticks */
};

/* A call of MPI ends, of which the samples are to tell. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_off_core_leave(struct mwa_off_core *off, const struct mwa_trace *trace,
                                  const struct mwa_call *call) MW_MUST_CHECK;

/* Takes a sample in (MWA_RUNNING). MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_off_core_take(struct mwa_off_core *off,
                                 const struct mwa_moment *moment) MW_MUST_CHECK;

/* Adds what was before other calls at a site. */
static inline void mwa_off_core_add(struct mwa_off_core_stretch *to,
                                    const struct mwa_off_core_stretch *add)
{
    to->off += add->off;
    to->asleep += add->asleep;
    to->asleep_about += add->asleep_about;
    to->written += add->written;
    to->system += add->system;
    to->read += add->read;
}

static inline bool mwa_off_core_is_any(const struct mwa_off_core_stretch *stretch)
{
    return stretch->off > 0 || stretch->asleep_about > 0 || stretch->written > 0 ||
           stretch->system > 0 || stretch->read > 0;
}

/* A call is entered at site, an index or MWA_NONE: what is pending came before it. */
static inline void mwa_off_core_enter(struct mwa_off_core *off, uint32_t site)
{
    if (site == MWA_NONE) {
        return;
    }
    if (MW_UNLIKELY(!off->has_entered)) {
        off->has_entered = true;
        off->first_site = site;
    }
    if (mwa_off_core_is_any(&off->pending)) {
        mwa_off_core_add(&off->before[site], &off->pending);
        off->pending = (struct mwa_off_core_stretch){ 0 };
    }
}

/*
 * Adds what later tells of the part behind off's, which begins outside of all calls of MPI; later
 * is to be freed as before. Both are not settled, and are told nothing more. MW_OK,
 * MW_ERROR_MEMORY.
 */
enum mw_status mwa_off_core_append(struct mwa_off_core *off, struct mwa_off_core *later,
                                   const struct mwa_trace *trace) MW_MUST_CHECK;

/* Whether what was copied into sums, as they are in the end, can be those of trace. */
bool mwa_off_core_are_sums(const struct mwa_off_core_sums *sums, const struct mwa_trace *trace);

/*
 * What a part tells, which is not settled, for another process (analyzer/team/packing.h). pack
 * appends it; without memory to is marked failed. unpack takes it out into an empty one. MW_OK,
 * MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_off_core_pack(const struct mwa_off_core *off, const struct mwa_trace *trace,
                       struct mw_buffer *to);
enum mw_status mwa_off_core_unpack(struct mwa_off_core *off, const struct mwa_trace *trace,
                                   struct mw_cursor *from) MW_MUST_CHECK;

/* There are no parts before: what waits is shared out. */
void mwa_off_core_settle(struct mwa_off_core *off, const struct mwa_trace *trace);

/* Without a core in all calls of a function, an mpi_index, ns: settled, and before
 * mwa_off_core_end. */
uint64_t mwa_off_core_in(const struct mwa_off_core *off, uint32_t mpi_index);

/* There are no more samples: sums are whole. */
void mwa_off_core_end(struct mwa_off_core *off, const struct mwa_trace *trace);
void mwa_off_core_fini(struct mwa_off_core *off);

/* Puts it into the row of its rank, whose times are there: none of it is longer than what it is
 * part of. */
void mwa_off_core_tell(const struct mwa_off_core_sums *sums, struct mwa_rank_row *row);

#endif
