#include "analyzer/exchange/lookahead.h"

#include <stdlib.h>

#include "analyzer/analysis/pass.h"
#include "analyzer/exchange/ordering.h"

#define LONG_EVENTS 2048u

/* Requests of one sort that are open. */
struct open {
    struct mwa_map ordinals; /* of requests */
    struct mwa_map since;    /* and how many events there were before them */
    uint64_t begun;
    uint64_t most; /* at once so far */
};

struct reading {
    struct mwa_lookahead *lookahead;
    struct open receives; /* what begins without a request counts as well */
    struct open sends;
    struct open collectives;
    uint64_t events;
};

/* --- what is open ----------------------------------------------------------------------------- */

static struct mwa_key key_of(uint64_t request)
{
    return (struct mwa_key){ 0, request };
}

static enum mw_status begin(const struct reading *reading, struct open *open, uint64_t request)
{
    uint64_t *place = mwa_map_put(&open->ordinals, key_of(request), open->begun);
    uint64_t *since = mwa_map_put(&open->since, key_of(request), reading->events);

    if (!place || !since) {
        return MW_ERROR_MEMORY;
    }
    *since = reading->events;
    *place = open->begun++;
    open->most = open->ordinals.count > open->most ? open->ordinals.count : open->most;
    return MW_OK;
}

/* *is_long: it was open for long. Its ordinal, or MWA_MAP_ABSENT: it wasn't. */
static uint64_t end(const struct reading *reading, struct open *open, uint64_t request,
                    bool *is_long)
{
    const uint64_t ordinal = mwa_map_remove(&open->ordinals, key_of(request));
    const uint64_t since = mwa_map_remove(&open->since, key_of(request));

    *is_long = ordinal != MWA_MAP_ABSENT &&
               (mwa_lookahead_is_long(open->begun - ordinal, open->most) ||
                reading->events - since > LONG_EVENTS);
    return ordinal;
}

static void open_fini(struct open *open)
{
    mwa_map_fini(&open->ordinals);
    mwa_map_fini(&open->since);
}

/* --- what became of it ------------------------------------------------------------------------ */

static enum mw_status keep_receive(struct mwa_lookahead *lookahead,
                                   const struct mwa_long_receive *receive)
{
    if (!mwa_grow(&lookahead->receives, &lookahead->capacity, lookahead->count + 1,
                  sizeof *lookahead->receives)) {
        return MW_ERROR_MEMORY;
    }
    lookahead->receives[lookahead->count++] = *receive;
    return MW_OK;
}

static enum mw_status end_receive(struct reading *reading, const struct mwa_event *event)
{
    struct mwa_long_receive receive = { .time = event->time, .fate = MWA_FATE_CANCELLED };
    bool is_long;

    receive.ordinal = end(reading, &reading->receives, event->request, &is_long);
    if (event->kind == MWA_IRECV) {
        receive.fate = MWA_FATE_RECEIVED;
        receive.message = event->of.message;
    }
    return is_long ? keep_receive(reading->lookahead, &receive) : MW_OK;
}

static enum mw_status keep_collective(struct mwa_lookahead *lookahead,
                                      const struct mwa_long_collective *collective)
{
    if (!mwa_grow(&lookahead->collectives, &lookahead->collective_capacity,
                  lookahead->collective_count + 1, sizeof *lookahead->collectives)) {
        return MW_ERROR_MEMORY;
    }
    lookahead->collectives[lookahead->collective_count++] = *collective;
    return MW_OK;
}

static enum mw_status end_collective(struct reading *reading, const struct mwa_event *event)
{
    struct mwa_long_collective collective = { .request = event->request,
                                              .ends = true,
                                              .data = event->of.collective };
    bool is_long;

    collective.ordinal = end(reading, &reading->collectives, event->request, &is_long);
    return is_long ? keep_collective(reading->lookahead, &collective) : MW_OK;
}

/* A send is complete or cancelled, or it is no send. */
static enum mw_status end_send(struct reading *reading, const struct mwa_event *event)
{
    struct mwa_lookahead *lookahead = reading->lookahead;
    bool is_long;
    const uint64_t ordinal = end(reading, &reading->sends, event->request, &is_long);

    if (ordinal == MWA_MAP_ABSENT || event->kind != MWA_CANCELLED) {
        return MW_OK;
    }
    if (!mwa_grow(&lookahead->cancelled, &lookahead->cancelled_capacity,
                  lookahead->cancelled_count + 1, sizeof *lookahead->cancelled)) {
        return MW_ERROR_MEMORY;
    }
    lookahead->cancelled[lookahead->cancelled_count++] = ordinal;
    return MW_OK;
}

