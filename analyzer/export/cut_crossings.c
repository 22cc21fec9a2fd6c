/* Messages on their way when the window begins. */
#include "analyzer/export/cut_crossings.h"

#include <stdlib.h>

#include "analyzer/analysis/exchanges.h"
#include "formats/base/order.h"

struct finding {
    const struct mwa_selection *selection;
    struct mwa_crossings *crossings;
};

/* The rank of a world rank in a communicator, in the group that is not self's if it is one of
 * two; MWA_NONE when it is in none. */
static uint32_t rank_in(const struct mwa_trace *trace, uint32_t comm, uint32_t self,
                        uint32_t rank)
{
    uint64_t size = mwa_trace_comm_size(trace, comm);

    for (uint32_t peer = 0; peer < size; peer++) {
        if (mwa_trace_peer(trace, comm, self, peer) == rank) {
            return peer;
        }
    }
    return MWA_NONE;
}

static enum mw_status take_message(void *user, const struct mwa_trace *trace,
                                   const struct mwa_message *message)
{
    struct finding *finding = user;
    struct mwa_crossings *crossings = finding->crossings;
    uint64_t from = finding->selection->from;
    struct mwa_crossing crossing = { .tag = message->tag,
                                     .bytes = message->bytes,
                                     .number = message->number };

    if (message->sent_at >= from || message->comm == MWA_NONE || !message->receive_completion ||
        message->receive_completion->leave < from) {
        return MW_OK;
    }
    crossing.location = message->send->location;
    crossing.comm = trace->comms[message->comm].id;
    crossing.peer = rank_in(trace, message->comm, message->send->rank,
                            message->receive_completion->rank);
    if (crossing.peer == MWA_NONE) {
        return MW_OK;
    }
    if (!mwa_grow(&crossings->list, &crossings->capacity, crossings->count + 1,
                  sizeof *crossings->list)) {
        return MW_ERROR_MEMORY;
    }
    crossings->list[crossings->count++] = crossing;
    return MW_OK;
}

static int by_location(const void *left, const void *right)
{
    const struct mwa_crossing *a = left, *b = right;

    return mw_order(a->location, b->location) ?: mw_order(a->number, b->number);
}

enum mw_status mwa_crossings_find(const struct mwa_trace *trace, const char *path,
                                  const struct mwa_selection *selection,
                                  struct mwa_crossings *crossings,
                                  struct mw_diagnostic *diagnostic)
{
    struct finding finding = { .selection = selection, .crossings = crossings };
    const struct mwa_span span = { selection->from, selection->to };
    enum mw_status status;

    *crossings = (struct mwa_crossings){ 0 };
    status = mwa_exchanges_visit(trace, path, &span, selection->start, take_message, NULL,
                                 &finding, diagnostic);
    if (status == MW_OK && crossings->count > 0) {
        qsort(crossings->list, crossings->count, sizeof *crossings->list, by_location);
    }
    return status;
}

void mwa_crossings_fini(struct mwa_crossings *crossings)
{
    free(crossings->list);
    *crossings = (struct mwa_crossings){ 0 };
}
