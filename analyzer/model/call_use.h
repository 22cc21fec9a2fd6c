#ifndef MWA_MODEL_CALL_USE_H
#define MWA_MODEL_CALL_USE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/event.h"
#include "analyzer/model/map.h"
#include "formats/base/status.h"

/*
 * What a call of MPI takes its time for, by the events in it: MPI_Wait, MPI_Test, MPI_Start and
 * their like are of whatever requests they complete, ask for or start.
 */
enum mwa_use {
    MWA_USE_UNTOLD,     /* no event says; of calls of requests: none of these was recorded, or it
                           was complete when it began, as small sends are */
    MWA_USE_MESSAGES,
    MWA_USE_OPERATIONS, /* collective operations that do not block */
    MWA_USE_FILES,      /* transfers of files */
    MWA_USE_OTHER,      /* several of these, or something else: windows, making communicators */
    MWA_USES
};

/* Kinds of events in a call, a bit each: 1 << enum mwa_event_kind. */
#define MWA_MESSAGE_KINDS                                                                       \
    (1u << MWA_SEND | 1u << MWA_ISEND | 1u << MWA_ISEND_COMPLETE | 1u << MWA_IRECV_POST |       \
     1u << MWA_IRECV | 1u << MWA_RECV | 1u << MWA_CANCELLED)
#define MWA_OPERATION_KINDS (1u << MWA_COLLECTIVE_POST | 1u << MWA_COLLECTIVE_COMPLETE)
#define MWA_TRANSFER_KINDS  (1u << MWA_FILE | 1u << MWA_OBJECT)
#define MWA_OTHER_KINDS /* that say something, but of no message */                             \
    (MWA_OPERATION_KINDS | MWA_TRANSFER_KINDS | 1u << MWA_ONESIDED |                            \
     1u << MWA_WINDOW_COLLECTIVE | 1u << MWA_COMM_CREATE)

/* That of a call in which there were events of these kinds. */
static inline enum mwa_use mwa_use_of(uint32_t kinds)
{
    const uint32_t others = kinds & MWA_OTHER_KINDS;
    const bool is_of_messages = (kinds & MWA_MESSAGE_KINDS) != 0;

    if (others == 0) {
        return is_of_messages ? MWA_USE_MESSAGES : MWA_USE_UNTOLD;
    }
    return is_of_messages                     ? MWA_USE_OTHER
           : !(others & ~MWA_OPERATION_KINDS) ? MWA_USE_OPERATIONS
           : !(others & ~MWA_TRANSFER_KINDS)  ? MWA_USE_FILES
                                              : MWA_USE_OTHER;
}

/*
 * Follows what the calls of one location take their time for. All zero at its beginning, or where
 * no collective operation is open; for one thread.
 */
struct mwa_call_uses {
    uint32_t kinds;            /* of events in the outermost call that is being made */
    struct mwa_map operations; /* the requests of those that are open, among which those are that
                                  a call asks for in vain */
    uint32_t asked_call;       /* of the outermost call before, if it asked for one of these … */
    uint32_t asked_site;       /* … enum mw_call and its site; else MWA_NONE, or 0 at first */
};

/* As below, where a collective operation is open, or begins. */
enum mw_status mwa_call_uses_take_request(struct mwa_call_uses *uses,
                                          const struct mwa_event *event) MW_MUST_CHECK;

/*
 * Takes the next event that is neither the beginning nor the end of a call. Whoever enters an
 * outermost call of MPI sets kinds to 0.
 *
 * \return MW_OK, MW_ERROR_MEMORY.
 */
MW_MUST_CHECK static inline enum mw_status mwa_call_uses_take(struct mwa_call_uses *uses,
                                                              const struct mwa_event *event)
{
    uses->kinds |= 1u << event->kind;
    return MW_UNLIKELY(event->kind == MWA_COLLECTIVE_POST || uses->operations.count > 0)
               ? mwa_call_uses_take_request(uses, event)
               : MW_OK;
}

/*
 * The use of the outermost call that is left: call, enum mw_call, at site. A poll of a row of which
 * nothing is told is of what the one before asked for: the recorder tells that at the beginning of
 * the row, and one that took long, in which its thread was on no core, is recorded for itself.
 */
static inline enum mwa_use mwa_call_uses_leave(struct mwa_call_uses *uses, uint32_t call,
                                               uint32_t site)
{
    enum mwa_use use = mwa_use_of(uses->kinds);
    bool asks = use == MWA_USE_OPERATIONS && (uses->kinds & 1u << MWA_TEST) != 0;

    if (use == MWA_USE_UNTOLD && uses->operations.count > 0 && uses->asked_call == call &&
        uses->asked_site == site) {
        use = MWA_USE_OPERATIONS;
        asks = true;
    }
    uses->asked_call = asks ? call : MWA_NONE;
    uses->asked_site = site;
    return use;
}

void mwa_call_uses_fini(struct mwa_call_uses *uses);

#endif
