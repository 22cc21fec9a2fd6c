/* Lists have one element more than they need, so that of one that is there some are packed. */
#include "analyzer/analysis/waits/waits_packing.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

/* --- lists -------------------------------------------------------------------------------- */

/* A list of so many elements, and one more; null: all are 0. */
struct list {
    uint64_t **elements;
    uint64_t count;
};

#define ROW_LISTS 8u

static void find_lists(const struct mwa_waits *waits, struct mwa_wait_row *row,
                       struct list lists[ROW_LISTS])
{
    const struct list of_row[ROW_LISTS] = { { &row->rank_ns, waits->rank_count },
                                            { &row->cause_ns, waits->rank_count },
                                            { &row->call_ns, waits->call_count },
                                            { &row->site_ns, waits->site_count },
                                            { &row->place_ns, waits->site_count },
                                            { &row->cause_place_ns, waits->site_count },
                                            { &row->region_ns, waits->region_count },
                                            { &row->comm_ns, waits->comm_count } };

    for (uint32_t i = 0; i < ROW_LISTS; i++) {
        lists[i] = of_row[i];
    }
}

static void pack_list(const struct list *list, struct mw_buffer *to)
{
    mwa_pack_array(to, *list->elements, *list->elements ? list->count + 1 : 0,
                   sizeof **list->elements);
}

static enum mw_status unpack_list(const struct list *list, struct mw_cursor *from)
{
    uint64_t count = 0;
    enum mw_status status =
        mwa_unpack_array(from, list->elements, &count, sizeof **list->elements);

    if (status == MW_OK && count == 0) {
        free(*list->elements);
        *list->elements = NULL;
    }
    return status == MW_OK && count > 0 && count != list->count + 1 ? MW_ERROR_FORMAT : status;
}

/* --- waits -------------------------------------------------------------------------------- */

#define IS_GROUPED      1u
#define IS_OTHER_THREAD 2u
#define USE_SHIFT       2

/* A wait, without the regions that it is in. */
struct packed {
    uint64_t time;
    uint64_t wait;
    uint64_t between;
    uint64_t message;
    uint32_t location;
    uint32_t rank;
    uint32_t cause;
    uint32_t call; /* index of the region */
    uint32_t site;
    uint32_t cause_site;
    uint32_t comm;
    uint32_t is;
};

void mwa_wait_pack(const struct mwa_trace *trace, const struct mwa_wait *wait,
                   struct mw_buffer *to)
{
    const struct packed packed = { .time = wait->time,
                                   .wait = wait->wait,
                                   .between = wait->between,
                                   .message = wait->message,
                                   .location = wait->location,
                                   .rank = wait->rank,
                                   .cause = wait->cause,
                                   .call = (uint32_t)(wait->call - trace->regions),
                                   .site = wait->site,
                                   .cause_site = wait->cause_site,
                                   .comm = wait->comm,
                                   .is = (wait->grouped ? IS_GROUPED : 0) |
                                         (wait->other_thread ? IS_OTHER_THREAD : 0) |
                                         (uint32_t)wait->use << USE_SHIFT };

    mwa_pack_array(to, &packed, 1, sizeof packed);
    mwa_region_path_pack(trace, wait->within, to);
}

static bool is_of(const struct mwa_trace *trace, const struct packed *packed)
{
    return packed->location < trace->location_count && packed->rank < trace->rank_count &&
           packed->call < trace->region_count &&
           trace->regions[packed->call].mpi_index < trace->mpi_region_count &&
           packed->is >> USE_SHIFT < MWA_USES &&
           mwa_is_none_or_below(packed->cause, trace->rank_count) &&
           mwa_is_none_or_below(packed->site, trace->site_count) &&
           mwa_is_none_or_below(packed->cause_site, trace->site_count) &&
           mwa_is_none_or_below(packed->comm, trace->comm_count) &&
           (packed->message == UINT64_MAX ||
            packed->message >> MWA_MESSAGE_RANK_BITS < trace->rank_count);
}

enum mw_status mwa_wait_unpack(const struct mwa_trace *trace, struct mwa_region_paths *paths,
                               struct mw_cursor *from, struct mwa_wait *wait)
{
    struct packed packed;
    enum mw_status status = mwa_unpack_into(from, &packed, 1, sizeof packed);

