/*
 * What is cheapest is asked first: the CPU time and what was written at each look, and files only
 * for what is told.
 */
#include "recorder/state/running.h"

#include <errno.h>

#include "formats/table/calls.h"
#include "recorder/recorder.h"
#include "recorder/variables/pvars.h"

#define SHARE_MIN     50u         /* less than 1/50 of a stretch … */
#define TIME_ENOUGH   100000u     /* … is told from so many ns on */
#define CROWDED_NS    50000000u   /* after time was missing, single pieces are looked at so long */
#define SINGLE_MAX    200000000u  /* ns of them that count in full */
#define DROPPED_MAX   400000u     /* ns that the time without a core may be wrong by */
#define SAMPLE_COST   20000000u   /* ns between samples, for 40 bytes each … */
#define CREDIT_MAX    2000000000u /* … which may be saved up so long */
#define MEMORY_NS     1000000000u
#define MEMORY_SHARE  50u         /* a change of 1/50 is told … */
#define MEMORY_ENOUGH (1u << 20)  /* … or of so many bytes, whichever is more */
#define MPI_SHARE     10u         /* of a stretch 1/10 at most is in MPI: it is outside */
#define PLACE_WAIT    200000000u  /* ns that what is outside waits to be told where it is */
#define ONE_OF        4u          /* places that come in question … */
#define DRAWN_BY      1024u       /* … is drawn by such units of the clock, in ns */

enum { OUTSIDE, INSIDE };

/* Written before recording begins: the number of the metric, UINT32_MAX: none, and how many values
 * it has. */
static uint32_t metric_number = UINT32_MAX;
static uint8_t value_count = MW_RUNNING_VALUES;

/* CPU time of the process's other threads, those that have ended among them; never less than it
 * was. Threads other than the main one have nothing to say of it. */
static uint64_t others_time(const struct mwr_running *running)
{
    uint64_t own;
    uint64_t all;

    if (mwr_thread.stream->thread != 0) {
        return running->others;
    }
    /* First, or some of it would be missing from that of the others. */
    own = mwr_kernel_thread_ns();
    all = mwr_kernel_process_ns();
    return all > own && all - own > running->others ? all - own : running->others;
}

/* --- samples -------------------------------------------------------------------------- */

/* Of what is to be told and may have been sleep, how much was without a core. */
static uint64_t open_delay(struct mwr_running *running, uint64_t open)
{
    const uint64_t sure = running->sure[OUTSIDE] + running->sure[INSIDE];
    uint64_t delay;
    uint64_t gone;

    if (open == 0) {
        running->delay += sure;
        return 0;
    }
    delay = mwr_kernel_delay_ns(running->delay);
    gone = delay > running->delay ? delay - running->delay : 0;
    running->delay = delay;
    running->dropped = 0;
    gone = gone > sure ? gone - sure : 0;
    return gone < open ? gone : open;
}

/* The share of part in gone, when all of it is whole. */
static uint64_t share(uint64_t gone, uint64_t part, uint64_t whole)
{
    return whole > 0 ? (uint64_t)((double)gone * (double)part / (double)whole) : 0;
}

/* Those that time in the kernel may be by wait for it. */
static uint64_t faults_to_tell(const struct mwr_running *running)
{
    return mwr_kernel_time_waits(&running->kernel)
               ? 0
               : running->seen.minor_faults - running->told.minor_faults;
}

