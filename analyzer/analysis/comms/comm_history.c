/* A communicator's members each tell of its life: what they say is put in order at the end. */
#include "analyzer/analysis/comms/comm_history.h"

#include <stdlib.h>

#include "analyzer/analysis/comms/charge.h"
#include "analyzer/analysis/comms/registrations.h"
#include "analyzer/analysis/keyed_rows.h"
#include "analyzer/team/packing.h"
#include "formats/base/order.h"

struct sums {
    uint32_t comm;
    uint64_t calls;
    uint64_t messages;
    uint64_t bytes;
    uint64_t collectives; /* events */
    uint64_t collective_bytes;
    uint64_t time;
    bool is_used; /* there was a message or collective, sent or received */
};

/* A member creates a communicator, or frees it. */
struct change {
    uint32_t comm;
    uint32_t rank; /* MWA_NONE: not known */
    uint32_t site; /* MWA_NONE: not known */
    bool is_end;
    uint64_t time; /* ticks */
};

struct changes {
    struct change *list;
    uint64_t capacity;
    uint64_t count;
};

/* Of the communicators that were met. */
struct partial {
    const struct mwa_trace *trace;
    struct mwa_charger charger;
    struct mwa_index index; /* communicator to position in sums */
    struct sums *sums;
    uint64_t mpi;  /* ticks in outermost calls, but for MPI_Init and MPI_Finalize */
    struct changes changes;
    struct mwa_namings namings;
};

static enum mw_status begin(void *data)
{
    struct partial *partial = data;

    mwa_charger_init(&partial->charger);
    return MW_OK;
}

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_charger_fini(&partial->charger);
    free(partial->changes.list);
    mwa_namings_fini(&partial->namings);
}

static struct mwa_key key_of(const void *data)
{
    return (struct mwa_key){ 0, ((const struct sums *)data)->comm };
}

static void add(void *to_data, const void *data)
{
    struct sums *to = to_data;
    const struct sums *sums = data;

    to->calls += sums->calls;
    to->messages += sums->messages;
    to->bytes += sums->bytes;
    to->collectives += sums->collectives;
    to->collective_bytes += sums->collective_bytes;
    to->time += sums->time;
    to->is_used |= sums->is_used;
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    return ((const struct sums *)data)->comm < trace->comm_count;
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(sums),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

static struct sums *sums_of(struct partial *partial, uint32_t comm)
{
    uint64_t at = mwa_index_of(&partial->index, (struct mwa_key){ 0, comm }, &partial->sums,
                               sizeof *partial->sums);

    if (at == MWA_MAP_ABSENT) {
        return NULL;
    }
    partial->sums[at].comm = comm;
    return &partial->sums[at];
}

static enum mw_status take_message(struct partial *partial, const struct mwa_message_data *message)
{
    struct sums *sums;

    if (message->comm == MWA_NONE) {
        return MW_OK;
    }
    sums = sums_of(partial, message->comm);
    if (!sums) {
        return MW_ERROR_MEMORY;
    }
    sums->is_used = true;
    sums->messages++;
    sums->bytes += message->bytes == UINT64_MAX ? 0 : message->bytes;
    return MW_OK;
}

static enum mw_status take_collective(struct partial *partial,
                                      const struct mwa_collective_data *collective)
{
    struct sums *sums;

    if (collective->comm == MWA_NONE || collective->of_handle) {
        return MW_OK;
    }
    sums = sums_of(partial, collective->comm);
    if (!sums) {
        return MW_ERROR_MEMORY;
    }
    sums->is_used = true;
    sums->collectives++;
    sums->collective_bytes += collective->bytes_sent == UINT64_MAX ? 0 : collective->bytes_sent;
    return MW_OK;
}

static enum mw_status add_change(struct changes *changes, const struct change *change)
{
    if (!mwa_grow(&changes->list, &changes->capacity, changes->count + 1, sizeof *changes->list)) {
        return MW_ERROR_MEMORY;
    }
    changes->list[changes->count++] = *change;
    return MW_OK;
}

static enum mw_status add_changes(struct changes *into, const struct changes *from)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < from->count && status == MW_OK; i++) {
        status = add_change(into, &from->list[i]);
    }
    return status;
}

static enum mw_status take_life(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_event *event = moment->event;

    /* Those that every program has are there from MPI_Init on, whatever is told of them. */
    if (event->of.comm == MWA_NONE || partial->trace->comms[event->of.comm].predefined) {
        return MW_OK;
    }
    return add_change(&partial->changes, &(struct change){ .comm = event->of.comm,
                                                 .rank = moment->location->rank,
                                                 .site = moment->mpi ? moment->site : MWA_NONE,
                                                 .is_end = event->kind == MWA_COMM_DESTROY,
                                                 .time = event->time });
}

