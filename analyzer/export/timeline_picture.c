/*
 * Where things stand follows from the width and the size of type alone, and how wide a text is
 * from its characters: SVG is set by whoever shows it, in fonts that are not known here. An area
 * covers all states that are below its own, and is covered by those: no seams between them.
 */
#include "analyzer/export/timeline_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/table/axis.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/units.h"

#define NARROW_MM 120.0 /* a column of a paper; its type is smaller, and it is higher */
#define LETTER    0.58  /* widest fonts' mean character, of their size */
#define ROW       16.0  /* points, if there are not too many */
#define ALONE     36.0  /* the only row */
#define HAIR      0.5   /* width of lines */
#define TICK      2.5
#define TEXT      256u

/* A row of the picture: some ranks, or a location. */
struct row {
    uint32_t rank; /* the first one */
    uint32_t ranks;
    uint64_t location; /* row of location_states; ranks is 0 */
};

struct layout {
    const struct mwa_results *results;
    const struct mwa_canvas_kind *kind;
    struct mwa_canvas canvas;
    struct row *rows;
    uint32_t row_count;
    uint32_t per_row;  /* ranks */
    bool has_locations;
    uint64_t left_out; /* rows of locations that there is no room for */
    uint32_t bins;     /* of the picture … */
    uint32_t per_bin;  /* … each so many of the window's */
    double font;
    double left, top, width, height; /* of the plot */
    char title[TEXT];
    struct mwa_point *points; /* room for an area: 2 a bin and 2 */
};

static double text_width(const struct layout *layout, const char *text)
{
    size_t count = 0;

    for (; *text; text++) {
        count += (*text & 0xc0) != 0x80;
    }
    return LETTER * layout->font * (double)count;
}

/* --- rows ----------------------------------------------------------------------------------- */

static uint32_t rank_of_location(const struct mwa_results *results, uint64_t row)
{
    return results->other_locations.all[results->other_locations.first + row].rank;
}

static enum mw_status list_rows(struct layout *layout)
{
    const struct mwa_results *results = layout->results;
    const uint64_t known = results->rank_states.ticks ? results->rank_states.rank_count : 0;
    const uint32_t first = results->rank == MWA_NONE ? 0 : results->rank;
    const uint64_t end = results->rank == MWA_NONE ? known : first < known ? first + 1u : first;
    const uint64_t ranks = end - first;
    uint64_t locations = results->location_states.ticks ? results->location_states.rows : 0;
    uint64_t at = 0;

    layout->per_row = ranks > 0 ? (uint32_t)((ranks - 1) / MWA_PICTURE_ROWS + 1) : 1;
    layout->left_out = ranks + locations > MWA_PICTURE_ROWS ? locations : 0;
    locations -= layout->left_out;
    layout->has_locations = locations > 0;
    layout->rows = calloc(ranks + locations + 1, sizeof *layout->rows);
    if (!layout->rows) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t rank = first; rank < end; rank += layout->per_row) {
        uint64_t next = rank + layout->per_row < end ? rank + layout->per_row : end;

        layout->rows[layout->row_count++] =
            (struct row){ .rank = (uint32_t)rank, .ranks = (uint32_t)(next - rank) };
        for (; at < locations && rank_of_location(results, at) < next; at++) {
            layout->rows[layout->row_count++] =
                (struct row){ .rank = (uint32_t)rank, .location = at };
        }
    }
    return MW_OK;
}

static const char *label_of(const struct layout *layout, const struct row *row, char *text)
{
    const struct mwa_results *results = layout->results;
    const struct mwa_other_locations *others = &results->other_locations;

    if (row->ranks > 0) {
        snprintf(text, MWA_LOCATION_LABEL_BYTES, "%" PRIu32, row->rank);
        return text;
    }
    return mwa_location_label(results->trace, others,
                              others->all[others->first + row->location].location, text);
}

/* --- shares --------------------------------------------------------------------------------- */

/* Shares of the time of a bin of the picture, by state; those that ranks don't have are 0. */
static void shares_of(const struct layout *layout, const struct row *row, uint32_t bin,
                      double *shares)
{
    const struct mwa_results *results = layout->results;
    const struct mwa_window *window = &results->window;
    const uint32_t from = bin * layout->per_bin;
    const uint32_t to = from + layout->per_bin < window->bins ? from + layout->per_bin
                                                              : window->bins;
    const double time = (double)(mwa_window_edge(window, to) - mwa_window_edge(window, from)) *
                        (row->ranks > 0 ? row->ranks : 1);
    double sums[MWA_LOCATION_STATES] = { 0 };

    for (uint32_t i = from; i < to; i++) {
        for (uint32_t k = 0; k < row->ranks; k++) {
            for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
                sums[state] += (double)mwa_rank_states_at(&results->rank_states, row->rank + k,
                                                          i)[state];
            }
        }
        for (unsigned state = 0; row->ranks == 0 && state < MWA_LOCATION_STATES; state++) {
            sums[state] +=
                (double)mwa_location_states_at(&results->location_states, row->location, i)[state];
        }
    }
    for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
        shares[state] = time > 0 ? sums[state] / time : 0;
    }
}