static void fill(struct mwr_running *running, uint64_t now, struct mw_metric_member *member)
{
    const uint64_t others = others_time(running);
    const uint64_t kernel = mwr_kernel_time_take(&running->kernel);
    uint64_t open[2];
    uint64_t gone;
    uint64_t outside;

    for (unsigned i = OUTSIDE; i <= INSIDE; i++) {
        open[i] = running->off[i] - running->sure[i];
    }
    gone = open_delay(running, open[OUTSIDE] + open[INSIDE]);
    outside = share(gone, open[OUTSIDE], open[OUTSIDE] + open[INSIDE]);
    member->metric = metric_number;
    member->flags = 0;
    member->type = MW_METRIC_UINT64;
    member->form = MW_METRIC_RUNNING;
    member->count = value_count;
    member->values[MW_RUNNING_STRETCH] = running->since > 0 ? now - running->since : 0;
    member->values[MW_RUNNING_OUTSIDE] = running->off[OUTSIDE];
    member->values[MW_RUNNING_OUTSIDE_NO_CORE] = running->sure[OUTSIDE] + outside;
    member->values[MW_RUNNING_INSIDE] = running->off[INSIDE];
    member->values[MW_RUNNING_INSIDE_NO_CORE] = running->sure[INSIDE] + gone - outside;
    member->values[MW_RUNNING_VOLUNTARY] = running->seen.voluntary - running->told.voluntary;
    member->values[MW_RUNNING_INVOLUNTARY] = running->seen.involuntary -
                                             running->told.involuntary;
    member->values[MW_RUNNING_MINOR_FAULTS] = faults_to_tell(running);
    member->values[MW_RUNNING_MAJOR_FAULTS] = running->seen.major_faults -
                                              running->told.major_faults;
    member->values[MW_RUNNING_RESIDENT] = running->resident;
    member->values[MW_RUNNING_THREADS] = others - running->others;
    member->values[MW_RUNNING_WRITTEN] = running->written;
    member->values[MW_RUNNING_WRITING] = running->writing;
    member->values[MW_RUNNING_CHARS] = running->io_seen.chars - running->io_told.chars;
    member->values[MW_RUNNING_WRITES] = running->io_seen.writes - running->io_told.writes;
    if (value_count > MW_RUNNING_SYSTEM) {
        member->values[MW_RUNNING_SYSTEM] = kernel;
    }
    if (value_count > MW_RUNNING_READ) {
        member->values[MW_RUNNING_READ] = running->reads.bytes;
        member->values[MW_RUNNING_READING] = running->reads.ns;
    }
    running->others = others;
}

/* Writes a sample into the record that is open. */
static void write_sample(struct mwr_running *running, struct mw_spool *spool, uint64_t now)
{
    struct mw_metric_member *member = mw_spool_member(
        spool, MW_MEMBER_METRIC, sizeof *member + value_count * sizeof member->values[0],
        MW_COMM_NONE);
    uint64_t faults;

    if (!member) {
        return;
    }
    fill(running, now, member);
    mw_spool_commit(member);
    faults = running->told.minor_faults + faults_to_tell(running);
    running->told = running->seen;
    running->told.minor_faults = faults;
    running->told_resident = running->resident;
    running->since = 0;
    running->written = running->writing = 0;
    running->reads.bytes = running->reads.ns = 0;
    running->io_told = running->io_seen;
    running->off[OUTSIDE] = running->off[INSIDE] = 0;
    running->sure[OUTSIDE] = running->sure[INSIDE] = 0;
}

/* Between calls. */
static void write_between(struct mwr_running *running, struct mwr_stream *stream, uint64_t now)
{
    struct mw_call_record *record =
        mw_spool_begin_mark(&stream->spool, MW_RECORD_SAMPLE, MW_CALL_MPI_Pcontrol, now);

    if (record) {
        write_sample(running, &stream->spool, now);
        mw_spool_end(&stream->spool, record, now);
    }
}

/* Whether there may be a sample at now; then its share of the time is used. */
static bool take_credit(struct mwr_running *running, uint64_t now)
{
    if (running->paid + CREDIT_MAX < now) {
        running->paid = now - CREDIT_MAX;
    }
    if (running->paid + SAMPLE_COST > now) {
        return false;
    }
    running->paid += SAMPLE_COST;
    return true;
}

/* --- looks ---------------------------------------------------------------------------- */

/* What is too little to be told; where that adds up, the time without a core is read anew. */
static void drop(struct mwr_running *running, uint64_t off)
{
    const uint64_t sure = running->sure[OUTSIDE] + running->sure[INSIDE];
    uint64_t delay;

    running->dropped += off;
    if (running->dropped > DROPPED_MAX) {
        delay = mwr_kernel_delay_ns(running->delay);
        running->delay = delay > sure ? delay - sure : 0; /* which the next sample adds */
        running->dropped = 0;
    }
}

/* A piece that was looked at by itself; old ones count less and less. */
static void note_single(struct mwr_running *running, unsigned where, uint64_t piece, uint64_t off)
{
    if (running->single[where] > SINGLE_MAX) {
        running->single[where] /= 2;
        running->single_off[where] /= 2;
    }
    running->single[where] += piece;
    running->single_off[where] += off;
}

static uint64_t at_most(uint64_t value, uint64_t limit)
{
    return value < limit ? value : limit;
}

/*
 * Of off, how much was outside of calls, in a stretch with so much time outside and inside: as in
 * pieces that were looked at by themselves, or else in equal shares, as far as that is possible.
 */
