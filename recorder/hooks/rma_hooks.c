/*
 * MPI never tells that an operation is complete, only that all on a target are. So
 * they share an id, which the call that completes them closes when it is entered;
 * a lock is needed only among threads.
 */
#include "recorder/hooks/rma_hooks.h"

#include <otf2/OTF2_Events.h>
#include <pthread.h>
#include <stdlib.h>

#include "formats/base/array.h"
#include "recorder/dispatch/chain.h"
#include "recorder/hooks/filtering.h"
#include "recorder/hooks/message.h"
#include "recorder/recorder.h"
#include "recorder/variables/variables.h"

static uintptr_t key_of(MPI_Win window)
{
    return (uintptr_t)window;
}

static struct mwr_object *find(MPI_Win window)
{
    return mwr_object_find(MW_OBJECT_WINDOW, key_of(window));
}

static void note_rma(struct mwr_call *call, enum mw_record_type type,
                     const struct mwr_object *object, int target, uint32_t what, uint64_t id)
{
    struct mw_rma_member *member = mwr_call_member(call, type, sizeof *member, object->number);

    if (member) {
        member->target = target;
        member->what = what;
        member->bytes_sent = 0;
        member->bytes_received = 0;
        member->id = id;
        mw_spool_commit(member);
    }
}

/* The window, if the call succeeded and there is something to say of it. */
static struct mwr_object *succeeded(struct mwr_call *call, int result, MPI_Win window)
{
    if (MW_UNLIKELY(result != MPI_SUCCESS)) {
        mwr_call_failed(call, result);
        return NULL;
    }
    return call->record ? find(window) : NULL;
}

/* --- beginning, name and end -------------------------------------------------- */

void mwr_after_win_create(struct mwr_call *call, int result, unsigned id, uint32_t operation,
                          MPI_Comm comm, MPI_Win window)
{
    struct mwr_object *object;

    mwr_after_plain(call, result);
    if (result != MPI_SUCCESS) {
        return;
    }
    object = mwr_object_created(MW_OBJECT_WINDOW, key_of(window), comm, id, "");
    if (object) {
        mwr_call_note(call, MW_MEMBER_WIN_CREATE, object->number);
        mwr_variables_window_created(object->number, window);
        note_rma(call, MW_MEMBER_RMA_COLLECTIVE, object, MW_RMA_ALL, operation, 0);
    }
}

struct mwr_object *mwr_before_win_free(struct mwr_call *call, MPI_Win window)
{
    struct mwr_object *object = mwr_object_forget(MW_OBJECT_WINDOW, key_of(window));

    if (object) {
        mwr_variables_window_ends(call, object->number);
    }
    return object;
}

void mwr_after_win_free(struct mwr_call *call, int result, struct mwr_object *object)
{
    mwr_after_plain(call, result);
    if (!object) {
        return;
    }
    if (result != MPI_SUCCESS) {
        mwr_object_remember(object);
        return;
    }
    note_rma(call, MW_MEMBER_RMA_COLLECTIVE, object, MW_RMA_ALL,
             OTF2_COLLECTIVE_OP_DESTROY_HANDLE, 0);
    mwr_call_note(call, MW_MEMBER_WIN_DESTROY, object->number);
    mwr_object_free(object);
}

void mwr_after_win_set_name(struct mwr_call *call, int result, MPI_Win window, const char *name)
{
    const struct mwr_object *object;

    mwr_after_plain(call, result);
    object = result == MPI_SUCCESS ? find(window) : NULL;
    if (object && name) {
        mwr_recorder_define(&(struct mw_definition){
            .kind = MW_DEFINE_OBJECT_NAME,
            .of.object_name = {.kind = MW_OBJECT_WINDOW,
                               .number = object->number,
                               .time = mwr_clock(),
                               .name = name},
        });
    }
}

/* --- operations ------------------------------------------------------------------ */

struct mwr_access mwr_access_put(int64_t count, MPI_Datatype datatype)
{
    return (struct mwr_access){.type = MW_MEMBER_RMA_PUT, .sent = mwr_bytes_of(count, datatype)};
}

struct mwr_access mwr_access_get(int64_t count, MPI_Datatype datatype)
{
    return (struct mwr_access){.type = MW_MEMBER_RMA_GET,
                               .received = mwr_bytes_of(count, datatype)};
}

