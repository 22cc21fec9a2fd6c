/* What the program has marked: lines in the heat map, and a table. */
#include <inttypes.h>

#include "analyzer/page/html.h"
#include "analyzer/page/page_table.h"
#include "analyzer/table/units.h"

#define LINES_MAX 400u /* in the heat map */
#define ROWS_MAX  200u /* of the table */

static uint32_t least(uint64_t count, uint32_t most)
{
    return count < most ? (uint32_t)count : most;
}

void mwa_markers_draw(const struct mwa_page *page, uint32_t ranks_per_row, uint32_t row_height)
{
    const struct mwa_markers *markers = &page->results->markers;

    for (uint32_t i = 0; i < least(markers->count, LINES_MAX); i++) {
        const struct mwa_marker *marker = &markers->list[i];
        double x = mwa_plot_x_of_ticks(page, marker->time);
        uint64_t top = marker->rank == MWA_NONE
                           ? 0
                           : (uint64_t)(marker->rank / ranks_per_row) * row_height;

        fprintf(page->out,
                "<line class=\"marker\" x1=\"%.3f\" x2=\"%.3f\" y1=\"%" PRIu64 "\" y2=\"%" PRIu64
                "\"><title>",
                x, x, top, top + row_height);
        mwa_html_text(marker->text, 120, page->out);
        fputs("</title></line>\n", page->out);
    }
}

void mwa_markers_list(struct mwa_page *page)
{
    const struct mwa_markers *markers = &page->results->markers;
    FILE *out = page->out;

    if (markers->count == 0) {
        return;
    }
    fprintf(out, "<details class=\"markers\"><summary>%" PRIu64 " %s of the program</summary>\n",
            markers->total, markers->total == 1 ? "marker" : "markers");
    mwa_page_table(page, "markers", &mwa_markers_table, ROWS_MAX, ROWS_MAX, NULL);
    if (markers->total > markers->count) {
        fprintf(out, "<p class=\"note\">%" PRIu64 " later ones are not kept.</p>\n",
                markers->total - markers->count);
    }
    fputs("</details>\n", out);
}
