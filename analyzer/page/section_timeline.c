/* Who did what when: the heat map of ranks and time. */
#include <inttypes.h>
#include <math.h>

#include "analyzer/page/page.h"
#include "analyzer/page/sections.h"
#include "analyzer/export/image.h"
#include "analyzer/table/state_looks.h"

#define LEVELS     6u  /* of a state's share, where a rank has one line of pixels */
#define STACK_MIN  4u  /* lines from which on a rank's states are stacked */
#define STACK_MAX  16u
#define HEIGHT_MIN 110u
#define HEIGHT_MAX 460u
#define HEIGHT_ROW 44u

/* The heat map: each row some ranks, of so many lines of pixels. */
struct heat {
    const struct mwa_timeline *timeline;
    uint32_t per;   /* rows of the timeline put together */
    uint32_t rows;
    uint32_t lines; /* of a row */
    struct mwa_image image;
    struct mwa_colour palette[1 + MWA_TIMELINE_STATES * LEVELS]; /* 0 is nothing */
};

/* The shares of a bin in a row of the picture. */
static void shares_of(const struct heat *heat, uint32_t row, uint32_t bin, double *shares)
{
    uint32_t first = row * heat->per, last = first + heat->per;

    last = last < heat->timeline->rows ? last : heat->timeline->rows;
    for (unsigned state = 0; state < MWA_TIMELINE_STATES; state++) {
        shares[state] = 0;
        for (uint32_t i = first; i < last; i++) {
            shares[state] += mwa_timeline_at(heat->timeline, i, bin)[state] / (last - first);
        }
    }
}

/* The index of a state's colour; level 0 is the faintest. */
static uint8_t colour_of(unsigned state, unsigned level)
{
    return (uint8_t)(1 + state * LEVELS + level);
}

/* States from the bottom up, each as many lines as it has of the bin. */
static void stack(struct heat *heat, uint32_t row, uint32_t bin, const double *shares)
{
    double sum = 0;
    uint32_t line = 0;

    for (unsigned state = 0; state < MWA_TIMELINE_STATES; state++) {
        sum += shares[state];
        for (; line < heat->lines && line + .5 < sum * heat->lines; line++) {
            uint32_t at = (row + 1) * heat->lines - 1 - line;

            heat->image.pixels[(size_t)at * heat->image.width + bin] =
                colour_of(state, LEVELS - 1);
        }
    }
}

/* The state with most of the bin, the more solid the more it has. */
static void dominate(struct heat *heat, uint32_t row, uint32_t bin, const double *shares)
{
    unsigned most = 0;
    long level;

    for (unsigned state = 1; state < MWA_TIMELINE_STATES; state++) {
        most = shares[state] > shares[most] ? state : most;
    }
    level = lround(shares[most] * LEVELS) - 1;
    for (uint32_t line = 0; line < heat->lines && level >= 0; line++) {
        heat->image.pixels[(size_t)(row * heat->lines + line) * heat->image.width + bin] =
            colour_of(most, (unsigned)level < LEVELS ? (unsigned)level : LEVELS - 1);
    }
}

static enum mw_status paint(struct heat *heat)
{
    const struct mwa_timeline *timeline = heat->timeline;
    enum mw_status status;

    for (unsigned i = 0; i < MWA_TIMELINE_STATES * LEVELS; i++) {
        heat->palette[1 + i] = mwa_state_looks[i / LEVELS].colour;
        heat->palette[1 + i].alpha = (uint8_t)(255 * (i % LEVELS + 1) / LEVELS);
    }
    heat->per = (timeline->rows + MWA_PAGE_ROWS - 1) / MWA_PAGE_ROWS;
    heat->rows = (timeline->rows + heat->per - 1) / heat->per;
    heat->lines = MWA_PAGE_ROWS / heat->rows;
    heat->lines = heat->lines > STACK_MAX ? STACK_MAX : heat->lines;
    heat->lines = heat->lines < STACK_MIN ? 1 : heat->lines;
    status = mwa_image_init(&heat->image, timeline->window.bins, heat->rows * heat->lines,
                            heat->palette, 1 + MWA_TIMELINE_STATES * LEVELS);
    for (uint32_t row = 0; row < heat->rows && status == MW_OK; row++) {
        for (uint32_t bin = 0; bin < timeline->window.bins; bin++) {
            double shares[MWA_TIMELINE_STATES];

            shares_of(heat, row, bin, shares);
            (heat->lines >= STACK_MIN ? stack : dominate)(heat, row, bin, shares);
        }
    }
    return status;
}

static void put_legend(const struct mwa_page *page)
{
    FILE *out = page->out;

    fputs("<ul class=\"legend\">", out);
    for (unsigned state = 0; state < MWA_TIMELINE_STATES; state++) {
        fprintf(out, "<li><i style=\"--c:var(--%s)\"></i>%s</li>", mwa_state_looks[state].key,
                mwa_state_word(page->results->trace, state));
    }
    fputs("<li><i style=\"--c:var(--faint);outline:1px solid var(--line)\"></i>nothing recorded"
          "</li></ul>\n",
          out);
}

