/* Communicators: when each lived, and what happened on it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/page/html.h"
#include "analyzer/page/page_table.h"
#include "analyzer/analysis/comms/comm_label.h"
#include "analyzer/table/units.h"
#include "formats/base/order.h"

#define COMMS_DRAWN 40u
#define ROW         10.0

/* Those that were always there first. */
static int by_creation(const void *left, const void *right)
{
    const struct mwa_comm_row *a = *(const struct mwa_comm_row *const *)left;
    const struct mwa_comm_row *b = *(const struct mwa_comm_row *const *)right;
    int64_t first = a->has_created ? a->created_ns : INT64_MIN;
    int64_t second = b->has_created ? b->created_ns : INT64_MIN;

    return mw_order_signed(first, second) ?: mw_order(a->comm, b->comm);
}

/* The rows with most time, by creation; *count at most COMMS_DRAWN. */
static const struct mwa_comm_row **sort(const struct mwa_comms *comms, uint64_t *count)
{
    const struct mwa_comm_row **sorted = calloc(COMMS_DRAWN, sizeof *sorted);

    *count = comms->count < COMMS_DRAWN ? comms->count : COMMS_DRAWN;
    if (sorted && *count > 0) {
        memcpy(sorted, comms->by_time, *count * sizeof *sorted);
        qsort(sorted, *count, sizeof *sorted, by_creation);
    }
    return sorted;
}

/* Text of its name, and of how it was made, of at most so many characters (0: all). */
static void put_name(const struct mwa_page *page, const struct mwa_comm_row *row, size_t most)
{
    char label[MWA_COMM_LABEL_BYTES];

    mwa_html_text(mwa_comm_label(page->results->trace, row->comm, label), most, page->out);
}

static void put_life(const struct mwa_page *page, const struct mwa_comm_row *row, uint64_t at)
{
    double from = mwa_plot_x(page, row->has_created ? row->created_ns : page->from_ns);
    double to = mwa_plot_x(page, row->has_freed ? row->freed_ns : page->to_ns);
    char text[2][MWA_UNITS_BYTES];
    FILE *out = page->out;

    fprintf(out, "<rect class=\"life%s\" x=\"%.2f\" y=\"%g\" width=\"%.2f\" height=\"%g\"><title>",
            row->has_created ? "" : " predefined", from, ROW * (double)at + .2 * ROW,
            to - from > 8 ? to - from : 8, .6 * ROW);
    put_name(page, row, 80);
    fprintf(out, ": %s to %s</title></rect>\n",
            row->has_created ? mwa_moment_text(row->created_ns, text[0]) : "the beginning",
            row->has_freed ? mwa_moment_text(row->freed_ns, text[1]) : "the end");
}

static void put_gantt(const struct mwa_page *page, const struct mwa_comm_row **rows,
                      uint64_t count)
{
    char text[MWA_UNITS_BYTES];
    FILE *out = page->out;

    fprintf(out, "<div class=\"chart\" style=\"--labels:13rem;--values:9rem;--height:calc(20px "
                 "* %" PRIu64 ")\"><div class=\"rows names\">",
            count);
    for (uint64_t i = 0; i < count; i++) {
        fputs("<div title=\"", out);
        put_name(page, rows[i], 0);
        fputs("\">", out);
        put_name(page, rows[i], 30);
        fputs("</div>", out);
    }
    fputs("</div>\n", out);
    mwa_plot_open(page, ROW * (double)count,
                  "When communicators lived; the numbers are in the table below", "");
    for (uint64_t i = 0; i < count; i++) {
        put_life(page, rows[i], i);
    }
    fputs("</svg>\n<div class=\"rows\">", out);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t size = mwa_trace_comm_total(page->results->trace, rows[i]->comm);

        fprintf(out, "<div>%" PRIu64 " rank%s, %s</div>", size, size == 1 ? "" : "s",
                mwa_time_text(rows[i]->time_ns, text));
    }
    fputs("</div>\n", out);
    mwa_plot_time_axis(page);
    fputs("</div>\n", out);
}

void mwa_section_comms(struct mwa_page *page)
{
    const struct mwa_comms *comms = &page->results->comms;
    uint64_t count;
    const struct mwa_comm_row **rows = sort(comms, &count);
    FILE *out = page->out;

    if (!rows) {
        page->status = MW_ERROR_MEMORY;
        return;
    }
    fprintf(out, "<p><data value=\"%" PRIu64 "\" data-of=\"info.communicators\">%" PRIu64
                 "</data> communicators, %" PRIu64 " of them created in the run; at most %" PRIu64
                 " alive at once, %" PRIu64 " never freed. ",
            comms->count, comms->count, comms->created, comms->alive_max,
            mwa_comm_findings_of(&page->results->comm_findings, MWA_COMM_LEAKED));
    mwa_html_time("comms.none_ns", comms->none_ns, out);
    fputs(" of MPI time belong to none, ", out);
    mwa_html_share(comms->none_ns, comms->mpi_ns, out);
    fputs(".</p>\n", out);
    if (count > 0) {
        put_gantt(page, rows, count);
        if (comms->count > count) {
            fprintf(out, "<p class=\"note\">Those with most MPI time; %" PRIu64
                         " more: mpiwatch-analyze comms.</p>\n",
                    comms->count - count);
        }
        fputs("<details><summary>Communicators as a table</summary>\n", out);
        mwa_page_table(page, "comms.communicators", &mwa_comms_table, COMMS_DRAWN, COMMS_DRAWN,
                       NULL);
        fputs("</details>\n", out);
    }
    free(rows);
}
