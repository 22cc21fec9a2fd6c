/*
 * Windows are written, counted and cleared here, where a thousand calls share what it costs.
 */
#include "formats/spool/spool_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/base/file.h"
#include "formats/spool/block.h"
#include "formats/spool/counts.h"
#include "formats/table/calls.h"

#define AHEAD_BYTES ((uint64_t)1 << 20)

/* The segments of a ring within allowed bytes: eight or more, as far as they can be so small. */
static void plan_ring(struct mw_spool *spool, uint64_t allowed)
{
    uint64_t room = allowed - MW_SEGMENTS_AT;
    uint64_t bytes = room / 8 / 4096 * 4096;
    uint64_t segments;

    bytes = bytes < MW_SEGMENT_BYTES_MIN ? MW_SEGMENT_BYTES_MIN : bytes;
    bytes = bytes > MW_SEGMENT_BYTES_MAX ? MW_SEGMENT_BYTES_MAX : bytes;
    segments = room / bytes;
    spool->ring_bytes = bytes;
    spool->ring_segments = segments < UINT32_MAX ? (uint32_t)segments : UINT32_MAX;
}

/* For good. */
static void stop(struct mw_spool *spool)
{
    spool->stopped = true;
    /* An end of 0 bytes of room keeps every later call off the fast path. */
    spool->next = spool->end;
}

static struct mw_spool_header *header_of(const struct mw_spool *spool)
{
    return (struct mw_spool_header *)(void *)spool->map;
}

static struct mw_window_header *window_header(char *window)
{
    return (struct mw_window_header *)(void *)window;
}

/* Asks for room ahead of end, so that the file is in few pieces, if it can be had. */
static void reserve_ahead(struct mw_spool *spool, uint64_t end)
{
    uint64_t ahead = end + AHEAD_BYTES;

    if (end > spool->file.bytes && !spool->has_no_room_ahead) {
        ahead = ahead < spool->limit_bytes ? ahead : spool->limit_bytes;
        spool->has_no_room_ahead = mw_own_file_reserve(&spool->file, ahead, NULL) != MW_OK ||
                                   spool->file.bytes < ahead;
    }
}

static enum mw_status write_at(struct mw_spool *spool, uint64_t offset, const void *from,
                               size_t bytes)
{
    if (offset + bytes > spool->limit_bytes) {
        errno = EFBIG;
        return mw_fail(&spool->diagnostic, MW_ERROR_SPACE, spool->file.path, offset,
                       "the spool has reached its limit of %llu bytes",
                       (unsigned long long)spool->limit_bytes);
    }
    reserve_ahead(spool, offset + bytes);
    return mw_own_file_write(&spool->file, offset, from, bytes, &spool->diagnostic);
}

/* --- windows ------------------------------------------------------------------------ */

