/* Other tools' archives have no mpiwatch.json: all that is told here may be missing. */
#include "analyzer/load/metadata.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analyzer/load/communicators.h"
#include "analyzer/load/metadata_json.h"
#include "analyzer/load/sampled_spots.h"
#include "analyzer/load/variable_definitions.h"
#include "analyzer/model/places.h"
#include "formats/archive/archive_words.h"

#define SCHEMA "mpiwatch-archive/1"

/* Where a text is in the object, or null. */
static const char *text_in(struct mwa_trace *trace, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? mwa_trace_text(trace, text) : NULL;
}

static uint64_t number_in(const json_t *object, const char *key, uint64_t otherwise)
{
    const json_t *value = json_object_get(object, key);

    return json_is_integer(value) && json_integer_value(value) >= 0
               ? (uint64_t)json_integer_value(value)
               : otherwise;
}

/* What the recorder could not write; calls made while it was paused are no loss. */
static void take_losses(struct mwa_rank *rank, json_t *losses)
{
    const char *reason;
    json_t *value;

    json_object_foreach(losses, reason, value) {
        if (strcmp(reason, "paused") == 0) {
            rank->paused = json_integer_value(value) > 0;
        } else {
            rank->lost += number_in(losses, reason, 0);
        }
    }
}

/* Whether what a rank or one of its threads had recorded could not all be read. */
static bool is_damaged(const json_t *rank)
{
    bool damaged = json_is_true(json_object_get(rank, "damaged"));
    const json_t *thread;
    size_t i;

    json_array_foreach(json_object_get(rank, "threads"), i, thread) {
        damaged |= json_is_true(json_object_get(thread, "damaged"));
    }
    return damaged;
}

/* What told the times of the thread whose times may be off the farthest. */
static void take_clocks(struct mwa_trace *trace, const json_t *threads)
{
    const json_t *thread;
    size_t i;

    json_array_foreach(threads, i, thread) {
        uint64_t error = number_in(thread, "clock_error_ns", 0);

        if (!trace->clock || error > trace->clock_error_ns) {
            trace->clock = text_in(trace, thread, "clock");
            trace->clock_error_ns = error;
        }
    }
}

/* How well the clock of a rank's host was compared with that of rank 0's. */
static void take_offsets(struct mwa_trace *trace, const json_t *offsets)
{
    const json_t *offset;
    size_t i;

    json_array_foreach(offsets, i, offset) {
        uint64_t error = number_in(offset, "error_ns", 0);

        if (error > trace->hosts_clock_error_ns) {
            trace->hosts_clock_error_ns = error;
        }
    }
}

/* The path of the file that has the code at an address; "": it is not known. */
static const char *module_of(const json_t *address, const char *const *paths, size_t count)
{
    const uint64_t module = number_in(address, "module", UINT64_MAX);

    return module < count ? paths[module] : "";
}

/* What OTF2 does not say of the places that calls were made at: the functions, and libraries. */
static void take_sites(struct mwa_trace *trace, const json_t *sites, const char *const *paths,
                       size_t count)
{
    const json_t *site;
    size_t i;

    json_array_foreach(sites, i, site) {
        uint64_t id = number_in(site, "region", UINT64_MAX);
        uint32_t index = id < UINT32_MAX ? mwa_trace_site(trace, (uint32_t)id) : MWA_NONE;
        const char *function = index == MWA_NONE ? NULL : text_in(trace, site, "function");
        const json_t *address = json_array_get(json_object_get(site, "addresses"), 0);

        if (address && index != MWA_NONE) {
            trace->sites[index].library = mwa_library_name(module_of(address, paths, count));
        }
        if (function) {
            trace->sites[index].function = function;
            trace->has_sites = true;
        }
    }
}

/* Nor of frames: in which files their code is. Contexts are in the order of their ids, as frames
 * are; of one that is not, nothing is told. */
static void take_contexts(struct mwa_trace *trace, const json_t *contexts,
                          const char *const *paths, size_t count)
{
    const json_t *context;
    uint64_t frame = 0;
    size_t i;

    json_array_foreach(contexts, i, context) {
        const uint64_t id = number_in(context, "context", UINT64_MAX);
        const json_t *address = json_array_get(json_object_get(context, "addresses"), 0);

        while (frame < trace->frame_count && trace->frames[frame].context < id) {
            frame++;
        }
        if (address && frame < trace->frame_count && trace->frames[frame].context == id) {
            trace->frames[frame].module = module_of(address, paths, count);
        }
    }
}

