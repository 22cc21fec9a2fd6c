/* Each event is added to sums; what they mean is worked out once, of all of them. */
#include "analyzer/analysis/time/profile.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/time/profile_partial.h"
#include "formats/base/order.h"

static uint64_t smaller(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static void fini(void *data)
{
    struct mwa_profile_partial *partial = data;

    for (uint64_t i = 0; i < partial->rank_count; i++) {
        mwa_rank_sums_fini(&partial->ranks[i]);
    }
    mwa_off_core_fini(&partial->running);
    mwa_charger_fini(&partial->charger);
    free(partial->ranks);
    free(partial->calls);
}

static enum mw_status begin(void *data)
{
    struct mwa_profile_partial *partial = data;
    uint32_t count = partial->trace->mpi_region_count;

    mwa_charger_init(&partial->charger);
    partial->facts.first = UINT64_MAX;
    partial->calls = calloc(count ? count : 1, sizeof *partial->calls);
    for (uint32_t i = 0; partial->calls && i < count; i++) {
        partial->calls[i].min = UINT64_MAX;
    }
    return partial->calls ? MW_OK : MW_ERROR_MEMORY;
}

bool mwa_probes(const struct mwa_trace *trace, const struct mwa_region *region)
{
    const enum mw_call_kind kind = mw_call_kind(region->call);

    return trace->attributes[MW_ATTRIBUTE_FOUND_COMM] == MWA_NONE &&
           (kind == MW_KIND_PROBE || kind == MW_KIND_MPROBE);
}

/* Of a call of MPI; is_across: with ranks of other jobs. */
static void take_call(struct mwa_profile_partial *partial, const struct mwa_call *call,
                      bool is_across)
{
    mwa_call_sums_take(&partial->calls[call->region->mpi_index], call, is_across);
    partial->facts.open_calls = call->open;
}

/* Of calls on communicators that are selected. */
MW_APART enum mw_status take_selected(struct mwa_profile_partial *partial,
                                      const struct mwa_moment *moment)
{
    struct mwa_charge charge;

    if (mwa_charger_take(&partial->charger, moment, &charge) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    if (charge.comm != MWA_NONE && moment->selected_comms[charge.comm]) {
        if (charge.call->region->mpi_index != MWA_NONE) {
            take_call(partial, charge.call, moment->trace->comms[charge.comm].other_job);
        }
        if (!partial->facts.run_ended || charge.call->leave <= partial->facts.run_end) {
            partial->selected += charge.call->inclusive;
        }
    }
    return MW_OK;
}

/* How many meet in collective operations. */
static void take_members(struct mwa_profile_partial *partial, const struct mwa_moment *moment)
{
    const uint32_t comm = moment->event->of.collective.comm;

    if (moment->mpi && moment->mpi->mpi_index != MWA_NONE && comm != MWA_NONE) {
        partial->calls[moment->mpi->mpi_index].operations++;
        partial->calls[moment->mpi->mpi_index].members += mwa_trace_comm_size(moment->trace, comm);
    }
}

static bool is_selected(const struct mwa_moment *moment)
{
    const uint32_t comm = mwa_event_comm(moment->event);

    return comm != MWA_NONE && moment->selected_comms[comm];
}

static void take_bytes(struct mwa_profile_partial *partial, const struct mwa_moment *moment)
{
    uint64_t sent;
    uint64_t received;

    if (!mwa_event_bytes(moment->event, &sent, &received) ||
        (moment->selected_comms && !is_selected(moment))) {
        return;
    }
    partial->facts.bytes_sent += sent;
    partial->facts.bytes_received += received;
    if (moment->mpi) {
        struct mwa_call_sums *sums = &partial->calls[moment->mpi->mpi_index];

        sums->bytes_sent += sent;
        sums->bytes_received += received;
    }
}

static void resume(void *data, uint64_t time, bool is_through)
{
    struct mwa_profile_partial *partial = data;

    partial->facts.events = true;
    partial->facts.is_cut = true;
    partial->facts.first = time;
    partial->facts.run_begin = time;
    partial->facts.run_ended = is_through;
    partial->facts.run_end = time;
}

/* The location's first event. */
MW_APART void begin_events(struct mwa_profile_partial *partial, const struct mwa_moment *moment)
{
    partial->facts.events = true;
    partial->facts.is_selected = moment->selected_comms != NULL;
    partial->facts.is_cut = moment->is_cut;
    partial->facts.first = moment->event->time;
    partial->facts.run_begin = moment->event->time;
}

static void enter(struct mwa_profile_partial *partial, const struct mwa_moment *moment)
{
    partial->facts.open_calls = 0; /* left by a jump, if at all: the record goes on */
    mwa_off_core_enter(&partial->running, moment->mpi ? moment->site : MWA_NONE);
    if (mwa_ends_run(moment) && !partial->facts.run_ended) {
        partial->facts.run_ended = true;
        partial->facts.run_end = moment->event->time;
    }
}

static enum mw_status leave(struct mwa_profile_partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_call *call = moment->call;

    if (call->region->mpi_index == MWA_NONE) {
        return MW_OK;
    }
    if (mwa_begins_run(moment)) {
        mwa_profile_begin_run(partial, call->leave);
    } else if (call->outermost && !partial->facts.run_ended) {
        partial->calls[call->region->mpi_index].in_run += call->inclusive;
        partial->facts.states[mwa_state_of(call->region, call->use)] += call->inclusive;
    }
    if (!moment->selected_comms) {
        take_call(partial, call, partial->is_across);
    }
    partial->is_across &= !call->outermost;
    return moment->trace->metrics.has_running && !moment->is_cut
               ? mwa_off_core_leave(&partial->running, moment->trace, call)
               : MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct mwa_profile_partial *partial = data;
    enum mw_status status = MW_OK;

    if (MW_UNLIKELY(!partial->facts.events)) {
        begin_events(partial, moment);
    }
    if (MW_UNLIKELY(partial->trace->has_other_jobs)) {
        partial->is_across |= mwa_names_other_jobs(moment);
    }
    switch (moment->event->kind) {
    case MWA_ENTER:
        enter(partial, moment);
        break;
    case MWA_LEAVE:
        status = leave(partial, moment);
        break;
    case MWA_RUNNING:
        return mwa_off_core_take(&partial->running, moment);
    case MWA_COLLECTIVE_END:
    case MWA_WINDOW_COLLECTIVE:
        take_members(partial, moment);
        /* fall through */
    default:
        take_bytes(partial, moment);
        break;
    }
    return status == MW_OK && MW_UNLIKELY(moment->selected_comms != NULL)
               ? take_selected(partial, moment)
               : status;
}

/* Of the main thread, whose record ends at last. */
static void end_run(struct mwa_profile_partial *partial, uint64_t last)
{
    const struct mwa_trace *trace = partial->trace;
    const uint64_t run_end = partial->facts.run_ended ? partial->facts.run_end : last;
    struct mwa_rank_sums *rank = &partial->ranks[0];

    rank->run_begin = partial->facts.run_begin;
    rank->run = run_end > partial->facts.run_begin ? run_end - partial->facts.run_begin : 0;
    for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
        const struct mwa_region *region = &trace->regions[trace->mpi_regions[i]];
        const uint64_t in_run = partial->calls[i].in_run;

        rank->mpi += in_run;
        rank->probing += mwa_probes(partial->trace, region) ? in_run : 0;
        rank->across += smaller(partial->calls[i].across, in_run);
    }
    memcpy(rank->states, partial->facts.states, sizeof rank->states);
    rank->mpi = smaller(rank->mpi, rank->run);
    rank->probing = smaller(rank->probing, rank->mpi);
    rank->across = smaller(rank->across, rank->mpi);
    rank->selected = smaller(partial->selected, rank->mpi);
    mwa_off_core_end(&partial->running, trace);
    rank->running = partial->running.sums;
}

static enum mw_status end(void *data, const struct mwa_location *location, uint64_t last)
{
    struct mwa_profile_partial *partial = data;
    struct mwa_rank_sums *rank;

    partial->facts.last = last;
    mwa_off_core_settle(&partial->running, partial->trace);
    for (uint32_t i = 0; i < partial->trace->mpi_region_count; i++) {
        partial->calls[i].no_core = mwa_off_core_in(&partial->running, i);
        partial->facts.mpi_calls += partial->calls[i].count;
    }
    if (!partial->facts.events || location->rank == MWA_NONE) {
        return MW_OK;
    }
    if (!mwa_profile_need_ranks(partial, location->rank, 1) ||
        !mwa_rank_sums_need_calls(partial->ranks, partial->trace)) {
        return MW_ERROR_MEMORY;
    }
    rank = &partial->ranks[0];
    rank->has_events = true;
    rank->run_begin = UINT64_MAX;
    rank->calls = partial->facts.mpi_calls;
    rank->callers = partial->facts.mpi_calls > 0;
    rank->bytes_sent = partial->facts.bytes_sent;
    rank->bytes_received = partial->facts.bytes_received;
    if (location->master) {
        end_run(partial, last);
    }
    for (uint32_t i = 0; i < partial->trace->mpi_region_count; i++) {
        rank->by_call[i].count += partial->calls[i].count;
        rank->by_call[i].time += partial->calls[i].time;
    }
    return MW_OK;
}

/* --- the result --------------------------------------------------------------------------- */

/* Least and greatest time of a rank in the call with mpi_index. */
static void spread_over_ranks(const struct mwa_profile_partial *partial, uint32_t index,
                              struct mwa_call_row *row)
{
    uint64_t min = UINT64_MAX;
    uint64_t max = 0;

    row->rank_max = MWA_NONE;
    for (uint32_t i = 0; i < partial->rank_count; i++) {
        uint64_t time;

        if (!partial->ranks[i].has_events) {
            continue;
        }
        time = partial->ranks[i].by_call ? partial->ranks[i].by_call[index].time : 0;
        min = time < min ? time : min;
        if (row->rank_max == MWA_NONE || time > max) {
            max = time;
            row->rank_max = i;
        }
    }
    row->rank_min_ns = min == UINT64_MAX ? 0 : mwa_trace_ns(partial->trace, min);
    row->rank_max_ns = mwa_trace_ns(partial->trace, max);
}

static int by_time(const void *one, const void *other)
{
    const struct mwa_call_row *a = one;
    const struct mwa_call_row *b = other;

    return mw_order(b->time_ns, a->time_ns) ?: strcmp(a->region->name, b->region->name);
}

static void finish_calls(const struct mwa_profile_partial *partial, struct mwa_profile *profile)
{
    const struct mwa_trace *trace = partial->trace;

    for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
        const struct mwa_call_sums *sums = &partial->calls[i];
        struct mwa_call_row *row = &profile->calls[profile->call_count];

        if (sums->count == 0) {
            continue;
        }
        *row = (struct mwa_call_row){ .region = &trace->regions[trace->mpi_regions[i]],
                                      .count = sums->count,
                                      .time_ns = mwa_trace_ns(trace, sums->time),
                                      .open_ns = mwa_trace_ns(trace, sums->open),
                                      .across_ns = mwa_trace_ns(trace, sums->across),
                                      .min_ns = mwa_trace_ns(trace, sums->min),
                                      .max_ns = mwa_trace_ns(trace, sums->max),
                                      .bytes_sent = sums->bytes_sent,
                                      .bytes_received = sums->bytes_received,
                                      .operations = sums->operations,
                                      .members = sums->members };
        for (unsigned use = 0; use < MWA_USES; use++) {
            row->used_ns[use] = mwa_trace_ns(trace, sums->used[use]);
        }
        row->no_core_ns = partial->facts.is_cut ? 0 : smaller(sums->no_core, row->time_ns);
        spread_over_ranks(partial, i, row);
        profile->call_count++;
    }
    qsort(profile->calls, profile->call_count, sizeof *profile->calls, by_time);
}

