/* What holds for the waits of all patterns is said once, here. */
#include "analyzer/analysis/waits/wait_ledger.h"

#include <stdlib.h>

#include "analyzer/analysis/region_paths.h"
#include "analyzer/model/bins.h"
#include "analyzer/model/needs.h"

/* In a call's note, if it is not 0: its longest wait, beside that for a late sender, until all is
 * told that it completes. */
struct longest {
    struct mwa_wait wait;
    enum mwa_wait_pattern pattern;
    uint64_t part_since;
    uint64_t sent; /* until then it waited for a late sender, ticks; 0: it had none */
};

void mwa_wait_ledger_init(struct mwa_wait_ledger *ledger, const struct mwa_trace *trace,
                          uint32_t slot, const struct mwa_scope *scope)
{
    *ledger = (struct mwa_wait_ledger){ .trace = trace,
                                        .slot = slot,
                                        .scope = *scope,
                                        .result = { .rank_count = trace->rank_count,
                                                    .call_count = trace->mpi_region_count,
                                                    .site_count = trace->site_count,
                                                    .region_count = trace->region_count,
                                                    .comm_count = trace->comm_count },
                                        .longest = { .size = sizeof(struct longest) } };
    while (trace->clock_length >> ledger->part_bits >= MWA_WAITS_PARTS) {
        ledger->part_bits++;
    }
    ledger->from = mwa_trace_first_at(trace, scope->from);
    ledger->to = mwa_trace_last_at(trace, scope->to);
}

void mwa_wait_ledger_fini(struct mwa_wait_ledger *ledger)
{
    mwa_pool_fini(&ledger->longest);
    mwa_index_fini(&ledger->paths);
    mwa_waits_fini(&ledger->result);
}

/* --- a wait ------------------------------------------------------------------------------- */

bool mwa_may_wait(const struct mwa_exchange_call *call)
{
    return call->region && !mwa_never_waits(call);
}

/* Made where it is returned to: of a copy the processor waits for what was written in parts. */
static inline struct mwa_wait wait_of(const struct mwa_wait_ledger *ledger,
                                      const struct mwa_exchange_call *call,
                                      const struct mwa_exchange_call *cause, uint32_t comm)
{
    return (struct mwa_wait){ .time = call->enter,
                              .message = UINT64_MAX,
                              .location = call->location,
                              .rank = call->rank,
                              .cause = cause ? cause->rank : MWA_NONE,
                              .cause_site = cause ? cause->site : MWA_NONE,
                              .call = call->region,
                              .use = call->use,
                              .within = call->within,
                              .site = call->site,
                              .comm = comm,
                              .other_thread = !ledger->trace->locations[call->location].master,
                              .before_chapter = call->opens_chapter };
}

struct mwa_wait mwa_wait_in(const struct mwa_wait_ledger *ledger,
                            const struct mwa_exchange_call *call,
                            const struct mwa_exchange_call *cause, uint32_t comm)
{
    return wait_of(ledger, call, cause, comm);
}

void mwa_wait_last(struct mwa_wait *wait, const struct mwa_exchange_call *call, uint64_t since,
                   uint64_t until)
{
    wait->between = mwa_ticks_share(call->outside, call->enter, call->leave, since, until);
    wait->time = since + wait->between;
    wait->wait = until - wait->time;
}

