/*
 * Which waits there are is in the files of the families, how they are charged in the ledger:
 * here they get what the engine tells, and the result is read.
 */
#include "analyzer/analysis/waits/waits.h"

#include <stdlib.h>

#include "analyzer/analysis/delay/delay_meetings.h"
#include "analyzer/analysis/waits/wait_ledger.h"
#include "analyzer/analysis/waits/waits_collective.h"
#include "analyzer/analysis/waits/waits_onesided.h"
#include "analyzer/analysis/waits/waits_p2p.h"
#include "analyzer/analysis/waits/waits_packing.h"
#include "analyzer/load/reading_start.h"

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

/* --- the analysis ------------------------------------------------------------------------- */

struct waiting {
    struct mwa_wait_ledger ledger;
    struct mwa_late_senders **late; /* per location; null: none was late so far */
    const struct mwa_reading_start *lull; /* with which the chapter ends; null: with none */
    bool is_at_lulls;                     /* it does, or begins so */
};

static void destroy(void *analysis)
{
    struct waiting *waiting = analysis;

    if (!waiting) {
        return;
    }
    for (uint64_t i = 0; waiting->late && i < waiting->ledger.trace->location_count; i++) {
        mwa_late_senders_destroy(waiting->late[i]);
    }
    free(waiting->late);
    mwa_delay_destroy(waiting->ledger.delay);
    mwa_wait_ledger_fini(&waiting->ledger);
    free(waiting);
}

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    struct waiting *waiting = *analysis = calloc(1, sizeof *waiting);

    if (!waiting) {
        return MW_ERROR_MEMORY;
    }
    mwa_wait_ledger_init(&waiting->ledger, trace, slot, scope);
    waiting->late = calloc(trace->location_count + 1, sizeof(struct mwa_late_senders *));
    waiting->ledger.delay = scope->with_delays ? mwa_delay_create(trace) : NULL;
    return waiting->late && (waiting->ledger.delay || !scope->with_delays) ? MW_OK
                                                                           : MW_ERROR_MEMORY;
}

static enum mw_status take_waypoint(void *analysis, uint32_t location,
                                    const struct mwa_waypoint *waypoint)
{
    struct mwa_delay *delay = ((struct waiting *)analysis)->ledger.delay;

    return delay ? mwa_delay_waypoint(delay, location, waypoint) : MW_OK;
}

static enum mw_status begin_call(void *analysis, struct mwa_exchange_call *call)
{
    struct mwa_delay *delay = ((struct waiting *)analysis)->ledger.delay;

    return delay ? mwa_delay_begin(delay, call) : MW_OK;
}

static enum mw_status end_call(void *analysis, struct mwa_exchange_call *call)
{
    struct waiting *waiting = analysis;
    struct mwa_delay *delay = waiting->ledger.delay;
    enum mw_status status = delay ? mwa_delay_end(delay, call) : MW_OK;

    return status == MW_OK ? mwa_waits_of_receives(&waiting->ledger,
                                                   &waiting->late[call->location], call)
                           : status;
}

static enum mw_status take_message(void *analysis, struct mwa_message *message)
{
    return mwa_waits_of_message(&((struct waiting *)analysis)->ledger, message);
}

static enum mw_status take_collective(void *analysis, struct mwa_collective *collective)
{
    struct mwa_wait_ledger *ledger = &((struct waiting *)analysis)->ledger;

    if (!collective->complete) {
        return MW_OK;
    }
    return collective->kind >= MWA_GROUP_POST ? mwa_waits_of_pair(ledger, collective)
                                              : mwa_waits_of_collective(ledger, collective);
}

static void settle_call(void *analysis, struct mwa_exchange_call *call)
{
    mwa_wait_settle(&((struct waiting *)analysis)->ledger, call);
}

static enum mw_status end_round(void *analysis)
{
    struct mwa_delay *delay = ((struct waiting *)analysis)->ledger.delay;

    return delay ? mwa_delay_round(delay) : MW_OK;
}

static bool can_be_appended(const void *analysis, bool is_last)
{
    const struct waiting *waiting = analysis;
    const struct mwa_delay *delay = waiting->ledger.delay;
    bool can = !delay || mwa_delay_can_be_appended(delay);

    for (uint64_t i = 0; waiting->lull && i < waiting->ledger.trace->location_count && can; i++) {
        can = mwa_late_senders_are_before(waiting->late[i],
                                          waiting->lull->locations[i].first.enter);
    }
    return can;
}

static enum mw_status carry(void *analysis, const struct mwa_reading_start *start,
                            const struct mwa_reading_start *next)
{
    struct waiting *waiting = analysis;
    const bool begins = start && start->is_lull;

    waiting->lull = next && next->is_lull ? next : NULL;
    waiting->is_at_lulls = begins || waiting->lull;
    if (waiting->ledger.delay) {
        mwa_delay_at_lulls(waiting->ledger.delay, begins ? start : NULL, waiting->lull);
    }
    for (uint64_t i = 0; begins && i < start->location_count; i++) {
        waiting->late[i] = mwa_late_senders_create(start->locations[i].first.enter);
        if (!waiting->late[i]) {
            return MW_ERROR_MEMORY;
        }
    }
    return MW_OK;
}

static void remember(const void *analysis, struct mw_buffer *to)
{
    const struct mwa_delay *delay = ((const struct waiting *)analysis)->ledger.delay;

    if (delay) {
        mwa_delay_pack_remembered(delay, to);
    }
}

