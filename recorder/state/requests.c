#include "recorder/state/requests.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "recorder/recorder.h"

/*
 * An open-addressing table with linear probing. A slot is free when its key is 0;
 * removal moves the followers of the probe sequence up, so that no tombstones slow the
 * table down however long the program runs. What most requests have no need of stands in a table
 * beside it, whose pages the kernel gives when they are written: a million plain requests take
 * 24 bytes a slot. Three of four slots are taken at most, and of a table that has doubled three of
 * eight at least: 64 bytes a request, also while it grows, since the former one goes as it is read.
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
struct slot {
    uintptr_t key;
    uint64_t id;
    uint32_t comm;
    uint8_t kind;
    uint8_t persistence;
    uint8_t has_more : 1;
    uint8_t is_cancelled : 1;
    uint8_t is_filtered : 1;
};

/* The rest of a request, zero unless its slot has_more. */
struct more {
    uint64_t stamp;
    const struct mwr_comm *on;
    union mwr_request_details of;
};

#define NOWHERE SIZE_MAX

/* Written by any thread that has table_lock, which they take where they may meet. */
static struct slot *slots;
static struct more *mores; /* beside slots */
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
static inline size_t slot_of(uintptr_t key)
{
    size_t at = home_of(key);

    while (slots[at].key != key && slots[at].key != 0) {
        at = (at + 1) & (capacity - 1);
    }
    return at;
}

static inline uint64_t stamp_of(size_t at)
{
    return slots[at].has_more ? mores[at].stamp : 0;
}

static void fetch(const struct slot *slot, const struct more *more, struct mwr_request *request)
{
    static const struct more none;

    more = slot->has_more ? more : &none;
    *request = (struct mwr_request){.key = slot->key,
                                    .id = slot->id,
                                    .comm = slot->comm,
                                    .kind = slot->kind,
                                    .persistence = slot->persistence,
                                    .is_cancelled = slot->is_cancelled,
                                    .is_filtered = slot->is_filtered,
                                    .stamp = more->stamp,
                                    .on = more->on,
                                    .of = more->of};
}

static void put(size_t at, const struct mwr_request *request)
{
    static const union mwr_request_details nothing;
    bool has_more = request->stamp != 0 || request->on ||
                    memcmp(&request->of, &nothing, sizeof nothing) != 0;

    slots[at] = (struct slot){.key = request->key,
                              .id = request->id,
                              .comm = request->comm,
                              .kind = request->kind,
                              .persistence = request->persistence,
                              .has_more = has_more,
                              .is_cancelled = request->is_cancelled,
                              .is_filtered = request->is_filtered};
    if (has_more) {
        mores[at] = (struct more){request->stamp, request->on, request->of};
    }
}

static inline void move(size_t from, size_t to)
{
    slots[to] = slots[from];
    if (slots[from].has_more) {
        mores[to] = mores[from];
    }
}

/* --- among threads --------------------------------------------------------------------- */

/*
 * Puts request before the older ones of its handle, which move back. With more than so many
 * of them, the oldest one goes: nobody can be completing it. The lock is held. \return where it
 * is.
 */
static size_t place(struct mwr_request request, uint32_t most_older)
{
    size_t placed = NOWHERE;
    uint32_t older = 0;
    size_t at = home_of(request.key);

    for (; slots[at].key != 0; at = (at + 1) & (capacity - 1)) {
        if (slots[at].key == request.key && stamp_of(at) < request.stamp) {
            struct mwr_request moves;

            fetch(&slots[at], &mores[at], &moves);
            put(at, &request);
            request = moves;
            placed = placed != NOWHERE ? placed : at;
            older++;
        }
    }
    if (older <= most_older) {
        put(at, &request);
        used++;
    }
    return placed != NOWHERE ? placed : at;
}

/*
 * A slot for a new request of key. Each thread can be completing one of the older ones, so that
 * there are no more of them. The lock is held.
 */
static __attribute__((noinline)) size_t claim_among_threads(uintptr_t key)
{
    uint64_t stamp = __atomic_add_fetch(&added, 1, __ATOMIC_RELAXED);

    return place((struct mwr_request){.key = key, .stamp = stamp},
                 __atomic_load_n(&mwr_recorder.stream_count, __ATOMIC_RELAXED));
}

/* Locks, and finds the request that key was when this thread's call was entered. */
static __attribute__((noinline)) size_t hold_among_threads(uintptr_t key)
{
    lock();
    for (size_t at = home_of(key); used > 0 && slots[at].key != 0; at = (at + 1) & (capacity - 1)) {
        if (slots[at].key == key && stamp_of(at) <= mwr_thread.entered) {
            return at;
        }
    }
    return NOWHERE;
}

uint64_t mwr_requests_added(void)
{
    return __atomic_load_n(&added, __ATOMIC_RELAXED);
}

