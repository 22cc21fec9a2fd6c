/*
 * Nothing is trusted that the file says. A process may be writing it at this moment: what is in
 * memory is copied first, and again when blocks were written meanwhile.
 */
#include "formats/spool/spool_windows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/array.h"
#include "formats/base/file.h"
#include "formats/base/order.h"
#include "formats/spool/block.h"
#include "formats/spool/spool_header.h"

#define COPIES_MAX 100u /* of a process that writes blocks faster than it is read */

/* A segment as its header says. */
struct segment {
    uint32_t sequence;
    uint64_t offset;
    uint64_t calls;
};

struct mw_spool_windows {
    struct mw_spool_header header;
    int descriptor;
    struct segment *segments; /* those to be read, oldest first */
    size_t segment_count;
    size_t segment_next;
    uint64_t overwritten; /* calls */
    bool is_cut;
    uint64_t position;    /* of the next block */
    uint64_t segment_end;
    uint32_t sequence;    /* of the next window */
    bool is_damaged;      /* the block at the position is */
    uint32_t segment;     /* the number of the one that is read */
    struct mw_spool_place place; /* of the latest window */
    bool is_begun;        /* one has been read, or sequence is known from elsewhere */
    char *recent;         /* the windows in the file's front; null in version 1 */
    char pending[MW_PENDING_BYTES];
    struct mw_now now;
    char *records;
    char *packed;
    char path[];
};

/* Reads up to bytes at offset; fewer only at the end of the file. */
static enum mw_status read_at(const struct mw_spool_windows *windows, char *to, size_t bytes,
                              uint64_t offset, size_t *got, struct mw_diagnostic *diagnostic)
{
    *got = 0;
    while (*got < bytes) {
        ssize_t more =
            pread(windows->descriptor, to + *got, bytes - *got, (off_t)(offset + *got));

        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more < 0) {
            return mw_fail(diagnostic, MW_ERROR_SYSTEM, windows->path, offset + *got,
                           "can't read the spool");
        }
        if (more == 0) {
            break;
        }
        *got += (size_t)more;
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* what is read next is of later than this */
    return MW_OK;
}

static bool has_blocks(const struct mw_spool_windows *windows)
{
    return windows->header.version != MW_SPOOL_VERSION_WITHOUT_BLOCKS;
}

static bool is_ring(const struct mw_spool_windows *windows)
{
    return windows->header.ring_bytes > 0;
}

static enum mw_status damaged(const struct mw_spool_windows *windows, uint64_t offset,
                              const char *how, struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, MW_ERROR_FORMAT, windows->path, offset, "%s", how);
}

/* --- segments ------------------------------------------------------------------------- */

static int compare_segments(const void *left, const void *right)
{
    uint32_t a = ((const struct segment *)left)->sequence;
    uint32_t b = ((const struct segment *)right)->sequence;

    return mw_order(a, b);
}

/* Keeps the newest segments up to the first gap; an older one was being written over. */
static void drop_before_gap(struct mw_spool_windows *windows)
{
    size_t first = windows->segment_count > 0 ? windows->segment_count - 1 : 0;
    const struct segment *segments = windows->segments;

    while (first > 0 && segments[first - 1].sequence + 1 == segments[first].sequence) {
        first--;
    }
    windows->segment_next = first;
    if (windows->segment_count > 0) {
        windows->overwritten = segments[first].calls;
        windows->is_cut = segments[first].sequence > 0;
        windows->is_begun = !has_blocks(windows) || segments[first].sequence == 0;
        windows->sequence = has_blocks(windows) ? 0 : segments[first].sequence;
    }
}

/*
 * The first segment from offset on that the file has bytes of; UINT64_MAX after the last. In
 * holes, which may be as large as a file can claim to be, there are none.
 */
static uint64_t next_place(const struct mw_spool_windows *windows, uint64_t offset)
{
    off_t data = lseek(windows->descriptor, (off_t)offset, SEEK_DATA);
    uint64_t step = windows->header.ring_bytes;

    if (data < 0) {
        return errno == ENXIO ? UINT64_MAX : offset;
    }
    return offset + ((uint64_t)data - offset) / step * step;
}

