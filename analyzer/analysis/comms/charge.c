#include "analyzer/analysis/comms/charge.h"

#include <stdlib.h>

#include "analyzer/model/sides.h"

/* What the table of requests holds: this bit and a communicator, or an element of calls. */
#define IS_COMM (UINT64_C(1) << 32)

void mwa_charger_init(struct mwa_charger *charger)
{
    *charger = (struct mwa_charger){ .current = MWA_NONE, .begun = MWA_NONE, .free = MWA_NONE };
}

void mwa_charger_fini(struct mwa_charger *charger)
{
    mwa_map_fini(&charger->requests);
    free(charger->calls);
    mwa_charger_init(charger);
}

uint32_t mwa_event_comm(const struct mwa_event *event)
{
    switch (event->kind) {
    case MWA_SEND:
    case MWA_ISEND:
    case MWA_IRECV:
    case MWA_RECV:
        return event->of.message.comm;
    case MWA_COLLECTIVE_END:
    case MWA_COLLECTIVE_COMPLETE:
        return event->of.collective.of_handle ? MWA_NONE : event->of.collective.comm;
    case MWA_WINDOW_COLLECTIVE:
        return event->of.collective.comm;
    case MWA_ONESIDED:
        return event->of.onesided.comm;
    case MWA_FILE:
        return event->of.file.comm;
    case MWA_COMM_CREATE:
    case MWA_COMM_DESTROY:
    case MWA_OBJECT:
        return event->of.comm;
    default:
        return MWA_NONE;
    }
}

static void drop_request(struct mwa_charger *charger, uint32_t element)
{
    if (--charger->calls[element].requests == 0 && element != charger->begun) {
        charger->calls[element].next = charger->free;
        charger->free = element;
    }
}

static enum mw_status remember(struct mwa_charger *charger, uint64_t request, uint64_t value)
{
    uint64_t *place = mwa_map_put(&charger->requests, (struct mwa_key){ 0, request }, value);

    if (!place) {
        return MW_ERROR_MEMORY;
    }
    if (*place != value && *place < IS_COMM) {
        drop_request(charger, (uint32_t)*place); /* its end is not in the record */
    }
    *place = value;
    return MW_OK;
}

/* The call being made begins something. */
static enum mw_status begin_request(struct mwa_charger *charger, uint64_t request)
{
    if (charger->begun == MWA_NONE) {
        uint32_t element = charger->free;

        if (element == MWA_NONE) {
            if (!mwa_grow(&charger->calls, &charger->capacity, charger->count + 1u,
                          sizeof *charger->calls)) {
                return MW_ERROR_MEMORY;
            }
            element = charger->count++;
        } else {
            charger->free = charger->calls[element].next;
        }
        charger->calls[element] = (struct mwa_begun_call){ .requests = 0 };
        charger->begun = element;
    }
    charger->calls[charger->begun].requests++;
    return remember(charger, request, charger->begun);
}

/* A request turns out to be comm's, or is cancelled (MWA_NONE). */
static void end_request(struct mwa_charger *charger, const struct mwa_moment *moment,
                        uint32_t comm, struct mwa_charge *charge)
{
    const struct mwa_key key = { 0, moment->event->request };
    uint64_t value = mwa_map_remove(&charger->requests, key);
    struct mwa_begun_call *begun;

    if (value == MWA_MAP_ABSENT) {
        return;
    }
    if (value & IS_COMM) {
        charger->current = moment->mpi ? (uint32_t)value : charger->current;
        return;
    }
    begun = &charger->calls[value];
    if (begun->is_left && !begun->is_charged && comm != MWA_NONE) {
        begun->is_charged = true;
        *charge = (struct mwa_charge){ .call = &begun->call, .comm = comm };
    }
    drop_request(charger, (uint32_t)value);
}

/* The communicator of a non-blocking send that is looked after, or MWA_NONE. */
static uint32_t comm_of_request(const struct mwa_charger *charger, uint64_t request)
{
    uint64_t value = mwa_map_get(&charger->requests, (struct mwa_key){ 0, request });

    return value != MWA_MAP_ABSENT && (value & IS_COMM) ? (uint32_t)value : MWA_NONE;
}

static void leave(struct mwa_charger *charger, const struct mwa_call *call,
                  struct mwa_charge *charge)
{
    struct mwa_begun_call *begun;
    bool is_told; /* whom it is charged to, or that it is not */

    if (!call || !call->outermost) {
        return;
    }
    if (charger->current == MWA_NONE && call->found.is_told) {
        charger->current = call->found.comm;
    }
    is_told = charger->current != MWA_NONE || call->region->kind != MWA_REGION_MPI;
    if (is_told && call->region->kind == MWA_REGION_MPI) {
        *charge = (struct mwa_charge){ .call = call, .comm = charger->current };
    }
    if (charger->begun != MWA_NONE) {
        begun = &charger->calls[charger->begun];
        begun->call = *call;
        begun->is_left = true;
        begun->is_charged = is_told;
        if (begun->requests == 0) {
            begun->next = charger->free;
            charger->free = charger->begun;
        }
        charger->begun = MWA_NONE;
    }
    charger->current = MWA_NONE;
}

static void create(struct mwa_charger *charger, const struct mwa_moment *moment, uint32_t comm)
{
    if (comm != MWA_NONE && charger->current == MWA_NONE) {
        uint32_t parent = mwa_comm_made_of(moment->trace, comm, moment->location->rank);

        charger->current = parent != MWA_NONE ? parent : comm;
    }
}

enum mw_status mwa_charger_take(struct mwa_charger *charger, const struct mwa_moment *moment,
                                struct mwa_charge *charge)
{
    const struct mwa_event *event = moment->event;
    uint32_t comm;

    charge->comm = MWA_NONE;
    if (event->kind == MWA_LEAVE) {
        leave(charger, moment->call, charge);
        return MW_OK;
    }
    comm = mwa_event_comm(event);
    switch (event->kind) {
    case MWA_IRECV_POST:
    case MWA_COLLECTIVE_POST:
        return moment->mpi ? begin_request(charger, event->request) : MW_OK;
    case MWA_COMM_CREATE:
        if (moment->mpi) {
            create(charger, moment, comm);
        }
        return MW_OK;
    case MWA_IRECV:
    case MWA_COLLECTIVE_COMPLETE:
    case MWA_ISEND_COMPLETE:
    case MWA_CANCELLED:
        end_request(charger, moment, comm, charge);
        break;
    case MWA_TEST:
        comm = comm_of_request(charger, event->request);
        break;
    default:
        break;
    }
    charger->current = comm != MWA_NONE && moment->mpi ? comm : charger->current;
    return event->kind == MWA_ISEND && comm != MWA_NONE
               ? remember(charger, event->request, IS_COMM | comm)
               : MW_OK;
}

enum mw_status mwa_charger_selected_call(struct mwa_charger *charger,
                                         const struct mwa_moment *moment,
                                         struct mwa_charge *charge, const struct mwa_call **call)
{
    enum mw_status status = mwa_charger_take(charger, moment, charge);

    *call = NULL;
    if (status == MW_OK && charge->comm != MWA_NONE && moment->selected_comms[charge->comm]) {
        *call = charge->call;
    }
    return status;
}
