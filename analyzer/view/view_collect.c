/*
 * The engine tells of an exchange long after the calls that made it were read. Which of a
 * location's calls it means is known by counting: outermost calls of MPI are begun in the order in
 * which they are entered.
 */
#include "analyzer/view/view_collect.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/exchanges.h"
#include "analyzer/analysis/counters/levels.h"
#include "analyzer/analysis/waits/waits.h"
#include "analyzer/view/view_actions.h"
#include "analyzer/view/view_finders.h"
#include "analyzer/view/view_threads.h"
#include "analyzer/view/view_lanes_make.h"
#include "analyzer/view/view_off_core.h"
#include "analyzer/view/view_preview.h"

#define FACTS_KNOWN 65536u /* calls that say the same are looked for among so many, by hash */

/* A call that is open. */
struct open_call {
    uint32_t call;
    bool is_mpi;
    uint64_t repeat;
    struct mwa_call_facts facts;
};

/* A location that is being read. */
struct reading {
    struct open_call *stack;
    uint64_t capacity;
    uint32_t depth;
    uint64_t next_begun; /* of its calls: where the next one is that the engine begins */
    uint64_t paused_at;
    bool is_paused;
};

struct collecting {
    struct mwa_view_store *store;
    const atomic_bool *stop;
    struct mw_diagnostic *diagnostic;
    struct reading *readings;
    struct mwa_view_threads threads;
    struct mwa_view_finders finders;
    uint32_t *known; /* facts, by hash; MWA_NONE: none yet */
    uint32_t slot;
};

/* --- calls -------------------------------------------------------------------------------- */

static enum mw_status enter(struct collecting *collecting, uint32_t location,
                            const struct mwa_moment *moment)
{
    struct mwa_view_store *store = collecting->store;
    struct reading *reading = &collecting->readings[location];
    const struct mwa_region_data *data = &moment->event->of.call;
    const bool is_mpi = store->trace->regions[data->region].kind != MWA_REGION_USER;
    struct mwa_view_call *call;
    uint32_t number;
    enum mw_status status;

    if (!mwa_grow(&reading->stack, &reading->capacity, reading->depth + 1u,
                  sizeof *reading->stack)) {
        return mw_no_memory(collecting->diagnostic, NULL, "for the calls");
    }
    status = mwa_view_store_add_call(store, location, &number, collecting->diagnostic);
    if (status != MW_OK) {
        return status;
    }
    call = mwa_view_call_at(store, number);
    *call = (struct mwa_view_call){
        .enter = moment->event->time,
        .leave = UINT64_MAX,
        .region = data->region,
        .site = is_mpi ? data->site : MWA_NONE,
        .parent = reading->depth > 0 ? reading->stack[reading->depth - 1].call : MWA_NONE,
        .facts = MWA_NONE,
        .ends = MWA_NONE,
        .waits = MWA_NONE,
        .members = MWA_NONE,
        .polls = MWA_NONE,
        .actions = MWA_NONE,
        .depth = reading->depth < UINT16_MAX ? (uint16_t)reading->depth : UINT16_MAX,
        .is_outermost = is_mpi && moment->mpi_depth == 1
    };
    reading->stack[reading->depth] = (struct open_call){ number, is_mpi, 1, mwa_no_facts };
    if (is_mpi) {
        mwa_call_facts_take(&reading->stack[reading->depth].facts, store->trace,
                            moment->location->rank, moment->event);
    }
    reading->depth++;
    return MW_OK;
}

static uint32_t hash(const struct mwa_call_facts *facts)
{
    uint64_t mixed = facts->bytes_sent * 0x9e3779b97f4a7c15u + facts->bytes_received;

    mixed = (mixed ^ facts->comm) * 0xff51afd7ed558ccdu;
    mixed = (mixed ^ facts->peer ^ (uint64_t)facts->tag << 32) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)((mixed ^ facts->root) >> 40) % FACTS_KNOWN;
}

static bool is_same(const struct mwa_call_facts *one, const struct mwa_call_facts *other)
{
    return one->bytes_sent == other->bytes_sent && one->bytes_received == other->bytes_received &&
           one->comm == other->comm && one->peer == other->peer && one->tag == other->tag &&
           one->root == other->root && one->has_comm == other->has_comm &&
           one->has_peer == other->has_peer && one->has_bytes == other->has_bytes;
}

