/* Point-to-point messages: how large, and who to whom. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analyzer/page/html.h"
#include "analyzer/page/page.h"
#include "analyzer/page/page_table.h"
#include "analyzer/export/image.h"
#include "analyzer/table/units.h"

#define PAIRS_OPEN  12u
#define PAIRS_MOST  200u
#define LEVELS      15u /* of the matrix, besides nothing */
#define CELL        10.0

/* Where a power of two begins, in the units of all other sizes. */
static const char *power_text(unsigned power, char *text)
{
    return mwa_bytes_text(power > 0 ? UINT64_C(1) << (power - 1) : 0, text);
}

static void put_histogram(struct mwa_page *page, const uint64_t *counts)
{
    unsigned first = MWA_SIZE_POWERS, last = 0;
    uint64_t most = 1;
    char text[2][MWA_UNITS_BYTES];
    FILE *out = page->out;

    for (unsigned i = 0; i < MWA_SIZE_POWERS; i++) {
        if (counts[i] > 0) {
            first = first < i ? first : i;
            last = i;
            most = counts[i] > most ? counts[i] : most;
        }
    }
    fprintf(out, "<div class=\"chart\"><div class=\"ylabels\"><span class=\"first\" "
                 "style=\"top:0\">%s</span><span class=\"last\" style=\"top:100%%\">0</span>"
                 "</div>\n<svg class=\"plot\" role=\"img\" aria-label=\"Messages by size, in "
                 "powers of two; the numbers are in the table below\" viewBox=\"0 0 %g 100\" "
                 "preserveAspectRatio=\"none\">\n",
            mwa_count_text(most, text[0]), CELL * (last - first + 1));
    for (unsigned i = first; i <= last; i++) {
        double height = 100 * (double)counts[i] / (double)most;

        if (counts[i] > 0) {
            fprintf(out, "<rect class=\"size\" x=\"%g\" y=\"%.2f\" width=\"%g\" height=\"%.2f\">"
                         "<title>from %s: %" PRIu64 " messages</title></rect>\n",
                    CELL * (i - first) + .08 * CELL, 100 - fmax(height, .8), .84 * CELL,
                    fmax(height, .8), power_text(i, text[0]), counts[i]);
        }
    }
    fputs("</svg>\n<div class=\"axis\">", out);
    for (unsigned i = first; i <= last; i += 1 + (last - first) / 8) {
        fprintf(out, "<span style=\"left:%.2f%%\">%s</span>",
                100 * (i - first + .5) / (last - first + 1), power_text(i, text[0]));
    }
    fputs("</div></div>\n", out);
}

/* --- the matrix --------------------------------------------------------------------------- */

/* Bytes by sender and receiver, ranks put together where there are more than side. */
static double *add_up(const struct mwa_traffic *traffic, uint32_t side, uint32_t per,
                      double *most)
{
    double *cells = calloc((size_t)side * side, sizeof *cells);

    *most = 0;
    for (uint64_t i = 0; cells && i < traffic->pair_count; i++) {
        const struct mwa_pair *pair = &traffic->pairs[i];
        double *cell = &cells[(size_t)(pair->from / per) * side + pair->to / per];

        *cell += pair->bytes > 0 ? (double)pair->bytes : 1;
        *most = *cell > *most ? *cell : *most;
    }
    return cells;
}

/* From the least to the most bytes in equal factors. */
static enum mw_status draw(const double *cells, double most, struct mwa_image *image)
{
    size_t count = (size_t)image->width * image->height;
    double least = most, span;

    for (size_t i = 0; i < count; i++) {
        least = cells[i] > 0 && cells[i] < least ? cells[i] : least;
    }
    span = log(most / least);
    for (size_t i = 0; i < count; i++) {
        if (cells[i] > 0) {
            double share = span > 0 ? log(cells[i] / least) / span : 1;

            image->pixels[i] = (uint8_t)(1 + lround(share * (LEVELS - 1)));
        }
    }
    return MW_OK;
}

/* Labels of ranks along a side of the matrix: left, or below. */
static void put_ticks(uint64_t ranks, const char *style, FILE *out)
{
    const double step = fmax(1, ceil(mwa_plot_step((double)ranks, 8)));

    for (double rank = 0; rank < (double)ranks; rank += step) {
        fprintf(out, "<span style=\"%s:%.3f%%\">%.0f</span>", style,
                100 * (rank + .5) / (double)ranks, rank);
    }
}

static void put_matrix_frame(const struct mwa_page *page, const struct mwa_image *image)
{
    FILE *out = page->out;

    fputs("<div class=\"chart square\"><div class=\"ylabels\">", out);
    put_ticks(page->results->trace->rank_count, "top", out);
    fprintf(out, "</div>\n<svg class=\"plot\" role=\"img\" aria-label=\"Bytes from rank to "
                 "rank; the heaviest pairs are in the table\" viewBox=\"0 0 %u %u\" "
                 "preserveAspectRatio=\"none\"><image width=\"%u\" height=\"%u\" "
                 "preserveAspectRatio=\"none\" href=\"",
            image->width, image->height, image->width, image->height);
}

