#include "recorder/state/requests.h"

#include <sched.h>
#include <stdlib.h>

#include "recorder/recorder.h"

/*
 * An open-addressing table with linear probing. A slot is free when its key is 0;
 * removal moves the followers of the probe sequence up, so that no tombstones slow the
 * table down however long the program runs.
 *
 * Among threads a handle may stand for several requests: the library has given it to another
 * thread, while the call that completed its former request has not come back to us. Which one
 * a call means is known for sure: a handle is given anew only after the call that completes
 * the former request was entered. So what is added is counted, the count is the entry's stamp,
 * each call remembers what the count was when it was entered, and the newest entry of the
 * handle that is not newer than this is the call's own. In the probe sequence newer entries
 * of a handle come before older ones.
 *
 * All under table_lock where threads may meet (MPI_THREAD_MULTIPLE).
 */
static struct mwr_request *slots;
static size_t capacity; /* a power of two, or 0 */
static size_t used;
static uint64_t lost;

/* is_locked_table is written before recording begins, the others by atomics. */
static bool is_locked_table;
static char table_lock;
static uint64_t added; /* among threads */

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

/* --- among threads --------------------------------------------------------------------- */

/*
 * Puts request before the older ones of its handle, which move back. With more than so many
 * of them, the oldest one goes: nobody can be completing it. The lock is held. \return where it
 * is.
 */
static struct mwr_request *place(struct mwr_request request, uint32_t most_older)
{
    struct mwr_request *placed = NULL;
    uint32_t older = 0;
    size_t at = home_of(request.key);

    for (; slots[at].key != 0; at = (at + 1) & (capacity - 1)) {
        if (slots[at].key == request.key && slots[at].stamp < request.stamp) {
            struct mwr_request moves = slots[at];

            slots[at] = request;
            request = moves;
            placed = placed ? placed : &slots[at];
            older++;
        }
    }
    if (older <= most_older) {
        slots[at] = request;
        used++;
    }
    return placed ? placed : &slots[at];
}

/*
 * A slot for a new request of key. Each thread can be completing one of the older ones, so that
 * there are no more of them. The lock is held.
 */
static __attribute__((noinline)) struct mwr_request *claim_among_threads(uintptr_t key)
{
    uint64_t stamp = __atomic_add_fetch(&added, 1, __ATOMIC_RELAXED);

    return place((struct mwr_request){.key = key, .stamp = stamp},
                 __atomic_load_n(&mwr_recorder.stream_count, __ATOMIC_RELAXED));
}

/* Locks, and finds the request that key was when this thread's call was entered; null: none. */
static __attribute__((noinline)) struct mwr_request *hold_among_threads(uintptr_t key)
{
    lock();
    for (size_t at = home_of(key); used > 0 && slots[at].key != 0; at = (at + 1) & (capacity - 1)) {
        if (slots[at].key == key && slots[at].stamp <= mwr_thread.entered) {
            return &slots[at];
        }
    }
    return NULL;
}

uint64_t mwr_requests_added(void)
{
    return __atomic_load_n(&added, __ATOMIC_RELAXED);
}

