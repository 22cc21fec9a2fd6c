/*
 * JSON is written by hand: a tree of a hundred million events would not fit into
 * memory.
 */
#include "analyzer/export/chrome.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyzer/export/output_kind.h"
#include "analyzer/export/walk.h"
#include "analyzer/model/places.h"
#include "formats/base/file.h"
#include "formats/base/utf8.h"

struct exporting {
    const struct mwa_trace *trace;
    FILE *out;
    struct mw_diagnostic *diagnostic;
    bool has_events;
};

/* text as a JSON string; bytes that are not UTF-8 become U+FFFD. */
static void put_text(const char *text, FILE *out)
{
    putc('"', out);
    for (const char *at = text; *at;) {
        size_t bytes = mw_utf8_sequence(at);

        if (bytes == 0) {
            fputs(MW_UTF8_REPLACEMENT, out);
            bytes = 1;
        } else if ((unsigned char)*at < 0x20) {
            fprintf(out, "\\u%04x", (unsigned)*at);
        } else if (*at == '"' || *at == '\\') {
            fprintf(out, "\\%c", *at);
        } else {
            fwrite(at, 1, bytes, out);
        }
        at += bytes;
    }
    putc('"', out);
}

static uint64_t pid_of(const struct exporting *exporting, uint32_t location)
{
    uint32_t rank = exporting->trace->locations[location].rank;

    return rank == MWA_NONE ? exporting->trace->rank_count : rank;
}

/* "{"ph":"B","pid":0,"tid":0,"ts":1.234": the object is left open. */
static void begin_event(struct exporting *exporting, const char *phase, uint32_t location,
                        uint64_t time)
{
    const uint64_t ns = mwa_viewer_ns(exporting->trace, time);

    fprintf(exporting->out,
            "%s{\"ph\":\"%s\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu32 ",\"ts\":%" PRIu64 ".%03u",
            exporting->has_events ? ",\n" : "", phase, pid_of(exporting, location), location,
            ns / 1000, (unsigned)(ns % 1000));
    exporting->has_events = true;
}

static enum mw_status end_event(struct exporting *exporting)
{
    fputs("}", exporting->out);
    return ferror(exporting->out)
               ? mw_fail(exporting->diagnostic, mw_file_write_error(), "",
                         MW_DIAGNOSTIC_OFFSET_NONE, "cannot write the trace")
               : MW_OK;
}

/* What a process or thread is called. */
static enum mw_status put_name(struct exporting *exporting, uint32_t location, const char *kind,
                               const char *name)
{
    begin_event(exporting, "M", location, 0);
    fprintf(exporting->out, ",\"name\":\"%s\",\"args\":{\"name\":", kind);
    put_text(name, exporting->out);
    putc('}', exporting->out);
    return end_event(exporting);
}

static enum mw_status take_location(void *user, uint32_t index)
{
    struct exporting *exporting = user;
    const struct mwa_location *location = &exporting->trace->locations[index];
    enum mw_status status;
    char name[300];

    if (location->rank == MWA_NONE) {
        snprintf(name, sizeof name, "no rank");
    } else {
        snprintf(name, sizeof name, "rank %" PRIu32 " %.255s", location->rank,
                 exporting->trace->ranks[location->rank].host);
    }
    status = put_name(exporting, index, "process_name", name);
    return status == MW_OK ? put_name(exporting, index, "thread_name", location->name) : status;
}

/* Begins an argument of a slice; the first one opens their object. */
static void begin_argument(const char *name, bool *has_some, FILE *out)
{
    fprintf(out, "%s\"%s\":", *has_some ? "," : ",\"args\":{", name);
    *has_some = true;
}

/*
 * How many polls a call stands for, when it began if that is before all that viewers know, and
 * where it is made, as far as that is known.
 */
