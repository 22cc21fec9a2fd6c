#include "recorder/state/requests.h"

#include <sched.h>
#include <stdlib.h>

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"

/* Handles that stand for many completed requests: one in Open MPI, one per kind in MPICH. */
#define SHARED_MAX 16

/*
 * An open-addressing table with linear probing. A slot is free when its key is 0;
 * removal moves the followers of the probe sequence up, so that no tombstones slow the
 * table down however long the program runs.
 */
static struct mwr_request *slots;
static size_t capacity; /* a power of two, or 0 */
static size_t used;
static uint64_t lost;
static uintptr_t shared[SHARED_MAX];
static unsigned shared_count;

static bool sendrecv_has_status = true;
static bool is_locked_table;
static char table_lock;

static inline void lock(void)
{
    if (is_locked_table) {
        while (__atomic_test_and_set(&table_lock, __ATOMIC_ACQUIRE)) {
            sched_yield();
        }
    }
}

static inline void unlock(void)
{
    if (is_locked_table) {
        __atomic_clear(&table_lock, __ATOMIC_RELEASE);
    }
}

static inline size_t home_of(uintptr_t key)
{
    return (size_t)((uint64_t)key * 0x9e3779b97f4a7c15u >> 32) & (capacity - 1);
}

/* The slot of key, or the free one where it belongs. There is one free slot at least. */
static inline struct mwr_request *slot_of(uintptr_t key)
{
    size_t at = home_of(key);

    while (slots[at].key != key && slots[at].key != 0) {
        at = (at + 1) & (capacity - 1);
    }
    return &slots[at];
}

static bool grow(void)
{
    struct mwr_request *old = slots;
    size_t old_capacity = capacity;
    struct mwr_request *grown;

    grown = calloc(old_capacity > 0 ? old_capacity * 2 : 1024, sizeof *grown);
    if (!grown) {
        return false;
    }
    slots = grown;
    capacity = old_capacity > 0 ? old_capacity * 2 : 1024;
    for (size_t i = 0; i < old_capacity; i++) {
        if (old[i].key != 0) {
            *slot_of(old[i].key) = old[i];
        }
    }
    free(old);
    return true;
}

/* The slot of key, which is in use from here on; null: no memory. The lock is held. */
static inline struct mwr_request *claim(uintptr_t key)
{
    struct mwr_request *slot;

    if (MW_UNLIKELY((used + 1) * 4 > capacity * 3) && !grow()) {
        lost++;
        return NULL;
    }
    slot = slot_of(key);
    used += slot->key == 0;
    slot->key = key;
    return slot;
}

/* Stores request under its key; the lock is held. */
static bool store(const struct mwr_request *request)
{
    struct mwr_request *slot = claim(request->key);

    if (slot) {
        *slot = *request;
    }
    return slot != NULL;
}

/* Frees the slot at index at; the lock is held. */
static void remove_at(size_t at)
{
    size_t next = at;

    used--;
    for (;;) {
        size_t home;

        next = (next + 1) & (capacity - 1);
        if (slots[next].key == 0) {
            break;
        }
        home = home_of(slots[next].key);
        /* It may move up only if its home is not between the hole and itself. */
        if (((next - home) & (capacity - 1)) >= ((next - at) & (capacity - 1))) {
            slots[at] = slots[next];
            at = next;
        }
    }
    slots[at].key = 0;
}

/* The lock is held, or there is one thread. */
static void learn_shared(uintptr_t key)
{
    for (unsigned i = 0; i < shared_count; i++) {
        if (shared[i] == key) {
            return;
        }
    }
    if (shared_count < SHARED_MAX) {
        shared[shared_count] = key;
        __atomic_store_n(&shared_count, shared_count + 1, __ATOMIC_RELEASE);
    }
}

bool mwr_sendrecv_has_status(void)
{
    return sendrecv_has_status;
}

/* Sends one byte to itself and looks whether the status says so. */
static void learn_sendrecv(void)
{
#if MWR_HAS_MPI_Isendrecv
    MPI_Request request;
    MPI_Status status;
    char bytes[2] = {0};
    int count = 0;

    if (MWR_PMPI(Isendrecv)(&bytes[0], 1, MPI_BYTE, 0, 1, &bytes[1], 1, MPI_BYTE, 0, 1,
                            mwr_recorder.self, &request) == MPI_SUCCESS &&
        MWR_PMPI(Wait)(&request, &status) == MPI_SUCCESS) {
        MWR_PMPI(Get_count)(&status, MPI_BYTE, &count);
        sendrecv_has_status = count == 1;
    }
#endif
}

