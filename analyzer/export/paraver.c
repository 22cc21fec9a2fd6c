/*
 * Paraver wants records in the order of time, which those of locations that come one after the
 * other are not: they are collected, and sorted before they are written.
 */
#include "analyzer/export/paraver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/export/output.h"
#include "analyzer/export/walk.h"
#include "analyzer/table/clean.h"
#include "formats/base/file.h"

#define PATH_BYTES 4096

/* Types of events: MWA_PARAVER_TYPE, and the one that Extrae gives functions of the program. */
#define TYPE_USER "60000019"

enum state { STATE_RUNNING = 1, STATE_MPI = 2 };

/* What Paraver writes first of what is at the same time: 1 states, 2 events, 3 communications. */
struct record {
    uint64_t time;
    uint64_t until; /* of a state */
    uint64_t value; /* of an event, a state; the index of a communication's link */
    uint32_t location;
    uint8_t kind;
    bool is_mpi;    /* of an event */
};

struct exporting {
    const struct mwa_trace *trace;
    struct record *records;
    uint64_t count, capacity;
    struct mwa_link *links;
    uint64_t link_count, link_capacity;
    uint32_t *thread;  /* of its task, from 1 on, by location */
    uint64_t since;    /* of the state that location is in */
    enum state state;
    uint64_t last;
};

static enum mw_status add(struct exporting *exporting, const struct record *record)
{
    if (!mwa_grow(&exporting->records, &exporting->capacity, exporting->count + 1,
                  sizeof *exporting->records)) {
        return MW_ERROR_MEMORY;
    }
    exporting->records[exporting->count++] = *record;
    exporting->last = record->time > exporting->last ? record->time : exporting->last;
    exporting->last = record->until > exporting->last ? record->until : exporting->last;
    return MW_OK;
}

static bool has_task(const struct exporting *exporting, uint32_t location)
{
    return exporting->trace->locations[location].rank != MWA_NONE;
}

/* Ends the state that location is in, and begins another. */
static enum mw_status change_state(struct exporting *exporting, uint32_t location, uint64_t time,
                                   enum state state)
{
    const struct record record = { .kind = 1,
                                   .time = exporting->since,
                                   .until = time,
                                   .value = exporting->state,
                                   .location = location };
    const bool is_empty = exporting->since == UINT64_MAX || exporting->since >= time;

    exporting->since = time;
    exporting->state = state;
    return is_empty ? MW_OK : add(exporting, &record);
}

static enum mw_status take_location(void *user, uint32_t location)
{
    struct exporting *exporting = user;

    exporting->since = UINT64_MAX;
    exporting->state = STATE_RUNNING;
    return MW_OK;
}

/* An event: value 0 is the end of what was begun, else the region's index and 1. */
static enum mw_status put_event(struct exporting *exporting, uint32_t location, uint64_t time,
                                bool is_mpi, const struct mwa_region *region)
{
    const struct record record = {
        .kind = 2,
        .time = time,
        .is_mpi = is_mpi,
        .value = region ? (uint64_t)(region - exporting->trace->regions) + 1 : 0,
        .location = location
    };

    return add(exporting, &record);
}

/* Calls that the MPI makes of itself are part of the one that the program makes. */
static bool is_shown(const struct exporting *exporting, uint32_t location,
                     const struct mwa_walk_call *call)
{
    return has_task(exporting, location) &&
           (call->region->kind == MWA_REGION_USER || call->outermost);
}

static enum mw_status take_begin(void *user, uint32_t location, uint64_t time,
                                 const struct mwa_walk_call *call)
{
    struct exporting *exporting = user;
    const bool is_mpi = call->region->kind != MWA_REGION_USER;
    const uint64_t ns = mwa_viewer_ns(exporting->trace, time);
    enum mw_status status = MW_OK;

    if (!is_shown(exporting, location, call)) {
        return MW_OK;
    }
    exporting->since = exporting->since == UINT64_MAX ? ns : exporting->since;
    if (is_mpi) {
        status = change_state(exporting, location, ns, STATE_MPI);
    }
    return status == MW_OK ? put_event(exporting, location, ns, is_mpi, call->region) : status;
}

