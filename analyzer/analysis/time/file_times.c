#include "analyzer/analysis/time/file_times.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

/* Its times are ticks until finish. */
struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* of rows */
    struct mwa_file_time *rows;
    bool has_object; /* the call being made says on which file it is: */
    uint32_t object;
};

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_index_fini(&partial->index);
    free(partial->rows);
}

static enum mw_status add(struct partial *partial, const struct mwa_file_time *row)
{
    const struct mwa_key key = { (uint64_t)row->rank << 32 | row->object, row->site };
    uint64_t at = mwa_index_of(&partial->index, key, &partial->rows, sizeof *partial->rows);
    struct mwa_file_time *to;

    if (at == MWA_MAP_ABSENT) {
        return MW_ERROR_MEMORY;
    }
    to = &partial->rows[at];
    to->rank = row->rank;
    to->site = row->site;
    to->object = row->object;
    to->count += row->count;
    to->time_ns += row->time_ns;
    return MW_OK;
}

static bool is_of_files(const struct mwa_region *region)
{
    return region->call < MW_CALL_COUNT && mw_call_group(region->call) == MW_GROUP_IO;
}

static uint32_t kinds_in(const struct mwa_trace *trace, const struct mwa_other_locations *others)
{
    for (uint64_t i = 0; i < trace->region_count; i++) {
        if (is_of_files(&trace->regions[i])) {
            return MWA_KINDS_ALL;
        }
    }
    return 0;
}

static enum mw_status take_call(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_call *call = moment->call;
    const bool has_object = partial->has_object;
    struct mwa_file_time row;

    partial->has_object = false;
    if (!is_of_files(call->region)) {
        return MW_OK;
    }
    row = (struct mwa_file_time){ .rank = moment->location->rank,
                                  .site = call->site,
                                  .object = has_object ? partial->object : MWA_NONE,
                                  .count = call->repeat,
                                  .time_ns = call->inclusive };
    return add(partial, &row);
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;

    if (moment->event->kind == MWA_LEAVE) {
        return moment->call && moment->call->outermost ? take_call(partial, moment) : MW_OK;
    }
    partial->has_object = true;
    partial->object = moment->event->object;
    return MW_OK;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < from->index.count && status == MW_OK; i++) {
        status = add(into, &from->rows[i]);
    }
    return status;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mwa_pack_array(to, partial->rows, partial->index.count, sizeof *partial->rows);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;

    return mwa_unpack_array(from, &partial->rows, &partial->index.count, sizeof *partial->rows);
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_file_times *times = result;

    times->count = 0;
    times->rows = malloc((partial->index.count + 1) * sizeof *times->rows);
    if (!times->rows) {
        return MW_ERROR_MEMORY;
    }
    for (; times->count < partial->index.count; times->count++) {
        times->rows[times->count] = partial->rows[times->count];
        times->rows[times->count].time_ns =
            mwa_trace_ns(partial->trace, partial->rows[times->count].time_ns);
    }
    return MW_OK;
}

void mwa_file_times_fini(struct mwa_file_times *times)
{
    free(times->rows);
    *times = (struct mwa_file_times){ 0 };
}

const struct mwa_analysis mwa_file_times_analysis = {
    .name = "times of files",
    .kinds = MWA_KIND(MWA_LEAVE) | MWA_KIND(MWA_FILE) | MWA_KIND(MWA_OBJECT),
    .kinds_in = kinds_in,
    .size = sizeof(struct partial),
    .event = event,
    .merge = merge,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .fini = fini
};
