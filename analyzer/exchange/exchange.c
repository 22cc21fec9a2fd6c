#include "analyzer/exchange/exchange_engine.h"

#include <stdlib.h>
#include <string.h>

/* Without these nothing is known of windows. */
#define WINDOW_KINDS (1u << MWA_WINDOW_COLLECTIVE | 1u << MWA_ONESIDED)

static enum mw_status no_memory(struct mwa_exchange *exchange)
{
    return mw_no_memory(&exchange->diagnostic, NULL, "to follow messages");
}

/* --- what matching tells ---------------------------------------------------------------- */

static struct mwa_exchange_call *keep(struct mwa_exchange_call *call)
{
    call->references++;
    return call;
}

static enum mw_status on_sent(void *user, void *call_object, uint32_t rank,
                              const struct mwa_event *event, void **send)
{
    struct mwa_exchange *exchange = user;
    struct mwa_exchange_call *call = call_object;
    struct mwa_message *message = mwa_pool_take(&exchange->messages);

    if (!message) {
        return no_memory(exchange);
    }
    message->note = (uint64_t *)(message + 1);
    message->bytes = event->of.message.bytes;
    message->comm = event->of.message.comm;
    message->tag = event->of.message.tag;
    message->number = (uint64_t)rank << MWA_MESSAGE_RANK_BITS | exchange->sent[rank]++;
    message->sent_at = event->time;
    message->send = keep(call);
    message->next_begun = call->begun;
    call->begun = message;
    exchange->places[call->location].open++;
    message->references = 2;
    *send = message;
    return MW_OK;
}

static enum mw_status on_send_ended(void *user, void *call_object, void *send)
{
    struct mwa_exchange *exchange = user;
    struct mwa_exchange_call *call = call_object;
    struct mwa_message *message = send;

    call->send_count++;
    exchange->places[message->send->location].open--;
    __atomic_store_n(&message->send_completion, keep(call), __ATOMIC_RELAXED);
    if (call->has_ended) {
        return mwa_exchange_try_message(exchange, message);
    }
    message->next_completed = call->completed;
    call->completed = message;
    message->references++;
    return MW_OK;
}

/* Nobody has received message, or nobody knows who has. */
static void give_up(struct mwa_exchange *exchange, struct mwa_message *message)
{
    if (!message->is_told && !message->is_cancelled) {
        message->is_cancelled = true;
        mwa_exchange_release_message(exchange, message);
    }
}

static enum mw_status on_send_cancelled(void *user, void *send)
{
    struct mwa_exchange *exchange = user;
    struct mwa_message *message = send;

    exchange->places[message->send->location].open--;
    give_up(exchange, message);
    return MW_OK;
}

static enum mw_status on_posted(void *user, void *call, uint32_t rank, uint64_t time,
                                void **object)
{
    struct mwa_exchange *exchange = user;
    struct mwa_exchange_receive *receive = mwa_pool_take(&exchange->receives);

    if (!receive) {
        return no_memory(exchange);
    }
    receive->post = keep(call);
    receive->posted_at = time;
    exchange->places[receive->post->location].open++;
    *object = receive;
    return MW_OK;
}

void mwa_exchange_forget_receive(struct mwa_exchange *exchange,
                                 struct mwa_exchange_receive *receive)
{
    receive->post = NULL;
    mwa_pool_give(&exchange->receives, receive);
}

/* A receive is matched and complete: the message has all of it. */
static enum mw_status join(struct mwa_exchange *exchange, struct mwa_exchange_receive *receive)
{
    struct mwa_message *message = receive->message;
    struct mwa_exchange_call *call = receive->completion;
    enum mw_status status = MW_OK;

    message->receive = receive->post;
    message->receive_completion = call;
    message->posted_at = receive->posted_at;
    message->received_at = receive->received_at;
    message->violates = receive->received_at < message->sent_at;
    mwa_exchange_forget_receive(exchange, receive);
    mwa_exchange_await_post(message);
    if (call->has_ended) {
        status = mwa_exchange_try_message(exchange, message);
        mwa_exchange_release_message(exchange, message);
        return status;
    }
    message->next_received = call->received; /* the receive's reference goes to the list */
    call->received = message;
    if (message->send->has_begun) {
        mwa_exchange_decide(exchange, call);
    }
    return MW_OK;
}

