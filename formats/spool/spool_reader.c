#include "formats/spool/spool_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/array.h"
#include "formats/base/file.h"
#include "formats/base/order.h"
#include "formats/table/calls.h"

/* A window of a ring, as its header says. */
struct ring_window {
    uint32_t sequence;
    uint64_t offset;
    uint64_t calls;
};

struct mw_spool_reader {
    struct mw_spool_header header;
    int descriptor;
    char *window; /* MW_WINDOW_BYTES_MAX of room */
    size_t window_bytes; /* what the file has of it */
    size_t position;     /* of the next record, in the window */
    uint64_t window_offset;
    uint64_t next_window_offset;
    uint32_t sequence; /* of the next window */
    bool ended;
    struct ring_window *ring; /* of a ring: those to be read, oldest first */
    size_t ring_count;
    size_t ring_next;
    uint64_t overwritten; /* calls */
    bool is_cut;          /* no call has been read yet, and the first one may be lost */
    char *spill; /* members of a call that goes over several windows */
    size_t spill_bytes;
    size_t spill_room;
    char path[];
};

/* The size of each type of record; 0: there is no such type. */
static size_t record_bytes(unsigned type)
{
    switch (type) {
    case MW_RECORD_CALL:
    case MW_RECORD_PAUSE:
    case MW_RECORD_RESUME:
    case MW_RECORD_SAMPLE:
    case MW_RECORD_USER:
    case MW_RECORD_THREAD_BEGIN:
    case MW_RECORD_THREAD_END:
        return sizeof(struct mw_call_record);
    case MW_MEMBER_SEND:
    case MW_MEMBER_RECV:
        return sizeof(struct mw_message_member);
    case MW_MEMBER_ISEND:
    case MW_MEMBER_RECV_COMPLETE:
        return sizeof(struct mw_request_message_member);
    case MW_MEMBER_IRECV_POST:
    case MW_MEMBER_SEND_COMPLETE:
    case MW_MEMBER_TEST:
    case MW_MEMBER_CANCELLED:
    case MW_MEMBER_COLL_POST:
        return sizeof(struct mw_request_member);
    case MW_MEMBER_COLL:
        return sizeof(struct mw_collective_member);
    case MW_MEMBER_COLL_COMPLETE:
        return sizeof(struct mw_request_collective_member);
    case MW_MEMBER_COMM_CREATE:
    case MW_MEMBER_COMM_DESTROY:
    case MW_MEMBER_WIN_CREATE:
    case MW_MEMBER_WIN_DESTROY:
    case MW_MEMBER_REGION_BEGIN:
    case MW_MEMBER_REGION_END:
    case MW_MEMBER_MARKER:
    case MW_MEMBER_WILDCARDS:
        return sizeof(struct mw_member);
    case MW_MEMBER_RMA_COLLECTIVE:
    case MW_MEMBER_RMA_PUT:
    case MW_MEMBER_RMA_GET:
    case MW_MEMBER_RMA_ATOMIC:
    case MW_MEMBER_RMA_DONE:
    case MW_MEMBER_RMA_LOCK:
    case MW_MEMBER_RMA_UNLOCK:
    case MW_MEMBER_RMA_SYNC:
        return sizeof(struct mw_rma_member);
    case MW_MEMBER_IO_OPEN:
    case MW_MEMBER_IO_CLOSE:
    case MW_MEMBER_IO_DELETE:
    case MW_MEMBER_IO_SEEK:
    case MW_MEMBER_IO_BEGIN:
    case MW_MEMBER_IO_END:
        return sizeof(struct mw_io_member);
    case MW_MEMBER_INSIDE:
    case MW_MEMBER_ERROR:
    case MW_MEMBER_COMM_ENDED:
    case MW_MEMBER_REGISTERED:
    case MW_MEMBER_UNREGISTERED:
        return sizeof(struct mw_value_member);
    default:
        return 0;
    }
}

/* The size of a metric's member, of which left bytes are there; 0: it has no values. */
static size_t metric_bytes(const char *member, size_t left)
{
    struct mw_metric_member metric;

    if (left < sizeof metric) {
        return sizeof metric; /* more than there is */
    }
    memcpy(&metric, member, sizeof metric);
    return metric.count > 0 ? sizeof metric + metric.count * sizeof metric.values[0] : 0;
}

/* Reads up to bytes at offset; fewer only at the end of the file. */
static enum mw_status read_at(struct mw_spool_reader *reader, char *to, size_t bytes,
                              uint64_t offset, size_t *got, struct mw_diagnostic *diagnostic)
{
    *got = 0;
    while (*got < bytes) {
        ssize_t more =
            pread(reader->descriptor, to + *got, bytes - *got, (off_t)(offset + *got));

        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more < 0) {
            return mw_fail(diagnostic, MW_ERROR_SYSTEM, reader->path, offset + *got,
                           "can't read the spool");
        }
        if (more == 0) {
            break;
        }
        *got += (size_t)more;
    }
    return MW_OK;
}