bool mwa_wait_until(struct mwa_wait_ledger *ledger, const struct mwa_exchange_call *call,
                    const struct mwa_exchange_call *cause, uint32_t comm, struct mwa_wait *wait)
{
    struct mwa_waits *result = &ledger->result;
    uint64_t until = cause->enter;

    if (until <= call->enter || call->enter >= call->leave) {
        return false;
    }
    if (until > call->leave) {
        uint64_t by = until - call->leave;

        result->violations++;
        result->violation_max_ns = by > result->violation_max_ns ? by : result->violation_max_ns;
        until = call->leave;
    }
    *wait = wait_of(ledger, call, cause, comm);
    mwa_wait_last(wait, call, call->enter, until);
    return true;
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

static bool add_to_region(const struct mwa_wait_ledger *ledger, struct mwa_wait_row *row,
                          const struct mwa_wait *wait)
{
    return !wait->within ||
           add_to(&row->region_ns, ledger->result.region_count,
                  (uint64_t)(wait->within->region - ledger->trace->regions), wait->wait);
}

static bool add_to_path(struct mwa_wait_ledger *ledger, const struct mwa_region_path *path,
                        uint32_t site, uint64_t ticks)
{
    struct mwa_path_wait **rows = &ledger->result.paths;
    uint64_t at;

    if (!path) {
        return true;
    }
    at = mwa_index_of(&ledger->paths, (struct mwa_key){ path->number, site }, rows,
                      sizeof **rows);
    if (at == MWA_MAP_ABSENT) {
        return false;
    }
    (*rows)[at] = (struct mwa_path_wait){ path, site, (*rows)[at].ns + ticks };
    ledger->result.path_count = ledger->paths.count;
    return true;
}

/* Of waits that are as long: an order that does not depend on which was found first. */
static bool comes_first(const struct mwa_wait *one, const struct mwa_wait *other)
{
    if (one->location != other->location) {
        return one->location < other->location;
    }
    if (one->cause != other->cause) {
        return one->cause < other->cause;
    }
    return one->message != other->message ? one->message < other->message
                                          : one->comm < other->comm;
}

static bool is_worse(const struct mwa_wait *one, const struct mwa_wait *other)
{
    if (one->wait != other->wait) {
        return one->wait > other->wait;
    }
    if (one->time != other->time) {
        return one->time < other->time;
    }
    return comes_first(one, other);
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

/* Keeps wait, which counts, if it is the longest of its part of the trace. */
static void keep_longest(struct mwa_wait_ledger *ledger, const struct mwa_wait *wait)
{
    const uint64_t begin = ledger->trace->clock_offset;
    const uint64_t part = (wait->time > begin ? wait->time - begin : 0) >> ledger->part_bits;
    struct mwa_wait *longest =
        &ledger->result.longest[part < MWA_WAITS_PARTS ? part : MWA_WAITS_PARTS - 1];

    if (!wait->other_thread && is_worse(wait, longest)) {
        *longest = *wait;
    }
}

static bool counts(enum mwa_wait_pattern pattern)
{
    return mwa_wait_role(pattern) == MWA_WAIT_COUNTS;
}

/* Looks for what caused wait, of which selected ticks are counted. */
static enum mw_status find_cause(struct mwa_wait_ledger *ledger, enum mwa_wait_pattern pattern,
                                 const struct mwa_wait *wait, uint64_t selected)
{
    const struct mwa_delay_wait found = { .time = wait->time,
                                          .wait = wait->wait,
                                          .selected = selected,
                                          .rank = wait->rank,
                                          .location = wait->location,
                                          .cause = wait->cause,
                                          .cause_site = wait->cause_site,
                                          .call = wait->call,
                                          .grouped = wait->grouped,
                                          .is_for_leave = pattern == MWA_WAIT_LOCK_CONTENTION,
                                          .before_chapter = wait->before_chapter };

    return ledger->delay && counts(pattern) && wait->cause != MWA_NONE
               ? mwa_delay_take(ledger->delay, &found)
               : MW_OK;
}

/* Whether what rank does on comm (an index) is none that is looked at. */
static bool is_out_of_scope(const struct mwa_scope *scope, uint32_t rank, uint32_t comm)
{
    return (scope->rank != MWA_NONE && rank != scope->rank) ||
           (scope->comms && (comm == MWA_NONE || !scope->comms[comm]));
}

enum mw_status mwa_wait_unmet(struct mwa_wait_ledger *ledger,
                              const struct mwa_exchange_call *call,
                              const struct mwa_exchange_call *last, uint32_t comm)
{
    const uint64_t begin = call->enter > ledger->from ? call->enter : ledger->from;
    uint64_t end = call->leave < last->enter ? call->leave : last->enter;

    end = end < ledger->to ? end : ledger->to;
    return call->opens_chapter || is_out_of_scope(&ledger->scope, call->rank, comm) ||
                   end <= begin ||
                   add_to(&ledger->result.unmet_ns, ledger->result.call_count,
                          call->region->mpi_index, end - begin)
               ? MW_OK
               : MW_ERROR_MEMORY;
}

enum mw_status mwa_wait_reordered(struct mwa_wait_ledger *ledger, uint32_t rank, uint64_t ticks)
{
    return add_to(&ledger->result.reordered_ns, ledger->result.rank_count, rank, ticks)
               ? MW_OK
               : MW_ERROR_MEMORY;
}

enum mw_status mwa_wait_charge(struct mwa_wait_ledger *ledger, enum mwa_wait_pattern pattern,
                               const struct mwa_wait *wait)
{
    const struct mwa_scope *scope = &ledger->scope;
    struct mwa_waits *result = &ledger->result;
    struct mwa_wait_row *row = &result->rows[pattern];
    struct mwa_wait cut = *wait;
    uint64_t end = wait->time + wait->wait;
    bool kept;

    if (is_out_of_scope(scope, wait->rank, wait->comm)) {
        return find_cause(ledger, pattern, wait, 0);
    }
    cut.time = wait->time > ledger->from ? wait->time : ledger->from;
    end = end < ledger->to ? end : ledger->to;
    if (end <= cut.time) {
        return find_cause(ledger, pattern, wait, 0);
    }
    cut.wait = end - cut.time;
    if (wait->before_chapter) {
        return find_cause(ledger, pattern, wait, cut.wait);
    }
    row->total_ns += cut.wait;
    row->instances++;
    keep_worst(row, &cut);
    kept = add_to(&row->rank_ns, result->rank_count, cut.rank, cut.wait) &&
           add_to(&row->cause_ns, result->rank_count, cut.cause, cut.wait) &&
           add_to(&row->call_ns, result->call_count, cut.call->mpi_index, cut.wait) &&
           add_to(&row->site_ns, result->site_count, cut.site, cut.wait) &&
           add_to(&row->place_ns, result->site_count, mwa_trace_place(ledger->trace, cut.site),
                  cut.wait) &&
           add_to(&row->cause_place_ns, result->site_count,
                  mwa_trace_place(ledger->trace, cut.cause_site), cut.wait) &&
           add_to_region(ledger, row, &cut) &&
           add_to(&row->comm_ns, result->comm_count, cut.comm, cut.wait);
    if (counts(pattern) && scope->told) {
        kept &= scope->told(scope->told_user, pattern, &cut) == MW_OK;
    }
    if (counts(pattern)) {
        keep_longest(ledger, &cut);
        kept &= add_to_path(ledger, cut.within, cut.site, cut.wait);
    }
    if (counts(pattern) && cut.other_thread) {
        kept &= add_to(&result->other_threads_ns, result->rank_count, cut.rank, cut.wait);
    }
    if (MW_UNLIKELY(cut.between > 0) && counts(pattern) && !cut.other_thread) {
        kept &= add_to(&result->between_ns, result->rank_count, cut.rank,
                       mwa_ticks_share(cut.between, wait->time, wait->time + wait->wait, cut.time,
                                       end));
    }
    return kept ? find_cause(ledger, pattern, wait, cut.wait) : MW_ERROR_MEMORY;
}

/* --- calls that complete several operations ----------------------------------------------- */

/* What is kept of call; null without memory. */
static struct longest *longest_of(struct mwa_wait_ledger *ledger, struct mwa_exchange_call *call)
{
    uint64_t *note = &call->note[ledger->slot];

    if (*note == 0) {
        *note = (uintptr_t)mwa_pool_take(&ledger->longest);
    }
    return (struct longest *)(uintptr_t)*note;
}

enum mw_status mwa_wait_charge_late_sender(struct mwa_wait_ledger *ledger,
                                           struct mwa_exchange_call *call,
                                           const struct mwa_wait *wait)
{
    struct longest *longest = longest_of(ledger, call);

    if (!longest) {
        return MW_ERROR_MEMORY;
    }
    longest->sent = wait->time + wait->wait;
    return mwa_wait_charge(ledger, MWA_WAIT_LATE_SENDER, wait);
}

uint64_t mwa_wait_sent(const struct mwa_wait_ledger *ledger, const struct mwa_exchange_call *call)
{
    const struct longest *longest = (const struct longest *)(uintptr_t)call->note[ledger->slot];

    return longest ? longest->sent : 0;
}

enum mw_status mwa_wait_remember(struct mwa_wait_ledger *ledger, struct mwa_exchange_call *call,
                                 enum mwa_wait_pattern pattern, const struct mwa_wait *wait,
                                 uint64_t part_since)
{
    const uint64_t end = wait->time + wait->wait;
    struct longest *longest = longest_of(ledger, call);
    struct mwa_wait rest = *wait;

    if (!longest) {
        return MW_ERROR_MEMORY;
    }
    if (longest->sent > rest.time) { /* what is behind that */
        rest.time = longest->sent < end ? longest->sent : end;
        rest.wait = end - rest.time;
        rest.between = 0; /* is told of the late sender */
    }
    if (rest.wait > longest->wait.wait ||
        (rest.wait == longest->wait.wait && rest.wait > 0 && comes_first(&rest, &longest->wait))) {
        longest->wait = rest;
        longest->pattern = pattern;
        longest->part_since = part_since;
    }
    return MW_OK;
}

/* Late complete, the part of an early wait. */
static enum mw_status charge_part(struct mwa_wait_ledger *ledger, const struct longest *longest)
{
    struct mwa_wait part = longest->wait;
    uint64_t until = part.time + part.wait;

    part.time = longest->part_since > part.time ? longest->part_since : part.time;
    if (part.time >= until || longest->part_since == 0) {
        return MW_OK;
    }
    part.wait = until - part.time;
    return mwa_wait_charge(ledger, MWA_WAIT_LATE_COMPLETE, &part);
}

void mwa_wait_settle(struct mwa_wait_ledger *ledger, struct mwa_exchange_call *call)
{
    struct longest *longest = (struct longest *)(uintptr_t)call->note[ledger->slot];

    if (!longest) {
        return;
    }
    if (longest->wait.wait > 0) {
        ledger->no_memory |=
            mwa_wait_charge(ledger, longest->pattern, &longest->wait) != MW_OK ||
            charge_part(ledger, longest) != MW_OK;
    }
    mwa_pool_give(&ledger->longest, longest);
}

/* --- what a later chapter has charged ----------------------------------------------------- */

static void add_list(uint64_t **into, uint64_t **from, uint64_t count)
{
    if (!*into) {
        *into = *from;
        *from = NULL;
    }
    for (uint64_t i = 0; *from && i < count; i++) {
        (*into)[i] += (*from)[i];
    }
}

bool mwa_wait_place_in_run(struct mwa_wait *wait, const struct mwa_seam *seam)
{
    if (wait->message != UINT64_MAX) {
        wait->message += seam->sent[wait->message >> MWA_MESSAGE_RANK_BITS];
    }
    return mwa_region_paths_adopt(seam->paths, wait->within, &wait->within);
}

static bool add_row(const struct mwa_waits *counts, struct mwa_wait_row *into,
                    struct mwa_wait_row *from, const struct mwa_seam *seam)
{
    into->total_ns += from->total_ns;
    into->instances += from->instances;
    into->synchronizations += from->synchronizations;
    add_list(&into->rank_ns, &from->rank_ns, counts->rank_count);
    add_list(&into->cause_ns, &from->cause_ns, counts->rank_count);
    add_list(&into->call_ns, &from->call_ns, counts->call_count);
    add_list(&into->site_ns, &from->site_ns, counts->site_count);
    add_list(&into->place_ns, &from->place_ns, counts->site_count);
    add_list(&into->cause_place_ns, &from->cause_place_ns, counts->site_count);
    add_list(&into->region_ns, &from->region_ns, counts->region_count);
    add_list(&into->comm_ns, &from->comm_ns, counts->comm_count);
    for (uint32_t i = 0; i < from->worst_count; i++) {
        struct mwa_wait wait = from->worst[i];

        if (!mwa_wait_place_in_run(&wait, seam)) {
            return false;
        }
        keep_worst(into, &wait);
    }
    return true;
}

enum mw_status mwa_wait_ledger_append(struct mwa_wait_ledger *ledger,
                                      struct mwa_wait_ledger *later, const struct mwa_seam *seam)
{
    struct mwa_waits *into = &ledger->result, *from = &later->result;
    const struct mwa_region_path *path;
    bool kept = !later->no_memory;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS && kept; i++) {
        kept = add_row(into, &into->rows[i], &from->rows[i], seam);
    }
    for (uint32_t i = 0; i < MWA_WAITS_PARTS && kept; i++) {
        if (from->longest[i].wait > 0) {
            kept = mwa_wait_place_in_run(&from->longest[i], seam);
            keep_longest(ledger, &from->longest[i]);
        }
    }
    for (uint64_t i = 0; i < from->path_count && kept; i++) {
        const struct mwa_path_wait *row = &from->paths[i];

        kept = mwa_region_paths_adopt(seam->paths, row->path, &path) &&
               add_to_path(ledger, path, row->site, row->ns);
    }
    add_list(&into->unmet_ns, &from->unmet_ns, into->call_count);
    add_list(&into->other_threads_ns, &from->other_threads_ns, into->rank_count);
    add_list(&into->reordered_ns, &from->reordered_ns, into->rank_count);
    add_list(&into->between_ns, &from->between_ns, into->rank_count);
    into->violations += from->violations;
    into->violation_max_ns = from->violation_max_ns > into->violation_max_ns
                                 ? from->violation_max_ns
                                 : into->violation_max_ns;
    into->uncertain += from->uncertain;
    into->neighbors_unknown += from->neighbors_unknown;
    return kept ? MW_OK : MW_ERROR_MEMORY;
}

/* --- the result --------------------------------------------------------------------------- */

static void to_ns(const struct mwa_trace *trace, uint64_t *list, uint64_t count)
{
    for (uint64_t i = 0; list && i < count; i++) {
        list[i] = mwa_trace_ns(trace, list[i]);
    }
}

static void finish_row(const struct mwa_wait_ledger *ledger, struct mwa_wait_row *row)
{
    const struct mwa_trace *trace = ledger->trace;

    row->total_ns = mwa_trace_ns(trace, row->total_ns);
    to_ns(trace, row->rank_ns, ledger->result.rank_count);
    to_ns(trace, row->cause_ns, ledger->result.rank_count);
    to_ns(trace, row->call_ns, ledger->result.call_count);
    to_ns(trace, row->site_ns, ledger->result.site_count);
    to_ns(trace, row->place_ns, ledger->result.site_count);
    to_ns(trace, row->cause_place_ns, ledger->result.site_count);
    to_ns(trace, row->region_ns, ledger->result.region_count);
    to_ns(trace, row->comm_ns, ledger->result.comm_count);
    for (uint32_t i = 0; i < row->worst_count; i++) {
        row->worst[i].wait = mwa_trace_ns(trace, row->worst[i].wait);
    }
}

enum mw_status mwa_wait_ledger_finish(struct mwa_wait_ledger *ledger, struct mwa_waits *result)
{
    struct mwa_waits *ticks = &ledger->result;

    if (ledger->no_memory) {
        return MW_ERROR_MEMORY;
    }
    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        finish_row(ledger, &ticks->rows[i]);
    }
    for (unsigned i = 0; i < MWA_WAITS_PARTS; i++) {
        ticks->longest[i].wait = mwa_trace_ns(ledger->trace, ticks->longest[i].wait);
    }
    to_ns(ledger->trace, ticks->unmet_ns, ticks->call_count);
    for (uint64_t i = 0; i < ticks->path_count; i++) {
        ticks->paths[i].ns = mwa_trace_ns(ledger->trace, ticks->paths[i].ns);
    }
    to_ns(ledger->trace, ticks->other_threads_ns, ticks->rank_count);
    to_ns(ledger->trace, ticks->reordered_ns, ticks->rank_count);
    to_ns(ledger->trace, ticks->between_ns, ticks->rank_count);
    ticks->violation_max_ns = mwa_trace_ns(ledger->trace, ticks->violation_max_ns);
    *result = *ticks;
    *ticks = (struct mwa_waits){ 0 };
    return MW_OK;
}
