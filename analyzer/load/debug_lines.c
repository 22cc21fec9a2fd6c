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
#include "formats/archive/resolve_sites.h"
#include "formats/base/scratch.h"

struct looking {
    const char *directory;
    struct mwa_trace *trace;
    struct mw_merged_sites asked;
    uint32_t *sites; /* of the trace, by spot that is asked for */
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

static bool take_sites(struct looking *looking, const json_t *sites)
{
    struct mw_merged_sites *asked = &looking->asked;
    const json_t *site;
    size_t i;

    asked->spots = calloc(json_array_size(sites) + 1, sizeof *asked->spots);
    looking->sites = calloc(json_array_size(sites) + 1, sizeof *looking->sites);
    if (!asked->spots || !looking->sites) {
        return false;
    }
    json_array_foreach(sites, i, site) {
        const json_t *address = json_array_get(json_object_get(site, "addresses"), 0);
        json_int_t region = json_integer_value(json_object_get(site, "region"));
        json_int_t module = json_integer_value(json_object_get(address, "module"));
        uint32_t index = region >= 0 && region < MWA_NONE
                             ? mwa_trace_site(looking->trace, (uint32_t)region)
                             : MWA_NONE;

        if (address && index != MWA_NONE && looking->trace->sites[index].line == 0 &&
            module >= 0 && module < (json_int_t)asked->module_count) {
            looking->sites[asked->spot_count] = index;
            asked->spots[asked->spot_count++] = (struct mw_merged_spot){
                .module = (uint32_t)module,
                .address = strtoull(text_in(address, "address"), NULL, 16)
            };
        }
    }
    return true;
}

/* Takes the lines that were found into the trace. */
static bool take_lines(struct looking *looking)
{
    for (uint32_t i = 0; i < looking->asked.spot_count; i++) {
        const struct mw_merged_spot *spot = &looking->asked.spots[i];
        struct mwa_site *site = &looking->trace->sites[looking->sites[i]];
        const char *file = spot->line > 0 ? mwa_trace_text(looking->trace, spot->file) : "";
        const char *function =
            spot->line > 0 ? mwa_trace_text(looking->trace, spot->function) : "";

        if (!file || !function) {
            return false;
        }
        if (spot->line > 0) {
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
        status = mw_sites_resolve(&looking->asked, resolver, looking->directory, MW_PATHS_FULL,
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
        !take_sites(&looking, json_object_get(root, "sites"))) {
        status = mw_no_memory(diagnostic, NULL, "for the places of calls");
    } else if (looking.asked.spot_count > 0) {
        status = ask(&looking, diagnostic);
    }
    free(looking.sites);
    mw_merged_sites_fini(&looking.asked);
    json_decref(root);
    return status;
}