struct mwr_access mwr_access_accumulate(int64_t count, MPI_Datatype datatype)
{
    return (struct mwr_access){.type = MW_MEMBER_RMA_ATOMIC,
                               .atomic = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE,
                               .sent = mwr_bytes_of(count, datatype)};
}

struct mwr_access mwr_access_fetch(MPI_Op op, int64_t count, MPI_Datatype datatype,
                                   int64_t result_count, MPI_Datatype result_datatype)
{
    return (struct mwr_access){
        .type = MW_MEMBER_RMA_ATOMIC,
        .atomic = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
        /* MPI_NO_OP sends nothing, and its count and type mean nothing. */
        .sent = op == MPI_NO_OP ? 0 : mwr_bytes_of(count, datatype),
        .received = mwr_bytes_of(result_count, result_datatype),
    };
}

struct mwr_access mwr_access_swap(MPI_Datatype datatype)
{
    uint64_t bytes = mwr_bytes_of(1, datatype);

    /* What to compare with and what to put there go, what was there comes. */
    return (struct mwr_access){.type = MW_MEMBER_RMA_ATOMIC,
                               .atomic = OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP,
                               .sent = bytes == MW_BYTES_UNKNOWN ? bytes : 2 * bytes,
                               .received = bytes};
}

/*
 * What a window has pending. Operations on a target share an id until they are complete there.
 * Among threads, what completes them (a flush, an unlock, …) does so for those that were there
 * when it was entered, and others may come while it is under way: so it closes, when it is
 * entered, the ids that there are, later operations get other ones, and in the end it completes
 * what it or anyone before it has closed.
 */
static pthread_mutex_t pending_lock = PTHREAD_MUTEX_INITIALIZER;

static inline void lock_pending(void)
{
    if (mwr_recorder.is_multiple) {
        pthread_mutex_lock(&pending_lock);
    }
}

static inline void unlock_pending(void)
{
    if (mwr_recorder.is_multiple) {
        pthread_mutex_unlock(&pending_lock);
    }
}

/* Makes what a window has by target; false: no memory. The lock is held. */
static bool make_lists(struct mwr_object *object)
{
    if (!object->open) {
        object->open = calloc(object->size, sizeof *object->open);
    }
    if (!object->locks) {
        object->locks = calloc(object->size, sizeof *object->locks);
    }
    return object->open && object->locks;
}

/* A new id for operations on target; 0: no memory. The lock is held. */
static uint64_t open_id(struct mwr_call *call, struct mwr_object *object, int target)
{
    if (!mw_array_widen((void **)&object->pending, &object->pending_room,
                        (uint32_t)object->pending_count, sizeof *object->pending, 0)) {
        return 0;
    }
    object->open[target] = mwr_stream_request(call->stream);
    object->pending[object->pending_count++] =
        (struct mwr_pending){.id = object->open[target],
                             .closed = mwr_recorder.is_multiple ? UINT64_MAX : 0,
                             .target = target};
    return object->open[target];
}

/* The id that operations on target share now; 0: no memory. */
static uint64_t pending_id(struct mwr_call *call, struct mwr_object *object, int target)
{
    uint64_t id = 0;

    lock_pending();
    if (target >= 0 && (uint32_t)target < object->size && make_lists(object)) {
        id = object->open[target] != 0 ? object->open[target] : open_id(call, object, target);
    }
    unlock_pending();
    return id;
}

uint64_t mwr_before_completion(MPI_Win window, int rank)
{
    struct mwr_object *object = mwr_recorder.is_multiple ? find(window) : NULL;
    uint64_t closing = 0;

    if (object) {
        pthread_mutex_lock(&pending_lock);
        closing = ++object->closings;
        for (int i = 0; i < object->pending_count; i++) {
            struct mwr_pending *each = &object->pending[i];

            if (each->closed == UINT64_MAX && (rank == MW_RMA_ALL || each->target == rank)) {
                each->closed = closing;
                object->open[each->target] = 0;
            }
        }
        pthread_mutex_unlock(&pending_lock);
    }
    return closing;
}

static void note_access(struct mwr_call *call, const struct mwr_object *object, int target,
                        struct mwr_access access, uint64_t id)
{
    struct mw_rma_member *member =
        mwr_call_member(call, access.type, sizeof *member, object->number);

    if (member) {
        member->target = target;
        member->what = access.atomic;
        member->bytes_sent = access.sent;
        member->bytes_received = access.received;
        member->id = id;
        mw_spool_commit(member);
    }
}

