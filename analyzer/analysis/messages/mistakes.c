/*
 * A message is balanced between its ranks, communicator and tag: which of several alike it was that
 * nobody received does not matter.
 */
#include "analyzer/analysis/messages/mistakes.h"

#include <stdlib.h>

#include "analyzer/analysis/messages/call_order.h"
#include "analyzer/analysis/messages/mistake_packing.h"
#include "analyzer/analysis/messages/pending_requests.h"
#include "formats/base/order.h"
#include "formats/table/terms.h"

#define LATEST 8u /* mistakes that a new one is held against */
#define BALANCE_ZERO (UINT64_C(1) << 30)
#define BALANCED_MOST 65536u /* channels of which it is known when the last message was sent */

struct looking {
    const struct mwa_trace *trace;
    const bool *comms; /* null: all */
    struct mwa_call_order *order;
    struct mwa_map channels; /* from and to, communicator and tag: balance and site of the last */
    struct mwa_map latest;   /* the same, of those of ranks with several threads: its time */
    struct mwa_pending_requests pending;
    bool *is_behind; /* of a later chapter, by location: the call that the one before has told, too,
                        is left; null: of the first, or all */
    struct mwa_mistakes result;
};

const char *mwa_mistake_name(enum mwa_mistake_kind kind)
{
    static const char *const names[MWA_MISTAKE_KINDS] = {
        [MWA_MISTAKE_ORDER] = "order of collectives",
        [MWA_MISTAKE_ROOT] = "roots differ",
        [MWA_MISTAKE_REDUCTION] = "operations differ",
        [MWA_MISTAKE_TYPE] = "types differ",
        [MWA_MISTAKE_COUNT] = "counts differ",
        [MWA_MISTAKE_CIRCLE] = "sends in a circle",
        [MWA_MISTAKE_UNRECEIVED] = "send never received",
        [MWA_MISTAKE_UNMATCHED] = "receive never complete",
        [MWA_MISTAKE_UNFINISHED] = "request never complete",
    };

    return names[kind];
}

const char *mwa_mistake_term(const struct mwa_mistake *mistake, bool of_other)
{
    const uint32_t term = of_other ? mistake->other_term : mistake->term;

    switch (mistake->kind) {
    case MWA_MISTAKE_REDUCTION:
        return mw_reduction_name(term);
    case MWA_MISTAKE_TYPE:
        return mw_scalar_name(term);
    default:
        return NULL;
    }
}

/* --- the list ---------------------------------------------------------------------- */

static bool is_alike(const struct mwa_mistake *a, const struct mwa_mistake *b)
{
    return a->kind == b->kind && a->is_sure == b->is_sure && a->rank == b->rank &&
           a->other == b->other && a->comm == b->comm && a->site == b->site &&
           a->other_site == b->other_site;
}

/* One that is alike counts with to; of what they differ in the least stays, but of circles the
 * greatest message that has to be kept. */
static void join(struct mwa_mistake *to, const struct mwa_mistake *mistake)
{
    const int order = mw_order(mistake->bytes, to->bytes)
                          ?: mw_order(mistake->other_bytes, to->other_bytes)
                          ?: mw_order(mistake->term, to->term)
                          ?: mw_order(mistake->other_term, to->other_term);

    to->count += mistake->count;
    to->tag = mistake->tag < to->tag ? mistake->tag : to->tag;
    if (to->kind == MWA_MISTAKE_CIRCLE ? mistake->bytes > to->bytes : order < 0) {
        to->bytes = mistake->bytes;
        to->other_bytes = mistake->other_bytes;
        to->term = mistake->term;
        to->other_term = mistake->other_term;
    }
}

enum mw_status mwa_mistakes_add(struct mwa_mistakes *mistakes, const struct mwa_mistake *mistake)
{
    for (uint64_t i = mistakes->count; i > 0 && i + LATEST > mistakes->count; i--) {
        if (is_alike(&mistakes->list[i - 1], mistake)) {
            join(&mistakes->list[i - 1], mistake);
            return MW_OK;
        }
    }
    if (!mwa_grow(&mistakes->list, &mistakes->capacity, mistakes->count + 1,
                  sizeof *mistakes->list)) {
        return MW_ERROR_MEMORY;
    }
    mistakes->list[mistakes->count++] = *mistake;
    return MW_OK;
}

