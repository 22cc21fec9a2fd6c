#include "analyzer/exchange/exchange_engine.h"

#include <string.h>

#include <otf2/otf2.h>

#include "analyzer/exchange/tails.h"
#include "analyzer/model/needs.h"

/* Which instance of a collective an event belongs to. */

/* --- sequences -------------------------------------------------------------------------- */

/* Which kinds of instances are numbered apart from each other; those with a root also by that. */
enum series { SERIES_BLOCKING, SERIES_NONBLOCKING, SERIES_INIT, SERIES_FINALIZE, SERIES_CREATE,
              SERIES_WINDOW };

#define SERIES_KINDS 0xffu /* the bits that tell these apart */

/*
 * Members that name different roots are not of one instance: some have lost one. Whose root would
 * count would depend on who was read first.
 */
#define ROOT_SHIFT 17u

#define NO_MEMORY UINT64_MAX
#define TOO_EARLY (UINT64_MAX - 1)

/*
 * The number of rank's next instance of the series (with operation). TOO_EARLY: others took part in
 * it before their records begin.
 */
static uint64_t next_number(struct mwa_exchange *exchange, uint32_t rank, uint32_t comm,
                            uint32_t series_and_operation)
{
    const struct mwa_beginnings *beginnings = mwa_matching_beginnings(exchange->matching);
    const struct mwa_key key = mwa_series_key(series_and_operation, rank, comm);
    uint64_t *place = mwa_map_put(&exchange->groups.sequences, key, 0);
    const uint64_t early = beginnings ? mwa_beginning(&beginnings->numbers, key) : 0;

    return !place ? NO_MEMORY : (*place)++ < early ? TOO_EARLY : *place - 1 - early;
}

/* Whether the number tells no instance: *status says whether that is a failure. */
static bool is_no_number(struct mwa_exchange *exchange, uint64_t number, enum mw_status *status)
{
    *status = number == NO_MEMORY ? mwa_exchange_no_memory(exchange) : MW_OK;
    return number == NO_MEMORY || number == TOO_EARLY;
}

/* Whether the call was not over where the trace ends, so that others need not have begun. */
static bool is_cut_off(const struct mwa_trace *trace, uint64_t time)
{
    return trace->ends_early && trace->clock_length > 0 &&
           time >= trace->clock_offset + trace->clock_length;
}

/*
 * What the member at position gives to others and takes from them in any case: more than its
 * operation says may pass, as in scans and where everybody says how much to whom.
 */
static struct mwa_tail_part part_of(const struct mwa_collective *like, uint32_t position,
                                    const struct mwa_collective_data *data)
{
    const enum mwa_needs needs = mwa_needs_of(like);
    const bool has_root = needs == MWA_NEEDS_ROOT || needs == MWA_NEEDS_ALL_AT_ROOT;
    const bool is_root = has_root && !like->inter && like->root == position;
    const bool is_uneven = data->operation == OTF2_COLLECTIVE_OP_ALLTOALLV ||
                           data->operation == OTF2_COLLECTIVE_OP_ALLTOALLW;
    const bool all_meet = needs == MWA_NEEDS_ALL || (needs == MWA_NEEDS_DATA && !is_uneven);
    const bool by_root = has_root && !like->inter && like->root != MWA_NONE;
    const bool is_free = needs == MWA_NEEDS_ALL;

    return (struct mwa_tail_part){
        .gives = (is_free || data->bytes_sent > 0) &&
                 (all_meet || (by_root && is_root == (needs == MWA_NEEDS_ROOT))),
        .takes = (is_free || data->bytes_received > 0) &&
                 (all_meet || (by_root && is_root == (needs == MWA_NEEDS_ALL_AT_ROOT))),
        .is_root = is_root,
        .side = !like->inter ? 0 : position < like->first_count ? 1 : 2
    };
}