static enum mw_status check_header(const struct mw_spool_reader *reader, size_t bytes,
                                   struct mw_diagnostic *diagnostic)
{
    const struct mw_spool_header *header = &reader->header;

    if (bytes < sizeof *header ||
        memcmp(header->magic, MW_SPOOL_MAGIC, sizeof MW_SPOOL_MAGIC) != 0) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, 0,
                       "this is no spool of mpiwatch");
    }
    if (header->byte_order != MW_SPOOL_BYTE_ORDER) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, reader->path,
                       offsetof(struct mw_spool_header, byte_order),
                       "written on a machine of another byte order");
    }
    if (header->version != MW_SPOOL_VERSION) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, reader->path,
                       offsetof(struct mw_spool_header, version),
                       "a spool of version %u, this program knows %u", header->version,
                       MW_SPOOL_VERSION);
    }
    if (header->calls_fingerprint != mw_calls_fingerprint()) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, reader->path,
                       offsetof(struct mw_spool_header, calls_fingerprint),
                       "written by another version of mpiwatch, with other numbers for MPI calls");
    }
    if (header->ticks_per_second == 0) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path,
                       offsetof(struct mw_spool_header, ticks_per_second),
                       "a clock without ticks");
    }
    return MW_OK;
}

static int compare_windows(const void *left, const void *right)
{
    uint32_t a = ((const struct ring_window *)left)->sequence;
    uint32_t b = ((const struct ring_window *)right)->sequence;

    return mw_order(a, b);
}

/* Keeps the newest windows up to the first gap; an older one was being written over. */
static void drop_before_gap(struct mw_spool_reader *reader)
{
    size_t first = reader->ring_count > 0 ? reader->ring_count - 1 : 0;

    while (first > 0 && reader->ring[first - 1].sequence + 1 == reader->ring[first].sequence) {
        first--;
    }
    reader->ring_next = first;
    if (reader->ring_count > 0) {
        reader->sequence = reader->ring[first].sequence;
        reader->overwritten = reader->ring[first].calls;
        reader->is_cut = reader->sequence > 0;
    }
}

/*
 * The first window from offset on that the file has bytes of; UINT64_MAX after the last. In
 * holes, which may be as large as a file can claim to be, there are none.
 */
static uint64_t next_ring_window(const struct mw_spool_reader *reader, uint64_t offset)
{
    off_t data = lseek(reader->descriptor, (off_t)offset, SEEK_DATA);
    uint64_t step = reader->header.ring_bytes;

    if (data < 0) {
        return errno == ENXIO ? UINT64_MAX : offset;
    }
    return offset + ((uint64_t)data - offset) / step * step;
}

/* Finds the windows of a ring and their order. */
static enum mw_status survey_ring(struct mw_spool_reader *reader,
                                  struct mw_diagnostic *diagnostic)
{
    uint64_t step = reader->header.ring_bytes;
    struct mw_window_header header;
    size_t got;

    if (step % 4096 != 0 || step > MW_WINDOW_BYTES_MAX) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path,
                       offsetof(struct mw_spool_header, ring_bytes),
                       "a ring with windows of an impossible size");
    }
    for (uint64_t offset = MW_SPOOL_HEADER_BYTES;; offset += step) {
        offset = next_ring_window(reader, offset);
        if (offset == UINT64_MAX) {
            break;
        }
        enum mw_status status =
            read_at(reader, (char *)&header, sizeof header, offset, &got, diagnostic);

        if (status != MW_OK || got < sizeof header) {
            break;
        }
        if (!mw_array_grow((void **)&reader->ring, reader->ring_count, sizeof *reader->ring)) {
            return mw_fail(diagnostic, MW_ERROR_MEMORY, reader->path, offset,
                           "no memory to read the spool");
        }
        if (header.magic == MW_WINDOW_MAGIC && header.nonce == reader->header.nonce) {
            reader->ring[reader->ring_count++] =
                (struct ring_window){header.sequence, offset, header.calls};
        }
    }
    if (reader->ring_count > 0) {
        qsort(reader->ring, reader->ring_count, sizeof *reader->ring, compare_windows);
    }
    drop_before_gap(reader);
    return MW_OK;
}

enum mw_status mw_spool_reader_create(const char *path, struct mw_spool_reader **reader,
                                      struct mw_diagnostic *diagnostic)
{
    size_t path_bytes = strlen(path) + 1;
    struct mw_spool_reader *created = calloc(1, sizeof *created + path_bytes);
    size_t got;
    enum mw_status status;

