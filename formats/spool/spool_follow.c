/*
 * The file is read, not mapped: it may become shorter at any time. Header and windows are taken in
 * one go, and again when the counts have changed meanwhile, since a window was being written then.
 * The process may run on another core, whose stores are seen in their order only by who keeps to
 * one of reading: read_at does.
 */
#include "formats/spool/spool_follow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/file.h"
#include "formats/spool/counts.h"
#include "formats/spool/spool_header.h"

#define TRIES_MAX 20u

struct mw_spool_follower {
    int descriptor;
    struct mw_spool_moment moment; /* of the last look */
    char *front;                   /* header and windows, and MW_COUNTS_SLACK */
    char path[];
};

/* Reads bytes from there on. */
static enum mw_status read_at(const struct mw_spool_follower *follower, char *to, size_t offset,
                              size_t bytes, struct mw_diagnostic *diagnostic)
{
    size_t got = 0;

    while (got < bytes) {
        ssize_t more = pread(follower->descriptor, to + got, bytes - got, (off_t)(offset + got));

        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more < 0) {
            return mw_fail(diagnostic, MW_ERROR_SYSTEM, follower->path, offset + got,
                           "can't read the spool");
        }
        if (more == 0) {
            return mw_fail(diagnostic, MW_ERROR_FORMAT, follower->path, offset + got,
                           "the spool ends before its windows do");
        }
        got += (size_t)more;
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* what is read next is of later than this */
    return MW_OK;
}

/* Where the header of a window lies in the file. */
static size_t place_of(unsigned window)
{
    return MW_SPOOL_HEADER_BYTES + window * (size_t)MW_WINDOW_BYTES;
}

/*
 * Reads the counts' changes and the windows' headers by themselves. They are read before the rest
 * and have to be the same in it, since of one read nobody knows what of it was read first: a window
 * could seem to have the records of the one before.
 */
static enum mw_status read_marks(const struct mw_spool_follower *follower, char *marks,
                                 struct mw_diagnostic *diagnostic)
{
    const size_t bytes = sizeof(struct mw_window_header);
    enum mw_status status =
        read_at(follower, marks, MW_COUNTS_AT, sizeof(uint64_t), diagnostic);

    for (unsigned i = 0; status == MW_OK && i < MW_WINDOWS; i++) {
        status = read_at(follower, marks + sizeof(uint64_t) + i * bytes, place_of(i), bytes,
                         diagnostic);
    }
    return status;
}

/* Whether the marks are those in what was read behind them. */
static bool has_marks(const struct mw_spool_follower *follower, const char *marks)
{
    const size_t bytes = offsetof(struct mw_window_header, kept_at); /* a call is kept later */

    for (unsigned i = 0; i < MW_WINDOWS; i++) {
        if (memcmp(marks + sizeof(uint64_t) + i * sizeof(struct mw_window_header),
                   follower->front + place_of(i), bytes) != 0) {
            return false;
        }
    }
    return memcmp(marks, follower->front + MW_COUNTS_AT, sizeof(uint64_t)) == 0;
}

/* *is_same: what was read is of one moment. */
static enum mw_status copy_front(const struct mw_spool_follower *follower, bool *is_same,
                                 struct mw_diagnostic *diagnostic)
{
    char marks[sizeof(uint64_t) + MW_WINDOWS * sizeof(struct mw_window_header)];
    uint64_t before;
    uint64_t after;
    enum mw_status status = MW_OK;

    *is_same = false;
    for (unsigned i = 0; status == MW_OK && !*is_same && i < TRIES_MAX; i++) {
        status = read_marks(follower, marks, diagnostic);
        if (status == MW_OK) {
            status = read_at(follower, follower->front, 0, MW_SEGMENTS_AT, diagnostic);
        }
        if (status == MW_OK) {
            status = read_at(follower, (char *)&after, MW_COUNTS_AT, sizeof after, diagnostic);
        }
        if (status == MW_OK) {
            memcpy(&before, marks, sizeof before);
            *is_same = before == after && before % 2 == 0 && has_marks(follower, marks);
        }
    }
    return status;
}

/* --- what it says ---------------------------------------------------------------------- */

static bool has_records(const struct mw_spool_follower *follower, const char *window,
                        struct mw_window_header *header)
{
    const struct mw_spool_header *file = mw_spool_follow_header(follower);

    memcpy(header, window, sizeof *header);
    return header->magic == MW_WINDOW_MAGIC && header->nonce == file->nonce;
}

/* The call that the window was kept for, which its counts lack the time of. */
static void add_kept(struct mw_spool_moment *moment, const char *window,
                     const struct mw_window_header *header)
{
    struct mw_call_record kept;

    if (header->kept_place < sizeof *header ||
        header->kept_place > MW_WINDOW_BYTES - sizeof kept) {
        return;
    }
    memcpy(&kept, window + header->kept_place, sizeof kept);
    mw_counts_close(&moment->counts, &kept);
    if (moment->last.state == MW_STATE_EMPTY) {
        moment->last = kept;
    }
}