/* Programs say the same again and again: it is kept once. */
static enum mw_status keep_facts(struct collecting *collecting,
                                 const struct mwa_call_facts *facts, uint32_t *number)
{
    struct mwa_view_array *array = &collecting->store->facts;
    uint32_t *known = &collecting->known[hash(facts)];
    enum mw_status status = MW_OK;

    if (*known == MWA_NONE || !is_same(mwa_view_array_at(array, *known), facts)) {
        status = mwa_view_array_add(array, 1, collecting->diagnostic);
        if (status == MW_OK) {
            *known = (uint32_t)(array->count - 1);
            *(struct mwa_call_facts *)mwa_view_array_at(array, *known) = *facts;
        }
    }
    *number = *known;
    return status;
}

static enum mw_status keep_polls(struct collecting *collecting, const struct mwa_call *left,
                                 uint32_t *number)
{
    struct mwa_view_array *array = &collecting->store->polls;
    enum mw_status status = MW_OK;

    if (left->repeat > 1 || left->inclusive < left->leave - left->enter) {
        status = mwa_view_array_add(array, 1, collecting->diagnostic);
        if (status == MW_OK) {
            *number = (uint32_t)(array->count - 1);
            *(struct mwa_view_polls *)mwa_view_array_at(array, *number) =
                (struct mwa_view_polls){ left->repeat, left->inclusive };
        }
    }
    return status;
}

static enum mw_status leave(struct collecting *collecting, uint32_t location,
                            const struct mwa_moment *moment)
{
    struct reading *reading = &collecting->readings[location];
    const struct mwa_call *left = moment->call;
    const struct open_call *open;
    struct mwa_view_call *call;
    enum mw_status status = MW_OK;

    if (reading->depth == 0) {
        return MW_OK;
    }
    open = &reading->stack[--reading->depth];
    call = mwa_view_call_at(collecting->store, open->call);
    call->leave = left->leave;
    call->is_open = left->open;
    call->use = left->use;
    if (call->is_outermost && collecting->store->preview) {
        mwa_view_preview_add(collecting->store->preview, location,
                             mwa_view_state_of(collecting->store, call), call->enter,
                             call->leave);
    }
    if (open->is_mpi) {
        call->site = left->site; /* some tools tell it when the call is left */
        status = keep_facts(collecting, &open->facts, &call->facts);
        if (status == MW_OK) {
            status = keep_polls(collecting, left, &call->polls);
        }
    }
    return status;
}

/* --- what a rank's run is ------------------------------------------------------------------- */

static enum mw_status add_pause(struct collecting *collecting, struct mwa_view_location *location,
                                uint64_t from, uint64_t to)
{
    if (from >= to) {
        return MW_OK;
    }
    if (!mwa_grow(&location->pauses, &location->pause_capacity, location->pause_count + 1,
                  sizeof *location->pauses)) {
        return mw_no_memory(collecting->diagnostic, NULL, "for the pauses");
    }
    location->pauses[location->pause_count++] = (struct mwa_view_pause){ from, to };
    return MW_OK;
}

/* Pauses lie between calls: what a call covers counts as that. */
static enum mw_status follow_pauses(struct collecting *collecting, uint32_t index,
                                    const struct mwa_moment *moment)
{
    struct mwa_view_location *location = &collecting->store->locations[index];
    struct reading *reading = &collecting->readings[index];
    const uint64_t from = reading->paused_at, now = moment->event->time;

    if (moment->call && moment->call->outermost && reading->is_paused) {
        reading->paused_at = now;
        return add_pause(collecting, location, from, moment->call->enter);
    }
    if (moment->event->kind != MWA_MEASUREMENT || reading->is_paused != moment->event->of.on) {
        return MW_OK;
    }
    reading->is_paused = !moment->event->of.on;
    reading->paused_at = now;
    return reading->is_paused ? MW_OK
                              : add_pause(collecting, location, from,
                                          moment->mpi_depth > 0 ? moment->mpi_enter : now);
}

/* As rank_states.c has it. */
static enum mw_status follow_run(struct collecting *collecting, uint32_t index,
                                 const struct mwa_moment *moment)
{
    struct mwa_view_location *location = &collecting->store->locations[index];
    const uint64_t now = moment->event->time;

    if (location->first == UINT64_MAX) {
        location->first = location->run_from = now;
        location->run_to = UINT64_MAX;
    }
    location->last = now;
    if (mwa_begins_run(moment)) {
        location->run_from = now;
    }
    if (mwa_ends_run(moment) && location->run_to == UINT64_MAX) {
        location->run_to = now;
    }
    return follow_pauses(collecting, index, moment);
}

