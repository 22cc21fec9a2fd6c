/* A sample is of the stretch before it, which may end in a call that is not entered yet. */
#include "analyzer/analysis/time/off_core.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"
#include "formats/table/calls.h"

#define FAULT_NS 10000u    /* a page fault takes no longer: they may be what a sample is about */
#define MIXED 10 /* of what is off core at least 1/10 is sleep, and 1/10 lack of cores */
#define PARTS_OF_NS 1024 /* that no_core counts: sums of them are the same in any order */

static bool make_calls(struct mwa_off_core *off, const struct mwa_trace *trace)
{
    const size_t count = trace->mpi_region_count + (size_t)1;

    if (!off->spent.in) {
        off->spent.in = calloc(count, sizeof *off->spent.in);
    }
    if (!off->no_core) {
        off->no_core = calloc(count, sizeof *off->no_core);
    }
    return off->spent.in && off->no_core;
}

static bool make_before(struct mwa_off_core *off, const struct mwa_trace *trace)
{
    if (!off->before) {
        off->before = calloc(trace->site_count + 1, sizeof *off->before);
    }
    return off->before != NULL;
}

enum mw_status mwa_off_core_leave(struct mwa_off_core *off, const struct mwa_trace *trace,
                                  const struct mwa_call *call)
{
    const uint64_t since = call->leave > off->sampled ? call->leave - off->sampled : 0;
    const uint64_t spent = call->exclusive < since ? call->exclusive : since;

    if (!make_calls(off, trace)) {
        return MW_ERROR_MEMORY;
    }
    off->left = call->leave;
    off->is_sampled = false;
    off->spent.in[call->region->mpi_index] += spent;
    off->spent.in_all += spent;
    return MW_OK;
}

/* What a sample tells of the inside of calls. */
static struct mwa_off_core_sample sample_of(const struct mwa_off_core *off,
                                            const struct mwa_moment *moment)
{
    const uint64_t *values = moment->event->of.metric.values;
    const bool is_inside = moment->mpi && moment->mpi->mpi_index != MWA_NONE;
    const uint64_t entered = is_inside && moment->mpi_enter > off->sampled ? moment->mpi_enter
                                                                           : off->sampled;

    return (struct mwa_off_core_sample){
        .stretch = values[MW_RUNNING_STRETCH],
        .no_core = values[MW_RUNNING_INSIDE_NO_CORE],
        .mpi_index = is_inside ? moment->mpi->mpi_index : MWA_NONE,
        .open = is_inside ? mwa_trace_ns(moment->trace, moment->event->time - entered) : 0
    };
}

static void add(struct mwa_off_core *off, uint32_t mpi_index, double no_core)
{
    off->no_core[mpi_index] += (uint64_t)(no_core * PARTS_OF_NS + 0.5);
}

/* Shares a sample out, between the call in which it lies and those that have ended. */
static void share_out(struct mwa_off_core *off, const struct mwa_trace *trace,
                      const struct mwa_off_core_sample *sample,
                      const struct mwa_off_core_spent *spent)
{
    const double stretch = (double)sample->stretch;
    const double open = (double)sample->open;
    const double here = open < stretch ? open : stretch;
    const double ended = (double)mwa_trace_ns(trace, spent->in_all);
    const double rest = ended < stretch - here ? ended : stretch - here;
    const double each = here + rest > 0 ? (double)sample->no_core / (here + rest) : 0;

    if (sample->mpi_index != MWA_NONE) {
        add(off, sample->mpi_index, each * here);
    }
    for (uint32_t i = 0; i < trace->mpi_region_count && spent->in_all > 0; i++) {
        add(off, i, each * rest * (double)spent->in[i] / (double)spent->in_all);
    }
}

/* Takes what a sample tells of the inside of calls: the first one's has to wait. */
static enum mw_status take_inside(struct mwa_off_core *off, const struct mwa_moment *moment)
{
    const struct mwa_trace *trace = moment->trace;
    const struct mwa_off_core_sample sample = sample_of(off, moment);