/* From here on what was in the window is in a block, or nowhere. */
static void clear_window(char *window)
{
    struct mw_window_header *header = window_header(window);

    __atomic_store_n(&header->magic, 0, __ATOMIC_RELAXED);
    /* Who reads it meanwhile and sees zeros has to see that, too, and what was counted before: a
     * release alone keeps nothing behind it. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memset((char *)window + sizeof header->magic, 0, MW_WINDOW_BYTES - sizeof header->magic);
}

/* Makes a cleared window the one in use. */
static void start_window(struct mw_spool *spool, char *window)
{
    struct mw_window_header *header = window_header(window);

    header->sequence = spool->sequence++;
    header->nonce = spool->nonce;
    __atomic_store_n(&header->magic, MW_WINDOW_MAGIC, __ATOMIC_RELEASE);
    spool->window = window;
    spool->next = window + sizeof *header;
    spool->end = window + MW_WINDOW_BYTES;
}

static bool lies_in(const void *pointer, const char *window)
{
    return window && (const char *)pointer >= window &&
           (const char *)pointer < window + MW_WINDOW_BYTES;
}

/* --- counts ------------------------------------------------------------------------- */

static struct mw_counts *counts_of(const struct mw_spool *spool)
{
    return (struct mw_counts *)(void *)(spool->map + MW_COUNTS_AT);
}

/* Who reads them meanwhile sees that they change, also if the process is killed in between. */
static void tell_counts(struct mw_spool *spool, const struct mw_counts *counts)
{
    struct mw_counts *told = counts_of(spool);
    const uint64_t changes = told->changes;

    __atomic_store_n(&told->changes, changes + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memcpy((char *)told + sizeof changes, (const char *)counts + sizeof changes,
           sizeof *told - sizeof changes);
    __atomic_store_n(&told->changes, changes + 2, __ATOMIC_RELEASE);
}

/* The window in use has become a block. */
static void count_window(struct mw_spool *spool)
{
    const struct mw_window_header *header = window_header(spool->window);
    struct mw_counts counts = *counts_of(spool);
    struct mw_call_record last;

    mw_counts_add(&counts, spool->window + sizeof *header, MW_WINDOW_BYTES - sizeof *header,
                  &last);
    counts.windows = header->sequence + (uint64_t)1;
    if (header->kept_at > 0) {
        counts.kept = header->sequence + (uint64_t)1;
    }
    tell_counts(spool, &counts);
}

/* The call has ended that the time was lacking of. */
static void count_kept(struct mw_spool *spool)
{
    struct mw_counts counts = *counts_of(spool);
    struct mw_call_record kept;

    memcpy(&kept, spool->kept + window_header(spool->kept)->kept_place, sizeof kept);
    mw_counts_close(&counts, &kept);
    counts.kept = 0;
    tell_counts(spool, &counts);
}

/* The call that a window was kept for has ended: its block gets to know it. */
static enum mw_status release_kept(struct mw_spool *spool)
{
    const struct mw_window_header *header = window_header(spool->kept);
    enum mw_status status = write_at(spool, header->kept_at, spool->kept + header->kept_place,
                                     sizeof(struct mw_call_record));

    if (status == MW_OK) {
        count_kept(spool);
        clear_window(spool->kept);
        spool->kept = NULL;
    }
    return status;
}

/* --- blocks ------------------------------------------------------------------------- */

/* Begins segment number segment at its place. A ring has all of its room beforehand. */
static enum mw_status start_segment(struct mw_spool *spool, uint32_t segment, uint64_t offset)
{
    const struct mw_segment_header header = {
        .magic = MW_SEGMENT_MAGIC,
        .sequence = segment,
        .bytes = spool->ring_bytes,
        .nonce = spool->nonce,
        .calls = spool->ring_segments > 0 ? spool->written_calls : 0,
    };
    enum mw_status status =
        mw_own_file_reserve(&spool->file, offset + spool->ring_bytes, &spool->diagnostic);

    if (status == MW_OK) {
        status = write_at(spool, offset, &header, sizeof header);
    }
    if (status == MW_OK) {
        spool->segment = segment;
        spool->written = offset + sizeof header;
        spool->segment_end = spool->ring_segments > 0 ? offset + spool->ring_bytes : UINT64_MAX;
    }
    return status;
}

/* Whether the block with the open call is in the segment that begins at offset. */
static bool has_open_call(const struct mw_spool *spool, uint64_t offset)
{
    uint64_t kept_at = spool->kept ? window_header(spool->kept)->kept_at : 0;

    return kept_at >= offset && kept_at < offset + spool->ring_bytes;
}

/*
 * The next segment of a ring: a new one while there is room, then the oldest. MW_END: that is the
 * one that the open call is in.
 */
static enum mw_status turn_ring(struct mw_spool *spool)
{
    uint32_t segment = spool->segment + 1;
    uint64_t offset = MW_SEGMENTS_AT + segment * spool->ring_bytes;
    enum mw_status status = MW_OK;

    if (segment < spool->ring_segments) {
        status = start_segment(spool, segment, offset);
        if (status == MW_OK || segment < 2) {
            return status;
        }
        spool->ring_segments = segment; /* the device has no more than these */
    }
    offset = MW_SEGMENTS_AT + segment % spool->ring_segments * spool->ring_bytes;
    return has_open_call(spool, offset) ? MW_END : start_segment(spool, segment, offset);
}

/* Writes the window in use as a block, which counts from then on. */
static enum mw_status write_window(struct mw_spool *spool)
{
    struct mw_window_header *header = window_header(spool->window);
    const char *open = lies_in(spool->open, spool->window) ? (const char *)spool->open : NULL;
    struct mw_block_packed packed;
    enum mw_status status = MW_OK;

    mw_block_pack(spool->window + sizeof *header, MW_WINDOW_BYTES - sizeof *header, open,
                  header->sequence, spool->block, &packed);
    if (packed.bytes > spool->segment_end - spool->written) {
        status = turn_ring(spool);
    }
    if (status == MW_OK && packed.bytes > 0) {
        status = write_at(spool, spool->written, spool->block, packed.bytes);
    }
    if (status != MW_OK) {
        return status;
    }
    if (packed.kept_at > 0) {
        header->kept_place = (uint64_t)(open - spool->window);
        header->kept_at = spool->written + packed.kept_at;
    }
    spool->written += packed.bytes;
    spool->written_calls += packed.calls;
    __atomic_store_n(&header_of(spool)->written, spool->written, __ATOMIC_RELEASE);
    count_window(spool);
    return MW_OK;
}

/* Writes the window in use and goes on in one that is empty. */
static enum mw_status change_window(struct mw_spool *spool)
{
    char *other = spool->map + MW_SPOOL_HEADER_BYTES;
    enum mw_status status = MW_OK;

    if (spool->kept && !lies_in(spool->open, spool->kept)) {
        status = release_kept(spool);
    }
    if (status == MW_OK) {
        status = write_window(spool);
    }
    if (status != MW_OK) {
        return status;
    }
    if (lies_in(spool->open, spool->window)) {
        spool->kept = spool->window;
        start_window(spool, spool->kept == other ? other + MW_WINDOW_BYTES : other);
    } else {
        clear_window(spool->window);
        start_window(spool, spool->window);
    }
    return MW_OK;
}

bool mw_spool_make_room(struct mw_spool *spool, size_t bytes)
{
    int error = errno;
    enum mw_status status;

    if (spool->stopped || bytes > MW_WINDOW_BYTES - sizeof(struct mw_window_header)) {
        return false;
    }
    if (spool->owner != (int32_t)getpid()) {
        stop(spool); /* what is mapped is the parent's */
        return false;
    }
    if (spool->refused && spool->refused == spool->open) {
        return false;
    }
    status = change_window(spool);
    spool->refused = status == MW_END ? spool->open : NULL;
    if (status != MW_OK && status != MW_END) {
        stop(spool);
    }
    errno = error;
    return status == MW_OK;
}

void mw_spool_lose(struct mw_spool *spool, int calls)
{
    spool->lost += (uint64_t)(int64_t)calls;
    if (spool->owner == (int32_t)getpid()) {
        header_of(spool)->lost = spool->lost;
    }
}

void mw_spool_tell_clock(struct mw_spool *spool, uint64_t points, uint64_t error, bool is_given_up)
{
    struct mw_spool_header *header = header_of(spool);

    if (spool->owner == (int32_t)getpid()) {
        header->clock_points = points;
        header->clock_error = error > header->clock_error ? error : header->clock_error;
        header->clock_given_up |= is_given_up;
    }
}

/* --- the file ------------------------------------------------------------------------ */

/* The magic comes last: a file that begins with zeros has nothing to say. */
static void write_header(const struct mw_spool *spool, const struct mw_spool_identity *identity)
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
        .written = spool->written,
    };
    const size_t magic_bytes = sizeof header.magic;

    counts_of(spool)->changes = 2;
    memcpy(spool->map + magic_bytes, (const char *)&header + magic_bytes,
           sizeof header - magic_bytes);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* for who finds the file at this moment */
    memcpy(spool->map, header.magic, magic_bytes);
}

