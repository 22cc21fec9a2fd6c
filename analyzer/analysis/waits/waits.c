/*
 * Which waits there are is in the files of the families; here is what holds for
 * all: a wait ends within its call, is charged to rank, call and communicator, and
 * the worst are kept.
 */
#include "analyzer/analysis/waits/waits.h"

#include <stdlib.h>

#include "analyzer/analysis/waits/waits_internal.h"

static const struct {
    const char *name;
    const char *title;
    enum mwa_wait_role role;
    const char *advice;
} patterns[] = {
#define COUNTS(constant, name, title, advice) { name, title, MWA_WAIT_COUNTS, advice },
#define OTHER(constant, name, title, role)    { name, title, role, NULL },
#include "analyzer/analysis/waits/wait_patterns.def"
};

const char *mwa_wait_name(enum mwa_wait_pattern pattern)
{
    return patterns[pattern].name;
}

const char *mwa_wait_title(enum mwa_wait_pattern pattern)
{
    return patterns[pattern].title;
}

enum mwa_wait_role mwa_wait_role(enum mwa_wait_pattern pattern)
{
    return patterns[pattern].role;
}

const char *mwa_wait_advice(enum mwa_wait_pattern pattern)
{
    return patterns[pattern].advice;
}

/* --- charging ----------------------------------------------------------------------------- */

static bool add_to(uint64_t **list, uint64_t count, uint64_t index, uint64_t ticks)
{
    if (!*list && !(*list = calloc(count + 1, sizeof **list))) {
        return false;
    }
    if (index < count) {
        (*list)[index] += ticks;
    }
    return true;
}

static bool is_worse(const struct mwa_wait *one, const struct mwa_wait *other)
{
    if (one->wait != other->wait) {
        return one->wait > other->wait;
    }
    return one->time != other->time ? one->time < other->time : one->rank < other->rank;
}

/* Puts wait in its place among the worst, if it is one of them. */
static void keep_worst(struct mwa_wait_row *row, const struct mwa_wait *wait)
{
    uint32_t at = row->worst_count;

    if (at == MWA_WAITS_WORST && !is_worse(wait, &row->worst[at - 1])) {
        return;
    }
    at -= at == MWA_WAITS_WORST;
    for (; at > 0 && is_worse(wait, &row->worst[at - 1]); at--) {
        row->worst[at] = row->worst[at - 1];
    }
    row->worst[at] = *wait;
    row->worst_count += row->worst_count < MWA_WAITS_WORST;
}

/* Looks for what caused wait, of which selected ticks are counted. */
static enum mw_status find_cause(struct mwa_waiting *waiting, enum mwa_wait_pattern pattern,
                                 const struct mwa_wait *wait, uint64_t selected)
{
    const struct mwa_delay_wait found = { .time = wait->time,
                                          .wait = wait->wait,
                                          .selected = selected,
                                          .rank = wait->rank,
                                          .cause = wait->cause,
                                          .call = wait->call,
                                          .grouped = wait->grouped };

    return waiting->delay && patterns[pattern].role == MWA_WAIT_COUNTS && wait->cause != MWA_NONE
               ? mwa_delay_take(waiting->delay, &found)
               : MW_OK;
}