    if (off->before_first.in) {
        share_out(off, trace, &sample, &off->spent);
        memset(off->spent.in, 0, trace->mpi_region_count * sizeof *off->spent.in);
        off->spent.in_all = 0;
    } else {
        off->first = sample;
        off->before_first = off->spent;
        off->spent = (struct mwa_off_core_spent){ 0 };
        if (!make_calls(off, trace)) {
            return MW_ERROR_MEMORY;
        }
    }
    off->sampled = moment->event->time;
    return MW_OK;
}

uint64_t mwa_off_core_in(const struct mwa_off_core *off, uint32_t mpi_index)
{
    return off->no_core ? off->no_core[mpi_index] / PARTS_OF_NS : 0;
}

static void add_sums(struct mwa_off_core_sums *to, const struct mwa_off_core_sums *add)
{
    for (unsigned i = 0; i < MW_RUNNING_VALUES; i++) {
        if (i != MW_RUNNING_RESIDENT) {
            to->values[i] += add->values[i];
        } else if (add->values[i] > to->values[i]) {
            to->values[i] = add->values[i];
        }
    }
    to->faulting_ns += add->faulting_ns;
    to->is_told |= add->is_told;
    to->tells_threads |= add->tells_threads;
    to->tells_written |= add->tells_written;
    to->tells_system |= add->tells_system;
    to->tells_read |= add->tells_read;
}

/* Whether a sample at time has nothing before the call that was left last to tell of, but for less
 * than there is between looks. */
static bool is_of_one_piece(const struct mwa_trace *trace, uint64_t left, uint64_t time,
                            uint64_t stretch)
{
    return left == 0 || mwa_trace_ns(trace, time - left) + MW_RUNNING_LOOK_NS >= stretch;
}

/*
 * A sample between calls stands where that was of which it tells (formats/ARCHIVE.md), one in a
 * call may be of any before. Where it tells of sleep, what lacked a core was elsewhere, unless it
 * is hardly any, or there was but one place.
 */
static void place(struct mwa_off_core *off, const struct mwa_moment *moment)
{
    const uint64_t *values = moment->event->of.metric.values;
    const uint64_t outside = values[MW_RUNNING_OUTSIDE];
    const uint64_t no_core = values[MW_RUNNING_OUTSIDE_NO_CORE];
    const uint64_t asleep = outside > no_core ? outside - no_core : 0;

    if (moment->mpi) {
        off->pending.asleep_about += asleep;
        return;
    }
    off->pending.asleep += asleep;
    off->pending.off += asleep;
    if (off->is_sampled || asleep <= outside / MIXED || no_core <= outside / MIXED) {
        off->pending.off += outside - asleep;
    } else if (off->left == 0) {
        off->unplaced = (struct mwa_off_core_unplaced){ moment->event->time,
                                                        values[MW_RUNNING_STRETCH],
                                                        outside - asleep };
    } else if (is_of_one_piece(moment->trace, off->left, moment->event->time,
                               values[MW_RUNNING_STRETCH])) {
        off->pending.off += outside - asleep;
    }
    off->is_sampled = true;
}

/* The last call before was left then; 0: there is none, or a sample behind it. */
static void place_first(struct mwa_off_core *off, const struct mwa_trace *trace, uint64_t left)
{
    const struct mwa_off_core_unplaced *first = &off->unplaced;

    if (is_of_one_piece(trace, left, first->time, first->stretch)) {
        *(off->has_entered ? &off->before[off->first_site].off : &off->pending.off) +=
            first->no_core;
    }
    off->unplaced = (struct mwa_off_core_unplaced){ 0 };
}

void mwa_off_core_settle(struct mwa_off_core *off, const struct mwa_trace *trace)
{
    if (off->unplaced.no_core > 0) {
        place_first(off, trace, 0);
    }
    if (off->before_first.in) {
        share_out(off, trace, &off->first, &off->before_first);
        off->first = (struct mwa_off_core_sample){ .mpi_index = MWA_NONE };
        off->before_first.in_all = 0;
    }
}