/* How often ranks called what, in the order of the rows. */
static bool finish_called(const struct mwa_profile_partial *partial, struct mwa_profile *profile)
{
    const uint64_t rows = profile->call_count;

    profile->called = calloc(partial->trace->rank_count * rows + 1, sizeof *profile->called);
    for (uint64_t i = 0; profile->called && i < partial->rank_count; i++) {
        const struct mwa_rank_call *by_call = partial->ranks[i].by_call;

        for (uint64_t k = 0; by_call && k < rows; k++) {
            profile->called[i * rows + k] = by_call[profile->calls[k].region->mpi_index].count;
        }
    }
    return profile->called != NULL;
}

static void finish_ranks(const struct mwa_profile_partial *partial, struct mwa_profile *profile)
{
    const struct mwa_trace *trace = partial->trace;

    profile->rank_count = trace->rank_count;
    for (uint32_t i = 0; i < trace->rank_count; i++) {
        const struct mwa_rank_sums none = { 0 };
        const struct mwa_rank_sums *sums = partial->ranks ? &partial->ranks[i] : &none;
        const uint64_t io = smaller(sums->states[MWA_STATE_IO], sums->mpi);

        profile->ranks[i] = (struct mwa_rank_row){
            .rank = i,
            .has_events = sums->has_events,
            .begin_ns = sums->has_events && sums->run_begin != UINT64_MAX
                            ? mwa_trace_since_begin(trace, sums->run_begin)
                            : 0,
            .run_ns = mwa_trace_ns(trace, sums->run),
            .mpi_ns = mwa_trace_ns(trace, partial->facts.is_selected ? sums->selected : sums->mpi),
            .io_ns = partial->facts.is_selected ? UINT64_MAX : mwa_trace_ns(trace, io),
            .probing_ns = mwa_trace_ns(trace, sums->probing),
            .across_ns = mwa_trace_ns(trace, sums->across),
            .calls = sums->calls,
            .callers = sums->callers,
            .bytes_sent = sums->bytes_sent,
            .bytes_received = sums->bytes_received
        };
        for (unsigned state = 0; state < MWA_STATES; state++) {
            profile->ranks[i].state_ns[state] = mwa_trace_ns(trace, sums->states[state]);
        }
        profile->ranks[i].outside_ns = profile->ranks[i].run_ns - mwa_trace_ns(trace, sums->mpi);
        profile->ranks[i].useful_ns = profile->ranks[i].outside_ns;
        if (trace->metrics.has_running && !partial->facts.is_cut) {
            mwa_off_core_tell(&sums->running, &profile->ranks[i]);
        }
    }
}

