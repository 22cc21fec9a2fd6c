/* A walk over records, at a few instructions each: it is part of what recording costs. */
#include "formats/spool/counts.h"

#include <stdbool.h>

#include "formats/spool/record.h"

#define IS(type) (UINT64_C(1) << ((type) - MW_MEMBER_SEND))

/* By which something goes on. What is only begun, and polls that find nothing, are none. */
#define DONE_TYPES                                                                              \
    (IS(MW_MEMBER_SEND) | IS(MW_MEMBER_RECV) | IS(MW_MEMBER_ISEND) |                            \
     IS(MW_MEMBER_SEND_COMPLETE) | IS(MW_MEMBER_RECV_COMPLETE) | IS(MW_MEMBER_COLL) |           \
     IS(MW_MEMBER_COLL_COMPLETE) | IS(MW_MEMBER_COMM_CREATE) | IS(MW_MEMBER_COMM_DESTROY) |     \
     IS(MW_MEMBER_WIN_CREATE) | IS(MW_MEMBER_WIN_DESTROY) | IS(MW_MEMBER_RMA_COLLECTIVE) |      \
     IS(MW_MEMBER_RMA_PUT) | IS(MW_MEMBER_RMA_GET) | IS(MW_MEMBER_RMA_ATOMIC) |                 \
     IS(MW_MEMBER_RMA_DONE) | IS(MW_MEMBER_RMA_LOCK) | IS(MW_MEMBER_RMA_UNLOCK) |               \
     IS(MW_MEMBER_RMA_SYNC) | IS(MW_MEMBER_IO_OPEN) | IS(MW_MEMBER_IO_CLOSE) |                  \
     IS(MW_MEMBER_IO_DELETE) | IS(MW_MEMBER_IO_END) | IS(MW_MEMBER_MARKER))

_Static_assert(MW_MEMBER_UNREGISTERED - MW_MEMBER_SEND < 64, "a bit for each type");

static inline uint64_t known_bytes(uint64_t bytes)
{
    return bytes != MW_BYTES_UNKNOWN ? bytes : 0;
}

/* A mark (a pause, the end of a thread), or nothing that counts. */
static bool add_mark(struct mw_counts *counts, const struct mw_call_record *record)
{
    if (record->type == MW_RECORD_SAMPLE || record->type == MW_RECORD_USER) {
        return false;
    }
    counts->mark = record->type;
    return true;
}

/* time: of the call that the member is of; 0: it is in another window. */
static void add_member(struct mw_counts *counts, const void *from, unsigned type, uint64_t time)
{
    const struct mw_message_member *message = from;
    const struct mw_collective_member *collective = from;
    const struct mw_value_member *value = from;

    switch (type) {
    case MW_MEMBER_SEND:
    case MW_MEMBER_ISEND:
        counts->sent++;
        counts->bytes_sent += known_bytes(message->bytes);
        break;
    case MW_MEMBER_RECV:
    case MW_MEMBER_RECV_COMPLETE:
        counts->received++;
        counts->bytes_received += known_bytes(message->bytes);
        break;
    case MW_MEMBER_COLL:
    case MW_MEMBER_COLL_COMPLETE:
        counts->collective_sent += known_bytes(collective->bytes_sent);
        counts->collective_received += known_bytes(collective->bytes_received);
        break;
    case MW_MEMBER_INSIDE:
        counts->inside += time > 0 ? value->value - time : 0;
        break;
    default:
        break;
    }
}

void mw_counts_add(struct mw_counts *counts, const char *records, size_t bytes,
                   struct mw_call_record *last)
{
    const char *const end = records + bytes;
    const struct mw_call_record *latest = NULL;
    uint64_t calls = 0;
    uint64_t inside = 0;
    uint64_t time = 0;
    uint64_t done = 0;

    while (end - records >= (ptrdiff_t)sizeof(struct mw_member)) {
        const struct mw_call_record *record = (const void *)records;
        const size_t length = record->words * (size_t)8;

        if (record->state == MW_STATE_EMPTY || length == 0 || length > (size_t)(end - records)) {
            break;
        }
        if (record->type == MW_RECORD_CALL) {
            latest = record;
            time = record->state == MW_STATE_DONE ? record->leave - record->enter : 0;
            inside += time;
            calls += record->repeat;
        } else if (MW_RECORD_IS_MEMBER(record->type)) {
            done += record->type - MW_MEMBER_SEND < 64
                        ? DONE_TYPES >> (record->type - MW_MEMBER_SEND) & 1
                        : 0;
            add_member(counts, record, record->type, time);
        } else {
            latest = add_mark(counts, record) ? record : latest;
            time = 0;
        }
        records += length;
    }
    counts->calls += calls;
    counts->inside += inside;
    counts->done += done;
    if (latest) {
        counts->left = latest->state == MW_STATE_DONE ? latest->leave : latest->enter;
        *last = *latest;
    }
}

void mw_counts_close(struct mw_counts *counts, const struct mw_call_record *kept)
{
    if (kept->state == MW_STATE_DONE) {
        counts->inside += kept->leave - kept->enter;
        counts->left = kept->leave > counts->left ? kept->leave : counts->left;
    }
}
