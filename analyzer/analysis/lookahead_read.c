#include "analyzer/exchange/lookahead.h"

#include <stdlib.h>

#include "analyzer/analysis/pass.h"
#include "analyzer/exchange/ordering.h"

#define LONG_BASE   2048u
#define LONG_FACTOR 8u

struct reading {
    struct mwa_lookahead *lookahead;
    struct mwa_map pending; /* request to ordinal */
    uint64_t posted;
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

    if (!place) {
        return MW_ERROR_MEMORY;
    }
    *place = reading->posted++;
    if (reading->pending.count > reading->most_pending) {
        reading->most_pending = reading->pending.count;
    }
    return MW_OK;
}

static enum mw_status complete(struct reading *reading, const struct mwa_event *event)
{
    uint64_t ordinal = mwa_map_remove(&reading->pending, key_of(event->request));
    struct mwa_long_receive receive = { .ordinal = ordinal, .time = event->time };

    if (ordinal == MWA_MAP_ABSENT ||
        reading->posted - ordinal <= LONG_BASE + LONG_FACTOR * reading->most_pending) {
        return MW_OK;
    }
    receive.fate = event->kind == MWA_IRECV ? MWA_FATE_RECEIVED : MWA_FATE_CANCELLED;
    if (event->kind == MWA_IRECV) {
        receive.message = event->of.message;
    }
    return keep(reading, &receive);
}

static enum mw_status take(void *user, uint32_t rank, const struct mwa_event *event,
                           uint64_t enter, void *object)
{
    switch (event->kind) {
    case MWA_RECV:
        ((struct reading *)user)->posted++;
        return MW_OK;
    case MWA_IRECV_POST:
        return post(user, event->request);
    case MWA_IRECV:
    case MWA_CANCELLED:
        return complete(user, event);
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
    if (status != MW_OK) {
        mwa_lookahead_fini(lookahead);
    }
    return status;
}