static enum mw_status take_end(void *user, uint32_t location, uint64_t time,
                               const struct mwa_walk_call *call)
{
    struct exporting *exporting = user;
    const bool is_mpi = call->region->kind != MWA_REGION_USER;
    const uint64_t ns = mwa_viewer_ns(exporting->trace, time);
    enum mw_status status = MW_OK;

    if (!is_shown(exporting, location, call)) {
        return MW_OK;
    }
    if (is_mpi) {
        status = change_state(exporting, location, ns, STATE_RUNNING);
    } else if (!call->within && exporting->state == STATE_RUNNING) {
        status = change_state(exporting, location, ns, STATE_RUNNING);
    }
    /* Of regions of the program the one around it goes on. */
    return status == MW_OK
               ? put_event(exporting, location, ns, is_mpi, is_mpi ? NULL : call->within)
               : status;
}

static enum mw_status take_message(void *user, const struct mwa_link *link)
{
    struct exporting *exporting = user;
    const struct record record = { .kind = 3,
                                   .time = mwa_viewer_ns(exporting->trace, link->sent),
                                   .value = exporting->link_count,
                                   .location = link->send_location };

    if (!has_task(exporting, link->send_location) || !has_task(exporting, link->receive_location)) {
        return MW_OK;
    }
    if (!mwa_grow(&exporting->links, &exporting->link_capacity, exporting->link_count + 1,
                  sizeof *exporting->links)) {
        return MW_ERROR_MEMORY;
    }
    exporting->links[exporting->link_count++] = *link;
    return add(exporting, &record);
}

/* --- the trace ---------------------------------------------------------------------------- */

static int compare(uint64_t one, uint64_t other)
{
    return one < other ? -1 : one > other;
}

/* Events of a location at the same time stay as they came: what ends comes before what begins. */
static int by_time(const void *one, const void *other)
{
    const struct record *const *a = one, *const *b = other;
    int order = compare((*a)->time, (*b)->time);

    order = order ? order : compare((*a)->kind, (*b)->kind);
    return order ? order : *a < *b ? -1 : *a > *b;
}

/* "cpu:application:task:thread"; the cpu is not known: 0. */
static void put_object(const struct exporting *exporting, uint32_t location, FILE *out)
{
    fprintf(out, "0:1:%" PRIu32 ":%" PRIu32, exporting->trace->locations[location].rank + 1,
            exporting->thread[location]);
}

static void put_record(const struct exporting *exporting, const struct record *record, FILE *out)
{
    fprintf(out, "%u:", record->kind);
    put_object(exporting, record->location, out);
    if (record->kind == 1) {
        fprintf(out, ":%" PRIu64 ":%" PRIu64 ":%" PRIu64 "\n", record->time, record->until,
                record->value);
    } else if (record->kind == 2) {
        fprintf(out, ":%" PRIu64 ":%s:%" PRIu64 "\n", record->time,
                record->is_mpi ? MWA_PARAVER_TYPE : TYPE_USER, record->value);
    } else {
        const struct mwa_link *link = &exporting->links[record->value];
        const uint64_t received = mwa_viewer_ns(exporting->trace, link->receive_leave);

        fprintf(out, ":%" PRIu64 ":%" PRIu64 ":", record->time, record->time);
        put_object(exporting, link->receive_location, out);
        fprintf(out, ":%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%" PRIu32 "\n",
                mwa_viewer_ns(exporting->trace, link->posted), received,
                link->bytes == UINT64_MAX ? 0 : link->bytes, link->tag);
    }
}

