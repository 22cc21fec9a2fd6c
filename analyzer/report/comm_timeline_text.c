#include "analyzer/report/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/comms/comm_label.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/units.h"
#include "formats/base/order.h"

#define ROWS_MAX 20u
#define NAME_COLUMNS 32
#define BAR          MWA_ROW_CELL " %s" MWA_ROW_CELL " |%s|" MWA_ROW_CELL " %s" /* behind a name */

/* A bar: a character for each bin, and a terminating zero. */
struct bar {
    char *text;
    uint64_t *values; /* per bin */
    uint32_t bins;
};

static uint64_t bytes_of(const struct mwa_comm_cell *cell)
{
    return cell->bytes;
}

static uint64_t calls_of(const struct mwa_comm_cell *cell)
{
    return cell->calls;
}

/* 1 to 9: how much of most value is. */
static char level(uint64_t value, uint64_t most)
{
    return (char)('0' + (most <= 9 ? value
                                   : 1 + (uint64_t)((unsigned __int128)(value - 1) * 9 / most)));
}

/* Blank where the communicator isn't alive, '.' where it is idle. Returns the sum. */
static uint64_t fill(struct bar *bar, const struct mwa_trace *trace,
                     const struct mwa_window *window, const struct mwa_comm_lane *lane,
                     uint64_t (*value_of)(const struct mwa_comm_cell *))
{
    const struct mwa_comm_row *row = lane->row;
    uint64_t most = 0;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < bar->bins; i++) {
        int64_t from_ns = mwa_trace_since_begin(trace, mwa_window_edge(window, i));
        int64_t to_ns = mwa_trace_since_begin(trace, mwa_window_edge(window, i + 1));
        bool is_alive = (!row->has_created || row->created_ns <= to_ns) &&
                        (!row->has_freed || row->freed_ns >= from_ns);

        bar->text[i] = is_alive ? '.' : ' ';
    }
    for (uint64_t i = 0; i < lane->cell_count; i++) {
        uint64_t value = value_of(&lane->cells[i]);

        most = value > most ? value : most;
        sum += value;
    }
    for (uint64_t i = 0; i < lane->cell_count; i++) {
        if (value_of(&lane->cells[i]) > 0) {
            bar->text[lane->cells[i].bin] = level(value_of(&lane->cells[i]), most);
        }
    }
    return sum;
}

/* The end of a name tells more than its beginning. */
static void put_name(const char *name, FILE *out)
{
    size_t length = strlen(name);
    size_t skipped = length > NAME_COLUMNS ? length - NAME_COLUMNS + 1 : 0;

    while (((unsigned char)name[skipped] & 0xc0) == 0x80) {
        skipped++;
    }
    if (skipped > 0) {
        putc('~', out);
    }
    mwa_put_clean(name + skipped, out);
    for (size_t i = length - skipped + (skipped > 0); i < NAME_COLUMNS; i++) {
        putc(' ', out);
    }
}

static void put_lane(const struct mwa_trace *trace, const struct mwa_window *window,
                     const struct mwa_comm_lane *lane, struct bar *bar, FILE *out)
{
    char label[MWA_COMM_LABEL_BYTES];
    char text[MWA_UNITS_BYTES];
    uint64_t sum = fill(bar, trace, window, lane, calls_of);

    fputs(MWA_ROW_CELL, out);
    put_name(mwa_comm_label(trace, lane->row->comm, label), out);
    fprintf(out, BAR MWA_ROW_CELL "\n", "calls", bar->text, mwa_count_text(sum, text));
    sum = fill(bar, trace, window, lane, bytes_of);
    if (sum > 0) {
        fprintf(out, MWA_ROW_CELL "%*s" BAR MWA_ROW_CELL "\n", NAME_COLUMNS, "", "bytes",
                bar->text, mwa_bytes_text(sum, text));
    }
}

