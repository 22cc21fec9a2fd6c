/* Variables and levels over time, and their highest and lowest values. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/counters/course.h"
#include "analyzer/page/html.h"
#include "analyzer/page/page_table.h"
#include "analyzer/page/sections.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"
#include "formats/archive/archive_words.h"

#define PANELS_MAX  18u
#define LINES_MAX   6u
#define TABLE_MAX   60u
#define PLOT_HEIGHT 1000.0

/* Of all lines together, so that many of them don't make the page large; and of each at least. */
#define SAMPLES_MAX 6000u
#define SAMPLES_MIN 60u

static const char *const line_colours[LINES_MAX] = { "#0072b2", "#e69f00", "#009e73",
                                                     "#d55e00", "#cc79a7", "#56b4e9" };

/* One value of one metric and communicator on all ranks: tracks that follow each other. */
struct group {
    const struct mwa_track *tracks;
    const struct mwa_course *courses; /* of levels from events: of each track; else null */
    uint64_t count;
    const struct mwa_counter_row *row; /* of the first one; null for levels from events */
    double low, high;                  /* over all */
};

static bool is_same(const struct mwa_track *a, const struct mwa_track *b)
{
    return a->metric == b->metric && a->value == b->value && a->comm == b->comm &&
           a->object == b->object &&
           strcmp(a->name, b->name) == 0;
}

static const struct mwa_counter_row *row_of(const struct mwa_counters *counters,
                                            const struct mwa_track *track)
{
    for (uint64_t i = 0; i < counters->count; i++) {
        if (counters->rows[i].track == track) {
            return &counters->rows[i];
        }
    }
    return NULL;
}

/* How many samples a track of the group has. */
static uint64_t samples_of(const struct group *group, uint64_t track)
{
    return group->courses ? group->courses[track].count : group->tracks[track].count;
}

/* One of them. */
static struct mwa_course_sample sample_at(const struct group *group, uint64_t track, uint64_t i)
{
    if (group->courses) {
        return group->courses[track].samples[i];
    }
    return (struct mwa_course_sample){ .time = group->tracks[track].samples[i].time,
                                       .value = group->tracks[track].samples[i].value };
}

static double greatest(const struct group *group, uint64_t track)
{
    double high = -INFINITY;

    for (uint64_t i = 0; i < samples_of(group, track); i++) {
        high = fmax(high, sample_at(group, track, i).value);
    }
    return high;
}

/* Tracks of metrics come first, then those of levels. */
static uint64_t track_count(const struct mwa_results *results)
{
    return results->tracks.count + results->watermarks.level_count;
}

/* The group that begins at track first. */
static struct group group_at(const struct mwa_results *results, uint64_t first)
{
    uint64_t metrics = results->tracks.count;
    const struct mwa_track *tracks = first < metrics
                                         ? &results->tracks.list[first]
                                         : &results->watermarks.levels[first - metrics];
    const struct mwa_course *courses = results->watermarks.courses;
    uint64_t count = first < metrics ? metrics - first : track_count(results) - first;
    struct group group = { .tracks = tracks,
                           .courses = first < metrics ? NULL : &courses[first - metrics],
                           .row = row_of(&results->counters, tracks),
                           .low = INFINITY,
                           .high = -INFINITY };

    for (uint64_t i = 0; i < count && is_same(&tracks[i], tracks); i++) {
        for (uint64_t sample = 0; sample < samples_of(&group, i); sample++) {
            group.low = fmin(group.low, sample_at(&group, i, sample).value);
            group.high = fmax(group.high, sample_at(&group, i, sample).value);
        }
        group.count++;
    }
    return group;
}

/* Of statistics over the elements of a variable, the sum and the greatest say enough. */
static bool is_shown(const struct mwa_trace *trace, const struct mwa_track *track)
{
    return track->metric == MWA_NONE || track->value < 2 ||
           !trace->metrics.list[track->metric].is_statistic;
}

/* --- a line ------------------------------------------------------------------------------- */

struct pen {
    const struct mwa_page *page;
    double low, scale; /* value to height */
    long x, y;         /* where it is */
    bool down;
};

static double height_of(const struct pen *pen, double value)
{
    return .98 * PLOT_HEIGHT - .96 * PLOT_HEIGHT * (value - pen->low) * pen->scale;
}

/* Holds the last value up to x, then goes to value. Steps are relative, and in whole units, of
 * which a pixel has several: that is a third of the bytes. */
