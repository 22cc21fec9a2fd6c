/* Spools hold calls as the hooks saw them, OTF2 events by time: calls are taken apart here. */
#include "formats/archive/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/archive/replay_collective.h"
#include "formats/archive/replay_enter.h"
#include "formats/archive/replay_metric.h"
#include "formats/archive/replay_objects.h"
#include "formats/archive/replay_pending.h"
#include "formats/archive/replay_thread.h"
#include "formats/archive/replay_user.h"
#include "formats/spool/record.h"
#include "formats/spool/spool_reader.h"

struct replay {
    OTF2_EvtWriter *writer;
    OTF2_AttributeList *attributes;
    const struct mw_spool_directory *directory;
    struct mw_location_stats *stats;
    struct mw_call_set *used;
    struct mw_replay_pending pending;
    struct mw_told_terms told;
    struct mw_clock_scale scale;
    uint64_t last; /* time of the last event */
    OTF2_ErrorCode code; /* the first that was not OTF2_SUCCESS */
    struct mw_spool_call open; /* a call not left so far, members copied; if is_open */
    char *open_members;
    char *sifted; /* members of a call of which some were left out */
    bool is_open;
    bool tells_sites; /* by an attribute of the Enter, whose region is the call's then */
    uint64_t types; /* of the members of the call that is written: a bit each, from 64 on */
    uint32_t wildcards; /* of the member that comes next, if it is a receive */
    uint32_t lane;      /* likewise, if it is a message in partitions; else 0 */
    uint32_t root;      /* likewise, if it is an operation that has one: that + 1; else 0 */
    struct mw_user_replay user;
    struct mw_thread_replay thread;
};

static void note(struct replay *replay, OTF2_ErrorCode code)
{
    if (replay->code == OTF2_SUCCESS) {
        replay->code = code;
    }
}

/* Ticks as a time that is not before the last one, which libotf2 would refuse. */
static uint64_t next_time(struct replay *replay, uint64_t ticks)
{
    uint64_t time = mw_clock_told(ticks, replay->scale);

    if (time < replay->last || time > MW_TIME_MAX) {
        replay->stats->clamped++;
        time = replay->last;
    }
    replay->last = time;
    if (replay->stats->first == 0) {
        replay->stats->first = time;
    }
    return time;
}

/* The process's number of a communicator, undefined when its definition was lost. */
static OTF2_CommRef comm_of(const struct replay *replay, const struct mw_member *member)
{
    return mw_known_has_comm(&replay->directory->known, member->comm) ? member->comm
                                                                      : OTF2_UNDEFINED_COMM;
}

/* --- members ---------------------------------------------------------------- */

/* Looks at the members once, so that most calls are not searched for what few have. */
static void note_types(struct replay *replay, const struct mw_spool_call *call)
{
    const struct mw_member *member = NULL;

    replay->types = 0;
    while ((member = mw_spool_call_member(call, member))) {
        replay->types |= UINT64_C(1) << member->type % 64;
    }
}

static bool has_member(const struct replay *replay, unsigned type)
{
    return replay->types >> type % 64 & 1;
}

/* Writes the samples that belong to type's end of the call; MW_MEMBER_AT: that have their time. */
static void write_samples(struct replay *replay, const struct mw_spool_call *call, unsigned type,
                          uint64_t time)
{
    const struct mw_member *member = NULL;
    const struct mw_member *before = NULL;

    for (; has_member(replay, type) && (member = mw_spool_call_member(call, member));
         before = member) {
        const struct mw_value_member *at = (const void *)before;
        const bool is_told = before && before->type == MW_MEMBER_AT;
        const unsigned wanted = type == MW_MEMBER_AT ? MW_MEMBER_METRIC : type;

        if (member->type == wanted && is_told == (type == MW_MEMBER_AT)) {
            const struct mw_replay_sample sample = {
                .metric = (const void *)member, .about = before, .comm = comm_of(replay, member),
                .time = is_told ? next_time(replay, at->value) : time,
                .scale = replay->scale};

            note(replay, mw_replay_metric(replay->writer, replay->attributes, &sample));
        }
    }
}