static enum mw_status on_received(void *user, void *call_object, void *object,
                                  const struct mwa_event *event)
{
    struct mwa_exchange *exchange = user;
    struct mwa_exchange_receive *receive = object;
    struct mwa_exchange_call *call = call_object;

    exchange->places[receive->post->location].open--;
    receive->completion = keep(call);
    receive->received_at = event->time;
    call->receive_count++;
    call->undecided++;
    return receive->message ? join(exchange, receive) : MW_OK;
}

static enum mw_status on_matched(void *user, void *send, void *object)
{
    struct mwa_exchange *exchange = user;
    struct mwa_exchange_receive *receive = object;
    struct mwa_message *message = send;

    message->is_matched = true;
    if (!receive) { /* it took a cancelled send's place: who received it can't be known */
        give_up(exchange, message);
        return MW_OK;
    }
    receive->message = message;
    message->references++;
    return receive->completion ? join(exchange, receive) : MW_OK;
}

static enum mw_status on_receive_dropped(void *user, void *object)
{
    struct mwa_exchange *exchange = user;
    struct mwa_exchange_receive *receive = object;

    if (receive->completion) {
        mwa_exchange_decide(exchange, receive->completion);
    } else {
        exchange->places[receive->post->location].open--;
    }
    mwa_exchange_release_call(exchange, receive->post);
    mwa_exchange_release_call(exchange, receive->completion);
    mwa_exchange_forget_receive(exchange, receive);
    return MW_OK;
}

/* Takes an event of call. */
static enum mw_status take(struct mwa_exchange *exchange, uint32_t rank,
                           const struct mwa_event *event, struct mwa_exchange_call *call)
{
    exchange->result.seen_kinds |= 1u << event->kind;
    switch (event->kind) {
    case MWA_COLLECTIVE_END:
    case MWA_COLLECTIVE_POST:
    case MWA_COLLECTIVE_COMPLETE:
    case MWA_COMM_CREATE:
    case MWA_WINDOW_COLLECTIVE:
        return mwa_exchange_groups_take(exchange, rank, event, call);
    case MWA_ONESIDED:
        exchange->result.seen_steps |= 1u << event->of.onesided.step;
        return mwa_exchange_onesided_take(exchange, rank, &event->of.onesided, call);
    default:
        return mwa_matching_take(exchange->matching, rank, event, call->enter, call);
    }
}

/* Takes an event that was kept back until its turn among those of its rank. */
static enum mw_status take_in_order(void *user, uint32_t rank, const struct mwa_event *event,
                                    uint64_t enter, void *object)
{
    struct mwa_exchange *exchange = user;
    struct mwa_exchange_call *call = object;
    enum mw_status status;

    if (!call) {
        return mwa_matching_take(exchange->matching, rank, event, enter, NULL);
    }
    status = take(exchange, rank, event, call);
    mwa_exchange_ordered(exchange, call);
    return status;
}

/* Takes an event of call when its turn has come: where the rank has no other threads, now. */
static enum mw_status order(struct mwa_exchange *exchange, uint32_t rank,
                            const struct mwa_event *event, struct mwa_exchange_call *call)
{
    if (exchange->trace->ranks[rank].locations == 1) {
        return take(exchange, rank, event, call);
    }
    call->unordered++;
    call->undecided++;
    call->references++;
    return mwa_ordering_event(exchange->ordering, event, call->enter, call);
}

/* --- the module ------------------------------------------------------------------------- */

static enum mw_status make_parts(struct mwa_exchange *exchange, struct mwa_input *input)
{
    const struct mwa_matching_listener listener = { .user = exchange,
                                                    .sent = on_sent,
                                                    .send_ended = on_send_ended,
                                                    .send_cancelled = on_send_cancelled,
                                                    .posted = on_posted,
                                                    .received = on_received,
                                                    .probed = mwa_exchange_probed,
                                                    .found = mwa_exchange_probe_found,
                                                    .receive_dropped = on_receive_dropped,
                                                    .matched = on_matched };
    enum mw_status status = mwa_matching_create(exchange->trace, input, &listener,
                                                &exchange->matching, &exchange->diagnostic);

