/* Regions of the program below the heat map of ranks: phases that one's eye finds again in it. */
#include <inttypes.h>
#include <math.h>

#include "analyzer/export/image.h"
#include "analyzer/page/html.h"
#include "analyzer/page/sections.h"
#include "analyzer/table/units.h"

#define LEVELS     12u /* of the share of the ranks that are inside */
#define HEIGHT_ROW 20u
#define HEIGHT_MIN 40u
#define ROW        10u /* units high */
#define LABEL      40u /* characters */

static uint64_t ranks_of(const struct mwa_page *page)
{
    return page->run.ranks > 0 ? page->run.ranks : 1;
}

static const char *name_of(const struct mwa_page *page, uint64_t row)
{
    return page->results->trace->regions[page->results->region_lanes.list[row].region].name;
}

static void paint(const struct mwa_page *page, struct mwa_image *image)
{
    const struct mwa_region_lanes *lanes = &page->results->region_lanes;

    for (uint64_t row = 0; row < lanes->count; row++) {
        for (uint32_t bin = 0; bin < MWA_LANES_BINS; bin++) {
            const double share = mwa_region_lanes_share(lanes, &lanes->list[row], bin,
                                                        ranks_of(page));

            image->pixels[row * MWA_LANES_BINS + bin] =
                share > 0 ? (uint8_t)fmax(1, fmin(LEVELS, round(share * LEVELS))) : 0;
        }
    }
}

static void put_labels(const struct mwa_page *page)
{
    const struct mwa_region_lanes *lanes = &page->results->region_lanes;
    FILE *out = page->out;

    fputs("<div class=\"ylabels\">", out);
    for (uint64_t row = 0; row < lanes->count; row++) {
        fprintf(out, "<span class=\"long\" style=\"top:%.3f%%\">",
                100 * ((double)row + .5) / (double)lanes->count);
        mwa_html_text(name_of(page, row), LABEL, out);
        fputs("</span>", out);
    }
    fputs("</div>\n", out);
}

/* What is seen when the pointer rests on a row. */
static void put_hint(const struct mwa_page *page, uint64_t row)
{
    const struct mwa_trace *trace = page->results->trace;
    const struct mwa_region_lane *lane = &page->results->region_lanes.list[row];
    char text[MWA_UNITS_BYTES];
    FILE *out = page->out;

    fprintf(out, "<rect width=\"%g\" y=\"%" PRIu64 "\" height=\"%u\" fill=\"transparent\"><title>",
            MWA_PLOT_WIDTH, row * ROW, ROW);
    mwa_html_text(name_of(page, row), 120, out);
    fprintf(out, ", %s on average of the ranks</title></rect>\n",
            mwa_time_text(mwa_trace_ns(trace, lane->all / ranks_of(page)), text));
}

static void put_chart(struct mwa_page *page, const struct mwa_image *image)
{
    const struct mwa_region_lanes *lanes = &page->results->region_lanes;
    const struct mwa_trace *trace = page->results->trace;
    const double from = mwa_plot_x_anywhere(page, mwa_trace_since_begin(trace, lanes->window.from));
    const double to = mwa_plot_x_anywhere(page, mwa_trace_since_begin(trace, lanes->window.to));
    const uint64_t height = lanes->count * HEIGHT_ROW;
    FILE *out = page->out;

    fprintf(out, "<div class=\"chart\" id=\"regions\" style=\"--height:%" PRIu64 "px\">",
            height > HEIGHT_MIN ? height : HEIGHT_MIN);
    put_labels(page);
    mwa_plot_open(page, (double)lanes->count * ROW,
                  "When ranks are in which regions of the program; times are in the table of "
                  "regions under efficiency",
                  "");
    fprintf(out, "<image x=\"%.3f\" width=\"%.3f\" height=\"%" PRIu64
                 "\" preserveAspectRatio=\"none\" href=\"",
            from, to - from, lanes->count * ROW);
    page->status = mwa_image_put(image, out);
    fputs("\"/>\n", out);
    for (uint64_t row = 0; row < lanes->count; row++) {
        put_hint(page, row);
    }
    fputs("</svg>\n", out);
    mwa_plot_time_axis(page);
    fputs("</div>\n", out);
}

static void put_note(const struct mwa_page *page)
{
    const struct mwa_region_lanes *lanes = &page->results->region_lanes;
    FILE *out = page->out;

    fputs("<p class=\"note\">The darker, the more ranks are in the region, in the order in which "
          "they are entered first",
          out);
    if (lanes->left_out > 0) {
        fprintf(out, "; %" PRIu64 " of %" PRIu64 " regions, those with most time", lanes->count,
                lanes->count + lanes->left_out);
    }
    fputs(".</p>\n", out);
}

void mwa_regions_draw(struct mwa_page *page)
{
    const struct mwa_region_lanes *lanes = &page->results->region_lanes;
    struct mwa_colour palette[LEVELS + 1] = { { 0 } };
    struct mwa_image image;

    if (lanes->count == 0) {
        return;
    }
    for (unsigned i = 1; i <= LEVELS; i++) { /* Okabe and Ito's blue, as in page.css */
        palette[i] = (struct mwa_colour){ 0x00, 0x72, 0xb2, (uint8_t)(30 + 225 * i / LEVELS) };
    }
    page->status = mwa_image_init(&image, MWA_LANES_BINS, (uint32_t)lanes->count, palette,
                                  LEVELS + 1);
    if (page->status != MW_OK) {
        return;
    }
    paint(page, &image);
    fputs("<h3>Regions of the program</h3>\n", page->out);
    put_chart(page, &image);
    put_note(page);
    mwa_image_fini(&image);
}