enum mw_status mwa_waiting_charge(struct mwa_waiting *waiting, enum mwa_wait_pattern pattern,
                                  const struct mwa_wait *wait)
{
    const struct mwa_scope *scope = &waiting->scope;
    struct mwa_waits *result = &waiting->result;
    struct mwa_wait_row *row = &result->rows[pattern];
    struct mwa_wait cut = *wait;
    uint64_t end = wait->time + wait->wait;
    bool kept;

    if ((scope->rank != MWA_NONE && wait->rank != scope->rank) ||
        (scope->comms && (wait->comm == MWA_NONE || !scope->comms[wait->comm]))) {
        return find_cause(waiting, pattern, wait, 0);
    }
    cut.time = wait->time > scope->from ? wait->time : scope->from;
    end = end < scope->to ? end : scope->to;
    if (end <= cut.time) {
        return find_cause(waiting, pattern, wait, 0);
    }
    cut.wait = end - cut.time;
    row->total_ns += cut.wait;
    row->instances++;
    keep_worst(row, &cut);
    kept = add_to(&row->rank_ns, result->rank_count, cut.rank, cut.wait) &&
           add_to(&row->cause_ns, result->rank_count, cut.cause, cut.wait) &&
           add_to(&row->call_ns, result->call_count, cut.call->mpi_index, cut.wait) &&
           add_to(&row->comm_ns, result->comm_count, cut.comm, cut.wait);
    if (patterns[pattern].role == MWA_WAIT_COUNTS && cut.other_thread) {
        kept &= add_to(&result->other_threads_ns, result->rank_count, cut.rank, cut.wait);
    } else if (patterns[pattern].role == MWA_WAIT_COUNTS && scope->visit) {
        kept &= scope->visit(scope->user, cut.rank, cut.call, cut.time, end) == MW_OK;
    }
    return kept ? find_cause(waiting, pattern, wait, cut.wait) : MW_ERROR_MEMORY;
}

uint64_t mwa_waiting_until(struct mwa_waiting *waiting, const struct mwa_exchange_call *call,
                           uint64_t since, uint64_t until)
{
    struct mwa_waits *result = &waiting->result;

    if (until > call->leave && since < call->leave) {
        uint64_t by = until - call->leave;

        result->violations++;
        result->violation_max_ns = by > result->violation_max_ns ? by : result->violation_max_ns;
        until = call->leave;
    }
    return until > since && until <= call->leave ? until - since : 0;
}

bool mwa_is_other_thread(const struct mwa_waiting *waiting, const struct mwa_exchange_call *call)
{
    return !waiting->trace->locations[call->location].master;
}

bool mwa_may_wait(const struct mwa_exchange_call *call)
{
    return call->region && !mw_call_means(call->region->call, MW_TESTS);
}

/* --- the module --------------------------------------------------------------------------- */

static void destroy(void *analysis)
{
    struct mwa_waiting *waiting = analysis;

    if (!waiting) {
        return;
    }
    for (uint64_t i = 0; waiting->late && i < waiting->trace->location_count; i++) {
        free(waiting->late[i]);
    }
    free(waiting->late);
    mwa_pool_fini(&waiting->longest);
    mwa_delay_destroy(waiting->delay);
    mwa_waits_fini(&waiting->result);
    free(waiting);
}

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    struct mwa_waiting *waiting = *analysis = calloc(1, sizeof *waiting);

    if (!waiting) {
        return MW_ERROR_MEMORY;
    }
    waiting->trace = trace;
    waiting->slot = slot;
    waiting->scope = *scope;
    waiting->scope.from = mwa_trace_first_at(trace, scope->from);
    waiting->scope.to = mwa_trace_last_at(trace, scope->to);
    waiting->result.rank_count = trace->rank_count;
    waiting->result.call_count = trace->mpi_region_count;
    waiting->result.comm_count = trace->comm_count;
    waiting->longest.size = sizeof(struct mwa_longest_wait);
    waiting->late = calloc(trace->location_count + 1, sizeof(struct mwa_late_senders *));
    waiting->delay = scope->with_delays ? mwa_delay_create(trace) : NULL;
    return waiting->late && (waiting->delay || !scope->with_delays) ? MW_OK : MW_ERROR_MEMORY;
}

static void to_ns(const struct mwa_trace *trace, uint64_t *list, uint64_t count)
{
    for (uint64_t i = 0; list && i < count; i++) {
        list[i] = mwa_trace_ns(trace, list[i]);
    }
}

static void finish_row(const struct mwa_waiting *waiting, struct mwa_wait_row *row)
{
    const struct mwa_trace *trace = waiting->trace;

    row->total_ns = mwa_trace_ns(trace, row->total_ns);
    to_ns(trace, row->rank_ns, waiting->result.rank_count);
    to_ns(trace, row->cause_ns, waiting->result.rank_count);
    to_ns(trace, row->call_ns, waiting->result.call_count);
    to_ns(trace, row->comm_ns, waiting->result.comm_count);
    for (uint32_t i = 0; i < row->worst_count; i++) {
        struct mwa_wait *wait = &row->worst[i];
        uint64_t since = wait->time > trace->clock_offset ? wait->time - trace->clock_offset : 0;

        wait->time = mwa_trace_ns(trace, since);
        wait->wait = mwa_trace_ns(trace, wait->wait);
    }
}

