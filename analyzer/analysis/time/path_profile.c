/* Numbers of paths are a location's own: trees are put together region by region. */
#include "analyzer/analysis/time/path_profile.h"

#include <stdlib.h>

#include "analyzer/analysis/comms/charge.h"
#include "analyzer/team/packing.h"
#include "formats/base/order.h"

/* Its times are ticks. */
struct partial {
    const struct mwa_trace *trace;
    struct mwa_region_paths paths;
    struct mwa_index index; /* of rows, by path and site */
    struct mwa_path_time *rows;
    const struct mwa_region_path **stack; /* of the regions that are open */
    uint64_t capacity;
    uint64_t depth;
    struct mwa_charger charger; /* where communicators are selected */
};

static enum mw_status begin(void *data)
{
    struct partial *partial = data;

    mwa_charger_init(&partial->charger);
    return MW_OK;
}

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_region_paths_fini(&partial->paths);
    mwa_index_fini(&partial->index);
    mwa_charger_fini(&partial->charger);
    free(partial->rows);
    free(partial->stack);
}

static enum mw_status add(struct partial *partial, const struct mwa_region_path *path,
                          uint32_t site, uint64_t ticks)
{
    const struct mwa_key key = { path->number, site };
    uint64_t at = mwa_index_of(&partial->index, key, &partial->rows, sizeof *partial->rows);

    if (at == MWA_MAP_ABSENT) {
        return MW_ERROR_MEMORY;
    }
    partial->rows[at].path = path;
    partial->rows[at].site = site;
    partial->rows[at].time_ns += ticks;
    return MW_OK;
}

static const struct mwa_region_path *innermost(const struct partial *partial)
{
    return partial->depth > 0 ? partial->stack[partial->depth - 1] : NULL;
}

static enum mw_status open_region(struct partial *partial, const struct mwa_region *region)
{
    const struct mwa_region_path *path =
        mwa_region_paths_enter(&partial->paths, innermost(partial), region);

    if (!path || !mwa_grow(&partial->stack, &partial->capacity, partial->depth + 1,
                           sizeof *partial->stack)) {
        return MW_ERROR_MEMORY;
    }
    partial->stack[partial->depth++] = path;
    return MW_OK;
}

static enum mw_status take_call(struct partial *partial, const struct mwa_call *call)
{
    if (call->region->kind == MWA_REGION_USER || !innermost(partial)) {
        return MW_OK;
    }
    return add(partial, innermost(partial), call->site, call->exclusive);
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    const struct mwa_event *now = moment->event;
    struct mwa_charge charge;
    const struct mwa_call *call;
    enum mw_status status;

    if (now->kind == MWA_ENTER &&
        partial->trace->regions[now->of.call.region].kind == MWA_REGION_USER) {
        return open_region(partial, &partial->trace->regions[now->of.call.region]);
    }
    status = mwa_charger_call(&partial->charger, moment, &charge, &call);
    if (status == MW_OK && call) {
        status = take_call(partial, call);
    }
    if (moment->call && moment->call->region->kind == MWA_REGION_USER && partial->depth > 0) {
        partial->depth--;
    }
    return status;
}

/* The same path in paths; null without memory. */
static const struct mwa_region_path *copy_path(struct mwa_region_paths *paths,
                                               const struct mwa_region_path *path)
{
    const struct mwa_region_path *outer = path->outer ? copy_path(paths, path->outer) : NULL;

    return path->outer && !outer ? NULL : mwa_region_paths_enter(paths, outer, path->region);
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < from->index.count && status == MW_OK; i++) {
        const struct mwa_path_time *row = &from->rows[i];
        const struct mwa_region_path *path = copy_path(&into->paths, row->path);

        status = path ? add(into, path, row->site, row->time_ns) : MW_ERROR_MEMORY;
    }
    return status;
}

/* A path as bytes: that which it is in is one of those before it. */
struct packed_path {
    uint32_t outer; /* number, MWA_NONE: in none */
    uint32_t region; /* index */
};