/* The attributes of a message's event: what its receive was posted with, or its lane; or null. */
static OTF2_AttributeList *about_message(struct replay *replay)
{
    if (replay->wildcards == 0 && replay->lane == 0) {
        return NULL;
    }
    note(replay, OTF2_AttributeList_RemoveAllAttributes(replay->attributes));
    if (replay->lane != 0) {
        replay->stats->tells_lanes = true;
        note(replay, OTF2_AttributeList_AddUint32(replay->attributes, MW_ATTRIBUTE_LANE,
                                                  replay->lane));
    } else {
        note(replay, OTF2_AttributeList_AddUint8(replay->attributes, MW_ATTRIBUTE_WILDCARDS,
                                                 (uint8_t)replay->wildcards));
    }
    return replay->attributes;
}

/* A member was written: what it says of the next one. */
static void pass_on(struct replay *replay, const struct mw_member *member)
{
    replay->wildcards = member->type == MW_MEMBER_WILDCARDS
                            ? member->comm & (MW_WILDCARD_SOURCE | MW_WILDCARD_TAG)
                            : 0;
    replay->lane = member->type == MW_MEMBER_LANE ? member->comm : 0;
    replay->root = member->type == MW_MEMBER_ROOT ? member->comm + 1 : 0;
}

/* Writes the event of a member that belongs to the time of entry. */
static void write_at_enter(struct replay *replay, const struct mw_member *member, uint64_t time)
{
    const struct mw_message_member *message = (const void *)member;
    struct mw_replay_pending *pending = &replay->pending;
    OTF2_EvtWriter *writer = replay->writer;
    OTF2_CommRef comm = comm_of(replay, member);

    switch (member->type) {
    case MW_MEMBER_SEND:
        note(replay, OTF2_EvtWriter_MpiSend(writer, NULL, time, (uint32_t)message->peer, comm,
                                            (uint32_t)message->tag, message->bytes));
        break;
    case MW_MEMBER_ISEND:
        note(replay, OTF2_EvtWriter_MpiIsend(writer, about_message(replay), time,
                                             (uint32_t)message->peer, comm,
                                             (uint32_t)message->tag, message->bytes,
                                             mw_replay_pending_start(pending, member, comm, 0)));
        break;
    case MW_MEMBER_POSTED:
        replay->wildcards = mw_posted_wildcards((const void *)member);
        /* fall through */
    case MW_MEMBER_IRECV_POST:
        note(replay,
             OTF2_EvtWriter_MpiIrecvRequest(writer, about_message(replay), time,
                                            mw_replay_pending_start(pending, member, comm, 0)));
        break;
    case MW_MEMBER_COLL:
        note(replay, OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, time));
        break;
    case MW_MEMBER_COLL_POST:
        note(replay, OTF2_EvtWriter_NonBlockingCollectiveRequest(
                         writer, NULL, time,
                         mw_replay_pending_start(pending, member, comm, replay->root)));
        break;
    case MW_MEMBER_COMM_DESTROY:
        note(replay, OTF2_EvtWriter_CommDestroy(writer, NULL, time, comm));
        break;
    default:
        if (MW_MEMBER_IS_OBJECT(member->type)) {
            note(replay, mw_replay_object_enter(writer, replay->attributes, member, time));
        }
        break;
    }
}