static enum mw_status take_waypoint(void *analysis, uint32_t location,
                                    const struct mwa_waypoint *waypoint)
{
    struct mwa_delay *delay = ((struct mwa_waiting *)analysis)->delay;

    return delay ? mwa_delay_waypoint(delay, location, waypoint) : MW_OK;
}

static enum mw_status begin_call(void *analysis, struct mwa_exchange_call *call)
{
    struct mwa_delay *delay = ((struct mwa_waiting *)analysis)->delay;

    return delay ? mwa_delay_begin(delay, call) : MW_OK;
}

static enum mw_status end_call(void *analysis, struct mwa_exchange_call *call)
{
    struct mwa_delay *delay = ((struct mwa_waiting *)analysis)->delay;
    enum mw_status status = delay ? mwa_delay_end(delay, call) : MW_OK;

    return status == MW_OK ? mwa_waits_on_end(analysis, call) : status;
}

static enum mw_status finish(void *analysis, void *result)
{
    struct mwa_waiting *waiting = analysis;
    enum mw_status status = waiting->no_memory ? MW_ERROR_MEMORY : MW_OK;

    if (status == MW_OK && waiting->delay) {
        status = mwa_delay_finish(waiting->delay, &waiting->result.delays);
    }
    if (status != MW_OK) {
        return status;
    }
    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        finish_row(waiting, &waiting->result.rows[i]);
    }
    to_ns(waiting->trace, waiting->result.other_threads_ns, waiting->result.rank_count);
    waiting->result.violation_max_ns =
        mwa_trace_ns(waiting->trace, waiting->result.violation_max_ns);
    *(struct mwa_waits *)result = waiting->result;
    waiting->result = (struct mwa_waits){ 0 };
    return MW_OK;
}

const struct mwa_exchange_analysis mwa_waits_analysis = {
    .name = "waits",
    .create = create,
    .listener = { .begin = begin_call,
              .end = end_call,
              .message = mwa_waits_on_message,
              .collective = mwa_waits_on_collective,
              .settled = mwa_waits_on_settled },
    .waypoint = take_waypoint,
    .finish = finish,
    .destroy = destroy,
};

void mwa_waits_fini(struct mwa_waits *waits)
{
    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        free(waits->rows[i].rank_ns);
        free(waits->rows[i].cause_ns);
        free(waits->rows[i].call_ns);
        free(waits->rows[i].comm_ns);
    }
    free(waits->other_threads_ns);
    mwa_delays_fini(&waits->delays);
    *waits = (struct mwa_waits){ 0 };
}

uint64_t mwa_waits_total_ns(const struct mwa_waits *waits)
{
    uint64_t total = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        total += patterns[i].role == MWA_WAIT_COUNTS ? waits->rows[i].total_ns : 0;
    }
    return total;
}

uint64_t mwa_waits_other_threads_ns(const struct mwa_waits *waits)
{
    uint64_t total = 0;

    for (uint64_t i = 0; waits->other_threads_ns && i < waits->rank_count; i++) {
        total += waits->other_threads_ns[i];
    }
    return total;
}

enum mwa_wait_pattern mwa_waits_dominant(const struct mwa_waits *waits)
{
    enum mwa_wait_pattern most = MWA_WAIT_PATTERNS;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        uint64_t total = patterns[i].role == MWA_WAIT_COUNTS ? waits->rows[i].total_ns : 0;

        if (total > (most == MWA_WAIT_PATTERNS ? 0 : waits->rows[most].total_ns)) {
            most = i;
        }
    }
    return most;
}

uint32_t mwa_waits_most(const uint64_t *list, uint64_t count)
{
    uint64_t most = 0;

    for (uint64_t i = 1; list && i < count; i++) {
        most = list[i] > list[most] ? i : most;
    }
    return list && count > 0 && list[most] > 0 ? (uint32_t)most : MWA_NONE;
}