    if (status != MW_OK || !is_of(trace, &packed)) {
        return MW_ERROR_FORMAT;
    }
    *wait = (struct mwa_wait){ .time = packed.time,
                               .wait = packed.wait,
                               .between = packed.between,
                               .message = packed.message,
                               .location = packed.location,
                               .rank = packed.rank,
                               .cause = packed.cause,
                               .call = &trace->regions[packed.call],
                               .use = (enum mwa_use)(packed.is >> USE_SHIFT),
                               .site = packed.site,
                               .cause_site = packed.cause_site,
                               .comm = packed.comm,
                               .grouped = (packed.is & IS_GROUPED) != 0,
                               .other_thread = (packed.is & IS_OTHER_THREAD) != 0 };
    return mwa_region_path_unpack(paths, trace, from, &wait->within);
}

/* Those of count that are there. */
static void pack_waits(const struct mwa_trace *trace, const struct mwa_wait *waits, uint32_t count,
                       struct mw_buffer *to)
{
    uint32_t there = 0;

    for (uint32_t i = 0; i < count; i++) {
        there += waits[i].wait > 0;
    }
    mwa_pack_array(to, &there, 1, sizeof there);
    for (uint32_t i = 0; i < count; i++) {
        if (waits[i].wait > 0) {
            mwa_wait_pack(trace, &waits[i], to);
        }
    }
}

/* Those that were there, at most so many, from the first place on. */
static enum mw_status unpack_waits(const struct mwa_trace *trace, struct mwa_region_paths *paths,
                                   struct mw_cursor *from, struct mwa_wait *waits, uint32_t most,
                                   uint32_t *count)
{
    uint32_t there = 0;
    enum mw_status status = mwa_unpack_into(from, &there, 1, sizeof there);

    *count = 0;
    if (status != MW_OK || there > most) {
        return MW_ERROR_FORMAT;
    }
    while (*count < there && status == MW_OK) {
        status = mwa_wait_unpack(trace, paths, from, &waits[*count]);
        *count += status == MW_OK;
    }
    return status;
}

/* --- rows --------------------------------------------------------------------------------- */

static void pack_row(const struct mwa_trace *trace, const struct mwa_waits *waits,
                     struct mwa_wait_row *row, struct mw_buffer *to)
{
    const uint64_t sums[] = { row->total_ns, row->instances, row->synchronizations };
    struct list lists[ROW_LISTS];

    mwa_pack_array(to, sums, 3, sizeof *sums);
    find_lists(waits, row, lists);
    for (uint32_t i = 0; i < ROW_LISTS; i++) {
        pack_list(&lists[i], to);
    }
    pack_waits(trace, row->worst, row->worst_count, to);
}

static enum mw_status unpack_row(const struct mwa_trace *trace, struct mwa_region_paths *paths,
                                 struct mw_cursor *from, const struct mwa_waits *waits,
                                 struct mwa_wait_row *row)
{
    uint64_t sums[3] = { 0 };
    struct list lists[ROW_LISTS];
    enum mw_status status = mwa_unpack_into(from, sums, 3, sizeof *sums);

    row->total_ns = sums[0];
    row->instances = sums[1];
    row->synchronizations = sums[2];
    find_lists(waits, row, lists);
    for (uint32_t i = 0; i < ROW_LISTS && status == MW_OK; i++) {
        status = unpack_list(&lists[i], from);
    }
    return status == MW_OK ? unpack_waits(trace, paths, from, row->worst, MWA_WAITS_WORST,
                                          &row->worst_count)
                           : status;
}

/* --- paths -------------------------------------------------------------------------------- */

static void pack_paths(const struct mwa_trace *trace, const struct mwa_waits *waits,
                       struct mw_buffer *to)
{
    mwa_pack_array(to, &waits->path_count, 1, sizeof waits->path_count);
    for (uint64_t i = 0; i < waits->path_count; i++) {
        const uint64_t numbers[] = { waits->paths[i].site, waits->paths[i].ns };

        mwa_pack_array(to, numbers, 2, sizeof *numbers);
        mwa_region_path_pack(trace, waits->paths[i].path, to);
    }
}