/* Writes the event of a member that belongs to the time of leave. */
static void write_at_leave(struct replay *replay, const struct mw_member *member, uint64_t time)
{
    const struct mw_message_member *message = (const void *)member;
    const struct mw_request_message_member *receive = (const void *)member;
    const struct mw_request_member *request = (const void *)member;
    const struct mw_request_collective_member *complete = (const void *)member;
    const struct mw_known *known = &replay->directory->known;
    struct mw_replay_pending *pending = &replay->pending;
    OTF2_EvtWriter *writer = replay->writer;
    OTF2_CommRef comm = comm_of(replay, member);

    switch (member->type) {
    case MW_MEMBER_RECV:
        note(replay, OTF2_EvtWriter_MpiRecv(writer, about_message(replay), time,
                                            (uint32_t)message->peer, comm,
                                            (uint32_t)message->tag, message->bytes));
        break;
    case MW_MEMBER_RECV_COMPLETE:
        note(replay, OTF2_EvtWriter_MpiIrecv(writer, about_message(replay), time,
                                             (uint32_t)message->peer, comm,
                                             (uint32_t)message->tag, message->bytes,
                                             mw_replay_pending_end(pending, receive->request)));
        break;
    case MW_MEMBER_SEND_COMPLETE:
        note(replay, OTF2_EvtWriter_MpiIsendComplete(
                         writer, NULL, time, mw_replay_pending_end(pending, request->request)));
        break;
    case MW_MEMBER_TEST:
        note(replay, OTF2_EvtWriter_MpiRequestTest(
                         writer, NULL, time, mw_replay_pending_look(pending, request->request)));
        break;
    case MW_MEMBER_CANCELLED:
        note(replay, OTF2_EvtWriter_MpiRequestCancelled(
                         writer, NULL, time, mw_replay_pending_end(pending, request->request)));
        break;
    case MW_MEMBER_COLL:
        note(replay, mw_replay_collective_end(writer, replay->attributes, known, &replay->told,
                                              member, time, comm, 0));
        break;
    case MW_MEMBER_COLL_COMPLETE:
        note(replay, mw_replay_collective_end(writer, replay->attributes, known, &replay->told,
                                              member, time, comm,
                                              mw_replay_pending_end(pending, complete->request)));
        break;
    case MW_MEMBER_COMM_CREATE:
        note(replay, OTF2_EvtWriter_CommCreate(writer, NULL, time, comm));
        break;
    default:
        if (MW_MEMBER_IS_OBJECT(member->type)) {
            note(replay, mw_replay_object_leave(writer, member, time));
        }
        break;
    }
}

/* Writes what has times of its own between the call's enter and leave. */
static void write_inside(struct replay *replay, const struct mw_spool_call *call)
{
    const struct mw_member *member = NULL;

    while (has_member(replay, MW_MEMBER_COMM_ENDED) &&
           (member = mw_spool_call_member(call, member))) {
        if (member->type == MW_MEMBER_COMM_ENDED) {
            const struct mw_value_member *ended = (const void *)member;
            note(replay, OTF2_EvtWriter_CommDestroy(replay->writer, NULL,
                                                    next_time(replay, ended->value),
                                                    comm_of(replay, member)));
        }
    }
    write_samples(replay, call, MW_MEMBER_AT, 0);
}

/* --- calls -------------------------------------------------------------------- */

/* What a probe found, if it was on a communicator that is defined. The receive that a matched one
 * posts has its wildcards. */
static void tell_found(struct replay *replay, const struct mw_spool_call *call,
                       struct mw_replay_enter *enter)
{
    const struct mw_member *member = NULL;

    while (has_member(replay, MW_MEMBER_FOUND) && (member = mw_spool_call_member(call, member))) {
        if (member->type == MW_MEMBER_FOUND && comm_of(replay, member) != OTF2_UNDEFINED_COMM) {
            enter->found = (const void *)member;
            enter->wildcards = has_member(replay, MW_MEMBER_POSTED)
                                   ? 0
                                   : mw_found_wildcards(enter->found);
        }
    }
    replay->stats->tells_found |= enter->found != NULL;
}