void mwa_mistakes_fini(struct mwa_mistakes *mistakes)
{
    free(mistakes->list);
    *mistakes = (struct mwa_mistakes){ 0 };
}

static int by_place(const void *left, const void *right)
{
    const struct mwa_mistake *a = left, *b = right;

    return mw_order(a->kind, b->kind) ?: mw_order(a->is_sure, b->is_sure) ?:
           mw_order(a->rank, b->rank) ?: mw_order(a->other, b->other) ?:
           mw_order(a->comm, b->comm) ?: mw_order(a->site, b->site) ?:
           mw_order(a->other_site, b->other_site);
}

static int by_weight(const void *left, const void *right)
{
    const struct mwa_mistake *a = left, *b = right;

    return mw_order(b->is_sure, a->is_sure) ?: mw_order(a->kind, b->kind) ?:
           mw_order(b->count, a->count) ?: by_place(a, b);
}

/* Makes one of those alike, and sorts them. */
static void join_alike(struct mwa_mistakes *mistakes)
{
    uint64_t count = 0;

    if (mistakes->count > 0) {
        qsort(mistakes->list, mistakes->count, sizeof *mistakes->list, by_place);
    }
    for (uint64_t i = 0; i < mistakes->count; i++) {
        if (count > 0 && is_alike(&mistakes->list[count - 1], &mistakes->list[i])) {
            join(&mistakes->list[count - 1], &mistakes->list[i]);
        } else {
            mistakes->list[count++] = mistakes->list[i];
        }
    }
    mistakes->count = count;
    if (count > 0) {
        qsort(mistakes->list, count, sizeof *mistakes->list, by_weight);
    }
}

enum mw_status mwa_mistakes_join(struct mwa_mistakes *mistakes, const struct mwa_mistakes *more)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < more->count && status == MW_OK; i++) {
        status = mwa_mistakes_add(mistakes, &more->list[i]);
    }
    join_alike(mistakes);
    return status;
}

/* --- messages and requests --------------------------------------------------------- */

/*
 * Whether site, of a send at time, is to be told of the channel in place of former. Threads of a
 * rank may be read in any order: of theirs the last one counts in time. False without memory: *has.
 */
static bool is_last(struct looking *looking, struct mwa_key key, uint64_t time, uint32_t site,
                    uint32_t former, bool *has)
{
    uint64_t *latest;
    bool is;

    *has = true;
    if (looking->trace->ranks[key.high >> 32].locations < 2) {
        return true;
    }
    latest = mwa_map_put(&looking->latest, key, time);
    *has = latest != NULL;
    is = latest && (time > *latest || (time == *latest && site < former));
    if (is) {
        *latest = time;
    }
    return is;
}

/* Nothing is under way on the channel, which is forgotten, but for when it was used last. */
static void forget_channel(struct looking *looking, struct mwa_key key)
{
    if (looking->latest.count > BALANCED_MOST) {
        (void)mwa_map_remove(&looking->latest, key);
    }
    if (looking->latest.count == 0 ||
        mwa_map_get(&looking->latest, key) == MWA_MAP_ABSENT) {
        (void)mwa_map_remove(&looking->channels, key);
    }
}

/* Adds to a channel's balance; site is of a send, at time. */
static enum mw_status add_message(struct looking *looking, struct mwa_key key, int by,
                                  uint32_t site, uint64_t time)
{
    uint64_t *place = mwa_map_put(&looking->channels, key, BALANCE_ZERO << 32 | MWA_NONE);
    uint64_t balance;
    uint32_t told;
    bool has = true;

    if (!place) {
        return MW_ERROR_MEMORY;
    }
    balance = by > 0 ? (*place >> 32) + 1 : (*place >> 32) - 1;
    told = (uint32_t)*place;
    told = by > 0 && is_last(looking, key, time, site, told, &has) ? site : told;
    *place = balance << 32 | told;
    if (balance == BALANCE_ZERO) {
        forget_channel(looking, key);
    }
    return has ? MW_OK : MW_ERROR_MEMORY;
}

