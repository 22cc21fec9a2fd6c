#include "analyzer/analysis/comms.h"

#include <stdlib.h>

struct sums {
    uint32_t comm;
    uint64_t messages;
    uint64_t bytes;
    uint64_t collectives; /* events */
    uint64_t collective_bytes;
    uint64_t time;
    uint64_t created; /* UINT64_MAX: no event */
    uint64_t freed;
    bool has_freed;
};

/* Of the communicators that were met. */
struct partial {
    const struct mwa_trace *trace;
    struct mwa_table index; /* communicator to position in sums */
    struct sums *sums;
    uint64_t capacity;
    uint64_t count;
    uint64_t last;    /* position of the one used last */
    uint32_t current; /* of the MPI call being made, MWA_NONE: none yet */
};

static void *begin(const struct mwa_trace *trace)
{
    struct partial *partial = calloc(1, sizeof *partial);

    if (partial) {
        partial->trace = trace;
        partial->current = MWA_NONE;
    }
    return partial;
}

static void destroy(void *data)
{
    struct partial *partial = data;

    if (partial) {
        mwa_table_fini(&partial->index);
        free(partial->sums);
        free(partial);
    }
}

static struct sums *sums_of(struct partial *partial, uint32_t comm)
{
    uint64_t *place;

    if (partial->last < partial->count && partial->sums[partial->last].comm == comm) {
        return &partial->sums[partial->last];
    }
    if (!mwa_grow(&partial->sums, &partial->capacity, partial->count + 1,
                  sizeof *partial->sums)) {
        return NULL;
    }
    place = mwa_table_put(&partial->index, (struct mwa_key){ 0, comm }, partial->count);
    if (!place) {
        return NULL;
    }
    partial->last = *place;
    if (*place == partial->count) {
        partial->sums[partial->count++] = (struct sums){ .comm = comm, .created = UINT64_MAX };
    }
    return &partial->sums[partial->last];
}

static enum mw_status take_message(struct partial *partial, const struct mwa_event *event)
{
    const struct mwa_message_data *message = &event->of.message;
    struct sums *sums;

    if (message->comm == MWA_NONE) {
        return MW_OK;
    }
    partial->current = message->comm;
    sums = sums_of(partial, message->comm);
    if (!sums) {
        return MW_ERROR_MEMORY;
    }
    if (event->kind == MWA_SEND || event->kind == MWA_ISEND) {
        sums->messages++;
        sums->bytes += message->bytes == UINT64_MAX ? 0 : message->bytes;
    }
    return MW_OK;
}

static enum mw_status take_collective(struct partial *partial,
                                      const struct mwa_collective_data *collective)
{
    struct sums *sums;

    if (collective->comm == MWA_NONE) {
        return MW_OK;
    }
    partial->current = collective->comm;
    sums = sums_of(partial, collective->comm);
    if (!sums) {
        return MW_ERROR_MEMORY;
    }
    sums->collectives++;
    sums->collective_bytes += collective->bytes_sent == UINT64_MAX ? 0 : collective->bytes_sent;
    return MW_OK;
}

static enum mw_status take_life(struct partial *partial, const struct mwa_event *event)
{
    struct sums *sums;

    if (event->of.comm == MWA_NONE) {
        return MW_OK;
    }
    sums = sums_of(partial, event->of.comm);
    if (!sums) {
        return MW_ERROR_MEMORY;
    }
    if (event->kind == MWA_COMM_CREATE) {
        sums->created = event->time < sums->created ? event->time : sums->created;
    } else {
        sums->has_freed = true;
        sums->freed = event->time > sums->freed ? event->time : sums->freed;
    }
    return MW_OK;
}

static enum mw_status take_call(struct partial *partial, const struct mwa_call *call)
{
    struct sums *sums;

    if (!call || !call->outermost || partial->current == MWA_NONE) {
        return MW_OK;
    }
    sums = sums_of(partial, partial->current);
    partial->current = MWA_NONE;
    if (!sums) {
        return MW_ERROR_MEMORY;
    }
    sums->time += call->inclusive;
    return MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    switch (moment->event->kind) {
    case MWA_LEAVE:
        return take_call(data, moment->call);
    case MWA_COLLECTIVE_END:
    case MWA_COLLECTIVE_COMPLETE:
        return take_collective(data, &moment->event->of.collective);
    case MWA_COMM_CREATE:
    case MWA_COMM_DESTROY:
        return take_life(data, moment->event);
    default:
        return take_message(data, moment->event);
    }
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;