static void take_places(struct mwa_trace *trace, const json_t *root)
{
    const json_t *modules = json_object_get(root, "modules");
    const size_t count = json_array_size(modules);
    const char **paths = calloc(count + 1, sizeof *paths);

    trace->lacks_text |= !paths;
    for (size_t i = 0; paths && i < count; i++) {
        const char *path = text_in(trace, json_array_get(modules, i), "path");

        paths[i] = path ? path : "";
    }
    if (paths) {
        take_sites(trace, json_object_get(root, "sites"), paths, count);
        take_contexts(trace, json_object_get(root, "contexts"), paths, count);
    }
    free(paths);
}

static void take_most(uint64_t *most, const json_t *object, const char *key)
{
    uint64_t number = number_in(object, key, 0);

    *most = number > *most ? number : *most;
}

static void take_own_traffic(struct mwa_own_traffic *most, const json_t *object)
{
    take_most(&most->calls, object, "calls");
    take_most(&most->sent, object, "bytes_sent");
    take_most(&most->received, object, "bytes_received");
}

/* The number that a text is, 0: none. */
static uint64_t counted_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text && *text >= '0' && *text <= '9' ? strtoull(text, NULL, 10) : 0;
}

/* What a rank was recorded on, as far as the recorder told, and how far it could tell places. */
static void take_about(struct mwa_trace *trace, struct mwa_rank *rank, const json_t *object)
{
    const json_t *about = json_object_get(object, "circumstances");
    const json_t *thread;
    size_t i;

    trace->ranks_sites_left_out += json_object_get(about, "sites_left_out") != NULL;
    rank->handles_errors = json_object_get(about, MW_CIRCUMSTANCE_ERRHANDLER) != NULL;
    rank->has_keyvals = json_object_get(about, MW_CIRCUMSTANCE_KEYVAL) != NULL;
    rank->has_request_functions = json_object_get(about, MW_CIRCUMSTANCE_REQUEST) != NULL;
    rank->has_finalizers = json_object_get(about, MW_CIRCUMSTANCE_FINALIZE) != NULL &&
                           json_object_get(about, MW_CIRCUMSTANCE_FINALIZE_OVER) == NULL;
    rank->cores = counted_in(about, "cores");
    rank->cgroup = text_in(trace, about, "cgroup");
    rank->cgroup_millicores = counted_in(about, "cgroup_millicores");
    json_array_foreach(json_object_get(object, "threads"), i, thread) {
        if (json_is_true(json_object_get(thread, "main"))) {
            rank->affinity = text_in(trace, json_object_get(thread, "circumstances"), "affinity");
        }
    }
}

/* Codes of errors below 1 are no classes: Open MPI ended the process for another reason. */
static void take_end(struct mwa_rank *rank, const json_t *object)
{
    static const enum mw_end_how told[] = { [MWA_END_ERROR] = MW_ENDED_ERROR,
                                            [MWA_END_ABORT] = MW_ENDED_ABORT,
                                            [MWA_END_EXIT] = MW_ENDED_EXIT };
    const char *how = json_string_value(json_object_get(object, "ended_by"));
    const json_int_t code = json_integer_value(json_object_get(object, "end_code"));

    for (unsigned i = MWA_END_ERROR; how && i <= MWA_END_EXIT; i++) {
        if (strcmp(how, mw_end_word(told[i])) == 0 && (i != MWA_END_ERROR || code > 0)) {
            rank->end = (enum mwa_rank_end)i;
            rank->end_code = (int32_t)code;
        }
    }
}

static void take_rank(struct mwa_trace *trace, const json_t *object)
{
    uint64_t number = number_in(object, "rank", UINT64_MAX);
    struct mwa_rank *rank;
    const char *host, *level;

    if (number >= trace->rank_count) {
        return;
    }
    rank = &trace->ranks[number];
    rank->pid = (int64_t)number_in(object, "pid", UINT64_MAX);
    level = json_string_value(json_object_get(object, "thread_level"));
    rank->calls_in_turn = level && strcmp(level, "MPI_THREAD_MULTIPLE") != 0;
    take_losses(rank, json_object_get(object, "lost"));
    take_clocks(trace, json_object_get(object, "threads"));
    take_offsets(trace, json_object_get(object, "clock_offsets"));
    take_own_traffic(&trace->metrics.own_traffic, json_object_get(object, "own_traffic"));
    rank->incomplete = json_is_false(json_object_get(object, "recorded")) ||
                       json_is_false(json_object_get(object, "ended")) || is_damaged(object);
    take_end(rank, object);
    take_about(trace, rank, object);
    host = text_in(trace, object, "host");
    if (host) {
        rank->host = host;
    }
    trace->lost_events += rank->lost;
    trace->incomplete |= rank->incomplete;
}