/* What share of a bin is in state and those below it; *own: whether there is some of it itself. */
static double share_up_to(const struct layout *layout, const struct row *row, uint32_t bin,
                          unsigned state, bool *own)
{
    double shares[MWA_LOCATION_STATES];
    double sum = 0;

    shares_of(layout, row, bin, shares);
    for (unsigned i = 0; i <= state; i++) {
        sum += shares[i];
    }
    *own |= shares[state] > 0;
    return fmin(sum, 1);
}

/* --- where all is --------------------------------------------------------------------------- */

static void put_title(struct layout *layout, const char *title)
{
    const struct mwa_results *results = layout->results;
    const uint64_t ranks = results->trace->rank_count;
    size_t most = (size_t)(layout->canvas.width / layout->font / LETTER / 1.1);
    char text[TEXT];
    size_t bytes = 0;

    if (title) {
        mwa_clean(title, text, sizeof text);
    } else {
        char program[TEXT - 64];

        mwa_clean(mwa_program(results), program, sizeof program);
        snprintf(text, sizeof text, "%s, %" PRIu64 " rank%s", program, ranks,
                 ranks == 1 ? "" : "s");
    }
    while (text[bytes] && most > 0) {
        bytes++;
        while ((text[bytes] & 0xc0) == 0x80) {
            bytes++;
        }
        most--;
    }
    snprintf(layout->title, sizeof layout->title, "%.*s%s", (int)bytes, text,
             text[bytes] ? "\xe2\x80\xa6" : "");
}

static double label_width(const struct layout *layout)
{
    double widest = 0;

    for (uint32_t i = 0; i < layout->row_count; i++) {
        char text[MWA_LOCATION_LABEL_BYTES];

        widest = fmax(widest, text_width(layout, label_of(layout, &layout->rows[i], text)));
    }
    return widest;
}

static void lay_out(struct layout *layout, const struct mwa_picture *picture)
{
    const double width = picture->width_mm * MWA_POINTS_PER_MM;
    const bool is_narrow = picture->width_mm < NARROW_MM;
    const uint32_t rows = layout->row_count > 0 ? layout->row_count : 1;

    layout->font = is_narrow ? 7 : 8;
    layout->canvas.width = width;
    put_title(layout, picture->title);
    layout->left = 2.2 * layout->font + label_width(layout) + TICK;
    layout->top = layout->title[0] ? 2.1 * layout->font : 0.8 * layout->font;
    layout->width = width - layout->left - 1.5 * layout->font;
    layout->height = fmin(fmax(ROW * rows, ALONE), (is_narrow ? 0.8 : 0.5) * width);
    layout->per_bin = (uint32_t)(layout->results->window.bins / (4 * layout->width)) + 1;
    layout->bins = (layout->results->window.bins + layout->per_bin - 1) / layout->per_bin;
}

static double x_of(const struct layout *layout, uint64_t ticks)
{
    const struct mwa_window *window = &layout->results->window;

    return layout->left + layout->width * (double)(ticks - window->from) /
                              (double)(window->to > window->from ? window->to - window->from : 1);
}

/* The left edge of a bin of the picture; of the one behind the last one, its right edge. */
static double edge_of(const struct layout *layout, uint32_t bin)
{
    const struct mwa_window *window = &layout->results->window;
    const uint64_t edge = (uint64_t)bin * layout->per_bin;

    return x_of(layout,
                mwa_window_edge(window, edge < window->bins ? (uint32_t)edge : window->bins));
}

/* --- drawing -------------------------------------------------------------------------------- */

/* The area from a state down, of all bins of a row. */
static void draw_state(struct layout *layout, uint32_t index, unsigned state)
{
    const struct row *row = &layout->rows[index];
    const double height = layout->height / layout->row_count;
    const double bottom = layout->top + (index + 1) * height;
    const double room = height >= 4 ? height - 1 : height;
    size_t count = 0;
    bool own = false;

    layout->points[count++] = (struct mwa_point){ edge_of(layout, 0), bottom };
    for (uint32_t bin = 0; bin < layout->bins; bin++) {
        double y = bottom - room * share_up_to(layout, row, bin, state, &own);

        layout->points[count++] = (struct mwa_point){ edge_of(layout, bin), y };
        layout->points[count++] = (struct mwa_point){ edge_of(layout, bin + 1), y };
    }
    layout->points[count++] = (struct mwa_point){ edge_of(layout, layout->bins), bottom };
    if (own) {
        layout->kind->area(&layout->canvas, layout->points, count, &mwa_state_looks[state].colour,
                           mwa_state_looks[state].key);
    }
}