/* Whether what was sent was received on all channels. */
static bool are_balanced(const struct mwa_map *channels)
{
    bool are = true;

    for (uint64_t i = 0; i < channels->capacity && are; i++) {
        const uint64_t value = channels->slots[i].value;

        are = value == MWA_MAP_ABSENT || value >> 32 == BALANCE_ZERO;
    }
    return are;
}

/* *key: the channel; false: it is to another job, or not known. */
static bool channel_of(const struct mwa_moment *moment, bool is_sent, struct mwa_key *key)
{
    const struct mwa_message_data *data = &moment->event->of.message;
    const uint32_t self = moment->location->rank;
    const uint32_t peer = data->comm == MWA_NONE
                              ? MWA_NONE
                              : mwa_trace_peer(moment->trace, data->comm, self, data->peer);

    *key = (struct mwa_key){ is_sent ? (uint64_t)self << 32 | peer : (uint64_t)peer << 32 | self,
                             (uint64_t)data->comm << 32 | data->tag };
    return peer != MWA_NONE;
}

/* What was sent and is cancelled nobody receives. */
static enum mw_status take_back(struct looking *looking, struct mwa_key channel)
{
    return channel.high != UINT64_MAX ? add_message(looking, channel, -1, MWA_NONE, 0) : MW_OK;
}

static enum mw_status begin_request(struct looking *looking, const struct mwa_moment *moment,
                                    struct mwa_key channel)
{
    const struct mwa_pending_request request = { .kind = moment->event->kind,
                                                 .site = moment->mpi ? moment->site : MWA_NONE,
                                                 .channel = channel };
    bool has_ended;
    enum mwa_event_kind by;
    enum mw_status status =
        mwa_pending_requests_begin(&looking->pending, moment->location->rank,
                                   moment->event->request, &request, &has_ended, &by);

    return status == MW_OK && has_ended && by == MWA_CANCELLED ? take_back(looking, channel)
                                                               : status;
}

static enum mw_status end_request(struct looking *looking, const struct mwa_moment *moment)
{
    struct mwa_pending_request request;
    bool was_pending;
    enum mw_status status =
        mwa_pending_requests_end(&looking->pending, moment->location->rank, moment->event,
                                 &was_pending, &request);

    return status == MW_OK && was_pending && moment->event->kind == MWA_CANCELLED
               ? take_back(looking, request.channel)
               : status;
}

static enum mw_status carry(void *analysis, const struct mwa_reading_start *start,
                            const struct mwa_reading_start *next)
{
    struct looking *looking = analysis;

    for (uint64_t i = 0; start && looking->is_behind && i < start->location_count; i++) {
        looking->is_behind[i] = !start->locations[i].has_first;
    }
    return mwa_pending_requests_carry(&looking->pending, start, next);
}

/* --- the analysis ------------------------------------------------------------------ */

static void destroy(void *analysis)
{
    struct looking *looking = analysis;

    if (looking) {
        mwa_call_order_destroy(looking->order);
        mwa_map_fini(&looking->channels);
        mwa_map_fini(&looking->latest);
        mwa_pending_requests_fini(&looking->pending);
        free(looking->is_behind);
        mwa_mistakes_fini(&looking->result);
        free(looking);
    }
}

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    struct looking *looking = calloc(1, sizeof *looking);

    *analysis = looking;
    if (!looking) {
        return MW_ERROR_MEMORY;
    }
    looking->trace = looking->pending.trace = trace;
    looking->comms = scope->comms;
    if (scope->chapter > 0) {
        looking->is_behind = calloc(trace->location_count + 1, sizeof *looking->is_behind);
        if (!looking->is_behind) {
            return MW_ERROR_MEMORY;
        }
    }
    return mwa_call_order_create(trace, scope->chapter > 0, &looking->order);
}

static enum mw_status take_collective(struct looking *looking, const struct mwa_moment *moment)
{
    return mwa_call_order_take(looking->order, moment, &looking->result);
}

