/* Where a chapter begins was found out by reading: who is told of it need not. */
#include "analyzer/analysis/chapters_told.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

/* Where a location begins, but for what is open there. */
struct packed {
    uint64_t is_there, has_first, events, left, resting;
    uint64_t block, offset, time, passed, is_big_endian, last_time; /* its mark */
    uint64_t enter, leave, until, all_meet, comm, operation, root; /* its first call */
};

void mwa_location_start_pack(const struct mwa_location_start *location, struct mw_buffer *to)
{
    const struct mwa_record_mark *mark = &location->mark;
    const struct mwa_first_call *first = &location->first;
    const struct packed packed = { .is_there = location->is_there,
                                   .has_first = location->has_first,
                                   .events = location->events,
                                   .left = location->left,
                                   .resting = location->resting,
                                   .block = mark->block,
                                   .offset = mark->place.offset,
                                   .time = mark->place.time,
                                   .passed = mark->place.events,
                                   .is_big_endian = mark->place.big_endian,
                                   .last_time = mark->last_time,
                                   .enter = first->enter,
                                   .leave = first->leave,
                                   .until = first->events,
                                   .all_meet = first->all_meet,
                                   .comm = first->comm,
                                   .operation = first->operation,
                                   .root = first->root };

    mwa_pack_array(to, &packed, 1, sizeof packed);
    mwa_pack_array(to, location->calls, location->call_count, sizeof *location->calls);
    mwa_pack_array(to, location->carried, location->carried_count, sizeof *location->carried);
}

void mwa_chapters_pack(const struct mwa_chapters *chapters, struct mw_buffer *to)
{
    mw_buffer_u32(to, chapters ? chapters->count : 0);
    mw_buffer_u32(to, chapters && chapters->at_lulls);
    for (uint32_t i = 0; chapters && i + 1 < chapters->count; i++) {
        for (uint64_t k = 0; k < chapters->starts[i]->location_count; k++) {
            mwa_location_start_pack(&chapters->starts[i]->locations[k], to);
        }
    }
}

static bool is_sound(const struct mwa_trace *trace, const struct packed *packed)
{
    return packed->is_there <= 1 && packed->has_first <= 1 && packed->is_big_endian <= 1 &&
           packed->all_meet <= 1 &&
           (!packed->all_meet || packed->comm < trace->comm_count || packed->comm == MWA_NONE);
}

static enum mw_status unpack_numbers(const struct mwa_trace *trace,
                                     struct mwa_location_start *location, struct mw_cursor *from)
{
    struct packed packed = { 0 };

    if (mwa_unpack_into(from, &packed, 1, sizeof packed) != MW_OK || !is_sound(trace, &packed)) {
        return MW_ERROR_FORMAT;
    }
    location->is_there = packed.is_there != 0;
    location->has_first = packed.has_first != 0;
    location->events = packed.events;
    location->left = packed.left;
    location->resting = packed.resting;
    location->mark = (struct mwa_record_mark){ .block = packed.block,
                                               .place = { .offset = packed.offset,
                                                          .time = packed.time,
                                                          .events = packed.passed,
                                                          .big_endian = packed.is_big_endian },
                                               .last_time = packed.last_time };
    location->first = (struct mwa_first_call){ .enter = packed.enter,
                                               .leave = packed.leave,
                                               .events = packed.until,
                                               .all_meet = packed.all_meet != 0,
                                               .comm = (uint32_t)packed.comm,
                                               .operation = (uint32_t)packed.operation,
                                               .root = (uint32_t)packed.root };
    return MW_OK;
}

/* What is open on a location is of the trace. */
static bool is_open_sound(const struct mwa_trace *trace, const struct mwa_location_start *location)
{
    bool is_sound = location->call_count <= MWA_NESTED_MAX;

    for (uint32_t i = 0; i < location->call_count && is_sound; i++) {
        is_sound = mwa_open_call_is_sound(trace, &location->calls[i]);
    }
    for (uint64_t i = 0; i < location->carried_count && is_sound; i++) {
        is_sound = mwa_carried_request_is_sound(trace, &location->carried[i]);
    }
    return is_sound;
}

enum mw_status mwa_location_start_unpack(const struct mwa_trace *trace,
                                         struct mwa_location_start *location,
                                         struct mw_cursor *from)
{
    uint64_t count = 0;
    enum mw_status status = unpack_numbers(trace, location, from);

    if (status == MW_OK) {
        status = mwa_unpack_array(from, &location->calls, &count, sizeof *location->calls);
        location->call_count = (uint32_t)count;
    }
    if (status == MW_OK) {
        status = mwa_unpack_array(from, &location->carried, &location->carried_count,
                                  sizeof *location->carried);
    }
    return status == MW_OK && !is_open_sound(trace, location) ? MW_ERROR_FORMAT : status;
}

static enum mw_status unpack_start(const struct mwa_trace *trace, struct mwa_reading_start **made,
                                   struct mw_cursor *from)
{
    struct mwa_reading_start *start = *made = calloc(1, sizeof *start);
    enum mw_status status = MW_OK;

    if (start) {
        start->locations = calloc(trace->location_count + 1, sizeof *start->locations);
    }
    if (!start || !start->locations) {
        return MW_ERROR_MEMORY;
    }
    start->location_count = trace->location_count;
    for (uint64_t i = 0; i < start->location_count && status == MW_OK; i++) {
        status = mwa_location_start_unpack(trace, &start->locations[i], from);
    }
    return status;
}

enum mw_status mwa_chapters_unpack(const struct mwa_trace *trace, struct mwa_chapters **made,
                                   struct mw_cursor *from)
{
    struct mwa_chapters *chapters;
    enum mw_status status = MW_OK;
    char bytes[8];
    uint32_t count;

    *made = NULL;
    if (!mw_cursor_take(from, bytes, sizeof bytes)) {
        return MW_ERROR_FORMAT;
    }
    count = mw_get_u32(bytes);
    if (count < 2 || count > from->left) {
        return count == 0 ? MW_OK : MW_ERROR_FORMAT;
    }
    chapters = *made = calloc(1, sizeof *chapters);
    if (chapters) {
        chapters->starts = calloc(count, sizeof(struct mwa_reading_start *));
    }
    if (!chapters || !chapters->starts) {
        return MW_ERROR_MEMORY;
    }
    chapters->count = count;
    chapters->at_lulls = mw_get_u32(bytes + 4) != 0;
    for (uint32_t i = 0; i + 1 < chapters->count && status == MW_OK; i++) {
        status = unpack_start(trace, &chapters->starts[i], from);
        if (chapters->starts[i]) {
            chapters->starts[i]->is_lull = chapters->at_lulls;
        }
    }
    return status == MW_OK && from->left > 0 ? MW_ERROR_FORMAT : status;
}

enum mw_status mwa_chapters_tell(const struct mwa_team *team, const struct mwa_trace *trace,
                                 struct mwa_chapters **chapters, struct mw_diagnostic *diagnostic)
{
    struct mw_buffer told = { 0 };
    enum mw_status status;

    if (mwa_team_is_first(team)) {
        mwa_chapters_pack(*chapters, &told);
    }
    status = mwa_team_tell(team, &told, diagnostic);
    if (status == MW_OK && !mwa_team_is_first(team)) {
        struct mw_cursor from = { told.data, told.bytes };

        status = mwa_chapters_unpack(trace, chapters, &from);
        if (status == MW_ERROR_FORMAT) {
            status = mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                             "a process was told of chapters that are none of this run");
        }
    }
    mw_buffer_fini(&told);
    return mwa_team_agree(team, status, 0, diagnostic);
}