    if (!created) {
        return mw_no_memory(diagnostic, path, "to read the spool");
    }
    memcpy(created->path, path, path_bytes);
    created->next_window_offset = MW_SPOOL_HEADER_BYTES;
    created->window = malloc(MW_WINDOW_BYTES_MAX);
    created->descriptor = -1;
    status = created->window ? mw_file_open_regular(path, "the spool", &created->descriptor,
                                                    diagnostic)
                             : mw_no_memory(diagnostic, path, "to read the spool");
    if (status == MW_OK) {
        status = read_at(created, (char *)&created->header, sizeof created->header, 0, &got,
                         diagnostic);
    }
    if (status == MW_OK) {
        status = check_header(created, got, diagnostic);
    }
    if (status == MW_OK && created->header.ring_bytes > 0) {
        status = survey_ring(created, diagnostic);
    }
    if (status != MW_OK) {
        mw_spool_reader_destroy(created);
        return status;
    }
    *reader = created;
    return MW_OK;
}

void mw_spool_reader_destroy(struct mw_spool_reader *reader)
{
    if (!reader) {
        return;
    }
    if (reader->descriptor >= 0) {
        close(reader->descriptor);
    }
    free(reader->window);
    free(reader->spill);
    free(reader->ring);
    free(reader);
}

const struct mw_spool_header *mw_spool_reader_header(const struct mw_spool_reader *reader)
{
    return &reader->header;
}

uint64_t mw_spool_reader_overwritten(const struct mw_spool_reader *reader)
{
    return reader->overwritten;
}

static enum mw_status check_window(const struct mw_spool_reader *reader,
                                   const struct mw_window_header *header,
                                   struct mw_diagnostic *diagnostic)
{
    const char *wrong = NULL;

    if (header->magic != MW_WINDOW_MAGIC) {
        wrong = "no window of records where one should begin";
    } else if (header->nonce != reader->header.nonce) {
        wrong = "a window of another run";
    } else if (header->sequence != reader->sequence) {
        wrong = "a window out of sequence";
    } else if (header->bytes < sizeof *header || header->bytes > MW_WINDOW_BYTES_MAX ||
               header->bytes % 4096 != 0) {
        wrong = "a window of an impossible size";
    }
    return wrong ? mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, reader->next_window_offset,
                           "%s", wrong)
                 : MW_OK;
}

/* Loads the next window. MW_END: there is none, or it was not begun before the process died. */
static enum mw_status load_window(struct mw_spool_reader *reader,
                                  struct mw_diagnostic *diagnostic)
{
    struct mw_window_header header;
    uint64_t offset = reader->next_window_offset;
    size_t got;
    enum mw_status status;

    if (reader->header.ring_bytes > 0) {
        if (reader->ring_next == reader->ring_count) {
            return MW_END;
        }
        offset = reader->ring[reader->ring_next++].offset;
    }
    status = read_at(reader, (char *)&header, sizeof header, offset, &got, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    if (got < sizeof header || header.magic == 0) {
        return MW_END;
    }
    status = check_window(reader, &header, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    reader->window_offset = offset;
    reader->next_window_offset = offset + header.bytes;
    reader->sequence++;
    reader->position = sizeof header;
    return read_at(reader, reader->window, (size_t)header.bytes, offset, &reader->window_bytes,
                   diagnostic);
}

/* Checks that the record at the position is whole and of a known kind. */
static enum mw_status check_record(const struct mw_spool_reader *reader, size_t left,
                                   struct mw_diagnostic *diagnostic)
{
    struct mw_member head = {0}; /* state, type and words are alike in call records */
    uint64_t offset = reader->window_offset + reader->position;

    memcpy(&head, reader->window + reader->position, left < sizeof head ? left : sizeof head);
    size_t bytes = record_bytes(head.type);

    if (head.type == MW_MEMBER_METRIC || head.type == MW_MEMBER_METRIC_ENTER) {
        bytes = metric_bytes(reader->window + reader->position, left);
    }
    if (left < sizeof head || bytes > left) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, offset,
                       "the spool ends in the middle of a record");
    }
    if (head.state > MW_STATE_DONE || bytes == 0 || head.words * (size_t)8 != bytes ||
        (MW_RECORD_IS_MEMBER(head.type) && head.state != MW_STATE_DONE)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, offset,
                       "no record of mpiwatch (state %u, type %u, %u words)", head.state,
                       head.type, head.words);
    }
    return MW_OK;
}

/*
 * Goes to the next record, without taking it: *record points to it. The window
 * changes where this one has no more; members found in it have to be saved before.
 */