/* Whether the chapter before has told it: a later one begins with the call that ends that. */
static bool is_told_before(struct looking *looking, const struct mwa_moment *moment)
{
    bool *is_behind;

    if (!looking->is_behind) {
        return false;
    }
    is_behind = &looking->is_behind[moment->location - looking->trace->locations];
    if (*is_behind) {
        return false;
    }
    *is_behind = moment->call && moment->call->outermost &&
                 moment->call->region->kind != MWA_REGION_USER;
    return true;
}

static enum mw_status take_moment(void *analysis, const struct mwa_moment *moment)
{
    static const struct mwa_key none = { UINT64_MAX, 0 };
    struct looking *looking = analysis;
    const uint32_t site = moment->mpi ? moment->site : MWA_NONE;
    const uint64_t time = moment->event->time;
    struct mwa_key key;
    enum mw_status status = MW_OK;

    if (moment->location->rank >= looking->trace->rank_count || is_told_before(looking, moment)) {
        return MW_OK;
    }
    switch (moment->event->kind) {
    case MWA_SEND:
        return channel_of(moment, true, &key) ? add_message(looking, key, 1, site, time) : MW_OK;
    case MWA_RECV:
        return channel_of(moment, false, &key) ? add_message(looking, key, -1, MWA_NONE, time)
                                               : MW_OK;
    case MWA_ISEND:
        key = channel_of(moment, true, &key) ? key : none;
        if (key.high != UINT64_MAX) {
            status = add_message(looking, key, 1, site, time);
        }
        return status == MW_OK ? begin_request(looking, moment, key) : status;
    case MWA_IRECV:
        if (channel_of(moment, false, &key)) {
            status = add_message(looking, key, -1, MWA_NONE, time);
        }
        return status == MW_OK ? end_request(looking, moment) : status;
    case MWA_IRECV_POST:
        return begin_request(looking, moment, none);
    case MWA_ISEND_COMPLETE:
    case MWA_CANCELLED:
        return end_request(looking, moment);
    case MWA_COLLECTIVE_POST:
        status = begin_request(looking, moment, none);
        return status == MW_OK ? take_collective(looking, moment) : status;
    case MWA_COLLECTIVE_COMPLETE:
        status = end_request(looking, moment);
        return status == MW_OK ? take_collective(looking, moment) : status;
    case MWA_COLLECTIVE_END:
        return take_collective(looking, moment);
    default:
        return MW_OK;
    }
}

static bool is_whole(const struct looking *looking, uint32_t rank)
{
    return rank < looking->trace->rank_count && looking->trace->filtered_count == 0 &&
           !mwa_rank_has_gaps(&looking->trace->ranks[rank]);
}

static enum mw_status add_unreceived(struct looking *looking, const struct mwa_map_slot *slot)
{
    const uint32_t from = (uint32_t)(slot->key.high >> 32);
    const uint32_t to = (uint32_t)slot->key.high;
    const uint64_t balance = slot->value >> 32;

    if (slot->value == MWA_MAP_ABSENT || balance <= BALANCE_ZERO ||
        mwa_trace_begins_late(looking->trace, to)) {
        return MW_OK;
    }
    return mwa_mistakes_add(&looking->result,
                            &(struct mwa_mistake){ .kind = MWA_MISTAKE_UNRECEIVED,
                                                   .is_sure = is_whole(looking, from) &&
                                                              is_whole(looking, to),
                                                   .rank = from,
                                                   .other = to,
                                                   .comm = (uint32_t)(slot->key.low >> 32),
                                                   .tag = (uint32_t)slot->key.low,
                                                   .site = (uint32_t)slot->value,
                                                   .other_site = MWA_NONE,
                                                   .count = balance - BALANCE_ZERO,
                                                   .bytes = UINT64_MAX,
                                                   .other_bytes = UINT64_MAX });
}

static enum mw_status add_pending(struct looking *looking, uint32_t rank,
                                  const struct mwa_pending_request *request)
{
    return mwa_mistakes_add(&looking->result,
                            &(struct mwa_mistake){ .kind = request->kind == MWA_IRECV_POST
                                                               ? MWA_MISTAKE_UNMATCHED
                                                               : MWA_MISTAKE_UNFINISHED,
                                                   .is_sure = is_whole(looking, rank),
                                                   .rank = rank,
                                                   .other = MWA_NONE,
                                                   .comm = MWA_NONE,
                                                   .tag = MWA_NONE,
                                                   .site = request->site,
                                                   .other_site = MWA_NONE,
                                                   .count = 1,
                                                   .bytes = UINT64_MAX,
                                                   .other_bytes = UINT64_MAX });
}

