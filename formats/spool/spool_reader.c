#include "formats/spool/spool_reader.h"

#include <stdlib.h>
#include <string.h>

#include "formats/spool/record_layout.h"
#include "formats/spool/spool_windows.h"
#include "formats/table/calls.h"

struct mw_spool_reader {
    struct mw_spool_windows *windows;
    struct mw_spool_window window;
    size_t position; /* of the next record, in the window */
    bool ended;
    bool is_cut; /* no call has been read yet, and the first one may be lost */
    struct mw_spool_call pending; /* member_bytes is 0: there is none, or it was read */
    char *spill; /* members of a call that goes over several windows */
    size_t spill_bytes;
    size_t spill_room;
    struct mw_spool_place place; /* of the window with the call that was returned last … */
    size_t place_position;       /* … and where in it its record is */
    bool has_place;
    bool may_grow; /* the call that was returned last; see may_grow below */
    uint64_t calls; /* that were returned, the last one not among them */
    uint64_t last_calls; /* that it stands for */
};

/* Takes the record that is pending, as far as it is sound: it was being written over, maybe. */
static void find_pending(struct mw_spool_reader *reader)
{
    const char *from = mw_spool_windows_pending(reader->windows);
    struct mw_spool_call *pending = &reader->pending;
    size_t at = sizeof pending->record;
    struct mw_member head;

    memcpy(&pending->record, from, sizeof pending->record);
    if (pending->record.state != MW_STATE_DONE || pending->record.type != MW_RECORD_SAMPLE ||
        pending->record.words * (size_t)8 != sizeof pending->record ||
        pending->record.call >= MW_CALL_COUNT) {
        return;
    }
    while (MW_PENDING_BYTES - at >= sizeof head) {
        size_t bytes = mw_record_bytes(from + at, MW_PENDING_BYTES - at);

        memcpy(&head, from + at, sizeof head);
        if (head.state != MW_STATE_DONE || !MW_RECORD_IS_MEMBER(head.type) || bytes == 0 ||
            bytes > MW_PENDING_BYTES - at || head.words * (size_t)8 != bytes) {
            break;
        }
        at += bytes;
    }
    pending->members = from + sizeof pending->record;
    pending->member_bytes = at - sizeof pending->record;
    pending->offset = MW_PENDING_AT;
}

enum mw_status mw_spool_reader_create(const char *path, struct mw_spool_reader **reader,
                                      struct mw_diagnostic *diagnostic)
{
    struct mw_spool_reader *created = calloc(1, sizeof *created);
    enum mw_status status = created
                                ? mw_spool_windows_create(path, &created->windows, diagnostic)
                                : mw_no_memory(diagnostic, path, "to read the spool");

    if (status != MW_OK) {
        free(created);
        return status;
    }
    created->is_cut = mw_spool_windows_is_cut(created->windows);
    find_pending(created);
    *reader = created;
    return MW_OK;
}

void mw_spool_reader_destroy(struct mw_spool_reader *reader)
{
    if (reader) {
        mw_spool_windows_destroy(reader->windows);
        free(reader->spill);
        free(reader);
    }
}

const struct mw_spool_header *mw_spool_reader_header(const struct mw_spool_reader *reader)
{
    return mw_spool_windows_header(reader->windows);
}

uint64_t mw_spool_reader_overwritten(const struct mw_spool_reader *reader)
{
    return mw_spool_windows_overwritten(reader->windows);
}

static const char *path_of(const struct mw_spool_reader *reader)
{
    return mw_spool_windows_path(reader->windows);
}

static enum mw_status load_window(struct mw_spool_reader *reader,
                                  struct mw_diagnostic *diagnostic)
{
    enum mw_status status =
        mw_spool_windows_next(reader->windows, &reader->window, diagnostic);

    reader->position = 0;
    if (status != MW_OK) {
        reader->window.bytes = 0;
    }
    return status;
}

/* Where the record at the position is in the file, or the block that it is packed in. */
static uint64_t offset_of(const struct mw_spool_reader *reader)
{
    return reader->window.offset + (reader->window.is_packed ? 0 : reader->position);
}

/* Checks that the record at the position is whole and of a known kind. */
static enum mw_status check_record(const struct mw_spool_reader *reader, size_t left,
                                   struct mw_diagnostic *diagnostic)
{
    struct mw_member head = {0}; /* state, type and words are alike in call records */
    const char *record = reader->window.records + reader->position;
    size_t bytes = mw_record_bytes(record, left);

