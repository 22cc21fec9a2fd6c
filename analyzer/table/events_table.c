/* Events: objects of which most parts are there or not by their kind. */
#include "analyzer/table/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/results.h"
#include "analyzer/analysis/summary.h"
#include "analyzer/model/event.h"
#include "analyzer/model/places.h"
#include "formats/archive/archive_words.h"

static const char *const kind_names[MWA_EVENT_KINDS] = {
    [MWA_ENTER] = "enter",
    [MWA_LEAVE] = "leave",
    [MWA_SEND] = "send",
    [MWA_ISEND] = "isend",
    [MWA_ISEND_COMPLETE] = "isend_complete",
    [MWA_IRECV_POST] = "irecv_post",
    [MWA_IRECV] = "irecv",
    [MWA_RECV] = "recv",
    [MWA_TEST] = "test",
    [MWA_CANCELLED] = "cancelled",
    [MWA_COLLECTIVE_BEGIN] = "collective_begin",
    [MWA_COLLECTIVE_END] = "collective_end",
    [MWA_COLLECTIVE_POST] = "collective_post",
    [MWA_COLLECTIVE_COMPLETE] = "collective_complete",
    [MWA_COMM_CREATE] = "comm_create",
    [MWA_COMM_DESTROY] = "comm_destroy",
    [MWA_MEASUREMENT] = "measurement",
    [MWA_METRIC] = "metric",
    [MWA_RUNNING] = "running",
    [MWA_DISCONTINUITY] = "discontinuity",
    [MWA_THREAD_BEGIN] = "thread_begin",
    [MWA_THREAD_END] = "thread_end",
    [MWA_MARKER] = "marker",
    [MWA_REGISTERED] = "registered",
    [MWA_UNREGISTERED] = "unregistered",
    [MWA_WINDOW_COLLECTIVE] = "window_collective",
    [MWA_ONESIDED] = "onesided",
    [MWA_FILE] = "file",
    [MWA_COPY] = "copy",
    [MWA_OBJECT] = "object",
};

/* --- what events say: objects without a key, that are there when the event has them ----------- */

static const struct mwa_event *event_of(const struct mwa_cell *cell)
{
    return cell->row;
}

static bool is_one_of(const struct mwa_cell *cell, uint32_t kinds)
{
    return kinds >> event_of(cell)->kind & 1;
}

#define ONE_OF(name, kinds) MWA_WHETHER(name, is_one_of(cell, kinds))
#define KIND(kind)          MWA_KIND(MWA_##kind)
#define UNSAID              .unknown = MWA_NOT_SAID
#define EVENT(member)       MWA_IN(struct mwa_event, of.member), UNSAID