static void draw_text(struct layout *layout, double x, double y, enum mwa_anchor anchor,
                      const char *text)
{
    const struct mwa_font font = { .size = layout->font, .anchor = anchor };

    layout->kind->text(&layout->canvas, (struct mwa_point){ x, y }, &font, text);
}

static void draw_line(struct layout *layout, double x, double y, double to_x, double to_y)
{
    layout->kind->line(&layout->canvas, (struct mwa_point){ x, y },
                       (struct mwa_point){ to_x, to_y }, HAIR);
}

/* Labels of rows, of as many as there is room for: of ranks those that are multiples of a step. */
static void draw_rank_axis(struct layout *layout)
{
    const double height = layout->height / layout->row_count;
    const double room = 1.2 * layout->font;
    const double step = fmax(1, mwa_plot_step((double)layout->results->trace->rank_count,
                                              layout->height / room));
    const struct mwa_font turned = { .size = layout->font, .is_turned = true,
                                     .anchor = MWA_ANCHOR_MIDDLE };
    double last = -room;
    char text[TEXT];

    for (uint32_t i = 0; i < layout->row_count; i++) {
        const struct row *row = &layout->rows[i];
        const double y = layout->top + (i + 0.5) * height;
        const double next = step * ceil(row->rank / step);
        const bool is_due = height >= room ||
                            (row->ranks > 0 && next < (double)row->rank + row->ranks);

        if (is_due && y - last >= room) {
            snprintf(text, sizeof text, "%.0f", next);
            draw_line(layout, layout->left - TICK, y, layout->left, y);
            draw_text(layout, layout->left - 1.4 * TICK, y + 0.36 * layout->font,
                      MWA_ANCHOR_RIGHT, height >= room ? label_of(layout, row, text) : text);
            last = y;
        }
    }
    snprintf(text, sizeof text, "%s", layout->has_locations ? "rank, thread" : "rank");
    if (layout->per_row > 1) {
        snprintf(text, sizeof text, "rank (%" PRIu32 " in a row, averaged)", layout->per_row);
    }
    layout->kind->text(&layout->canvas,
                       (struct mwa_point){ 1.2 * layout->font, layout->top + layout->height / 2 },
                       &turned, text);
}

static void draw_time_axis(struct layout *layout)
{
    static const struct {
        double size;
        const char *name;
    } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "\xc2\xb5s" }, { 1, "ns" } };
    const struct mwa_trace *trace = layout->results->trace;
    const struct mwa_window *window = &layout->results->window;
    const double from = (double)mwa_trace_since_begin(trace, window->from);
    const double span = (double)mwa_trace_since_begin(trace, window->to) - from;
    const double bottom = layout->top + layout->height;
    const double step = span > 0 ? mwa_plot_step(span, layout->width / (5 * layout->font)) : 1;
    unsigned unit = 0;
    char text[TEXT];

    while (unit < 3 && fmax(fabs(from), fabs(from + span)) < units[unit].size) {
        unit++;
    }
    for (double at = ceil(from / step - 1e-9); at * step <= from + span * (1 + 1e-9); at++) {
        const double x = layout->left + (span > 0 ? (at * step - from) / span : 0) * layout->width;
        const double digits = ceil(-log10(step / units[unit].size) - 1e-9);

        snprintf(text, sizeof text, "%.*f", (int)fmin(9, fmax(0, digits)),
                 at == 0 ? 0 : at * step / units[unit].size);
        draw_line(layout, x, bottom, x, bottom + TICK);
        draw_text(layout, x, bottom + TICK + 1.1 * layout->font, MWA_ANCHOR_MIDDLE, text);
    }
    snprintf(text, sizeof text, "time (%s)", units[unit].name);
    draw_text(layout, layout->left + layout->width / 2, bottom + TICK + 2.4 * layout->font,
              MWA_ANCHOR_MIDDLE, text);
}

static void draw_frame(struct layout *layout)
{
    const double right = layout->left + layout->width;
    const double bottom = layout->top + layout->height;
    const struct mwa_font bold = { .size = layout->font, .is_bold = true };

    draw_line(layout, layout->left, layout->top, layout->left, bottom);
    draw_line(layout, layout->left, bottom, right, bottom);
    if (layout->title[0]) {
        layout->kind->text(&layout->canvas,
                           (struct mwa_point){ layout->left, 1.3 * layout->font }, &bold,
                           layout->title);
    }
}

/* What of the main threads' recorded time each state has, in *all; threads: whether rows beside
 * theirs have some of it. */
