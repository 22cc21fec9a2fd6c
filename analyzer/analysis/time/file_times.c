#include "analyzer/analysis/time/file_times.h"

#include <stdlib.h>

#include "analyzer/analysis/keyed_rows.h"

/* Its times are ticks until finish. */
struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* of rows */
    struct mwa_file_time *rows;
    bool has_object; /* the call being made says on which file it is: */
    uint32_t object;
};

static struct mwa_key key_of(const void *data)
{
    const struct mwa_file_time *row = data;

    return (struct mwa_key){ (uint64_t)row->rank << 32 | row->object, row->site };
}

static void add(void *to_data, const void *data)
{
    struct mwa_file_time *to = to_data;
    const struct mwa_file_time *row = data;

    to->count += row->count;
    to->time_ns += row->time_ns;
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    const struct mwa_file_time *row = data;

    return (row->rank < trace->rank_count || row->rank == MWA_NONE) &&
           (row->site < trace->site_count || row->site == MWA_NONE) &&
           (row->object < trace->metrics.object_count || row->object == MWA_NONE);
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(rows),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

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
    return mwa_rows_add(&rows, partial, &row);
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

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_file_times *times = result;

    times->count = 0;
    times->rows = mwa_rows_copy(&rows, partial);
    if (!times->rows) {
        return MW_ERROR_MEMORY;
    }
    for (; times->count < partial->index.count; times->count++) {
        struct mwa_file_time *row = &times->rows[times->count];

        row->time_ns = mwa_trace_ns(partial->trace, row->time_ns);
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
    .rows = &rows,
    .event = event,
    .finish = finish
};
