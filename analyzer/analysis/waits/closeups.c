/*
 * Which waits are the longest is known when the run has been read, and what was around them has
 * gone by then: so it is read again, but no more of it than takes to tell what is in the close-ups.
 */
#include "analyzer/analysis/waits/closeups.h"

#include <stdlib.h>

#include "analyzer/analysis/exchanges.h"
#include "analyzer/load/reading_start.h"
#include "analyzer/model/map.h"
#include "formats/base/order.h"

void mwa_closeups_fini(struct mwa_closeups *closeups)
{
    for (uint32_t i = 0; i < closeups->count; i++) {
        free(closeups->list[i].calls);
        free(closeups->list[i].messages);
        free(closeups->list[i].waits);
    }
    *closeups = (struct mwa_closeups){ .count = 0 };
}

/* --- the longest waits -------------------------------------------------------------------- */

static uint64_t length_of(const struct mwa_seen_wait *wait)
{
    return wait->to - wait->from;
}

static int by_begin(const void *left, const void *right)
{
    const struct mwa_seen_wait *a = left, *b = right;

    return mw_order(a->from, b->from) ?: mw_order(a->to, b->to) ?: mw_order(a->rank, b->rank);
}

static int longest_first(const void *left, const void *right)
{
    const struct mwa_closeup *a = left, *b = right;

    return mw_order(length_of(&b->wait), length_of(&a->wait)) ?: by_begin(&a->wait, &b->wait);
}

/* The close-up of wait, which is one of a result. */
static struct mwa_closeup around(const struct mwa_trace *trace, const struct mwa_wait *wait)
{
    const uint64_t from = wait->time;
    const uint64_t length = mwa_trace_ticks(trace, wait->wait), margin = length / 3 + 1;
    const uint64_t to = from < UINT64_MAX - length ? from + length : UINT64_MAX;

    return (struct mwa_closeup){ .from = from > margin ? from - margin : 0,
                                 .to = to < UINT64_MAX - margin ? to + margin : UINT64_MAX,
                                 .wait = { from, to, wait->call, wait->rank },
                                 .as_told = wait };
}

#define CANDIDATES (MWA_WAITS_PARTS + MWA_WAIT_PATTERNS * MWA_WAITS_WORST)

/* The longest waits of parts of the trace and of patterns that count; how many they are. */
static uint32_t find_longest(const struct mwa_trace *trace, const struct mwa_waits *waits,
                             struct mwa_closeup list[CANDIDATES])
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < MWA_WAITS_PARTS; i++) {
        if (waits->longest[i].wait > 0) {
            list[count++] = around(trace, &waits->longest[i]);
        }
    }
    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        const struct mwa_wait_row *row = &waits->rows[i];

        for (uint32_t k = 0; mwa_wait_role(i) == MWA_WAIT_COUNTS && k < row->worst_count; k++) {
            if (!row->worst[k].other_thread) {
                list[count++] = around(trace, &row->worst[k]);
            }
        }
    }
    qsort(list, count, sizeof *list, longest_first);
    return count;
}

static bool is_at_the_time_of_one(const struct mwa_closeups *closeups,
                                  const struct mwa_seen_wait *wait)
{
    for (uint32_t i = 0; i < closeups->count; i++) {
        const struct mwa_seen_wait *other = &closeups->list[i].wait;

        if (wait->from < other->to && wait->to > other->from) {
            return true;
        }
    }
    return false;
}

static enum mw_status choose(const struct mwa_results *results, struct mwa_closeups *closeups)
{
    struct mwa_closeup *list = malloc(CANDIDATES * sizeof *list);
    const uint32_t count = list ? find_longest(results->trace, &results->waits, list) : 0;

    for (uint32_t i = 0; i < count && closeups->count < MWA_CLOSEUPS; i++) {
        if (!is_at_the_time_of_one(closeups, &list[i].wait)) {
            closeups->list[closeups->count++] = list[i];
        }
    }
    free(list);
    return list ? MW_OK : MW_ERROR_MEMORY;
}