/* Appends names and values of an object's texts to a list of *count. */
static enum mw_status take_texts(struct mwa_trace *trace, json_t *object, const char ***list,
                                 uint64_t *count)
{
    uint64_t capacity = *count;
    const char *name;
    json_t *value;

    json_object_foreach(object, name, value) {
        const char *text = json_string_value(value);
        const char *kept[2];

        if (!text) {
            continue;
        }
        kept[0] = mwa_trace_text(trace, name);
        kept[1] = mwa_trace_text(trace, text);
        if (!kept[0] || !kept[1] || !mwa_grow(list, &capacity, *count + 2, sizeof **list)) {
            return MW_ERROR_MEMORY;
        }
        (*list)[(*count)++] = kept[0];
        (*list)[(*count)++] = kept[1];
    }
    return MW_OK;
}

/* What the run was recorded on: of rank 0's process, and of the job. */
static enum mw_status take_circumstances(struct mwa_trace *trace, const json_t *root)
{
    json_t *const first = json_array_get(json_object_get(root, "ranks"), 0);
    json_t *const objects[] = { json_object_get(first, "circumstances"),
                                json_object_get(root, "circumstances"),
                                json_object_get(root, "job"),
                                json_object_get(root, "mpi_environment") };
    enum mw_status status = MW_OK;

    for (size_t i = 0; i < sizeof objects / sizeof objects[0] && status == MW_OK; i++) {
        status = take_texts(trace, objects[i], &trace->circumstances,
                            &trace->circumstance_count);
    }
    return status;
}

/* Notes where it was cut out of a longer archive, which may go on before it or behind. */
static void take_cut(struct mwa_trace *trace, const json_t *cut)
{
    trace->begins_late = json_is_integer(json_object_get(cut, "from_ns"));
    trace->ends_early = json_is_integer(json_object_get(cut, "to_ns"));
    for (uint64_t i = 0; (trace->begins_late || trace->ends_early) && i < trace->rank_count; i++) {
        trace->ranks[i].paused = true;
    }
}

/* Notes whose records were written over from the beginning on: those of rings. */
static void take_ring(struct mwa_trace *trace)
{
    const char *on_full = mwa_trace_setting(trace, "on-full");

    trace->is_ring = on_full && strcmp(on_full, "wrap") == 0 && trace->lost_events > 0;
    trace->begins_late |= trace->is_ring;
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        trace->ends_early |= trace->ranks[i].incomplete;
    }
}

static enum mw_status take_root(struct mwa_trace *trace, const json_t *root)
{
    enum mw_status status;
    const json_t *list;
    const char *text;
    json_t *element;
    size_t index;

    take_places(trace, root);
    text = text_in(trace, root, "arguments");
    text = text ? text : text_in(trace, root, "program");
    trace->program = text ? text : trace->program;
    text = text_in(trace, root, "recorder");
    trace->creator = text ? text : trace->creator;
    trace->ended = text_in(trace, root, "ended");
    trace->mpi_library = text_in(trace, root, "mpi_library");
    trace->run = text_in(trace, root, "nonce");
    trace->incomplete |= json_is_false(json_object_get(root, "complete"));
    trace->ranks_expected = number_in(root, "ranks_expected", trace->ranks_expected);
    trace->incomplete |= trace->ranks_expected > trace->rank_count;
    list = json_object_get(root, "ranks");
    json_array_foreach(list, index, element) {
        take_rank(trace, element);
    }
    take_cut(trace, json_object_get(root, "cut"));
    trace->has_metadata = true;
    if (!mwa_communicators_take(trace, json_object_get(root, "communicators")) ||
        !mwa_filtered_take(trace, json_object_get(root, "filtered")) ||
        !mwa_variables_take(trace, json_object_get(root, "variables"))) {
        return MW_ERROR_MEMORY;
    }
    status = take_texts(trace, json_object_get(root, "settings"), &trace->settings,
                        &trace->setting_count);
    take_ring(trace);
    return status == MW_OK ? take_circumstances(trace, root) : status;
}

enum mw_status mwa_metadata_read(struct mwa_files *files, struct mwa_trace *trace,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(files);
    json_t *root;
    const char *schema;
    enum mw_status status = mwa_metadata_json(files, &root, diagnostic);

    if (status != MW_OK || !root) {
        return status;
    }
    schema = json_string_value(json_object_get(root, "schema"));
    if (!schema) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, log->last, 0, "it names no schema");
    } else if (strcmp(schema, SCHEMA) != 0) {
        status = mw_fail(diagnostic, MW_ERROR_VERSION, log->last, 0,
                         "its schema is \"%.60s\", not \"" SCHEMA "\"", schema);
    } else if (take_root(trace, root) != MW_OK) {
        status = mw_fail(diagnostic, MW_ERROR_MEMORY, log->last, 0, "no memory for its contents");
    } else {
        status = mwa_sampled_take(trace, json_object_get(root, "samples"), log->last, diagnostic);
    }
    json_decref(root);
    return status;
}