/* Finds when the run of all ranks together began and ended. */
static void finish_run(const struct mwa_profile_partial *partial, struct mwa_profile *profile)
{
    uint64_t from = UINT64_MAX;
    uint64_t to = 0;
    uint64_t first_end = UINT64_MAX;

    for (uint32_t i = 0; partial->ranks && i < partial->trace->rank_count; i++) {
        const struct mwa_rank_sums *sums = &partial->ranks[i];

        if (sums->has_events && sums->run_begin != UINT64_MAX) {
            from = sums->run_begin < from ? sums->run_begin : from;
            to = sums->run_begin + sums->run > to ? sums->run_begin + sums->run : to;
            first_end = smaller(first_end, sums->run_begin + sums->run);
        }
    }
    profile->run_from_ticks = from < to ? from : profile->first_ticks;
    profile->run_to_ticks = from < to ? to : profile->last_ticks;
    profile->first_end_ticks = smaller(first_end, profile->run_to_ticks);
}

static enum mw_status finish(const void *data, void *result)
{
    const struct mwa_profile_partial *partial = data;
    const struct mwa_trace *trace = partial->trace;
    struct mwa_profile *profile = result;

    *profile = (struct mwa_profile){
        .mpi_calls = partial->facts.mpi_calls,
        .open_calls = partial->facts.open_calls,
        .first_ticks = partial->facts.events ? partial->facts.first : 0,
        .last_ticks = partial->facts.last,
    };
    profile->calls = calloc(trace->mpi_region_count + 1u, sizeof *profile->calls);
    profile->ranks = calloc(trace->rank_count + 1u, sizeof *profile->ranks);
    if (!profile->calls || !profile->ranks) {
        mwa_profile_fini(profile);
        return MW_ERROR_MEMORY;
    }
    finish_calls(partial, profile);
    if (!finish_called(partial, profile)) {
        mwa_profile_fini(profile);
        return MW_ERROR_MEMORY;
    }
    finish_ranks(partial, profile);
    finish_run(partial, profile);
    return MW_OK;
}

void mwa_profile_fini(struct mwa_profile *profile)
{
    free(profile->calls);
    free(profile->ranks);
    free(profile->called);
    *profile = (struct mwa_profile){ 0 };
}

static const struct mwa_part_functions parts = { .append = mwa_profile_append,
                                                .pack = mwa_profile_pack_part,
                                                .unpack = mwa_profile_unpack_part };

const struct mwa_analysis mwa_profile_analysis = { .name = "profile",
                                                   .kinds = MWA_KINDS_ALL,
                                                   .size = sizeof(struct mwa_profile_partial),
                                                   .begin = begin,
                                                   .parts = &parts,
                                                   .resume = resume,
                                                   .event = event,
                                                   .end = end,
                                                   .merge = mwa_profile_merge,
                                                   .pack = mwa_profile_pack,
                                                   .unpack = mwa_profile_unpack,
                                                   .finish = finish,
                                                   .fini = fini };