/* The attributes of a call's Enter, null if it has none. */
static OTF2_AttributeList *enter_attributes(struct replay *replay,
                                            const struct mw_spool_call *call)
{
    struct mw_replay_enter enter = {.repeat = call->record.repeat,
                                    .now = call->now,
                                    .known = &replay->directory->known,
                                    .site = replay->tells_sites ? call->site : MW_SITE_NONE};
    uint64_t inside = 0;

    enter.is_inside_told = has_member(replay, MW_MEMBER_INSIDE) &&
                           mw_spool_call_value(call, MW_MEMBER_INSIDE, &inside);
    enter.inside = mw_clock_told(inside, replay->scale);
    replay->stats->tells_waits |= call->now != NULL;
    replay->stats->tells_unready |= call->now && call->now->what & MW_NOW_UNREADY;
    tell_found(replay, call, &enter);
    return mw_replay_enter(&enter, replay->attributes, &replay->code);
}

/* Not if the process was killed between the call's return and the end of its record. */
static bool is_open(const struct mw_spool_call *call)
{
    return call->record.state == MW_STATE_OPEN && call->record.leave < call->record.enter;
}

static OTF2_AttributeList *leave_attributes(struct replay *replay,
                                            const struct mw_spool_call *call)
{
    bool open = is_open(call);
    uint64_t error = 0;
    bool failed = has_member(replay, MW_MEMBER_ERROR) &&
                  mw_spool_call_value(call, MW_MEMBER_ERROR, &error);

    return mw_replay_leave(open, failed ? &error : NULL, replay->attributes, &replay->code);
}

/* A location's own numbers of regions: sites, since they are many events', calls, the program's. */
static OTF2_RegionRef region_of(const struct replay *replay, const struct mw_spool_call *call)
{
    return call->site != MW_SITE_NONE && !replay->tells_sites
               ? call->site
               : replay->directory->known.site_count + call->record.call;
}

static void begin_call(struct replay *replay, const struct mw_spool_call *call)
{
    uint64_t time = next_time(replay, call->record.enter);
    const struct mw_member *member = NULL;

    if (call->site == MW_SITE_NONE) {
        mw_call_set_add(replay->used, call->record.call);
    }
    replay->stats->calls += call->record.repeat;
    note(replay, OTF2_EvtWriter_Enter(replay->writer, enter_attributes(replay, call), time,
                                      region_of(replay, call)));
    write_samples(replay, call, MW_MEMBER_METRIC_ENTER, time);
    while ((member = mw_spool_call_member(call, member))) {
        write_at_enter(replay, member, time);
        pass_on(replay, member);
    }
    write_inside(replay, call);
}

static void end_call(struct replay *replay, const struct mw_spool_call *call, uint64_t time)
{
    const struct mw_member *member = NULL;

    while ((member = mw_spool_call_member(call, member))) {
        write_at_leave(replay, member, time);
        pass_on(replay, member);
    }
    write_samples(replay, call, MW_MEMBER_METRIC, time);
    note(replay, OTF2_EvtWriter_Leave(replay->writer, leave_attributes(replay, call), time,
                                      region_of(replay, call)));
}

/* Keeps a call that was entered and not left until it is known how the spool goes on. */
static bool keep_open(struct replay *replay, const struct mw_spool_call *call)
{
    replay->open = *call;
    replay->open_members = malloc(call->member_bytes > 0 ? call->member_bytes : 1);
    if (!replay->open_members) {
        return false;
    }
    memcpy(replay->open_members, call->members, call->member_bytes);
    replay->open.members = replay->open_members;
    replay->is_open = true;
    return true;
}

static void close_open(struct replay *replay, uint64_t time)
{
    if (!replay->is_open) {
        return;
    }
    replay->last = time;
    note_types(replay, &replay->open);
    end_call(replay, &replay->open, time);
    free(replay->open_members);
    replay->open_members = NULL;
    replay->is_open = false;
}

static void write_pause(struct replay *replay, const struct mw_spool_call *mark, uint64_t time)
{
    bool pause = mark->record.type == MW_RECORD_PAUSE;

    note(replay, OTF2_EvtWriter_MeasurementOnOff(replay->writer, NULL, time,
                                                 pause ? OTF2_MEASUREMENT_OFF
                                                       : OTF2_MEASUREMENT_ON));
}

