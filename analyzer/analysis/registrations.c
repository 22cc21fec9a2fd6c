#include "analyzer/analysis/registrations.h"

#include <stdlib.h>

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

static struct mwa_registration interval_of(const struct mwa_trace *trace,
                                           const struct mwa_comms *comms,
                                           const struct mwa_comm_row *row,
                                           const struct mwa_registered *registered)
{
    uint64_t end = registered->to != UINT64_MAX ? mwa_trace_since_begin(trace, registered->to)
                                                : freed_by(comms, row, registered->rank);

    return (struct mwa_registration){ .comm = row->comm,
                                      .rank = registered->rank,
                                      .name = registered->name,
                                      .from_ns = mwa_trace_since_begin(trace, registered->from),
                                      .has_end = end != UINT64_MAX,
                                      .to_ns = end != UINT64_MAX ? end : 0 };
}

enum mw_status mwa_registrations_make(const struct mwa_trace *trace, struct mwa_comms *comms)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < trace->comm_count; i++) {
        count += trace->comms[i].registered_count;
    }
    comms->registrations = calloc(count + 1, sizeof *comms->registrations);
    if (!comms->registrations) {
        return MW_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < trace->comm_count; i++) {
        const struct mwa_comm *comm = &trace->comms[i];
        struct mwa_comm_row *row = &comms->rows[i];

        row->first_registration = comms->registration_count;
        row->registration_count = comm->registered_count;
        for (uint64_t k = 0; k < comm->registered_count; k++) {
            comms->registrations[comms->registration_count++] =
                interval_of(trace, comms, row, &comm->registered[k]);
        }
    }
    return MW_OK;
}