static void step_to(struct pen *pen, double to, double value)
{
    const long x = lround(to), y = lround(height_of(pen, value));
    FILE *out = pen->page->out;

    if (!pen->down) {
        fprintf(out, "M%ld %ld", x, y);
    } else {
        if (x != pen->x) {
            fprintf(out, "h%ld", x - pen->x);
        }
        if (y != pen->y) {
            fprintf(out, "v%ld", y - pen->y);
        }
    }
    pen->down = true;
    pen->x = x;
    pen->y = y;
}

/* One of so many lines. */
static void put_line(struct mwa_page *page, const struct group *group, uint64_t index,
                     unsigned colour, uint64_t lines)
{
    const uint64_t share = lines > 0 ? SAMPLES_MAX / lines : SAMPLES_MAX;
    struct pen pen = { .page = page,
                       .low = group->low,
                       .scale = group->high > group->low ? 1 / (group->high - group->low) : 0 };
    struct mwa_course course = { .most = share < SAMPLES_MIN          ? SAMPLES_MIN
                                         : share < MWA_COURSE_SAMPLES ? (uint32_t)share
                                                                      : MWA_COURSE_SAMPLES };
    FILE *out = page->out;

    for (uint64_t i = 0; i < samples_of(group, index) && page->status == MW_OK; i++) {
        const struct mwa_course_sample sample = sample_at(group, index, i);

        page->status = mwa_course_add(&course, sample.time, sample.value);
    }
    fprintf(out, "<path class=\"line\" style=\"--c:%s\" d=\"", line_colours[colour]);
    for (uint64_t i = 0; i < course.count; i++) {
        step_to(&pen, mwa_plot_x_of_ticks(page, course.samples[i].time), course.samples[i].value);
    }
    if (pen.down) {
        fprintf(out, "H%g", MWA_PLOT_WIDTH);
    }
    fprintf(out, "\"><title>rank %" PRIu32 "</title></path>\n",
            group->tracks[index].rank);
    mwa_course_fini(&course);
}

/* --- a panel ------------------------------------------------------------------------------ */

/* The tracks to draw, by their greatest value; fewer than LINES_MAX when there are fewer. */
static unsigned choose_lines(const struct group *group, uint64_t *chosen)
{
    unsigned count = 0;

    while (count < LINES_MAX && count < group->count) {
        uint64_t best = UINT64_MAX;
        double high = -INFINITY;

        for (uint64_t i = 0; i < group->count; i++) {
            bool taken = false;

            for (unsigned k = 0; k < count; k++) {
                taken |= chosen[k] == i;
            }
            if (!taken && (best == UINT64_MAX || greatest(group, i) > high)) {
                best = i;
                high = greatest(group, i);
            }
        }
        chosen[count++] = best;
    }
    return count;
}

static void put_name(const struct mwa_page *page, const struct mwa_track *track)
{
    const char *bound = mwa_track_bound(page->results->trace, track);
    FILE *out = page->out;

    mwa_html_text(track->name, 70, out);
    if (bound && *bound && track->object == MWA_NONE) {
        fputs(" on ", out);
        mwa_html_text(bound, 40, out);
    }
}

static void put_value(double value, FILE *out)
{
    if (value == floor(value) && fabs(value) < 1e15) {
        fprintf(out, "%.0f", value);
    } else {
        fprintf(out, "%.4g", value);
    }
}

/* What its values are; of a STATE, what they mean. */
static void put_kind(const struct mwa_page *page, const struct group *group)
{
    const struct mwa_counter_row *row = group->row;

    if (row && row->effective == MW_CLASS_STATE) {
        fputs("state ", page->out);
        mwa_html_text(page->results->trace->metrics.list[row->track->metric].items, 200,
                      page->out);
    } else {
        fputs(row && MW_CLASS_IS_SUM(row->effective) ? "sum since the beginning" : "level",
              page->out);
    }
}