static void put_arguments(const struct mwa_trace *trace, const struct mwa_walk_call *call,
                          uint64_t time, FILE *out)
{
    const struct mwa_spot spot = call->site == MWA_NONE ? (struct mwa_spot){ "", "", 0 }
                                                        : mwa_site_spot(&trace->sites[call->site]);
    bool has_some = false;

    if (call->repeat > 1) {
        begin_argument("polls", &has_some, out);
        fprintf(out, "%" PRIu64, call->repeat);
    } else if (time < mwa_trace_origin(trace)) {
        begin_argument("began_ns", &has_some, out);
        fprintf(out, "%" PRId64, mwa_trace_since_begin(trace, time));
    }
    if (*spot.file) {
        begin_argument("file", &has_some, out);
        put_text(spot.file, out);
        begin_argument("line", &has_some, out);
        fprintf(out, "%" PRIu32, spot.line);
    }
    if (*spot.function) {
        begin_argument("function", &has_some, out);
        put_text(spot.function, out);
    }
    fputs(has_some ? "}" : "", out);
}

static enum mw_status take_begin(void *user, uint32_t location, uint64_t time,
                                 const struct mwa_walk_call *call)
{
    struct exporting *exporting = user;

    begin_event(exporting, "B", location, time);
    fputs(",\"name\":", exporting->out);
    put_text(call->region->name, exporting->out);
    fputs(",\"cat\":", exporting->out);
    put_text(call->region->group, exporting->out);
    put_arguments(exporting->trace, call, time, exporting->out);
    return end_event(exporting);
}

static void put_known(const char *name, uint32_t value, bool *has_some, FILE *out)
{
    if (value != MWA_NONE) {
        begin_argument(name, has_some, out);
        fprintf(out, "%" PRIu32, value);
    }
}

/* What a call says of itself, known at its end; viewers show it with what is known before. */
static enum mw_status take_end(void *user, uint32_t location, uint64_t time,
                               const struct mwa_walk_call *call)
{
    struct exporting *exporting = user;
    const struct mwa_call_facts *facts = &call->facts;
    FILE *out = exporting->out;
    bool has_some = false;

    begin_event(exporting, "E", location, time);
    if (facts->comm != MWA_NONE) {
        begin_argument("communicator", &has_some, out);
        put_text(exporting->trace->comms[facts->comm].name, out);
    }
    put_known("peer", facts->peer, &has_some, out);
    put_known("tag", facts->tag, &has_some, out);
    put_known("root", facts->root, &has_some, out);
    if (facts->has_bytes) {
        begin_argument("bytes_sent", &has_some, out);
        fprintf(out, "%" PRIu64 ",\"bytes_received\":%" PRIu64, facts->bytes_sent,
                facts->bytes_received);
    }
    fputs(has_some ? "}" : "", out);
    return end_event(exporting);
}

static void put_value(enum mw_metric_type type, uint64_t bits, FILE *out)
{
    double real;

    memcpy(&real, &bits, sizeof real);
    if (type == MW_METRIC_DOUBLE) {
        fprintf(out, "%.17g", isfinite(real) ? real : 0);
    } else if (type == MW_METRIC_INT64) {
        fprintf(out, "%" PRId64, (int64_t)bits);
    } else {
        fprintf(out, "%" PRIu64, bits);
    }
}

static enum mw_status take_sample(void *user, const struct mwa_event *event)
{
    struct exporting *exporting = user;
    const struct mwa_metric_data *data = &event->of.metric;
    const struct mwa_metrics *metrics = &exporting->trace->metrics;
    const struct mwa_metric *metric = &metrics->list[data->metric];
    enum mw_status status = MW_OK;
    FILE *out = exporting->out;

    for (uint32_t i = 0; i < data->count && i < metric->count && status == MW_OK; i++) {
        const struct mwa_metric_member *member = &metrics->members[metric->members[i]];
        char label[512];

        mwa_metric_label(metrics, metric, i, label, sizeof label);
        begin_event(exporting, "C", event->location, event->time);
        fputs(",\"name\":", out);
        put_text(label, out);
        if (data->comm != MWA_NONE) { /* the id is part of a counter's name */
            fprintf(out, ",\"id\":\"%" PRIu32 "\"", exporting->trace->comms[data->comm].id);
        } else if (data->object != MWA_NONE) {
            fputs(",\"id\":", out);
            put_text(metrics->objects[data->object].name, out);
        } else if (metric->scope) {
            fputs(",\"id\":", out);
            put_text(metric->scope, out);
        }
        fputs(",\"args\":{\"value\":", out);
        put_value(member->type, data->values[i], out);
        putc('}', out);
        status = end_event(exporting);
    }
    return status;
}