static enum mw_status find_record(struct mw_spool_reader *reader, bool *window_ends,
                                  const char **record, struct mw_diagnostic *diagnostic)
{
    size_t left = reader->window_bytes > reader->position
                      ? reader->window_bytes - reader->position
                      : 0;
    const char *here = reader->window + reader->position;

    *window_ends = left == 0 || here[0] == MW_STATE_EMPTY;
    if (*window_ends) {
        return MW_OK;
    }
    *record = here;
    return check_record(reader, left, diagnostic);
}

static enum mw_status spill(struct mw_spool_reader *reader, const char *members, size_t bytes,
                            struct mw_diagnostic *diagnostic)
{
    size_t needed = reader->spill_bytes + bytes;

    if (needed > reader->spill_room) {
        char *grown = realloc(reader->spill, needed * 2);

        if (!grown) {
            return mw_fail(diagnostic, MW_ERROR_MEMORY, reader->path, reader->window_offset,
                           "no memory for a call with %zu bytes of members", needed);
        }
        reader->spill = grown;
        reader->spill_room = needed * 2;
    }
    if (bytes > 0) {
        memcpy(reader->spill + reader->spill_bytes, members, bytes);
    }
    reader->spill_bytes = needed;
    return MW_OK;
}

/* Goes past the record at the position. */
static void skip_record(struct mw_spool_reader *reader, const char *record)
{
    struct mw_member head;

    memcpy(&head, record, sizeof head); /* its words have been checked */
    reader->position += head.words * (size_t)8;
}

/* Collects the members from the position on, through as many windows as they take. */
static enum mw_status read_members(struct mw_spool_reader *reader, struct mw_spool_call *call,
                                   struct mw_diagnostic *diagnostic)
{
    size_t begin = reader->position;
    bool window_ends;
    const char *record;
    enum mw_status status;

    reader->spill_bytes = 0;
    for (;;) {
        status = find_record(reader, &window_ends, &record, diagnostic);
        if (status != MW_OK) {
            return status;
        }
        if (!window_ends && MW_RECORD_IS_MEMBER((uint8_t)record[1])) {
            skip_record(reader, record);
            continue;
        }
        if (!window_ends) {
            break;
        }
        status = spill(reader, reader->window + begin, reader->position - begin, diagnostic);
        if (status == MW_OK) {
            status = load_window(reader, diagnostic);
        }
        begin = reader->position;
        if (status == MW_END) {
            reader->ended = true;
            break;
        }
        if (status != MW_OK) {
            return status;
        }
    }
    call->members = reader->window + begin;
    call->member_bytes = reader->position - begin;
    if (reader->spill_bytes > 0) {
        status = spill(reader, call->members, call->member_bytes, diagnostic);
        call->members = reader->spill;
        call->member_bytes = reader->spill_bytes;
        return status;
    }
    return MW_OK;
}

/*
 * Finds the record of the next call, in this window or a later one. A ring that has lost
 * its beginning may go on with members of a lost call: these are passed over.
 */
static enum mw_status find_call(struct mw_spool_reader *reader, const char **record,
                                struct mw_diagnostic *diagnostic)
{
    bool window_ends;
    enum mw_status status = find_record(reader, &window_ends, record, diagnostic);

    while (status == MW_OK &&
           (window_ends || (reader->is_cut && MW_RECORD_IS_MEMBER((uint8_t)(*record)[1])))) {
        if (window_ends) {
            status = load_window(reader, diagnostic);
        } else {
            skip_record(reader, *record);
        }
        if (status == MW_OK) {
            status = find_record(reader, &window_ends, record, diagnostic);
        }
    }
    reader->is_cut = false;
    return status;
}

enum mw_status mw_spool_reader_next(struct mw_spool_reader *reader, struct mw_spool_call *call,
                                    struct mw_diagnostic *diagnostic)
{
    const char *record;
    enum mw_status status;

    if (reader->ended) {
        return MW_END;
    }
    status = find_call(reader, &record, diagnostic);
    if (status != MW_OK) {
        reader->ended = status == MW_END;
        return status;
    }
    call->offset = reader->window_offset + reader->position;
    if (MW_RECORD_IS_MEMBER((uint8_t)record[1])) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, call->offset,
                       "a member record that belongs to no call");
    }
    memcpy(&call->record, record, sizeof call->record);
    if (call->record.call >= MW_CALL_COUNT) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, call->offset,
                       "an MPI call of number %u", call->record.call);
    }
    reader->position += sizeof call->record;
    return read_members(reader, call, diagnostic);
}

const struct mw_member *mw_spool_call_member(const struct mw_spool_call *call,
                                             const struct mw_member *previous)
{
    const char *next = previous ? (const char *)previous + previous->words * (size_t)8
                                : call->members;

    return next < call->members + call->member_bytes
               ? (const struct mw_member *)(const void *)next
               : NULL;
}
