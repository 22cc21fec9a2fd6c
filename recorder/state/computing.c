/*
 * What the kernel has noted is counted by the thread itself, in a table that never moves: who ends
 * the process reads the tables of all threads while others may still be counting.
 */
#include "recorder/state/computing.h"

#include <errno.h>
#include <link.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "formats/spool/definition.h"
#include "recorder/recorder.h"
#include "recorder/sites/loaded.h"
#include "recorder/sites/site_numbers.h"
#include "recorder/state/thread.h"

#define RING_MOST (64u << 10) /* bytes: 40 s of 100 notes a second without a call of MPI … */
#define RING_PARTS 4u         /* … or so much less, and that again, where there is no room */
#define NOTE_BYTES 16u /* a header and an address */
#define PLACES     4096u       /* pairs of call and address that a thread tells apart … */
#define PLACES_MOST (PLACES / 4 * 3) /* … as many of them as are found soon */
#define TOLD_FIRST 100u /* notes, behind which what is counted is told; then twice as many, … */
#define SWITCHES_MOST 50000u /* in a second on a core, looked at when it had so many ns: */
#define SWITCHES_LOOK 500000000u
#define STOPPED "the kernel switches between threads so often that samples would slow them down"
#define NS_A_SECOND 1000000000u
#define NS_A_MICROSECOND 1000u

/* A place at which the thread was, on the way to a call. */
struct place {
    uintptr_t address; /* 0: there is none; set last */
    uint32_t code;     /* of the call */
    uint32_t module;   /* index; UINT32_MAX: it is the recorder's code, or MPI's */
    uint32_t unloaded; /* libraries, when it was seen that this is loaded there */
    uint64_t own_address; /* as the module's file counts */
    uint64_t count;
    uint64_t told; /* of that, in the definitions; under the lock */
};

struct mwr_computed {
    struct mwr_computed *next;
    bool is_idle;     /* its thread has ended: the next new one goes on in it; under the lock */
    uint64_t outside; /* notes between calls, … */
    uint64_t inside;  /* … in calls, … */
    uint64_t lost;    /* … and those between calls that nobody could keep, or tell where */
    uint64_t due;     /* notes, behind which all is told */
    uint32_t places;
    struct place table[PLACES];
};

/* Written before recording begins: notes in a second; 0: none are made. */
static uint32_t rate;
static uint64_t rings_most; /* bytes of all threads' rings, but for the first one */
/* Written under the lock: those of all threads, and why a thread has none. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mwr_computed *all;
static uint64_t rings; /* bytes */
static int refused;
static bool has_stopped;

/* Memory that stays in place counts for all of the user's processes of the host together, and
 * others want of it as well: sends without a copy, io_uring, perf. Half of it is theirs. */
static uint64_t room_for_rings(void)
{
    const uint32_t hosts = mwr_recorder.hosts > 0 ? mwr_recorder.hosts : 1;
    const uint32_t ranks = (mwr_recorder.size + hosts - 1) / hosts;
    struct rlimit limit;

    return getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
               ? UINT64_MAX
               : limit.rlim_cur / 2 / (ranks > 0 ? ranks : 1);
}

void mwr_computing_start(void)
{
    rate = mwr_recorder.settings.functions;
    rings_most = room_for_rings();
    mwr_computing_tell(); /* of a rank that is killed at once: it was to be sampled */
}

/* --- the kernel's notes --------------------------------------------------------------------- */

static uint64_t page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Sets aside so much for a ring, of which a process has one page in any case. */
static bool take_room(uint64_t bytes)
{
    bool has_room;

    pthread_mutex_lock(&lock);
    has_room = rings + bytes <= rings_most || (rings == 0 && bytes <= 2 * page_bytes());
    rings += has_room ? bytes : 0;
    pthread_mutex_unlock(&lock);
    return has_room;
}

static void give_room(uint64_t bytes)
{
    pthread_mutex_lock(&lock);
    rings -= bytes;
    pthread_mutex_unlock(&lock);
}