static enum mw_status take_moment(void *user, const struct mwa_moment *moment)
{
    struct collecting *collecting = user;
    const struct mwa_trace *trace = collecting->store->trace;
    const uint32_t location = (uint32_t)(moment->location - trace->locations);
    struct reading *reading = &collecting->readings[location];
    enum mw_status status = follow_run(collecting, location, moment);

    if (status == MW_OK) {
        status = mwa_view_threads_take(&collecting->threads, location, moment);
    }
    if (status != MW_OK || atomic_load_explicit(collecting->stop, memory_order_relaxed)) {
        return status != MW_OK ? status : MW_END;
    }
    if (moment->event->kind == MWA_RUNNING) {
        return mwa_view_off_core_take(collecting->store, location, moment->event,
                                      collecting->diagnostic);
    }
    if (moment->event->kind == MWA_ENTER) {
        return enter(collecting, location, moment);
    }
    if (moment->call) {
        return leave(collecting, location, moment);
    }
    for (uint32_t i = reading->depth; moment->mpi && i-- > 0;) {
        if (reading->stack[i].is_mpi) {
            mwa_call_facts_take(&reading->stack[i].facts, trace, moment->location->rank,
                                moment->event);
            return mwa_view_is_action(moment->event)
                       ? mwa_view_action_add(collecting->store, reading->stack[i].call,
                                             moment->location->rank, moment->event,
                                             collecting->diagnostic)
                       : MW_OK;
        }
    }
    return MW_OK;
}

/* --- exchanges ---------------------------------------------------------------------------- */

static enum mw_status take_begin(void *user, struct mwa_exchange_call *begun)
{
    struct collecting *collecting = user;
    const struct mwa_view_store *store = collecting->store;
    const struct mwa_view_location *location = &store->locations[begun->location];
    struct reading *reading = &collecting->readings[begun->location];

    while (begun->region && reading->next_begun < location->call_count) {
        const uint32_t number = mwa_view_nth(location, reading->next_begun);
        const struct mwa_view_call *call = mwa_view_call_at(store, number);

        if (call->is_outermost && call->enter >= begun->enter) {
            if (call->enter == begun->enter) {
                begun->note[collecting->slot] = number + UINT64_C(1);
                reading->next_begun++;
            }
            return MW_OK;
        }
        reading->next_begun++;
    }
    return MW_OK;
}

/* The number of the engine's call; MWA_NONE: there is none. */
static uint32_t number_of(const struct collecting *collecting,
                          const struct mwa_exchange_call *call)
{
    return call && call->note[collecting->slot] > 0
               ? (uint32_t)(call->note[collecting->slot] - 1)
               : MWA_NONE;
}

/* Puts what belongs to a call at the beginning of its list; *next is what was there. */
static void chain(uint32_t *list, uint32_t item, uint32_t *next)
{
    *next = *list;
    *list = item;
}

/* Messages are told behind the ends of those who probe for them, which are noted until then. A
 * receive of another thread that ended before is not known to have been probed for. */
static enum mw_status take_probed(void *user, struct mwa_exchange_call *ended)
{
    struct collecting *collecting = user;
    const uint32_t number = number_of(collecting, ended);

    return ended->found && number != MWA_NONE && !ended->found->is_told
               ? mwa_view_finders_add(&collecting->finders, collecting->store, number,
                                      &ended->found->note[collecting->slot],
                                      collecting->diagnostic)
               : MW_OK;
}

static enum mw_status take_message(void *user, struct mwa_message *told)
{
    struct collecting *collecting = user;
    struct mwa_view_store *store = collecting->store;
    enum mw_status status = mwa_view_array_add(&store->messages, 1, collecting->diagnostic);
    const uint32_t number = (uint32_t)(store->messages.count - 1);
    struct mwa_view_message *message;