    if (status == MW_OK) {
        status = mwa_ordering_create(exchange->trace, take_in_order, exchange, &exchange->ordering,
                                     &exchange->diagnostic);
    }
    if (status == MW_OK && (!mwa_exchange_groups_init(exchange) ||
                            !mwa_exchange_onesided_init(exchange))) {
        status = no_memory(exchange);
    }
    return status;
}

enum mw_status mwa_exchange_create(const struct mwa_trace *trace, struct mwa_input *input,
                                   const struct mwa_exchange_listener *listeners, uint32_t count,
                                   struct mwa_exchange **result, struct mw_diagnostic *diagnostic)
{
    const size_t notes = count * sizeof(uint64_t);
    struct mwa_exchange *exchange = calloc(1, sizeof *exchange + count * sizeof *listeners);
    enum mw_status status = MW_ERROR_MEMORY;

    if (exchange) {
        *exchange = (struct mwa_exchange){ .trace = trace,
                                           .listener_count = count,
                                           .calls.size = sizeof(struct mwa_exchange_call) + notes,
                                           .messages.size = sizeof(struct mwa_message) + notes,
                                           .receives.size = sizeof(struct mwa_exchange_receive),
                                           .ready = MWA_NONE };
        if (count > 0) {
            memcpy(exchange->listeners, listeners, count * sizeof *listeners);
        }
        exchange->places = mwa_exchange_make_places(trace);
        exchange->sent = calloc(trace->rank_count + 1, sizeof *exchange->sent);
        status = exchange->places && exchange->sent &&
                         mwa_audience_init(&exchange->near, MWA_AUDIENCE_ALL, exchange->listeners,
                                           count)
                     ? make_parts(exchange, input)
                     : MW_ERROR_MEMORY;
    }
    if (status != MW_OK) {
        if (diagnostic && exchange && exchange->diagnostic.status != MW_OK) {
            *diagnostic = exchange->diagnostic;
        } else {
            status = mw_no_memory(diagnostic, NULL, "to follow messages");
        }
        mwa_exchange_destroy(exchange);
        return status;
    }
    *result = exchange;
    return MW_OK;
}

void mwa_exchange_keep_tails(struct mwa_exchange *exchange, struct mwa_tails *tails)
{
    exchange->tails = tails;
    mwa_matching_keep_tails(exchange->matching, tails);
}

void mwa_exchange_destroy(struct mwa_exchange *exchange)
{
    if (!exchange) {
        return;
    }
    if (exchange->relay) {
        (void)mwa_relay_end(exchange->relay); /* it has failed, or the pass has */
    }
    mwa_exchange_onesided_fini(exchange);
    mwa_exchange_groups_fini(exchange);
    mwa_ordering_destroy(exchange->ordering);
    mwa_matching_destroy(exchange->matching);
    mwa_lineup_fini(&exchange->by_leave);
    mwa_pool_fini(&exchange->calls);
    mwa_pool_fini(&exchange->messages);
    mwa_pool_fini(&exchange->receives);
    free(exchange->places);
    mwa_audience_fini(&exchange->near);
    free(exchange->sent);
    free(exchange->sorting);
    free(exchange);
}

const struct mw_diagnostic *mwa_exchange_diagnostic(const struct mwa_exchange *exchange)
{
    return exchange->diagnostic.status != MW_OK ? &exchange->diagnostic
                                                : mwa_matching_diagnostic(exchange->matching);
}

enum mw_status mwa_exchange_enter(struct mwa_exchange *exchange, uint32_t location,
                                  const struct mwa_region *region,
                                  const struct mwa_region_path *within, uint32_t site,
                                  uint64_t time)
{
    struct mwa_exchange_call *call;

    if (exchange->trace->locations[location].rank == MWA_NONE) {
        return MW_OK;
    }
    call = mwa_exchange_start(exchange, location, region, time);
    if (!call) {
        return no_memory(exchange);
    }
    call->within = within;
    call->site = site;
    call->entered_at = site;
    return region->kind == MWA_REGION_INIT || region->kind == MWA_REGION_FINALIZE
               ? mwa_exchange_groups_ends(exchange, call)
               : MW_OK;
}