void mwr_after_access(struct mwr_call *call, int result, MPI_Win window, int target,
                      struct mwr_access access, const MPI_Request *request)
{
    struct mwr_object *object = succeeded(call, result, window);
    struct mwr_request started = {.kind = MWR_REQUEST_RMA};

    if (call->tally && result == MPI_SUCCESS && target != MPI_PROC_NULL) {
        mwr_filter_bytes(call, access.sent, access.received);
        if (request && (object = find(window))) {
            mwr_filter_follow_on(call, &started, object->on, *request);
        }
        return;
    }
    if (!object || target == MPI_PROC_NULL) {
        mwr_access_unrecorded(result, request);
        return;
    }
    if (!request) {
        note_access(call, object, target, access, pending_id(call, object, target));
        return;
    }
    started.key = mwr_request_key(*request);
    started.id = mwr_stream_request(call->stream);
    started.comm = object->number;
    note_access(call, object, target, access, started.id);
    if (mwr_request_add(&started, *request) == MWR_ALREADY_COMPLETE) {
        mwr_access_complete(call, &started);
    }
}

void mwr_access_unrecorded(int result, const MPI_Request *request)
{
    if (result == MPI_SUCCESS && request) {
        mwr_request_add_unrecorded(*request);
    }
}

void mwr_access_complete(struct mwr_call *call, const struct mwr_request *request)
{
    struct mwr_object window = {.number = request->comm};

    note_rma(call, MW_MEMBER_RMA_DONE, &window, MW_RMA_ALL, MW_RMA_DONE_LOCAL, request->id);
}

/* --- synchronization -------------------------------------------------------------- */

/*
 * Notes that what closing has closed for rank, or for all targets, is done, and forgets it when it
 * is done there. Of threads, UINT64_MAX is whatever there is.
 */
static void complete_pending(struct mwr_call *call, struct mwr_object *object, int rank,
                             enum mw_rma_done done, uint64_t closing)
{
    lock_pending();
    for (int i = object->pending_count - 1; i >= 0; i--) {
        struct mwr_pending each = object->pending[i];

        if ((rank != MW_RMA_ALL && each.target != rank) || each.closed > closing) {
            continue;
        }
        note_rma(call, MW_MEMBER_RMA_DONE, object, each.target, done, each.id);
        if (done == MW_RMA_DONE_REMOTE) {
            object->pending[i] = object->pending[--object->pending_count];
            if (object->open[each.target] == each.id) {
                object->open[each.target] = 0;
            }
        }
    }
    unlock_pending();
}

void mwr_after_fence(struct mwr_call *call, int result, MPI_Win window, uint64_t closing)
{
    struct mwr_object *object = succeeded(call, result, window);

    if (object) {
        complete_pending(call, object, MW_RMA_ALL, MW_RMA_DONE_REMOTE, closing);
        note_rma(call, MW_MEMBER_RMA_COLLECTIVE, object, MW_RMA_ALL, OTF2_COLLECTIVE_OP_BARRIER,
                 0);
    }
}

/* Where the id of the lock on rank, or on all, is kept; null: no memory, or no such rank. */
static uint64_t *lock_of(struct mwr_object *object, int rank)
{
    uint64_t *lock = NULL;

    if (rank == MW_RMA_ALL) {
        return &object->lock_on_all;
    }
    lock_pending();
    if (rank >= 0 && (uint32_t)rank < object->size && make_lists(object)) {
        lock = &object->locks[rank];
    }
    unlock_pending();
    return lock;
}

void mwr_after_lock(struct mwr_call *call, int result, MPI_Win window, int rank, int lock_type)
{
    struct mwr_object *object = succeeded(call, result, window);
    uint64_t *lock = object ? lock_of(object, rank) : NULL;

    if (lock) {
        *lock = mwr_stream_request(call->stream);
        note_rma(call, MW_MEMBER_RMA_LOCK, object, rank,
                 lock_type == MPI_LOCK_EXCLUSIVE ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED,
                 *lock);
    }
}

void mwr_after_unlock(struct mwr_call *call, int result, MPI_Win window, int rank,
                      uint64_t closing)
{
    struct mwr_object *object = succeeded(call, result, window);
    uint64_t *lock = object ? lock_of(object, rank) : NULL;

    if (lock && *lock != 0) { /* the lock was recorded */
        complete_pending(call, object, rank, MW_RMA_DONE_REMOTE, closing);
        note_rma(call, MW_MEMBER_RMA_UNLOCK, object, rank, 0, *lock);
        *lock = 0;
    }
}

