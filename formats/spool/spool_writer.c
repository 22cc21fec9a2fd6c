#include "formats/spool/spool_writer.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "formats/base/file.h"
#include "formats/table/calls.h"

/* The size of the window that comes after file_bytes of file: doubling up to the maximum. */
static size_t next_window_bytes(uint64_t file_bytes)
{
    size_t bytes = MW_WINDOW_BYTES_MIN;

    while (bytes < MW_WINDOW_BYTES_MAX && bytes < file_bytes / 2) {
        bytes *= 2;
    }
    return bytes;
}

/* The windows of a ring within allowed bytes: eight or more, as far as they can be so small. */
static void plan_ring(struct mw_spool *spool, uint64_t allowed)
{
    uint64_t room = allowed - MW_SPOOL_HEADER_BYTES;
    uint64_t bytes = room / 8 / 4096 * 4096;
    uint64_t windows;

    bytes = bytes < MW_WINDOW_BYTES_MIN ? MW_WINDOW_BYTES_MIN : bytes;
    bytes = bytes > MW_WINDOW_BYTES_MAX ? MW_WINDOW_BYTES_MAX : bytes;
    windows = room / bytes;
    spool->ring_bytes = (size_t)bytes;
    spool->ring_windows = windows < UINT32_MAX ? (uint32_t)windows : UINT32_MAX;
}

/* For good. */
static void stop(struct mw_spool *spool)
{
    spool->stopped = true;
    /* An end of 0 bytes of room keeps every later call off the fast path. */
    spool->next = spool->end;
}

/* Allocates bytes at the end of the file and maps them; fills *window. */
static enum mw_status map_window(struct mw_spool *spool, size_t bytes, char **window)
{
    uint64_t end = spool->file.bytes;
    void *mapped;
    enum mw_status status;

    if (bytes > spool->limit_bytes || end > spool->limit_bytes - bytes) {
        errno = EFBIG;
        return mw_fail(&spool->diagnostic, MW_ERROR_SPACE, spool->file.path, end,
                       "the spool has reached its limit of %llu bytes",
                       (unsigned long long)spool->limit_bytes);
    }
    status = mw_own_file_map(&spool->file, end, bytes, &mapped, &spool->diagnostic);
    if (status == MW_OK) {
        *window = mapped;
    }
    return status;
}

/* Makes a fresh mapping the current window. */
static void start_window(struct mw_spool *spool, char *window, size_t bytes)
{
    struct mw_window_header *header = (struct mw_window_header *)(void *)window;

    header->bytes = bytes;
    header->sequence = spool->sequence++;
    header->nonce = spool->nonce;
    header->calls = spool->ring_calls;
    __atomic_store_n(&header->magic, MW_WINDOW_MAGIC, __ATOMIC_RELEASE);
    spool->window = window;
    spool->next = window + sizeof *header;
    spool->end = window + bytes;
}

static bool lies_in(const void *pointer, const char *window, size_t bytes)
{
    return window && (const char *)pointer >= window && (const char *)pointer < window + bytes;
}

/*
 * Unmaps the current window, or holds it when the open call's record lies in it:
 * its time of leave is still to be written there.
 */
static void release_window(struct mw_spool *spool)
{
    size_t bytes = (size_t)(spool->end - spool->window);

    if (!lies_in(spool->open, spool->held, spool->held_bytes) && spool->held) {
        munmap(spool->held, spool->held_bytes);
        spool->held = NULL;
    }
    if (lies_in(spool->open, spool->window, bytes)) {
        spool->held = spool->window;
        spool->held_bytes = bytes;
    } else {
        munmap(spool->window, bytes);
    }
}

/* The calls in the current window, whole or not. */
static uint64_t calls_in_window(const struct mw_spool *spool)
{
    const char *at = spool->window + sizeof(struct mw_window_header);
    struct mw_call_record record;
    uint64_t calls = 0;

    while ((size_t)(spool->next - at) >= sizeof(struct mw_member) && at[0] != MW_STATE_EMPTY) {
        memcpy(&record, at, sizeof(struct mw_member)); /* where the fields needed are */
        if (record.type == MW_RECORD_CALL) {
            calls += record.repeat;
        }
        at += record.words * (size_t)8;
    }
    return calls;
}

/* Maps the oldest window to be written over; its call may be the one that is open. */
static bool map_oldest(struct mw_spool *spool, char **window)
{
    uint64_t place = spool->sequence % spool->ring_windows;
    const struct mw_window_header *held = (const void *)spool->held;
    uint64_t offset = MW_SPOOL_HEADER_BYTES + place * spool->ring_bytes;
    struct mw_window_header *header;
    void *mapped;

    if (held && lies_in(spool->open, spool->held, spool->held_bytes) &&
        held->sequence % spool->ring_windows == place) {
        return false;
    }
    if (mw_own_file_map(&spool->file, offset, spool->ring_bytes, &mapped,
                        &spool->diagnostic) != MW_OK) {
        stop(spool);
        return false;
    }
    header = mapped;
    __atomic_store_n(&header->magic, 0, __ATOMIC_RELEASE); /* not a window while it is cleared */
    memset((char *)mapped + sizeof header->magic, 0, spool->ring_bytes - sizeof header->magic);
    *window = mapped;
    return true;
}