/* Finds the segments of a ring and their order. */
static enum mw_status survey_ring(struct mw_spool_windows *windows,
                                  struct mw_diagnostic *diagnostic)
{
    uint64_t step = windows->header.ring_bytes;
    uint64_t offset = has_blocks(windows) ? MW_SEGMENTS_AT : MW_SPOOL_HEADER_BYTES;
    struct mw_segment_header header;
    size_t got;

    windows->segment_count = 0;
    if (step % 4096 != 0 || step > MW_SEGMENT_BYTES_MAX) {
        return damaged(windows, offsetof(struct mw_spool_header, ring_bytes),
                       "a ring with windows of an impossible size", diagnostic);
    }
    for (offset = next_place(windows, offset); offset != UINT64_MAX;
         offset = next_place(windows, offset + step)) {
        enum mw_status status =
            read_at(windows, (char *)&header, sizeof header, offset, &got, diagnostic);

        if (status != MW_OK || got < sizeof header) {
            break;
        }
        if (!mw_array_grow((void **)&windows->segments, windows->segment_count,
                           sizeof *windows->segments)) {
            return mw_no_memory(diagnostic, windows->path, "to read the spool");
        }
        if (header.magic == MW_SEGMENT_MAGIC && header.nonce == windows->header.nonce) {
            windows->segments[windows->segment_count++] =
                (struct segment){header.sequence, offset, header.calls};
        }
    }
    if (windows->segment_count > 0) {
        qsort(windows->segments, windows->segment_count, sizeof *windows->segments,
              compare_segments);
    }
    drop_before_gap(windows);
    return MW_OK;
}

/* What is wrong with a segment of a sort; null: nothing. */
static const char *wrong_segment(const struct mw_spool_windows *windows,
                                 const struct mw_segment_header *header)
{
    if (header->magic != MW_SEGMENT_MAGIC) {
        return "no window of records where one should begin";
    }
    if (header->nonce != windows->header.nonce) {
        return "a window of another run";
    }
    if (has_blocks(windows)) {
        return header->bytes != windows->header.ring_bytes ? "a segment of an impossible size"
                                                           : NULL;
    }
    if (header->sequence != windows->sequence) {
        return "a window out of sequence";
    }
    return header->bytes < sizeof *header || header->bytes > MW_SEGMENT_BYTES_MAX ||
                   header->bytes % 4096 != 0
               ? "a window of an impossible size"
               : NULL;
}

/* Goes to the next segment. MW_END: there is none, or it was not begun. */
static enum mw_status next_segment(struct mw_spool_windows *windows,
                                   struct mw_segment_header *header,
                                   struct mw_diagnostic *diagnostic)
{
    uint64_t offset = windows->segment_end; /* where the next one is in version 1 */
    const char *wrong;
    enum mw_status status;
    size_t got;

    if (is_ring(windows)) {
        if (windows->segment_next == windows->segment_count) {
            return MW_END;
        }
        offset = windows->segments[windows->segment_next++].offset;
    } else if (has_blocks(windows) && windows->segment_next++ > 0) {
        return MW_END;
    }
    status = read_at(windows, (char *)header, sizeof *header, offset, &got, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    if (got < sizeof *header || header->magic == 0) {
        return MW_END;
    }
    wrong = wrong_segment(windows, header);
    if (wrong) {
        return damaged(windows, offset, wrong, diagnostic);
    }
    windows->position = offset + sizeof *header;
    windows->segment = is_ring(windows) ? header->sequence : 0;
    windows->segment_end = header->bytes > 0 ? offset + header->bytes : UINT64_MAX;
    return MW_OK;
}

/* --- windows in memory ----------------------------------------------------------------- */

/* Copies the windows in front of the file and what the header says of them, of one moment. */
static enum mw_status copy_recent(struct mw_spool_windows *windows,
                                  struct mw_diagnostic *diagnostic)
{
    const size_t bytes = MW_WINDOWS * MW_WINDOW_BYTES;
    struct mw_spool_header now = windows->header;
    size_t got;
    enum mw_status status = MW_OK;