/* Adds what has not become a block. */
static void add_windows(const struct mw_spool_follower *follower, struct mw_spool_moment *moment)
{
    const char *windows = follower->front + MW_SPOOL_HEADER_BYTES;
    const uint64_t counted = moment->counts.windows;
    struct mw_window_header header;
    uint64_t latest = 0;

    for (unsigned i = 0; i < MW_WINDOWS; i++) {
        const char *window = windows + i * (size_t)MW_WINDOW_BYTES;
        struct mw_call_record last = {.state = MW_STATE_EMPTY};

        if (has_records(follower, window, &header) && header.sequence >= counted) {
            mw_counts_add(&moment->counts, window + sizeof header,
                          MW_WINDOW_BYTES - sizeof header, &last);
            if (last.state != MW_STATE_EMPTY && header.sequence >= latest) {
                latest = header.sequence;
                moment->last = last;
            }
        }
    }
    for (unsigned i = 0; i < MW_WINDOWS; i++) {
        const char *window = windows + i * (size_t)MW_WINDOW_BYTES;

        if (has_records(follower, window, &header) && header.sequence < counted &&
            moment->counts.kept == header.sequence + (uint64_t)1) {
            add_kept(moment, window, &header);
        }
    }
}

static void read_moment(const struct mw_spool_follower *follower, struct mw_spool_moment *moment)
{
    struct mw_spool_header header;

    memcpy(&header, follower->front, sizeof header);
    memset(moment, 0, sizeof *moment);
    memcpy(&moment->counts, follower->front + MW_COUNTS_AT, sizeof moment->counts);
    memcpy(&moment->now, follower->front + MW_NOW_AT, sizeof moment->now);
    moment->is_counted = moment->counts.changes > 0;
    moment->lost = header.lost;
    add_windows(follower, moment);
    moment->is_inside =
        moment->last.state == MW_STATE_OPEN && moment->last.type == MW_RECORD_CALL;
    moment->has_now = moment->is_inside && moment->now.what != 0 &&
                      moment->now.enter == moment->last.enter &&
                      moment->now.call == moment->last.call;
}

enum mw_status mw_spool_follow_look(struct mw_spool_follower *follower,
                                    struct mw_spool_moment *moment,
                                    struct mw_diagnostic *diagnostic)
{
    bool is_same;
    enum mw_status status = copy_front(follower, &is_same, diagnostic);

    if (status == MW_OK && is_same) {
        read_moment(follower, &follower->moment);
    }
    *moment = follower->moment;
    moment->is_behind = status == MW_OK && !is_same;
    return status;
}

/* --- the file -------------------------------------------------------------------------- */

static enum mw_status open_spool(struct mw_spool_follower *follower,
                                 struct mw_diagnostic *diagnostic)
{
    enum mw_status status =
        mw_file_open_regular(follower->path, "the spool", &follower->descriptor, diagnostic);

    if (status == MW_OK) {
        status = read_at(follower, follower->front, 0, sizeof(struct mw_spool_header),
                         diagnostic);
    }
    if (status == MW_OK) {
        status = mw_spool_header_check(mw_spool_follow_header(follower),
                                       sizeof(struct mw_spool_header), follower->path, diagnostic);
    }
    if (status == MW_OK &&
        mw_spool_follow_header(follower)->version == MW_SPOOL_VERSION_WITHOUT_BLOCKS) {
        status = mw_fail(diagnostic, MW_ERROR_VERSION, follower->path,
                         offsetof(struct mw_spool_header, version),
                         "a spool of version 1, which can't be followed");
    }
    return status;
}

enum mw_status mw_spool_follow_begin(const char *path, struct mw_spool_follower **follower,
                                     struct mw_diagnostic *diagnostic)
{
    const size_t path_bytes = strlen(path) + 1;
    struct mw_spool_follower *created = calloc(1, sizeof *created + path_bytes);
    enum mw_status status = MW_OK;

    if (!created || !(created->front = calloc(1, MW_SEGMENTS_AT + MW_COUNTS_SLACK))) {
        free(created);
        return mw_no_memory(diagnostic, path, "to follow the spool");
    }
    memcpy(created->path, path, path_bytes);
    created->descriptor = -1;
    status = open_spool(created, diagnostic);
    if (status != MW_OK) {
        mw_spool_follow_end(created);
        return status;
    }
    *follower = created;
    return MW_OK;
}

const struct mw_spool_header *mw_spool_follow_header(const struct mw_spool_follower *follower)
{
    return (const struct mw_spool_header *)(const void *)follower->front;
}

void mw_spool_follow_end(struct mw_spool_follower *follower)
{
    if (follower) {
        if (follower->descriptor >= 0) {
            close(follower->descriptor);
        }
        free(follower->front);
        free(follower);
    }
}
