/*
 * A call that completes a request has the event of what it completes; one that asks in vain says
 * only for which request: what that is of is known since it began. As long as no collective
 * operation is open, nothing is looked for.
 */
#include "analyzer/model/call_use.h"

void mwa_call_uses_fini(struct mwa_call_uses *uses)
{
    mwa_map_fini(&uses->operations);
}

/* Of an MWA_TEST: it is told of the call, and not of all that is pending where the record ends. */
static bool is_asked_for(const struct mwa_event *event)
{
    return !event->hint || !event->hint->is_pending || event->hint->is_awaited;
}

enum mw_status mwa_call_uses_take_request(struct mwa_call_uses *uses,
                                          const struct mwa_event *event)
{
    const struct mwa_key request = { 0, event->request };

    switch (event->kind) {
    case MWA_COLLECTIVE_POST:
        if (!mwa_map_put(&uses->operations, request, 1)) {
            return MW_ERROR_MEMORY;
        }
        break;
    case MWA_COLLECTIVE_COMPLETE:
    case MWA_ISEND: /* in a record with gaps the same number may be another request's by now */
    case MWA_IRECV_POST:
        (void)mwa_map_remove(&uses->operations, request);
        break;
    case MWA_TEST:
        if (is_asked_for(event) &&
            mwa_map_get(&uses->operations, request) != MWA_MAP_ABSENT) {
            uses->kinds |= MWA_OPERATION_KINDS;
        }
        break;
    default:
        break;
    }
    return MW_OK;
}
