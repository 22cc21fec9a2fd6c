#include "analyzer/analysis/registrations.h"

#include <stdlib.h>

static int by_rank_and_time(const void *one, const void *other)
{
    const struct mwa_comm_name *a = *(const struct mwa_comm_name *const *)one;
    const struct mwa_comm_name *b = *(const struct mwa_comm_name *const *)other;

    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return (a > b) - (a < b);
}

/* When rank freed the communicator, or UINT64_MAX. */
static uint64_t freed_by(const struct mwa_comms *comms, const struct mwa_comm_row *row,
                         uint32_t rank)
{
    for (uint64_t i = 0; i < row->life_count; i++) {
        const struct mwa_comm_life *life = &comms->lives[row->first_life + i];

        if (life->rank == rank) {
            return life->has_freed ? life->freed_ns : UINT64_MAX;
        }
    }
    return UINT64_MAX;
}

/* An interval ends at the rank's next word on the communicator, or when it frees it. */
static void add_interval(const struct mwa_trace *trace, struct mwa_comms *comms,
                         struct mwa_comm_row *row, const struct mwa_comm_name *name,
                         const struct mwa_comm_name *next)
{
    uint64_t end = next ? mwa_trace_since_begin(trace, next->time)
                        : freed_by(comms, row, name->rank);

    comms->registrations[comms->registration_count++] = (struct mwa_registration){
        .comm = row->comm,
        .rank = name->rank,
        .name = name->text,
        .from_ns = mwa_trace_since_begin(trace, name->time),
        .has_end = end != UINT64_MAX,
        .to_ns = end != UINT64_MAX ? end : 0
    };
    row->registration_count++;
}

static bool is_registration(const struct mwa_comm_name *name)
{
    return name->source != MWA_NAME_MPI && name->rank != MWA_NONE && name->time != UINT64_MAX;
}

/* order has room for all names of the communicator. */
static void take_comm(const struct mwa_trace *trace, struct mwa_comms *comms, uint32_t index,
                      const struct mwa_comm_name **order)
{
    const struct mwa_comm *comm = &trace->comms[index];
    struct mwa_comm_row *row = &comms->rows[index];
    uint64_t count = 0;

    for (uint64_t i = 0; i < comm->name_count; i++) {
        if (is_registration(&comm->names[i])) {
            order[count++] = &comm->names[i];
        }
    }
    qsort(order, count, sizeof *order, by_rank_and_time);
    row->first_registration = comms->registration_count;
    for (uint64_t i = 0; i < count; i++) {
        bool has_next = i + 1 < count && order[i + 1]->rank == order[i]->rank;

        if (order[i]->source == MWA_NAME_REGISTERED) {
            add_interval(trace, comms, row, order[i], has_next ? order[i + 1] : NULL);
        }
    }
}

enum mw_status mwa_registrations_make(const struct mwa_trace *trace, struct mwa_comms *comms)
{
    const struct mwa_comm_name **order;
    uint64_t most = 0;
    uint64_t all = 0;

    for (uint32_t i = 0; i < trace->comm_count; i++) {
        most = trace->comms[i].name_count > most ? trace->comms[i].name_count : most;
        all += trace->comms[i].name_count;
    }
    order = calloc(most + 1, sizeof *order);
    comms->registrations = calloc(all + 1, sizeof *comms->registrations);
    if (!order || !comms->registrations) {
        free(order);
        return MW_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < trace->comm_count; i++) {
        take_comm(trace, comms, i, order);
    }
    free(order);
    return MW_OK;
}