/* Ends what has begun in a thread, and it. */
static void end_thread(struct replay *replay, uint64_t time, bool is_open)
{
    mw_replay_user_end(&replay->user, time);
    note(replay, mw_replay_thread_end(&replay->thread, time, is_open));
}

static void write_user(struct replay *replay, const struct mw_spool_call *said, uint64_t time)
{
    const struct mw_member *member = NULL;

    while ((member = mw_spool_call_member(said, member))) {
        mw_replay_user(&replay->user, member, comm_of(replay, member), time);
    }
    write_inside(replay, said);
}

/* Writes what is no call. */
static void write_mark(struct replay *replay, const struct mw_spool_call *mark)
{
    uint64_t time = next_time(replay, mark->record.enter);

    switch (mark->record.type) {
    case MW_RECORD_SAMPLE:
        write_samples(replay, mark, MW_MEMBER_METRIC, time);
        break;
    case MW_RECORD_USER:
        write_user(replay, mark, time);
        break;
    case MW_RECORD_THREAD_BEGIN:
        note(replay, mw_replay_thread_begin(&replay->thread, replay->stats, time));
        break;
    case MW_RECORD_THREAD_END:
        end_thread(replay, time, false);
        break;
    default:
        write_pause(replay, mark, time);
        break;
    }
}

/* Writes one call; false without memory. */
static bool write_call(struct replay *replay, const struct mw_spool_call *call)
{
    /* Left without a leave, by longjmp say: it has no length, and is not open at the end. But other
     * threads may read variables while this one is inside. */
    if (call->record.type != MW_RECORD_SAMPLE) {
        replay->open.record.state = MW_STATE_DONE;
        close_open(replay, replay->last);
    }
    if (call->record.call >= MW_CALL_COUNT) {
        return true; /* nobody knows what was called */
    }
    note_types(replay, call);
    if (call->record.type != MW_RECORD_CALL) {
        write_mark(replay, call);
        return true;
    }
    begin_call(replay, call);
    if (is_open(call)) {
        return keep_open(replay, call);
    }
    end_call(replay, call, next_time(replay, call->record.leave));
    return true;
}

/*
 * The call in which the spool ends lasted at least until the process was last seen; a thread
 * that has not ended, until its last event.
 */
static void close_last(struct replay *replay)
{
    /* In ns already. */
    uint64_t seen =
        mw_clock_told(replay->directory->last_time,
                      (struct mw_clock_scale){.unit = replay->directory->time_unit});

    if (replay->pending.renames || !replay->directory->has_end) {
        /* Else other threads may have completed what this one began, by the million. */
        note(replay, mw_replay_pending_write(&replay->pending,
                                             replay->is_open ? replay->open.now : NULL,
                                             replay->writer, replay->attributes, replay->last,
                                             &replay->stats->tells_waits));
    }
    if (replay->is_open) {
        replay->stats->open_call = replay->open.record.call;
        replay->stats->open_enter = replay->last;
        close_open(replay, seen > replay->last ? seen : replay->last);
    }
    end_thread(replay, replay->last, true);
    note(replay, replay->user.code);
    replay->stats->last = replay->last;
}

static void note_clock(struct mw_location_stats *stats, const struct mw_spool_header *header)
{
    stats->clock_points = header->clock_points;
    stats->clock_error = header->clock_error;
    stats->clock_given_up = header->clock_given_up != 0;
}

