#include "analyzer/analysis/counters/mark_pairs.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define NAME_BYTES 300u

static const char both[] = "between the level's samples and the library's mark";

/* --- names ---------------------------------------------------------------------------- */

static bool tells_the_thing(const char *word, size_t length)
{
    static const char *const words[] = {
        "max",      "maximum",   "high",    "highest", "highwater", "highwatermark", "hwm",
        "min",      "minimum",   "low",     "lowest",  "lowwater",  "lowwatermark",  "lwm",
        "peak",     "watermark", "water",   "mark",    "level",     "current",       "cur"
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i]) == length && strncasecmp(words[i], word, length) == 0) {
            return false;
        }
    }
    return length > 0;
}

const char *mwa_mark_pairs_name(const char *name, char *text, size_t size)
{
    const char *suffix = strrchr(name, '.');
    size_t used = 0;

    suffix = suffix ? suffix : name + strlen(name);
    while (name < suffix) {
        size_t length = 0;

        while (name + length < suffix && isalnum((unsigned char)name[length])) {
            length++;
        }
        for (size_t i = 0; tells_the_thing(name, length) && i <= length && used + 1 < size; i++) {
            text[used++] = i < length ? (char)tolower((unsigned char)name[i]) : '_';
        }
        name += length + (name + length < suffix);
    }
    for (; *suffix && used + 1 < size; suffix++) {
        text[used++] = *suffix;
    }
    text[used] = '\0';
    return text;
}

/* --- who belongs to whom ------------------------------------------------------------------ */

static const struct mwa_metric *metric_of(const struct mwa_trace *trace,
                                          const struct mwa_watermark_row *row)
{
    return &trace->metrics.list[row->track->metric];
}

static const struct mwa_metric_member *member_of(const struct mwa_trace *trace,
                                                 const struct mwa_watermark_row *row)
{
    return &trace->metrics.members[metric_of(trace, row)->members[row->track->value]];
}

static bool is_level(const struct mwa_watermark_row *row)
{
    return row->class == MW_CLASS_LEVEL || row->class == MW_CLASS_SIZE ||
           row->class == MW_CLASS_PERCENTAGE;
}

static bool is_mark(const struct mwa_trace *trace, const struct mwa_watermark_row *row)
{
    return (row->class == MW_CLASS_HIGHWATERMARK || row->class == MW_CLASS_LOWWATERMARK) &&
           !metric_of(trace, row)->is_top &&
           !(metric_of(trace, row)->is_statistic && row->track->value == 3); /* nonzero */
}

static struct mwa_key key_of(const struct mwa_watermark_row *row)
{
    char text[NAME_BYTES];
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    uint32_t bound = row->track->comm != MWA_NONE ? row->track->comm : row->track->object;

    for (const char *at = mwa_mark_pairs_name(row->track->name, text, sizeof text); *at; at++) {
        hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
    }
    return (struct mwa_key){ hash, (uint64_t)row->track->rank << 32 | bound };
}

static bool is_pair(const struct mwa_trace *trace, const struct mwa_watermark_row *level,
                    const struct mwa_watermark_row *mark)
{
    char one[NAME_BYTES];
    char other[NAME_BYTES];

    return strcmp(mwa_mark_pairs_name(level->track->name, one, sizeof one),
                  mwa_mark_pairs_name(mark->track->name, other, sizeof other)) == 0 &&
           level->track->rank == mark->track->rank && level->track->comm == mark->track->comm &&
           level->track->object == mark->track->object &&
           metric_of(trace, level)->is_statistic == metric_of(trace, mark)->is_statistic &&
           strcmp(member_of(trace, level)->unit, member_of(trace, mark)->unit) == 0;
}

/* --- what they say together ------------------------------------------------------------------ */

/* A high mark, or a low one with signs turned round, so that more is always further. */
struct view {
    struct mwa_mark *level;
    struct mwa_mark *mark;
    const struct mwa_track *track; /* the mark's */
    double sign;
    uint64_t from;
    uint64_t to;
    bool is_sum; /* over elements, whose peaks need not come together */
    bool is_drained;
    bool is_looked_at; /* by Open MPI, when it is read: no upper bound */
};

struct bounds {
    double lower;
    double upper;
    bool has_upper;
    const struct mwa_sample *riser; /* the mark's sample that the lower one is of, or null */
};

static bool was_reset(const struct view *view, const struct mwa_sample *until)
{
    for (const struct mwa_sample *sample = view->track->samples; sample <= until; sample++) {
        if (sample->time >= view->from && sample->flags & MW_SAMPLE_FOREIGN) {
            return true;
        }
    }
    return false;
}

/* The first sample of the mark at or after the window's end, else the last one. */
static const struct mwa_sample *sample_behind(const struct view *view)
{
    const struct mwa_sample *end = view->track->samples + view->track->count;
    const struct mwa_sample *sample = mwa_track_at(view->track, view->to);

    sample = sample ? sample : view->track->samples;
    return sample->time < view->to && sample + 1 < end ? sample + 1 : sample;
}