    for (unsigned i = 0; status == MW_OK && i < COPIES_MAX; i++) {
        const uint64_t written = now.written;

        memset(windows->recent, 0, bytes);
        status = read_at(windows, windows->recent, bytes, MW_SPOOL_HEADER_BYTES, &got, diagnostic);
        if (status == MW_OK) {
            status = read_at(windows, windows->pending, sizeof windows->pending, MW_PENDING_AT,
                             &got, diagnostic);
        }
        if (status == MW_OK) {
            status = read_at(windows, (char *)&windows->now, sizeof windows->now, MW_NOW_AT, &got,
                             diagnostic);
        }
        if (status == MW_OK) {
            status = read_at(windows, (char *)&now, sizeof now, 0, &got, diagnostic);
        }
        if (now.written == written) {
            break;
        }
    }
    windows->header.written = now.written; /* the rest has been checked */
    windows->header.lost = now.lost;
    windows->header.clock_points = now.clock_points;
    windows->header.clock_error = now.clock_error;
    windows->header.clock_given_up = now.clock_given_up;
    return status;
}

/* The header of one of them; null if it has no records of this spool. */
static const struct mw_window_header *recent_window(const struct mw_spool_windows *windows,
                                                    unsigned index)
{
    const struct mw_window_header *header =
        (const void *)(windows->recent + index * (size_t)MW_WINDOW_BYTES);

    return header->magic == MW_WINDOW_MAGIC && header->nonce == windows->header.nonce ? header
                                                                                      : NULL;
}

/* A call that was open when its window became a block may have ended since. In a window that was
 * being cleared there is none; the block has been told by then. */
static void close_kept(const struct mw_spool_windows *windows,
                       const struct mw_block_header *block)
{
    for (unsigned i = 0; i < MW_WINDOWS; i++) {
        const struct mw_window_header *header = recent_window(windows, i);
        struct mw_call_record before, kept;
        const size_t place = header ? (size_t)header->kept_place - sizeof *header : 0;

        if (!header || header->sequence != block->sequence || header->kept_at == 0 ||
            header->kept_place < sizeof *header ||
            header->kept_place > MW_WINDOW_BYTES - sizeof before ||
            header->kept_place - sizeof *header + sizeof before > block->records) {
            continue;
        }
        memcpy(&before, windows->records + place, sizeof before);
        memcpy(&kept, (const char *)header + header->kept_place, sizeof kept);
        if (before.state == MW_STATE_OPEN && kept.state == MW_STATE_DONE &&
            kept.enter == before.enter) {
            memcpy(windows->records + place, &kept, sizeof kept);
        }
    }
}

/* What has not become a block, in the order of its writing. */
static enum mw_status next_recent(struct mw_spool_windows *windows,
                                  struct mw_spool_window *window,
                                  struct mw_diagnostic *diagnostic)
{
    const struct mw_window_header *next = NULL;

    for (unsigned i = 0; i < MW_WINDOWS; i++) {
        const struct mw_window_header *header = recent_window(windows, i);

        if (header && (!windows->is_begun || header->sequence >= windows->sequence) &&
            (!next || header->sequence < next->sequence)) {
            next = header;
        }
    }
    if (!next) {
        return MW_END;
    }
    window->records = (const char *)(next + 1);
    window->bytes = MW_WINDOW_BYTES - sizeof *next;
    window->offset = MW_SPOOL_HEADER_BYTES + (uint64_t)(window->records - windows->recent);
    window->is_packed = false;
    if (windows->is_begun && next->sequence != windows->sequence) {
        return damaged(windows, window->offset, "a window out of sequence", diagnostic);
    }
    if (windows->place.block != windows->position) {
        windows->place = (struct mw_spool_place){
            .block = windows->position, .first = next->sequence, .segment = windows->segment};
    }
    windows->place.sequence = next->sequence;
    window->place = windows->place;
    windows->sequence = next->sequence + 1;
    windows->is_begun = true;
    return MW_OK;
}

/* --- one after the other --------------------------------------------------------------- */

/* In version 1 a segment is a window. */
static enum mw_status next_whole(struct mw_spool_windows *windows,
                                 struct mw_spool_window *window,
                                 struct mw_diagnostic *diagnostic)
{
    struct mw_segment_header header;
    enum mw_status status = next_segment(windows, &header, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    windows->sequence++;
    window->records = windows->records;
    window->offset = windows->position;
    window->is_packed = false;
    return read_at(windows, windows->records, (size_t)header.bytes - sizeof header,
                   windows->position, &window->bytes, diagnostic);
}

/* The header of the next block of the segment. MW_END: there is none; what follows in a ring's is
 * of older windows. */
static enum mw_status find_block(const struct mw_spool_windows *windows,
                                 struct mw_block_header *header,
                                 struct mw_diagnostic *diagnostic)
{
    uint64_t left = windows->segment_end - windows->position;
    size_t got;
    enum mw_status status;