static void put_panel(struct mwa_page *page, const struct group *group, uint64_t all_lines)
{
    uint64_t chosen[LINES_MAX];
    unsigned lines = choose_lines(group, chosen);
    FILE *out = page->out;

    fputs("<div class=\"panel\"><h3>", out);
    put_name(page, group->tracks);
    fputs("<small>", out);
    put_kind(page, group);
    fputs("</small></h3>\n<div class=\"chart\" style=\"--height:110px\">"
          "<div class=\"ylabels\"><span class=\"first\" style=\"top:0\">",
          out);
    put_value(group->high, out);
    fputs("</span><span class=\"last\" style=\"top:100%\">", out);
    put_value(group->low, out);
    fputs("</span></div>\n", out);
    mwa_plot_open(page, PLOT_HEIGHT, "A value over time; its extremes are in the table below", "");
    for (unsigned i = lines; i-- > 0;) {
        put_line(page, group, chosen[i], i, all_lines);
    }
    fputs("</svg>\n", out);
    mwa_plot_time_axis(page);
    fputs("</div><ul class=\"legend\">", out);
    for (unsigned i = 0; i < lines; i++) {
        fprintf(out, "<li><i style=\"--c:%s\"></i>rank %" PRIu32 "</li>", line_colours[i],
                group->tracks[chosen[i]].rank);
    }
    if (group->count > lines) {
        fprintf(out, "<li>the highest of %" PRIu64 " ranks</li>", group->count);
    }
    fputs("</ul></div>\n", out);
}

/* --- the table ---------------------------------------------------------------------------- */

static const struct mwa_watermark_row *mark_of(const struct mwa_watermarks *marks,
                                               const struct mwa_track *track)
{
    for (uint64_t i = 0; i < marks->count; i++) {
        if (marks->rows[i].track == track) {
            return &marks->rows[i];
        }
    }
    return NULL;
}

/* A group's: the rank with the greatest value; of levels with when and where that was. */
struct extreme {
    const struct mwa_track *track;
    const struct mwa_mark *mark; /* null: none is known */
    const char *class;
    const char *relation; /* to others of the same thing, or null */
    double low, high;
};

struct extremes {
    struct extreme *rows;
    uint64_t count;
};

static struct extreme extreme_of(const struct mwa_results *results, const struct group *group)
{
    const struct mwa_track *top;
    const struct mwa_watermark_row *row;
    uint64_t at = 0;

    for (uint64_t i = 1; i < group->count; i++) {
        at = greatest(group, i) > greatest(group, at) ? i : at;
    }
    top = &group->tracks[at];
    row = mark_of(&results->watermarks, top);
    return (struct extreme){ .track = top,
                             .mark = row ? &row->high : NULL,
                             .class = group->row ? mw_class_name(group->row->effective)
                                                 : "from events",
                             .relation = row ? row->relation : NULL,
                             .low = group->low,
                             .high = row ? row->high.value : group->high };
}

static struct mwa_value extreme_name(const struct mwa_cell *cell)
{
    const struct mwa_track *track = ((const struct extreme *)cell->row)->track;
    char *both = NULL;

    if (track->comm == MWA_NONE) {
        return mwa_text(track->name);
    }
    if (asprintf(&both, "%s on %s", track->name, cell->results->trace->comms[track->comm].name) <
        0) {
        both = NULL;
    }
    return mwa_owned_text(both);
}

static struct mwa_value extreme_time(const struct mwa_cell *cell)
{
    const struct mwa_mark *mark = ((const struct extreme *)cell->row)->mark;
    const struct mwa_trace *trace = cell->results->trace;

    return mark ? mwa_signed(mwa_trace_since_begin(trace, mark->time)) : mwa_nothing();
}

static struct mwa_value extreme_call(const struct mwa_cell *cell)
{
    const struct mwa_mark *mark = ((const struct extreme *)cell->row)->mark;

    return mwa_text(mark && mark->call != MWA_NONE
                        ? cell->results->trace->regions[mark->call].name
                        : NULL);
}

MWA_VALUE_OF(extreme_rank, struct extreme, mwa_number(row->track->rank))
MWA_VALUE_OF(extreme_known, struct extreme,
             mwa_text(!row->mark ? NULL : row->mark->exact ? "exact" : "at least"))

#define EXTREME(member) .kind = MWA_DECIMAL, .offset = offsetof(struct extreme, member)

static const struct mwa_column extreme_columns[] = {
    { NULL, "name", MWA_BY(MWA_TEXT, extreme_name) },
    { NULL, "class", MWA_IN(struct extreme, class) },
    { NULL, "lowest", EXTREME(low) },
    { NULL, "highest", EXTREME(high) },
    { NULL, "rank", MWA_BY(MWA_NUMBER, extreme_rank) },
    { NULL, "at", .unit = MWA_NS, MWA_BY(MWA_NUMBER, extreme_time) },
    { NULL, "in", MWA_BY(MWA_TEXT, extreme_call) },
    { NULL, "known", MWA_BY(MWA_TEXT, extreme_known) },
    { NULL, "counts", MWA_IN(struct extreme, relation), .nothing = "" },
};
static const struct mwa_table extremes_table = { MWA_COLUMNS(extreme_columns),
                                                 MWA_ROWS(struct extremes, rows, count) };

