/*
 * A program without a build-id could be another one by now: nothing is asked of it.
 */
#include "analyzer/load/debug_lines.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/load/metadata_json.h"
#include "analyzer/model/map.h"
#include "formats/archive/resolve_sites.h"
#include "formats/base/scratch.h"
#include "formats/table/calls.h"

/* What an address is of. */
struct target {
    bool is_frame; /* of the trace, else a site of it */
    uint32_t index;
};

struct looking {
    const char *directory;
    struct mwa_trace *trace;
    struct mw_merged_sites asked;
    struct target *targets; /* by spot that is asked for */
};

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static bool take_modules(struct looking *looking, const json_t *modules)
{
    struct mw_merged_sites *asked = &looking->asked;
    const json_t *module;
    size_t i;

    asked->modules = calloc(json_array_size(modules) + 1, sizeof *asked->modules);
    if (!asked->modules) {
        return false;
    }
    json_array_foreach(modules, i, module) {
        const char *build_id = text_in(module, "build_id");

        asked->modules[asked->module_count++] = (struct mw_merged_module){
            .path = *build_id ? text_in(module, "path") : "", .build_id = build_id
        };
    }
    return true;
}

/* The function of MPI that a site calls. */
static uint32_t call_of(const struct mwa_trace *trace, uint32_t site)
{
    const unsigned call = trace->regions[trace->sites[site].region].call;

    return call < MW_CALL_COUNT ? call : MW_SPOT_OF_FRAME;
}

/* Asks for an address that the archive tells, if it is one. */
static void ask_for(struct looking *looking, const json_t *address, bool is_frame, uint32_t index)
{
    struct mw_merged_sites *asked = &looking->asked;
    json_int_t module = json_integer_value(json_object_get(address, "module"));

    if (address && module >= 0 && module < (json_int_t)asked->module_count) {
        looking->targets[asked->spot_count] = (struct target){ is_frame, index };
        asked->spots[asked->spot_count++] = (struct mw_merged_spot){
            .module = (uint32_t)module,
            .address = strtoull(text_in(address, "address"), NULL, 16),
            .call = is_frame ? MW_SPOT_OF_FRAME : call_of(looking->trace, index)
        };
    }
}

static void take_sites(struct looking *looking, const json_t *sites)
{
    const json_t *site;
    size_t i;

    json_array_foreach(sites, i, site) {
        json_int_t region = json_integer_value(json_object_get(site, "region"));
        uint32_t index = region >= 0 && region < MWA_NONE
                             ? mwa_trace_site(looking->trace, (uint32_t)region)
                             : MWA_NONE;

        if (index != MWA_NONE && looking->trace->sites[index].line == 0) {
            ask_for(looking, json_array_get(json_object_get(site, "addresses"), 0), false, index);
        }
    }
}

/* Callers. False without memory. */
static bool take_contexts(struct looking *looking, const json_t *contexts)
{
    const struct mwa_trace *trace = looking->trace;
    struct mwa_map frames = { 0 };
    const json_t *context;
    bool enough = true;
    size_t i;

    for (uint64_t k = 0; enough && k < trace->frame_count; k++) {
        enough = mwa_map_put(&frames,
                             (struct mwa_key){ .low = trace->frames[k].context }, k);
    }
    json_array_foreach(contexts, i, context) {
        json_int_t id = json_integer_value(json_object_get(context, "context"));
        uint64_t index = enough && id >= 0
                             ? mwa_map_get(&frames, (struct mwa_key){ .low = (uint64_t)id })
                             : MWA_MAP_ABSENT;

        if (index != MWA_MAP_ABSENT && trace->frames[index].line == 0) {
            ask_for(looking, json_array_get(json_object_get(context, "addresses"), 0), true,
                    (uint32_t)index);
        }
    }
    mwa_map_fini(&frames);
    return enough;
}

static bool take_places(struct looking *looking, const json_t *root)
{
    const json_t *sites = json_object_get(root, "sites");
    const json_t *contexts = json_object_get(root, "contexts");
    const size_t most = json_array_size(sites) + json_array_size(contexts);

    looking->asked.spots = calloc(most + 1, sizeof *looking->asked.spots);
    looking->targets = calloc(most + 1, sizeof *looking->targets);
    if (!looking->asked.spots || !looking->targets) {
        return false;
    }
    take_sites(looking, sites);
    return take_contexts(looking, contexts);
}

/* Takes the lines that were found into the trace. */
static bool take_lines(struct looking *looking)
{
    for (uint32_t i = 0; i < looking->asked.spot_count; i++) {
        const struct mw_merged_spot *spot = &looking->asked.spots[i];
        const struct target *target = &looking->targets[i];
        const char *file, *function;

        if (spot->line == 0) {
            continue;
        }
        file = mwa_trace_text(looking->trace, spot->file);
        function = mwa_trace_text(looking->trace, spot->function);
        if (!file || !function) {
            return false;
        }
        if (target->is_frame) {
            struct mwa_stack_frame *frame = &looking->trace->frames[target->index];

            frame->file = file;
            frame->line = spot->line;
            frame->function = function;
        } else {
            struct mwa_site *site = &looking->trace->sites[target->index];

            site->file = file;
            site->line = spot->line;
            site->function = function;
        }
    }
    return true;
}

static bool find_resolver(char *path, size_t size)
{
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);

    own[length > 0 ? length : 0] = '\0';
    return mw_resolver_find(own, PKGLIBDIR, path, size);
}

static enum mw_status ask(struct looking *looking, struct mw_diagnostic *diagnostic)
{
    const char *parent = getenv("TMPDIR");
    struct mw_scratch scratch = {.path = ""};
    char resolver[PATH_MAX];
    enum mw_status status;

    if (!find_resolver(resolver, sizeof resolver)) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, PKGLIBDIR, MW_DIAGNOSTIC_OFFSET_NONE,
                       "no " MW_RESOLVER_NAME " there: mpiwatch was built without libdw");
    }
    status = mw_scratch_create(&scratch, parent && *parent ? parent : "/tmp", diagnostic);
    if (status == MW_OK) {
        status = mw_sites_resolve(&looking->asked,
                                  &(struct mw_sites_resolver){ resolver, looking->directory,
                                                               MW_PATHS_FULL },
                                  scratch.path, diagnostic);
    }
    if (status == MW_OK && !take_lines(looking)) {
        status = mw_no_memory(diagnostic, NULL, "for the lines of calls");
    }
    mw_scratch_remove(&scratch);
    return status;
}

enum mw_status mwa_debug_lines_find(struct mwa_files *files, const char *directory,
                                    struct mwa_trace *trace, struct mw_diagnostic *diagnostic)
{
    char absolute[PATH_MAX];
    struct looking looking = { .directory = absolute, .trace = trace };
    enum mw_status status;
    struct stat about;
    json_t *root;

    if (!realpath(directory, absolute) || stat(absolute, &about) != 0 ||
        !S_ISDIR(about.st_mode)) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, directory, MW_DIAGNOSTIC_OFFSET_NONE,
                       "it is no directory");
    }
    status = mwa_metadata_json(files, &root, diagnostic);
    if (status != MW_OK || !root) {
        return status;
    }
    if (!take_modules(&looking, json_object_get(root, "modules")) ||
        !take_places(&looking, root)) {
        status = mw_no_memory(diagnostic, NULL, "for the places of calls");
    } else if (looking.asked.spot_count > 0) {
        status = ask(&looking, diagnostic);
    }
    free(looking.targets);
    mw_merged_sites_fini(&looking.asked);
    json_decref(root);
    return status;
}