/* Whether there is room enough for a segment, or for a ring of two. */
static bool plan(struct mw_spool *spool, bool wrap, const char *path,
                 struct mw_diagnostic *diagnostic)
{
    uint64_t allowed = mw_file_bytes_allowed(spool->limit_bytes);
    bool fits = allowed >= mw_spool_bytes_min(false);

    if (fits && wrap) {
        plan_ring(spool, allowed);
        fits = spool->ring_segments >= 2;
    }
    if (!fits) {
        errno = 0;
        (void)mw_fail(diagnostic, MW_ERROR_SPACE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                      "a %s of at most %llu bytes is too small to record into: it takes %llu",
                      wrap ? "ring" : "spool", (unsigned long long)allowed,
                      (unsigned long long)mw_spool_bytes_min(wrap));
    }
    return fits;
}

/* Maps header and windows, and begins the first segment. */
static enum mw_status begin(struct mw_spool *spool, struct mw_diagnostic *diagnostic)
{
    void *mapped;
    enum mw_status status =
        mw_own_file_map(&spool->file, 0, MW_SEGMENTS_AT, &mapped, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    spool->map = mapped;
    status = start_segment(spool, 0, MW_SEGMENTS_AT);
    if (status != MW_OK) {
        *diagnostic = spool->diagnostic;
        munmap(spool->map, MW_SEGMENTS_AT);
    }
    return status;
}

enum mw_status mw_spool_init(struct mw_spool *spool, const char *path,
                             const struct mw_spool_identity *identity, uint64_t limit_bytes,
                             struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    memset(spool, 0, sizeof *spool);
    spool->nonce = identity->nonce;
    spool->owner = (int32_t)getpid();
    spool->limit_bytes = limit_bytes > 0 ? limit_bytes : UINT64_MAX;
    if (!plan(spool, identity->wrap, path, diagnostic)) {
        return MW_ERROR_SPACE;
    }
    spool->block = malloc(MW_BLOCK_ROOM);
    if (!spool->block) {
        return mw_no_memory(diagnostic, path, "to record");
    }
    status = mw_own_file_create(&spool->file, path, diagnostic);
    if (status == MW_OK) {
        status = begin(spool, diagnostic);
        if (status != MW_OK) {
            mw_own_file_discard(&spool->file);
        }
    }
    if (status != MW_OK) {
        free(spool->block);
        return status;
    }
    start_window(spool, spool->map + MW_SPOOL_HEADER_BYTES);
    write_header(spool, identity);
    return MW_OK;
}

void mw_spool_fini(struct mw_spool *spool)
{
    enum mw_status status = spool->kept ? release_kept(spool) : MW_OK;

    if (status == MW_OK) {
        status = write_window(spool);
    }
    /* A ring that has come round has more behind the block that was written last. */
    if (status == MW_OK && (spool->ring_segments == 0 || spool->segment < spool->ring_segments)) {
        mw_own_file_cut(&spool->file, spool->written);
    }
    munmap(spool->map, MW_SEGMENTS_AT);
    free(spool->block);
    mw_own_file_fini(&spool->file);
    memset(spool, 0, sizeof *spool);
}
