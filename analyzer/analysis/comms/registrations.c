#include "analyzer/analysis/comms/registrations.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"
#include "formats/base/order.h"

/* The life of the communicator on rank; null: nothing is known of it. */
static const struct mwa_comm_life *life_on(const struct mwa_comms *comms,
                                           const struct mwa_comm_row *row, uint32_t rank)
{
    for (uint64_t i = 0; i < row->life_count; i++) {
        const struct mwa_comm_life *life = &comms->lives[row->first_life + i];

        if (life->rank == rank) {
            return life;
        }
    }
    return NULL;
}

static struct mwa_registration interval_of(const struct mwa_trace *trace,
                                           const struct mwa_comms *comms,
                                           const struct mwa_comm_row *row,
                                           const struct mwa_registered *registered)
{
    const bool is_told = registered->to != UINT64_MAX;
    const struct mwa_comm_life *life = is_told ? NULL : life_on(comms, row, registered->rank);
    const bool is_freed = life && life->has_freed;

    return (struct mwa_registration){ .comm = row->comm,
                                      .rank = registered->rank,
                                      .name = registered->name,
                                      .from_ns = mwa_trace_since_begin(trace, registered->from),
                                      .has_end = is_told || is_freed,
                                      .to_ns = is_told ? mwa_trace_since_begin(trace,
                                                                               registered->to)
                                               : is_freed ? life->freed_ns
                                                          : 0 };
}

static enum mw_status add_naming(struct mwa_namings *namings, const struct mwa_naming *naming)
{
    if (!mwa_grow(&namings->list, &namings->capacity, namings->count + 1, sizeof *namings->list)) {
        return MW_ERROR_MEMORY;
    }
    namings->list[namings->count++] = *naming;
    return MW_OK;
}

enum mw_status mwa_namings_take(struct mwa_namings *namings, const struct mwa_moment *moment)
{
    const struct mwa_event *event = moment->event;
    const struct mwa_naming naming = {
        .comm = event->of.mark.comm,
        .rank = moment->location->rank,
        .time = event->time,
        .name = event->kind == MWA_REGISTERED ? event->of.mark.text : NULL
    };

    if (naming.comm == MWA_NONE || naming.rank == MWA_NONE) {
        return MW_OK;
    }
    return add_naming(namings, &naming);
}

enum mw_status mwa_namings_merge(struct mwa_namings *into, const struct mwa_namings *from)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < from->count && status == MW_OK; i++) {
        status = add_naming(into, &from->list[i]);
    }
    return status;
}

void mwa_namings_fini(struct mwa_namings *namings)
{
    free(namings->list);
    *namings = (struct mwa_namings){ 0 };
}

void mwa_namings_pack(const struct mwa_namings *namings, const struct mwa_trace *trace,
                      struct mw_buffer *to)
{
    mwa_pack_array(to, namings->list, namings->count, sizeof *namings->list);
    mwa_pack_texts(to, trace, namings->list ? &namings->list->name : NULL, namings->count,
                   sizeof *namings->list);
}

enum mw_status mwa_namings_unpack(struct mwa_namings *namings, const struct mwa_trace *trace,
                                  struct mw_cursor *from)
{
    enum mw_status status =
        mwa_unpack_array(from, &namings->list, &namings->count, sizeof *namings->list);

    return status == MW_OK ? mwa_unpack_texts(from, trace, &namings->list->name, namings->count,
                                              sizeof *namings->list)
                           : status;
}

static int by_time(const void *one, const void *other)
{
    const struct mwa_naming *a = one;
    const struct mwa_naming *b = other;

    return mw_order(a->comm, b->comm) ?: mw_order(a->rank, b->rank) ?: mw_order(a->time, b->time);
}

/* The intervals of one communicator, from its namings, sorted; returns the position behind them. */
static uint64_t take_namings(const struct mwa_trace *trace, struct mwa_comms *comms,
                             struct mwa_comm_row *row, const struct mwa_namings *sorted,
                             uint64_t at)
{
    for (; at < sorted->count && sorted->list[at].comm == row->comm; at++) {
        const struct mwa_naming *naming = &sorted->list[at];
        const struct mwa_naming *next = at + 1 < sorted->count ? naming + 1 : NULL;
        bool has_next = next && next->comm == naming->comm && next->rank == naming->rank;
        const struct mwa_registered registered = { .name = naming->name,
                                                   .rank = naming->rank,
                                                   .from = naming->time,
                                                   .to = has_next ? next->time : UINT64_MAX };

        if (naming->name && !trace->comms[row->comm].is_told) {
            comms->registrations[comms->registration_count++] =
                interval_of(trace, comms, row, &registered);
            row->registration_count++;
        }
    }
    return at;
}

static void take_told(const struct mwa_trace *trace, struct mwa_comms *comms,
                      struct mwa_comm_row *row)
{
    const struct mwa_comm *comm = &trace->comms[row->comm];

    for (uint64_t k = 0; k < comm->registered_count; k++) {
        comms->registrations[comms->registration_count++] =
            interval_of(trace, comms, row, &comm->registered[k]);
        row->registration_count++;
    }
}

enum mw_status mwa_registrations_make(const struct mwa_trace *trace,
                                      const struct mwa_namings *namings,
                                      struct mwa_comms *comms)
{
    struct mwa_namings sorted = { 0 };
    uint64_t count = namings->count;
    uint64_t at = 0;

    for (uint32_t i = 0; i < trace->comm_count; i++) {
        count += trace->comms[i].registered_count;
    }
    comms->registrations = calloc(count + 1, sizeof *comms->registrations);
    if (!comms->registrations || mwa_namings_merge(&sorted, namings) != MW_OK) {
        mwa_namings_fini(&sorted);
        return MW_ERROR_MEMORY;
    }
    if (sorted.count > 0) {
        qsort(sorted.list, sorted.count, sizeof *sorted.list, by_time);
    }
    for (uint32_t i = 0; i < trace->comm_count; i++) {
        struct mwa_comm_row *row = &comms->rows[i];

        row->first_registration = comms->registration_count;
        take_told(trace, comms, row);
        at = take_namings(trace, comms, row, &sorted, at);
    }
    mwa_namings_fini(&sorted);
    return MW_OK;
}