void mwr_after_flush(struct mwr_call *call, int result, MPI_Win window, int rank,
                     uint64_t closing)
{
    struct mwr_object *object = succeeded(call, result, window);

    if (object) {
        complete_pending(call, object, rank, MW_RMA_DONE_REMOTE, closing);
    }
}

void mwr_after_flush_local(struct mwr_call *call, int result, MPI_Win window, int rank)
{
    struct mwr_object *object = succeeded(call, result, window);

    if (object) {
        complete_pending(call, object, rank, MW_RMA_DONE_LOCAL, UINT64_MAX);
    }
}

void mwr_after_win_sync(struct mwr_call *call, int result, MPI_Win window)
{
    struct mwr_object *object = succeeded(call, result, window);
    int rank = 0;
    MPI_Group group;

    if (object && MWR_PMPI(Win_get_group)(window, &group) == MPI_SUCCESS) {
        MWR_PMPI(Group_rank)(group, &rank);
        MWR_PMPI(Group_free)(&group);
        note_rma(call, MW_MEMBER_RMA_SYNC, object, rank, OTF2_RMA_SYNC_TYPE_MEMORY, 0);
    }
}

/* --- post, start, complete, wait ------------------------------------------------------ */

/* The ranks in the window of a group's members, to be freed; null: no memory. */
static int *ranks_in(MPI_Win window, MPI_Group group, int *count)
{
    MPI_Group all;
    int *ranks;

    *count = 0;
    if (MWR_PMPI(Group_size)(group, count) != MPI_SUCCESS ||
        MWR_PMPI(Win_get_group)(window, &all) != MPI_SUCCESS) {
        return NULL;
    }
    ranks = calloc((size_t)*count + 1, 2 * sizeof *ranks);
    for (int i = 0; ranks && i < *count; i++) {
        ranks[i + *count] = i;
    }
    if (!ranks || MWR_PMPI(Group_translate_ranks)(group, *count, ranks + *count, all, ranks) !=
                      MPI_SUCCESS) {
        *count = 0;
    }
    MWR_PMPI(Group_free)(&all);
    return ranks;
}

static void note_each(struct mwr_call *call, const struct mwr_object *object, const int *ranks,
                      int count, uint32_t type)
{
    for (int i = 0; i < count; i++) {
        note_rma(call, MW_MEMBER_RMA_SYNC, object, ranks[i], type, 0);
    }
}

void mwr_after_post(struct mwr_call *call, int result, MPI_Win window, MPI_Group group)
{
    struct mwr_object *object = succeeded(call, result, window);

    if (object) {
        free(object->exposed_to);
        object->exposed_to = ranks_in(window, group, &object->exposed_count);
        note_each(call, object, object->exposed_to, object->exposed_count,
                  OTF2_RMA_SYNC_TYPE_NOTIFY_OUT);
    }
}

void mwr_after_win_start(struct mwr_call *call, int result, MPI_Win window, MPI_Group group)
{
    struct mwr_object *object = succeeded(call, result, window);

    if (object) {
        free(object->accessed);
        object->accessed = ranks_in(window, group, &object->accessed_count);
        note_each(call, object, object->accessed, object->accessed_count,
                  OTF2_RMA_SYNC_TYPE_NOTIFY_IN);
    }
}

void mwr_after_win_complete(struct mwr_call *call, int result, MPI_Win window, uint64_t closing)
{
    struct mwr_object *object = succeeded(call, result, window);

    if (object) {
        complete_pending(call, object, MW_RMA_ALL, MW_RMA_DONE_REMOTE, closing);
        note_each(call, object, object->accessed, object->accessed_count,
                  OTF2_RMA_SYNC_TYPE_NOTIFY_OUT);
        object->accessed_count = 0;
    }
}

void mwr_after_win_wait(struct mwr_call *call, int result, MPI_Win window)
{
    struct mwr_object *object = succeeded(call, result, window);

    if (object) {
        note_each(call, object, object->exposed_to, object->exposed_count,
                  OTF2_RMA_SYNC_TYPE_NOTIFY_IN);
        object->exposed_count = 0;
    }
}

void mwr_after_win_test(struct mwr_call *call, int result, MPI_Win window, int flag)
{
    if (result == MPI_SUCCESS && !flag) {
        mwr_call_end_poll(call);
        call->record = NULL;
    } else {
        mwr_after_win_wait(call, result, window);
    }
}