enum mw_status mwa_off_core_take(struct mwa_off_core *off, const struct mwa_moment *moment)
{
    const uint64_t *values = moment->event->of.metric.values;
    const uint32_t count = moment->event->of.metric.count;
    struct mwa_off_core_sums one = { .is_told = true,
                                     .tells_threads = count > MW_RUNNING_THREADS,
                                     .tells_written = count > MW_RUNNING_WRITES,
                                     .tells_system = count > MW_RUNNING_SYSTEM,
                                     .tells_read = count > MW_RUNNING_READING };

    if (!make_before(off, moment->trace) || !make_calls(off, moment->trace) ||
        take_inside(off, moment) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    memcpy(one.values, values, count * sizeof *values);
    if (one.values[MW_RUNNING_MINOR_FAULTS] * FAULT_NS >= one.values[MW_RUNNING_SYSTEM]) {
        one.faulting_ns = one.values[MW_RUNNING_SYSTEM];
    }
    add_sums(&off->sums, &one);
    place(off, moment);
    off->pending.written += one.values[MW_RUNNING_WRITTEN];
    off->pending.system += one.values[MW_RUNNING_SYSTEM];
    off->pending.read += one.values[MW_RUNNING_READ];
    mwa_off_core_enter(off, moment->mpi ? moment->site : MWA_NONE);
    return MW_OK;
}

/* --- parts -------------------------------------------------------------------------------- */

static void add_spent(struct mwa_off_core_spent *to, const struct mwa_off_core_spent *add,
                      const struct mwa_trace *trace)
{
    for (uint32_t i = 0; add->in && i < trace->mpi_region_count; i++) {
        to->in[i] += add->in[i];
    }
    to->in_all += add->in_all;
}

/* What later knows of the inside of calls: its first sample is also of calls before it. */
static void append_inside(struct mwa_off_core *off, struct mwa_off_core *later,
                          const struct mwa_trace *trace)
{
    add_spent(later->before_first.in ? &later->before_first : &later->spent, &off->spent, trace);
    free(off->spent.in);
    off->spent = later->spent;
    later->spent.in = NULL;
    for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
        off->no_core[i] += later->no_core[i];
    }
    if (!later->before_first.in) {
        return;
    }
    if (off->before_first.in) {
        share_out(off, trace, &later->first, &later->before_first);
    } else {
        off->first = later->first;
        off->before_first = later->before_first;
        later->before_first.in = NULL;
    }
}

/* The same of what was outside: what is pending comes before later's first call. */
static void append_outside(struct mwa_off_core *off, const struct mwa_off_core *later,
                           const struct mwa_trace *trace)
{
    for (uint32_t i = 0; later->before && i < trace->site_count; i++) {
        mwa_off_core_add(&off->before[i], &later->before[i]);
    }
    if (later->has_entered) {
        mwa_off_core_enter(off, later->first_site);
    }
    mwa_off_core_add(&off->pending, &later->pending);
}

enum mw_status mwa_off_core_append(struct mwa_off_core *off, struct mwa_off_core *later,
                                   const struct mwa_trace *trace)
{
    if (!make_before(off, trace) || !make_calls(off, trace) || !make_before(later, trace) ||
        !make_calls(later, trace)) {
        return MW_ERROR_MEMORY;
    }
    if (later->unplaced.no_core > 0 && (off->left > 0 || off->is_sampled)) {
        place_first(later, trace, off->is_sampled ? 0 : off->left);
    } else if (later->unplaced.no_core > 0) {
        off->unplaced = later->unplaced;
    }
    off->is_sampled = later->is_sampled || (off->is_sampled && later->left == 0);
    off->left = later->left > 0 ? later->left : off->left;
    append_inside(off, later, trace);
    append_outside(off, later, trace);
    add_sums(&off->sums, &later->sums);
    return MW_OK;
}