static enum mw_status take_charge(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_call *call = moment->call;
    struct mwa_charge charge;
    struct sums *sums;

    if (call && call->outermost && call->region->kind == MWA_REGION_MPI) {
        partial->mpi += call->inclusive;
    }
    if (mwa_charger_take(&partial->charger, moment, &charge) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    if (charge.comm == MWA_NONE) {
        return MW_OK;
    }
    sums = sums_of(partial, charge.comm);
    if (!sums) {
        return MW_ERROR_MEMORY;
    }
    sums->calls += charge.call->repeat;
    sums->time += charge.call->inclusive;
    return MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    enum mw_status status = MW_OK;

    switch (moment->event->kind) {
    case MWA_COLLECTIVE_END:
    case MWA_COLLECTIVE_COMPLETE:
        status = take_collective(data, &moment->event->of.collective);
        break;
    case MWA_COMM_CREATE:
    case MWA_COMM_DESTROY:
        status = take_life(data, moment);
        break;
    case MWA_REGISTERED:
    case MWA_UNREGISTERED:
        return mwa_namings_take(&((struct partial *)data)->namings, moment);
    case MWA_SEND:
    case MWA_ISEND:
        status = take_message(data, &moment->event->of.message);
        break;
    default:
        break;
    }
    return status == MW_OK ? take_charge(data, moment) : status;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;

    into->mpi += from->mpi;
    return add_changes(&into->changes, &from->changes) == MW_OK
               ? mwa_namings_merge(&into->namings, &from->namings)
               : MW_ERROR_MEMORY;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mw_buffer_u64(to, partial->mpi);
    mwa_pack_array(to, partial->changes.list, partial->changes.count,
                   sizeof *partial->changes.list);
    mwa_namings_pack(&partial->namings, partial->trace, to);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;
    char mpi[8];
    enum mw_status status = mw_cursor_take(from, mpi, sizeof mpi) ? MW_OK : MW_ERROR_FORMAT;

    if (status == MW_OK) {
        partial->mpi = mw_get_u64(mpi);
        status = mwa_unpack_array(from, &partial->changes.list, &partial->changes.count,
                                  sizeof *partial->changes.list);
    }
    return status == MW_OK ? mwa_namings_unpack(&partial->namings, partial->trace, from) : status;
}

/* Events tell when it lived, and mpiwatch.json also while recording was paused. */
static enum mw_status add_memberships(const struct mwa_trace *trace, struct changes *changes)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < trace->comm_count; i++) {
        const struct mwa_comm *comm = &trace->comms[i];

        for (uint64_t k = 0; k < comm->membership_count && status == MW_OK; k++) {
            struct change change = { .comm = i,
                                     .rank = comm->memberships[k].rank,
                                     .site = MWA_NONE };

            change.time = comm->memberships[k].created;
            if (change.time != UINT64_MAX) {
                status = add_change(changes, &change);
            }
            change.is_end = true;
            change.time = comm->memberships[k].freed;
            if (change.time != UINT64_MAX && status == MW_OK) {
                status = add_change(changes, &change);
            }
        }
    }
    return status;
}

static int by_member(const void *one, const void *other)
{
    const struct change *a = one;
    const struct change *b = other;

    return mw_order(a->comm, b->comm) ?: mw_order(a->rank, b->rank);
}

static void apply(const struct mwa_trace *trace, const struct change *change,
                  struct mwa_comm_life *life, struct mwa_comm_row *row)
{
    int64_t ns = mwa_trace_since_begin(trace, change->time);

    if (change->is_end) {
        life->freed_ns = life->has_freed && life->freed_ns > ns ? life->freed_ns : ns;
        row->freed_ns = row->has_freed && row->freed_ns > ns ? row->freed_ns : ns;
        life->has_freed = row->has_freed = true;
    } else {
        life->created_ns = life->has_created && life->created_ns < ns ? life->created_ns : ns;
        row->created_ns = row->has_created && row->created_ns < ns ? row->created_ns : ns;
        row->created_site = row->created_site == MWA_NONE ? change->site : row->created_site;
        life->has_created = row->has_created = true;
    }
}

/* Folds changes, sorted by member, into lives. */
static enum mw_status fold(const struct mwa_trace *trace, const struct changes *changes,
                           struct mwa_comms *comms)
{
    comms->lives = calloc(changes->count + 1, sizeof *comms->lives);
    if (!comms->lives) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->list[i];
        struct mwa_comm_row *row = &comms->rows[change->comm];

        if (i == 0 || by_member(change - 1, change) != 0) {
            row->first_life = row->life_count > 0 ? row->first_life : comms->life_count;
            row->life_count++;
            comms->lives[comms->life_count++].rank = change->rank;
        }
        apply(trace, change, &comms->lives[comms->life_count - 1], row);
    }
    return MW_OK;
}

static enum mw_status finish_lives(const struct partial *partial, struct mwa_comms *comms)
{
    struct changes changes = { 0 };
    enum mw_status status = add_changes(&changes, &partial->changes);

