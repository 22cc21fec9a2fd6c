#include "analyzer/cli/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/load/input.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/values.h"

/* Where events are printed to, and how. */
struct dump {
    const struct mwa_trace *trace;
    const struct mwa_options *options;
    FILE *out;
};

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
    [MWA_THREAD_BEGIN] = "thread_begin",
    [MWA_THREAD_END] = "thread_end",
    [MWA_MARKER] = "marker",
    [MWA_REGISTERED] = "registered",
    [MWA_UNREGISTERED] = "unregistered",
    [MWA_WINDOW_COLLECTIVE] = "window_collective",
    [MWA_ONESIDED] = "onesided",
    [MWA_FILE] = "file",
    [MWA_OBJECT] = "object",
};

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static void set_comm(const struct mwa_trace *trace, json_t *object, uint32_t comm)
{
    json_object_set_new(object, "comm",
                        comm == MWA_NONE ? json_null() : mwa_json_text(trace->comms[comm].name));
    json_object_set_new(object, "comm_id",
                        comm == MWA_NONE ? json_null() : number(trace->comms[comm].id));
}

static void set_call(const struct mwa_trace *trace, json_t *object,
                     const struct mwa_region_data *call)
{
    json_object_set_new(object, "region",
                        call->region == MWA_NONE
                            ? json_null()
                            : mwa_json_text(trace->regions[call->region].name));
    if (call->repeat > 1) {
        json_object_set_new(object, "repeat", number(call->repeat));
    }
    if (call->inside != UINT64_MAX) {
        json_object_set_new(object, "inside_ns", number(mwa_trace_ns(trace, call->inside)));
    }
    if (call->open) {
        json_object_set_new(object, "open", json_true());
    }
}

static void set_message(const struct mwa_trace *trace, json_t *object,
                        const struct mwa_message_data *message)
{
    set_comm(trace, object, message->comm);
    json_object_set_new(object, "peer", number(message->peer));
    json_object_set_new(object, "tag", number(message->tag));
    json_object_set_new(object, "bytes", number(message->bytes));
}

/* Whom something comes from, as world ranks; null where that is asked for and not known. */
static json_t *ranks_of(const struct mwa_group *sources)
{
    json_t *list = json_array();

    if (!sources) {
        json_decref(list);
        return json_null();
    }
    for (uint32_t i = 0; i < sources->count; i++) {
        json_array_append_new(list, number(sources->ranks[i]));
    }
    return list;
}

static void set_collective(const struct mwa_trace *trace, json_t *object,
                           const struct mwa_collective_data *collective)
{
    set_comm(trace, object, collective->comm);
    json_object_set_new(object, "operation", number(collective->operation));
    json_object_set_new(object, "root",
                        collective->root > MWA_NONE - 3 ? json_null() : number(collective->root));
    json_object_set_new(object, "bytes_sent", number(collective->bytes_sent));
    json_object_set_new(object, "bytes_received", number(collective->bytes_received));
    if (collective->on_neighbors) {
        json_object_set_new(object, "neighbors", ranks_of(collective->sources));
    } else if (collective->sources) {
        json_object_set_new(object, "sources", ranks_of(collective->sources));
    }
}

static void set_onesided(const struct mwa_trace *trace, json_t *object,
                         const struct mwa_onesided_data *data)
{
    static const char *const steps[] = { "notice", "await", "lock", "unlock", "access", "done",
                                         "done_locally" };

    json_object_set_new(object, "step", json_string(steps[data->step]));
    json_object_set_new(object, "window", mwa_json_text(trace->metrics.objects[data->window].name));
    json_object_set_new(object, "target",
                        data->target == MWA_NONE ? json_null() : number(data->target));
    if (data->step == MWA_STEP_ACCESS) {
        json_object_set_new(object, "bytes_sent", number(data->bytes_sent));
        json_object_set_new(object, "bytes_received", number(data->bytes_received));
    }
}

static void set_metric(const struct mwa_trace *trace, json_t *object,
                       const struct mwa_metric_data *data)
{
    const struct mwa_metric *metric = &trace->metrics.list[data->metric];
    json_t *values = json_object();

    set_comm(trace, object, data->comm);
    if (data->object != MWA_NONE) {
        json_object_set_new(object, "object",
                            mwa_json_text(trace->metrics.objects[data->object].name));
    }
    for (uint32_t i = 0; i < data->count && i < metric->count; i++) {
        const struct mwa_metric_member *member = &trace->metrics.members[metric->members[i]];
        double real;

        memcpy(&real, &data->values[i], sizeof real);
        json_object_set_new(values, member->name,
                            member->type == MW_METRIC_DOUBLE ? mwa_json_ratio(real)
                                                       : number(data->values[i]));
    }
    json_object_set_new(object, "values", values);
    json_object_set_new(object, "flags", number(data->flags));
}

