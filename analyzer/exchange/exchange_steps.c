/*
 * A call may be told when all that it depends on has been; where clocks or losses
 * close a circle, the one that was left first is told as it is. That is sought
 * only from the first such circle on, so that sound archives don't pay for it.
 */
#include "analyzer/exchange/exchange_engine.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/exchange/telling_order.h"
#include "analyzer/model/needs.h"

/* Whether the MPI may let a small send go only when its receiver is in MPI: MWA_KEPT_BYTES. */
static bool lets_go_late(const struct mwa_trace *trace)
{
    return trace->mpi_library && strstr(trace->mpi_library, "Open MPI") != NULL &&
           trace->host_count < trace->rank_count;
}

struct mwa_exchange_place *mwa_exchange_make_places(const struct mwa_trace *trace)
{
    struct mwa_exchange_place *places = calloc(trace->location_count + 1, sizeof *places);
    const bool is_late = lets_go_late(trace);

    for (uint64_t i = 0; places && i < trace->location_count; i++) {
        const uint32_t rank = trace->locations[i].rank;

        places[i].lets_go_late = is_late;
        places[i].were_open = is_late || (rank != MWA_NONE && trace->ranks[rank].locations > 1);
        places[i].open = places[i].were_open;
    }
    return places;
}

void mwa_exchange_note_members(const struct mwa_trace *trace, const struct mwa_event *event,
                               struct mwa_exchange_call *call)
{
    const uint32_t comm =
        event->kind == MWA_COLLECTIVE_END ? event->of.collective.comm : MWA_NONE;

    if (comm != MWA_NONE) {
        call->is_alone |= mwa_trace_comm_size(trace, comm) == 1;
        call->is_of_all |= mwa_is_main_thread(trace, call->location) &&
                           mwa_trace_is_of_all(trace, comm) &&
                           mwa_do_all_meet(&event->of.collective);
        call->is_rooted |= !call->is_alone && mwa_is_main_thread(trace, call->location) &&
                           mwa_has_root(&event->of.collective);
    }
}

struct mwa_exchange_call *mwa_exchange_start(struct mwa_exchange *exchange, uint32_t location,
                                             const struct mwa_region *region, uint64_t time)
{
    struct mwa_exchange_place *place = &exchange->places[location];
    struct mwa_exchange_call *call = mwa_pool_take(&exchange->calls);

    if (call) {
        call->note = (uint64_t *)(call + 1);
        call->region = region;
        call->site = MWA_NONE;
        call->entered_at = MWA_NONE;
        call->location = location;
        call->rank = exchange->trace->locations[location].rank;
        call->enter = time;
        call->outside_since = place->left;
        call->row = place->rows;
        call->meetings = place->meetings;
        call->lets_go_late = place->lets_go_late;
        call->references = 1;
        place->current = call;
    }
    return call;
}

void mwa_exchange_go_on(struct mwa_exchange *exchange, uint32_t location,
                        const struct mwa_region *region, uint32_t site, uint64_t outside)
{
    struct mwa_exchange_call *call = exchange->places[location].current;

    if (call) {
        call->region = region;
        call->site = site;
        call->outside = outside;
        call->is_row = true;
    }
}

void mwa_exchange_use(struct mwa_exchange *exchange, uint32_t location, enum mwa_use use)
{
    struct mwa_exchange_call *call = exchange->places[location].current;

    if (call && use != MWA_USE_UNTOLD) {
        call->use = use;
    }
}

/* --- what may have to be told as it is ------------------------------------------------------ */

/* The call of location that can be told as it is; null: there is none. */
static struct mwa_exchange_call *forcible(const struct mwa_exchange *exchange, uint32_t location)
{
    struct mwa_exchange_call *call = exchange->places[location].first;

    return call && call->unordered == 0 ? call : NULL;
}

static bool leaves_before(const void *user, uint32_t one, uint32_t other)
{
    const struct mwa_exchange_call *a = forcible(user, one);
    const struct mwa_exchange_call *b = forcible(user, other);

    if (!a || !b) {
        return a ? true : !b && one < other;
    }
    return a->leave != b->leave ? a->leave < b->leave : one < other;
}