/* When the run was, how long, that resources are not told, and one application's tasks. */
static void put_header(const struct exporting *exporting, FILE *out)
{
    const struct mwa_trace *trace = exporting->trace;
    const time_t when =
        trace->realtime == UINT64_MAX ? 0 : (time_t)(trace->realtime / 1000000000u);
    struct tm date;
    char text[32];

    strftime(text, sizeof text, "%d/%m/%Y at %H:%M", gmtime_r(&when, &date));
    fprintf(out, "#Paraver (%s):%" PRIu64 "_ns:0:1:%" PRIu64 "(", text, exporting->last,
            trace->rank_count);
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        fprintf(out, "%s%" PRIu32 ":1", i > 0 ? "," : "",
                trace->ranks[i].locations ? trace->ranks[i].locations : 1);
    }
    fputs(")\n", out);
}

static enum mw_status put_trace(const struct exporting *exporting, FILE *out,
                                struct mw_diagnostic *diagnostic)
{
    const struct record **order = calloc(exporting->count + 1, sizeof(const struct record *));

    if (!order) {
        return mw_no_memory(diagnostic, NULL, "for the order of records");
    }
    for (uint64_t i = 0; i < exporting->count; i++) {
        order[i] = &exporting->records[i];
    }
    if (exporting->count) {
        qsort(order, exporting->count, sizeof *order, by_time);
    }
    put_header(exporting, out);
    for (uint64_t i = 0; i < exporting->count; i++) {
        put_record(exporting, order[i], out);
    }
    free(order);
    return MW_OK;
}

/* --- names -------------------------------------------------------------------------------- */

static void put_values(const struct exporting *exporting, bool are_mpi, FILE *out)
{
    const struct mwa_trace *trace = exporting->trace;

    fprintf(out, "\nEVENT_TYPE\n0    %s    %s\nVALUES\n0      End\n",
            are_mpi ? MWA_PARAVER_TYPE : TYPE_USER, are_mpi ? "MPI call" : "User function");
    for (uint64_t i = 0; i < trace->region_count; i++) {
        if ((trace->regions[i].kind != MWA_REGION_USER) == are_mpi) {
            fprintf(out, "%" PRIu64 "      ", i + 1);
            mwa_put_clean(trace->regions[i].name, out);
            putc('\n', out);
        }
    }
}

static enum mw_status put_labels(const struct exporting *exporting, FILE *out,
                                 struct mw_diagnostic *diagnostic)
{
    fputs("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n"
          "LOOK_BACK           100\nSPEED               1\nFLAG_ICONS          ENABLED\n"
          "NUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n"
          "DEFAULT_SEMANTIC\n\nTHREAD_FUNC         State As Is\n\n"
          "STATES\n0    Idle\n1    Running\n2    MPI\n\n"
          "STATES_COLOR\n0    {117,195,255}\n1    {0,158,115}\n2    {86,180,233}\n",
          out);
    put_values(exporting, true, out);
    put_values(exporting, false, out);
    return MW_OK;
}

static enum mw_status put_rows(const struct exporting *exporting, FILE *out,
                               struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = exporting->trace;
    uint64_t threads = 0;

    fprintf(out, "LEVEL TASK SIZE %" PRIu64 "\n", trace->rank_count);
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        fprintf(out, "rank %" PRIu64 " ", i);
        mwa_put_clean(trace->ranks[i].host, out);
        putc('\n', out);
        threads += trace->ranks[i].locations ? trace->ranks[i].locations : 1;
    }
    fprintf(out, "\nLEVEL THREAD SIZE %" PRIu64 "\n", threads);
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        const uint32_t count = trace->ranks[i].locations ? trace->ranks[i].locations : 1;

        for (uint32_t thread = 1; thread <= count; thread++) {
            fprintf(out, "THREAD 1.%" PRIu64 ".%" PRIu32 "\n", i + 1, thread);
        }
    }
    return MW_OK;
}

/* --- files -------------------------------------------------------------------------------- */