/* --- travelling --------------------------------------------------------------------------- */

/* What of a part is not in arrays. */
struct head {
    struct mwa_off_core_sums sums;
    struct mwa_off_core_stretch pending;
    struct mwa_off_core_sample first;
    uint64_t spent, before_first; /* in all */
    uint64_t sites; /* before which there is something */
    uint64_t left;
    struct mwa_off_core_unplaced unplaced;
    uint32_t first_site;
    bool is_sampled;
    bool has_entered;
    bool has_calls;
    bool has_first;
};

struct site_row {
    uint64_t site;
    struct mwa_off_core_stretch before;
};

void mwa_off_core_pack(const struct mwa_off_core *off, const struct mwa_trace *trace,
                       struct mw_buffer *to)
{
    const uint32_t count = trace->mpi_region_count;
    struct head head = { .sums = off->sums,
                         .pending = off->pending,
                         .first = off->first,
                         .spent = off->spent.in_all,
                         .before_first = off->before_first.in_all,
                         .left = off->left,
                         .is_sampled = off->is_sampled,
                         .unplaced = off->unplaced,
                         .first_site = off->first_site,
                         .has_entered = off->has_entered,
                         .has_calls = off->spent.in != NULL,
                         .has_first = off->before_first.in != NULL };

    for (uint32_t i = 0; off->before && i < trace->site_count; i++) {
        head.sites += mwa_off_core_is_any(&off->before[i]);
    }
    mw_buffer_append(to, &head, sizeof head);
    if (head.has_calls) {
        mwa_pack_array(to, off->spent.in, count, sizeof *off->spent.in);
        mwa_pack_array(to, off->no_core, count, sizeof *off->no_core);
    }
    if (head.has_first) {
        mwa_pack_array(to, off->before_first.in, count, sizeof *off->before_first.in);
    }
    for (uint32_t i = 0; off->before && i < trace->site_count; i++) {
        const struct site_row row = { i, off->before[i] };

        if (mwa_off_core_is_any(&row.before)) {
            mw_buffer_append(to, &row, sizeof row);
        }
    }
}

/* The arrays of calls. */
static enum mw_status unpack_calls(struct mwa_off_core *off, const struct mwa_trace *trace,
                                   const struct head *head, struct mw_cursor *from)
{
    const uint32_t count = trace->mpi_region_count;
    enum mw_status status = MW_OK;

    if (head->has_calls) {
        status = make_calls(off, trace) ? MW_OK : MW_ERROR_MEMORY;
        status = status == MW_OK
                     ? mwa_unpack_into(from, off->spent.in, count, sizeof *off->spent.in)
                     : status;
        status = status == MW_OK ? mwa_unpack_into(from, off->no_core, count, sizeof *off->no_core)
                                 : status;
    }
    if (status == MW_OK && head->has_first) {
        off->before_first.in = calloc(count + (size_t)1, sizeof *off->before_first.in);
        status = off->before_first.in ? mwa_unpack_into(from, off->before_first.in, count,
                                                        sizeof *off->before_first.in)
                                      : MW_ERROR_MEMORY;
    }
    return status;
}

static bool have_flags(const struct mwa_off_core_sums *sums)
{
    return mwa_is_flag(&sums->is_told) && mwa_is_flag(&sums->tells_threads) &&
           mwa_is_flag(&sums->tells_written) && mwa_is_flag(&sums->tells_system) &&
           mwa_is_flag(&sums->tells_read);
}

bool mwa_off_core_are_sums(const struct mwa_off_core_sums *sums, const struct mwa_trace *trace)
{
    return have_flags(sums) && (!sums->is_told ||
                                (mwa_is_none_or_below(sums->before, trace->site_count) &&
                                 mwa_is_none_or_below(sums->asleep_before, trace->site_count) &&
                                 mwa_is_none_or_below(sums->polled_before, trace->site_count) &&
                                 mwa_is_none_or_below(sums->writing_before, trace->site_count) &&
                                 mwa_is_none_or_below(sums->system_before, trace->site_count) &&
                                 mwa_is_none_or_below(sums->reading_before, trace->site_count)));
}