/* An object of these columns: such a list of one, or NAME_columns. */
#define PART(name, condition)                                                                      \
    static const struct mwa_table name = { .shape = MWA_ROW, MWA_COLUMNS(name##_columns),          \
                                           .is_known = (condition) }

ONE_OF(is_call, KIND(ENTER) | KIND(LEAVE))
ONE_OF(is_message, KIND(SEND) | KIND(RECV) | KIND(ISEND) | KIND(IRECV))
ONE_OF(is_collective, KIND(COLLECTIVE_END) | KIND(COLLECTIVE_COMPLETE))
ONE_OF(is_measurement, KIND(MEASUREMENT))
ONE_OF(is_metric, KIND(METRIC))
ONE_OF(is_onesided, KIND(ONESIDED))
ONE_OF(is_file, KIND(FILE))
ONE_OF(is_mark, KIND(MARKER) | KIND(REGISTERED) | KIND(UNREGISTERED))
ONE_OF(has_request, KIND(ISEND) | KIND(ISEND_COMPLETE) | KIND(IRECV_POST) | KIND(IRECV) |
       KIND(TEST) | KIND(CANCELLED) | KIND(COLLECTIVE_POST) | KIND(COLLECTIVE_COMPLETE) |
       KIND(WINDOW_COLLECTIVE))

/* A call. */
MWA_WHETHER(is_repeated, is_call(cell) && event_of(cell)->of.call.repeat > 1)
MWA_WHETHER(is_inside, is_call(cell) && event_of(cell)->of.call.inside != UINT64_MAX)
MWA_WHETHER(is_open, is_call(cell) && event_of(cell)->of.call.open)
MWA_WHETHER(has_failed, is_call(cell) && event_of(cell)->of.call.error_class != 0)
MWA_WHETHER(has_found, event_of(cell)->kind == MWA_ENTER && event_of(cell)->of.call.found.is_told)

static struct mwa_value region(const struct mwa_cell *cell)
{
    const uint32_t index = event_of(cell)->of.call.region;

    return mwa_text(index == MWA_NONE ? NULL : cell->results->trace->regions[index].name);
}

static uint32_t site_of(const struct mwa_cell *cell)
{
    const struct mwa_region_data *call = &event_of(cell)->of.call;

    return call->region == MWA_NONE ? MWA_NONE : call->site;
}

/* Who led there is in its stack. */
static struct mwa_value place(const struct mwa_cell *cell)
{
    char text[MWA_PLACE_BYTES];
    const char *place = mwa_source_place(cell->results->trace, site_of(cell), text);

    return place ? mwa_owned_text(strdup(place)) : mwa_nothing();
}

static bool is_placed(const struct mwa_cell *cell)
{
    char text[MWA_PLACE_BYTES];

    return event_of(cell)->kind == MWA_ENTER &&
           mwa_source_place(cell->results->trace, site_of(cell), text);
}

/* Who called the function that makes the call, the innermost first. */
static const struct mwa_stack_frame *frame_at(const struct mwa_cell *cell, uint64_t index,
                                              uint32_t *count)
{
    const struct mwa_trace *trace = cell->results->trace;
    uint32_t frames[MWA_STACK_FRAMES];
    bool is_cut;

    *count = event_of(cell)->kind == MWA_ENTER && site_of(cell) != MWA_NONE
                 ? mwa_trace_stack(trace, site_of(cell), frames, &is_cut)
                 : 0;
    return index < *count ? &trace->frames[frames[*count - 1 - index]] : NULL;
}

static uint64_t frame_count(const struct mwa_cell *parent)
{
    uint32_t count;

    (void)frame_at(parent, 0, &count);
    return count;
}

static const void *frame_in(const struct mwa_cell *parent, uint64_t index)
{
    uint32_t count;

    return frame_at(parent, index, &count);
}

MWA_WHETHER(has_stack, frame_count(cell) > 0)

/* "step (halo.c:12)", without what is not known. */
static struct mwa_value frame_text(const struct mwa_cell *cell)
{
    const struct mwa_stack_frame *frame = cell->row;
    char *text = NULL;

    if (asprintf(&text, frame->line > 0 ? "%s (%s:%" PRIu32 ")" : "%s", frame->function,
                 frame->file, frame->line) < 0) {
        return mwa_nothing();
    }
    return mwa_owned_text(text);
}

static const struct mwa_column frame_columns[] = { { .kind = MWA_TEXT, .value = frame_text } };
static const struct mwa_table frames = { .shape = MWA_VALUES, MWA_COLUMNS(frame_columns),
                                         .count = frame_count, .row = frame_in };
static const struct mwa_column stacked_columns[] = { { "stack", .table = &frames } };
static const struct mwa_column call_columns[] = { { "region", MWA_BY(MWA_TEXT, region), UNSAID } };
static const struct mwa_column placed_columns[] = { { "place", MWA_BY(MWA_TEXT, place) } };
static const struct mwa_column repeated_columns[] = { { "repeat", EVENT(call.repeat) } };
static const struct mwa_column inside_columns[] = {
    { "inside_ns", .unit = MWA_NS, EVENT(call.inside), .clock = MWA_TICKS }
};
static const struct mwa_column open_columns[] = { { "open", EVENT(call.open) } };
static const struct mwa_column failed_columns[] = { { "error_class", EVENT(call.error_class) } };

/* The message that a call finds as a probe. */
static const struct mwa_comm *found_comm_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->comms[event_of(cell)->of.call.found.comm];
}

MWA_VALUE(found_comm, mwa_text(found_comm_of(cell)->name))
MWA_VALUE(found_comm_id, mwa_number(found_comm_of(cell)->id))

static const struct mwa_column found_columns[] = {
    { "found_comm", MWA_BY(MWA_TEXT, found_comm) },
    { "found_comm_id", MWA_BY(MWA_NUMBER, found_comm_id) },
    { "found_source", EVENT(call.found.peer) },
    { "found_tag", EVENT(call.found.tag) },
};

PART(call, is_call);
PART(placed, is_placed);
PART(stacked, has_stack);
PART(repeated, is_repeated);
PART(inside, is_inside);
PART(open, is_open);
PART(failed, has_failed);
PART(found, has_found);

/* A text of the program. */
static const struct mwa_column mark_columns[] = { { "text", EVENT(mark.text) } };