void mwr_requests_init(bool is_multiple)
{
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Request again[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int byte = 0;

    is_locked_table = is_multiple;
    learn_sendrecv();
    /* To and from nobody, twice: a handle that comes back while it is in use is shared. */
    for (int i = 0; i < 2; i++) {
        MPI_Request *pair = i == 0 ? requests : again;

        MWR_PMPI(Isend)(&byte, 0, MPI_BYTE, MPI_PROC_NULL, 0, mwr_recorder.self, &pair[0]);
        MWR_PMPI(Irecv)(&byte, 0, MPI_BYTE, MPI_PROC_NULL, 0, mwr_recorder.self, &pair[1]);
    }
    for (int i = 0; i < 2; i++) {
        if (requests[i] == again[i] && requests[i] != MPI_REQUEST_NULL) {
            learn_shared(mwr_request_key(requests[i]));
        }
        MWR_PMPI(Wait)(&requests[i], MPI_STATUS_IGNORE);
        MWR_PMPI(Wait)(&again[i], MPI_STATUS_IGNORE);
    }
}

/* Whether handle is one of those, or MPI_REQUEST_NULL: nobody will complete it. */
static bool is_shared(MPI_Request handle)
{
    unsigned count = __atomic_load_n(&shared_count, __ATOMIC_ACQUIRE);

    if (handle == MPI_REQUEST_NULL) {
        return true;
    }
    for (unsigned i = 0; i < count; i++) {
        if (shared[i] == mwr_request_key(handle)) {
            return true;
        }
    }
    return false;
}

bool mwr_request_is_shared(MPI_Request handle)
{
    return handle != MPI_REQUEST_NULL && is_shared(handle);
}

/* Whether the library says that the request is complete; it is not freed. */
static bool is_complete(MPI_Request handle)
{
    int flag = 0;
    MPI_Status status;

    return MWR_PMPI(Request_get_status)(handle, &flag, &status) == MPI_SUCCESS && flag;
}

/* Whether a handle is here already because it is a shared one, which is learnt. */
static bool turns_out_shared(MPI_Request handle)
{
    uintptr_t key = mwr_request_key(handle);
    bool is_known;

    lock();
    is_known = used > 0 && slot_of(key)->key == key;
    unlock();
    if (!is_known || !is_complete(handle)) {
        return false;
    }
    lock();
    learn_shared(key);
    unlock();
    return true;
}

enum mwr_followed mwr_request_add_plain(MPI_Request handle, enum mwr_request_kind kind,
                                        uint64_t id, uint32_t comm, const struct mwr_comm *on)
{
    struct mwr_request *slot;

    if (is_shared(handle) || (kind != MWR_REQUEST_RECV && turns_out_shared(handle))) {
        return MWR_ALREADY_COMPLETE;
    }
    lock();
    slot = claim(mwr_request_key(handle));
    if (slot) {
        /* Each on its own: a copy of all would wait for what has just been written. */
        slot->id = id;
        slot->comm = comm;
        slot->kind = (uint8_t)kind;
        slot->is_persistent = false;
        slot->is_active = false;
        slot->is_cancelled = false;
        slot->is_filtered = on != NULL;
        slot->on = on;
    }
    unlock();
    return slot ? MWR_FOLLOWED : MWR_NOT_FOLLOWED;
}

enum mwr_followed mwr_request_add(const struct mwr_request *request, MPI_Request handle)
{
    bool is_stored;

    if (is_shared(handle) || (!request->is_persistent && request->kind != MWR_REQUEST_RECV &&
                              turns_out_shared(handle))) {
        return MWR_ALREADY_COMPLETE;
    }
    lock();
    is_stored = store(request);
    unlock();
    return is_stored ? MWR_FOLLOWED : MWR_NOT_FOLLOWED;
}

void mwr_message_add(const struct mwr_request *message)
{
    lock();
    (void)store(message);
    unlock();
}

bool mwr_request_find(uintptr_t key, struct mwr_request *request)
{
    bool is_known = false;

    lock();
    if (used > 0) {
        const struct mwr_request *slot = slot_of(key);

        is_known = slot->key == key && key != 0;
        if (is_known) {
            *request = *slot;
        }
    }
    unlock();
    return is_known;
}

enum mwr_request_state mwr_request_look(uintptr_t key, const struct mwr_comm **on)
{
    enum mwr_request_state state = MWR_REQUEST_UNKNOWN;

    lock();
    if (used > 0 && key != 0) {
        const struct mwr_request *slot = slot_of(key);

        if (slot->key == key) {
            *on = slot->on;
            state = slot->is_persistent && !slot->is_active ? MWR_REQUEST_RESTING
                    : slot->is_filtered                     ? MWR_REQUEST_FILTERED
                                                            : MWR_REQUEST_RECORDED;
        }
    }
    unlock();
    return state;
}

void mwr_request_update(const struct mwr_request *request)
{
    lock();
    if (used > 0) {
        struct mwr_request *slot = slot_of(request->key);

        if (slot->key == request->key) {
            *slot = *request;
        }
    }
    unlock();
}

bool mwr_request_complete(uintptr_t key, struct mwr_request *request)
{
    bool is_done = false;

    lock();
    if (used > 0 && key != 0) {
        struct mwr_request *slot = slot_of(key);

        if (slot->key == key && (!slot->is_persistent || slot->is_active)) {
            *request = *slot;
            is_done = true;
            if (slot->is_persistent) {
                slot->is_active = false;
            } else {
                remove_at((size_t)(slot - slots));
            }
        }
    }
    unlock();
    return is_done;
}

bool mwr_request_complete_plain(uintptr_t key, struct mwr_plain_end *end)
{
    bool is_done = false;

    lock();
    if (used > 0 && key != 0) {
        const struct mwr_request *slot = slot_of(key);

        if (slot->key == key && slot->is_filtered && !slot->is_persistent &&
            slot->kind <= MWR_REQUEST_SENDRECV) {
            end->on = slot->on;
            end->kind = slot->kind;
            end->is_cancelled = slot->is_cancelled;
            is_done = true;
            remove_at((size_t)(slot - slots));
        }
    }
    unlock();
    return is_done;
}

bool mwr_request_remove(uintptr_t key, struct mwr_request *request)
{
    bool is_known = false;

    lock();
    if (used > 0 && key != 0) {
        struct mwr_request *slot = slot_of(key);

        if (slot->key == key) {
            *request = *slot;
            is_known = true;
            remove_at((size_t)(slot - slots));
        }
    }
    unlock();
    return is_known;
}

uint64_t mwr_requests_lost(void)
{
    return lost;
}