/* Notes what the series' next instance is to the member at position, where that is to be known. */
static enum mw_status note(struct mwa_exchange *exchange, uint32_t series,
                           const struct mwa_collective *like, uint32_t position,
                           const struct mwa_exchange_post *part)
{
    const uint32_t comm = like->kind == MWA_GROUP_WINDOW ? part->data.root : like->comm;
    const struct mwa_key course = mwa_series_key(
        like->nonblocking ? series : series & SERIES_KINDS, part->begin->rank, comm);
    struct mwa_tail_part tail;

    if (!exchange->tails || is_cut_off(exchange->trace, part->time)) {
        return MW_OK;
    }
    tail = part_of(like, position, &part->data);
    tail.series = series;
    tail.begin = part->begin->enter;
    tail.end = part->time;
    return mwa_tails_add_part(exchange->tails, course, &tail)
               ? MW_OK
               : mwa_exchange_no_memory(exchange);
}

static bool is_neighbor(const struct mwa_exchange_post *part)
{
    const struct mwa_region *region = part->begin->region;

    return part->data.on_neighbors || (region && mw_call_means(region->call, MW_NEIGHBORS));
}

/* The position of the root that the member at position names; MWA_NONE: it names none. */
static uint32_t root_of(const struct mwa_collective *like, uint32_t position, uint32_t root)
{
    if (!like->inter) {
        return root < like->count ? root : MWA_NONE;
    }
    if (root == OTF2_COLLECTIVE_ROOT_SELF) {
        return position;
    }
    if (position >= like->first_count) {
        return root < like->first_count ? root : MWA_NONE;
    }
    return root < like->count - like->first_count ? like->first_count + root : MWA_NONE;
}

enum mw_status mwa_exchange_find_seat(struct mwa_exchange *exchange,
                                      const struct mwa_exchange_post *part, bool nonblocking,
                                      struct mwa_exchange_seat *seat)
{
    const struct mwa_trace *trace = exchange->trace;
    uint32_t comm = part->data.comm;
    uint32_t rank = part->begin->rank;
    const bool on_neighbors = is_neighbor(part);
    uint32_t series = (nonblocking ? SERIES_NONBLOCKING : SERIES_BLOCKING) |
                      (part->data.operation & 0xff) << 8 | (uint32_t)on_neighbors << 16;
    uint64_t size = comm == MWA_NONE ? 0 : mwa_trace_comm_size(trace, comm);
    struct mwa_collective like = { .kind = on_neighbors ? MWA_GROUP_NEIGHBOR
                                                        : MWA_GROUP_COLLECTIVE,
                                   .comm = comm,
                                   .operation = part->data.operation,
                                   .root = MWA_NONE,
                                   .nonblocking = nonblocking };
    uint32_t position;
    enum mw_status status;

    seat->position = MWA_NONE;
    if (size < 2 || size >= MWA_NONE || part->data.of_handle) {
        return MW_OK;
    }
    position = mwa_positions_find(&exchange->groups.positions, comm, rank);
    if (position == MWA_NONE) {
        return MW_OK;
    }
    like.count = (uint32_t)size;
    like.inter = trace->comms[comm].inter;
    if (like.inter && trace->comms[comm].group != MWA_NONE) {
        like.first_count = trace->groups[trace->comms[comm].group].count;
    }
    like.root = root_of(&like, position, part->data.root);
    if (!like.inter && like.root != MWA_NONE) {
        series |= (like.root + 1) << ROOT_SHIFT; /* which of its bits there are room for */
    }
    like.sequence = next_number(exchange, rank, comm, series);
    if (is_no_number(exchange, like.sequence, &status)) {
        return status;
    }
    like.key = (struct mwa_key){ (uint64_t)series << 32 | comm, like.sequence };
    *seat = (struct mwa_exchange_seat){ like, position };
    return note(exchange, series, &like, position, part);
}

enum mw_status mwa_exchange_take_seat(struct mwa_exchange *exchange,
                                      const struct mwa_exchange_seat *seat,
                                      const struct mwa_exchange_post *part)
{
    return seat->position == MWA_NONE
               ? MW_OK
               : mwa_exchange_join(exchange, &seat->like, seat->position, part);
}

