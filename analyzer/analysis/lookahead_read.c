#include "analyzer/exchange/lookahead.h"

#include <stdlib.h>

#include "analyzer/analysis/pass.h"
#include "analyzer/exchange/ordering.h"

#define LONG_BASE   16u
#define LONG_FACTOR 8u
#define LONG_EVENTS 2048u

struct reading {
    struct mwa_lookahead *lookahead;
    struct mwa_map pending; /* request to ordinal … */
    struct mwa_map since;   /* … and to how many events there were before it */
    struct mwa_map sends;   /* request to which of the sends */
    uint64_t posted;
    uint64_t sent;
    uint64_t events;
    uint64_t most_pending;
};

static struct mwa_key key_of(uint64_t request)
{
    return (struct mwa_key){ 0, request };
}

static enum mw_status keep(struct reading *reading, const struct mwa_long_receive *receive)
{
    struct mwa_lookahead *lookahead = reading->lookahead;

    if (!mwa_grow(&lookahead->receives, &lookahead->capacity, lookahead->count + 1,
                  sizeof *lookahead->receives)) {
        return MW_ERROR_MEMORY;
    }
    lookahead->receives[lookahead->count++] = *receive;
    return MW_OK;
}

static enum mw_status post(struct reading *reading, uint64_t request)
{
    uint64_t *place = mwa_map_put(&reading->pending, key_of(request), reading->posted);
    uint64_t *since = mwa_map_put(&reading->since, key_of(request), reading->events);

    if (!place || !since) {
        return MW_ERROR_MEMORY;
    }
    *since = reading->events;
    *place = reading->posted++;
    if (reading->pending.count > reading->most_pending) {
        reading->most_pending = reading->pending.count;
    }
    return MW_OK;
}

static enum mw_status complete(struct reading *reading, const struct mwa_event *event)
{
    const uint64_t ordinal = mwa_map_remove(&reading->pending, key_of(event->request));
    const uint64_t since = mwa_map_remove(&reading->since, key_of(event->request));
    struct mwa_long_receive receive = { .ordinal = ordinal, .time = event->time };

    if (ordinal == MWA_MAP_ABSENT ||
        (reading->posted - ordinal <= LONG_BASE + LONG_FACTOR * reading->most_pending &&
         reading->events - since <= LONG_EVENTS)) {
        return MW_OK;
    }
    receive.fate = event->kind == MWA_IRECV ? MWA_FATE_RECEIVED : MWA_FATE_CANCELLED;
    if (event->kind == MWA_IRECV) {
        receive.message = event->of.message;
    }
    return keep(reading, &receive);
}

static enum mw_status send(struct reading *reading, uint64_t request)
{
    uint64_t *place = mwa_map_put(&reading->sends, key_of(request), reading->sent);

    if (!place) {
        return MW_ERROR_MEMORY;
    }
    *place = reading->sent++;
    return MW_OK;
}

/* A send is complete or cancelled, or it is no send. */
static enum mw_status end_send(struct reading *reading, const struct mwa_event *event)
{
    struct mwa_lookahead *lookahead = reading->lookahead;
    const uint64_t number = mwa_map_remove(&reading->sends, key_of(event->request));

    if (number == MWA_MAP_ABSENT || event->kind != MWA_CANCELLED) {
        return MW_OK;
    }
    if (!mwa_grow(&lookahead->cancelled, &lookahead->cancelled_capacity,
                  lookahead->cancelled_count + 1, sizeof *lookahead->cancelled)) {
        return MW_ERROR_MEMORY;
    }
    lookahead->cancelled[lookahead->cancelled_count++] = number;
    return MW_OK;
}

static enum mw_status take(void *user, uint32_t rank, const struct mwa_event *event,
                           uint64_t enter, void *object)
{
    struct reading *reading = user;
    enum mw_status status;

    reading->events++;
    switch (event->kind) {
    case MWA_RECV:
        reading->posted++;
        return MW_OK;
    case MWA_ISEND:
        return send(reading, event->request);
    case MWA_IRECV_POST:
        return post(reading, event->request);
    case MWA_ISEND_COMPLETE:
        return end_send(reading, event);
    case MWA_IRECV:
        return complete(reading, event);
    case MWA_CANCELLED:
        status = end_send(reading, event);
        return status == MW_OK ? complete(reading, event) : status;
    default:
        return MW_OK;
    }
}

/* What is still pending never completed. */
static enum mw_status keep_pending(struct reading *reading)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < reading->pending.capacity && status == MW_OK; i++) {
        if (reading->pending.slots[i].value != MWA_MAP_ABSENT) {
            status = keep(reading, &(struct mwa_long_receive){
                                       .ordinal = reading->pending.slots[i].value,
                                       .fate = MWA_FATE_NEVER });
        }
    }
    if (status == MW_OK && reading->lookahead->count > 0) {
        qsort(reading->lookahead->receives, reading->lookahead->count,
              sizeof *reading->lookahead->receives, mwa_lookahead_order);
    }
    if (status == MW_OK && reading->lookahead->cancelled_count > 0) {
        qsort(reading->lookahead->cancelled, reading->lookahead->cancelled_count,
              sizeof *reading->lookahead->cancelled, mwa_lookahead_cancelled_order);
    }
    return status;
}

enum mw_status mwa_lookahead_read(struct mwa_input *input, uint32_t rank,
                                  struct mwa_lookahead *lookahead,
                                  struct mw_diagnostic *diagnostic)
{
    struct reading reading = { .lookahead = lookahead };
    struct mwa_pass_result ignored;
    struct mwa_pass pass = { .input = input, .only_rank = rank };
    enum mw_status status;

    *lookahead = (struct mwa_lookahead){ 0 };
    status = mwa_ordering_create(mwa_input_trace(input), take, &reading, &pass.ordering,
                                 diagnostic);
    if (status == MW_OK) {
        status = mwa_pass_run(&pass, NULL, &ignored, diagnostic);
    }
    if (status == MW_OK && keep_pending(&reading) != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "to read ahead");
    }
    mwa_ordering_destroy(pass.ordering);
    mwa_map_fini(&reading.pending);
    mwa_map_fini(&reading.since);
    mwa_map_fini(&reading.sends);
    if (status != MW_OK) {
        mwa_lookahead_fini(lookahead);
    }
    return status;
}