static enum mw_status is_too_much(struct mw_cursor *from, bool *is_too_much)
{
    bool fit;
    const enum mw_status status = mwa_meetings_keys_fit(from, &fit);

    *is_too_much = !fit;
    return status;
}

/* Late senders need not be made one where all have met: see waits_p2p.c. */
static enum mw_status append(void *analysis, void *later, const struct mwa_seam *seam)
{
    struct waiting *earlier = analysis;
    struct mwa_wait_ledger *into = &earlier->ledger;
    struct mwa_wait_ledger *from = &((struct waiting *)later)->ledger;
    enum mw_status status = mwa_wait_ledger_append(into, from, seam);

    for (uint64_t i = 0; seam->is_lull && i < into->trace->location_count && status == MW_OK;
         i++) {
        status = mwa_late_senders_append(into, &earlier->late[i],
                                         &((struct waiting *)later)->late[i], seam);
    }
    return status == MW_OK && into->delay ? mwa_delay_append(into->delay, from->delay) : status;
}

static void pack(void *analysis, struct mw_buffer *to)
{
    struct waiting *waiting = analysis;
    struct mwa_wait_ledger *ledger = &waiting->ledger;

    to->failed |= ledger->no_memory;
    mwa_waits_pack(ledger->trace, &ledger->result, to);
    if (ledger->delay) {
        mwa_delay_pack(ledger->delay, to);
    }
    mw_buffer_u32(to, waiting->is_at_lulls);
    for (uint64_t i = 0; waiting->is_at_lulls && i < ledger->trace->location_count; i++) {
        mwa_late_senders_pack(ledger->trace, waiting->late[i], to);
    }
}

static enum mw_status unpack(void *analysis, struct mwa_region_paths *paths,
                             struct mw_cursor *from)
{
    struct waiting *waiting = analysis;
    struct mwa_wait_ledger *ledger = &waiting->ledger;
    enum mw_status status = mwa_waits_unpack(ledger->trace, paths, from, &ledger->result);
    char is_at_lulls[4];

    if (status == MW_OK && ledger->delay) {
        status = mwa_delay_unpack(ledger->delay, from);
    }
    if (status == MW_OK && !mw_cursor_take(from, is_at_lulls, sizeof is_at_lulls)) {
        return MW_ERROR_FORMAT;
    }
    waiting->is_at_lulls = status == MW_OK && mw_get_u32(is_at_lulls) != 0;
    for (uint64_t i = 0;
         waiting->is_at_lulls && i < ledger->trace->location_count && status == MW_OK; i++) {
        status = mwa_late_senders_unpack(ledger->trace, paths, from, &waiting->late[i]);
    }
    return status;
}

static enum mw_status finish(void *analysis, void *result)
{
    struct mwa_wait_ledger *ledger = &((struct waiting *)analysis)->ledger;
    enum mw_status status =
        ledger->delay ? mwa_delay_finish(ledger->delay, &ledger->result.delays) : MW_OK;

    return status == MW_OK ? mwa_wait_ledger_finish(ledger, result) : status;
}

const struct mwa_exchange_analysis mwa_waits_analysis = {
    .name = "waits",
    .create = create,
    .listener = { .begin = begin_call,
                  .end = end_call,
                  .message = take_message,
                  .collective = take_collective,
                  .settled = settle_call,
                  .round = end_round,
                  .may_lag = true },
    .waypoint = take_waypoint,
    .can_be_appended = can_be_appended,
    .carry = carry,
    .remember = remember,
    .is_too_much = is_too_much,
    .append = append,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .destroy = destroy,
};

/* --- the result --------------------------------------------------------------------------- */

void mwa_waits_fini(struct mwa_waits *waits)
{
    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        free(waits->rows[i].rank_ns);
        free(waits->rows[i].cause_ns);
        free(waits->rows[i].call_ns);
        free(waits->rows[i].site_ns);
        free(waits->rows[i].place_ns);
        free(waits->rows[i].cause_place_ns);
        free(waits->rows[i].region_ns);
        free(waits->rows[i].comm_ns);
    }
    free(waits->paths);
    free(waits->unmet_ns);
    free(waits->other_threads_ns);
    free(waits->reordered_ns);
    free(waits->between_ns);
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

uint64_t mwa_waits_rank_ns(const struct mwa_waits *waits, uint32_t rank)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS && rank < waits->rank_count; i++) {
        sum += patterns[i].role == MWA_WAIT_COUNTS && waits->rows[i].rank_ns
                   ? waits->rows[i].rank_ns[rank]
                   : 0;
    }
    return sum;
}

uint64_t mwa_waits_run_ns(const struct mwa_waits *waits, uint32_t rank)
{
    return mwa_waits_rank_ns(waits, rank) -
           (waits->other_threads_ns && rank < waits->rank_count ? waits->other_threads_ns[rank]
                                                                : 0);
}

static uint64_t total_of(const uint64_t *rank_ns, uint64_t count)
{
    uint64_t total = 0;

    for (uint64_t i = 0; rank_ns && i < count; i++) {
        total += rank_ns[i];
    }
    return total;
}

uint64_t mwa_waits_other_threads_ns(const struct mwa_waits *waits)
{
    return total_of(waits->other_threads_ns, waits->rank_count);
}

uint64_t mwa_waits_between_ns(const struct mwa_waits *waits)
{
    return total_of(waits->between_ns, waits->rank_count);
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
