#include "analyzer/analysis/time/profile.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/comms/charge.h"
#include "analyzer/analysis/time/call_sums.h"
#include "analyzer/analysis/time/rank_sums.h"
#include "analyzer/team/packing.h"
#include "formats/base/order.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_call_sums *calls; /* per mpi_index */
    bool events; /* there are any */
    bool is_selected; /* communicators are selected */
    bool is_cut; /* it is of a span, of which nobody tells where threads ran */
    uint64_t mpi_calls;
    uint64_t open_calls; /* of one location: the last call is open */
    uint64_t first;
    uint64_t last;

    /* Of the one location that this partial saw; merged into ranks when it ends. */
    bool run_ended;
    uint64_t run_begin;
    uint64_t run_end;
    uint64_t selected;
    struct mwa_charger charger; /* where communicators are selected */
    uint64_t bytes_sent;
    uint64_t bytes_received;
    struct mwa_off_core running;

    struct mwa_rank_sums *ranks; /* null, of the location's rank, or (merged) of all */
    uint64_t rank_first;
    uint64_t rank_count;
};

static void fini(void *data)
{
    struct partial *partial = data;

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
    struct partial *partial = data;
    uint32_t count = partial->trace->mpi_region_count;

    mwa_charger_init(&partial->charger);
    partial->first = UINT64_MAX;
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

/* The run begins: what was before it does not count. */
MW_APART void begin_run(struct partial *partial, uint64_t time)
{
    partial->run_begin = time;
    partial->selected = 0;
    for (uint32_t i = 0; i < partial->trace->mpi_region_count; i++) {
        partial->calls[i].in_run = 0;
    }
}

/* Of a call of MPI. */
static void take_call(struct partial *partial, const struct mwa_call *call)
{
    mwa_call_sums_take(&partial->calls[call->region->mpi_index], call);
    partial->open_calls = call->open;
}

/* Of calls on communicators that are selected. */
MW_APART enum mw_status take_selected(struct partial *partial, const struct mwa_moment *moment)
{
    struct mwa_charge charge;

    if (mwa_charger_take(&partial->charger, moment, &charge) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    if (charge.comm != MWA_NONE && moment->selected_comms[charge.comm]) {
        if (charge.call.region->mpi_index != MWA_NONE) {
            take_call(partial, &charge.call);
        }
        if (!partial->run_ended || charge.call.leave <= partial->run_end) {
            partial->selected += charge.call.inclusive;
        }
    }
    return MW_OK;
}

/* How many meet in collective operations. */
static void take_members(struct partial *partial, const struct mwa_moment *moment)
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

static void take_bytes(struct partial *partial, const struct mwa_moment *moment)
{
    uint64_t sent;
    uint64_t received;

    if (!mwa_event_bytes(moment->event, &sent, &received) ||
        (moment->selected_comms && !is_selected(moment))) {
        return;
    }
    partial->bytes_sent += sent;
    partial->bytes_received += received;
    if (moment->mpi) {
        struct mwa_call_sums *sums = &partial->calls[moment->mpi->mpi_index];

        sums->bytes_sent += sent;
        sums->bytes_received += received;
    }
}

static void resume(void *data, uint64_t time, bool is_through)
{
    struct partial *partial = data;

    partial->events = true;
    partial->is_cut = true;
    partial->first = time;
    partial->run_begin = time;
    partial->run_ended = is_through;
    partial->run_end = time;
}

/* The location's first event. */
MW_APART void begin_events(struct partial *partial, const struct mwa_moment *moment)
{
    partial->events = true;
    partial->is_selected = moment->selected_comms != NULL;
    partial->is_cut = moment->is_cut;
    partial->first = moment->event->time;
    partial->run_begin = moment->event->time;
}

static void enter(struct partial *partial, const struct mwa_moment *moment)
{
    partial->open_calls = 0; /* left by a jump, if at all: the record goes on */
    mwa_off_core_enter(&partial->running, moment->mpi ? moment->site : MWA_NONE);
    if (mwa_ends_run(moment) && !partial->run_ended) {
        partial->run_ended = true;
        partial->run_end = moment->event->time;
    }
}

static enum mw_status leave(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_call *call = moment->call;

    if (call->region->mpi_index == MWA_NONE) {
        return MW_OK;
    }
    if (mwa_begins_run(moment)) {
        begin_run(partial, call->leave);
    } else if (call->outermost && !partial->run_ended) {
        partial->calls[call->region->mpi_index].in_run += call->inclusive;
    }
    if (!moment->selected_comms) {
        take_call(partial, call);
    }
    return moment->trace->metrics.has_running && !moment->is_cut
               ? mwa_off_core_leave(&partial->running, moment->trace, call)
               : MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    enum mw_status status = MW_OK;

    if (MW_UNLIKELY(!partial->events)) {
        begin_events(partial, moment);
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

static bool need_ranks(struct partial *partial, uint64_t first, uint64_t count)
{
    if (!partial->ranks) {
        partial->ranks = calloc(count ? count : 1, sizeof *partial->ranks);
        partial->rank_first = first;
        partial->rank_count = partial->ranks ? count : 0;
    }
    return partial->ranks != NULL;
}

/* Of the main thread, whose record ends at last. */
static void end_run(struct partial *partial, uint64_t last)
{
    const struct mwa_trace *trace = partial->trace;
    const uint64_t run_end = partial->run_ended ? partial->run_end : last;
    struct mwa_rank_sums *rank = &partial->ranks[0];

    rank->run_begin = partial->run_begin;
    rank->run = run_end > partial->run_begin ? run_end - partial->run_begin : 0;
    for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
        const struct mwa_region *region = &trace->regions[trace->mpi_regions[i]];
        const uint64_t in_run = partial->calls[i].in_run;

        rank->mpi += in_run;
        rank->states[mwa_state_of(region)] += in_run;
        rank->probing += mwa_probes(partial->trace, region) ? in_run : 0;
    }
    rank->mpi = rank->mpi < rank->run ? rank->mpi : rank->run;
    rank->probing = rank->probing < rank->mpi ? rank->probing : rank->mpi;
    rank->selected = partial->selected < rank->mpi ? partial->selected : rank->mpi;
    mwa_off_core_end(&partial->running, trace);
    rank->running = partial->running.sums;
}

static enum mw_status end(void *data, const struct mwa_location *location, uint64_t last)
{
    struct partial *partial = data;
    struct mwa_rank_sums *rank;

    partial->last = last;
    for (uint32_t i = 0; i < partial->trace->mpi_region_count; i++) {
        partial->calls[i].no_core = mwa_off_core_in(&partial->running, i);
        partial->mpi_calls += partial->calls[i].count;
    }
    if (!partial->events || location->rank == MWA_NONE) {
        return MW_OK;
    }
    if (!need_ranks(partial, location->rank, 1) ||
        !mwa_rank_sums_need_calls(partial->ranks, partial->trace)) {
        return MW_ERROR_MEMORY;
    }
    rank = &partial->ranks[0];
    rank->has_events = true;
    rank->run_begin = UINT64_MAX;
    rank->calls = partial->mpi_calls;
    rank->callers = partial->mpi_calls > 0;
    rank->bytes_sent = partial->bytes_sent;
    rank->bytes_received = partial->bytes_received;
    if (location->master) {
        end_run(partial, last);
    }
    for (uint32_t i = 0; i < partial->trace->mpi_region_count; i++) {
        rank->by_call[i].count += partial->calls[i].count;
        rank->by_call[i].time += partial->calls[i].time;
    }
    return MW_OK;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;

    into->events |= from->events;
    into->is_selected |= from->is_selected;
    into->is_cut |= from->is_cut;
    into->mpi_calls += from->mpi_calls;
    into->open_calls += from->open_calls;
    into->first = from->first < into->first ? from->first : into->first;
    into->last = from->last > into->last ? from->last : into->last;
    for (uint32_t i = 0; i < into->trace->mpi_region_count; i++) {
        mwa_call_sums_add(&into->calls[i], &from->calls[i]);
    }
    if (!from->ranks) {
        return MW_OK;
    }
    if (!need_ranks(into, 0, into->trace->rank_count)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < from->rank_count; i++) {
        if (!mwa_rank_sums_add(&into->ranks[from->rank_first + i], &from->ranks[i], into->trace)) {
            return MW_ERROR_MEMORY;
        }
    }
    return MW_OK;
}

/* --- travelling --------------------------------------------------------------------------- */

/* What is not in arrays. */
struct head {
    bool events;
    bool is_selected;
    bool is_cut;
    uint64_t mpi_calls;
    uint64_t open_calls;
    uint64_t first;
    uint64_t last;
    uint64_t ranks; /* that have events: sums each, behind its number */
};

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;
    const uint64_t count = partial->trace->mpi_region_count;
    struct head head = { .events = partial->events,
                         .is_selected = partial->is_selected,
                         .is_cut = partial->is_cut,
                         .mpi_calls = partial->mpi_calls,
                         .open_calls = partial->open_calls,
                         .first = partial->first,
                         .last = partial->last };

    for (uint64_t i = 0; i < partial->rank_count; i++) {
        head.ranks += partial->ranks[i].has_events;
    }
    mw_buffer_append(to, &head, sizeof head);
    mwa_pack_array(to, partial->calls, count, sizeof *partial->calls);
    for (uint64_t i = 0; i < partial->rank_count; i++) {
        const struct mwa_rank_sums *rank = &partial->ranks[i];

        if (rank->has_events) {
            mw_buffer_u64(to, partial->rank_first + i);
            mwa_rank_sums_pack(rank, partial->trace, to);
        }
    }
}

static enum mw_status unpack_rank(struct partial *partial, struct mw_cursor *from)
{
    char number[8];

    return mw_cursor_take(from, number, sizeof number) && mw_get_u64(number) < partial->rank_count
               ? mwa_rank_sums_unpack(&partial->ranks[mw_get_u64(number)], partial->trace, from)
               : MW_ERROR_FORMAT;
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;
    struct head head;
    enum mw_status status;

    if (!mw_cursor_take(from, &head, sizeof head)) {
        return MW_ERROR_FORMAT;
    }
    partial->events = head.events;
    partial->is_selected = head.is_selected;
    partial->is_cut = head.is_cut;
    partial->mpi_calls = head.mpi_calls;
    partial->open_calls = head.open_calls;
    partial->first = head.first;
    partial->last = head.last;
    status = mwa_unpack_into(from, partial->calls, partial->trace->mpi_region_count,
                             sizeof *partial->calls);
    if (status == MW_OK && head.ranks > 0 &&
        !need_ranks(partial, 0, partial->trace->rank_count)) {
        status = MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; status == MW_OK && i < head.ranks; i++) {
        status = unpack_rank(partial, from);
    }
    return status;
}

static uint64_t smaller(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* --- the result --------------------------------------------------------------------------- */

/* Least and greatest time of a rank in the call with mpi_index. */
static void spread_over_ranks(const struct partial *partial, uint32_t index,
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

static void finish_calls(const struct partial *partial, struct mwa_profile *profile)
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
                                      .min_ns = mwa_trace_ns(trace, sums->min),
                                      .max_ns = mwa_trace_ns(trace, sums->max),
                                      .bytes_sent = sums->bytes_sent,
                                      .bytes_received = sums->bytes_received,
                                      .operations = sums->operations,
                                      .members = sums->members };
        row->no_core_ns = partial->is_cut ? 0 : smaller(sums->no_core, row->time_ns);
        spread_over_ranks(partial, i, row);
        profile->call_count++;
    }
    qsort(profile->calls, profile->call_count, sizeof *profile->calls, by_time);
}

/* How often ranks called what, in the order of the rows. */
static bool finish_called(const struct partial *partial, struct mwa_profile *profile)
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

static void finish_ranks(const struct partial *partial, struct mwa_profile *profile)
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
            .mpi_ns = mwa_trace_ns(trace, partial->is_selected ? sums->selected : sums->mpi),
            .io_ns = partial->is_selected ? UINT64_MAX : mwa_trace_ns(trace, io),
            .probing_ns = mwa_trace_ns(trace, sums->probing),
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
        if (trace->metrics.has_running && !partial->is_cut) {
            mwa_off_core_tell(&sums->running, &profile->ranks[i]);
        }
    }
}

/* Finds when the run of all ranks together began and ended. */
static void finish_run(const struct partial *partial, struct mwa_profile *profile)
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
    const struct partial *partial = data;
    const struct mwa_trace *trace = partial->trace;
    struct mwa_profile *profile = result;

    *profile = (struct mwa_profile){
        .mpi_calls = partial->mpi_calls,
        .open_calls = partial->open_calls,
        .first_ticks = partial->events ? partial->first : 0,
        .last_ticks = partial->last,
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

const struct mwa_analysis mwa_profile_analysis = { .name = "profile",
                                                   .kinds = MWA_KINDS_ALL,
                                                   .size = sizeof(struct partial),
                                                   .begin = begin,
                                                   .resume = resume,
                                                   .event = event,
                                                   .end = end,
                                                   .merge = merge,
                                                   .pack = pack,
                                                   .unpack = unpack,
                                                   .finish = finish,
                                                   .fini = fini };
