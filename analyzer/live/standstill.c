/*
 * What a process computes outside of MPI is its processor time less that of its threads in MPI,
 * where an MPI that waits may use a whole core or none: of the main thread it is known which, of
 * others that call MPI it is taken for a whole one. What further threads use is outside. It adds up
 * over the standstill: a rank among many on a core is given little of it at a time.
 */
#include "analyzer/live/standstill.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND 1000000000u
#define POLL_OUTSIDE_NS 100000u /* of the processor, between two polls: less is no computing */
#define TICK_NS 10000000u       /* the kernel's account is not to the ns: two ticks … */
#define SHARE 50u               /* … and this part of the time are none */

struct mwa_standstill_process {
    uint64_t cpu;     /* ns */
    uint64_t main;    /* ns of it of the main thread */
    uint64_t exact;   /* the same, as near as it is known */
    uint64_t files;   /* bytes read and written */
    uint64_t outside; /* ns of the processor, since something has moved … */
    uint64_t time;    /* … ns ago */
};

struct mwa_standstill_thread {
    uint64_t time;
    uint64_t inside;
    uint64_t calls;
    uint64_t done;
    uint64_t lost;
};

struct doing {
    uint64_t cpu;
    uint64_t main;
    uint64_t exact;
    uint64_t files;
    char state; /* of the main thread, as proc_pid_stat(5) has it; 0: not known */
};

