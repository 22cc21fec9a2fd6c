/* Of a main thread more is known than its calls: what it may wait for, what it writes, and what it
 * computes in. */
#include "analyzer/report/cause_running.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/causes/busy_function.h"
#include "analyzer/analysis/time/sampled_functions.h"
#include "analyzer/analysis/summary.h"
#include "analyzer/model/sampled_name.h"
#include "analyzer/table/units.h"

#define THREADS_IDLE 0.01 /* of what a main thread sleeps: it does not wait for other threads … */
#define THREADS_BUSY 0.5  /* … and it may well do */
#define OTHERS_TAKE  0.25 /* of what a main thread lacks a core: they may have had it */
#define PASSING_NS   25   /* for a byte that Open MPI's mpirun passes on, measured: 23 to 28 */
#define DELAYS       0.9  /* of what a cause takes: what could be saved is another number */
#define PAGE_BYTES   4096u /* where the recorder does not say so */
#define AGAIN        2u   /* times the memory that a process has: pages come and go */
#define NAME_BYTES   64
#define NEARLY_ALL   0.995 /* what would be told as 100% with no error */
#define WITH_FILES   0.5  /* of what a rank computes longer: it may be why */

void mwa_cause_lock(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                    size_t room)
{
    const struct mwa_rank_running *running = &results->profile.ranks[cause->ranks[0]].running;
    const double share = (double)running->threads_ns / (double)cause->time_ns;
    char time[MWA_UNITS_BYTES];

    if (running->tells_threads && share < THREADS_IDLE) {
        snprintf(text, room, ", a lock or another process");
    } else if (share >= THREADS_BUSY) {
        snprintf(text, room,
                 ", a lock, another thread or process, and %s other threads run for %s%s",
                 cause->rank_count == 1 ? "its" : "their",
                 cause->rank_count == 1 ? "" : "up to ", mwa_time_text(running->threads_ns, time));
    } else {
        snprintf(text, room, ", a lock, another thread or process");
    }
}

void mwa_cause_own_threads(const struct mwa_results *results, const struct mwa_cause *cause,
                           char *text, size_t room)
{
    const bool is_one = cause->rank_count == 1;
    char time[MWA_UNITS_BYTES];
    uint64_t most = 0;

    for (uint64_t i = 0; i < cause->listed; i++) {
        const struct mwa_rank_running *running = &results->profile.ranks[cause->ranks[i]].running;

        if (running->tells_threads && running->threads_ns > most) {
            most = running->threads_ns;
        }
    }
    if (most > 0 && (double)most >= OTHERS_TAKE * (double)cause->time_ns) {
        snprintf(text, room, "%s own other threads, which run for %s%s",
                 is_one ? "its" : "their", is_one ? "" : "up to ", mwa_time_text(most, time));
    }
}

/* What all ranks wrote by MPI-IO: which of them, and on which host, its aggregators decide. */
static uint64_t by_mpi_io(const struct mwa_profile *profile)
{
    uint64_t bytes = 0;

    for (uint64_t i = 0; i < profile->call_count; i++) {
        const struct mwa_call_row *row = &profile->calls[i];

        bytes += strcmp(row->region->group, "io") == 0 ? row->bytes_sent : 0;
    }
    return bytes;
}

void mwa_cause_passing(const struct mwa_results *results, const struct mwa_cause *cause,
                       char *text, size_t room)
{
    const struct mwa_rank *ranks = results->trace->ranks;
    char bytes[MWA_UNITS_BYTES];
    uint64_t printed = 0, to_files;

    for (uint32_t i = 0; i < results->profile.rank_count; i++) {
        const struct mwa_rank_running *running = &results->profile.ranks[i].running;

        if (strcmp(ranks[i].host, ranks[cause->ranks[0]].host) != 0) {
            continue;
        }
        if (!running->tells_written) {
            snprintf(text, room, "mpirun, where they print much");
            return;
        }
        printed += running->write_bytes > running->written ? running->write_bytes - running->written
                                                           : 0;
    }
    to_files = by_mpi_io(&results->profile);
    printed -= to_files < printed ? to_files : printed;
    if ((double)printed * PASSING_NS >= OTHERS_TAKE * (double)cause->time_ns) {
        snprintf(text, room, "mpirun, if ranks there print: %s at most",
                 mwa_bytes_text(printed, bytes));
    }
}

