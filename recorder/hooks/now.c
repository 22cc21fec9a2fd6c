/* What takes a look into a table, so that not each hook has it in line. */
#include "recorder/hooks/now.h"

#include "recorder/state/objects.h"
#include "recorder/state/requests.h"

void mwr_now_window(const struct mwr_call *call, MPI_Win window, int rank)
{
    struct mw_now *now = mwr_now_begin(call, MW_NOW_ON_WINDOW | MW_NOW_TARGET);
    const struct mwr_object *object =
        now ? mwr_object_find(MW_OBJECT_WINDOW, (uintptr_t)window) : NULL;

    if (object) {
        now->window = object->number;
        now->peer = rank;
        mwr_now_tell(call, now);
    }
}

/* A send that is waited for lacks partitions. */
static void tell_unready(struct mw_now *now, const struct mwr_request *request)
{
    now->what |= MW_NOW_UNREADY;
    now->comm = request->comm;
    now->peer = request->of.message.peer;
    now->tag = request->of.message.tag;
    now->bytes = request->of.message.bytes;
    now->unready = request->of.message.unready;
    now->unready_which = request->of.message.unready_which;
}

void mwr_now_completes(const struct mwr_call *call, int count, const MPI_Request requests[])
{
    struct mw_now *now = mwr_now_begin(call, MW_NOW_COMPLETES);

    if (now) {
        struct mwr_request unready;

        now->count = mwr_requests_look(count, requests, now->requests, MW_NOW_REQUESTS,
                                       &unready);
        if (MW_UNLIKELY(unready.key != 0)) {
            tell_unready(now, &unready);
        }
        mwr_now_tell(call, now);
    }
}