static enum mw_status unpack_path(const struct mwa_trace *trace, struct mwa_region_paths *paths,
                                  struct mw_cursor *from, struct mwa_path_wait *row)
{
    uint64_t numbers[2] = { 0 };
    enum mw_status status = mwa_unpack_into(from, numbers, 2, sizeof *numbers);

    if (status == MW_OK && numbers[0] != MWA_NONE && numbers[0] >= trace->site_count) {
        status = MW_ERROR_FORMAT;
    }
    row->site = (uint32_t)numbers[0];
    row->ns = numbers[1];
    status = status == MW_OK ? mwa_region_path_unpack(paths, trace, from, &row->path) : status;
    return status == MW_OK && !row->path ? MW_ERROR_FORMAT : status;
}

static enum mw_status unpack_paths(const struct mwa_trace *trace, struct mwa_region_paths *paths,
                                   struct mw_cursor *from, struct mwa_waits *waits)
{
    uint64_t count = 0, capacity = 0;
    enum mw_status status = mwa_unpack_into(from, &count, 1, sizeof count);

    while (status == MW_OK && waits->path_count < count) {
        if (!mwa_grow(&waits->paths, &capacity, waits->path_count + 1, sizeof *waits->paths)) {
            return MW_ERROR_MEMORY;
        }
        status = unpack_path(trace, paths, from, &waits->paths[waits->path_count]);
        waits->path_count += status == MW_OK;
    }
    return status;
}

/* --- all of it ---------------------------------------------------------------------------- */

void mwa_waits_pack(const struct mwa_trace *trace, struct mwa_waits *waits, struct mw_buffer *to)
{
    const struct list unmet = { &waits->unmet_ns, waits->call_count };
    const struct list other_threads = { &waits->other_threads_ns, waits->rank_count };
    const struct list reordered = { &waits->reordered_ns, waits->rank_count };
    const struct list between = { &waits->between_ns, waits->rank_count };
    const uint64_t counts[] = { waits->violations, waits->violation_max_ns, waits->uncertain,
                                waits->neighbors_unknown };

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        pack_row(trace, waits, &waits->rows[i], to);
    }
    pack_waits(trace, waits->longest, MWA_WAITS_PARTS, to);
    pack_paths(trace, waits, to);
    pack_list(&unmet, to);
    pack_list(&other_threads, to);
    pack_list(&reordered, to);
    pack_list(&between, to);
    mwa_pack_array(to, counts, 4, sizeof *counts);
}

static enum mw_status unpack_sums(struct mw_cursor *from, struct mwa_waits *waits)
{
    const struct list unmet = { &waits->unmet_ns, waits->call_count };
    const struct list other_threads = { &waits->other_threads_ns, waits->rank_count };
    const struct list reordered = { &waits->reordered_ns, waits->rank_count };
    const struct list between = { &waits->between_ns, waits->rank_count };
    uint64_t counts[4] = { 0 };
    enum mw_status status = unpack_list(&unmet, from);

    status = status == MW_OK ? unpack_list(&other_threads, from) : status;
    status = status == MW_OK ? unpack_list(&reordered, from) : status;
    status = status == MW_OK ? unpack_list(&between, from) : status;
    status = status == MW_OK ? mwa_unpack_into(from, counts, 4, sizeof *counts) : status;
    waits->violations = counts[0];
    waits->violation_max_ns = counts[1];
    waits->uncertain = counts[2];
    waits->neighbors_unknown = counts[3];
    return status;
}

enum mw_status mwa_waits_unpack(const struct mwa_trace *trace, struct mwa_region_paths *paths,
                                struct mw_cursor *from, struct mwa_waits *waits)
{
    enum mw_status status = MW_OK;
    uint32_t longest; /* each says itself which part of the trace it is of */

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS && status == MW_OK; i++) {
        status = unpack_row(trace, paths, from, waits, &waits->rows[i]);
    }
    if (status == MW_OK) {
        status = unpack_waits(trace, paths, from, waits->longest, MWA_WAITS_PARTS, &longest);
    }
    status = status == MW_OK ? unpack_paths(trace, paths, from, waits) : status;
    return status == MW_OK ? unpack_sums(from, waits) : status;
}