    if (status != MW_OK) {
        return status;
    }
    if (number >= MWA_NONE >> MWA_VIEW_ROLE_BITS) {
        return mw_fail(collecting->diagnostic, MW_ERROR_SPACE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "there are more messages than can be numbered");
    }
    message = mwa_view_message_at(store, number);
    *message = (struct mwa_view_message){
        .number = told->number,
        .sent = told->sent_at,
        .posted = told->posted_at,
        .bytes = told->bytes,
        .comm = told->comm,
        .tag = told->tag,
        .calls = { [MWA_VIEW_SENDS] = number_of(collecting, told->send),
                   [MWA_VIEW_RECEIVES] = number_of(collecting, told->receive_completion),
                   [MWA_VIEW_COMPLETES_SEND] = number_of(collecting, told->send_completion),
                   [MWA_VIEW_POSTS_RECEIVE] = number_of(collecting, told->receive),
                   [MWA_VIEW_FINDS] = mwa_view_finders_received(&collecting->finders, store,
                                                                told->note[collecting->slot]) }
    };
    for (unsigned role = 0; role < MWA_VIEW_ROLES; role++) {
        bool is_known = message->calls[role] == MWA_NONE;

        for (unsigned other = 0; other < role; other++) {
            is_known |= message->calls[other] == message->calls[role];
        }
        message->next[role] = MWA_NONE;
        if (!is_known) {
            chain(&mwa_view_call_at(store, message->calls[role])->ends,
                  mwa_view_end(number, role), &message->next[role]);
        }
    }
    return MW_OK;
}

static enum mw_status keep_member(struct collecting *collecting,
                                  const struct mwa_member *told, uint32_t number)
{
    struct mwa_view_store *store = collecting->store;
    struct mwa_view_member *member = mwa_view_member_at(store, number);
    struct mwa_view_collective *collective =
        mwa_view_array_at(&store->collectives, store->collectives.count - 1);

    member->collective = (uint32_t)(store->collectives.count - 1);
    member->rank = told->rank;
    member->begin = number_of(collecting, told->begin);
    member->end = number_of(collecting, told->end);
    member->next[0] = member->next[1] = MWA_NONE;
    collective->bytes_sent += told->bytes_sent;
    collective->bytes_received += told->bytes_received;
    if (member->begin != MWA_NONE) {
        chain(&mwa_view_call_at(store, member->begin)->members, number << 1, &member->next[0]);
    }
    if (member->end != MWA_NONE && member->end != member->begin) {
        chain(&mwa_view_call_at(store, member->end)->members, number << 1 | 1, &member->next[1]);
    }
    return MW_OK;
}

static enum mw_status take_collective(void *user, struct mwa_collective *told)
{
    struct collecting *collecting = user;
    struct mwa_view_store *store = collecting->store;
    const uint64_t first = store->members.count;
    enum mw_status status = mwa_view_array_add(&store->collectives, 1, collecting->diagnostic);

