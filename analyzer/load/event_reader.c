/*
 * Readers take turns: a batch of one location's events is read, then another location's.
 */
#include "analyzer/load/input.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/event_delivery.h"
#include "analyzer/load/otf2_input.h"
#include "analyzer/load/reading_start.h"
#include "analyzer/load/record_reader.h"

struct mwa_event_reader {
    struct mwa_input *input;
    struct mwa_record_reader records;
    struct mwa_delivery delivery;
    const struct mwa_location_start *start; /* whose open calls are to be told; null: none */
};

static enum mw_status pass_over(void *user, const struct mwa_event *event)
{
    return MW_OK;
}

static enum mw_status go_to_mark(struct mwa_event_reader *reader,
                                 const struct mwa_record_mark *mark,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(reader->input);

    reader->delivery.last_time = mark->last_time;
    return mwa_record_reader_go_to(&reader->records, reader->input,
                                   trace->locations[reader->delivery.location].id, mark,
                                   diagnostic);
}

/* Goes to where the location begins. */
static enum mw_status go_to(struct mwa_event_reader *reader,
                            const struct mwa_location_start *start,
                            struct mw_diagnostic *diagnostic)
{
    enum mw_status status = start->mark.place.events > 0
                                ? go_to_mark(reader, &start->mark, diagnostic)
                                : MW_OK;

    if (status == MW_OK && mwa_event_reader_count(reader) < start->events) {
        status = mwa_event_reader_read(reader, start->events - mwa_event_reader_count(reader),
                                       pass_over, NULL, diagnostic);
    }
    reader->start = start;
    return status == MW_END ? MW_OK : status;
}

/* Tells of the calls that are open where it begins. */
static enum mw_status tell_start(struct mwa_event_reader *reader, mwa_event_visit visit,
                                 void *user)
{
    const struct mwa_location_start *start = reader->start;
    enum mw_status status = MW_OK;

    reader->start = NULL;
    for (uint32_t i = 0; status == MW_OK && i < start->call_count; i++) {
        const struct mwa_open_call *call = &start->calls[i];
        const struct mwa_event event = { .kind = MWA_ENTER,
                                         .location = reader->delivery.location,
                                         .time = call->enter,
                                         .object = MWA_NONE,
                                         .of.call = { .region = call->region,
                                                      .site = call->site,
                                                      .repeat = call->repeat,
                                                      .inside = call->inside } };

        status = visit(user, &event);
    }
    return status;
}

/* The events of a location of one archive. */
static enum mw_status open_location(struct mwa_input *input, uint32_t location,
                                    struct mwa_event_reader **result,
                                    struct mw_diagnostic *diagnostic)
{
    struct mwa_event_reader *reader = calloc(1, sizeof *reader);
    enum mw_status status;

    if (!reader) {
        return mw_no_memory(diagnostic, mwa_files_path(mwa_input_files(input)), "to read events");
    }
    reader->input = input;
    reader->delivery.trace = mwa_input_trace(input);
    reader->delivery.location = location;
    status = mwa_record_reader_init(&reader->records, input,
                                    mwa_input_trace(input)->locations[location].id, diagnostic);
    if (status != MW_OK) {
        free(reader);
        return status;
    }
    reader->records.clock = mwa_input_clock(input, location, &reader->records.clock_shift);
    *result = reader;
    return MW_OK;
}

enum mw_status mwa_event_reader_open(struct mwa_input *input, uint32_t location,
                                     struct mwa_event_reader **reader,
                                     struct mw_diagnostic *diagnostic)
{
    const struct mwa_joint_part *part = NULL;
    struct mwa_input *of = mwa_input_of(input, location, &part);
    enum mw_status status;

    *reader = NULL; /* whoever has failed to open it may close it */
    status = open_location(of, part ? location - part->first_location : location, reader,
                           diagnostic);
    if (status == MW_OK) {
        (*reader)->delivery.part = part;
    }
    if (status == MW_OK && mwa_input_start(of, location)) {
        status = go_to(*reader, mwa_input_start(of, location), diagnostic);
        if (status != MW_OK) {
            mwa_event_reader_close(*reader);
            *reader = NULL;
        }
    }
    return status;
}

enum mw_status mwa_event_reader_seek(struct mwa_event_reader *reader,
                                     const struct mwa_block_entry *entry,
                                     struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(reader->input);

    reader->delivery.last_time = entry->last_time;
    return mwa_record_reader_seek(&reader->records, reader->input,
                                  trace->locations[reader->delivery.location].id, entry,
                                  diagnostic);
}

void mwa_event_reader_watch(struct mwa_event_reader *reader,
                            const struct mwa_block_listener *listener)
{
    reader->records.listener = *listener;
    mwa_record_reader_take_whole(&reader->records);
    if (reader->records.source.cookie) {
        listener->visit(listener->user, &reader->records);
    }
}