static enum mw_status replay_spool(struct replay *replay, struct mw_otf2_output *output,
                                   const char *path, struct mw_diagnostic *diagnostic)
{
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    enum mw_status status = mw_spool_reader_create(path, &reader, diagnostic);

    if (status == MW_ERROR_FORMAT && replay->directory->salvage) {
        replay->stats->damaged = 1;
        return MW_OK;
    }
    if (status != MW_OK) {
        return status;
    }
    replay->scale = (struct mw_clock_scale){
        .resolution = mw_spool_reader_header(reader)->ticks_per_second,
        .unit = replay->directory->time_unit,
    };
    replay->stats->overwritten = mw_spool_reader_overwritten(reader);
    note_clock(replay->stats, mw_spool_reader_header(reader));
    if (!replay->directory->has_end && !replay->directory->tells_lost) {
        replay->stats->lost = mw_spool_reader_header(reader)->lost;
    }
    if (mw_spool_reader_header(reader)->rank != replay->stats->rank ||
        mw_spool_reader_header(reader)->thread != replay->stats->thread) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the spool of another rank or thread");
    }
    while (status == MW_OK && replay->code == OTF2_SUCCESS && output->status == MW_OK) {
        status = mw_spool_reader_next(reader, &call, diagnostic);
        if (status == MW_OK && !(mw_known_sift(&replay->directory->known, &call, &replay->sifted,
                                             &replay->stats->untold) &&
                               write_call(replay, &call))) {
            status = mw_fail(diagnostic, MW_ERROR_MEMORY, path, call.offset,
                             "no memory for a call");
        }
    }
    if (status == MW_ERROR_FORMAT && replay->directory->salvage) {
        replay->stats->damaged = 1;
        status = MW_END;
    }
    if (status == MW_END) {
        close_last(replay);
    }
    mw_spool_reader_destroy(reader);
    if (status == MW_OK || status == MW_END) {
        status = mw_otf2_check(output, replay->code, "write events", diagnostic);
    }
    return status;
}

enum mw_status mw_replay(struct mw_otf2_output *output,
                         const struct mw_spool_directory *directory, uint32_t index,
                         enum mw_site_form form, struct mw_location_stats *stats,
                         struct mw_call_set *used, struct mw_diagnostic *diagnostic)
{
    uint32_t thread = directory->threads[index];
    struct replay replay = {.directory = directory, .stats = stats, .used = used,
                            .tells_sites = form == MW_SITES_ATTRIBUTE};
    enum mw_status status = MW_OK;
    char path[4096];

    memset(stats, 0, sizeof *stats);
    stats->rank = directory->rank;
    stats->thread = thread;
    stats->open_call = MW_CALL_COUNT;
    stats->gone = directory->gone;
    /* With several threads one may complete what another started. */
    if (!mw_replay_pending_init(&replay.pending, directory->thread_count == 1)) {
        status = mw_no_memory(diagnostic, NULL, "to write events");
        goto out;
    }
    replay.attributes = OTF2_AttributeList_New();
    replay.writer = OTF2_Archive_GetEvtWriter(output->events,
                                              mw_location_of(directory->rank, thread));
    replay.user = (struct mw_user_replay){
        .writer = replay.writer, .attributes = replay.attributes, .directory = directory};
    replay.thread = (struct mw_thread_replay){
        .writer = replay.writer, .attributes = replay.attributes, .directory = directory};
    if (!replay.attributes || !replay.writer) {
        status = mw_otf2_check(output, OTF2_ERROR_MEM_ALLOC_FAILED, "write events", diagnostic);
        goto out;
    }
    if (directory->has_events[index]) {
        snprintf(path, sizeof path, "%s/%" PRIu32 ".events", directory->path, thread);
        status = replay_spool(&replay, output, path, diagnostic);
    }
out:
    if (replay.writer) {
        OTF2_ErrorCode code = OTF2_EvtWriter_GetNumberOfEvents(replay.writer, &stats->events);
        OTF2_ErrorCode closed = OTF2_Archive_CloseEvtWriter(output->events, replay.writer);

        if (status == MW_OK) {
            status = mw_otf2_check(output, code != OTF2_SUCCESS ? code : closed,
                                   "write events", diagnostic);
        }
    }
    if (replay.attributes) {
        OTF2_AttributeList_Delete(replay.attributes);
    }
    mw_replay_pending_fini(&replay.pending);
    mw_replay_user_fini(&replay.user);
    free(replay.open_members);
    free(replay.sifted);
    return status;
}