PART(mark, is_mark);

/* The step of a window. */
static struct mwa_value step(const struct mwa_cell *cell)
{
    static const char *const steps[] = { "notice", "await",  "group",  "request",
                                         "lock",   "unlock", "access", "done",
                                         "done_locally" };

    return mwa_text(steps[event_of(cell)->of.onesided.step]);
}

static struct mwa_value object_name(const struct mwa_cell *cell, uint32_t index)
{
    return mwa_text(cell->results->trace->metrics.objects[index].name);
}

MWA_VALUE(window, object_name(cell, event_of(cell)->of.onesided.window))
MWA_WHETHER(is_access, is_onesided(cell) && event_of(cell)->of.onesided.step == MWA_STEP_ACCESS)

static const struct mwa_column onesided_columns[] = {
    { "step", MWA_BY(MWA_TEXT, step), UNSAID },
    { "window", MWA_BY(MWA_TEXT, window), UNSAID },
    { "target", EVENT(onesided.target) },
};
static const struct mwa_column access_columns[] = {
    { "bytes_sent", .unit = MWA_BYTES, EVENT(onesided.bytes_sent) },
    { "bytes_received", .unit = MWA_BYTES, EVENT(onesided.bytes_received) },
};

PART(onesided, is_onesided);
PART(access, is_access);

/* The communicator. */
static uint32_t comm_of(const struct mwa_cell *cell)
{
    const struct mwa_event *event = event_of(cell);

    return is_message(cell)      ? event->of.message.comm
           : is_collective(cell) ? event->of.collective.comm
           : is_one_of(cell, KIND(METRIC) | KIND(DISCONTINUITY)) ? event->of.metric.comm
           : is_mark(cell)       ? event->of.mark.comm
                                 : event->of.comm;
}

static struct mwa_value comm_name(const struct mwa_cell *cell)
{
    const uint32_t index = comm_of(cell);

    return mwa_text(index == MWA_NONE ? NULL : cell->results->trace->comms[index].name);
}

static struct mwa_value comm_id(const struct mwa_cell *cell)
{
    const uint32_t index = comm_of(cell);

    return index == MWA_NONE ? mwa_nothing() : mwa_number(cell->results->trace->comms[index].id);
}

MWA_WHETHER(has_comm, is_message(cell) || is_collective(cell) || is_metric(cell) ||
            is_one_of(cell, KIND(DISCONTINUITY) | KIND(COMM_CREATE) | KIND(COMM_DESTROY) |
                                KIND(OBJECT)) ||
            (is_mark(cell) && comm_of(cell) != MWA_NONE))

static const struct mwa_column comm_columns[] = {
    { "comm", MWA_BY(MWA_TEXT, comm_name), UNSAID },
    { "comm_id", MWA_BY(MWA_NUMBER, comm_id), UNSAID },
};

PART(comm, has_comm);

/* A sample. */
static const struct mwa_metric_member *member_of(const struct mwa_cell *cell)
{
    const struct mwa_metrics *metrics = &cell->results->trace->metrics;
    const struct mwa_metric *metric =
        &metrics->list[event_of(cell->parent)->of.metric.metric];

    return &metrics->members[metric->members[cell->index]];
}

static uint64_t value_count(const struct mwa_cell *parent)
{
    const struct mwa_metric_data *data = &event_of(parent)->of.metric;
    const struct mwa_metric *metric = &parent->results->trace->metrics.list[data->metric];

    return data->count < metric->count ? data->count : metric->count;
}

static struct mwa_value metric_value(const struct mwa_cell *cell)
{
    const uint64_t bits = *(const uint64_t *)cell->row;
    const enum mw_metric_type type = member_of(cell)->type;

    return type == MW_METRIC_DOUBLE ? mwa_real(mwa_metric_value(type, bits))
                                    : mwa_measured(type, bits);
}

static const struct mwa_metric *metric_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->metrics.list[event_of(cell)->of.metric.metric];
}

/* What a STATE calls its value. */
static struct mwa_value state_name(const struct mwa_cell *cell)
{
    size_t length = 0;
    const char *word = mwa_metric_item(metric_of(cell->parent),
                                       (int64_t) * (const uint64_t *)cell->row, &length);

    return mwa_owned_text(word ? strndup(word, length) : NULL);
}

/* Why a sum does not go on as its variable does. */
static struct mwa_value discontinuity(const struct mwa_cell *cell)
{
    static const char *const words[] = { [MW_DISCONTINUITY_RESET] = "reset",
                                         [MW_DISCONTINUITY_FALL] = "fall",
                                         [MW_DISCONTINUITY_WRAP] = "wrap" };
    const uint32_t what = event_of(cell)->of.metric.flags;