static uint64_t share_out(const struct mwr_running *running, uint64_t off,
                          const uint64_t length[2])
{
    const uint64_t least = off - at_most(off, length[INSIDE]);
    uint64_t outside;

    if (running->single[OUTSIDE] > 0) {
        outside = share(length[OUTSIDE], running->single_off[OUTSIDE], running->single[OUTSIDE]);
    } else if (running->single[INSIDE] > 0) {
        outside = off - at_most(off, share(length[INSIDE], running->single_off[INSIDE],
                                           running->single[INSIDE]));
    } else {
        outside = share(off, length[OUTSIDE], length[OUTSIDE] + length[INSIDE]);
    }
    outside = outside > least ? outside : least;
    return at_most(outside, at_most(length[OUTSIDE], off));
}

/*
 * Adds off, of a stretch whose last piece is inside of a call, or not. A look comes at the first
 * end of a call after MW_RUNNING_LOOK_NS: a thread that slept or was without a core for long was
 * so in the last piece, as far as the time fits into it. A short one of a thread that did not sleep
 * is like all others.
 */
static void add(struct mwr_running *running, uint64_t off, uint64_t stretch, uint64_t piece,
                unsigned where, bool is_sure)
{
    const bool is_short = is_sure && piece < stretch / 2;
    const uint64_t last = is_short ? 0 : at_most(off, piece);
    uint64_t length[2];
    uint64_t part[2];

    length[INSIDE] = at_most(running->inside + (where == INSIDE ? piece : 0), stretch);
    length[OUTSIDE] = stretch - length[INSIDE];
    length[where] -= is_short ? 0 : at_most(piece, length[where]);
    part[OUTSIDE] = share_out(running, off - last, length);
    part[INSIDE] = off - last - part[OUTSIDE];
    part[where] += last;
    for (unsigned i = OUTSIDE; i <= INSIDE; i++) {
        running->off[i] += part[i];
        running->sure[i] += is_sure ? part[i] : 0;
    }
}

/*
 * Whether what is to be told outside of calls may be told as of the last piece, since that has most
 * of off, of the last look: which of several such places is left to chance, or one that comes first
 * after each sample would stand for all. Of what may be sleep only who slept tells.
 */
static bool is_placed(const struct mwr_running *running, uint64_t now, uint64_t off,
                      uint64_t elsewhere, bool is_sure)
{
    const bool is_own = off / 2 >= elsewhere;
    const bool is_alike = !is_sure || running->off[OUTSIDE] == running->sure[OUTSIDE];

    return is_own && is_alike &&
           (running->since == running->looked || now / DRAWN_BY % ONE_OF == 0);
}

/* The kernel's counts of switches matter only where so much of a stretch is missing. */
static bool is_worth_telling(uint64_t off, uint64_t stretch)
{
    return off >= TIME_ENOUGH || off >= stretch / SHARE_MIN;
}

/* What the thread's spool has grown by since the last look, in whole pages: that is in what was
 * written, if its file is on a disk. In a ring that has gone on elsewhere it may be all of that. */
static uint64_t spooled(struct mwr_running *running)
{
    const uint64_t from = running->spooled;
    const uint64_t end = mwr_thread.stream->spool.written;

    running->spooled = end;
    return end == from ? 0 : end > from ? end - from + 2 * mwr_kernel_page_bytes() : UINT64_MAX;
}

uint64_t mwr_running_outside(const struct mwr_running *running, uint64_t now, uint64_t inside)
{
    const bool has_looked = running->due > 0 && now > running->looked;
    const uint64_t stretch = has_looked ? now - running->looked : 0;

    return stretch - at_most(running->inside + inside, stretch);
}

/* In a stretch it was so for the last piece at least, if that is outside. */
static uint64_t outside_of(const struct mwr_running *running, uint64_t now, uint64_t piece,
                           unsigned where)
{
    const uint64_t outside = mwr_running_outside(running, now, where == INSIDE ? piece : 0);

    return where == OUTSIDE && outside < piece ? piece : outside;
}

/* What was written since the last look, of which the thread was outside of calls for so long. */
static void note_written(struct mwr_running *running, uint64_t blocks, uint64_t outside)
{
    const uint64_t all = blocks > running->blocks ? (blocks - running->blocks) * 512 : 0;
    const uint64_t own = spooled(running);
    const uint64_t bytes = all > own ? all - own : 0;

    running->blocks = blocks;
    running->written += bytes;
    running->writing += at_most(bytes * MW_WRITING_NS, outside);
}

/* The same of the time in the kernel: it is told where nearly all of the stretch was outside, with
 * the faults up to then, by which it may be. */
static void note_system(struct mwr_running *running, const struct mwr_kernel_counts *seen,
                        uint64_t outside, uint64_t stretch)
{
    mwr_kernel_time_see(&running->kernel, mwr_kernel_system_ns(),
                        outside >= stretch - stretch / MPI_SHARE);
    running->seen.minor_faults = seen->minor_faults;
    running->seen.major_faults = seen->major_faults;
}