    for (uint64_t i = 0; i < from->count; i++) {
        const struct sums *add = &from->sums[i];
        struct sums *to = sums_of(into, add->comm);

        if (!to) {
            return MW_ERROR_MEMORY;
        }
        to->messages += add->messages;
        to->bytes += add->bytes;
        to->collectives += add->collectives;
        to->collective_bytes += add->collective_bytes;
        to->time += add->time;
        to->created = add->created < to->created ? add->created : to->created;
        to->freed = add->freed > to->freed ? add->freed : to->freed;
        to->has_freed |= add->has_freed;
    }
    return MW_OK;
}

static uint64_t since_begin(const struct mwa_trace *trace, uint64_t time)
{
    return time > trace->clock_offset ? mwa_trace_ns(trace, time - trace->clock_offset) : 0;
}

/* Events tell when it lived, and mpiwatch.json also while recording was paused. */
static void set_life(const struct mwa_trace *trace, struct mwa_comm_row *row, uint64_t created,
                     bool has_freed, uint64_t freed)
{
    const struct mwa_comm *comm = &trace->comms[row->comm];

    created = comm->created < created ? comm->created : created;
    freed = comm->has_freed && comm->freed > freed ? comm->freed : freed;
    row->has_created = created != UINT64_MAX;
    row->created_ns = row->has_created ? since_begin(trace, created) : 0;
    row->has_freed = has_freed || comm->has_freed;
    row->freed_ns = row->has_freed ? since_begin(trace, freed) : 0;
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    const struct mwa_trace *trace = partial->trace;
    struct mwa_comms *comms = result;

    comms->rows = calloc(trace->comm_count + 1, sizeof *comms->rows);
    comms->count = comms->rows ? trace->comm_count : 0;
    if (!comms->rows) {
        return MW_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < trace->comm_count; i++) {
        comms->rows[i].comm = i;
        set_life(trace, &comms->rows[i], UINT64_MAX, false, 0);
    }
    for (uint64_t i = 0; i < partial->count; i++) {
        const struct sums *sums = &partial->sums[i];
        uint64_t size = mwa_trace_comm_size(trace, sums->comm);

        comms->rows[sums->comm] = (struct mwa_comm_row){
            .comm = sums->comm,
            .messages = sums->messages,
            .bytes = sums->bytes,
            .collectives = size ? (sums->collectives + size - 1) / size : sums->collectives,
            .collective_bytes = sums->collective_bytes,
            .time_ns = mwa_trace_ns(trace, sums->time)
        };
        set_life(trace, &comms->rows[sums->comm], sums->created, sums->has_freed, sums->freed);
    }
    return MW_OK;
}

void mwa_comms_fini(struct mwa_comms *comms)
{
    free(comms->rows);
    *comms = (struct mwa_comms){ 0 };
}

void mwa_comms_forget(struct mwa_comms *comms, uint32_t comm, uint64_t bytes)
{
    if (comm < comms->count) {
        comms->rows[comm].messages--;
        comms->rows[comm].bytes -= bytes == UINT64_MAX ? 0 : bytes;
    }
}

static int by_time(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one;
    uint64_t b = *(const uint64_t *)other;

    return (a > b) - (a < b);
}

uint64_t mwa_comms_live_max(const struct mwa_comms *comms)
{
    uint64_t *created = calloc(comms->count + 1, sizeof *created);
    uint64_t *freed = calloc(comms->count + 1, sizeof *freed);
    uint64_t creations = 0, frees = 0, ended = 0, most = 0;

    for (uint64_t i = 0; created && freed && i < comms->count; i++) {
        const struct mwa_comm_row *row = &comms->rows[i];

        if (row->has_created) {
            created[creations++] = row->created_ns;
        }
        if (row->has_created && row->has_freed) {
            freed[frees++] = row->freed_ns;
        }
    }
    if (creations > 0) {
        qsort(created, creations, sizeof *created, by_time);
        qsort(freed, frees, sizeof *freed, by_time);
    }
    for (uint64_t i = 0; i < creations; i++) {
        while (ended < frees && freed[ended] <= created[i]) {
            ended++;
        }
        most = i + 1 - ended > most ? i + 1 - ended : most;
    }
    free(created);
    free(freed);
    return most;
}

const struct mwa_analysis mwa_comms_analysis = {
    .name = "comms",
    .kinds = MWA_KIND(MWA_LEAVE) | MWA_KIND(MWA_SEND) | MWA_KIND(MWA_ISEND) | MWA_KIND(MWA_RECV) |
             MWA_KIND(MWA_IRECV) | MWA_KIND(MWA_COLLECTIVE_END) |
             MWA_KIND(MWA_COLLECTIVE_COMPLETE) | MWA_KIND(MWA_COMM_CREATE) |
             MWA_KIND(MWA_COMM_DESTROY),
    .begin = begin,
    .event = event,
    .merge = merge,
    .finish = finish,
    .destroy = destroy
};