static void put_matrix(struct mwa_page *page)
{
    const struct mwa_traffic *traffic = &page->results->traffic;
    uint32_t ranks = (uint32_t)page->results->trace->rank_count;
    uint32_t per = (ranks + MWA_PAGE_ROWS - 1) / MWA_PAGE_ROWS;
    uint32_t side = (ranks + per - 1) / per;
    struct mwa_colour palette[LEVELS + 1] = { { 0 } };
    struct mwa_image image = { 0 };
    double most, *cells = add_up(traffic, side, per, &most);
    char text[MWA_UNITS_BYTES];

    for (unsigned i = 1; i <= LEVELS; i++) {
        palette[i] = (struct mwa_colour){ 0x00, 0x72, 0xb2, (uint8_t)(30 + 225 * i / LEVELS) };
    }
    page->status = cells ? mwa_image_init(&image, side, side, palette, LEVELS + 1)
                         : MW_ERROR_MEMORY;
    if (page->status == MW_OK) {
        page->status = draw(cells, most, &image);
        put_matrix_frame(page, &image);
    }
    if (page->status == MW_OK) {
        page->status = mwa_image_put(&image, page->out);
        fputs("\"/></svg>\n<div class=\"axis ticks\">", page->out);
        put_ticks(ranks, "left", page->out);
        fprintf(page->out, "</div>\n<div class=\"axis-title\">left: from rank, below: to rank; few"
                           "<span class=\"scale\"></span>%s, in equal factors%s</div></div>\n",
                mwa_bytes_text((uint64_t)most, text),
                per > 1 ? "; ranks are put together" : "");
    }
    mwa_image_fini(&image);
    free(cells);
}

/* Messages that came before anybody waited for them. */
static void put_queueing(const struct mwa_results *results, FILE *out)
{
    const struct mwa_queueing *queueing = &results->queueing;
    char text[3][MWA_UNITS_BYTES];

    if (!mwa_has(results, MWA_NEED_QUEUEING) || queueing->late_posted == 0) {
        return;
    }
    fprintf(out, " The receive of %s was posted after the send had begun, %s later on average, at "
                 "most %s.",
            mwa_share_text(queueing->late_posted, queueing->matched, text[0]),
            mwa_time_text(queueing->total_ns / queueing->late_posted, text[1]),
            mwa_time_text(queueing->max_ns, text[2]));
}

static void put_wildcards(const struct mwa_results *results, FILE *out)
{
    const struct mwa_wildcard_count *total = &results->wildcards.total;
    char text[2][MWA_UNITS_BYTES];

    if (results->wildcards.known && total->any > 0) {
        fprintf(out, " %s of the receives are for any source, %s for any tag.",
                mwa_share_text(total->any_source, total->receives, text[0]),
                mwa_share_text(total->any_tag, total->receives, text[1]));
    }
}

void mwa_section_messages(struct mwa_page *page)
{
    const struct mwa_traffic *traffic = &page->results->traffic;
    const uint64_t here = mwa_messages_to_ranks(traffic);
    char text[MWA_UNITS_BYTES];
    FILE *out = page->out;

    if (traffic->messages == 0) {
        fputs("<p>No point-to-point message was recorded.</p>\n", out);
        return;
    }
    fputs("<p>", out);
    mwa_html_count("messages.messages", traffic->messages, out);
    fputs(" messages with ", out);
    mwa_html_bytes("messages.bytes", traffic->bytes, out);
    fputs(", median ", out);
    mwa_html_bytes("messages.median_bytes", mwa_traffic_median(traffic), out);
    if (here > 0) {
        fprintf(out, "; %s of %s stay within a host",
                mwa_share_text(mwa_intra_host_messages(page->results), here, text),
                here < traffic->messages ? "those to ranks of the job" : "them");
    }
    putc('.', out);
    put_queueing(page->results, out);
    put_wildcards(page->results, out);
    fputs("</p>\n<div class=\"pair\"><div>\n", out);
    fputs("<h3>Sizes</h3>\n", out);
    put_histogram(page, traffic->powers);
    fputs("<details><summary>Sizes as a table</summary>\n", out);
    mwa_page_table(page, "messages.sizes", &mwa_sizes_table, MWA_SIZE_POWERS, MWA_SIZE_POWERS,
                   NULL);
    fputs("</details>\n", out);
    fputs("<h3>Heaviest pairs</h3>\n", out);
    mwa_page_table(page, "messages.pairs", &mwa_messages_table, PAIRS_OPEN, PAIRS_MOST, NULL);
    fputs("</div><div>\n<h3>From rank to rank, bytes</h3>\n", out);
    put_matrix(page);
    fputs("</div></div>\n", out);
}