static bool read_text(int directory, const char *name, char *text, size_t size)
{
    int file = directory < 0 ? -1 : openat(directory, name, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, size - 1);

    if (file >= 0) {
        close(file);
    }
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* Processor time by proc_pid_stat(5), ns; 0: not known. *state: of the thread, likewise. */
static uint64_t cpu_of(int directory, const char *name, char *state)
{
    char text[1024];
    uint64_t user;
    uint64_t system;
    const char *rest = read_text(directory, name, text, sizeof text) ? strrchr(text, ')') : NULL;

    if (!rest || sscanf(rest, ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64,
                        state, &user, &system) != 3) {
        *state = '\0';
        return 0;
    }
    return (user + system) * (SECOND / (uint64_t)sysconf(_SC_CLK_TCK));
}

static struct doing look_at(const struct mwa_live_process *process)
{
    struct doing doing = {0};
    char name[64];
    char text[1024];
    uint64_t in;
    uint64_t out;

    snprintf(name, sizeof name, "task/%" PRIu32 "/stat", process->spool->pid);
    doing.cpu = cpu_of(process->proc, "stat", &doing.state);
    doing.main = cpu_of(process->proc, name, &doing.state);
    snprintf(name, sizeof name, "task/%" PRIu32 "/schedstat", process->spool->pid);
    if (!read_text(process->proc, name, text, sizeof text) ||
        sscanf(text, "%" SCNu64, &doing.exact) != 1) {
        doing.exact = doing.main;
    }
    if (read_text(process->proc, "io", text, sizeof text) &&
        sscanf(text, "rchar: %" SCNu64 " wchar: %" SCNu64, &in, &out) == 2) {
        doing.files = in + out;
    }
    return doing;
}

static struct mwa_standstill_thread state_of(const struct mwa_live_thread *thread)
{
    const struct mwa_live_look *look =
        &thread->looks[(thread->look_count - 1) % MWA_LIVE_LOOKS];

    return thread->look_count == 0 ? (struct mwa_standstill_thread){0}
                                   : (struct mwa_standstill_thread){
                                         .time = look->time,
                                         .inside = look->inside,
                                         .calls = look->calls,
                                         .done = thread->moment.counts.done,
                                         .lost = thread->moment.lost,
                                     };
}

static uint64_t since(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

/* What a thread did since the last look. */
struct step {
    uint64_t time;   /* ns */
    uint64_t inside; /* ns of it in MPI */
    uint64_t calls;
    bool is_idle; /* it has made no call, and is outside of MPI or in what reads and writes files */
    bool moved;   /* something is complete, or nobody knows */
};

static struct step step_of(const struct mwa_live *live, const struct mwa_live_thread *thread,
                           struct mwa_standstill_thread *before)
{
    const struct mwa_standstill_thread now = state_of(thread);
    const struct mwa_live_process *process = &live->processes[thread->process];
    const unsigned call = thread->moment.is_inside
                              ? mwa_live_process_call(process, thread->moment.last.call)
                              : (unsigned)MW_CALL_COUNT;
    struct step step = {
        .time = since(now.time, before->time),
        .inside = since(now.inside, before->inside),
        .calls = since(now.calls, before->calls),
        .moved = thread->moment.is_behind || !thread->moment.is_counted ||
                 now.done != before->done || now.lost != before->lost,
    };

    step.inside = step.inside > step.time ? step.time : step.inside;
    step.is_idle = step.calls == 0 &&
                   (!thread->moment.is_inside ||
                    (call < MW_CALL_COUNT && mw_call_group(call) == MW_GROUP_IO));
    *before = now;
    return step;
}

/* ns of the processor outside of MPI, of a thread that had cpu in all. */
static uint64_t computed(uint64_t cpu, const struct step *step)
{
    const uint64_t outside = since(cpu, step->inside);

    return step->inside + step->time / SHARE >= step->time ||
                   (step->calls > 0 && outside / step->calls < POLL_OUTSIDE_NS)
               ? 0
               : outside;
}

/* Adds what the process computed outside of MPI since the last look: its main thread, by itself,
 * and the others, which were in MPI for so many ns. On a busy machine few polls may come between
 * two looks, and a tick would be much for each: of the main thread the time is taken to the ns.
 * \return whether it counts. */
static bool has_computed(struct mwa_standstill_process *process, const struct doing *doing,
                         const struct step *main, uint64_t others)
{
    const uint64_t all = since(doing->cpu, process->cpu);
    const uint64_t of_main = since(doing->main, process->main);
    const uint64_t exact = since(doing->exact, process->exact);

    process->outside += computed(exact, main) + since(since(all, of_main), others + TICK_NS);
    process->time += main->time;
    return process->outside > 2 * TICK_NS + process->time / SHARE;
}

/* Whether it has got on. The process's threads are those from first up to end. */
static bool has_moved(struct mwa_standstill *still, const struct mwa_live *live, uint32_t index,
                      uint32_t first, uint32_t end)
{
    struct mwa_standstill_process *process = &still->processes[index];
    const struct doing doing = look_at(&live->processes[index]);
    struct step main = {0};
    uint64_t others = 0;
    bool is_idle = false;
    bool moved = false;

    for (uint32_t i = first; i < end; i++) {
        const struct step step = step_of(live, &live->threads[i], &still->threads[i]);

        moved |= step.moved;
        is_idle |= step.is_idle;
        if (live->threads[i].thread == 0) {
            main = step;
        } else {
            others += computed(step.time, &step) == 0 ? step.time : step.inside;
        }
    }
    moved |= has_computed(process, &doing, &main, others);
    moved |= is_idle && (doing.files != process->files || doing.state == 'D');
    still->is_stopped |= doing.state == 'T' || doing.state == 't';
    process->cpu = doing.cpu;
    process->main = doing.main;
    process->exact = doing.exact;
    process->files = doing.files;
    return moved;
}

/* Room for what there is now; *is_new: there was other before. */
static enum mw_status make_room(struct mwa_standstill *still, const struct mwa_live *live,
                                bool *is_new)
{
    *is_new = still->process_count != live->process_count ||
              still->thread_count != live->thread_count || !still->processes;
    if (!*is_new) {
        return MW_OK;
    }
    mwa_standstill_fini(still);
    still->processes = calloc(live->process_count + (size_t)1, sizeof *still->processes);
    still->threads = calloc(live->thread_count + (size_t)1, sizeof *still->threads);
    still->process_count = live->process_count;
    still->thread_count = live->thread_count;
    return still->processes && still->threads ? MW_OK : MW_ERROR_MEMORY;
}

enum mw_status mwa_standstill_look(struct mwa_standstill *still, const struct mwa_live *live,
                                   enum mwa_standstill_change *change)
{
    uint32_t first = 0;
    bool moved = false;
    enum mw_status status = make_room(still, live, &moved);

    still->is_stopped = false;
    for (uint32_t i = 0; status == MW_OK && i < live->process_count; i++) {
        uint32_t end = first;

        while (end < live->thread_count && live->threads[end].process == i) {
            end++;
        }
        if (live->processes[i].state == MW_RUN_RUNNING) {
            moved |= has_moved(still, live, i, first, end);
        }
        first = end;
    }
    for (uint32_t i = 0; moved && i < still->process_count; i++) {
        still->processes[i].outside = 0;
        still->processes[i].time = 0;
    }
    *change = moved ? MWA_STANDSTILL_MOVED : MWA_STANDSTILL_NONE;
    return status;
}

void mwa_standstill_fini(struct mwa_standstill *still)
{
    free(still->processes);
    free(still->threads);
    *still = (struct mwa_standstill){0};
}