/* The last piece of the stretch before now began at begin. */
static void look(struct mwr_running *running, uint64_t now, uint64_t begin, unsigned where)
{
    const uint64_t from = running->looked;
    /* Before the CPU time: who asks for that loses the core there if its share is used up, as
     * Linux 6.18 finds then. What goes by until it is back is told by the next look, and so has to
     * be the switch. */
    const struct mwr_kernel_counts seen = mwr_kernel_counts();
    const uint64_t cpu = mwr_kernel_thread_ns();
    const uint64_t stretch = now > from ? now - from : 0;
    const uint64_t ran = cpu - running->cpu;
    const uint64_t off = stretch > ran ? stretch - ran : 0;
    const uint64_t piece = now > begin ? at_most(now - begin, stretch) : 0;
    const bool is_single = stretch > 0 && piece == stretch;
    const uint64_t outside = outside_of(running, now, piece, where);
    uint64_t asks;

    running->cpu = cpu;
    running->is_placed = false;
    note_written(running, seen.blocks, outside);
    note_system(running, &seen, outside, stretch);
    asks = mwr_thread_reads_look(&running->reads, now, stretch - outside);
    if (is_single && stretch < MW_RUNNING_LOOK_NS / 2) {
        note_single(running, where, stretch, off);
    }
    if (!is_worth_telling(off, stretch)) {
        drop(running, off);
    } else if (seen.voluntary + seen.involuntary !=
               running->seen.voluntary + running->seen.involuntary) {
        /* Else it was interrupts, or the hypervisor: the thread was on its core. */
        const bool is_sure = seen.voluntary == running->seen.voluntary;

        add(running, off, stretch, piece, where, is_sure);
        running->seen = seen;
        running->since = running->since > 0 ? running->since : from;
        running->crowded = now + CROWDED_NS;
        running->is_placed = where == OUTSIDE &&
                             is_placed(running, now, off, stretch - piece, is_sure);
    }
    running->looked = now;
    running->inside = 0;
    running->due = !is_single && now < running->crowded ? now
                                                        : at_most(asks, now + MW_RUNNING_LOOK_NS);
}

/* Once a second, by the main thread for the process. */
static bool has_new_memory(struct mwr_running *running, uint64_t now)
{
    const uint64_t told = running->told_resident;
    const uint64_t enough = told / MEMORY_SHARE > MEMORY_ENOUGH ? told / MEMORY_SHARE
                                                                : MEMORY_ENOUGH;

    if (now < running->memory_due || mwr_thread.stream->thread != 0) {
        return false;
    }
    running->memory_due = now + MEMORY_NS;
    running->resident = mwr_kernel_resident();
    mwr_kernel_io(&running->io_seen);
    return running->resident > told + enough || running->resident + enough < told;
}

/* Whether there is something to tell, and not only at the end. */
static bool has_news(struct mwr_running *running, uint64_t now)
{
    return has_new_memory(running, now) || running->since > 0 || running->writing > 0 ||
           mwr_kernel_time_is_told(&running->kernel) || running->reads.ns >= TIME_ENOUGH;
}

/* Between calls what was outside of them is told as of the last piece … */
static bool has_placed_news(struct mwr_running *running, uint64_t now)
{
    return (running->is_placed || running->off[OUTSIDE] == 0) && has_news(running, now);
}

/* … and in a call as of none, if little of it was, or after some time. */
static bool has_other_news(struct mwr_running *running, uint64_t now)
{
    return (running->off[OUTSIDE] <= running->off[INSIDE] ||
            now - running->since >= PLACE_WAIT) &&
           has_news(running, now);
}

/* What was counted since the last look happened while nothing was recorded. */
static void pass_over(struct mwr_running *running, struct mwr_kernel_counts now)
{
    const struct mwr_kernel_counts *seen = &running->seen;
    const struct mwr_kernel_io io = running->io_seen;

    running->told.voluntary += now.voluntary - seen->voluntary;
    running->told.involuntary += now.involuntary - seen->involuntary;
    running->told.minor_faults += now.minor_faults - seen->minor_faults;
    running->told.major_faults += now.major_faults - seen->major_faults;
    running->seen = now;
    running->blocks = now.blocks;
    running->spooled = mwr_thread.stream->spool.written;
    if (mwr_thread.stream->thread == 0) {
        mwr_kernel_io(&running->io_seen);
        running->io_told.chars += running->io_seen.chars - io.chars;
        running->io_told.writes += running->io_seen.writes - io.writes;
    }
}