/* --- the table ------------------------------------------------------------------------ */

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
    used = 0;
    for (size_t i = 0; i < old_capacity; i++) {
        if (old[i].key != 0) {
            (void)place(old[i], UINT32_MAX);
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
    if (MW_UNLIKELY(is_locked_table)) {
        return claim_among_threads(key);
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
        uint64_t stamp = slot->stamp;

        *slot = *request;
        slot->stamp = stamp;
    }
    return slot != NULL;
}

/* Locks, and finds the request that key is; null: none. */
static inline struct mwr_request *hold(uintptr_t key)
{
    size_t at;

    if (MW_UNLIKELY(is_locked_table)) {
        return hold_among_threads(key);
    }
    if (used == 0 || key == 0) {
        return NULL;
    }
    for (at = home_of(key); slots[at].key != key; at = (at + 1) & (capacity - 1)) {
        if (slots[at].key == 0) {
            return NULL;
        }
    }
    return &slots[at];
}

/* Frees a slot; the lock is held. */
static void remove_slot(const struct mwr_request *slot)
{
    size_t at = (size_t)(slot - slots);
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

void mwr_requests_init(bool is_multiple)
{
    is_locked_table = is_multiple;
}

/* Whether nobody will complete handle. */
static inline bool is_complete(MPI_Request handle)
{
    return handle == MPI_REQUEST_NULL || mwr_request_is_shared(handle);
}

enum mwr_followed mwr_request_add_plain(MPI_Request handle, enum mwr_request_kind kind,
                                        uint64_t id, uint32_t comm, const struct mwr_comm *on)
{
    struct mwr_request *slot;

    if (is_complete(handle)) {
        return MWR_ALREADY_COMPLETE;
    }
    lock();
    slot = claim(mwr_request_key(handle));
    if (slot) {
        /* Each on its own: a copy of all would wait for what has just been written. */
        slot->id = id;
        slot->comm = comm;
        slot->kind = (uint8_t)kind;
        slot->persistence = MWR_ONCE;
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

    if (is_complete(handle)) {
        return MWR_ALREADY_COMPLETE;
    }
    lock();
    is_stored = store(request);
    unlock();
    return is_stored ? MWR_FOLLOWED : MWR_NOT_FOLLOWED;
}

void mwr_request_add_unrecorded(MPI_Request handle)
{
    if (is_locked_table) {
        (void)mwr_request_add_plain(handle, MWR_REQUEST_UNRECORDED, 0, 0, NULL);
    }
}

void mwr_request_add_never_recorded(MPI_Request handle)
{
    const struct mwr_request made = {.key = mwr_request_key(handle),
                                     .kind = MWR_REQUEST_UNRECORDED,
                                     .persistence = MWR_NOBODY};

    (void)mwr_request_add(&made, handle);
}

void mwr_message_add(const struct mwr_request *message)
{
    lock();
    (void)store(message);
    unlock();
}

bool mwr_request_find(uintptr_t key, struct mwr_request *request)
{
    const struct mwr_request *slot = hold(key);

    if (slot) {
        *request = *slot;
    }
    unlock();
    return slot != NULL;
}

enum mwr_request_state mwr_request_look(uintptr_t key, const struct mwr_comm **on)
{
    const struct mwr_request *slot = hold(key);
    enum mwr_request_state state = MWR_REQUEST_UNKNOWN;

    if (slot && slot->kind != MWR_REQUEST_UNRECORDED) {
        *on = slot->on;
        state = slot->persistence == MWR_INACTIVE ? MWR_REQUEST_RESTING
                : slot->is_filtered               ? MWR_REQUEST_FILTERED
                                                  : MWR_REQUEST_RECORDED;
    }
    unlock();
    return state;
}

void mwr_request_update(const struct mwr_request *request)
{
    struct mwr_request *slot = hold(request->key);

    if (slot) {
        *slot = *request;
    }
    unlock();
}

bool mwr_request_complete(uintptr_t key, struct mwr_request *request)
{
    struct mwr_request *slot = hold(key);
    bool is_done = slot && slot->persistence != MWR_NOBODY && slot->persistence != MWR_INACTIVE;

    if (is_done) {
        *request = *slot;
        if (slot->persistence == MWR_ACTIVE) {
            slot->persistence = MWR_INACTIVE;
        } else {
            remove_slot(slot);
        }
    }
    unlock();
    return is_done;
}

bool mwr_request_complete_plain(uintptr_t key, struct mwr_plain_end *end)
{
    const struct mwr_request *slot = hold(key);
    bool is_done = slot && slot->is_filtered && slot->persistence == MWR_ONCE &&
                   slot->kind <= MWR_REQUEST_SENDRECV;

    if (is_done) {
        end->on = slot->on;
        end->kind = slot->kind;
        end->is_cancelled = slot->is_cancelled;
        remove_slot(slot);
    }
    unlock();
    return is_done;
}

bool mwr_request_remove(uintptr_t key, struct mwr_request *request)
{
    const struct mwr_request *slot = hold(key);

    if (slot) {
        *request = *slot;
        remove_slot(slot);
    }
    unlock();
    return slot != NULL;
}

uint64_t mwr_requests_lost(void)
{
    return lost;
}