    if (windows->position >= windows->header.written && !is_ring(windows)) {
        return MW_END;
    }
    if (left < sizeof *header || windows->position == windows->header.written) {
        return MW_END;
    }
    status = read_at(windows, (char *)header, sizeof *header, windows->position, &got, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    if (got == sizeof *header && header->magic == MW_BLOCK_MAGIC &&
        (!windows->is_begun || header->sequence == windows->sequence) &&
        header->records <= MW_BLOCK_RECORDS_MAX && header->bytes <= header->records &&
        header->bytes <= left - sizeof *header) {
        return MW_OK;
    }
    return is_ring(windows) ? MW_END
                            : damaged(windows, windows->position,
                                      "no block of records where one should be", diagnostic);
}

static enum mw_status next_block(struct mw_spool_windows *windows,
                                 struct mw_spool_window *window,
                                 struct mw_diagnostic *diagnostic)
{
    struct mw_block_header header;
    size_t got;
    enum mw_status status = find_block(windows, &header, diagnostic);

    if (status == MW_OK) {
        status = read_at(windows, windows->packed, header.bytes,
                         windows->position + sizeof header, &got, diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    window->records = windows->records;
    window->bytes = mw_block_unpack(&header, windows->packed, got, windows->records);
    window->offset = windows->position;
    window->is_packed = true;
    if (window->bytes < header.records) {
        windows->is_damaged = true; /* as far as it is sound it counts */
        return MW_OK;
    }
    close_kept(windows, &header);
    windows->place = (struct mw_spool_place){.block = windows->position,
                                             .first = header.sequence,
                                             .sequence = header.sequence,
                                             .segment = windows->segment};
    window->place = windows->place;
    windows->position += sizeof header + header.bytes;
    windows->sequence = header.sequence + 1;
    windows->is_begun = true;
    return MW_OK;
}

enum mw_status mw_spool_windows_next(struct mw_spool_windows *windows,
                                     struct mw_spool_window *window,
                                     struct mw_diagnostic *diagnostic)
{
    struct mw_segment_header header;
    enum mw_status status;

    if (!has_blocks(windows)) {
        return next_whole(windows, window, diagnostic);
    }
    if (windows->is_damaged) {
        return damaged(windows, windows->position, "a block of records that is damaged",
                       diagnostic);
    }
    status = windows->position > 0 ? next_block(windows, window, diagnostic) : MW_END;
    while (status == MW_END && windows->position != windows->header.written) {
        status = next_segment(windows, &header, diagnostic);
        if (status != MW_OK) {
            break;
        }
        status = next_block(windows, window, diagnostic);
    }
    return status == MW_END ? next_recent(windows, window, diagnostic) : status;
}

/* --- the beginning, and once more ------------------------------------------------------ */

/* Goes to the segment of a ring that place is in; false: it is gone. */
static bool go_to_segment(struct mw_spool_windows *windows, const struct mw_spool_place *place)
{
    for (size_t i = windows->segment_next; i < windows->segment_count; i++) {
        if (windows->segments[i].sequence == place->segment) {
            windows->segment_next = i + (place->block > 0);
            windows->segment_end = windows->segments[i].offset + windows->header.ring_bytes;
            return true;
        }
    }
    return windows->segment_count == 0;
}

/* Copies what the process keeps, and goes to place. */
static enum mw_status go_to(struct mw_spool_windows *windows, const struct mw_spool_place *place,
                            bool *is_lost, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = has_blocks(windows) ? copy_recent(windows, diagnostic) : MW_OK;

    windows->is_begun = true;
    windows->is_damaged = false;
    windows->segment_next = place->block > 0;
    windows->segment_end = has_blocks(windows) ? MW_SEGMENTS_AT : MW_SPOOL_HEADER_BYTES;
    windows->sequence = 0;
    if (status == MW_OK && is_ring(windows)) {
        status = survey_ring(windows, diagnostic);
        *is_lost = status == MW_OK && !go_to_segment(windows, place);
    }
    windows->position = *is_lost ? 0 : place->block;
    if (status == MW_OK && place->block > 0 && !*is_lost) {
        windows->segment_end = is_ring(windows) ? windows->segment_end : UINT64_MAX;
        windows->segment = place->segment;
        windows->sequence = place->first;
        windows->is_begun = true;
    }
    return status;
}

enum mw_status mw_spool_windows_again(struct mw_spool_windows *windows,
                                      const struct mw_spool_place *place, bool *is_lost,
                                      struct mw_diagnostic *diagnostic)
{
    *is_lost = false;
    return has_blocks(windows) ? go_to(windows, place, is_lost, diagnostic) : MW_ERROR_VERSION;
}

/* --- the file -------------------------------------------------------------------------- */

static bool make_room(struct mw_spool_windows *windows)
{
    if (!has_blocks(windows)) {
        windows->records = malloc(MW_SEGMENT_BYTES_MAX);
        return windows->records;
    }
    windows->records = malloc(MW_BLOCK_RECORDS_MAX);
    windows->packed = calloc(1, MW_BLOCK_RECORDS_MAX + MW_BLOCK_SLACK);
    windows->recent = malloc(MW_WINDOWS * MW_WINDOW_BYTES);
    return windows->records && windows->packed && windows->recent;
}

static enum mw_status open_spool(struct mw_spool_windows *windows,
                                 struct mw_diagnostic *diagnostic)
{
    bool is_lost = false;
    size_t got;
    enum mw_status status =
        mw_file_open_regular(windows->path, "the spool", &windows->descriptor, diagnostic);

    if (status == MW_OK) {
        status = read_at(windows, (char *)&windows->header, sizeof windows->header, 0, &got,
                         diagnostic);
    }
    if (status == MW_OK) {
        status = mw_spool_header_check(&windows->header, got, windows->path, diagnostic);
    }
    if (status == MW_OK && !make_room(windows)) {
        status = mw_no_memory(diagnostic, windows->path, "to read the spool");
    }
    return status == MW_OK ? go_to(windows, &windows->place, &is_lost, diagnostic) : status;
}

enum mw_status mw_spool_windows_create(const char *path, struct mw_spool_windows **windows,
                                       struct mw_diagnostic *diagnostic)
{
    size_t path_bytes = strlen(path) + 1;
    struct mw_spool_windows *created = calloc(1, sizeof *created + path_bytes);
    enum mw_status status;

    if (!created) {
        return mw_no_memory(diagnostic, path, "to read the spool");
    }
    memcpy(created->path, path, path_bytes);
    created->descriptor = -1;
    *windows = created;
    status = open_spool(created, diagnostic);
    if (status != MW_OK) {
        mw_spool_windows_destroy(created);
    }
    return status;
}

void mw_spool_windows_destroy(struct mw_spool_windows *windows)
{
    if (!windows) {
        return;
    }
    if (windows->descriptor >= 0) {
        close(windows->descriptor);
    }
    free(windows->segments);
    free(windows->recent);
    free(windows->records);
    free(windows->packed);
    free(windows);
}

const struct mw_spool_header *mw_spool_windows_header(const struct mw_spool_windows *windows)
{
    return &windows->header;
}

const char *mw_spool_windows_pending(const struct mw_spool_windows *windows)
{
    return windows->pending;
}

const struct mw_now *mw_spool_windows_now(const struct mw_spool_windows *windows)
{
    return &windows->now;
}

const char *mw_spool_windows_path(const struct mw_spool_windows *windows)
{
    return windows->path;
}

uint64_t mw_spool_windows_overwritten(const struct mw_spool_windows *windows)
{
    return windows->overwritten;
}

bool mw_spool_windows_is_cut(const struct mw_spool_windows *windows)
{
    return windows->is_cut;
}