/* The most that were alive in each bin. */
static void put_alive(const struct mwa_trace *trace, const struct mwa_comm_timeline *timeline,
                      struct bar *bar, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    memset(bar->values, 0, bar->bins * sizeof *bar->values);
    for (uint64_t i = 0; i < timeline->alive_count; i++) {
        const struct mwa_alive *from = &timeline->alive[i];
        int64_t to_ns = i + 1 < timeline->alive_count ? from[1].t_ns : INT64_MAX;

        for (uint32_t bin = 0; bin < bar->bins; bin++) {
            int64_t begin = mwa_trace_since_begin(trace,
                                                  mwa_window_edge(&timeline->window, bin));
            int64_t end = mwa_trace_since_begin(trace,
                                                mwa_window_edge(&timeline->window, bin + 1));

            if (from->t_ns < end && to_ns > begin && from->count > bar->values[bin]) {
                bar->values[bin] = from->count;
            }
        }
    }
    for (uint32_t bin = 0; bin < bar->bins; bin++) {
        bar->text[bin] = bar->values[bin] ? level(bar->values[bin], timeline->alive_max) : ' ';
    }
    fputs(MWA_ROW_CELL, out);
    put_name("alive", out);
    fprintf(out, BAR MWA_ROW_CELL "most %" PRIu64 ", at %s\n", "count", bar->text, "",
            timeline->alive_max,
            mwa_moment_text(timeline->alive_max_ns, text));
}

static int by_falling_time(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one;
    uint64_t b = *(const uint64_t *)other;

    return mw_order(b, a);
}

/* The least time of a lane that is shown, so that there are at most limit with more. */
static uint64_t least_time(const struct mwa_comm_timeline *timeline, uint64_t limit)
{
    uint64_t *times = calloc(timeline->count + 1, sizeof *times);
    uint64_t least = 0;

    if (times && limit > 0 && timeline->count > limit) {
        for (uint64_t i = 0; i < timeline->count; i++) {
            times[i] = timeline->lanes[i].row->time_ns;
        }
        qsort(times, timeline->count, sizeof *times, by_falling_time);
        least = times[limit - 1];
    }
    free(times);
    return least;
}

static void put_lanes(const struct mwa_trace *trace, const struct mwa_comm_timeline *timeline,
                      uint64_t limit, struct bar *bar, FILE *out)
{
    uint64_t least = least_time(timeline, limit);
    uint64_t shown = 0;

    for (uint64_t i = 0; i < timeline->count; i++) {
        const struct mwa_comm_lane *lane = &timeline->lanes[i];

        if (lane->row->time_ns >= least && shown < limit) {
            put_lane(trace, &timeline->window, lane, bar, out);
            shown++;
        }
    }
    if (shown < timeline->count) {
        fprintf(out, "and %" PRIu64 " more with less time: --json, --csv and --comm have all\n",
                timeline->count - shown);
    }
}

void mwa_text_comm_timeline(const struct mwa_results *results, const struct mwa_screen *screen,
                            FILE *out)
{
    const struct mwa_trace *trace = results->trace;
    const struct mwa_comm_timeline *timeline = &results->comm_timeline;
    const struct mwa_window *window = &timeline->window;
    struct bar bar = { .text = calloc(window->bins + 1u, 1),
                       .values = calloc(window->bins + 1u, sizeof *bar.values),
                       .bins = window->bins };
    char text[3][MWA_UNITS_BYTES];

    if (bar.text && bar.values) {
        fprintf(out, "communicators from %s to %s, %" PRIu32 " bins of %s\n",
                mwa_moment_text(mwa_trace_since_begin(trace, window->from), text[0]),
                mwa_moment_text(mwa_trace_since_begin(trace, window->to), text[1]), window->bins,
                mwa_time_text(mwa_trace_ns(trace, (window->to - window->from) / window->bins),
                              text[2]));
        fputs(MWA_CELL "A" MWA_CELL "A" MWA_CELL "0" MWA_CELL "A" MWA_CELL_BELOW "\n", out);
        put_lanes(trace, timeline, ROWS_MAX, &bar, out);
        put_alive(trace, timeline, &bar, out);
        fprintf(out, "1 to 9: ninths of the row's busiest bin (up to 9, the number itself); "
                     ". alive, without any\n");
    }
    free(bar.text);
    free(bar.values);
}
