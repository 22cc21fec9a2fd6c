/* A sample is of the stretch before it, which may end in a call that is not entered yet. */
#include "analyzer/analysis/time/off_core.h"

#include <stdlib.h>

static bool make_calls(struct mwa_off_core *off, const struct mwa_trace *trace)
{
    const size_t count = trace->mpi_region_count + (size_t)1;

    if (!off->spent) {
        off->spent = calloc(count, sizeof *off->spent);
    }
    if (!off->no_core) {
        off->no_core = calloc(count, sizeof *off->no_core);
    }
    return off->spent && off->no_core;
}

enum mw_status mwa_off_core_leave(struct mwa_off_core *off, const struct mwa_trace *trace,
                                  const struct mwa_call *call)
{
    const uint64_t since = call->leave > off->sampled ? call->leave - off->sampled : 0;
    const uint64_t spent = call->exclusive < since ? call->exclusive : since;

    if (!make_calls(off, trace)) {
        return MW_ERROR_MEMORY;
    }
    off->spent[call->region->mpi_index] += spent;
    off->spent_in_all += spent;
    return MW_OK;
}

/* Shares out what a sample tells of the inside of calls. */
static void share_out(struct mwa_off_core *off, const struct mwa_moment *moment)
{
    const struct mwa_trace *trace = moment->trace;
    const uint64_t *values = moment->event->of.metric.values;
    const double stretch = (double)values[MW_RUNNING_STRETCH];
    const bool is_inside = moment->mpi && moment->mpi->mpi_index != MWA_NONE;
    const uint64_t entered = is_inside && moment->mpi_enter > off->sampled ? moment->mpi_enter
                                                                           : off->sampled;
    const double open = is_inside
                            ? (double)mwa_trace_ns(trace, moment->event->time - entered)
                            : 0;
    const double here = open < stretch ? open : stretch;
    const double ended = (double)mwa_trace_ns(trace, off->spent_in_all);
    const double rest = ended < stretch - here ? ended : stretch - here;
    const double each = here + rest > 0
                            ? (double)values[MW_RUNNING_INSIDE_NO_CORE] / (here + rest)
                            : 0;

    if (is_inside) {
        off->no_core[moment->mpi->mpi_index] += each * here;
    }
    for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
        off->no_core[i] += off->spent_in_all > 0 ? each * rest * (double)off->spent[i] /
                                                       (double)off->spent_in_all
                                                 : 0;
        off->spent[i] = 0;
    }
    off->spent_in_all = 0;
    off->sampled = moment->event->time;
}

uint64_t mwa_off_core_in(const struct mwa_off_core *off, uint32_t mpi_index)
{
    return off->no_core ? (uint64_t)off->no_core[mpi_index] : 0;
}

enum mw_status mwa_off_core_take(struct mwa_off_core *off, const struct mwa_moment *moment)
{
    const uint64_t *values = moment->event->of.metric.values;
    struct mwa_off_core_sums *sums = &off->sums;

    if (!off->before) {
        off->before = calloc(moment->trace->site_count + 1, sizeof *off->before);
    }
    if (!off->before || !make_calls(off, moment->trace)) {
        return MW_ERROR_MEMORY;
    }
    share_out(off, moment);
    sums->is_told = true;
    for (unsigned i = 0; i < MW_RUNNING_RESIDENT; i++) {
        sums->values[i] += values[i];
    }
    if (values[MW_RUNNING_RESIDENT] > sums->values[MW_RUNNING_RESIDENT]) {
        sums->values[MW_RUNNING_RESIDENT] = values[MW_RUNNING_RESIDENT];
    }
    if (moment->event->of.metric.count > MW_RUNNING_THREADS) {
        sums->tells_threads = true;
        sums->values[MW_RUNNING_THREADS] += values[MW_RUNNING_THREADS];
    }
    off->pending.off += values[MW_RUNNING_OUTSIDE];
    off->pending.asleep += values[MW_RUNNING_OUTSIDE] > values[MW_RUNNING_OUTSIDE_NO_CORE]
                               ? values[MW_RUNNING_OUTSIDE] - values[MW_RUNNING_OUTSIDE_NO_CORE]
                               : 0;
    mwa_off_core_enter(off, moment->mpi ? moment->site : MWA_NONE);
    return MW_OK;
}

void mwa_off_core_end(struct mwa_off_core *off, const struct mwa_trace *trace)
{
    struct mwa_off_core_sums *sums = &off->sums;

    sums->before = MWA_NONE;
    sums->asleep_before = MWA_NONE;
    for (uint32_t i = 0; off->before && i < trace->site_count; i++) {
        if (off->before[i].off > sums->before_ns) {
            sums->before_ns = off->before[i].off;
            sums->before = i;
        }
        if (off->before[i].asleep > sums->asleep_before_ns) {
            sums->asleep_before_ns = off->before[i].asleep;
            sums->asleep_before = i;
        }
    }
    mwa_off_core_fini(off);
}

void mwa_off_core_fini(struct mwa_off_core *off)
{
    free(off->before);
    free(off->spent);
    free(off->no_core);
    off->before = NULL;
    off->spent = NULL;
    off->no_core = NULL;
}

static uint64_t smaller(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

void mwa_off_core_tell(const struct mwa_off_core_sums *sums, struct mwa_rank_row *row)
{
    const uint64_t *values = sums->values;
    struct mwa_rank_running *running = &row->running;

    *running = (struct mwa_rank_running){
        .is_known = true,
        .outside_ns = smaller(values[MW_RUNNING_OUTSIDE], row->outside_ns),
        .inside_ns = smaller(values[MW_RUNNING_INSIDE], row->run_ns - row->outside_ns),
        .voluntary = values[MW_RUNNING_VOLUNTARY],
        .involuntary = values[MW_RUNNING_INVOLUNTARY],
        .minor_faults = values[MW_RUNNING_MINOR_FAULTS],
        .major_faults = values[MW_RUNNING_MAJOR_FAULTS],
        .resident = values[MW_RUNNING_RESIDENT],
        .tells_threads = sums->tells_threads,
        .threads_ns = values[MW_RUNNING_THREADS],
        .before = sums->before,
        .before_ns = sums->before_ns,
        .asleep_before = sums->asleep_before,
        .asleep_before_ns = sums->asleep_before_ns
    };
    running->outside_no_core_ns = smaller(values[MW_RUNNING_OUTSIDE_NO_CORE],
                                          running->outside_ns);
    running->inside_no_core_ns = smaller(values[MW_RUNNING_INSIDE_NO_CORE], running->inside_ns);
    row->useful_ns = row->outside_ns - running->outside_ns;
}