/* --- the table ------------------------------------------------------------------------ */

/* Takes a slot of the former table; among threads newer ones of a handle stay before older ones. */
static void take_over(const struct slot *slot, const struct more *more)
{
    struct mwr_request request;
    size_t at = home_of(slot->key);

    if (is_locked_table) {
        fetch(slot, more, &request);
        (void)place(request, UINT32_MAX);
        return;
    }
    while (slots[at].key != 0) {
        at = (at + 1) & (capacity - 1);
    }
    slots[at] = *slot;
    if (slot->has_more) {
        mores[at] = *more;
    }
    used++;
}

/* Slots whose pages go together, whatever the size of a page: up to 64 KiB. */
#define PART 8192u
_Static_assert(PART * sizeof(struct slot) % 65536 == 0 && PART * sizeof(struct more) % 65536 == 0,
               "parts of tables are whole pages");

/* Zeroed pages for count items, which cost memory when they are written. Null: there are none. */
static void *get_pages(size_t count, size_t size)
{
    void *pages = mmap(NULL, count * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                       0);

    return pages != MAP_FAILED ? pages : NULL;
}

/* Gives back count items from first on; there may be none. */
static void give_pages_back(void *items, size_t first, size_t count, size_t size)
{
    if (items && count > 0) {
        (void)munmap((char *)items + first * size, count * size);
    }
}

static bool grow(void)
{
    struct slot *old = slots;
    struct more *old_mores = mores;
    size_t old_capacity = capacity;
    size_t grown = old_capacity > 0 ? old_capacity * 2 : 1024;
    struct slot *new_slots = get_pages(grown, sizeof *new_slots);
    struct more *new_mores = get_pages(grown, sizeof *new_mores);

    if (!new_slots || !new_mores) {
        give_pages_back(new_slots, 0, grown, sizeof *new_slots);
        give_pages_back(new_mores, 0, grown, sizeof *new_mores);
        return false;
    }
    slots = new_slots;
    mores = new_mores;
    capacity = grown;
    used = 0;
    for (size_t first = 0; first < old_capacity; first += PART) {
        const size_t count = old_capacity - first < PART ? old_capacity - first : PART;

        for (size_t i = first; i < first + count; i++) {
            if (old[i].key != 0) {
                take_over(&old[i], &old_mores[i]);
            }
        }
        give_pages_back(old, first, count, sizeof *old);
        give_pages_back(old_mores, first, count, sizeof *old_mores);
    }
    return true;
}

/* The slot of key, which is in use from here on; NOWHERE: no memory. The lock is held. */
static inline size_t claim(uintptr_t key)
{
    size_t at;

    if (MW_UNLIKELY((used + 1) * 4 > capacity * 3) && !grow()) {
        lost++;
        return NOWHERE;
    }
    if (MW_UNLIKELY(is_locked_table)) {
        return claim_among_threads(key);
    }
    at = slot_of(key);
    used += slots[at].key == 0;
    slots[at].key = key;
    return at;
}

/* Stores request under its key; the lock is held. */
static bool store(const struct mwr_request *request)
{
    size_t at = claim(request->key);

    if (at != NOWHERE) {
        struct mwr_request stamped = *request;

        stamped.stamp = is_locked_table ? stamp_of(at) : 0;
        put(at, &stamped);
    }
    return at != NOWHERE;
}

/* Locks, and finds the request that key is. */
static inline size_t hold(uintptr_t key)
{
    size_t at;

    if (MW_UNLIKELY(is_locked_table)) {
        return hold_among_threads(key);
    }
    if (used == 0 || key == 0) {
        return NOWHERE;
    }
    for (at = home_of(key); slots[at].key != key; at = (at + 1) & (capacity - 1)) {
        if (slots[at].key == 0) {
            return NOWHERE;
        }
    }
    return at;
}

/* Frees a slot; the lock is held. */
static void remove_slot(size_t at)
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
            move(next, at);
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
    size_t at;

    if (is_complete(handle)) {
        return MWR_ALREADY_COMPLETE;
    }
    lock();
    at = claim(mwr_request_key(handle));
    if (at != NOWHERE) {
        struct slot *slot = &slots[at];

        /* Each on its own: a copy of all would wait for what has just been written. */
        slot->id = id;
        slot->comm = comm;
        slot->kind = (uint8_t)kind;
        slot->persistence = MWR_ONCE;
        slot->is_cancelled = false;
        slot->is_filtered = on != NULL;
        slot->has_more = on || is_locked_table;
        if (MW_UNLIKELY(slot->has_more)) {
            mores[at] = (struct more){.stamp = is_locked_table ? mores[at].stamp : 0, .on = on};
        }
    }
    unlock();
    return at != NOWHERE ? MWR_FOLLOWED : MWR_NOT_FOLLOWED;
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
    size_t at = hold(key);

    if (at != NOWHERE) {
        fetch(&slots[at], &mores[at], request);
    }
    unlock();
    return at != NOWHERE;
}