/* Another call of location can be told as it is. Costs nothing until one has to be. */
static void note_forcible(struct mwa_exchange *exchange, uint32_t location)
{
    if (exchange->has_forced) {
        mwa_lineup_changed(&exchange->by_leave, location);
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

/* Puts a location on the list of those that may go on. */
static void make_ready(struct mwa_exchange *exchange, uint32_t location)
{
    struct mwa_exchange_place *place = &exchange->places[location];

    if (!place->is_ready) {
        place->is_ready = true;
        place->next_ready = exchange->ready;
        exchange->ready = location;
    }
}

/* Whether the MPI may have moved messages meanwhile. */
static bool may_move_messages(const struct mwa_exchange_call *call)
{
    return !call->is_alone &&
           (!call->region || mw_call_moves_messages(call->region->call));
}

/* For how long its location was outside of MPI before call. */
static uint64_t outside_before(const struct mwa_exchange_call *call)
{
    return call->enter - call->outside_since;
}

/* Of those from before on, the latest first, the one behind a longer time outside than call; a
 * quarter longer, so that there are few, whatever the times are. */
static struct mwa_exchange_call *behind_longer(struct mwa_exchange_call *before,
                                               const struct mwa_exchange_call *call)
{
    const uint64_t outside = outside_before(call);

    while (before && outside_before(before) <= outside + outside / 4) {
        before = before->longer;
    }
    return before;
}

/* If nothing refers to the call any more it is gone, and what it has led to may be. */
static void let_be_gone(struct mwa_exchange *exchange, struct mwa_exchange_call *call)
{
    while (call && call->references == 0 && call->leading == 0) {
        struct mwa_exchange_call *longer = call->longer;

        mwa_audience_gone(&exchange->near, call);
        if (exchange->relay) {
            mwa_relay_tell(exchange->relay, MWA_RELAYED_GONE, call);
            mwa_relay_release(exchange->relay, MWA_RELAYED_GONE, call);
        } else {
            mwa_pool_give(&exchange->calls, call);
        }
        if (longer) {
            longer->leading--;
        }
        call = longer;
    }
}

/* call (null: none) is the last one of place by which messages can move. */
static void be_latest(struct mwa_exchange *exchange, struct mwa_exchange_place *place,
                      struct mwa_exchange_call *call)
{
    struct mwa_exchange_call *before = place->latest;

    place->latest = call;
    if (call) {
        call->leading++;
    }
    if (before) {
        before->leading--;
        let_be_gone(exchange, before);
    }
}

void mwa_exchange_forget_latest(struct mwa_exchange *exchange)
{
    for (uint64_t i = 0; i < exchange->trace->location_count; i++) {
        be_latest(exchange, &exchange->places[i], NULL);
    }
}

/*
 * The place has left call, by which messages can move. Nobody asks for what was done before the
 * first request was begun of those that are open; when none is, for what was done before the first
 * of a row of operations with a root, and behind those for nothing done so far.
 */
static void lead_back(struct mwa_exchange *exchange, struct mwa_exchange_place *place,
                      struct mwa_exchange_call *call)
{
    const bool goes_on = place->were_open || call->is_rooted;

    call->longer = goes_on ? behind_longer(place->latest, call) : NULL;
    if (call->longer) {
        call->longer->leading++;
    }
    if (goes_on || place->latest) {
        be_latest(exchange, place,
                  goes_on && (place->open > 0 || call->is_rooted) ? call : NULL);
    }
}

void mwa_exchange_stop(struct mwa_exchange *exchange, uint32_t location, uint64_t time, bool open)
{
    struct mwa_exchange_place *place = &exchange->places[location];
    struct mwa_exchange_call *call = place->current;

    call->leave = time;
    call->open = open;
    call->is_left = true;
    if (may_move_messages(call)) {
        place->left = time;
        place->rows += !call->is_rooted;
        lead_back(exchange, place, call);
    }
    place->meetings += call->is_of_all;
    place->were_open = place->open > 0;
    if (!place->were_open && place->latest && !place->latest->is_rooted) {
        be_latest(exchange, place, NULL);
    }
    if (place->first) {
        place->last->next = call;
    } else {
        place->first = call;
        note_forcible(exchange, location);
        make_ready(exchange, location);
    }
    place->last = call;
    place->current = NULL;
    place->queued++;
    exchange->queued++;
}

void mwa_exchange_decide(struct mwa_exchange *exchange, struct mwa_exchange_call *call)
{
    call->undecided--;
    if (call->undecided == 0 && exchange->places[call->location].first == call) {
        make_ready(exchange, call->location);
    }
}

void mwa_exchange_ordered(struct mwa_exchange *exchange, struct mwa_exchange_call *call)
{
    call->unordered--;
    if (call->unordered == 0 && exchange->places[call->location].first == call) {
        note_forcible(exchange, call->location);
        if (!call->has_begun) {
            make_ready(exchange, call->location);
        }
    }
    mwa_exchange_decide(exchange, call);
    mwa_exchange_release_call(exchange, call);
}

void mwa_exchange_release_call(struct mwa_exchange *exchange, struct mwa_exchange_call *call)
{
    if (!call || --call->references > 0) {
        return;
    }
    mwa_audience_settled(&exchange->near, call);
    if (exchange->relay) {
        mwa_relay_tell(exchange->relay, MWA_RELAYED_SETTLED, call);
    }
    mwa_exchange_release_call(exchange, call->post); /* which has none itself */
    call->post = NULL;
    let_be_gone(exchange, call);
}

void mwa_exchange_release_message(struct mwa_exchange *exchange, struct mwa_message *message)
{
    if (--message->references > 0) {
        return;
    }
    mwa_exchange_release_call(exchange, message->send);
    mwa_exchange_release_call(exchange, message->send_completion);
    mwa_exchange_release_call(exchange, message->receive);
    mwa_exchange_release_call(exchange, message->receive_completion);
    if (exchange->relay) {
        mwa_relay_release(exchange->relay, MWA_RELAYED_MESSAGE, message);
    } else {
        mwa_pool_give(&exchange->messages, message);
    }
}

enum mw_status mwa_exchange_tell_message(struct mwa_exchange *exchange,
                                         struct mwa_message *message)
{
    enum mw_status status;

    message->is_told = true;
    exchange->result.messages++;
    status = mwa_audience_message(&exchange->near, message);
    if (exchange->relay) {
        mwa_relay_tell(exchange->relay, MWA_RELAYED_MESSAGE, message);
    }
    mwa_exchange_release_message(exchange, message);
    return status;
}

void mwa_exchange_await_post(struct mwa_message *message)
{
    struct mwa_exchange_call *post = message->receive;

    if (!post->has_begun && post->location != message->receive_completion->location) {
        message->next_posted = post->posted;
        post->posted = message;
        message->references++;
    }
}

enum mw_status mwa_exchange_try_message(struct mwa_exchange *exchange,
                                        struct mwa_message *message)
{
    bool is_ripe = message->send_completion && message->send_completion->has_ended &&
                   message->receive_completion && message->receive_completion->has_ended &&
                   message->receive->has_begun;

    return is_ripe && !message->is_told && !message->is_cancelled
               ? mwa_exchange_tell_message(exchange, message)
               : MW_OK;
}

/* Tells those of the messages whose receives call has posted that have waited for that. */
static enum mw_status tell_posted(struct mwa_exchange *exchange, struct mwa_exchange_call *call)
{
    struct mwa_message *message;
    enum mw_status status = MW_OK;

    while ((message = call->posted) && status == MW_OK) {
        call->posted = message->next_posted;
        status = mwa_exchange_try_message(exchange, message);
        mwa_exchange_release_message(exchange, message);
    }
    return status;
}

static enum mw_status begin(struct mwa_exchange *exchange, struct mwa_exchange_call *call)
{
    const enum mw_status status = mwa_audience_begin(&exchange->near, call);

    if (exchange->relay) {
        mwa_relay_tell(exchange->relay, MWA_RELAYED_BEGIN, call);
    }
    call->has_begun = true;
    mwa_pool_fetch(call->next, exchange->calls.size); /* it goes on with that, most likely */
    for (struct mwa_message *message = call->begun; message; message = message->next_begun) {
        if (message->receive_completion && !message->receive_completion->has_ended) {
            mwa_exchange_decide(exchange, message->receive_completion);
        }
        mwa_exchange_sent_begun(exchange, message);
    }
    for (struct mwa_member *member = call->joined; member; member = member->next_joined) {
        mwa_exchange_groups_begun(exchange, member);
    }
    return status == MW_OK ? tell_posted(exchange, call) : status;
}

/* Lets go of the messages of a list, and tells those whose time has come. */
static enum mw_status let_go(struct mwa_exchange *exchange, struct mwa_exchange_call *call)
{
    struct mwa_message *message, *next;
    enum mw_status status = MW_OK;

    for (message = call->begun; message; message = next) {
        next = message->next_begun;
        mwa_exchange_release_message(exchange, message);
    }
    for (message = call->received; message; message = next) {
        next = message->next_received;
        status = status == MW_OK ? mwa_exchange_try_message(exchange, message) : status;
        mwa_exchange_release_message(exchange, message);
    }
    for (message = call->completed; message; message = next) {
        next = message->next_completed;
        status = status == MW_OK ? mwa_exchange_try_message(exchange, message) : status;
        mwa_exchange_release_message(exchange, message);
    }
    if (call->found) {
        mwa_exchange_release_message(exchange, call->found);
    }
    return status;
}

/* Tells the end of the first call of its location, which then leaves the queue. */
static enum mw_status end(struct mwa_exchange *exchange, struct mwa_exchange_call *call)
{
    struct mwa_exchange_place *place = &exchange->places[call->location];
    struct mwa_member *member;
    enum mw_status status = MW_OK;

    if ((call->received && call->received->next_received) ||
        (call->finished && call->finished->next_finished)) {
        status = mwa_exchange_sort_lists(exchange, call);
    }
    member = call->finished;
    status = status == MW_OK ? mwa_audience_end(&exchange->near, call) : status;
    if (exchange->relay) {
        mwa_relay_tell(exchange->relay, MWA_RELAYED_END, call);
    }
    call->has_ended = true;
    place->first = call->next;
    note_forcible(exchange, call->location);
    place->queued--;
    exchange->queued--;
    if (status == MW_OK) {
        status = let_go(exchange, call);
    }
    while (member && status == MW_OK) {
        struct mwa_member *next = member->next_finished;

        status = mwa_exchange_groups_ended(exchange, member);
        member = next;
    }
    mwa_exchange_release_call(exchange, call);
    return status;
}

/* Tells what may be told of location, in so many steps at most. */
static enum mw_status go_on(struct mwa_exchange *exchange, uint32_t location, uint64_t steps)
{
    struct mwa_exchange_call *call;
    enum mw_status status = MW_OK;

    while (status == MW_OK && (call = exchange->places[location].first)) {
        const bool begins = !call->has_begun && call->unordered == 0;

        if (!begins && (!call->has_begun || call->undecided > 0)) {
            break;
        }
        if (steps-- == 0) {
            make_ready(exchange, location);
            break;
        }
        status = begins ? begin(exchange, call) : end(exchange, call);
    }
    return status;
}

/* Tells the first of all calls that are held back, by their leave, as it is. */
static enum mw_status force(struct mwa_exchange *exchange)
{
    struct mwa_exchange_call *earliest;
    uint32_t location;
    enum mw_status status = MW_OK;

    if (!exchange->has_forced &&
        !mwa_lineup_init(&exchange->by_leave, exchange->trace, leaves_before, exchange)) {
        return mwa_exchange_no_memory(exchange);
    }
    exchange->has_forced = true;
    location = mwa_lineup_first(&exchange->by_leave);
    earliest = location == MWA_NONE ? NULL : forcible(exchange, location);
    if (!earliest) {
        return MW_OK;
    }
    status = mwa_exchange_end_relay(exchange);
    earliest->unresolved = true;
    exchange->result.calls_unresolved++;
    if (!earliest->has_begun && status == MW_OK) {
        status = begin(exchange, earliest);
    }
    if (status == MW_OK) {
        make_ready(exchange, earliest->location);
        status = end(exchange, earliest);
    }
    return status;
}

/* Takes a location off the list of those that may go on, behind those that are passed over. */
static uint32_t take_ready(struct mwa_exchange *exchange, uint64_t skipped)
{
    uint32_t *next = &exchange->ready;
    uint32_t location;

    for (; skipped > 0 && exchange->places[*next].next_ready != MWA_NONE; skipped--) {
        next = &exchange->places[*next].next_ready;
    }
    location = *next;
    *next = exchange->places[location].next_ready;
    exchange->places[location].is_ready = false;
    if (exchange->ready != MWA_NONE) { /* whose turn is next, most likely */
        mwa_pool_fetch(exchange->places[exchange->ready].first, exchange->calls.size);
    }
    return location;
}

/* Tells what can be told; all: nothing of it waits until more was read. */
static enum mw_status drain(struct mwa_exchange *exchange, bool all)
{
    enum mw_status status = MW_OK;

    while (status == MW_OK && exchange->ready != MWA_NONE) {
        const struct mwa_telling_turn turn = mwa_telling_next(all);

        if (turn.steps == 0) {
            break;
        }
        status = go_on(exchange, take_ready(exchange, turn.skipped), turn.steps);
    }
    return status;
}

enum mw_status mwa_exchange_drain(struct mwa_exchange *exchange)
{
    return drain(exchange, false);
}

enum mw_status mwa_exchange_drain_to(struct mwa_exchange *exchange, uint64_t limit)
{
    enum mw_status status = drain(exchange, true);

    while (status == MW_OK && exchange->queued > limit) {
        uint64_t before = exchange->queued;

        status = force(exchange);
        if (exchange->queued == before) {
            break; /* threads of a rank that were not all read so far */
        }
        status = status == MW_OK ? drain(exchange, true) : status;
    }
    return status;
}