/* --- what is in a close-up ---------------------------------------------------------------- */

static bool overlaps(const struct mwa_closeup *closeup, uint64_t from, uint64_t to)
{
    return from < closeup->to && to > closeup->from;
}

static int by_length(const void *left, const void *right)
{
    const struct mwa_seen_call *a = left, *b = right;

    return mw_order(b->leave - b->enter, a->leave - a->enter) ?: mw_order(a->enter, b->enter)
               ?: mw_order(a->rank, b->rank)
               ?: mw_order((uintptr_t)a->region, (uintptr_t)b->region)
               ?: mw_order(a->site, b->site);
}

static int by_rank(const void *left, const void *right)
{
    const struct mwa_seen_call *a = left, *b = right;

    return mw_order(a->rank, b->rank) ?: mw_order(a->enter, b->enter) ?: by_length(a, b);
}

static int by_sent(const void *left, const void *right)
{
    const struct mwa_seen_message *a = left, *b = right;

    return mw_order(a->sent, b->sent) ?: mw_order(a->received, b->received)
               ?: mw_order(a->from, b->from) ?: mw_order(a->to, b->to)
               ?: mw_order(a->comm, b->comm) ?: mw_order(a->tag, b->tag)
               ?: mw_order(a->bytes, b->bytes);
}

/* Keeps the first of *count by their order, and counts the others as left out. */
static void keep_first(struct mwa_closeup *closeup, void *list, uint64_t *count, size_t size,
                       int (*order)(const void *left, const void *right))
{
    if (*count > 0) {
        qsort(list, *count, size, order);
    }
    if (*count > MWA_CLOSEUP_CALLS) {
        closeup->left_out += *count - MWA_CLOSEUP_CALLS;
        *count = MWA_CLOSEUP_CALLS;
    }
}

/* Such a list is cut when it is twice as long as it may be, so that it takes bounded memory. */
static bool is_full(uint64_t count)
{
    return count == UINT64_C(2) * MWA_CLOSEUP_CALLS;
}

static enum mw_status add_call(struct mwa_closeup *closeup, const struct mwa_seen_call *call)
{
    if (!overlaps(closeup, call->enter, call->leave)) {
        return MW_OK;
    }
    if (is_full(closeup->call_count)) {
        keep_first(closeup, closeup->calls, &closeup->call_count, sizeof *call, by_length);
    }
    if (!mwa_grow(&closeup->calls, &closeup->call_capacity, closeup->call_count + 1,
                  sizeof *call)) {
        return MW_ERROR_MEMORY;
    }
    closeup->calls[closeup->call_count++] = *call;
    return MW_OK;
}

static enum mw_status add_message(struct mwa_closeup *closeup,
                                  const struct mwa_seen_message *message)
{
    if (!overlaps(closeup, message->sent, message->received)) {
        return MW_OK;
    }
    if (is_full(closeup->message_count)) {
        keep_first(closeup, closeup->messages, &closeup->message_count, sizeof *message, by_sent);
    }
    if (!mwa_grow(&closeup->messages, &closeup->message_capacity, closeup->message_count + 1,
                  sizeof *message)) {
        return MW_ERROR_MEMORY;
    }
    closeup->messages[closeup->message_count++] = *message;
    return MW_OK;
}

static enum mw_status add_wait(struct mwa_closeup *closeup, const struct mwa_seen_wait *wait)
{
    if (!overlaps(closeup, wait->from, wait->to)) {
        return MW_OK;
    }
    if (is_full(closeup->wait_count)) {
        keep_first(closeup, closeup->waits, &closeup->wait_count, sizeof *wait, by_begin);
    }
    if (!mwa_grow(&closeup->waits, &closeup->wait_capacity, closeup->wait_count + 1,
                  sizeof *wait)) {
        return MW_ERROR_MEMORY;
    }
    closeup->waits[closeup->wait_count++] = *wait;
    return MW_OK;
}

