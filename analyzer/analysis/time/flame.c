/* Functions of the same name that are called by the same one are one node, whatever their lines. */
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

/* The function of a site that tells no stack, without "+0x12": how far in it the call is. */
static uint32_t add_function(struct making *making, const struct mwa_site *site, uint32_t root)
{
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
    node = child_of(making, root, name, false);
    free(name);
    return node;
}

/* The function that makes the call, below those that called it; MWA_NONE without memory. */
static uint32_t function_of(struct making *making, uint32_t site, uint32_t root)
{
    const struct mwa_trace *trace = making->trace;
    uint32_t frames[MWA_STACK_FRAMES];
    bool is_cut;
    uint32_t count = mwa_trace_stack(trace, site, frames, &is_cut);
    uint32_t node = is_cut ? child_of(making, root, CUT, false) : root;

    for (uint32_t i = 0; i < count && node != MWA_NONE; i++) {
        node = child_of(making, node, trace->frames[frames[i]].function, false);
    }
    return count == 0 && node != MWA_NONE ? add_function(making, &trace->sites[site], node) : node;
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

static enum mw_status add_site(struct making *making, const struct mwa_site_row *row,
                               uint64_t wait_ns)
{
    const struct mwa_trace *trace = making->trace;
    char place[MWA_PLACE_BYTES];
    char call[MWA_PLACE_BYTES + 64];
    uint32_t node = child_of(making, MWA_NONE, "MPI", false);

    snprintf(call, sizeof call, "%.60s %s", trace->regions[trace->sites[row->site].region].name,
             mwa_place(trace, row->site, place) ? place : "");
    call[strlen(call) - (call[strlen(call) - 1] == ' ')] = '\0';
    if (node != MWA_NONE) {
        node = function_of(making, row->site, node);
    }
    if (node != MWA_NONE) {
        node = child_of(making, node, call, true);
    }
    if (node == MWA_NONE) {
        return MW_ERROR_MEMORY;
    }
    for (; node != MWA_NONE; node = making->flame->nodes[node].parent) {
        making->flame->nodes[node].time_ns += row->time_ns;
        making->flame->nodes[node].wait_ns += wait_ns;
    }
    return MW_OK;
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
                              const struct mwa_waits *waits, struct mwa_flame *flame)
{
    struct making making = { .trace = trace, .flame = flame };
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < sites->place_count && status == MW_OK; i++) {
        const struct mwa_place_row *place = &sites->places[i];

        for (uint64_t k = 0; k < place->count && status == MW_OK; k++) {
            const struct mwa_site_row *row = &place->rows[k];

            if (trace->regions[trace->sites[row->site].region].kind == MWA_REGION_MPI) {
                status = add_site(&making, row, wait_of(waits, row->site));
            }
        }
    }
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
    uint32_t path[MWA_STACK_FRAMES + 3];
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