/* The next window of a ring: a new one while there is room, then the oldest. */
static bool turn_ring(struct mw_spool *spool)
{
    bool may_grow = spool->sequence < spool->ring_windows;
    char *window;
    bool grows = may_grow && map_window(spool, spool->ring_bytes, &window) == MW_OK;

    if (may_grow && !grows) {
        if (spool->sequence < 2) {
            stop(spool);
            return false;
        }
        spool->ring_windows = spool->sequence; /* the device has no more than these */
    }
    if (!grows && !map_oldest(spool, &window)) {
        return false;
    }
    spool->ring_calls += calls_in_window(spool);
    release_window(spool);
    start_window(spool, window, spool->ring_bytes);
    return true;
}

bool mw_spool_make_room(struct mw_spool *spool, size_t bytes)
{
    size_t window_bytes = next_window_bytes(spool->file.bytes);
    char *window;

    if (spool->stopped) {
        return false;
    }
    if (spool->ring_windows > 0) {
        return bytes <= spool->ring_bytes - sizeof(struct mw_window_header) && turn_ring(spool);
    }
    if (bytes > window_bytes - sizeof(struct mw_window_header)) {
        return false;
    }
    if (map_window(spool, window_bytes, &window) != MW_OK) {
        stop(spool);
        return false;
    }
    release_window(spool);
    start_window(spool, window, window_bytes);
    return true;
}

/* The magic comes last: a file that begins with zeros has nothing to say. */
static void write_header(const struct mw_spool *spool, char *page,
                         const struct mw_spool_identity *identity)
{
    struct mw_spool_header header = {
        .magic = MW_SPOOL_MAGIC,
        .version = MW_SPOOL_VERSION,
        .byte_order = MW_SPOOL_BYTE_ORDER,
        .nonce = identity->nonce,
        .rank = identity->rank,
        .thread = identity->thread,
        .calls_fingerprint = mw_calls_fingerprint(),
        .ticks_per_second = 1000000000u,
        .clock = "CLOCK_MONOTONIC",
        .ring_bytes = spool->ring_bytes,
    };
    const size_t magic_bytes = sizeof header.magic;

    memcpy(page + magic_bytes, (const char *)&header + magic_bytes, sizeof header - magic_bytes);
    __atomic_signal_fence(__ATOMIC_RELEASE);
    memcpy(page, header.magic, magic_bytes);
}

/* The size of the first window, 0 if there is no room for one, or for a ring of two. */
static size_t plan(struct mw_spool *spool, bool wrap, const char *path,
                   struct mw_diagnostic *diagnostic)
{
    uint64_t allowed = mw_file_bytes_allowed(spool->limit_bytes);
    bool fits = allowed >= MW_SPOOL_HEADER_BYTES + MW_WINDOW_BYTES_MIN;

    if (fits && wrap) {
        plan_ring(spool, allowed);
        fits = spool->ring_windows >= 2;
    }
    if (!fits) {
        errno = EFBIG;
        (void)mw_fail(diagnostic, MW_ERROR_SPACE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                      "a %s of at most %llu bytes is too small to record into",
                      wrap ? "ring" : "spool", (unsigned long long)allowed);
        return 0;
    }
    return wrap ? spool->ring_bytes : MW_WINDOW_BYTES_MIN;
}

enum mw_status mw_spool_init(struct mw_spool *spool, const char *path,
                             const struct mw_spool_identity *identity, uint64_t limit_bytes,
                             struct mw_diagnostic *diagnostic)
{
    enum mw_status status;
    size_t window_bytes;
    void *mapped;

    memset(spool, 0, sizeof *spool);
    spool->nonce = identity->nonce;
    spool->limit_bytes = limit_bytes > 0 ? limit_bytes : UINT64_MAX;
    window_bytes = plan(spool, identity->wrap, path, diagnostic);
    if (window_bytes == 0) {
        return MW_ERROR_SPACE;
    }
    status = mw_own_file_create(&spool->file, path, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    status = mw_own_file_map(&spool->file, 0, MW_SPOOL_HEADER_BYTES + window_bytes, &mapped,
                             diagnostic);
    if (status != MW_OK) {
        mw_own_file_discard(&spool->file);
        return status;
    }
    write_header(spool, mapped, identity);
    start_window(spool, (char *)mapped + MW_SPOOL_HEADER_BYTES, window_bytes);
    munmap(mapped, MW_SPOOL_HEADER_BYTES);
    return MW_OK;
}

void mw_spool_fini(struct mw_spool *spool)
{
    munmap(spool->window, (size_t)(spool->end - spool->window));
    if (spool->held) {
        munmap(spool->held, spool->held_bytes);
    }
    mw_own_file_fini(&spool->file);
    memset(spool, 0, sizeof *spool);
}