static void settle(struct mwa_closeup *closeup)
{
    keep_first(closeup, closeup->calls, &closeup->call_count, sizeof *closeup->calls, by_length);
    keep_first(closeup, closeup->messages, &closeup->message_count, sizeof *closeup->messages,
               by_sent);
    keep_first(closeup, closeup->waits, &closeup->wait_count, sizeof *closeup->waits, by_begin);
    if (closeup->call_count > 0) {
        qsort(closeup->calls, closeup->call_count, sizeof *closeup->calls, by_rank);
    }
}

/* --- reading ------------------------------------------------------------------------------ */

/* A region of the program that has not been left. */
struct open_region {
    const struct mwa_region *region;
    uint64_t enter;
};

/* What is known of a rank. */
struct rank {
    struct mwa_seen_call now; /* what the call being made has told so far */
    struct open_region *open; /* the outermost first */
    uint64_t depth, capacity;
};

/* A look at close-ups that are read together. */
struct looking {
    const struct mwa_trace *trace;
    struct rank *ranks;
    struct mwa_closeup *list; /* in order of time */
    uint32_t count;
};

/* What an event tells of the call that it is inside of. */
static void learn(const struct mwa_trace *trace, struct mwa_seen_call *now,
                  const struct mwa_event *event)
{
    const struct mwa_message_data *message = &event->of.message;
    const struct mwa_collective_data *collective = &event->of.collective;

    switch (event->kind) {
    case MWA_SEND:
    case MWA_ISEND:
    case MWA_RECV:
    case MWA_IRECV:
        now->comm = message->comm;
        now->peer = message->comm == MWA_NONE
                        ? MWA_NONE
                        : mwa_trace_peer(trace, message->comm, now->rank, message->peer);
        now->bytes = (now->bytes == UINT64_MAX ? 0 : now->bytes) + message->bytes;
        break;
    case MWA_COLLECTIVE_END:
    case MWA_COLLECTIVE_COMPLETE:
        now->comm = collective->comm;
        now->bytes = collective->bytes_sent > collective->bytes_received
                         ? collective->bytes_sent
                         : collective->bytes_received;
        break;
    default:
        break;
    }
}

static enum mw_status see_call(const struct looking *looking, const struct mwa_seen_call *call)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < looking->count && status == MW_OK; i++) {
        status = add_call(&looking->list[i], call);
    }
    return status;
}

/* When it is left behind a close-up may not be read any more. */
static enum mw_status see_region(const struct looking *looking, const struct mwa_seen_call *call)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < looking->count && status == MW_OK; i++) {
        struct mwa_seen_call part = *call;

        part.goes_on = call->leave > looking->list[i].to;
        part.leave = part.goes_on ? looking->list[i].to : call->leave;
        status = add_call(&looking->list[i], &part);
    }
    return status;
}

static enum mw_status enter_region(struct rank *rank, const struct mwa_moment *moment)
{
    const struct mwa_region *region =
        &moment->trace->regions[moment->event->of.call.region];

    if (region->kind != MWA_REGION_USER) {
        return MW_OK;
    }
    if (!mwa_grow(&rank->open, &rank->capacity, rank->depth + 1, sizeof *rank->open)) {
        return MW_ERROR_MEMORY;
    }
    rank->open[rank->depth++] = (struct open_region){ region, moment->event->time };
    return MW_OK;
}

static const struct mwa_seen_call nothing = { .repeat = 1,
                                              .bytes = UINT64_MAX,
                                              .site = MWA_NONE,
                                              .comm = MWA_NONE,
                                              .peer = MWA_NONE };

/* A region of the program, or an outermost call of MPI. */
static enum mw_status leave(const struct looking *looking, struct rank *rank, uint32_t number,
                            const struct mwa_call *call)
{
    struct mwa_seen_call seen = call->outermost ? rank->now : nothing;

    seen.rank = number;
    seen.region = call->region;
    seen.use = call->use;
    seen.enter = call->enter;
    seen.leave = call->leave;
    seen.repeat = call->repeat;
    if (call->outermost) {
        seen.site = call->site;
        return see_call(looking, &seen);
    }
    rank->depth -= rank->depth > 0;
    return see_region(looking, &seen);
}

