#include "recorder/hooks/filtering.h"

#include "recorder/recorder.h"
#include "recorder/sites/site_numbers.h"
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

/* Changed by any thread, with atomics. */
static struct shared shared;

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
    return mwr_thread_will_record() &&
           filter_object(call, id, mwr_object_find(MW_OBJECT_WINDOW, (uintptr_t)window));
}

bool mwr_filter_file(struct mwr_call *call, unsigned id, MPI_File file)
{
    return mwr_thread_will_record() &&
           filter_object(call, id, mwr_object_find(MW_OBJECT_HANDLE, (uintptr_t)file));
}

/*
 * What is known of a request: a persistent one that is inactive is what it will be when it is
 * started. *comm: the number, if it is filtered.
 */
static enum mwr_request_state look(uintptr_t key, uint32_t *comm)
{
    const struct mwr_comm *on = NULL;
    enum mwr_request_state state = mwr_request_look(key, &on);

    if (state == MWR_REQUEST_RESTING) {
        state = mwr_comm_is_filtered(on) ? MWR_REQUEST_FILTERED : MWR_REQUEST_RECORDED;
    }
    if (state == MWR_REQUEST_FILTERED) {
        *comm = on ? on->number : MW_COMM_NONE;
    }
    return state;
}

bool mwr_filter_message(struct mwr_call *call, unsigned id, const MPI_Message *message)
{
    uint32_t comm;

    if (!mwr_thread_will_record() || !message || *message == MPI_MESSAGE_NULL ||
        look(mwr_message_key(*message), &comm) != MWR_REQUEST_FILTERED) {
        return false;
    }
    mwr_filter_take(call, id, comm);
    return true;
}

/* What handles that stand for several requests are, as far as that can be told. */
static enum mwr_request_state of_shared(uint32_t *comm)
{
    if (__atomic_load_n(&shared.recorded, __ATOMIC_RELAXED) > 0) {
        return MWR_REQUEST_RECORDED;
    }
    if (__atomic_load_n(&shared.filtered, __ATOMIC_RELAXED) > 0) {
        *comm = __atomic_load_n(&shared.comm, __ATOMIC_RELAXED);
        return MWR_REQUEST_FILTERED;
    }
    return MWR_REQUEST_UNKNOWN;
}

bool mwr_filter_requests(struct mwr_call *call, unsigned id, const MPI_Request *requests,
                         int count)
{
    bool is_known = false;   /* a request of a filtered communicator is among them … */
    bool is_guessed = false; /* … or, as its handle is a shared one, most likely is */
    uint32_t comm = MW_COMM_NONE;
    uint32_t guess = MW_COMM_NONE;

    if (!mwr_thread_will_record() || !requests) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        uint32_t on;
        enum mwr_request_state state = look(mwr_request_key(requests[i]), &on);

        if (state == MWR_REQUEST_FILTERED) {
            comm = is_known ? comm : on;
            is_known = true;
        } else if (state == MWR_REQUEST_UNKNOWN && mwr_request_is_shared(requests[i])) {
            state = of_shared(&guess);
            is_guessed |= state == MWR_REQUEST_FILTERED;
        }
        if (state == MWR_REQUEST_RECORDED) {
            return false;
        }
    }
    if (is_known || is_guessed) {
        mwr_filter_take(call, id, is_known ? comm : guess);
    }
    return is_known || is_guessed;
}

bool mwr_filter_request_at(struct mwr_call *call, unsigned id, const MPI_Request *request)
{
    const struct mwr_comm *on = NULL;

    if (!mwr_thread_will_record() || !request) {
        return false;
    }
    /* What most are, first. */
    switch (mwr_request_look(mwr_request_key(*request), &on)) {
    case MWR_REQUEST_FILTERED:
        mwr_filter_take(call, id, on->number);
        return true;
    case MWR_REQUEST_RECORDED:
        return false;
    case MWR_REQUEST_UNKNOWN:
    case MWR_REQUEST_RESTING:
        break;
    }
    return mwr_filter_requests(call, id, request, 1);
}

bool mwr_filter_request(struct mwr_call *call, unsigned id, MPI_Request request)
{
    return mwr_filter_request_at(call, id, &request);
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

void mwr_filter_follow_plain(enum mwr_request_kind kind, MPI_Comm comm, MPI_Request handle)
{
    const struct mwr_comm *on = mwr_comm_known(comm);

    if (on && mwr_request_add_plain(handle, kind, 0, on->number, on) == MWR_ALREADY_COMPLETE &&
        handle != MPI_REQUEST_NULL) {
        mwr_filter_gave_shared(true, on->number);
    }
}

void mwr_filter_moved_beside(struct mwr_call *call, const struct mwr_comm *on, uint64_t sent,
                             uint64_t received)
{
    if (mwr_thread_records() && (call->tally || call->record)) {
        unsigned id = call->tally ? call->tally->call - 1 : mwr_site_call(call->record->call);
        struct mw_tally *tally = mwr_tally_of(on->number, id);

        call->tally = call->tally ? tally : NULL; /* its own may have moved */
        mwr_tally_bytes(tally, sent, received);
    }
}

/* The counts of shared handles change; several threads may do so only where MPI lets them. */
static void add_one(int64_t *count)
{
    if (mwr_recorder.is_multiple) {
        __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
    } else {
        ++*count;
    }
}

/* Takes one away, unless there is none: then a handle was of a request to nobody. */
static bool take_one(int64_t *count)
{
    int64_t before = __atomic_load_n(count, __ATOMIC_RELAXED);

    if (!mwr_recorder.is_multiple) {
        *count -= before > 0;
        return before > 0;
    }
    while (before > 0) {
        if (__atomic_compare_exchange_n(count, &before, before - 1, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            return true;
        }
    }
    return false;
}

void mwr_filter_gave_shared(bool is_filtered, uint32_t comm)
{
    if (is_filtered) {
        __atomic_store_n(&shared.comm, comm, __ATOMIC_RELAXED);
    }
    add_one(is_filtered ? &shared.filtered : &shared.recorded);
}

void mwr_filter_completed_shared(MPI_Request handle)
{
    if (mwr_request_is_shared(handle) && !take_one(&shared.recorded)) {
        (void)take_one(&shared.filtered);
    }
}