    memcpy(&head, record, left < sizeof head ? left : sizeof head);
    if (bytes > left) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, path_of(reader), offset_of(reader),
                       "the spool ends in the middle of a record");
    }
    if (head.state > MW_STATE_DONE || bytes == 0 || head.words * (size_t)8 != bytes ||
        (MW_RECORD_IS_MEMBER(head.type) && head.state != MW_STATE_DONE)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, path_of(reader), offset_of(reader),
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
    size_t left = reader->window.bytes - reader->position;
    const char *here = reader->window.records + reader->position;

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
            return mw_fail(diagnostic, MW_ERROR_MEMORY, path_of(reader), reader->window.offset,
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
        status = spill(reader, reader->window.records + begin, reader->position - begin,
                       diagnostic);
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
    call->members = reader->window.records + begin;
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

/* Whether what is pending comes before the record that was found, or the end. */
static bool is_pending_next(const struct mw_spool_reader *reader, const char *record)
{
    struct mw_call_record next;

    if (reader->pending.member_bytes == 0) {
        return false;
    }
    if (!record) {
        return true;
    }
    memcpy(&next, record, sizeof next);
    return !MW_RECORD_IS_MEMBER(next.type) && next.enter > reader->pending.record.enter;
}

/* What an open call waits for, if that was told of it, and not of one before it. */
static const struct mw_now *now_of(const struct mw_spool_reader *reader,
                                   const struct mw_call_record *record)
{
    const struct mw_now *now = mw_spool_windows_now(reader->windows);
    bool is_told = record->state == MW_STATE_OPEN && record->type == MW_RECORD_CALL &&
                   now->enter == record->enter && now->call == record->call && now->what != 0;

    return is_told ? now : NULL;
}

/*
 * Whether the poll that is returned may stand for one more, the call at the position: this one is
 * open, and taken back when it finds nothing. See mwr_call_end_poll.
 */
static bool may_grow(const struct mw_spool_reader *reader, const struct mw_spool_call *call)
{
    const char *here = reader->window.records + reader->position;
    const size_t left = reader->window.bytes - reader->position;
    const struct mw_member *member = NULL;
    struct mw_call_record next;

    if (reader->ended || left < sizeof next || call->record.state != MW_STATE_DONE ||
        call->record.type != MW_RECORD_CALL ||
        reader->place.sequence != reader->window.place.sequence) {
        return false;
    }
    while ((member = mw_spool_call_member(call, member))) {
        if (member->type != MW_MEMBER_INSIDE) {
            return false;
        }
    }
    memcpy(&next, here, sizeof next);
    return next.state == MW_STATE_OPEN && next.type == MW_RECORD_CALL &&
           next.call == call->record.call &&
           (left == sizeof next || here[sizeof next] == MW_STATE_EMPTY);
}

/* The record at the position is returned next. */
static void note_place(struct mw_spool_reader *reader, const struct mw_call_record *record)
{
    reader->place = reader->window.place;
    reader->place_position = reader->position;
    reader->has_place = true;
    reader->calls += reader->last_calls;
    reader->last_calls = record->type == MW_RECORD_CALL ? record->repeat : 0;
}

enum mw_status mw_spool_reader_next(struct mw_spool_reader *reader, struct mw_spool_call *call,
                                    struct mw_diagnostic *diagnostic)
{
    const char *record = NULL;
    enum mw_status status = reader->ended ? MW_END : find_call(reader, &record, diagnostic);

    reader->ended |= status == MW_END;
    if ((status == MW_OK || status == MW_END) &&
        is_pending_next(reader, status == MW_OK ? record : NULL)) {
        *call = reader->pending;
        reader->pending.member_bytes = 0;
        return MW_OK;
    }
    if (status != MW_OK) {
        return status;
    }
    call->offset = offset_of(reader);
    if (MW_RECORD_IS_MEMBER((uint8_t)record[1])) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, path_of(reader), call->offset,
                       "a member record that belongs to no call");
    }
    memcpy(&call->record, record, sizeof call->record);
    if (!reader->may_grow) {
        note_place(reader, &call->record);
    }
    call->now = now_of(reader, &call->record);
    reader->position += sizeof call->record;
    status = read_members(reader, call, diagnostic);
    reader->may_grow = status == MW_OK && !reader->may_grow && may_grow(reader, call);
    return status;
}

bool mw_spool_reader_has_more(const struct mw_spool_reader *reader)
{
    return !reader->ended;
}

bool mw_spool_reader_may_grow(const struct mw_spool_reader *reader)
{
    return reader->may_grow;
}

/* Goes to the record at the reader's place. */
static enum mw_status find_place(struct mw_spool_reader *reader, struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    do {
        status = load_window(reader, diagnostic);
    } while (status == MW_OK &&
             reader->window.place.sequence != reader->place.sequence);
    if (status == MW_END || (status == MW_OK && reader->place_position > reader->window.bytes)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, path_of(reader), reader->place.block,
                       "what was read of the spool before is not there any more");
    }
    reader->position = reader->place_position;
    reader->last_calls = 0; /* it is returned again */
    return status;
}

enum mw_status mw_spool_reader_again(struct mw_spool_reader *reader, uint64_t *overwritten,
                                     struct mw_diagnostic *diagnostic)
{
    const uint64_t before = reader->calls;
    bool is_lost;
    enum mw_status status =
        mw_spool_windows_again(reader->windows, &reader->place, &is_lost, diagnostic);

    *overwritten = 0;
    reader->ended = false;
    reader->may_grow = false;
    reader->window.bytes = 0;
    reader->position = 0;
    if (status != MW_OK) {
        return status;
    }
    reader->pending = (struct mw_spool_call){.member_bytes = 0};
    find_pending(reader);
    if (!is_lost) {
        return reader->has_place ? find_place(reader, diagnostic) : MW_OK;
    }
    reader->calls = mw_spool_windows_overwritten(reader->windows);
    *overwritten = reader->calls > before ? reader->calls - before : 0;
    reader->last_calls = 0;
    reader->is_cut = mw_spool_windows_is_cut(reader->windows);
    return MW_OK;
}

bool mw_spool_call_value(const struct mw_spool_call *call, unsigned type, uint64_t *value)
{
    const struct mw_member *member = NULL;

    while ((member = mw_spool_call_member(call, member))) {
        if (member->type == type) {
            *value = ((const struct mw_value_member *)(const void *)member)->value;
            return true;
        }
    }
    return false;
}