static enum mw_status take_moment(void *analysis, const struct mwa_moment *moment)
{
    const struct looking *looking = analysis;
    const uint32_t number = moment->location->rank;
    const struct mwa_call *call = moment->call;
    struct rank *rank;

    if (number == MWA_NONE || !moment->location->master) {
        return MW_OK;
    }
    rank = &looking->ranks[number];
    if (moment->event->kind == MWA_ENTER && moment->mpi && moment->mpi_depth == 1) {
        rank->now = nothing;
        rank->now.rank = number;
    } else if (moment->mpi) {
        learn(looking->trace, &rank->now, moment->event);
    }
    if (moment->event->kind == MWA_ENTER) {
        return enter_region(rank, moment);
    }
    return call && (call->region->kind == MWA_REGION_USER || call->outermost)
               ? leave(looking, rank, number, call)
               : MW_OK;
}

static enum mw_status take_message(void *analysis, struct mwa_message *message)
{
    const struct looking *looking = analysis;
    const struct mwa_exchange_call *end = message->receive_completion;
    const struct mwa_seen_message seen = { .sent = message->sent_at,
                                           .received = end ? end->leave : message->posted_at,
                                           .bytes = message->bytes,
                                           .from = message->send->rank,
                                           .to = message->receive->rank,
                                           .comm = message->comm,
                                           .tag = message->tag };
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; end && i < looking->count && status == MW_OK; i++) {
        status = add_message(&looking->list[i], &seen);
    }
    return status;
}

static enum mw_status take_wait(void *analysis, uint32_t rank, const struct mwa_region *call,
                                enum mwa_use use, uint64_t from, uint64_t to)
{
    const struct looking *looking = analysis;
    const struct mwa_seen_wait seen = { .from = from, .to = to, .call = call, .rank = rank };
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < looking->count && status == MW_OK; i++) {
        status = add_wait(&looking->list[i], &seen);
    }
    return status;
}

/* Regions that are open where reading ends are left behind all that is looked at. */
static enum mw_status see_open(const struct looking *looking)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < looking->trace->rank_count; i++) {
        const struct rank *rank = &looking->ranks[i];

        for (uint64_t k = 0; k < rank->depth && status == MW_OK; k++) {
            struct mwa_seen_call seen = nothing;

            seen.rank = (uint32_t)i;
            seen.region = rank->open[k].region;
            seen.enter = rank->open[k].enter;
            seen.leave = UINT64_MAX;
            status = see_region(looking, &seen);
        }
    }
    return status;
}

/* It is its caller's, whose user it is; there is nothing that it makes. */
static enum mw_status begin(const struct mwa_trace *trace, uint32_t slot,
                            const struct mwa_scope *scope, void **analysis)
{
    *analysis = scope->user;
    return MW_OK;
}

static enum mw_status finish(void *analysis, void *result)
{
    return see_open(analysis);
}

static void destroy(void *analysis)
{
}

static const struct mwa_exchange_analysis looking_analysis = { .name = "close-ups",
                                                               .create = begin,
                                                               .listener = { .message =
                                                                                 take_message },
                                                               .moment = take_moment,
                                                               .wait = take_wait,
                                                               .finish = finish,
                                                               .destroy = destroy };

/* Reads as far as the last of what is looked at, from the quiet place before the first. */
static enum mw_status read_them(struct mwa_input *share, const struct mwa_scope *scope,
                                struct looking *looking, struct mw_diagnostic *diagnostic)
{
    struct mwa_waits waits = { .violations = 0 };
    const struct mwa_wanted_exchange wanted[] = { { &looking_analysis, NULL },
                                                  { &mwa_waits_analysis, &waits } };
    const struct mwa_scope told = { .rank = scope->rank,
                                    .comms = scope->comms,
                                    .from = scope->from,
                                    .to = scope->to,
                                    .user = looking };
    struct mwa_pass pass = { .input = share, .only_rank = MWA_NONE };
    struct mwa_results ignored = { .trace = looking->trace };
    struct mwa_reading_start *start;
    enum mw_status status;

