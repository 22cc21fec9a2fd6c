/* Threads and streams below the heat map of ranks: they have states of their own. */
#include <inttypes.h>

#include "analyzer/export/image.h"
#include "analyzer/page/html.h"
#include "analyzer/page/page_table.h"
#include "analyzer/table/state_looks.h"

#define LINES      12u /* of pixels, of a row */
#define HEIGHT_ROW 18u
#define HEIGHT_MIN 54u
#define TABLE_OPEN 16u
#define TABLE_MOST 400u

static const char *word_of(unsigned state)
{
    return state == MWA_LOCATION_SYNC ? "waiting for threads" : mwa_state_looks[state].word;
}

/* The states of a bin from the bottom up, each as many lines as it has of their sum. */
static void stack(struct mwa_image *image, uint64_t row, uint32_t bin, const uint64_t *ticks)
{
    uint64_t all = 0, sum = 0;
    uint32_t line = 0;

    for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
        all += ticks[state];
    }
    for (unsigned state = 0; all > 0 && state < MWA_LOCATION_STATES; state++) {
        sum += ticks[state];
        for (; line < LINES && line + .5 < (double)sum / (double)all * LINES; line++) {
            image->pixels[((row + 1) * LINES - 1 - line) * image->width + bin] =
                (uint8_t)(1 + state);
        }
    }
}

static void put_legend(FILE *out)
{
    fputs("<ul class=\"legend\">", out);
    for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
        const struct mwa_colour *colour = &mwa_state_looks[state].colour;

        fprintf(out, "<li><i style=\"--c:rgb(%u %u %u / %.2f)\"></i>%s</li>", colour->red,
                colour->green, colour->blue, colour->alpha / 255.0,
                word_of(state));
    }
    fputs("</ul>\n", out);
}

/* The location of a row. */
static uint32_t location_of(const struct mwa_page *page, uint64_t row)
{
    const struct mwa_other_locations *others = &page->results->other_locations;

    return others->all[others->first + row].location;
}

static void put_labels(const struct mwa_page *page)
{
    const struct mwa_results *results = page->results;
    uint64_t rows = results->location_states.rows;
    char label[MWA_LOCATION_LABEL_BYTES];

    fputs("<div class=\"ylabels\">", page->out);
    for (uint64_t row = 0; row < rows; row++) {
        uint32_t location = location_of(page, row);

        fprintf(page->out, "<span style=\"top:%.3f%%\">%s %s</span>",
                100 * ((double)row + .5) / (double)rows,
                mwa_location_kind_name(results->trace->locations[location].kind),
                mwa_location_label(results->trace, &results->other_locations, location, label));
    }
    fputs("</div>\n", page->out);
}

/* What is seen when the pointer rests on a row: its name, and its states over the run. */
static void put_hint(const struct mwa_page *page, uint64_t row)
{
    const struct mwa_location_states *states = &page->results->location_states;
    uint64_t sums[MWA_LOCATION_STATES] = { 0 }, all = 0;
    FILE *out = page->out;

    for (uint32_t bin = 0; bin < states->bins; bin++) {
        for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
            sums[state] += mwa_location_states_at(states, row, bin)[state];
            all += mwa_location_states_at(states, row, bin)[state];
        }
    }
    fprintf(out, "<rect width=\"%g\" y=\"%" PRIu64 "\" height=\"%u\" fill=\"transparent\"><title>",
            MWA_PLOT_WIDTH, row * LINES, LINES);
    mwa_html_text(page->results->trace->locations[location_of(page, row)].name, 120, out);
    for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
        if (sums[state] > 0) {
            fprintf(out, ", %s %.0f%%", word_of(state), 100 * (double)sums[state] / (double)all);
        }
    }
    fputs("</title></rect>\n", out);
}

static void put_chart(struct mwa_page *page, const struct mwa_image *image)
{
    const struct mwa_trace *trace = page->results->trace;
    const struct mwa_window *window = &page->results->window;
    uint64_t rows = page->results->location_states.rows;
    double from = mwa_plot_x_anywhere(page, mwa_trace_since_begin(trace, window->from));
    double to = mwa_plot_x_anywhere(page, mwa_trace_since_begin(trace, window->to));
    uint64_t height = rows * HEIGHT_ROW > HEIGHT_MIN ? rows * HEIGHT_ROW : HEIGHT_MIN;
    FILE *out = page->out;

    fprintf(out, "<div class=\"chart\" style=\"--height:%" PRIu64 "px\">", height);
    put_labels(page);
    mwa_plot_open(page, image->height, "What threads and streams did over time, by states", "");
    fprintf(out, "<image x=\"%.3f\" width=\"%.3f\" height=\"%u\" preserveAspectRatio=\"none\" "
                 "href=\"",
            from, to - from, image->height);
    page->status = mwa_image_put(image, out);
    fputs("\"/>\n", out);
    for (uint64_t row = 0; row < rows; row++) {
        put_hint(page, row);
    }
    fputs("</svg>\n", out);
    mwa_plot_time_axis(page);
    fputs("</div>\n", out);
}

void mwa_locations_draw(struct mwa_page *page)
{
    const struct mwa_location_states *states = &page->results->location_states;
    struct mwa_colour palette[1 + MWA_LOCATION_STATES] = { { 0 } };
    struct mwa_image image;
    uint64_t all = page->results->other_locations.candidates;

    if (states->rows == 0 || !states->ticks) {
        return;
    }
    for (unsigned i = 0; i < MWA_LOCATION_STATES; i++) {
        palette[1 + i] = mwa_state_looks[i].colour;
    }
    page->status = mwa_image_init(&image, states->bins, (uint32_t)states->rows * LINES, palette,
                                  1 + MWA_LOCATION_STATES);
    if (page->status != MW_OK) {
        return;
    }
    for (uint64_t row = 0; row < states->rows; row++) {
        for (uint32_t bin = 0; bin < states->bins; bin++) {
            stack(&image, row, bin, mwa_location_states_at(states, row, bin));
        }
    }
    fputs("<h3>Threads and streams</h3>\n", page->out);
    put_legend(page->out);
    put_chart(page, &image);
    mwa_image_fini(&image);
    fprintf(page->out,
            "<p class=\"note\" id=\"locations\">%" PRIu64 " of %" PRIu64 " threads and streams "
            "beside the main threads; 0.1 is thread 1 of rank 0, 0.s0 its stream 0. The height of "
            "a colour is its share of what is recorded.</p>\n",
            states->rows, all);
    if (page->status == MW_OK) {
        mwa_page_table(page, "imbalance.location_times", &mwa_location_times_table, TABLE_OPEN,
                       TABLE_MOST, NULL);
    }
}