static void put_rank_labels(const struct mwa_page *page, uint32_t pixels)
{
    uint64_t ranks = page->results->trace->rank_count;
    double step = fmax(1, mwa_plot_step((double)ranks, pixels / 24.0));

    fputs("<div class=\"ylabels\">", page->out);
    for (double rank = 0; rank < (double)ranks; rank += step) {
        fprintf(page->out, "<span style=\"top:%.3f%%\">rank %.0f</span>",
                100 * (rank + .5) / (double)ranks, rank);
    }
    fputs("</div>\n", page->out);
}

/* What the script needs to tell from a pixel what it means. */
static void describe(const struct mwa_page *page, const struct heat *heat, char *text,
                     size_t size)
{
    int length = snprintf(text, size,
                          " data-ranks=\"%" PRIu64 "\" data-per=\"%" PRIu32 "\" data-sub=\"%" PRIu32
                          "\" data-states='[{\"name\":\"nothing recorded\"}",
                          page->results->trace->rank_count,
                          heat->per * heat->timeline->ranks_per_row, heat->lines);

    for (unsigned state = 0; state < MWA_TIMELINE_STATES; state++) {
        const struct mwa_colour *colour = &mwa_state_looks[state].colour;

        length += snprintf(text + length, size - (size_t)length,
                           ",{\"name\":\"%s\",\"colour\":[%u,%u,%u]}",
                           mwa_state_word(page->results->trace, state), colour->red,
                           colour->green, colour->blue);
    }
    snprintf(text + length, size - (size_t)length, "]'");
}

static void put_heat(struct mwa_page *page, const struct heat *heat)
{
    uint32_t pixels = HEIGHT_ROW * heat->rows;
    const struct mwa_trace *trace = page->results->trace;
    const struct mwa_window *window = &heat->timeline->window;
    double from = mwa_plot_x_anywhere(page, mwa_trace_since_begin(trace, window->from));
    double to = mwa_plot_x_anywhere(page, mwa_trace_since_begin(trace, window->to));
    char attributes[1024];
    FILE *out = page->out;

    pixels = pixels < HEIGHT_MIN ? HEIGHT_MIN : pixels > HEIGHT_MAX ? HEIGHT_MAX : pixels;
    put_legend(page);
    fprintf(out, "<div class=\"chart\" style=\"--height:%upx\">", pixels);
    mwa_markers_label(page);
    put_rank_labels(page, pixels);
    describe(page, heat, attributes, sizeof attributes);
    mwa_plot_open(page, heat->image.height,
                  "What each rank did over time, by states; sums are in the table of ranks",
                  attributes);
    fprintf(out, "<image x=\"%.3f\" width=\"%.3f\" height=\"%u\" preserveAspectRatio=\"none\" "
                 "href=\"",
            from, to - from, heat->image.height);
    page->status = mwa_image_put(&heat->image, out);
    fputs("\"/>\n", out);
    mwa_markers_draw(page, heat->per * heat->timeline->ranks_per_row, heat->lines);
    fputs("</svg>\n", out);
    mwa_plot_time_axis(page);
    fputs("</div>\n", out);
}

static void put_note(const struct mwa_page *page, const struct heat *heat)
{
    uint32_t ranks = heat->per * heat->timeline->ranks_per_row;
    FILE *out = page->out;

    fprintf(out, "<p class=\"note\">%" PRIu32 " parts of time; ", heat->timeline->window.bins);
    if (ranks > 1) {
        fprintf(out, "%" PRIu32 " ranks in a row, averaged; ", ranks);
    }
    fprintf(out, "%s</p>\n",
            heat->lines >= STACK_MIN
                ? "the height of a colour in a rank\xe2\x80\x99s row is its share of the time."
                : "the colour is the state with most of the time, the more solid the more.");
}

void mwa_section_timeline(struct mwa_page *page)
{
    struct heat heat = { .timeline = &page->results->timeline };

    if (heat.timeline->window.bins == 0 || heat.timeline->rows == 0) {
        fputs("<p>No rank has events that take time.</p>\n", page->out);
        return;
    }
    page->status = paint(&heat);
    if (page->status == MW_OK) {
        /* All charts of the section have as much room for labels: times are below each other. */
        fputs(page->results->region_lanes.count > 0 ? "<div style=\"--labels:9rem\">\n" : "<div>\n",
              page->out);
        put_heat(page, &heat);
        put_note(page, &heat);
        mwa_markers_list(page);
        if (page->status == MW_OK) {
            mwa_regions_draw(page);
        }
        if (page->status == MW_OK) {
            mwa_locations_draw(page);
        }
        fputs("</div>\n", page->out);
    }
    mwa_image_fini(&heat.image);
}