void mwa_exchange_at_seam(struct mwa_exchange *exchange, uint32_t location, bool opens,
                          bool closes)
{
    struct mwa_exchange_call *call = exchange->places[location].current;

    if (call) {
        call->opens_chapter = opens;
        call->closes_chapter = closes;
    }
}

enum mw_status mwa_exchange_leave(struct mwa_exchange *exchange, uint32_t location, uint64_t time,
                                  bool open)
{
    enum mw_status status = MW_OK;

    if (!exchange->places[location].current) {
        return MW_OK;
    }
    mwa_ordering_leave(exchange->ordering, location, time);
    mwa_exchange_stop(exchange, location, time, open);
    if (exchange->result.seen_kinds & WINDOW_KINDS) {
        status = mwa_exchange_onesided_left(exchange, location);
    }
    return status == MW_OK ? mwa_exchange_drain(exchange) : status;
}

/* Whether it is a receive, or the post of one, of whoever sends. */
static bool asks_anybody(const struct mwa_event *event)
{
    return (event->kind == MWA_RECV || event->kind == MWA_IRECV_POST) &&
           event->of.message.wildcards & MW_WILDCARD_SOURCE;
}

enum mw_status mwa_exchange_event(struct mwa_exchange *exchange, const struct mwa_event *event)
{
    const uint32_t location = event->location;
    const uint32_t rank = exchange->trace->locations[location].rank;
    struct mwa_exchange_call *call = exchange->places[location].current;
    enum mw_status status;

    if (!mwa_is_ordered(event->kind) || rank == MWA_NONE) {
        return MW_OK;
    }
    if (event->kind == MWA_MEASUREMENT) {
        return mwa_ordering_event(exchange->ordering, event, event->time, NULL);
    }
    if (call) {
        call->asks_anybody |= asks_anybody(event);
        mwa_exchange_note_members(exchange->trace, event, call);
        return order(exchange, rank, event, call);
    }
    call = mwa_exchange_start(exchange, location, NULL, event->time); /* it is outside of calls */
    if (!call) {
        return no_memory(exchange);
    }
    status = order(exchange, rank, event, call);
    return status == MW_OK ? mwa_exchange_leave(exchange, location, event->time, false) : status;
}

enum mw_status mwa_exchange_advance(struct mwa_exchange *exchange, uint32_t location,
                                    uint64_t time)
{
    enum mw_status status = mwa_ordering_advance(exchange->ordering, location, time);

    if (status == MW_OK) {
        status = mwa_exchange_onesided_advance(exchange, location, time);
    }
    if (status == MW_OK && exchange->ready != MWA_NONE) {
        status = mwa_exchange_drain(exchange);
    }
    return status == MW_OK && exchange->groups.positions.no_memory
               ? mwa_exchange_no_memory(exchange)
               : status;
}

/*
 * Where calls are held back by what is open for long, what is to come tells of them: soon enough
 * for listeners that keep some of the past only (analyzer/analysis/delay/activity.h).
 */
static enum mw_status look_ahead_of(struct mwa_exchange *exchange, uint32_t location,
                                    bool *has_looked)
{
    const struct mwa_location *of = &exchange->trace->locations[location];

    if (of->rank == MWA_NONE || mwa_matching_ahead(exchange->matching, of->rank) ||
        !mwa_matching_holds_long(exchange->matching, of->rank,
                                 exchange->places[location].queued > MWA_EXCHANGE_LONG)) {
        return MW_OK;
    }
    *has_looked = true;
    return mwa_matching_look_ahead(exchange->matching, of->rank);
}