typedef enum mw_status (*part_writer)(const struct exporting *exporting, FILE *out,
                                      struct mw_diagnostic *diagnostic);

static const struct part {
    const char *suffix;
    enum mwa_output_kind kind;
    part_writer put;
} parts[] = {
    { ".pcf", MWA_OUTPUT_PARAVER_LABELS, put_labels }, /* by which the trace is known as ours */
    { ".row", MWA_OUTPUT_PARAVER_ROWS, put_rows },
    { ".prv", MWA_OUTPUT_PARAVER, put_trace },
};

#define PARTS (sizeof parts / sizeof parts[0])

/* The file of a part, in name of PATH_BYTES. */
static enum mw_status path_of(const char *path, const struct part *part, char *name,
                              struct mw_diagnostic *diagnostic)
{
    const size_t length = strlen(path);

    if (length < 4 || strcmp(path + length - 4, ".prv") != 0 || length >= PATH_BYTES) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "a trace for Paraver ends in .prv, as its other two files do in .pcf and "
                       ".row");
    }
    snprintf(name, PATH_BYTES, "%.*s%s", (int)(length - 4), path, part->suffix);
    return MW_OK;
}

enum mw_status mwa_export_paraver_check(const char *path, bool force,
                                        struct mw_diagnostic *diagnostic)
{
    char name[PATH_BYTES];
    enum mw_status status = MW_OK;

    for (size_t i = 0; i < PARTS && status == MW_OK; i++) {
        status = path_of(path, &parts[i], name, diagnostic);
        if (status == MW_OK) {
            status = mwa_output_check(name, parts[i].kind, force, diagnostic);
        }
    }
    return status;
}

static enum mw_status write_parts(const struct exporting *exporting, const char *path, bool force,
                                  struct mw_diagnostic *diagnostic)
{
    struct mwa_output output;
    char name[PATH_BYTES];
    enum mw_status status = MW_OK;

    for (size_t i = 0; i < PARTS && status == MW_OK; i++) {
        status = path_of(path, &parts[i], name, diagnostic);
        if (status == MW_OK) {
            status = mwa_output_open(&output, name, parts[i].kind, force, diagnostic);
        }
        if (status == MW_OK) {
            status = mwa_output_close(&output, parts[i].put(exporting, output.file, diagnostic),
                                      diagnostic);
        }
    }
    return status;
}

/* Threads of a task by their order: the main thread is the first as a rule. */
static bool number_threads(struct exporting *exporting)
{
    const struct mwa_trace *trace = exporting->trace;
    uint32_t *next = calloc(trace->rank_count + 1, sizeof *next);
    bool is_numbered;

    exporting->thread = calloc(trace->location_count + 1, sizeof *exporting->thread);
    for (uint64_t i = 0; next && exporting->thread && i < trace->location_count; i++) {
        if (trace->locations[i].rank != MWA_NONE) {
            exporting->thread[i] = ++next[trace->locations[i].rank];
        }
    }
    is_numbered = next && exporting->thread;
    free(next);
    return is_numbered;
}

enum mw_status mwa_export_paraver(const struct mwa_trace *trace, const char *archive,
                                  const struct mwa_selection *selection, const char *path,
                                  bool force, struct mw_diagnostic *diagnostic)
{
    struct exporting exporting = { .trace = trace };
    const struct mwa_walk_listener listener = { .user = &exporting,
                                                .location = take_location,
                                                .begin = take_begin,
                                                .end = take_end,
                                                .message = take_message };
    enum mw_status status = number_threads(&exporting)
                                ? mwa_walk(trace, archive, selection, &listener, diagnostic)
                                : mw_no_memory(diagnostic, NULL, "for the threads");

    if (status == MW_OK) {
        status = write_parts(&exporting, path, force, diagnostic);
    }
    free(exporting.records);
    free(exporting.links);
    free(exporting.thread);
    return status;
}