/* Takes those out that are on communicators which were not selected. */
static void select_comms(struct looking *looking)
{
    struct mwa_mistakes *result = &looking->result;
    uint64_t count = 0;

    for (uint64_t i = 0; i < result->count; i++) {
        if (!looking->comms || (result->list[i].comm != MWA_NONE &&
                                looking->comms[result->list[i].comm])) {
            result->list[count++] = result->list[i];
        }
    }
    result->count = count;
}

/* All was told: adds what is left of what was begun, which is nothing then. */
static enum mw_status conclude(struct looking *looking)
{
    enum mw_status status = mwa_call_order_conclude(looking->order, &looking->result);
    const struct mwa_pending_request *request;
    uint32_t rank;

    for (uint64_t i = 0; status == MW_OK && i < looking->channels.capacity; i++) {
        status = add_unreceived(looking, &looking->channels.slots[i]);
    }
    /* What completes a request is a call of p2p, whatever began it. */
    if (mwa_trace_left_out(looking->trace) & 1u << MW_GROUP_P2P) {
        mwa_pending_requests_forget(&looking->pending);
    }
    mwa_pending_requests_hand_on(&looking->pending);
    for (uint64_t at = 0; status == MW_OK && (request = mwa_pending_requests_next(
                                                  &looking->pending, &at, &rank)) != NULL;) {
        status = add_pending(looking, rank, request);
    }
    mwa_map_fini(&looking->channels);
    mwa_map_fini(&looking->latest);
    mwa_pending_requests_forget(&looking->pending);
    return status;
}

static enum mw_status finish(void *analysis, void *result)
{
    struct looking *looking = analysis;
    enum mw_status status = conclude(looking);

    mwa_call_order_finish(looking->order, &looking->result);
    select_comms(looking);
    join_alike(&looking->result);
    *(struct mwa_mistakes *)result = looking->result;
    looking->result = (struct mwa_mistakes){ 0 };
    return status;
}

/* --- chapters --------------------------------------------------------------------------------- */

/* Where a chapter ends nothing is under way; where something is all the same, say in the record of
 * somebody who is no member, the next one would have to know of it. */
static bool can_be_appended(const void *analysis, bool is_last)
{
    const struct looking *looking = analysis;

    return mwa_call_order_can_be_appended(looking->order, is_last) &&
           (is_last || (are_balanced(&looking->channels) &&
                        mwa_pending_requests_are_as_told(&looking->pending)));
}

static enum mw_status append(void *analysis, void *later, const struct mwa_seam *seam)
{
    struct looking *looking = analysis;
    struct looking *from = later;
    enum mw_status status = conclude(from);

    return status == MW_OK ? mwa_call_order_append(looking->order, from->order, &from->result,
                                                   &looking->result)
                           : status;
}

static void pack(void *analysis, struct mw_buffer *to)
{
    struct looking *looking = analysis;

    to->failed |= conclude(looking) != MW_OK;
    mwa_mistakes_pack(&looking->result, to);
    mwa_call_order_pack(looking->order, to);
}

static enum mw_status unpack(void *analysis, struct mwa_region_paths *paths,
                             struct mw_cursor *from)
{
    struct looking *looking = analysis;
    enum mw_status status = mwa_mistakes_unpack(&looking->result, looking->trace, from);

    return status == MW_OK ? mwa_call_order_unpack(looking->order, from) : status;
}

static enum mw_status end_round(void *analysis)
{
    struct looking *looking = analysis;

    return mwa_call_order_round(looking->order, &looking->result);
}

const struct mwa_exchange_analysis mwa_mistakes_analysis = {
    .name = "mistakes",
    .create = create,
    .carry = carry,
    .listener = { .round = end_round },
    .moment = take_moment,
    .can_be_appended = can_be_appended,
    .append = append,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .destroy = destroy
};