    if (status == MW_OK) {
        status = mwa_view_array_add(&store->members, told->count, collecting->diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    if (store->members.count >= MWA_NONE >> 1) {
        return mw_fail(collecting->diagnostic, MW_ERROR_SPACE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "there are more collective operations than can be numbered");
    }
    *(struct mwa_view_collective *)mwa_view_array_at(&store->collectives,
                                                     store->collectives.count - 1) =
        (struct mwa_view_collective){
            .comm = told->comm,
            .first = (uint32_t)first,
            .count = told->count,
            .root = told->root < told->count ? told->members[told->root].rank : MWA_NONE,
            .kind = (uint32_t)told->kind
        };
    for (uint32_t i = 0; i < told->count && status == MW_OK; i++) {
        status = keep_member(collecting, &told->members[i], (uint32_t)first + i);
    }
    return status;
}

static enum mw_status take_wait(void *user, unsigned pattern, const struct mwa_wait *told)
{
    struct collecting *collecting = user;
    struct mwa_view_store *store = collecting->store;
    const uint32_t call = mwa_view_mpi_at(store, &store->locations[told->location], told->time);
    struct mwa_view_wait *wait;
    enum mw_status status;

    if (call == MWA_NONE || told->wait == 0) {
        return MW_OK;
    }
    status = mwa_view_array_add(&store->waits, 1, collecting->diagnostic);
    if (status != MW_OK) {
        return status;
    }
    wait = mwa_view_wait_at(store, (uint32_t)(store->waits.count - 1));
    *wait = (struct mwa_view_wait){ .from = told->time,
                                    .to = told->time + told->wait,
                                    .message = told->message,
                                    .call = call,
                                    .pattern = pattern,
                                    .cause = told->cause,
                                    .comm = told->comm };
    chain(&mwa_view_call_at(store, call)->waits, (uint32_t)(store->waits.count - 1), &wait->next);
    return MW_OK;
}

/* --- the pass ------------------------------------------------------------------------------- */

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    struct collecting *collecting = scope->user;

    collecting->slot = slot;
    *analysis = collecting;
    return MW_OK;
}

static enum mw_status finish(void *analysis, void *result)
{
    return MW_OK;
}

static void destroy(void *analysis)
{
}

static const struct mwa_exchange_analysis collecting_analysis = {
    .name = "view",
    .create = create,
    .listener = { .begin = take_begin,
                  .end = take_probed,
                  .message = take_message,
                  .collective = take_collective },
    .moment = take_moment,
    .finish = finish,
    .destroy = destroy,
};

/* A location's run ends with its last event at the latest; so does a pause. */
static void end_runs(struct collecting *collecting)
{
    struct mwa_view_store *store = collecting->store;

    for (uint64_t i = 0; i < store->trace->location_count; i++) {
        struct mwa_view_location *location = &store->locations[i];
        const struct reading *reading = &collecting->readings[i];

        if (location->first <= location->last) {
            location->run_to = location->run_to < location->last ? location->run_to
                                                                 : location->last;
            if (reading->is_paused && reading->paused_at < location->run_to) {
                location->run_to = reading->paused_at;
            }
            store->from = location->first < store->from ? location->first : store->from;
            store->to = location->last > store->to ? location->last : store->to;
        }
    }
}

static bool allocate(struct collecting *collecting)
{
    collecting->readings =
        calloc(collecting->store->trace->location_count + 1, sizeof *collecting->readings);
    collecting->known = malloc(FACTS_KNOWN * sizeof *collecting->known);
    if (collecting->known) {
        memset(collecting->known, 0xff, FACTS_KNOWN * sizeof *collecting->known);
    }
    return collecting->readings && collecting->known;
}

enum mw_status mwa_view_collect(struct mwa_input *input, const char *path,
                                struct mwa_view_store *store, const atomic_bool *stop,
                                struct mw_diagnostic *diagnostic)
{
    struct mw_diagnostic own = { .status = MW_OK };
    struct collecting collecting = { .store = store, .stop = stop, .diagnostic = &own };
    struct mwa_waits waits = { .violations = 0 };
    struct mwa_view_lanes_making lanes;
    const struct mwa_wanted_exchange wanted[] = { { &collecting_analysis, NULL },
                                                  { &mwa_waits_analysis, &waits },
                                                  { &mwa_levels_analysis, &lanes.levels } };
    const struct mwa_scope scope = { MWA_ALL_OF_IT, .told = take_wait, .told_user = &collecting,
                                     .level = mwa_view_lanes_take, .level_user = &lanes,
                                     .user = &collecting };
    struct mwa_pass pass = { .input = input, .analyses = mwa_view_lane_analyses,
                             .analysis_count = MWA_VIEW_LANE_ANALYSES, .only_rank = MWA_NONE };
    struct mwa_results ignored = { .path = path, .trace = store->trace };
    enum mw_status status = mwa_view_lanes_begin(&lanes, diagnostic);

    if (status == MW_OK && !allocate(&collecting)) {
        status = mw_no_memory(diagnostic, NULL, "for the view");
    }
    if (status == MW_OK) {
        status = mwa_view_threads_begin(&collecting.threads, store, &own);
    }
    if (status == MW_OK) {
        status = mwa_exchanges_run(&pass, wanted, 3, &scope, lanes.totals, &ignored, diagnostic);
    }
    if (status == MW_OK) {
        end_runs(&collecting);
        mwa_view_off_core_make(store);
        status = mwa_view_threads_end(&collecting.threads);
    }
    if (status == MW_OK) {
        status = mwa_view_lanes_make(&lanes, store, diagnostic);
    } else if (atomic_load(stop)) {
        status = MW_END;
    }
    if (status != MW_END && own.status != MW_OK) { /* why it ended: the pass knows that it did */
        *diagnostic = own;
        status = own.status;
    } else if (lanes.diagnostic.status != MW_OK) {
        *diagnostic = lanes.diagnostic;
        status = lanes.diagnostic.status;
    }
    mwa_view_threads_fini(&collecting.threads);
    mwa_view_finders_fini(&collecting.finders);
    mwa_view_lanes_end(&lanes);
    mwa_matching_result_fini(&ignored.matching);
    mwa_waits_fini(&waits);
    for (uint64_t i = 0; collecting.readings && i < store->trace->location_count; i++) {
        free(collecting.readings[i].stack);
    }
    free(collecting.readings);
    free(collecting.known);
    return status;
}
