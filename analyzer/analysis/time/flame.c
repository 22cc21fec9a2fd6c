/*
 * Functions of the same name that are called by the same one are one node, whatever their lines.
 * What a site has beyond the regions of the program that it is called in was called in none.
 */
#include "analyzer/analysis/time/flame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/model/places.h"
#include "formats/base/buffer.h"
#include "formats/base/order.h"

#define CUT "..." /* who called the outermost function that is known */

struct making {
    const struct mwa_trace *trace;
    struct mwa_flame *flame;
    struct mwa_index index; /* of nodes, by parent and name */
};

/* FNV-1a, of names of different kinds different. */
static uint64_t hash_of(const char *name, bool is_call)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) + is_call;

    for (; *name; name++) {
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* The child of that name, which may be new; MWA_NONE without memory. */
static uint32_t child_of(struct making *making, uint32_t parent, const char *name, bool is_call)
{
    struct mwa_flame *flame = making->flame;
    const struct mwa_key key = { parent, hash_of(name, is_call) };
    uint64_t at = mwa_index_put(&making->index, key, &flame->nodes, sizeof *flame->nodes);
    struct mwa_flame_node *node;

    if (at == MWA_MAP_ABSENT || at >= MWA_NONE) {
        return MWA_NONE;
    }
    flame->count = making->index.count;
    node = &flame->nodes[at];
    if (!node->name) {
        *node = (struct mwa_flame_node){ .name = strdup(name), .parent = parent,
                                         .depth = parent == MWA_NONE
                                                      ? 0
                                                      : flame->nodes[parent].depth + 1,
                                         .is_call = is_call };
        flame->depth = node->depth > flame->depth ? node->depth : flame->depth;
    }
    return node->name ? (uint32_t)at : MWA_NONE;
}

/* The regions of a path, the outermost first, below root. */
static uint32_t add_regions(struct making *making, const struct mwa_region_path *path,
                            uint32_t root)
{
    if (path) {
        root = add_regions(making, path->outer, root);
        return root == MWA_NONE ? root : child_of(making, root, path->region->name, false);
    }
    return root;
}

/*
 * The function of a site that tells no stack, without "+0x12": how far in it the call is. It is
 * often the region that root is.
 */
static uint32_t add_function(struct making *making, const struct mwa_site *site, uint32_t root)
{
    const struct mwa_flame_node *outer = &making->flame->nodes[root];
    const char *offset = *site->file ? NULL : strstr(site->function, "+0x");
    int length = offset ? (int)(offset - site->function) : (int)strlen(site->function);
    char *name = NULL;
    uint32_t node;

    if (length == 0) {
        return root;
    }
    if (asprintf(&name, "%.*s", length, site->function) < 0) {
        return MWA_NONE;
    }
    node = outer->depth > 0 && strcmp(outer->name, name) == 0 ? root
                                                              : child_of(making, root, name, false);
    free(name);
    return node;
}

/*
 * The function that makes the call, below those that called it, or the regions of the program where
 * these are not told; MWA_NONE without memory.
 */
static uint32_t function_of(struct making *making, uint32_t site,
                            const struct mwa_region_path *path, uint32_t root)
{
    const struct mwa_trace *trace = making->trace;
    uint32_t frames[MWA_STACK_FRAMES];
    bool is_cut;
    uint32_t count = mwa_trace_stack(trace, site, frames, &is_cut);
    uint32_t node = is_cut ? child_of(making, root, CUT, false) : root;

    for (uint32_t i = 0; i < count && node != MWA_NONE; i++) {
        node = child_of(making, node, trace->frames[frames[i]].function, false);
    }
    if (count == 0 && node != MWA_NONE) {
        node = add_regions(making, path, node);
        return node == MWA_NONE ? node : add_function(making, &trace->sites[site], node);
    }
    return node;
}

static uint64_t wait_of(const struct mwa_waits *waits, uint32_t site)
{
    uint64_t wait = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        if (mwa_wait_role(i) == MWA_WAIT_COUNTS && waits->rows[i].site_ns) {
            wait += waits->rows[i].site_ns[site];
        }
    }
    return wait;
}

/* Adds time at a site, in the regions of path (null: in none). */
static enum mw_status add_time(struct making *making, uint32_t site,
                               const struct mwa_region_path *path, uint64_t time_ns,
                               uint64_t wait_ns)
{
    const struct mwa_trace *trace = making->trace;
    char place[MWA_PLACE_BYTES];
    char call[MWA_PLACE_BYTES + 64];
    uint32_t node = child_of(making, MWA_NONE, "MPI", false);

    snprintf(call, sizeof call, "%.60s %s", trace->regions[trace->sites[site].region].name,
             mwa_source_place(trace, site, place) ? place : "");
    call[strlen(call) - (call[strlen(call) - 1] == ' ')] = '\0';
    if (node != MWA_NONE) {
        node = function_of(making, site, path, node);
    }
    if (node != MWA_NONE) {
        node = child_of(making, node, call, true);
    }
    if (node == MWA_NONE) {
        return MW_ERROR_MEMORY;
    }
    for (; node != MWA_NONE; node = making->flame->nodes[node].parent) {
        making->flame->nodes[node].time_ns += time_ns;
        making->flame->nodes[node].wait_ns += wait_ns;
    }
    return MW_OK;
}

/* What is known of sites: time and waits, in ns, of which what is added is taken off. */
struct left {
    uint64_t time_ns;
    uint64_t wait_ns;
};

