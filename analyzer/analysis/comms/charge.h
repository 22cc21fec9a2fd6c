#ifndef MWA_ANALYSIS_COMMS_CHARGE_H
#define MWA_ANALYSIS_COMMS_CHARGE_H

#include "analyzer/analysis/analysis.h"

/*
 * Which communicator a call is charged to.
 *
 * An outermost MPI call is charged as a whole to the communicator of the last message or
 * collective in it: of its sends, of the receives and collectives that it completes, of the
 * non-blocking sends that it completes or tests; a probe that blocks to that of the message that it
 * found. What it does with a window or an open file is
 * done on the communicator that these were made on. A call that only begins receives or
 * non-blocking collectives is charged when the first of them completes on the same thread,
 * to the communicator that turns up then. A call that frees a communicator is charged to
 * that, one that creates some and does nothing else to their parent. MPI_Init and MPI_Finalize
 * are charged to none, as all others are whose events name no communicator.
 *
 * A charger belongs to one location. All zero but for what mwa_charger_init sets.
 */

/* What a charger has to see. */
#define MWA_CHARGE_KINDS                                                                        \
    (MWA_KIND(MWA_LEAVE) | MWA_KIND(MWA_SEND) | MWA_KIND(MWA_ISEND) |                           \
     MWA_KIND(MWA_ISEND_COMPLETE) | MWA_KIND(MWA_IRECV_POST) | MWA_KIND(MWA_IRECV) |            \
     MWA_KIND(MWA_RECV) | MWA_KIND(MWA_TEST) | MWA_KIND(MWA_CANCELLED) |                        \
     MWA_KIND(MWA_COLLECTIVE_END) | MWA_KIND(MWA_COLLECTIVE_POST) |                             \
     MWA_KIND(MWA_COLLECTIVE_COMPLETE) | MWA_KIND(MWA_COMM_CREATE) |                            \
     MWA_KIND(MWA_COMM_DESTROY) | MWA_KIND(MWA_WINDOW_COLLECTIVE) | MWA_KIND(MWA_ONESIDED) |    \
     MWA_KIND(MWA_FILE) | MWA_KIND(MWA_OBJECT))

/* A call that has begun something of which the communicator is not known yet. */
struct mwa_begun_call {
    struct mwa_call call;
    uint32_t requests; /* of it that are pending; 0: a free element */
    uint32_t next;     /* free element */
    bool is_left;
    bool is_charged;
};

struct mwa_charger {
    uint32_t current; /* communicator of the call being made, MWA_NONE: none yet */
    uint32_t begun;   /* element of calls for the call being made, MWA_NONE: none */
    struct mwa_map requests; /* to an element of calls, or a communicator */
    struct mwa_begun_call *calls;
    uint64_t capacity;
    uint32_t count;
    uint32_t free;
};

void mwa_charger_init(struct mwa_charger *charger);
void mwa_charger_fini(struct mwa_charger *charger);

/* A call, which the charger has until its next event, and whom it is charged to. */
struct mwa_charge {
    const struct mwa_call *call;
    uint32_t comm; /* index; MWA_NONE: nothing is charged now */
};

/*
 * Takes the next event of the location, of MWA_CHARGE_KINDS (others are passed over). An
 * event charges one call at the most.
 *
 * \return MW_OK and *charge. MW_ERROR_MEMORY.
 */
enum mw_status mwa_charger_take(struct mwa_charger *charger, const struct mwa_moment *moment,
                                struct mwa_charge *charge) MW_MUST_CHECK;

/* As below, where communicators are selected. */
enum mw_status mwa_charger_selected_call(struct mwa_charger *charger,
                                         const struct mwa_moment *moment,
                                         struct mwa_charge *charge, const struct mwa_call **call)
    MW_MUST_CHECK;

/*
 * The call that is done with this event and counts: any, or, where communicators are selected, one
 * that is charged to one of these, which charge holds then.
 *
 * \return MW_OK and *call; null: none is. MW_ERROR_MEMORY.
 */
MW_MUST_CHECK static inline enum mw_status
mwa_charger_call(struct mwa_charger *charger, const struct mwa_moment *moment,
                 struct mwa_charge *charge, const struct mwa_call **call)
{
    if (moment->selected_comms) {
        return mwa_charger_selected_call(charger, moment, charge, call);
    }
    *call = moment->call;
    return MW_OK;
}

/*
 * The communicator that an event names (of a message, a collective, its life, of a window or a
 * file that was made on it), or MWA_NONE.
 */
uint32_t mwa_event_comm(const struct mwa_event *event);

/*
 * Whether an event in a call of MPI, or the leave of one that found a message, is of a communicator
 * with members of other jobs, whose events are not in the archive.
 */
static inline bool mwa_names_other_jobs(const struct mwa_moment *moment)
{
    const uint32_t comm = moment->call && moment->call->found.is_told
                              ? moment->call->found.comm
                          : moment->mpi ? mwa_event_comm(moment->event)
                                        : MWA_NONE;

    return comm != MWA_NONE && moment->trace->comms[comm].other_job;
}

/*
 * The bytes that an event says were moved, 0 where it does not know; false: it is of a kind that
 * moves none.
 */
static inline bool mwa_event_bytes(const struct mwa_event *event, uint64_t *sent,
                                   uint64_t *received)
{
    *sent = 0;
    *received = 0;
    switch (event->kind) {
    case MWA_SEND:
    case MWA_ISEND:
        *sent = event->of.message.bytes;
        break;
    case MWA_RECV:
    case MWA_IRECV:
        *received = event->of.message.bytes;
        break;
    case MWA_ONESIDED:
        *sent = event->of.onesided.bytes_sent;
        *received = event->of.onesided.bytes_received;
        break;
    case MWA_FILE:
        *sent = event->of.file.bytes_written;
        *received = event->of.file.bytes_read;
        break;
    case MWA_COLLECTIVE_END:
    case MWA_COLLECTIVE_COMPLETE:
        *sent = event->of.collective.bytes_sent;
        *received = event->of.collective.bytes_received;
        break;
    default:
        return false;
    }
    *sent = *sent == UINT64_MAX ? 0 : *sent;
    *received = *received == UINT64_MAX ? 0 : *received;
    return true;
}

#endif