    return mwa_text(what < sizeof words / sizeof words[0] ? words[what] : NULL);
}

static struct mwa_value variable(const struct mwa_cell *cell)
{
    const struct mwa_metric *metric = metric_of(cell);

    return mwa_text(metric->count > 0
                        ? cell->results->trace->metrics.members[metric->members[0]].name
                        : NULL);
}

MWA_ROW_BY(value_at, &event_of(parent)->of.metric.values[index])
MWA_VALUE(member_name, mwa_text(member_of(cell)->name))
MWA_VALUE(object, object_name(cell, event_of(cell)->of.metric.object))
ONE_OF(is_of_variable, KIND(METRIC) | KIND(DISCONTINUITY))
ONE_OF(is_discontinuity, KIND(DISCONTINUITY))
MWA_WHETHER(has_object, is_of_variable(cell) && event_of(cell)->of.metric.object != MWA_NONE)
MWA_WHETHER(has_states, is_metric(cell) && metric_of(cell)->effective == MW_CLASS_STATE)

static const struct mwa_column value_columns[] = { { MWA_BY(MWA_TEXT, member_name) },
                                                   { MWA_BY(MWA_MEASURED, metric_value), UNSAID } };
static const struct mwa_table values = {
    .shape = MWA_MAP, MWA_COLUMNS(value_columns), .count = value_count, .row = value_at
};
static const struct mwa_column state_columns[] = { { MWA_BY(MWA_TEXT, member_name) },
                                                   { MWA_BY(MWA_TEXT, state_name),
                                                     .unknown = "the MPI has no word" } };
static const struct mwa_table state_names = {
    .shape = MWA_MAP, MWA_COLUMNS(state_columns), .count = value_count, .row = value_at
};
static const struct mwa_column states_columns[] = { { "states", .table = &state_names } };
static const struct mwa_column discontinuous_columns[] = {
    { "variable", MWA_BY(MWA_TEXT, variable), UNSAID },
    { "what", MWA_BY(MWA_TEXT, discontinuity), UNSAID },
};
/* Whether the thread ran. */
static uint64_t running_count(const struct mwa_cell *parent)
{
    return event_of(parent)->of.metric.count;
}

MWA_VALUE(running_name, mwa_text(mw_running_names[cell->index]))
MWA_VALUE(running_value, mwa_number(*(const uint64_t *)cell->row))
ONE_OF(is_running, KIND(RUNNING))
static const struct mwa_column running_value_columns[] = {
    { MWA_BY(MWA_TEXT, running_name) }, { MWA_BY(MWA_NUMBER, running_value) }
};
static const struct mwa_table running_values = {
    .shape = MWA_MAP,
    MWA_COLUMNS(running_value_columns),
    .count = running_count,
    .row = value_at,
};
static const struct mwa_column running_columns[] = { { "values", .table = &running_values } };
PART(running, is_running);

static const struct mwa_column bound_columns[] = { { "object", MWA_BY(MWA_TEXT, object), UNSAID } };
static const struct mwa_column metric_columns[] = { { "values", .table = &values },
                                                    { "flags", EVENT(metric.flags) } };

PART(bound, has_object);
PART(metric, is_metric);
PART(states, has_states);
PART(discontinuous, is_discontinuity);

/* A message. */
static const struct mwa_column message_columns[] = {
    { "peer", EVENT(message.peer) },
    { "tag", EVENT(message.tag) },
    { "bytes", .unit = MWA_BYTES, EVENT(message.bytes) },
};

PART(message, is_message);

/* A collective; whom something comes from, as world ranks: null where that is asked for and not
 * known. */
static const struct mwa_group *sources_of(const struct mwa_cell *cell)
{
    return event_of(cell)->of.collective.sources;
}

static struct mwa_value root_rank(const struct mwa_cell *cell)
{
    const uint32_t rank = event_of(cell)->of.collective.root;

    return mwa_number_if(rank <= MWA_NONE - 3, rank);
}

MWA_WHETHER(is_on_neighbors, is_collective(cell) && event_of(cell)->of.collective.on_neighbors)
MWA_WHETHER(has_sources, is_collective(cell) && !is_on_neighbors(cell) && sources_of(cell))
MWA_WHETHER(are_sources_known, sources_of(cell) != NULL)
MWA_COUNT_BY(source_count, sources_of(parent)->count)
MWA_ROW_BY(source_at, &sources_of(parent)->ranks[index])

