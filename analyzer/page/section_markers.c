/* What the program has marked: lines in the heat map, and a table. */
#include <inttypes.h>

#include "analyzer/page/html.h"
#include "analyzer/page/page_table.h"
#include "analyzer/table/units.h"

#define LINES_MAX 400u /* in the heat map */
#define ROWS_MAX  200u /* of the table */

#define LABEL_ROOM (MWA_PLOT_WIDTH / 10) /* for the text of a marker, at least */
#define LABEL      60u                   /* characters */

static uint32_t least(uint64_t count, uint32_t most)
{
    return count < most ? (uint32_t)count : most;
}

/* Those that are shown have room for their texts, so that there are no more than these. */
struct label {
    uint32_t marker;
    uint32_t hidden; /* between it and the next one that is shown */
    double x, room;
    bool is_left_of_it; /* of its marker, at the end of the time */
};

#define LABELS_MAX (10u + 1)

/* Script marks.js does the same when a part of the time is shown. */
static uint32_t choose_labels(const struct mwa_page *page, uint32_t count, struct label *labels)
{
    const struct mwa_markers *markers = &page->results->markers;
    struct label *last = labels;
    uint32_t shown = 0;

    for (uint32_t i = 0; i < count; i++) {
        const double x = mwa_plot_x_of_ticks(page, markers->list[i].time);

        if (shown > 0 && (x - last->x < LABEL_ROOM || shown == LABELS_MAX)) {
            last->hidden++;
            continue;
        }
        if (shown > 0) {
            last->room = x - last->x;
        }
        last = &labels[shown++];
        *last = (struct label){ .marker = i, .x = x, .room = MWA_PLOT_WIDTH - x };
    }
    if (shown > 0 && last->room < LABEL_ROOM) {
        last->is_left_of_it = true;
        last->room = shown > 1 ? last[-1].room / 2 : last->x;
        if (shown > 1) {
            last[-1].room -= last->room;
        }
    }
    return shown;
}

void mwa_markers_label(const struct mwa_page *page)
{
    const struct mwa_markers *markers = &page->results->markers;
    struct label labels[LABELS_MAX];
    const uint32_t shown = choose_labels(page, least(markers->count, LINES_MAX), labels);
    FILE *out = page->out;

    if (shown == 0) {
        return;
    }
    fputs("<div class=\"marks\">", out);
    for (uint32_t i = 0; i < shown; i++) {
        fprintf(out, "<span%s style=\"left:%.3f%%;max-width:%.3f%%\">",
                labels[i].is_left_of_it ? " class=\"end\"" : "", 100 * labels[i].x / MWA_PLOT_WIDTH,
                100 * labels[i].room / MWA_PLOT_WIDTH);
        mwa_html_text(markers->list[labels[i].marker].text, LABEL, out);
        if (labels[i].hidden > 0) {
            fprintf(out, " +%" PRIu32, labels[i].hidden);
        }
        fputs("</span>", out);
    }
    fputs("</div>\n", out);
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

        if (top > 0) {
            fprintf(page->out, "<line class=\"lead\" x1=\"%.3f\" x2=\"%.3f\" y2=\"%" PRIu64 "\"/>",
                    x, x, top);
        }
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
