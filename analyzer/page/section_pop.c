/* The tree of efficiencies (POP), those of regions, and the critical path. */
#include <inttypes.h>
#include <math.h>

#include "analyzer/page/html.h"
#include "analyzer/page/page_table.h"
#include "analyzer/table/units.h"

#define ACCEPTABLE    0.8 /* POP's threshold */
#define BOX_WIDTH     210.0
#define BOX_HEIGHT    84.0
#define REGIONS_SHOWN 12u
#define PATH_SHOWN    10u

/* A factor; NAN: not known. */
struct box {
    const char *name;
    const char *key; /* in the JSON report, below pop */
    double value;
    double x, y;
};

static void put_box(const struct box *box, FILE *out)
{
    bool known = isfinite(box->value), low = known && box->value < ACCEPTABLE;
    double middle = box->x + BOX_WIDTH / 2;

    fprintf(out, "<g class=\"%s\"><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"8\"/>"
                 "<text x=\"%g\" y=\"%g\">%s</text><text class=\"value\" x=\"%g\" y=\"%g\"",
            !known ? "unknown" : low ? "low" : "fine", box->x, box->y, BOX_WIDTH, BOX_HEIGHT,
            middle, box->y + 24, box->name, middle, box->y + 53);
    if (known) {
        fprintf(out, " data-of=\"pop.%s\" data-value=\"%.17g\">%.2f</text>", box->key,
                box->value, box->value);
    } else {
        fputs(">\xe2\x80\x93</text>", out);
    }
    fprintf(out, "<text class=\"judged\" x=\"%g\" y=\"%g\">%s</text></g>\n", middle, box->y + 73,
            !known ? "not known"
            : low  ? "\xe2\x96\xbc below 0.80"
                   : "\xe2\x9c\x93 0.80 or more");
}

static void put_line(const struct box *above, const struct box *below, FILE *out)
{
    fprintf(out, "<path d=\"M%g %gv14H%gv14\"/>\n", above->x + BOX_WIDTH / 2,
            above->y + BOX_HEIGHT, below->x + BOX_WIDTH / 2);
}

static void put_tree(const struct mwa_page *page)
{
    const struct mwa_pop_factors *run = &page->results->pop.run;
    const struct box boxes[] = {
        { "Parallel efficiency", "parallel_efficiency", run->parallel_efficiency, 170, 2 },
        { "Load balance", "load_balance", run->load_balance, 10, 114 },
        { "Communication efficiency", "communication_efficiency",
          run->communication_efficiency, 330, 114 },
        { "Serialisation efficiency", "serialisation_efficiency",
          run->serialisation_efficiency, 210, 226 },
        { "Transfer efficiency", "transfer_efficiency", run->transfer_efficiency, 450, 226 },
        { "Running efficiency", "running_efficiency", run->running_efficiency, 570, 114 }
    };
    const size_t shown = sizeof boxes / sizeof boxes[0] - !run->is_on_core;
    static const struct {
        unsigned above, below;
    } lines[] = { { 0, 1 }, { 0, 2 }, { 2, 3 }, { 2, 4 }, { 0, 5 } };
    FILE *out = page->out;

    fprintf(out,
            "<svg class=\"tree\" role=\"img\" aria-label=\"Parallel efficiency as a product of "
            "its factors\" viewBox=\"0 0 %d 312\">\n",
            run->is_on_core ? 790 : 670);
    for (size_t i = 0; i + 1 < shown; i++) {
        put_line(&boxes[lines[i].above], &boxes[lines[i].below], out);
    }
    for (size_t i = 0; i < shown; i++) {
        put_box(&boxes[i], out);
    }
    fputs("</svg>\n<p class=\"note\">Each box is the product of those below it; 0.80 and more is "
          "acceptable (POP).",
          out);
    if (page->results->pop.ideal_unknown) {
        fputs(" Serialisation and transfer are not known: ", out);
        mwa_html_text(page->results->pop.ideal_unknown, 0, out);
        putc('.', out);
    }
    fputs("</p>\n", out);
}

static void put_regions(struct mwa_page *page)
{
    if (page->results->pop.region_count > 0) {
        fputs("<h3>Regions of the program</h3>\n", page->out);
        mwa_page_table(page, "pop.regions", &mwa_pop_regions_table, REGIONS_SHOWN, REGIONS_SHOWN,
                       NULL);
    }
}

static void put_path(struct mwa_page *page)
{
    const struct mwa_critical_path *path = &page->results->critical_path;
    FILE *out = page->out;
    char times[MWA_UNITS_BYTES];

    if (!path->known) {
        return;
    }
    fputs("<h3>The critical path</h3>\n<p>It takes ", out);
    mwa_html_time("critical_path.length_ns", path->length_ns, out);
    fprintf(out, ", ends on rank %" PRIu32 " and goes from rank to rank %s%s%s. "
                 "What is on it, with the average of all ranks beside:</p>\n",
            path->end_rank, mwa_times_text(path->hops, times), path->note ? "; " : "",
            path->note ? path->note : "");
    mwa_page_table(page, "critical_path.rows", &mwa_critical_path_table, PATH_SHOWN, PATH_SHOWN,
                   NULL);
}

void mwa_section_pop(struct mwa_page *page)
{
    put_tree(page);
    put_regions(page);
    put_path(page);
}