static const struct mwr_comm *on_of(size_t at)
{
    return slots[at].has_more ? mores[at].on : NULL;
}

enum mwr_request_state mwr_request_look(uintptr_t key, const struct mwr_comm **on)
{
    size_t at = hold(key);
    enum mwr_request_state state = MWR_REQUEST_UNKNOWN;

    if (at != NOWHERE && slots[at].kind != MWR_REQUEST_UNRECORDED) {
        *on = on_of(at);
        state = slots[at].persistence == MWR_INACTIVE ? MWR_REQUEST_RESTING
                : slots[at].is_filtered               ? MWR_REQUEST_FILTERED
                                                      : MWR_REQUEST_RECORDED;
    }
    unlock();
    return state;
}

/* Whether a slot is of a send in partitions of which some are not ready. */
static bool is_unready(size_t at)
{
    return slots[at].id == 0 && slots[at].has_more && slots[at].kind == MWR_REQUEST_SEND &&
           slots[at].persistence == MWR_ACTIVE && !slots[at].is_filtered &&
           mores[at].of.message.unready > 0;
}

uint32_t mwr_requests_look(int count, const MPI_Request requests[], uint64_t ids[],
                           uint32_t most, struct mwr_request *unready)
{
    uint32_t found = 0;

    unready->key = 0;
    for (int i = 0; i < count; i++) {
        if (requests[i] != MPI_REQUEST_NULL && found++ < most) {
            size_t at = hold(mwr_request_key(requests[i]));

            ids[found - 1] = at != NOWHERE ? slots[at].id : 0;
            if (at != NOWHERE && unready->key == 0 && is_unready(at)) {
                fetch(&slots[at], &mores[at], unready);
            }
            unlock();
        }
    }
    return found;
}

void mwr_request_update(const struct mwr_request *request)
{
    size_t at = hold(request->key);

    if (at != NOWHERE) {
        put(at, request);
    }
    unlock();
}

bool mwr_request_ready(uintptr_t key, int64_t partitions, uint32_t which,
                       struct mwr_request *request)
{
    size_t at = hold(key);
    bool is_last = false;

    if (at != NOWHERE && slots[at].has_more && slots[at].kind == MWR_REQUEST_SEND &&
        slots[at].persistence == MWR_ACTIVE) {
        const uint32_t most = mores[at].of.message.partitions;
        const int64_t unready = (int64_t)mores[at].of.message.unready - partitions;

        if (unready >= 0 && unready <= most) {
            mores[at].of.message.unready = (uint32_t)unready;
            mores[at].of.message.unready_which &= ~which;
            mores[at].of.message.unready_which |=
                partitions < 0 ? which & (most < 32 ? (UINT32_C(1) << most) - 1 : UINT32_MAX) : 0;
            is_last = unready == 0 && partitions > 0;
            fetch(&slots[at], &mores[at], request);
        }
    }
    unlock();
    return is_last;
}

bool mwr_request_complete(uintptr_t key, struct mwr_request *request)
{
    size_t at = hold(key);
    bool is_done = at != NOWHERE && slots[at].persistence != MWR_NOBODY &&
                   slots[at].persistence != MWR_INACTIVE;

    if (is_done) {
        fetch(&slots[at], &mores[at], request);
        if (request->persistence == MWR_ACTIVE) {
            slots[at].persistence = MWR_INACTIVE;
        } else {
            remove_slot(at);
        }
    }
    unlock();
    return is_done;
}

bool mwr_request_complete_plain(uintptr_t key, struct mwr_plain_end *end)
{
    size_t at = hold(key);
    bool is_done = at != NOWHERE && slots[at].is_filtered &&
                   slots[at].persistence == MWR_ONCE && slots[at].kind <= MWR_REQUEST_SENDRECV;

    if (is_done) {
        end->on = on_of(at);
        end->kind = slots[at].kind;
        end->is_cancelled = slots[at].is_cancelled;
        remove_slot(at);
    }
    unlock();
    return is_done;
}

bool mwr_request_remove(uintptr_t key, struct mwr_request *request)
{
    size_t at = hold(key);

    if (at != NOWHERE) {
        fetch(&slots[at], &mores[at], request);
        remove_slot(at);
    }
    unlock();
    return at != NOWHERE;
}

void mwr_requests_let_go(void)
{
    lock();
    if (used == 0) {
        give_pages_back(slots, 0, capacity, sizeof *slots);
        give_pages_back(mores, 0, capacity, sizeof *mores);
        slots = NULL;
        mores = NULL;
        capacity = 0;
    }
    unlock();
}

uint64_t mwr_requests_lost(void)
{
    return lost;
}
