/*
 * No descriptor stays open, since the program may close it, or count them: the memory keeps what
 * makes the notes.
 */
#include "recorder/state/notes_ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/recorder.h"

#define OWN_MOST    (64u << 10) /* bytes: 40 s of 100 notes a second without a call of MPI … */
#define OTHERS_MOST (16u << 10) /* … and 10 s of a thread that calls no MPI */
#define RING_PARTS  4u          /* or so much less, and that again, where there is no room */
#define NOTE_BYTES  16u         /* a header and an address */
#define OTHERS_PART 2u          /* of all memory for rings others take so much at most */
#define NS_A_SECOND 1000000000u

/* Written before recording begins: ns between notes, and bytes of all rings but for one. */
static uint64_t period;
static uint64_t rings_most;
/* Written under the lock: bytes of all rings. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t rings;

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

void mwr_notes_start(uint32_t rate)
{
    period = rate > 0 ? NS_A_SECOND / rate : 0;
    rings_most = room_for_rings();
}

static uint64_t page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Sets aside so much for a ring, of which a process has one page in any case. */
static bool take_room(uint64_t bytes, bool own)
{
    const uint64_t most = own ? rings_most : rings_most / OTHERS_PART;
    bool has_room;

    pthread_mutex_lock(&lock);
    has_room = rings + bytes <= most || (rings == 0 && bytes <= 2 * page_bytes());
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
static void *map_ring(int event, bool own, uint64_t *bytes)
{
    errno = ENOBUFS;
    for (*bytes = own ? OWN_MOST : OTHERS_MOST; *bytes >= page_bytes(); *bytes /= RING_PARTS) {
        const uint64_t all_bytes = *bytes + page_bytes();
        void *ring;

        if (take_room(all_bytes, own)) {
            ring = mmap(NULL, all_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
            if (ring != MAP_FAILED) {
                return ring;
            }
            give_room(all_bytes);
        }
    }
    return NULL;
}

bool mwr_notes_open(struct mwr_notes_ring *ring, pid_t thread, bool own)
{
    struct perf_event_attr what = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof what,
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .sample_period = period,
        .sample_type = PERF_SAMPLE_IP,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    const int event = (int)syscall(SYS_perf_event_open, &what, thread, -1, -1,
                                   PERF_FLAG_FD_CLOEXEC);
    int error;

    *ring = (struct mwr_notes_ring){.page = NULL};
    if (event < 0) {
        return false;
    }
    ring->page = map_ring(event, own, &ring->bytes);
    error = errno;
    close(event);
    errno = error;
    if (ring->page) {
        ring->head = (const volatile uint64_t *)&ring->page->data_head;
    }
    return ring->page;
}

void mwr_notes_close(struct mwr_notes_ring *ring)
{
    if (ring->page) {
        munmap(ring->page, ring->bytes + page_bytes());
        give_room(ring->bytes + page_bytes());
    }
    *ring = (struct mwr_notes_ring){.page = NULL};
}

uint64_t mwr_notes_head(const struct mwr_notes_ring *ring)
{
    return __atomic_load_n(ring->head, __ATOMIC_ACQUIRE);
}

void mwr_notes_done(struct mwr_notes_ring *ring, uint64_t head)
{
    ring->seen = head;
    __atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

void mwr_notes_pass(struct mwr_notes_ring *ring)
{
    mwr_notes_done(ring, mwr_notes_head(ring));
}

uint64_t mwr_notes_in(uint64_t ns)
{
    return period > 0 ? ns / period : 0;
}

uint64_t mwr_notes_room(const struct mwr_notes_ring *ring)
{
    return ring->bytes / NOTE_BYTES;
}

bool mwr_notes_are_full(const struct mwr_notes_ring *ring, uint64_t head)
{
    return ring->bytes - (head - ring->seen) <= NOTE_BYTES;
}

/* size bytes of the ring, which may go on at its beginning. */
static void copy_out(const struct mwr_notes_ring *ring, uint64_t at, void *to, size_t size)
{
    const char *data = (const char *)ring->page + page_bytes();
    const uint64_t first = at % ring->bytes;
    const uint64_t behind = size < ring->bytes - first ? size : ring->bytes - first;

    memcpy(to, data + first, behind);
    memcpy((char *)to + behind, data, size - behind);
}

bool mwr_notes_next(struct mwr_notes_ring *ring, uint64_t head, struct mwr_note *note)
{
    struct perf_event_header header;
    uint64_t words[2]; /* of a note its address; of what was lost an id and how many */

    while (head - ring->seen >= sizeof header) {
        const uint64_t behind = ring->seen + sizeof header;

        copy_out(ring, ring->seen, &header, sizeof header);
        if (header.size < sizeof header || header.size > head - ring->seen) {
            return false;
        }
        ring->seen += header.size;
        if (header.type == PERF_RECORD_SAMPLE && header.size >= sizeof header + sizeof words[0]) {
            copy_out(ring, behind, words, sizeof words[0]);
            *note = (struct mwr_note){.address = words[0]};
            return true;
        }
        if (header.type == PERF_RECORD_LOST && header.size >= sizeof header + sizeof words) {
            copy_out(ring, behind, words, sizeof words);
            *note = (struct mwr_note){.lost = words[1]};
            return true;
        }
    }
    return false;
}