static const struct mwa_column source_columns[] = {
    { .kind = MWA_NUMBER, .size = sizeof(uint32_t), UNSAID }
};
static const struct mwa_table source_ranks = { .shape = MWA_VALUES,
                                               MWA_COLUMNS(source_columns),
                                               .count = source_count,
                                               .row = source_at,
                                               .is_known = are_sources_known,
                                               UNSAID };
static const struct mwa_column collective_columns[] = {
    { "operation", EVENT(collective.operation) },
    { "root", MWA_BY(MWA_NUMBER, root_rank), .unknown = "it has none" },
    { "bytes_sent", .unit = MWA_BYTES, EVENT(collective.bytes_sent) },
    { "bytes_received", .unit = MWA_BYTES, EVENT(collective.bytes_received) },
};
static const struct mwa_column neighbors_columns[] = { { "neighbors", .table = &source_ranks } };
static const struct mwa_column sources_columns[] = { { "sources", .table = &source_ranks } };

PART(collective, is_collective);
PART(neighbors, is_on_neighbors);
PART(sources, has_sources);

/* The others. */
static const struct mwa_column measurement_columns[] = { { "on", EVENT(on) } };
static struct mwa_value file_offset(const struct mwa_cell *cell)
{
    const uint64_t offset = event_of(cell)->of.file.offset;

    return offset == UINT64_MAX ? mwa_nothing() : mwa_number(offset);
}

static const struct mwa_column file_columns[] = {
    { "bytes_read", .unit = MWA_BYTES, EVENT(file.bytes_read) },
    { "bytes_written", .unit = MWA_BYTES, EVENT(file.bytes_written) },
    { "offset", .unit = MWA_BYTES, MWA_BY(MWA_NUMBER, file_offset), UNSAID },
};
static const struct mwa_column request_columns[] = {
    { "request", MWA_IN(struct mwa_event, request), UNSAID }
};

PART(measurement, is_measurement);
PART(file, is_file);
PART(request, has_request);

/* --- an event ------------------------------------------------------------------------------- */

static const struct mwa_location *location_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->locations[event_of(cell)->location];
}

MWA_VALUE(rank, mwa_number_if(location_of(cell)->rank != MWA_NONE, location_of(cell)->rank))
MWA_VALUE(location, mwa_number(location_of(cell)->id))
MWA_VALUE(kind, mwa_text(kind_names[event_of(cell)->kind]))

static const struct mwa_column part_columns[] = {
    { .table = &call }, { .table = &placed }, { .table = &stacked }, { .table = &repeated },
    { .table = &inside }, { .table = &open }, { .table = &failed }, { .table = &found },
    { .table = &mark },
    { .table = &onesided }, { .table = &access }, { .table = &comm }, { .table = &bound },
    { .table = &metric }, { .table = &running }, { .table = &states },
    { .table = &discontinuous }, { .table = &message }, { .table = &collective },
    { .table = &neighbors }, { .table = &sources }, { .table = &measurement },
    { .table = &file }, { .table = &request },
};
static const struct mwa_table parts = { .shape = MWA_ROW, MWA_COLUMNS(part_columns) };

#define TIME                                                                                       \
    { "time_ns", .width = 15, .unit = MWA_NS, MWA_IN(struct mwa_event, time),                      \
      .clock = MWA_TICKS_SINCE_BEGIN }
#define RANK                                                                                       \
    { "rank", .width = 5, MWA_BY(MWA_NUMBER, rank), .unknown = "it is of no MPI process" }
#define LOCATION { "location", MWA_BY(MWA_NUMBER, location) }
#define EVENT_IS { "event", .width = 19, MWA_BY(MWA_TEXT, kind) }
#define PARTS    { .table = &parts }

static const struct mwa_column document[] = {
    TIME, { "timestamp", MWA_IN(struct mwa_event, time) }, RANK, LOCATION, EVENT_IS, PARTS
};
static const struct mwa_column head[] = { TIME, RANK, EVENT_IS };
static const struct mwa_column said[] = { LOCATION, PARTS };

const struct mwa_table mwa_dump_document = { .shape = MWA_ROW, MWA_COLUMNS(document) };
const struct mwa_table mwa_event_head = { .shape = MWA_ROW, MWA_COLUMNS(head) };
const struct mwa_table mwa_event_said = { .shape = MWA_ROW, MWA_COLUMNS(said) };