void mwa_cause_bring(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                     size_t room)
{
    char count[MWA_UNITS_BYTES], time[MWA_UNITS_BYTES];

    if (cause->count == 0) {
        return;
    }
    mwa_count_text(cause->count, count);
    mwa_time_text(results->profile.ranks[cause->ranks[0]].useful_ns / cause->count, time);
    if (cause->peer == MWA_NONE) { /* a master may sleep between what its workers send, too */
        snprintf(text, room,
                 "where there is more at a time, send more with each of the %s messages that rank "
                 "%" PRIu32 " gets, for which it computes %s (chunksize in mpi4py.futures)",
                 count, cause->ranks[0], time);
    } else {
        snprintf(text, room,
                 "if it has the work, send more with each of the %s messages, for which rank "
                 "%" PRIu32 " computes %s (chunksize in mpi4py.futures)",
                 count, cause->ranks[0], time);
    }
}

void mwa_cause_idle(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                    size_t room)
{
    (void)results;
    if (cause->rank_count == 1) {
        snprintf(text, room, "if rank %" PRIu32 " only hands out work, its core is free",
                 cause->ranks[0]);
    }
}

void mwa_cause_writing(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                       size_t room)
{
    const struct mwa_rank_running *running = &results->profile.ranks[cause->ranks[0]].running;
    const uint64_t copied = running->written; /* at 1 ns a byte */
    char least[MWA_UNITS_BYTES], most[MWA_UNITS_BYTES];

    mwa_time_text(running->writing_ns > copied ? copied : running->writing_ns, least);
    mwa_time_text(running->writing_most_ns, most);
    if (strcmp(least, most) == 0) {
        snprintf(text, room, "about %s", most);
    } else if (running->is_text) {
        snprintf(text, room, "about %s as text (%s if copied)", most, least);
    } else {
        snprintf(text, room, "%s (copied) to %s (made text)", least, most);
    }
}

void mwa_cause_text(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                    size_t room)
{
    const struct mwa_rank_running *running = &results->profile.ranks[cause->ranks[0]].running;
    char copied[MWA_UNITS_BYTES];

    if (running->reading_ns > running->read) { /* at 1 ns a byte: most is taken for text */
        snprintf(text, room, "text (%s if copied)", mwa_time_text(running->read, copied));
    } else {
        snprintf(text, room, "copied");
    }
}

/* Of the host that rank 0 was on: jobs on hosts of several sorts are few. */
static uint64_t page_bytes(const struct mwa_trace *trace)
{
    const char *said = mwa_circumstance(trace, "page_bytes");
    const uint64_t bytes = said ? strtoull(said, NULL, 10) : 0;

    return bytes > 0 ? bytes : PAGE_BYTES;
}

void mwa_cause_kernel(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                      size_t room)
{
    const struct mwa_rank_running *running = &results->profile.ranks[cause->ranks[0]].running;

    if (cause->count == 0) {
        snprintf(text, room, "look at what system calls take it (strace -c -f, perf trace -s): "
                             "files that are opened, looked for or read in small pieces, locks; or "
                             "at page faults of huge pages (perf trace -F all)");
    } else if (cause->count >= AGAIN * running->resident / page_bytes(results->trace)) {
        snprintf(text, room, "allocate memory (and map files) once and use it again, or have "
                             "malloc keep what is freed (with glibc MALLOC_MMAP_MAX_=0 and "
                             "MALLOC_TRIM_THRESHOLD_=4294967296 in the environment): each page "
                             "that comes back takes a fault");
    } else {
        snprintf(text, room, "allocate less memory: each page of it takes a fault when it is used "
                             "for the first time");
    }
}

void mwa_cause_held(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                    size_t room)
{
    char time[MWA_UNITS_BYTES];

    (void)results;
    if (cause->held_ns > 0) {
        snprintf(text, room, "%s", mwa_time_text(cause->held_ns, time));
    }
}

void mwa_cause_blocking(const struct mwa_results *results, const struct mwa_cause *cause,
                        char *text, size_t room)
{
    (void)results;
    if (cause->held_ns > 0) {
        snprintf(text, room, "MPI_Probe, MPI_Recv or MPI_Wait");
    }
}

void mwa_cause_delays(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                      size_t room)
{
    char time[MWA_UNITS_BYTES];

    (void)results;
    if ((double)cause->up_to_ns < DELAYS * (double)cause->time_ns) {
        snprintf(text, room, "%s", mwa_time_text(cause->up_to_ns, time));
    }
}

