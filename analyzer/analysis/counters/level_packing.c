/*
 * Marks have a sentence each, which is a pointer, and none of them is set before the last chapter
 * is added: so what travels is a copy of the rest, and each series' course.
 */
#include "analyzer/analysis/counters/level_packing.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

enum {
    IS_REMOTE = 1,
    HAS_CHANGES = 2,
    IS_HELD = 4,
    IS_PENDING = 8,
    HAS_FIRST = 16
};

struct plain_mark {
    double value;
    uint64_t time;
    uint64_t call;
};

struct plain_series {
    uint32_t kind, rank, comm;
    uint32_t is; /* of the bits above */
    double value;
    struct mwa_level_change pending, first; /* their series and what they change by is not asked */
    struct plain_mark high, low;
};

struct plain_sum {
    uint32_t kind, comm;
    uint64_t is;
    double value, peak;
    uint64_t time, first_time, peak_time;
};

/* --- out -------------------------------------------------------------------------------------- */

static struct plain_mark plain_of(const struct mwa_mark *mark)
{
    return (struct plain_mark){ mark->value, mark->time, mark->call };
}

static void pack_series(const struct mwa_level_series *series, struct mw_buffer *to)
{
    const struct plain_series plain = {
        .kind = series->kind,
        .rank = series->rank,
        .comm = series->comm,
        .is = (series->is_remote ? IS_REMOTE : 0) | (series->has_changes ? HAS_CHANGES : 0) |
              (series->is_held ? IS_HELD : 0) | (series->is_pending ? IS_PENDING : 0) |
              (series->has_first ? HAS_FIRST : 0),
        .value = series->value,
        .pending = series->pending,
        .first = series->first,
        .high = plain_of(&series->high),
        .low = plain_of(&series->low)
    };

    mw_buffer_append(to, &plain, sizeof plain);
}

static void pack_sum(const struct mwa_level_sum *sum, struct mw_buffer *to)
{
    const struct plain_sum plain = {
        .kind = sum->kind,
        .comm = sum->comm,
        .is = (sum->is_pending ? IS_PENDING : 0) | (sum->has_first ? HAS_FIRST : 0),
        .value = sum->value,
        .peak = sum->peak,
        .time = sum->time,
        .first_time = sum->first_time,
        .peak_time = sum->peak_time
    };

    mw_buffer_append(to, &plain, sizeof plain);
}

void mwa_level_marks_pack(const struct mwa_level_marks *marks, struct mw_buffer *to)
{
    mw_buffer_u64(to, marks->series_count); /* both as mwa_pack_array has them */
    for (uint64_t i = 0; i < marks->series_count; i++) {
        pack_series(&marks->series[i], to);
    }
    for (uint64_t i = 0; i < marks->series_count; i++) {
        mwa_course_pack(&marks->series[i].course, to);
    }
    mw_buffer_u64(to, marks->sum_count);
    for (uint64_t i = 0; i < marks->sum_count; i++) {
        pack_sum(&marks->sums[i], to);
    }
}

/* --- in --------------------------------------------------------------------------------------- */

/* What a series does not have is not looked at, and may be anything. */
static bool is_sound(const struct plain_series *plain, const struct mwa_trace *trace)
{
    const uint64_t regions = trace->region_count;

    return plain->kind < MWA_LEVEL_KINDS && plain->rank < trace->rank_count &&
           mwa_is_none_or_below(plain->comm, trace->comm_count) &&
           (!(plain->is & IS_PENDING) || mwa_is_none_or_below(plain->pending.call, regions)) &&
           (!(plain->is & HAS_FIRST) || mwa_is_none_or_below(plain->first.call, regions)) &&
           (!(plain->is & HAS_CHANGES) ||
            (mwa_is_none_or_below(plain->high.call, regions) &&
             mwa_is_none_or_below(plain->low.call, regions)));
}

static struct mwa_mark mark_of(const struct plain_mark *plain)
{
    return (struct mwa_mark){ .value = plain->value,
                              .time = plain->time,
                              .call = (uint32_t)plain->call };
}

static struct mwa_level_series series_of(const struct plain_series *plain)
{
    return (struct mwa_level_series){ .kind = (enum mwa_level_kind)plain->kind,
                                      .rank = plain->rank,
                                      .comm = plain->comm,
                                      .total = MWA_NONE,
                                      .sum = MWA_NONE,
                                      .is_remote = plain->is & IS_REMOTE,
                                      .value = plain->value,
                                      .has_changes = plain->is & HAS_CHANGES,
                                      .is_held = plain->is & IS_HELD,
                                      .pending = plain->pending,
                                      .is_pending = plain->is & IS_PENDING,
                                      .first = plain->first,
                                      .has_first = plain->is & HAS_FIRST,
                                      .high = mark_of(&plain->high),
                                      .low = mark_of(&plain->low) };
}

static enum mw_status unpack_series(struct mwa_level_marks *marks, struct mw_cursor *from)
{
    struct plain_series *list = NULL;
    uint64_t count = 0;
    enum mw_status status = mwa_unpack_array(from, &list, &count, sizeof *list);

    if (status == MW_OK && !mwa_grow(&marks->series, &marks->series_capacity, count,
                                     sizeof *marks->series)) {
        status = MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        marks->series[marks->series_count++] = series_of(&list[i]);
        status = is_sound(&list[i], marks->trace) ? MW_OK : MW_ERROR_FORMAT;
    }
    free(list);
    return status;
}

static enum mw_status unpack_courses(struct mwa_level_marks *marks, struct mw_cursor *from)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < marks->series_count && status == MW_OK; i++) {
        status = mwa_course_unpack(&marks->series[i].course, from);
    }
    return status;
}

static struct mwa_level_sum sum_of(const struct plain_sum *plain)
{
    return (struct mwa_level_sum){ .kind = (enum mwa_level_kind)plain->kind,
                                   .comm = plain->comm,
                                   .value = plain->value,
                                   .time = plain->time,
                                   .first_time = plain->first_time,
                                   .has_first = plain->is & HAS_FIRST,
                                   .is_pending = plain->is & IS_PENDING,
                                   .peak = plain->peak,
                                   .peak_time = plain->peak_time };
}

static enum mw_status unpack_sums(struct mwa_level_marks *marks, struct mw_cursor *from)
{
    struct plain_sum *list = NULL;
    uint64_t count = 0;
    enum mw_status status = mwa_unpack_array(from, &list, &count, sizeof *list);

    if (status == MW_OK &&
        !mwa_grow(&marks->sums, &marks->sum_capacity, count, sizeof *marks->sums)) {
        status = MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        if (list[i].kind >= MWA_LEVEL_KINDS ||
            !mwa_is_none_or_below(list[i].comm, marks->trace->comm_count)) {
            status = MW_ERROR_FORMAT;
        } else {
            marks->sums[marks->sum_count++] = sum_of(&list[i]);
        }
    }
    free(list);
    return status;
}

enum mw_status mwa_level_marks_unpack(struct mwa_level_marks *marks, struct mw_cursor *from)
{
    enum mw_status status = unpack_series(marks, from);

    if (status == MW_OK) {
        status = unpack_courses(marks, from);
    }
    return status == MW_OK ? unpack_sums(marks, from) : status;
}