enum mw_status mwa_exchange_take_part(struct mwa_exchange *exchange,
                                      const struct mwa_exchange_post *part, bool nonblocking)
{
    struct mwa_exchange_seat seat;
    enum mw_status status = mwa_exchange_find_seat(exchange, part, nonblocking, &seat);

    return status == MW_OK ? mwa_exchange_take_seat(exchange, &seat, part) : status;
}

enum mw_status mwa_exchange_groups_ends(struct mwa_exchange *exchange,
                                        struct mwa_exchange_call *call)
{
    bool is_init = call->region->kind == MWA_REGION_INIT;
    uint32_t series = is_init ? SERIES_INIT : SERIES_FINALIZE;
    const struct mwa_exchange_post part = { .begin = call, .end = call };
    uint64_t first;
    uint64_t count = mwa_trace_job_ranks(exchange->trace, call->rank, &first);
    const struct mwa_collective like = { .kind = is_init ? MWA_GROUP_INIT : MWA_GROUP_FINALIZE,
                                         .comm = MWA_NONE,
                                         .root = MWA_NONE,
                                         .count = (uint32_t)count,
                                         .key = { (uint64_t)series << 32 | MWA_NONE, first } };
    uint64_t number = like.count > 1 ? next_number(exchange, call->rank, MWA_NONE, series) : 1;
    enum mw_status status;

    if (is_no_number(exchange, number, &status)) {
        return status;
    }
    return number > 0 ? MW_OK : mwa_exchange_join(exchange, &like, call->rank - (uint32_t)first,
                                                  &part);
}

/*
 * A member of a fence, or of a window that is made or freed, left it at leave. It needs all
 * others, unless somebody left before all had entered: that is not known before all have been
 * read up to its leave.
 */
static enum mw_status join_window(struct mwa_exchange *exchange, const struct mwa_collective *like,
                                  uint32_t position, const struct mwa_exchange_post *part,
                                  uint64_t leave)
{
    struct mwa_collective *collective = mwa_exchange_instance(exchange, like);
    struct mwa_exchange_call *call = part->begin;
    bool was_local;
    enum mw_status status;

    if (!collective) {
        return mwa_exchange_no_memory(exchange);
    }
    was_local = mwa_is_local_fence(collective);
    mwa_fence_takes(collective, call->enter, leave);
    status = mwa_exchange_join(exchange, like, position, part);
    if (status == MW_OK && collective->members[position].end == call) {
        status = mwa_exchange_hold(exchange, call, &(struct mwa_held){
                                                       .member = &collective->members[position] });
    }
    if (!was_local && mwa_is_local_fence(collective)) {
        mwa_exchange_groups_became_local(exchange, collective);
    }
    return status;
}

/* A fence, or a window made or freed: numbered by window. */
static enum mw_status take_window(struct mwa_exchange *exchange, const struct mwa_event *event,
                                  struct mwa_exchange_call *call)
{
    const struct mwa_collective_data *data = &event->of.collective;
    const struct mwa_exchange_post part = { .begin = call,
                                            .end = call,
                                            .data = *data,
                                            .time = event->time };
    uint64_t size = data->comm == MWA_NONE ? 0 : mwa_trace_comm_size(exchange->trace, data->comm);
    struct mwa_collective like = { .kind = MWA_GROUP_WINDOW,
                                   .comm = data->comm,
                                   .operation = data->operation,
                                   .root = MWA_NONE,
                                   .since = UINT64_MAX };
    uint32_t position;
    enum mw_status status;