static void sum_up(const struct layout *layout, uint64_t *ticks, uint64_t *all, bool *threads)
{
    const struct mwa_results *results = layout->results;
    const uint32_t bins = results->window.bins;

    for (uint32_t i = 0; i < layout->row_count; i++) {
        const struct row *row = &layout->rows[i];

        for (uint64_t k = 0; k < (uint64_t)row->ranks * bins * MWA_RANK_STATES; k++) {
            uint64_t one = mwa_rank_states_at(&results->rank_states, row->rank, 0)[k];

            ticks[k % MWA_RANK_STATES] += one;
            *all += one;
        }
        for (uint64_t k = 0; row->ranks == 0 && k < (uint64_t)bins * MWA_LOCATION_STATES; k++) {
            threads[k % MWA_LOCATION_STATES] |=
                mwa_location_states_at(&results->location_states, row->location, 0)[k] > 0;
        }
    }
}

/* An entry of the legend, on the next line where there is no room. Nothing is drawn without. */
static void draw_entry(struct layout *layout, struct mwa_point *at, const char *text,
                       const struct mwa_colour *colour, bool is_drawn)
{
    const double size = colour ? 0.8 * layout->font : 0;
    const double gap = colour ? 0.4 * layout->font : 0;
    const double width = size + gap + text_width(layout, text);

    if (at->x > layout->left && at->x + width > layout->canvas.width) {
        *at = (struct mwa_point){ layout->left, at->y + 1.5 * layout->font };
    }
    if (is_drawn && colour) {
        const struct mwa_point box[] = { { at->x, at->y - size }, { at->x + size, at->y - size },
                                         { at->x + size, at->y }, { at->x, at->y } };

        layout->kind->area(&layout->canvas, box, 4, colour, NULL);
    }
    if (is_drawn) {
        draw_text(layout, at->x + size + gap, at->y - 0.05 * layout->font, MWA_ANCHOR_LEFT, text);
    }
    at->x += width + layout->font;
}

/* The legend, or where it would end: the height of the picture. */
static double draw_legend(struct layout *layout, bool is_drawn)
{
    struct mwa_point at = { layout->left,
                            layout->top + layout->height + TICK + 4.2 * layout->font };
    uint64_t ticks[MWA_LOCATION_STATES] = { 0 };
    bool threads[MWA_LOCATION_STATES] = { false };
    uint64_t all = 0;
    char text[TEXT], share[MWA_UNITS_BYTES];

    sum_up(layout, ticks, &all, threads);
    for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
        if (ticks[state] > 0) {
            snprintf(text, sizeof text, "%s %s", mwa_state_word(layout->results->trace, state),
                     mwa_share_text(ticks[state], all, share));
        } else {
            snprintf(text, sizeof text, "%s",
                     mwa_state_word(layout->results->trace, state));
        }
        if (ticks[state] > 0 || threads[state]) {
            draw_entry(layout, &at, text, &mwa_state_looks[state].colour, is_drawn);
        }
    }
    if (layout->left_out > 0) {
        snprintf(text, sizeof text, "%" PRIu64 " threads and streams have no rows",
                 layout->left_out);
        draw_entry(layout, &at, text, NULL, is_drawn);
    }
    if (layout->row_count == 0) {
        draw_entry(layout, &at, "no rank has events", NULL, is_drawn);
    }
    return at.y + 0.8 * layout->font;
}

static void draw(struct layout *layout)
{
    for (uint32_t i = 0; i < layout->row_count; i++) {
        for (unsigned state = MWA_LOCATION_STATES; state > 0; state--) {
            draw_state(layout, i, state - 1);
        }
    }
    draw_frame(layout);
    if (layout->row_count > 0) {
        draw_rank_axis(layout);
        draw_time_axis(layout);
    }
    draw_legend(layout, true);
}

enum mw_status mwa_timeline_picture(const struct mwa_results *results,
                                    const struct mwa_picture *picture, FILE *out)
{
    struct layout layout = { .results = results, .kind = picture->kind, .canvas.out = out };
    enum mw_status status = list_rows(&layout);
    char description[TEXT + 64];

    if (status == MW_OK) {
        lay_out(&layout, picture);
        layout.points = calloc(2 * (size_t)layout.bins + 2, sizeof *layout.points);
        status = layout.points ? MW_OK : MW_ERROR_MEMORY;
    }
    if (status == MW_OK) {
        layout.canvas.height = draw_legend(&layout, false);
        snprintf(description, sizeof description, "%s%sstates of ranks over time", layout.title,
                 layout.title[0] ? ": " : "");
        status = layout.kind->open(&layout.canvas, description);
    }
    if (status == MW_OK) {
        draw(&layout);
        status = layout.kind->close(&layout.canvas);
    }
    free(layout.points);
    free(layout.rows);
    return status;
}