static void put_table(struct mwa_page *page)
{
    const struct mwa_results *results = page->results;
    struct extremes extremes = { .rows = calloc(TABLE_MAX, sizeof *extremes.rows) };
    const struct mwa_cell root = { .results = results, .row = &extremes };

    if (!extremes.rows) {
        page->status = MW_ERROR_MEMORY;
        return;
    }
    for (uint64_t i = 0; i < track_count(results) && extremes.count < TABLE_MAX;) {
        struct group group = group_at(results, i);

        i += group.count;
        if (is_shown(results->trace, group.tracks)) {
            extremes.rows[extremes.count++] = extreme_of(results, &group);
        }
    }
    fputs("<details><summary>Extremes as a table</summary>\n", page->out);
    mwa_page_list(page, NULL, &extremes_table, &root, TABLE_MAX, TABLE_MAX, NULL);
    fputs("</details>\n", page->out);
    free(extremes.rows);
}

static bool is_drawn(const struct mwa_page *page, const struct group *group)
{
    return is_shown(page->results->trace, group->tracks) && group->high > group->low;
}

/* How many lines all panels have. */
static uint64_t count_lines(const struct mwa_page *page, uint64_t tracks)
{
    uint64_t lines = 0;
    unsigned panels = 0;

    for (uint64_t i = 0; i < tracks && panels < PANELS_MAX;) {
        const struct group group = group_at(page->results, i);

        i += group.count;
        if (is_drawn(page, &group)) {
            lines += group.count < LINES_MAX ? group.count : LINES_MAX;
            panels++;
        }
    }
    return lines;
}

/* What is no variable of the MPI, and is recorded beside them: metric mpiwatch.running. */
static void put_system(struct mwa_page *page)
{
    const struct mwa_results *results = page->results;
    const struct mwa_cell root = { .results = results, .row = results };

    if (results->trace->metrics.has_running) {
        fputs("<details><summary>What the system says of the ranks (mpiwatch.running)</summary>\n",
              page->out);
        mwa_page_list(page, NULL, &mwa_ranks_system_table, &root, TABLE_MAX, TABLE_MAX, NULL);
        fputs("</details>\n", page->out);
    }
}

void mwa_section_counters(struct mwa_page *page)
{
    uint64_t tracks = track_count(page->results), lines = count_lines(page, tracks);
    uint64_t flat = 0, still = 0, left_out = 0, drawn = 0;
    FILE *out = page->out;

    if (tracks == 0) {
        fputs("<p>Nothing was recorded that has a value over time.</p>\n", out);
    }
    if (page->results->trace->metrics.note) {
        fputs("<p>", out);
        mwa_html_text(page->results->trace->metrics.note, 0, out);
        fputs("</p>\n", out);
    }
    fputs("<div class=\"pair\">\n", out);
    for (uint64_t i = 0; i < tracks;) {
        struct group group = group_at(page->results, i);

        i += group.count;
        if (!is_shown(page->results->trace, group.tracks)) {
            left_out++;
        } else if (group.high < group.low) {
            still++;
        } else if (group.high == group.low) {
            flat++;
        } else if (drawn == PANELS_MAX) {
            left_out++;
        } else {
            put_panel(page, &group, lines);
            drawn++;
        }
    }
    fputs("</div>\n", out);
    if (flat > 0 || left_out > 0) {
        fprintf(out, "<p class=\"note\">Not drawn: %" PRIu64 " that never change, %" PRIu64
                     " more: mpiwatch-analyze counters.</p>\n",
                flat, left_out);
    }
    for (uint64_t i = 0; i < page->results->watermarks.unknown_count; i++) {
        fprintf(out, "<p class=\"note\">Not known: %s: %s.</p>\n",
                page->results->watermarks.unknown[i].name,
                page->results->watermarks.unknown[i].why);
    }
    if (still > 0) {
        fprintf(out, "<p class=\"note\">Not observed: %" PRIu64 " that stand still until they are "
                     "started (--pvar-start).</p>\n",
                still);
    }
    if (tracks > 0) {
        put_table(page);
    }
    put_system(page);
}