/* --- what never ends -------------------------------------------------------------------------- */

static enum mw_status keep_endless_receive(struct mwa_lookahead *lookahead, uint64_t ordinal)
{
    const struct mwa_long_receive receive = { .ordinal = ordinal, .fate = MWA_FATE_NEVER };

    return ordinal == MWA_MAP_ABSENT ? MW_OK : keep_receive(lookahead, &receive);
}

static enum mw_status keep_endless_collective(struct mwa_lookahead *lookahead, uint64_t ordinal,
                                              uint64_t request)
{
    const struct mwa_long_collective collective = { .ordinal = ordinal, .request = request };

    return ordinal == MWA_MAP_ABSENT ? MW_OK : keep_collective(lookahead, &collective);
}

/* A number is used again: the end of the request that had it is not in the archive. */
static enum mw_status retire(struct reading *reading, uint64_t request)
{
    bool is_long;
    const uint64_t receive = end(reading, &reading->receives, request, &is_long);
    const uint64_t collective = end(reading, &reading->collectives, request, &is_long);
    const enum mw_status status = keep_endless_receive(reading->lookahead, receive);

    (void)end(reading, &reading->sends, request, &is_long);
    return status == MW_OK
               ? keep_endless_collective(reading->lookahead, collective, request)
               : status;
}

/* What is still open never ends. */
static enum mw_status keep_open(struct reading *reading)
{
    const struct mwa_map *receives = &reading->receives.ordinals;
    const struct mwa_map *collectives = &reading->collectives.ordinals;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < receives->capacity && status == MW_OK; i++) {
        status = keep_endless_receive(reading->lookahead, receives->slots[i].value);
    }
    for (uint64_t i = 0; i < collectives->capacity && status == MW_OK; i++) {
        status = keep_endless_collective(reading->lookahead, collectives->slots[i].value,
                                         collectives->slots[i].key.low);
    }
    return status;
}

/* --- reading ---------------------------------------------------------------------------------- */

static enum mw_status begin_one(struct reading *reading, struct open *open, uint64_t request)
{
    const enum mw_status status = retire(reading, request);

    return status == MW_OK ? begin(reading, open, request) : status;
}

static enum mw_status take(void *user, uint32_t rank, const struct mwa_event *event,
                           uint64_t enter, void *object)
{
    struct reading *reading = user;
    enum mw_status status;

    reading->events++;
    switch (event->kind) {
    case MWA_RECV:
        reading->receives.begun++;
        return MW_OK;
    case MWA_IRECV_POST:
        return begin_one(reading, &reading->receives, event->request);
    case MWA_ISEND:
        return begin_one(reading, &reading->sends, event->request);
    case MWA_COLLECTIVE_POST:
        return begin_one(reading, &reading->collectives, event->request);
    case MWA_IRECV:
        return end_receive(reading, event);
    case MWA_ISEND_COMPLETE:
        return end_send(reading, event);
    case MWA_COLLECTIVE_COMPLETE:
        return end_collective(reading, event);
    case MWA_CANCELLED:
        status = end_send(reading, event);
        return status == MW_OK ? end_receive(reading, event) : status;
    default:
        return MW_OK;
    }
}

static void sort(void *list, uint64_t count, size_t size,
                 int (*order)(const void *one, const void *other))
{
    if (count > 1) {
        qsort(list, count, size, order);
    }
}

static void sort_all(struct mwa_lookahead *lookahead)
{
    sort(lookahead->receives, lookahead->count, sizeof *lookahead->receives, mwa_lookahead_order);
    sort(lookahead->cancelled, lookahead->cancelled_count, sizeof *lookahead->cancelled,
         mwa_lookahead_cancelled_order);
    sort(lookahead->collectives, lookahead->collective_count, sizeof *lookahead->collectives,
         mwa_lookahead_collective_order);
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
    if (status == MW_OK && keep_open(&reading) != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "to read ahead");
    }
    sort_all(lookahead);
    mwa_ordering_destroy(pass.ordering);
    open_fini(&reading.receives);
    open_fini(&reading.sends);
    open_fini(&reading.collectives);
    if (status != MW_OK) {
        mwa_lookahead_fini(lookahead);
    }
    return status;
}