/* One counter for each value, of the thread. */
static enum mw_status take_running(void *user, const struct mwa_event *event)
{
    struct exporting *exporting = user;
    const uint64_t *values = event->of.metric.values;
    enum mw_status status = MW_OK;

    for (unsigned i = 0; i < event->of.metric.count && status == MW_OK; i++) {
        if (i == MW_RUNNING_RESIDENT && values[i] == 0) { /* not read */
            continue;
        }
        begin_event(exporting, "C", event->location, event->time);
        fprintf(exporting->out, ",\"name\":\"%s\",\"id\":", mw_running_names[i]);
        put_text(exporting->trace->locations[event->location].name, exporting->out);
        fprintf(exporting->out, ",\"args\":{\"value\":%" PRIu64 "}", values[i]);
        status = end_event(exporting);
    }
    return status;
}

static enum mw_status take_measurement(void *user, const struct mwa_event *event)
{
    struct exporting *exporting = user;

    begin_event(exporting, "i", event->location, event->time);
    fprintf(exporting->out, ",\"s\":\"t\",\"name\":\"recording %s\"",
            event->of.on ? "resumed" : "paused");
    return end_event(exporting);
}

static enum mw_status take_discontinuity(void *user, const struct mwa_event *event)
{
    struct exporting *exporting = user;
    const struct mwa_metrics *metrics = &exporting->trace->metrics;
    char label[512];

    mwa_metric_discontinuity(metrics, &metrics->list[event->of.metric.metric],
                             event->of.metric.flags, label, sizeof label);
    begin_event(exporting, "i", event->location, event->time);
    fputs(",\"s\":\"t\",\"cat\":\"variable\",\"name\":", exporting->out);
    put_text(label, exporting->out);
    return end_event(exporting);
}

static enum mw_status take_marker(void *user, const struct mwa_event *event)
{
    struct exporting *exporting = user;

    begin_event(exporting, "i", event->location, event->time);
    fputs(",\"s\":\"t\",\"cat\":\"marker\",\"name\":", exporting->out);
    put_text(event->of.mark.text, exporting->out);
    return end_event(exporting);
}

/* Flow events belong to the slices around them: bp e says so for the end. */
static enum mw_status take_message(void *user, const struct mwa_link *link)
{
    struct exporting *exporting = user;
    FILE *out = exporting->out;
    enum mw_status status;

    begin_event(exporting, "s", link->send_location, link->sent);
    fprintf(out,
            ",\"name\":\"message\",\"cat\":\"message\",\"id\":%" PRIu64
            ",\"args\":{\"to\":%" PRIu32 ",\"tag\":%" PRIu32 ",\"bytes\":%" PRIu64,
            link->number, exporting->trace->locations[link->receive_location].rank, link->tag,
            link->bytes);
    if (link->comm != MWA_NONE) {
        fputs(",\"communicator\":", out);
        put_text(exporting->trace->comms[link->comm].name, out);
    }
    putc('}', out);
    status = end_event(exporting);
    if (status != MW_OK) {
        return status;
    }
    begin_event(exporting, "f", link->receive_location, link->received);
    fprintf(out, ",\"bp\":\"e\",\"name\":\"message\",\"cat\":\"message\",\"id\":%" PRIu64,
            link->number);
    return end_event(exporting);
}

enum mw_status mwa_export_chrome(const struct mwa_trace *trace, const char *path,
                                 const struct mwa_selection *selection, FILE *out,
                                 struct mw_diagnostic *diagnostic)
{
    struct exporting exporting = { .trace = trace,
                                   .out = out,
                                   .diagnostic = diagnostic };
    const struct mwa_walk_listener listener = { .user = &exporting,
                                                .location = take_location,
                                                .begin = take_begin,
                                                .end = take_end,
                                                .sample = take_sample,
                                                .measurement = take_measurement,
                                                .running = take_running,
                                                .marker = take_marker,
                                                .discontinuity = take_discontinuity,
                                                .message = take_message };
    enum mw_status status;

    fputs("{\"otherData\":{\"creator\":\"" MWA_OUTPUT_WRITER "\"},\"displayTimeUnit\":\"ns\","
          "\"traceEvents\":[\n",
          out);
    status = mwa_walk(trace, path, selection, &listener, diagnostic);
    fputs("\n]}\n", out);
    return status;
}