/* The kernel may have less room than we would take. */
static void *map_ring(int event, uint64_t *bytes)
{
    errno = ENOBUFS;
    for (*bytes = RING_MOST; *bytes >= page_bytes(); *bytes /= RING_PARTS) {
        const uint64_t all_bytes = *bytes + page_bytes();
        void *ring;

        if (take_room(all_bytes)) {
            ring = mmap(NULL, all_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
            if (ring != MAP_FAILED) {
                return ring;
            }
            give_room(all_bytes);
        }
    }
    return NULL;
}

/* False: errno tells why. */
static bool open_ring(struct mwr_computing *computing)
{
    struct perf_event_attr what = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof what,
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .sample_period = NS_A_SECOND / rate,
        .sample_type = PERF_SAMPLE_IP,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    const int event = (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    int error;

    if (event < 0) {
        return false;
    }
    computing->ring = map_ring(event, &computing->ring_bytes);
    error = errno;
    close(event); /* the memory keeps it */
    errno = error;
    return computing->ring;
}

static void unmap_ring(struct mwr_computing *computing)
{
    if (computing->ring) {
        munmap(computing->ring, computing->ring_bytes + page_bytes());
        give_room(computing->ring_bytes + page_bytes());
    }
    computing->ring = NULL;
    computing->head = NULL;
}

/* size bytes of the ring, which may go on at its beginning. */
static void copy_out(const struct mwr_computing *computing, uint64_t at, void *to, size_t size)
{
    const char *data = (const char *)computing->ring + page_bytes();
    const uint64_t first = at % computing->ring_bytes;
    const uint64_t behind =
        size < computing->ring_bytes - first ? size : computing->ring_bytes - first;

    memcpy(to, data + first, behind);
    memcpy((char *)to + behind, data, size - behind);
}

/* --- what is counted ---------------------------------------------------------------------- */

/* Code that runs before a call has been noted, and behind it. */
static bool is_of_call(const struct mwr_loaded *loaded)
{
    return mwr_loaded_is_own(loaded) || mwr_loaded_is_mpi(loaded) ||
           mwr_loaded_is_below_mpi(loaded);
}

static int first_of_libraries(struct dl_phdr_info *info, size_t size, void *context)
{
    *(uint32_t *)context = (uint32_t)info->dlpi_subs;
    return 1;
}

/* How many libraries the process has unloaded: others may have come to where they were. */
static uint32_t unloaded_now(void)
{
    uint32_t unloaded = 0;

    (void)dl_iterate_phdr(first_of_libraries, &unloaded);
    return unloaded;
}

/* Says what is at the place's address. False: it is in no file, or there is no memory. */
static bool look_up(struct place *place, uintptr_t address)
{
    struct mwr_loaded loaded;

    if (!mwr_loaded_find((const void *)address, &loaded)) {
        return false;
    }
    place->module = UINT32_MAX;
    place->own_address = address - loaded.bias;
    if (!is_of_call(&loaded)) {
        if (!mwr_sites_lock()) {
            return false;
        }
        place->module = mwr_number_module(&loaded);
        mwr_sites_unlock();
        return place->module != UINT32_MAX;
    }
    return true;
}

/* Whether that is there which was when the place was added. */
static bool is_still(struct place *place, uint32_t unloaded)
{
    struct place now;

    if (place->unloaded != unloaded && look_up(&now, place->address) &&
        now.module == place->module && now.own_address == place->own_address) {
        place->unloaded = unloaded;
    }
    return place->unloaded == unloaded;
}

static struct place *find(struct mwr_computed *computed, uintptr_t address, uint32_t code,
                          uint32_t unloaded)
{
    uint64_t slot = (address ^ (uint64_t)code << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 40;

    for (;; slot++) {
        struct place *place = &computed->table[slot % PLACES];

        if (place->address == 0 || (place->address == address && place->code == code &&
                                    is_still(place, unloaded))) {
            return place;
        }
    }
}

/* A place that is new. False: it is in no file, or there are enough. */
static bool add(struct mwr_computed *computed, struct place *place, uintptr_t address,
                uint32_t code, uint32_t unloaded)
{
    if (computed->places == PLACES_MOST || !look_up(place, address)) {
        return false;
    }
    place->code = code;
    place->unloaded = unloaded;
    __atomic_store_n(&place->address, address, __ATOMIC_RELEASE);
    computed->places++;
    return true;
}

static void add_one(uint64_t *count, uint64_t more)
{
    __atomic_store_n(count, *count + more, __ATOMIC_RELAXED);
}

static void count(struct mwr_computed *computed, uintptr_t address, uint32_t code,
                  uint32_t unloaded)
{
    struct place *place = find(computed, address, code, unloaded);
    const bool is_known = place->address != 0 || add(computed, place, address, code, unloaded);

    if (!is_known) {
        add_one(&computed->lost, 1);
    } else if (place->module == UINT32_MAX) {
        add_one(&computed->inside, 1);
    } else {
        add_one(&computed->outside, 1);
        add_one(&place->count, 1);
    }
}

static uint64_t ns_of(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * NS_A_SECOND + (uint64_t)time->tv_usec * NS_A_MICROSECOND;
}

/* What the kernel knows of the thread: ru_utime is its time in user mode. */
static struct rusage usage_now(void)
{
    struct rusage usage = {.ru_utime = {0}};

    (void)getrusage(RUSAGE_THREAD, &usage);
    return usage;
}

/* There was no room for more. The kernel tells how many there were with the next note that it
 * makes, which may be in another call, or never: until then they are as many as the time says. */
static void owe(struct mwr_computing *computing, uint64_t *to, uint64_t ran)
{
    const uint64_t made = (ran - computing->ran) / (NS_A_SECOND / rate);
    const uint64_t had = computing->ring_bytes / NOTE_BYTES;

    computing->owed = made > had ? made - had : 0;
    computing->owed_to = to;
    add_one(to, computing->owed);
}

/* The kernel tells it, of those that were owed. */
static void settle(struct mwr_computing *computing, uint64_t lost)
{
    if (computing->owed_to) {
        add_one(computing->owed_to, lost - computing->owed);
        computing->owed_to = NULL;
    }
}

/* Takes out all notes: between calls, on the way to that of code, or in a call. */
static void take(struct mwr_computing *computing, const struct rusage *usage, bool is_outside,
                 unsigned code)
{
    struct mwr_computed *computed = computing->computed;
    const uint64_t ran = ns_of(&usage->ru_utime);
    const uint64_t head = __atomic_load_n(computing->head, __ATOMIC_ACQUIRE);
    const bool is_full = computing->ring_bytes - (head - computing->seen) <= NOTE_BYTES;
    const uint32_t unloaded = is_outside ? unloaded_now() : 0;
    struct perf_event_header header;
    uint64_t words[2]; /* of a note its address; of what was lost an id and how many */

    for (; head - computing->seen >= sizeof header; computing->seen += header.size) {
        copy_out(computing, computing->seen, &header, sizeof header);
        if (header.size < sizeof header || header.size > head - computing->seen) {
            break;
        }
        if (header.type == PERF_RECORD_SAMPLE && is_outside) {
            copy_out(computing, computing->seen + sizeof header, words, sizeof words[0]);
            count(computed, (uintptr_t)words[0], code, unloaded);
        } else if (header.type == PERF_RECORD_SAMPLE) {
            add_one(&computed->inside, 1);
        } else if (header.type == PERF_RECORD_LOST &&
                   header.size >= sizeof header + sizeof words) {
            copy_out(computing, computing->seen + sizeof header, words, sizeof words);
            settle(computing, words[1]);
        }
    }
    if (is_full) {
        owe(computing, is_outside ? &computed->lost : &computed->inside, ran);
    }
    computing->ran = ran;
    computing->seen = head;
    __atomic_store_n(&computing->ring->data_tail, head, __ATOMIC_RELEASE);
}

/* Switches cost some us more with notes, since the clock's timer stops and starts with the thread:
 * ranks that share cores and yield them in each call may switch 300,000 times a second. */
static bool switches_too_often(struct mwr_computing *computing, const struct rusage *usage)
{
    const uint64_t now = ns_of(&usage->ru_utime) + ns_of(&usage->ru_stime);
    const uint64_t switches = (uint64_t)usage->ru_nvcsw + (uint64_t)usage->ru_nivcsw;
    bool is_too_often;

    if (now - computing->checked < SWITCHES_LOOK) {
        return false;
    }
    is_too_often = (switches - computing->switches) * (NS_A_SECOND / SWITCHES_MOST) >
                   now - computing->checked;
    computing->checked = now;
    computing->switches = switches;
    return is_too_often;
}

/* Of what comes now nothing is known but how long it is. */
static void stop_if_due(struct mwr_computing *computing, const struct rusage *usage)
{
    if (switches_too_often(computing, usage)) {
        unmap_ring(computing);
        computing->is_stopped = true;
        pthread_mutex_lock(&lock);
        has_stopped = true;
        pthread_mutex_unlock(&lock);
    }
}

static void take_and_look(struct mwr_computing *computing, bool is_outside, unsigned code)
{
    const struct rusage usage = usage_now();

    computing->is_taking = true;
    take(computing, &usage, is_outside, code);
    stop_if_due(computing, &usage);
    computing->is_taking = false;
}

/* What a thread has run since it was stopped is lost. */
static void lose_stopped(struct mwr_computing *computing)
{
    if (computing->is_stopped) {
        const struct rusage usage = usage_now();
        const uint64_t ran = ns_of(&usage.ru_utime);

        add_one(&computing->computed->lost, (ran - computing->ran) / (NS_A_SECOND / rate));
        computing->ran = ran;
    }
}

static void begin_to_look(struct mwr_computing *computing)
{
    const struct rusage usage = usage_now();

    computing->ran = ns_of(&usage.ru_utime);
    computing->checked = computing->ran + ns_of(&usage.ru_stime);
    computing->switches = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

/* A process that is killed has told half of it at least, and one that runs for days no more than
 * some times. */
void mwr_computing_enter(struct mwr_computing *computing, unsigned code)
{
    struct mwr_computed *computed = computing->computed;
    const int error = errno;

    if (computing->is_taking) {
        return;
    }
    take_and_look(computing, true, code);
    if (computed->outside + computed->inside >= computed->due) {
        computed->due = 2 * (computed->outside + computed->inside);
        mwr_computing_tell();
    }
    errno = error;
}

void mwr_computing_leave(struct mwr_computing *computing)
{
    const int error = errno;

    if (!computing->is_taking) {
        take_and_look(computing, false, 0);
    }
    errno = error;
}

/* --- beginning and end ---------------------------------------------------------------------- */

/* Of a thread that has ended; null: there is none. */
static struct mwr_computed *take_idle(void)
{
    struct mwr_computed *computed;

    pthread_mutex_lock(&lock);
    computed = all;
    while (computed && !computed->is_idle) {
        computed = computed->next;
    }
    if (computed) {
        computed->is_idle = false;
    }
    pthread_mutex_unlock(&lock);
    return computed;
}

static void leave_idle(struct mwr_computed *computed)
{
    pthread_mutex_lock(&lock);
    computed->is_idle = true;
    pthread_mutex_unlock(&lock);
}

/* Its counts outlive the thread. */
static struct mwr_computed *make_computed(void)
{
    struct mwr_computed *computed = take_idle();

    if (computed) {
        return computed;
    }
    computed = calloc(1, sizeof *computed);
    if (computed) {
        computed->due = TOLD_FIRST;
        pthread_mutex_lock(&lock);
        computed->next = all;
        all = computed;
        pthread_mutex_unlock(&lock);
    }
    return computed;
}

static void note_refusal(int error)
{
    pthread_mutex_lock(&lock);
    refused = error;
    pthread_mutex_unlock(&lock);
}

void mwr_computing_begin(struct mwr_computing *computing)
{
    const int error = errno;

    if (computing->head) {
        computing->seen = __atomic_load_n(computing->head, __ATOMIC_ACQUIRE);
        begin_to_look(computing);
        __atomic_store_n(&computing->ring->data_tail, computing->seen, __ATOMIC_RELEASE);
    } else if (rate > 0 && !computing->is_tried) {
        computing->is_tried = true;
        computing->computed = make_computed();
        if (computing->computed && open_ring(computing)) {
            computing->head = (const volatile uint64_t *)&computing->ring->data_head;
            begin_to_look(computing);
        } else {
            note_refusal(errno);
            mwr_computing_end(computing);
        }
    }
    errno = error;
}

void mwr_computing_end(struct mwr_computing *computing)
{
    struct mwr_computed *computed = computing->computed;
    const int error = errno;

    unmap_ring(computing);
    if (computed) {
        lose_stopped(computing);
        leave_idle(computed);
    }
    mwr_computing_forget(computing);
    errno = error;
}

void mwr_computing_forget(struct mwr_computing *computing)
{
    *computing = (struct mwr_computing){.is_tried = true};
}

/* Under the lock. */
static void add_up(const struct mwr_computed *computed, struct mw_define_samples *sum)
{
    sum->outside += __atomic_load_n(&computed->outside, __ATOMIC_RELAXED);
    sum->inside += __atomic_load_n(&computed->inside, __ATOMIC_RELAXED);
    sum->lost += __atomic_load_n(&computed->lost, __ATOMIC_RELAXED);
}

/* Under both locks. */
static void tell_place(struct place *place)
{
    const uint64_t count = __atomic_load_n(&place->count, __ATOMIC_RELAXED);

    if (place->module != UINT32_MAX && count > place->told) {
        mwr_number_sampled(place->code, place->module, place->own_address, count - place->told);
        place->told = count;
    }
}

static void tell_places(struct mwr_computed *computed)
{
    for (uint32_t i = 0; i < PLACES; i++) {
        struct place *place = &computed->table[i];

        if (__atomic_load_n(&place->address, __ATOMIC_ACQUIRE) != 0) {
            tell_place(place);
        }
    }
}

void mwr_computing_tell(void)
{
    struct mw_define_samples sum = {.rate = rate, .refused = ""};

    if (rate == 0 || pthread_mutex_trylock(&lock) != 0) {
        return; /* or a thread that won't come back has it */
    }
    lose_stopped(&mwr_thread.computing);
    for (const struct mwr_computed *one = all; one; one = one->next) {
        add_up(one, &sum);
    }
    sum.refused = refused ? strerror(refused) : has_stopped ? STOPPED : "";
    mwr_recorder_define(&(struct mw_definition){.kind = MW_DEFINE_SAMPLES, .of.samples = sum});
    if (mwr_sites_lock()) {
        for (struct mwr_computed *one = all; one; one = one->next) {
            tell_places(one);
        }
        mwr_sites_unlock();
    }
    pthread_mutex_unlock(&lock);
}