/* The first look: true if this is it. */
static bool is_first(struct mwr_running *running, uint64_t now)
{
    if (running->due > 0) {
        return false;
    }
    running->due = now + MW_RUNNING_LOOK_NS;
    running->looked = running->left = now;
    running->cpu = mwr_kernel_thread_ns();
    running->others = others_time(running);
    running->delay = mwr_kernel_delay_ns(running->delay);
    running->dropped = running->inside = 0;
    mwr_thread_reads_begin(&running->reads, now);
    mwr_kernel_time_begin(&running->kernel, mwr_kernel_system_ns(),
                          value_count > MW_RUNNING_SYSTEM ? mwr_kernel_tick_ns() : 0);
    pass_over(running, mwr_kernel_counts());
    return true;
}

uint64_t mwr_running_enter(struct mwr_stream *stream, uint64_t now)
{
    struct mwr_running *running = &mwr_thread.running;
    const int error = errno;
    uint64_t later;

    if (!is_first(running, now)) {
        look(running, now, running->left, OUTSIDE);
        if (has_placed_news(running, now) && take_credit(running, now)) {
            write_between(running, stream, now);
        }
    }
    errno = error;
    later = mwr_clock();
    return later - now < TIME_ENOUGH ? now : later;
}

void mwr_running_leave(struct mwr_call *call, uint64_t now)
{
    struct mwr_running *running = &mwr_thread.running;
    const int error = errno;

    if (!is_first(running, now)) {
        look(running, now, call->record->enter, INSIDE);
        if (has_other_news(running, now) && take_credit(running, now)) {
            write_sample(running, &call->stream->spool, now);
        }
    }
    errno = error;
}

/* Whether looks are made. */
static bool has_begun(const struct mwr_running *running)
{
    return running->due > 0 && running->due < UINT64_MAX;
}

void mwr_running_note_written(const struct mwr_call *call)
{
    struct mwr_running *running = &mwr_thread.running;

    if (call->record && has_begun(running)) {
        const uint64_t enter = call->record->enter;

        note_written(running, mwr_kernel_counts().blocks,
                     enter > running->left ? enter - running->left : 0);
    }
}

void mwr_running_pass_written(void)
{
    struct mwr_running *running = &mwr_thread.running;

    if (has_begun(running)) {
        running->blocks = mwr_kernel_counts().blocks;
        running->reads.has_files = true;
        (void)spooled(running);
    }
}

/* --- begin and end -------------------------------------------------------------------- */

void mwr_running_begin(struct mwr_running *running)
{
    running->due = metric_number == UINT32_MAX ? UINT64_MAX : 0;
}

static void count_rest(struct mwr_running *running)
{
    running->seen = mwr_kernel_counts();
    mwr_kernel_time_end(&running->kernel);
    if (mwr_thread.stream->thread == 0) {
        running->resident = mwr_kernel_resident();
        mwr_kernel_io(&running->io_seen);
    }
}

void mwr_running_finish_in(struct mwr_call *call)
{
    struct mwr_running *running = &mwr_thread.running;

    if (call->record && has_begun(running)) {
        count_rest(running);
        write_sample(running, &call->stream->spool, mwr_clock());
        running->due = UINT64_MAX;
    }
}

void mwr_running_finish(struct mwr_stream *stream)
{
    struct mwr_running *running = &mwr_thread.running;
    const uint64_t now = mwr_clock();

    if (has_begun(running)) {
        look(running, now, running->left, OUTSIDE);
        count_rest(running);
        write_between(running, stream, now);
        running->due = UINT64_MAX;
    }
}

/* Where it is not known how long threads are in the kernel, samples end before that, or else before
 * what they read, where that is not known. */
static uint8_t known_values(void)
{
    struct mwr_kernel_reads reads;

    return !mwr_kernel_tells_system() ? MW_RUNNING_SYSTEM
           : mwr_kernel_reads(&reads) ? MW_RUNNING_VALUES
                                      : MW_RUNNING_READ;
}

void mwr_running_start(void)
{
    const uint8_t count = known_values();
    const struct mw_define_metric metric = {
        .name = MW_RUNNING_METRIC,
        .declared = MW_CLASS_GENERIC,
        .effective = MW_CLASS_GENERIC,
        .type = MW_METRIC_UINT64,
        .bits = 64,
        .bind = "THREAD",
        .verbosity = 1,
        .form = MW_METRIC_RUNNING,
        .count = count,
        .elements = count,
        .unit = "ns",
        .description = "of the stretch that ends here: when the thread was on no core",
        .items = "",
    };

    value_count = count;
    metric_number = mwr_recorder.settings.cpu ? mwr_metric_define_own(&metric) : UINT32_MAX;
}