static void set_details(const struct mwa_trace *trace, json_t *object,
                        const struct mwa_event *event)
{
    switch (event->kind) {
    case MWA_ENTER:
    case MWA_LEAVE:
        set_call(trace, object, &event->of.call);
        return;
    case MWA_SEND:
    case MWA_RECV:
        set_message(trace, object, &event->of.message);
        return;
    case MWA_ISEND:
    case MWA_IRECV:
        set_message(trace, object, &event->of.message);
        break;
    case MWA_COLLECTIVE_END:
        set_collective(trace, object, &event->of.collective);
        return;
    case MWA_COLLECTIVE_COMPLETE:
        set_collective(trace, object, &event->of.collective);
        break;
    case MWA_COMM_CREATE:
    case MWA_COMM_DESTROY:
    case MWA_OBJECT:
        set_comm(trace, object, event->of.comm);
        return;
    case MWA_MEASUREMENT:
        json_object_set_new(object, "on", json_boolean(event->of.on));
        return;
    case MWA_METRIC:
        set_metric(trace, object, &event->of.metric);
        return;
    case MWA_ONESIDED:
        set_onesided(trace, object, &event->of.onesided);
        return;
    case MWA_FILE:
        json_object_set_new(object, "bytes_read", number(event->of.file.bytes_read));
        json_object_set_new(object, "bytes_written", number(event->of.file.bytes_written));
        return;
    case MWA_MARKER:
    case MWA_REGISTERED:
    case MWA_UNREGISTERED:
        json_object_set_new(object, "text", mwa_json_text(event->of.mark.text));
        if (event->of.mark.comm != MWA_NONE) {
            set_comm(trace, object, event->of.mark.comm);
        }
        return;
    case MWA_COLLECTIVE_BEGIN:
    case MWA_THREAD_BEGIN:
    case MWA_THREAD_END:
        return;
    default:
        break;
    }
    json_object_set_new(object, "request", number(event->request));
}

static json_t *object_of(const struct mwa_trace *trace, const struct mwa_event *event)
{
    const struct mwa_location *location = &trace->locations[event->location];
    uint64_t since = event->time - trace->clock_offset;
    json_t *object = json_object();

    json_object_set_new(object, "time_ns",
                        event->time < trace->clock_offset
                            ? json_integer(-(json_int_t)mwa_trace_ns(trace, 0 - since))
                            : number(mwa_trace_ns(trace, since)));
    json_object_set_new(object, "rank",
                        location->rank == MWA_NONE ? json_null() : number(location->rank));
    json_object_set_new(object, "location", number(location->id));
    json_object_set_new(object, "event", json_string(kind_names[event->kind]));
    set_details(trace, object, event);
    return object;
}

/* Numbers, with commas between them. */
static void print_list(const json_t *list, FILE *out)
{
    const json_t *value;
    size_t i;

    json_array_foreach(list, i, value) {
        fprintf(out, "%s%" JSON_INTEGER_FORMAT, i > 0 ? "," : "", json_integer_value(value));
    }
}

/* "        1234   0 enter region=MPI_Send" */
static void print_text(json_t *object, FILE *out)
{
    const char *key;
    json_t *value;

    fprintf(out, "%15" JSON_INTEGER_FORMAT " ",
            json_integer_value(json_object_get(object, "time_ns")));
    if (json_is_null(json_object_get(object, "rank"))) {
        fprintf(out, "%5s", "-");
    } else {
        fprintf(out, "%5" JSON_INTEGER_FORMAT,
                json_integer_value(json_object_get(object, "rank")));
    }
    fprintf(out, " %-19s", json_string_value(json_object_get(object, "event")));
    json_object_foreach(object, key, value) {
        if (strcmp(key, "time_ns") == 0 || strcmp(key, "rank") == 0 || strcmp(key, "event") == 0) {
            continue;
        }
        fprintf(out, " %s=", key);
        if (json_is_string(value)) {
            mwa_put_clean(json_string_value(value), out);
        } else if (json_is_integer(value)) {
            fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        } else if (json_is_array(value)) {
            print_list(value, out);
        } else {
            fputs(json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "-", out);
        }
    }
    putc('\n', out);
}

static enum mw_status take_event(void *user, const struct mwa_event *event)
{
    const struct dump *dump = user;
    json_t *object = object_of(dump->trace, event);

    if (!object) {
        return MW_ERROR_MEMORY;
    }
    if (dump->options->json) {
        json_dumpf(object, dump->out, JSON_COMPACT);
        putc('\n', dump->out);
    } else {
        print_text(object, dump->out);
    }
    json_decref(object);
    return ferror(dump->out) ? MW_ERROR_SYSTEM : MW_OK;
}

static enum mw_status dump_location(struct mwa_input *input, uint32_t location, struct dump *dump,
                                    struct mw_diagnostic *diagnostic)
{
    struct mwa_event_reader *reader = NULL;
    enum mw_status status = mwa_event_reader_open(input, location, &reader, diagnostic);

    while (status == MW_OK) {
        status = mwa_event_reader_read(reader, 4096, take_event, dump, diagnostic);
    }
    mwa_event_reader_close(reader);
    if (ferror(dump->out)) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "cannot write the events");
    }
    return status == MW_END ? MW_OK : status;
}

enum mw_status mwa_run_dump(struct mwa_input *input, const struct mwa_options *options, FILE *out,
                            struct mw_diagnostic *diagnostic)
{
    struct dump dump = { .trace = mwa_input_trace(input), .options = options, .out = out };
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < dump.trace->location_count && status == MW_OK; i++) {
        if (options->rank == MWA_NONE || dump.trace->locations[i].rank == options->rank) {
            status = dump_location(input, i, &dump, diagnostic);
        }
    }
    return status;
}