struct packed_row {
    uint32_t path; /* number */
    uint32_t site;
    uint64_t ticks;
};

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mw_buffer_u64(to, partial->paths.index.count);
    for (uint64_t i = 0; i < partial->paths.index.count; i++) {
        const struct mwa_region_path *path = partial->paths.all[i];
        const struct packed_path packed = { path->outer ? path->outer->number : MWA_NONE,
                                            (uint32_t)(path->region - partial->trace->regions) };

        mw_buffer_append(to, &packed, sizeof packed);
    }
    mw_buffer_u64(to, partial->index.count);
    for (uint64_t i = 0; i < partial->index.count; i++) {
        const struct mwa_path_time *row = &partial->rows[i];
        const struct packed_row packed = { row->path->number, row->site, row->time_ns };

        mw_buffer_append(to, &packed, sizeof packed);
    }
}

static enum mw_status unpack_paths(struct partial *partial, const struct packed_path *paths,
                                   uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const struct mwa_region_path *path;

        if ((paths[i].outer >= i && paths[i].outer != MWA_NONE) ||
            paths[i].region >= partial->trace->region_count) {
            return MW_ERROR_FORMAT;
        }
        path = mwa_region_paths_enter(
            &partial->paths, paths[i].outer == MWA_NONE ? NULL : partial->paths.all[paths[i].outer],
            &partial->trace->regions[paths[i].region]);
        if (!path || path->number != i) {
            return path ? MW_ERROR_FORMAT : MW_ERROR_MEMORY;
        }
    }
    return MW_OK;
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;
    struct packed_path *paths = NULL;
    struct packed_row *rows = NULL;
    uint64_t path_count, row_count = 0;
    enum mw_status status = mwa_unpack_array(from, &paths, &path_count, sizeof *paths);

    if (status == MW_OK) {
        status = mwa_unpack_array(from, &rows, &row_count, sizeof *rows);
    }
    if (status == MW_OK) {
        status = unpack_paths(partial, paths, path_count);
    }
    for (uint64_t i = 0; i < row_count && status == MW_OK; i++) {
        const bool is_known =
            rows[i].path < path_count &&
            (rows[i].site < partial->trace->site_count || rows[i].site == MWA_NONE);

        status = is_known ? add(partial, partial->paths.all[rows[i].path], rows[i].site,
                                rows[i].ticks)
                          : MW_ERROR_FORMAT;
    }
    free(paths);
    free(rows);
    return status;
}

/* Which of two paths comes first, whatever their numbers: threads meet them in any order. */
static int compare_paths(const struct mwa_region_path *a, const struct mwa_region_path *b)
{
    if (a == b) {
        return 0;
    }
    if (a->depth != b->depth) {
        return a->depth < b->depth ? -1 : 1;
    }
    return (a->outer ? compare_paths(a->outer, b->outer) : 0) ?: mw_order((uintptr_t)a->region,
                                                                          (uintptr_t)b->region);
}

static int by_site(const void *one, const void *other)
{
    const struct mwa_path_time *a = one;
    const struct mwa_path_time *b = other;

    return mw_order(a->site, b->site) ?: compare_paths(a->path, b->path);
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_path_profile *profile = result;

    *profile = (struct mwa_path_profile){ .count = partial->index.count };
    profile->rows = calloc(profile->count + 1, sizeof *profile->rows);
    if (!profile->rows) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < profile->count; i++) {
        profile->rows[i] = partial->rows[i];
        profile->rows[i].time_ns = mwa_trace_ns(partial->trace, partial->rows[i].time_ns);
        profile->rows[i].path = copy_path(&profile->paths, partial->rows[i].path);
        if (!profile->rows[i].path) {
            return MW_ERROR_MEMORY;
        }
    }
    qsort(profile->rows, profile->count, sizeof *profile->rows, by_site);
    return MW_OK;
}

void mwa_path_profile_fini(struct mwa_path_profile *profile)
{
    mwa_region_paths_fini(&profile->paths);
    free(profile->rows);
    *profile = (struct mwa_path_profile){ 0 };
}

const struct mwa_analysis mwa_paths_analysis = { .name = "region paths",
                                                 .kinds = MWA_KINDS_ALL,
                                                 .size = sizeof(struct partial),
                                                 .begin = begin,
                                                 .event = event,
                                                 .merge = merge,
                                                 .pack = pack,
                                                 .unpack = unpack,
                                                 .finish = finish,
                                                 .fini = fini };
