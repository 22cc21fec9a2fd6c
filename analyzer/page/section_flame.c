/*
 * Who calls MPI, as a flame graph from the top down: boxes whose widths are shares of the time in
 * MPI. The numbers are in the table below it; for those who don't see it, it is one picture.
 */
#include <inttypes.h>

#include "analyzer/page/html.h"
#include "analyzer/page/page_table.h"
#include "analyzer/table/units.h"

#define NARROWEST 0.003 /* of the whole: a box below that is not drawn, */
#define DEPTH_MAX 40u   /* none that is deeper, */
#define BOXES_MAX 1500u /* and no more in all */
#define ROWS_OPEN 5u
#define ROWS_MAX  200u

struct drawing {
    const struct mwa_flame *flame;
    double whole;
    uint64_t count;
    uint64_t left_out;
    FILE *out;
};

/* A box, waiting at its left; x is where it begins, of 1. */
static void put_box(const struct drawing *drawing, const struct mwa_flame_node *node, double x)
{
    double share = (double)node->time_ns / drawing->whole;
    double waiting = node->time_ns > 0 ? (double)node->wait_ns / (double)node->time_ns : 0;
    char text[4][MWA_UNITS_BYTES];

    fprintf(drawing->out,
            "<span style=\"--d:%" PRIu32 ";--x:%.3f%%;--w:%.3f%%;--q:%.1f%%\" title=\"",
            node->depth, 100 * x, 100 * share, 100 * (waiting < 1 ? waiting : 1));
    mwa_html_text(node->name, 0, drawing->out);
    fprintf(drawing->out, ": %s, %s of the time in MPI; waiting %s, %s of it\">",
            mwa_time_text(node->time_ns, text[0]),
            mwa_share_text(node->time_ns, (uint64_t)drawing->whole, text[1]),
            mwa_time_text(node->wait_ns, text[2]),
            mwa_share_text(node->wait_ns, node->time_ns, text[3]));
    mwa_html_text(node->name, 80, drawing->out);
    fputs("</span>\n", drawing->out);
}

/* The box of a node and those below it. */
static void put_boxes(struct drawing *drawing, uint32_t index, double x)
{
    const struct mwa_flame_node *node = &drawing->flame->nodes[index];

    if ((double)node->time_ns < NARROWEST * drawing->whole || node->depth > DEPTH_MAX ||
        drawing->count == BOXES_MAX) {
        drawing->left_out++;
        return;
    }
    drawing->count++;
    put_box(drawing, node, x);
    for (uint64_t i = 0; i < node->count; i++) {
        uint32_t child = drawing->flame->children[node->first + i];

        put_boxes(drawing, child, x);
        x += (double)drawing->flame->nodes[child].time_ns / drawing->whole;
    }
}

void mwa_section_flame(struct mwa_page *page)
{
    const struct mwa_flame *flame = &page->results->flame;
    struct drawing drawing = { .flame = flame, .out = page->out };
    FILE *out = page->out;
    uint32_t depth = flame->depth < DEPTH_MAX ? flame->depth : DEPTH_MAX;

    if (flame->count == 0 || flame->nodes[0].time_ns == 0) {
        fputs("<p>No time was spent in calls of MPI.</p>\n", out);
        return;
    }
    drawing.whole = (double)flame->nodes[0].time_ns;
    fprintf(out,
            "<ul class=\"legend\"><li><i style=\"--c:var(--other)\"></i>in MPI</li>"
            "<li><i style=\"--c:var(--waiting)\"></i>of that waiting</li></ul>\n"
            "<div class=\"flame\" role=\"img\" aria-label=\"Time in MPI by who calls it, as a "
            "flame graph; the numbers are in the table below\" style=\"--rows:%" PRIu32 "\">\n",
            depth + 1);
    put_boxes(&drawing, 0, 0);
    fputs("</div>\n<p class=\"note\">Above are callers, below what they call; the width of a box "
          "is its share of all ranks' time in MPI.",
          out);
    if (drawing.left_out > 0) {
        fprintf(out, " Not drawn: boxes below %g%%, deeper than %u, or beyond %u.",
                100 * NARROWEST, DEPTH_MAX, BOXES_MAX);
    }
    fputs("</p>\n", out);
    mwa_page_table(page, NULL, &mwa_flame_table, ROWS_OPEN, ROWS_MAX, NULL);
}
