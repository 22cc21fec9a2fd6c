/* The tree of efficiencies (POP). */
#include <math.h>

#include "analyzer/page/html.h"
#include "analyzer/page/sections.h"

#define ACCEPTABLE 0.8 /* POP's threshold */
#define BOX_WIDTH  220.0
#define BOX_HEIGHT 84.0

/* A factor; NAN: not known. */
struct box {
    const char *name;
    double value;
    double x, y;
};

static void put_box(const struct box *box, FILE *out)
{
    bool known = isfinite(box->value), low = known && box->value < ACCEPTABLE;
    double middle = box->x + BOX_WIDTH / 2;

    fprintf(out, "<g class=\"%s\"><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"8\"/>"
                 "<text x=\"%g\" y=\"%g\">%s</text>"
                 "<text class=\"value\" x=\"%g\" y=\"%g\"",
            !known ? "unknown" : low ? "low" : "fine", box->x, box->y, BOX_WIDTH, BOX_HEIGHT,
            middle, box->y + 24, box->name, middle, box->y + 53);
    if (known) {
        fprintf(out, " data-value=\"%.17g\">%.1f%%</text>", box->value, 100 * box->value);
    } else {
        fputs(">\xe2\x80\x93</text>", out);
    }
    fprintf(out, "<text class=\"judged\" x=\"%g\" y=\"%g\">%s</text></g>\n", middle, box->y + 73,
            !known ? "not known"
            : low  ? "\xe2\x96\xbc below 80%"
                   : "\xe2\x9c\x93 80% or more");
}

static void put_line(const struct box *above, const struct box *below, FILE *out)
{
    fprintf(out, "<path d=\"M%g %gv14H%gv14\"/>\n", above->x + BOX_WIDTH / 2,
            above->y + BOX_HEIGHT, below->x + BOX_WIDTH / 2);
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

void mwa_section_pop(struct mwa_page *page)
{
    const struct mwa_run_summary *run = &page->run;
    double longest = (double)run->longest_run_ns;
    double average = ratio((double)run->useful_ns, (double)run->ranks);
    const struct box parallel = { "Parallel efficiency", ratio(average, longest), 170, 2 };
    const struct box balance = { "Load balance", ratio(average, (double)run->useful.max_ns), 20,
                                 114 };
    const struct box communication = { "Communication efficiency",
                                       ratio((double)run->useful.max_ns, longest), 320, 114 };
    FILE *out = page->out;

    fputs("<svg class=\"tree\" role=\"img\" aria-label=\"Parallel efficiency as a product of "
          "its factors\" viewBox=\"0 0 560 202\">\n",
          out);
    put_line(&parallel, &balance, out);
    put_line(&parallel, &communication, out);
    put_box(&parallel, out);
    put_box(&balance, out);
    put_box(&communication, out);
    fputs("</svg>\n<p class=\"note\">Each box is the product of those below it; 80% and more is "
          "acceptable (POP).</p>\n",
          out);
}