/* The sample with which the mark reached the value that it has at the window's end. */
static const struct mwa_sample *find_riser(const struct view *view)
{
    const struct mwa_sample *before =
        view->from > 0 ? mwa_track_at(view->track, view->from - 1) : NULL;
    const struct mwa_sample *sample = mwa_track_at(view->track, view->to);

    if (!sample || (before && before->value == sample->value)) {
        return NULL;
    }
    while (sample > view->track->samples && sample[-1].value == sample->value) {
        sample--;
    }
    return sample;
}

static struct bounds bounds_of(const struct view *view)
{
    struct bounds bounds = { .lower = view->sign * view->level->value };
    const struct mwa_sample *behind = sample_behind(view);

    if (view->is_drained) {
        bounds.has_upper = true;
        bounds.upper = view->sign * (view->mark->exact ? view->mark->value : view->mark->upper);
        if (!view->is_sum && view->mark->value > bounds.lower) {
            bounds.lower = view->mark->value; /* only high marks are drained */
        }
        return bounds;
    }
    if (!view->is_looked_at && !was_reset(view, behind)) {
        bounds.has_upper = true;
        bounds.upper = view->sign * behind->value;
        bounds.riser = view->is_sum ? NULL : find_riser(view);
    }
    if (bounds.riser && view->sign * bounds.riser->value > bounds.lower) {
        bounds.lower = view->sign * bounds.riser->value;
    } else {
        bounds.riser = NULL;
    }
    return bounds;
}

/* Puts the bounds into a mark that is not exact yet. */
static void put(struct mwa_mark *mark, const struct bounds *bounds, double sign)
{
    double further = sign * bounds->upper;
    double nearer = sign * bounds->lower;

    mark->exact = bounds->upper == bounds->lower;
    mark->has_lower = mark->has_upper = true;
    mark->lower = sign > 0 ? nearer : further;
    mark->upper = sign > 0 ? further : nearer;
    mark->why = mark->exact ? "" : both;
}

static void join(const struct view *view)
{
    struct bounds bounds = bounds_of(view);

    if (!bounds.has_upper || bounds.lower > bounds.upper || view->level->exact) {
        return; /* beyond the mark: it is of something else */
    }
    if (!view->mark->exact && !view->is_drained && !view->is_sum) {
        if (bounds.upper == bounds.lower && !bounds.riser) {
            view->mark->time = view->level->time;
            view->mark->call = view->level->call;
        }
        put(view->mark, &bounds, view->sign);
    }
    put(view->level, &bounds, view->sign);
    if (bounds.riser) {
        view->level->value = bounds.riser->value;
        view->level->time = bounds.riser->time > view->from ? bounds.riser->time : view->from;
        view->level->call = bounds.riser->time >= view->from ? bounds.riser->call : MWA_NONE;
    } else if (view->is_drained && view->sign * view->level->value < bounds.lower) {
        view->level->value = view->mark->value;
        view->level->time = view->mark->time;
        view->level->call = view->mark->call;
    }
}

static void join_pair(const struct mwa_trace *trace, struct mwa_watermark_row *level,
                      struct mwa_watermark_row *mark, uint64_t from, uint64_t to)
{
    const struct mwa_metric *metric = metric_of(trace, mark);
    bool is_high = mark->class == MW_CLASS_HIGHWATERMARK;
    const struct view view = {
        .level = is_high ? &level->high : &level->low,
        .mark = is_high ? &mark->high : &mark->low,
        .track = mark->track,
        .sign = is_high ? 1 : -1,
        .from = from,
        .to = to,
        .is_sum = metric->is_statistic && mark->track->value == 0,
        .is_drained = metric->read_resets,
        .is_looked_at = !metric->read_resets && metric->declared == mark->class &&
                        trace->mpi_library && strstr(trace->mpi_library, "Open MPI") != NULL
    };

    join(&view);
}

enum mw_status mwa_mark_pairs_join(const struct mwa_trace *trace, struct mwa_watermark_row *rows,
                                   uint64_t count, uint64_t from, uint64_t to)
{
    struct mwa_map levels = { 0 };
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        if (is_level(&rows[i]) && !mwa_map_put(&levels, key_of(&rows[i]), i)) {
            status = MW_ERROR_MEMORY;
        }
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        uint64_t level = is_mark(trace, &rows[i]) ? mwa_map_get(&levels, key_of(&rows[i]))
                                                  : MWA_MAP_ABSENT;

        if (level != MWA_MAP_ABSENT && is_pair(trace, &rows[level], &rows[i])) {
            join_pair(trace, &rows[level], &rows[i], from, to);
        }
    }
    mwa_map_fini(&levels);
    return status;
}