    for (uint32_t i = 0; i < looking->count; i++) {
        pass.until = looking->list[i].to > pass.until ? looking->list[i].to : pass.until;
    }
    pass.until = pass.until == UINT64_MAX ? 0 : pass.until;
    start = mwa_reading_start_find(share, scope->known, looking->list[0].from);
    mwa_input_begin_at(share, start);
    status = mwa_exchanges_run(&pass, wanted, 2, &told, NULL, &ignored, diagnostic);
    mwa_input_begin_at(share, NULL);
    mwa_reading_start_free(start);
    mwa_matching_result_fini(&ignored.matching);
    mwa_waits_fini(&waits);
    return status;
}

static enum mw_status look(struct mwa_input *share, const struct mwa_scope *scope,
                           struct mwa_closeup *list, uint32_t count,
                           struct mw_diagnostic *diagnostic)
{
    struct looking looking = { .trace = mwa_input_trace(share), .list = list, .count = count };
    enum mw_status status;

    looking.ranks = calloc(looking.trace->rank_count + 1, sizeof *looking.ranks);
    status = looking.ranks ? read_them(share, scope, &looking, diagnostic)
                           : mw_no_memory(diagnostic, NULL, "for close-ups");
    for (uint64_t i = 0; looking.ranks && i < looking.trace->rank_count; i++) {
        free(looking.ranks[i].open);
    }
    free(looking.ranks);
    return status;
}

static int first_first(const void *left, const void *right)
{
    const struct mwa_closeup *a = left, *b = right;

    return mw_order(a->from, b->from) ?: mw_order(a->to, b->to);
}

/* How many places are known before time where reading may begin. */
static uint64_t places_before(const struct mwa_scope *scope, uint64_t time)
{
    return scope->known ? mwa_block_states_quiet_before(scope->known, time) : 0;
}

/* Whether reading can't begin anew between two of them, of which next is the later one. */
static bool go_together(const struct mwa_scope *scope, const struct mwa_closeup *closeup,
                        const struct mwa_closeup *next)
{
    return places_before(scope, next->from) <= places_before(scope, closeup->to);
}

/* Looks at all of them in order of time, together at those that go together. */
static enum mw_status look_at_all(struct mwa_input *share, const struct mwa_scope *scope,
                                  struct mwa_closeups *closeups,
                                  struct mw_diagnostic *diagnostic)
{
    struct mwa_closeup *list = closeups->list;
    enum mw_status status = MW_OK;
    uint32_t next;

    qsort(list, closeups->count, sizeof *list, first_first);
    for (uint32_t first = 0; first < closeups->count && status == MW_OK; first = next) {
        next = first + 1;
        while (next < closeups->count && go_together(scope, &list[next - 1], &list[next])) {
            next++;
        }
        status = look(share, scope, &list[first], next - first, diagnostic);
    }
    for (uint32_t i = 0; i < closeups->count; i++) {
        settle(&list[i]);
    }
    qsort(list, closeups->count, sizeof *list, longest_first);
    return status;
}

enum mw_status mwa_closeups_find(struct mwa_input *input, const struct mwa_scope *scope,
                                 struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    struct mwa_closeups *closeups = &results->closeups;
    struct mwa_input *share = NULL;
    enum mw_status status = choose(results, closeups);

    if (status != MW_OK) {
        return mw_no_memory(diagnostic, NULL, "for close-ups");
    }
    if (closeups->count == 0) {
        return MW_OK;
    }
    status = mwa_input_share(input, &share, diagnostic);
    if (status == MW_OK) {
        mwa_input_set_threads(share, mwa_input_threads(input));
        mwa_input_begin_at(share, NULL);
        status = look_at_all(share, scope, closeups, diagnostic);
        mwa_input_close(share);
    }
    return status;
}