/* The same of all calls that count, by site; null without memory. */
static struct left *list_sites(const struct making *making, const struct mwa_site_profile *sites,
                               const struct mwa_waits *waits)
{
    const struct mwa_trace *trace = making->trace;
    struct left *left = calloc(trace->site_count + 1, sizeof *left);

    for (uint64_t i = 0; i < sites->place_count && left; i++) {
        for (uint64_t k = 0; k < sites->places[i].count; k++) {
            const struct mwa_site_row *row = &sites->places[i].rows[k];

            if (trace->regions[trace->sites[row->site].region].kind == MWA_REGION_MPI) {
                left[row->site] = (struct left){ row->time_ns, wait_of(waits, row->site) };
            }
        }
    }
    return left;
}

static uint64_t take(uint64_t *left, uint64_t ns)
{
    ns = ns < *left ? ns : *left;
    *left -= ns;
    return ns;
}

/* Adds what was in regions of the program. */
static enum mw_status add_paths(struct making *making, const struct mwa_path_profile *paths,
                                const struct mwa_waits *waits, struct left *left)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < paths->count && status == MW_OK; i++) {
        const struct mwa_path_time *row = &paths->rows[i];
        uint64_t ns = take(&left[row->site].time_ns, row->time_ns);

        status = ns > 0 ? add_time(making, row->site, row->path, ns, 0) : MW_OK;
    }
    for (uint64_t i = 0; i < waits->path_count && status == MW_OK; i++) {
        const struct mwa_path_wait *row = &waits->paths[i];
        uint64_t ns = take(&left[row->site].wait_ns, row->ns);

        status = ns > 0 ? add_time(making, row->site, row->path, 0, ns) : MW_OK;
    }
    return status;
}

static int by_parent_and_time(const void *one, const void *other, void *user)
{
    const struct mwa_flame_node *nodes = user;
    const struct mwa_flame_node *a = &nodes[*(const uint32_t *)one];
    const struct mwa_flame_node *b = &nodes[*(const uint32_t *)other];

    return mw_order(a->parent, b->parent) ?: mw_order(b->time_ns, a->time_ns)
               ?: strcmp(a->name, b->name);
}

static int by_time(const void *one, const void *other, void *user)
{
    const struct mwa_flame_node *nodes = user;
    uint32_t a = *(const uint32_t *)one;
    uint32_t b = *(const uint32_t *)other;

    return mw_order(nodes[b].time_ns, nodes[a].time_ns) ?: mw_order(a, b);
}

/* Puts children beside each other. */
static enum mw_status sort(struct mwa_flame *flame)
{
    flame->children = calloc(flame->count + 1, sizeof *flame->children);
    flame->calls = calloc(flame->count + 1, sizeof *flame->calls);
    if (!flame->children || !flame->calls) {
        return MW_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < flame->count; i++) {
        flame->children[i] = i;
        if (flame->nodes[i].is_call) {
            flame->calls[flame->call_count++] = i;
        }
    }
    qsort_r(flame->children, flame->count, sizeof *flame->children, by_parent_and_time,
            flame->nodes);
    qsort_r(flame->calls, flame->call_count, sizeof *flame->calls, by_time, flame->nodes);
    for (uint64_t i = 0; i < flame->count; i++) {
        uint32_t parent = flame->nodes[flame->children[i]].parent;

        if (parent != MWA_NONE && flame->nodes[parent].count++ == 0) {
            flame->nodes[parent].first = i;
        }
    }
    return MW_OK;
}

enum mw_status mwa_flame_make(const struct mwa_trace *trace,
                              const struct mwa_site_profile *sites,
                              const struct mwa_path_profile *paths,
                              const struct mwa_waits *waits, struct mwa_flame *flame)
{
    struct making making = { .trace = trace, .flame = flame };
    struct left *left = list_sites(&making, sites, waits);
    enum mw_status status =
        left ? add_paths(&making, paths, waits, left) : MW_ERROR_MEMORY;

    for (uint64_t i = 0; i < trace->site_count && status == MW_OK; i++) {
        if (left[i].time_ns > 0 || left[i].wait_ns > 0) {
            status = add_time(&making, (uint32_t)i, NULL, left[i].time_ns, left[i].wait_ns);
        }
    }
    free(left);
    mwa_index_fini(&making.index);
    return status == MW_OK ? sort(flame) : status;
}

void mwa_flame_fini(struct mwa_flame *flame)
{
    for (uint64_t i = 0; i < flame->count; i++) {
        free(flame->nodes[i].name);
    }
    free(flame->nodes);
    free(flame->children);
    free(flame->calls);
    *flame = (struct mwa_flame){ 0 };
}

char *mwa_flame_path(const struct mwa_flame *flame, uint32_t node, const char *separator)
{
    uint32_t path[MWA_STACK_FRAMES + MWA_REGION_PATH_DEPTH + 3];
    uint32_t count = 0;
    struct mw_buffer text = { 0 };

    for (; flame->nodes[node].depth > 0; node = flame->nodes[node].parent) {
        path[count++] = node;
    }
    while (count > 0) {
        const char *name = flame->nodes[path[--count]].name;

        for (; *name; name++) {
            mw_buffer_append(&text, *name == ';' ? "," : name, 1);
        }
        if (count > 0) {
            mw_buffer_append(&text, separator, strlen(separator));
        }
    }
    mw_buffer_append(&text, "", 1);
    if (text.failed) {
        mw_buffer_fini(&text);
        return NULL;
    }
    return text.data;
}