    if (size < 2 || size >= MWA_NONE) {
        return MW_OK;
    }
    position = mwa_positions_find(&exchange->groups.positions, data->comm, call->rank);
    if (position == MWA_NONE || position >= size) {
        return MW_OK;
    }
    like.count = (uint32_t)size;
    like.sequence = next_number(exchange, call->rank, data->root, SERIES_WINDOW);
    if (is_no_number(exchange, like.sequence, &status)) {
        return status;
    }
    like.key = (struct mwa_key){ (uint64_t)SERIES_WINDOW << 32 | data->root, like.sequence };
    status = note(exchange, SERIES_WINDOW, &like, position, &part);
    return status == MW_OK ? join_window(exchange, &like, position, &part, event->time) : status;
}

/* --- creation of communicators ---------------------------------------------------------- */

/* What communicators that were made by one call have in common. */
static struct mwa_key creation_of(const struct mwa_trace *trace, uint32_t comm)
{
    const struct mwa_comm *made = &trace->comms[comm];
    const char *by = made->created_by ? made->created_by : "";
    bool has_siblings = made->parent != MWA_NONE && made->sequence != UINT64_MAX &&
                        mwa_trace_comm_size(trace, made->parent) > 1 &&
                        strstr(by, "_group") == NULL && strstr(by, "Intercomm_create") == NULL;

    return has_siblings ? (struct mwa_key){ (uint64_t)SERIES_CREATE << 32 | made->parent,
                                            made->sequence }
                        : (struct mwa_key){ (uint64_t)SERIES_CREATE << 32 | MWA_NONE, comm };
}

bool mwa_exchange_count_creations(struct mwa_exchange *exchange)
{
    const struct mwa_trace *trace = exchange->trace;

    for (uint32_t i = 0; i < trace->comm_count; i++) {
        const uint64_t count = mwa_trace_comm_size(trace, i) - trace->comms[i].given_count;
        uint64_t *place = mwa_map_put(&exchange->groups.creations, creation_of(trace, i),
                                      (uint64_t)i << 32);

        if (!place) {
            return false;
        }
        *place = count < UINT32_MAX - (uint32_t)*place ? *place + count : *place | UINT32_MAX;
    }
    return true;
}

static enum mw_status take_creation(struct mwa_exchange *exchange, uint32_t comm,
                                    struct mwa_exchange_call *call)
{
    const struct mwa_exchange_post part = { .begin = call, .end = call };
    struct mwa_collective like = { .kind = MWA_GROUP_COMM_CREATE, .comm = comm, .root = MWA_NONE };
    struct mwa_collective *made;
    uint64_t creation;

    if (comm == MWA_NONE || !call->region ||
        !mw_call_means(call->region->call, MW_MAKES_COMM)) {
        return MW_OK;
    }
    like.key = creation_of(exchange->trace, comm);
    creation = mwa_map_get(&exchange->groups.creations, like.key);
    like.count = (uint32_t)creation;
    if (like.count < 2 || like.count == MWA_NONE) { /* as one that is absent has */
        return MW_OK;
    }
    like.comm = (uint32_t)(creation >> 32);
    made = mwa_exchange_instance(exchange, &like);
    if (!made) {
        return mwa_exchange_no_memory(exchange);
    }
    return mwa_exchange_join(exchange, &like, made->present, &part);
}

enum mw_status mwa_exchange_groups_take(struct mwa_exchange *exchange, uint32_t rank,
                                        const struct mwa_event *event,
                                        struct mwa_exchange_call *call)
{
    const struct mwa_exchange_post part = { .begin = call,
                                            .end = call,
                                            .data = event->of.collective,
                                            .time = event->time };

    switch (event->kind) {
    case MWA_COLLECTIVE_END:
        return mwa_exchange_take_part(exchange, &part, false);
    case MWA_COLLECTIVE_POST:
        return mwa_exchange_post(exchange, rank, event->request, call);
    case MWA_COLLECTIVE_COMPLETE:
        return mwa_exchange_complete(exchange, rank, event, call);
    case MWA_WINDOW_COLLECTIVE:
        return take_window(exchange, event, call);
    default:
        return take_creation(exchange, event->of.comm, call);
    }
}