/* More calls are held back than there is room for: perhaps what is to come tells of them. */
static enum mw_status look_ahead_of_all(struct mwa_exchange *exchange)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < exchange->trace->rank_count && status == MW_OK; i++) {
        if (mwa_matching_holds(exchange->matching, i)) {
            status = mwa_matching_look_ahead(exchange->matching, i);
        }
    }
    return status == MW_OK ? mwa_exchange_posts_look_ahead(exchange) : status;
}

static enum mw_status look_ahead(struct mwa_exchange *exchange, bool of_all)
{
    bool has_looked = of_all;
    enum mw_status status = of_all ? look_ahead_of_all(exchange) : MW_OK;

    for (uint32_t i = 0; i < exchange->trace->location_count && status == MW_OK; i++) {
        status = look_ahead_of(exchange, i, &has_looked);
    }
    return status == MW_OK && has_looked ? mwa_exchange_drain_to(exchange, UINT64_MAX) : status;
}

uint64_t mwa_exchange_room(const struct mwa_exchange *exchange)
{
    const uint64_t ahead = MWA_EXCHANGE_AHEAD * exchange->trace->location_count;

    return ahead > MWA_EXCHANGE_AHEAD_IN_ALL ? ahead : MWA_EXCHANGE_AHEAD_IN_ALL;
}

uint64_t mwa_exchange_room_taken(const struct mwa_exchange *exchange)
{
    return exchange->queued;
}

enum mw_status mwa_exchange_round(struct mwa_exchange *exchange)
{
    const uint64_t most = mwa_exchange_room(exchange);
    enum mw_status status = mwa_exchange_drain_to(exchange, UINT64_MAX);

    if (status == MW_OK) {
        status = mwa_exchange_groups_round(exchange);
    }
    if (status == MW_OK) {
        status = look_ahead(exchange, exchange->queued > most);
    }
    exchange->has_given_up |= exchange->queued > most;
    if (status == MW_OK) {
        status = mwa_exchange_drain_to(exchange, most);
    }
    status = status == MW_OK ? mwa_audience_round(&exchange->near) : status;
    if (exchange->relay && status == MW_OK) {
        mwa_relay_tell(exchange->relay, MWA_RELAYED_ROUND, NULL);
        status = mwa_relay_status(exchange->relay);
    }
    return status;
}

uint32_t mwa_exchange_held(const struct mwa_exchange *exchange, uint32_t location)
{
    return exchange->places[location].queued;
}

uint64_t mwa_exchange_unreceived(const struct mwa_exchange *exchange, uint32_t location)
{
    const uint32_t rank = exchange->trace->locations[location].rank;

    return rank == MWA_NONE ? 0
                            : mwa_matching_unreceived(exchange->matching, rank) /
                                  exchange->trace->ranks[rank].locations;
}

bool mwa_exchange_is_settled(const struct mwa_exchange *exchange, uint64_t until)
{
    const struct mwa_exchange_call *call;

    for (uint64_t at = 0; (call = mwa_pool_next(&exchange->calls, &at)) != NULL;) {
        if (call->references > 0 && call->enter <= until) {
            return false;
        }
    }
    return true;
}

void mwa_exchange_paused(const struct mwa_exchange *exchange, uint8_t *paused)
{
    mwa_matching_paused(exchange->matching, paused);
}

void mwa_exchange_carry(struct mwa_exchange *exchange, const uint8_t *paused)
{
    mwa_matching_carry(exchange->matching, paused);
}

bool mwa_exchange_has_given_up(const struct mwa_exchange *exchange)
{
    return exchange->has_given_up || mwa_matching_is_apart(exchange->matching);
}

const uint64_t *mwa_exchange_sent(const struct mwa_exchange *exchange)
{
    return exchange->sent;
}

void mwa_exchange_result_add(struct mwa_exchange_result *into,
                             const struct mwa_exchange_result *from, uint64_t seams)
{
    into->messages += from->messages;
    into->messages_incomplete += from->messages_incomplete;
    into->collectives += from->collectives - seams;
    into->collectives_incomplete += from->collectives_incomplete;
    into->calls_unresolved += from->calls_unresolved;
    into->seen_kinds |= from->seen_kinds;
    into->seen_steps |= from->seen_steps;
}