    if (status == MW_OK) {
        status = add_memberships(partial->trace, &changes);
    }
    if (status == MW_OK) {
        if (changes.count > 0) {
            qsort(changes.list, changes.count, sizeof *changes.list, by_member);
        }
        status = fold(partial->trace, &changes, comms);
    }
    free(changes.list);
    return status;
}

static void take_filtered(const struct mwa_trace *trace, struct mwa_comms *comms)
{
    for (uint64_t i = 0; i < trace->filtered_count; i++) {
        const struct mwa_filtered *filtered = &trace->filtered[i];

        comms->filtered_calls += filtered->calls;
        comms->filtered_bytes += filtered->bytes_sent;
        if (filtered->comm != MWA_NONE) {
            comms->rows[filtered->comm].filtered_calls += filtered->calls;
            comms->rows[filtered->comm].filtered_bytes += filtered->bytes_sent;
            comms->rows[filtered->comm].is_used = true;
        }
    }
}

/* How many were created, and were alive at a time. */
static enum mw_status count_lives(struct mwa_comms *comms)
{
    int64_t *created = calloc(comms->count + 1, sizeof *created);
    int64_t *freed = calloc(comms->count + 1, sizeof *freed);
    enum mw_status status = created && freed ? MW_OK : MW_ERROR_MEMORY;
    uint64_t frees = 0, ended = 0;

    for (uint64_t i = 0; status == MW_OK && i < comms->count; i++) {
        const struct mwa_comm_row *row = &comms->rows[i];

        if (row->has_created) {
            created[comms->created++] = row->created_ns;
        }
        if (row->has_created && row->has_freed) {
            freed[frees++] = row->freed_ns;
        }
    }
    if (comms->created > 0) {
        qsort(created, comms->created, sizeof *created, mw_order_i64);
        qsort(freed, frees, sizeof *freed, mw_order_i64);
    }
    for (uint64_t i = 0; i < comms->created; i++) {
        while (ended < frees && freed[ended] <= created[i]) {
            ended++;
        }
        comms->alive_max = i + 1 - ended > comms->alive_max ? i + 1 - ended : comms->alive_max;
    }
    free(created);
    free(freed);
    return status;
}

static int by_time(const void *one, const void *other)
{
    const struct mwa_comm_row *a = *(const struct mwa_comm_row *const *)one;
    const struct mwa_comm_row *b = *(const struct mwa_comm_row *const *)other;

    return mw_order(b->time_ns, a->time_ns) ?: mw_order(a->comm, b->comm);
}

/* What is told of all of them together. */
static enum mw_status finish_totals(const struct partial *partial, struct mwa_comms *comms)
{
    comms->mpi_ns = comms->none_ns = mwa_trace_ns(partial->trace, partial->mpi);
    comms->by_time = calloc(comms->count + 1, sizeof *comms->by_time);
    if (!comms->by_time) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < comms->count; i++) {
        comms->none_ns -= comms->rows[i].time_ns;
        comms->by_time[i] = &comms->rows[i];
    }
    qsort(comms->by_time, comms->count, sizeof *comms->by_time, by_time);
    return count_lives(comms);
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
        comms->rows[i].created_site = MWA_NONE;
    }
    for (uint64_t i = 0; i < partial->index.count; i++) {
        const struct sums *sums = &partial->sums[i];
        uint64_t size = mwa_trace_comm_present(trace, sums->comm);

        comms->rows[sums->comm] = (struct mwa_comm_row){
            .comm = sums->comm,
            .calls = sums->calls,
            .messages = sums->messages,
            .bytes = sums->bytes,
            .collectives = size ? (sums->collectives + size - 1) / size : sums->collectives,
            .collective_bytes = sums->collective_bytes,
            .time_ns = mwa_trace_ns(trace, sums->time),
            .is_used = sums->is_used,
            .created_site = MWA_NONE
        };
    }
    for (uint32_t i = 0; i < trace->comm_count; i++) {
        comms->rows[i].is_used |= trace->comms[i].has_objects;
    }
    take_filtered(trace, comms);
    if (finish_lives(partial, comms) != MW_OK || finish_totals(partial, comms) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    return mwa_registrations_make(trace, &partial->namings, comms);
}

void mwa_comms_fini(struct mwa_comms *comms)
{
    free(comms->rows);
    free(comms->by_time);
    free(comms->lives);
    free(comms->registrations);
    *comms = (struct mwa_comms){ 0 };
}

void mwa_comms_forget(struct mwa_comms *comms, uint32_t comm, uint64_t bytes)
{
    if (comm < comms->count) {
        comms->rows[comm].messages--;
        comms->rows[comm].bytes -= bytes == UINT64_MAX ? 0 : bytes;
    }
}

const struct mwa_analysis mwa_comms_analysis = {
    .name = "comms",
    .kinds = MWA_CHARGE_KINDS | MWA_KIND(MWA_REGISTERED) | MWA_KIND(MWA_UNREGISTERED),
    .size = sizeof(struct partial),
    .rows = &rows,
    .begin = begin,
    .event = event,
    .merge = merge,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .fini = fini
};
