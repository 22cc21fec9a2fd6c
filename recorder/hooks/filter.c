#include "recorder/hooks/filter.h"

#include "recorder/state/objects.h"

/*
 * Handles that an MPI gives to several requests at once say nothing of whose they are. It is
 * known how many have been given out and not completed of either sort; where there are
 * of both, a completion counts as recorded.
 */
struct shared {
    int64_t recorded;
    int64_t filtered;
    uint32_t comm; /* of the latest filtered one */
};

static struct shared shared;

bool mwr_filter_comm(struct mwr_call *call, unsigned id, MPI_Comm comm)
{
    const struct mwr_comm *known = mwr_filter_is_on() ? mwr_comm_known(comm) : NULL;

    if (!mwr_comm_is_filtered(known)) {
        return false;
    }
    mwr_filter_take(call, id, known->number);
    return true;
}

static bool filter_object(struct mwr_call *call, unsigned id, const struct mwr_object *object)
{
    if (!object || !mwr_comm_is_filtered(object->on)) {
        return false;
    }
    mwr_filter_take(call, id, object->on->number);
    return true;
}

bool mwr_filter_window(struct mwr_call *call, unsigned id, MPI_Win window)
{
    return mwr_filter_is_on() &&
           filter_object(call, id, mwr_object_find(MW_OBJECT_WINDOW, (uintptr_t)window));
}

bool mwr_filter_file(struct mwr_call *call, unsigned id, MPI_File file)
{
    return mwr_filter_is_on() &&
           filter_object(call, id, mwr_object_find(MW_OBJECT_HANDLE, (uintptr_t)file));
}

/* Whether a request is known, and of which communicator if that is filtered. */
struct known {
    bool is_recorded;
    bool is_shared;
    bool is_filtered;
    uint32_t comm;
};

static struct known look(uintptr_t key)
{
    struct known known = {.comm = MW_COMM_NONE};
    struct mwr_request_state state;

    if (mwr_request_look(key, &state)) {
        /* A persistent one that is inactive is what it will be when it is started. */
        known.is_filtered = state.is_resting ? mwr_comm_is_filtered(state.on)
                                             : state.is_filtered;
        known.is_recorded = !known.is_filtered;
        known.comm = state.on ? state.on->number : MW_COMM_NONE;
    }
    return known;
}

static struct known look_at(MPI_Request request)
{
    struct known known = {0};

    if (request != MPI_REQUEST_NULL) {
        known = look(mwr_request_key(request));
        known.is_shared =
            !known.is_filtered && !known.is_recorded && mwr_request_is_shared(request);
    }
    return known;
}

bool mwr_filter_message(struct mwr_call *call, unsigned id, const MPI_Message *message)
{
    struct known known = {0};

    if (mwr_filter_is_on() && message && *message != MPI_MESSAGE_NULL) {
        known = look(mwr_message_key(*message));
    }
    if (known.is_filtered) {
        mwr_filter_take(call, id, known.comm);
    }
    return known.is_filtered;
}

bool mwr_filter_requests(struct mwr_call *call, unsigned id, const MPI_Request *requests,
                         int count)
{
    struct known first = {0};
    int64_t of_many = 0;
    bool is_recorded = false;

    if (!mwr_filter_is_on() || !requests) {
        return false;
    }
    for (int i = 0; i < count && !is_recorded; i++) {
        struct known known = look_at(requests[i]);

        is_recorded = known.is_recorded;
        of_many += known.is_shared;
        first = first.is_filtered ? first : known;
    }
    if (of_many > 0) {
        is_recorded |= __atomic_load_n(&shared.recorded, __ATOMIC_RELAXED) > 0;
        if (!first.is_filtered && __atomic_load_n(&shared.filtered, __ATOMIC_RELAXED) > 0) {
            first.is_filtered = true;
            first.comm = __atomic_load_n(&shared.comm, __ATOMIC_RELAXED);
        }
    }
    if (is_recorded || !first.is_filtered) {
        return false;
    }
    mwr_filter_take(call, id, first.comm);
    return true;
}

bool mwr_filter_request(struct mwr_call *call, unsigned id, MPI_Request request)
{
    return mwr_filter_requests(call, id, &request, 1);
}

bool mwr_filter_request_at(struct mwr_call *call, unsigned id, const MPI_Request *request)
{
    return mwr_filter_requests(call, id, request, 1);
}

/* --- for the other hooks ------------------------------------------------------------- */

void mwr_filter_follow_on(struct mwr_call *call, struct mwr_request *request,
                          const struct mwr_comm *comm, MPI_Request handle)
{
    request->key = mwr_request_key(handle);
    request->id = 0;
    request->is_filtered = true;
    request->on = comm;
    if (!comm || mwr_request_add(request, handle) != MWR_ALREADY_COMPLETE) {
        return;
    }
    if (request->kind == MWR_REQUEST_COLL) {
        mwr_filter_bytes(call, request->of.collective.sent, request->of.collective.received);
    }
    if (handle != MPI_REQUEST_NULL) {
        mwr_filter_gave_shared(true, comm->number);
    }
}

void mwr_filter_moved(struct mwr_call *call, const struct mwr_request *request, uint64_t sent,
                      uint64_t received)
{
    if (request->is_filtered && request->on && mwr_filter_is_on() &&
        (call->tally || call->record)) {
        unsigned id = call->tally ? call->tally->call : call->record->call;
        uint32_t comm = request->on->number;
        struct mwr_tally *tally = call->tally;

        if (!tally || tally->comm != comm) {
            tally = mwr_filter_tally(mwr_thread.recording, comm, id);
            call->tally = call->tally ? tally : NULL; /* its own may have moved */
        }
        mwr_tally_bytes(tally, sent, received);
    }
}

void mwr_filter_gave_shared(bool is_filtered, uint32_t comm)
{
    if (is_filtered) {
        __atomic_store_n(&shared.comm, comm, __ATOMIC_RELAXED);
        __atomic_add_fetch(&shared.filtered, 1, __ATOMIC_RELAXED);
    } else {
        __atomic_add_fetch(&shared.recorded, 1, __ATOMIC_RELAXED);
    }
}

/* Takes one away, unless there is none: then a handle was of a request to nobody. */
static bool take_one(int64_t *count)
{
    int64_t before = __atomic_load_n(count, __ATOMIC_RELAXED);

    while (before > 0) {
        if (__atomic_compare_exchange_n(count, &before, before - 1, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            return true;
        }
    }
    return false;
}

void mwr_filter_completed_shared(MPI_Request handle)
{
    if (handle != MPI_REQUEST_NULL && mwr_request_is_shared(handle) &&
        !take_one(&shared.recorded)) {
        (void)take_one(&shared.filtered);
    }
}