static bool is_head(const struct head *head, const struct mwa_trace *trace)
{
    return have_flags(&head->sums) && mwa_is_flag(&head->is_sampled) &&
           mwa_is_flag(&head->has_entered) &&
           mwa_is_flag(&head->has_calls) && mwa_is_flag(&head->has_first) &&
           (!head->has_entered || head->first_site < trace->site_count) &&
           (!head->has_first ||
            mwa_is_none_or_below(head->first.mpi_index, trace->mpi_region_count));
}

enum mw_status mwa_off_core_unpack(struct mwa_off_core *off, const struct mwa_trace *trace,
                                   struct mw_cursor *from)
{
    struct head head;
    struct site_row row;
    enum mw_status status;

    if (!mw_cursor_take(from, &head, sizeof head) || !is_head(&head, trace)) {
        return MW_ERROR_FORMAT;
    }
    off->sums = head.sums;
    off->pending = head.pending;
    off->first = head.first;
    off->spent.in_all = head.spent;
    off->before_first.in_all = head.before_first;
    off->left = head.left;
    off->is_sampled = head.is_sampled;
    off->unplaced = head.unplaced;
    off->first_site = head.first_site;
    off->has_entered = head.has_entered;
    status = unpack_calls(off, trace, &head, from);
    if (status == MW_OK && head.sites > 0 && !make_before(off, trace)) {
        status = MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < head.sites && status == MW_OK; i++) {
        if (!mw_cursor_take(from, &row, sizeof row) || row.site >= trace->site_count) {
            return MW_ERROR_FORMAT;
        }
        off->before[row.site] = row.before;
    }
    return status;
}

/* --- the end ------------------------------------------------------------------------------ */

/* Adds how long it was asleep before the calls of a site that poll. */
static void add_polling(struct mwa_off_core_sums *sums, uint32_t site, uint64_t asleep)
{
    sums->asleep_polling_ns += asleep;
    if (asleep > sums->polled_before_ns) {
        sums->polled_before_ns = asleep;
        sums->polled_before = site;
    }
}

void mwa_off_core_end(struct mwa_off_core *off, const struct mwa_trace *trace)
{
    struct mwa_off_core_sums *sums = &off->sums;

    sums->polled_before = MWA_NONE;
    sums->before = MWA_NONE;
    sums->asleep_before = MWA_NONE;
    sums->writing_before = MWA_NONE;
    sums->system_before = MWA_NONE;
    sums->reading_before = MWA_NONE;
    for (uint32_t i = 0; off->before && i < trace->site_count; i++) {
        if (off->before[i].off > sums->before_ns) {
            sums->before_ns = off->before[i].off;
            sums->before = i;
        }
        if (off->before[i].asleep > sums->asleep_before_ns) {
            sums->asleep_before_ns = off->before[i].asleep;
            sums->asleep_before = i;
        }
        if (mw_call_polls(trace->regions[trace->sites[i].region].call)) {
            add_polling(sums, i, off->before[i].asleep + off->before[i].asleep_about);
        }
        if (off->before[i].written > sums->written_before) {
            sums->written_before = off->before[i].written;
            sums->writing_before = i;
        }
        if (off->before[i].system > sums->system_before_ns) {
            sums->system_before_ns = off->before[i].system;
            sums->system_before = i;
        }
        if (off->before[i].read > sums->read_before) {
            sums->read_before = off->before[i].read;
            sums->reading_before = i;
        }
    }
    mwa_off_core_fini(off);
}

void mwa_off_core_fini(struct mwa_off_core *off)
{
    free(off->before);
    free(off->spent.in);
    free(off->before_first.in);
    free(off->no_core);
    off->before = NULL;
    off->spent.in = NULL;
    off->before_first.in = NULL;
    off->no_core = NULL;
}