/* What a rank does with files, and for how long. */
struct with_files {
    uint64_t (*ns)(const struct mwa_rank_running *running);
    const char *does, *where, *helps;
};

static uint64_t reading_ns(const struct mwa_rank_running *running)
{
    return running->reading_ns;
}

static const struct with_files writes = {
    mwa_writing_counts_ns, "writes", "to",
    "write less, numbers as they are in memory, or all ranks together"
};
static const struct with_files reads = {
    reading_ns, "reads", "from",
    "read numbers as they are in memory and not as text, or let each rank read its part"
};

/* For how long a rank does that more than ranks on average. */
static double more_ns(const struct mwa_profile *profile, const struct mwa_rank_row *row,
                      const struct with_files *what)
{
    double all = 0;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        all += (double)what->ns(&profile->ranks[i].running);
    }
    return (double)what->ns(&row->running) - all / (double)profile->rank_count;
}

/* What the first rank of a cause does with files, where it may be why it computes longer; null: it
 * isn't. */
static const struct with_files *longer_by(const struct mwa_results *results,
                                          const struct mwa_cause *cause)
{
    const struct mwa_rank_row *row = &results->profile.ranks[cause->ranks[0]];
    const double longer = (double)row->useful_ns * cause->excess / (1 + cause->excess);
    const double writing = more_ns(&results->profile, row, &writes);
    const double reading = more_ns(&results->profile, row, &reads);
    const double more = writing >= reading ? writing : reading;

    if (more <= 0 || more < WITH_FILES * longer) {
        return NULL;
    }
    return writing >= reading ? &writes : &reads;
}

void mwa_cause_wrote(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                     size_t room)
{
    const struct mwa_rank_row *row = &results->profile.ranks[cause->ranks[0]];
    const struct with_files *what = longer_by(results, cause);
    char bytes[MWA_UNITS_BYTES];

    if (what) {
        mwa_bytes_text(what == &writes ? row->running.written : row->running.read, bytes);
        snprintf(text, room, "rank %" PRIu32 " %s %s %s files meanwhile", row->rank, what->does,
                 bytes, what->where);
    }
}

void mwa_cause_with_files(const struct mwa_results *results, const struct mwa_cause *cause,
                          char *text, size_t room)
{
    const struct with_files *what = longer_by(results, cause);

    if (what) {
        snprintf(text, room, "%s", what->helps);
    }
}

void mwa_cause_where(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                     size_t room)
{
    const struct mwa_sampled_spot *spot;
    struct mwa_busy_function found;
    char name[NAME_BYTES], line[NAME_BYTES] = "";

    if (!mwa_busy_function_of(results, cause, &found)) {
        return;
    }
    spot = &results->trace->sampled.spots[found.spot];
    if (*spot->file && spot->line > 0) {
        const char *base = strrchr(spot->file, '/');

        snprintf(line, sizeof line, ", %.40s:%" PRIu32, base ? base + 1 : spot->file, spot->line);
    }
    mwa_sampled_name(&results->trace->sampled, spot->function, name, sizeof name);
    if (found.share >= NEARLY_ALL) {
        snprintf(text, room, "%s%s (nearly all of it)", name, line);
    } else {
        snprintf(text, room, "%s%s (%.0f%% +-%.0f%% of it)", name, line, 100 * found.share,
                 100 * found.error);
    }
}

void mwa_cause_sampled(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                       size_t room)
{
    const double error_ns = (double)cause->time_ns / sqrt((double)cause->count);
    char time[MWA_UNITS_BYTES], error[MWA_UNITS_BYTES];

    (void)results;
    if (cause->rule == MWA_RULE_CREW) {
        const uint64_t idle = (uint64_t)(cause->share * (double)cause->count);

        snprintf(text, room, "%.0f%% +-%.0f%%", 100 * cause->share,
                 100 * mwa_sampled_error(idle, cause->count));
        return;
    }
    snprintf(text, room, "%s %s +-%s", cause->rank_count == 1 ? "spends" : "spend up to",
             mwa_time_text(cause->time_ns, time), mwa_time_text((uint64_t)error_ns, error));
}

void mwa_cause_others(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                      size_t room)
{
    if (results->cores.others >= MWA_CORES_OTHERS_MATTER) {
        snprintf(text, room, "look at what else runs there");
    }
}