void mwa_event_reader_close(struct mwa_event_reader *reader)
{
    if (reader) {
        mwa_record_reader_fini(&reader->records);
    }
    free(reader);
}

enum mw_status mwa_fail_backwards(const char *place, uint64_t offset, uint64_t count,
                                  const struct mwa_location *location,
                                  struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, MW_ERROR_FORMAT, place, offset,
                   "time goes backwards near event %llu of location %llu",
                   (unsigned long long)count, (unsigned long long)location->id);
}

/* Who was told an event finds the archive wrong, and does not know where that stands. */
static void name_place(const struct mwa_event_reader *reader, const char *place, uint64_t offset,
                       struct mw_diagnostic *diagnostic)
{
    const struct mwa_delivery *delivery = &reader->delivery;
    char what[sizeof diagnostic->what];

    if (!diagnostic || diagnostic->status != MW_ERROR_FORMAT || diagnostic->where[0]) {
        return;
    }
    memcpy(what, diagnostic->what, sizeof what);
    (void)mw_fail(diagnostic, MW_ERROR_FORMAT, place, offset,
                  "%.400s near event %llu of location %llu", what,
                  (unsigned long long)mwa_event_reader_count(reader),
                  (unsigned long long)delivery->trace->locations[delivery->location].id);
}

/* The delivery was stopped: why. */
static enum mw_status explain(struct mwa_event_reader *reader, struct mw_diagnostic *diagnostic)
{
    const struct mwa_delivery *delivery = &reader->delivery;
    const char *place = reader->records.place;
    uint64_t offset = mwa_record_reader_offset(&reader->records);
    enum mw_status status = delivery->is_backwards || delivery->wrong[0]
                                ? mwa_record_reader_finish_block(&reader->records, diagnostic)
                                : MW_OK;

    if (status != MW_OK) {
        return status;
    }
    if (delivery->is_backwards) {
        return mwa_fail_backwards(place, offset, mwa_event_reader_count(reader),
                                  &delivery->trace->locations[delivery->location], diagnostic);
    }
    if (delivery->wrong[0]) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, place, offset, "%s", delivery->wrong);
    }
    if (delivery->status == MW_ERROR_FORMAT) {
        name_place(reader, place, offset, diagnostic);
    }
    return delivery->status;
}

/* Whether a record enters or leaves a region. */
static bool is_of_call(const struct mwa_record *record)
{
    return record->type == MWA_RECORD_ENTER || record->type == MWA_RECORD_LEAVE ||
           record->type == MWA_RECORD_CALLING_CONTEXT_ENTER ||
           record->type == MWA_RECORD_CALLING_CONTEXT_LEAVE;
}

MW_INLINE enum mw_status read_events(struct mwa_event_reader *reader, uint64_t count,
                                     bool calls_alone, mwa_event_visit visit, void *user,
                                     struct mw_diagnostic *diagnostic)
{
    struct mwa_delivery *delivery = &reader->delivery;
    const struct mwa_record *record = &reader->records.block.record;
    const uint64_t before = record->position;
    enum mw_status status = reader->start ? tell_start(reader, visit, user) : MW_OK;

    delivery->visit = visit;
    delivery->user = user;
    while (status == MW_OK && record->position - before < count) {
        status = mwa_record_reader_next(&reader->records, diagnostic);
        if (status == MW_OK && (!calls_alone || is_of_call(record))) {
            status = mwa_delivery_take(delivery, record) ? MW_OK : explain(reader, diagnostic);
        }
    }
    if (!mwa_input_note_events(reader->input, record->position - before) &&
        (status == MW_OK || status == MW_END)) {
        status = mw_fail(diagnostic, MW_ERROR_PEER, reader->records.place,
                         MW_DIAGNOSTIC_OFFSET_NONE, "it is not wanted any more");
    }
    return status;
}

enum mw_status mwa_event_reader_read(struct mwa_event_reader *reader, uint64_t count,
                                     mwa_event_visit visit, void *user,
                                     struct mw_diagnostic *diagnostic)
{
    return read_events(reader, count, false, visit, user, diagnostic);
}

enum mw_status mwa_event_reader_read_calls(struct mwa_event_reader *reader, uint64_t count,
                                           mwa_event_visit visit, void *user,
                                           struct mw_diagnostic *diagnostic)
{
    return read_events(reader, count, true, visit, user, diagnostic);
}

struct mwa_record_mark mwa_event_reader_mark(const struct mwa_event_reader *reader)
{
    struct mwa_record_mark mark = mwa_record_reader_mark(&reader->records);

    mark.last_time = reader->delivery.last_time;
    return mark;
}

uint64_t mwa_event_reader_moved(const struct mwa_event_reader *reader)
{
    return reader->records.moved;
}

uint64_t mwa_event_reader_count(const struct mwa_event_reader *reader)
{
    return reader->records.block.record.position;
}
