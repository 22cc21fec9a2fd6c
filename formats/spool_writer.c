#include "formats/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/calls.h"
#include "formats/file.h"

/* The size of the window that comes after file_bytes of file: doubling up to the maximum. */
static size_t next_window_bytes(uint64_t file_bytes)
{
    size_t bytes = MW_WINDOW_BYTES_MIN;

    while (bytes < MW_WINDOW_BYTES_MAX && bytes < file_bytes / 2) {
        bytes *= 2;
    }
    return bytes;
}

/* The windows of a ring within limit_bytes: eight or more, as far as they can be so small. */
static void plan_ring(struct mw_spool *spool)
{
    uint64_t room = spool->limit_bytes - MW_SPOOL_HEADER_BYTES;
    uint64_t bytes = room / 8 / 4096 * 4096;
    uint64_t windows;

    bytes = bytes < MW_WINDOW_BYTES_MIN ? MW_WINDOW_BYTES_MIN : bytes;
    bytes = bytes > MW_WINDOW_BYTES_MAX ? MW_WINDOW_BYTES_MAX : bytes;
    windows = room / bytes;
    spool->ring_bytes = (size_t)bytes;
    spool->ring_windows = windows < UINT32_MAX ? (uint32_t)windows : UINT32_MAX;
}

/* Allocates bytes at the end of the file and maps them; fills *window. */
static enum mw_status map_window(struct mw_spool *spool, const char *path, size_t bytes,
                                 char **window, struct mw_diagnostic *diagnostic)
{
    void *mapped;
    int error;

    if (bytes > spool->limit_bytes || spool->file_bytes > spool->limit_bytes - bytes) {
        errno = EFBIG;
        return mw_fail(diagnostic, MW_ERROR_SPACE, path, spool->file_bytes,
                       "the spool has reached its limit of %llu bytes",
                       (unsigned long long)spool->limit_bytes);
    }
    error = posix_fallocate(spool->descriptor, (off_t)spool->file_bytes, (off_t)bytes);
    if (error != 0) {
        errno = error;
        return mw_fail(diagnostic,
                       error == ENOSPC || error == EFBIG ? MW_ERROR_SPACE : MW_ERROR_SYSTEM, path,
                       spool->file_bytes, "can't allocate %zu bytes of spool", bytes);
    }
    mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, spool->descriptor,
                  (off_t)spool->file_bytes);
    if (mapped == MAP_FAILED) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, spool->file_bytes,
                       "can't map %zu bytes of spool", bytes);
    }
    *window = mapped;
    return MW_OK;
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
    spool->file_bytes += bytes;
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
    mapped = mmap(NULL, spool->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                  spool->descriptor, (off_t)offset);
    if (mapped == MAP_FAILED) {
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
    uint64_t file_bytes = spool->file_bytes;
    uint64_t calls = calls_in_window(spool);
    char *window;
    bool grows = may_grow && map_window(spool, NULL, spool->ring_bytes, &window,
                                        &spool->diagnostic) == MW_OK;

    if (may_grow && !grows) {
        if (spool->sequence < 2) {
            return false;
        }
        spool->ring_windows = spool->sequence; /* the device has no more than these */
    }
    if (!grows && !map_oldest(spool, &window)) {
        return false;
    }
    release_window(spool);
    spool->ring_calls += calls;
    start_window(spool, window, spool->ring_bytes);
    spool->file_bytes = file_bytes + (grows ? spool->ring_bytes : 0);
    return true;
}

bool mw_spool_make_room(struct mw_spool *spool, size_t bytes)
{
    size_t window_bytes = next_window_bytes(spool->file_bytes);
    char *window;

    if (spool->ring_windows > 0) {
        return bytes <= spool->ring_bytes - sizeof(struct mw_window_header) && turn_ring(spool);
    }
    if (spool->stopped || bytes > window_bytes - sizeof(struct mw_window_header)) {
        return false;
    }
    if (map_window(spool, NULL, window_bytes, &window, &spool->diagnostic) != MW_OK) {
        spool->stopped = true;
        /* An end of 0 bytes of room keeps every later call on this path. */
        spool->next = spool->end;
        return false;
    }
    release_window(spool);
    start_window(spool, window, window_bytes);
    return true;
}

static enum mw_status write_header(const struct mw_spool *spool, const char *path,
                                   const struct mw_spool_identity *identity,
                                   struct mw_diagnostic *diagnostic)
{
    int descriptor = spool->descriptor;
    char page[MW_SPOOL_HEADER_BYTES] = {0};
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
    int error = posix_fallocate(descriptor, 0, sizeof page);

    memcpy(page, &header, sizeof header);
    if (error != 0) {
        errno = error;
        return mw_fail(diagnostic, error == ENOSPC ? MW_ERROR_SPACE : MW_ERROR_SYSTEM, path,
                       MW_DIAGNOSTIC_OFFSET_NONE, "can't allocate the spool");
    }
    if (pwrite(descriptor, page, sizeof page, 0) != (ssize_t)sizeof page) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't write the spool's header");
    }
    return MW_OK;
}

enum mw_status mw_spool_init(struct mw_spool *spool, const char *path,
                             const struct mw_spool_identity *identity, uint64_t limit_bytes,
                             struct mw_diagnostic *diagnostic)
{
    size_t window_bytes = MW_WINDOW_BYTES_MIN;
    enum mw_status status;
    char *window;

    memset(spool, 0, sizeof *spool);
    spool->nonce = identity->nonce;
    spool->limit_bytes = mw_file_bytes_allowed(limit_bytes);
    spool->file_bytes = MW_SPOOL_HEADER_BYTES;
    if (spool->limit_bytes < MW_SPOOL_HEADER_BYTES + MW_WINDOW_BYTES_MIN) {
        errno = EFBIG;
        return mw_fail(diagnostic, MW_ERROR_SPACE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "a spool of at most %llu bytes is too small to record into",
                       (unsigned long long)spool->limit_bytes);
    }
    if (identity->wrap) {
        plan_ring(spool);
        window_bytes = spool->ring_bytes;
        if (spool->ring_windows < 2) {
            errno = EFBIG;
            return mw_fail(diagnostic, MW_ERROR_SPACE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                           "a ring of at most %llu bytes is too small to record into",
                           (unsigned long long)spool->limit_bytes);
        }
    }
    spool->descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (spool->descriptor < 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't create the spool");
    }
    status = write_header(spool, path, identity, diagnostic);
    if (status == MW_OK) {
        status = map_window(spool, path, window_bytes, &window, diagnostic);
    }
    if (status != MW_OK) {
        close(spool->descriptor);
        unlink(path);
        return status;
    }
    start_window(spool, window, window_bytes);
    return MW_OK;
}

void mw_spool_fini(struct mw_spool *spool)
{
    munmap(spool->window, (size_t)(spool->end - spool->window));
    if (spool->held) {
        munmap(spool->held, spool->held_bytes);
    }
    close(spool->descriptor);
    memset(spool, 0, sizeof *spool);
    spool->descriptor = -1;
}
