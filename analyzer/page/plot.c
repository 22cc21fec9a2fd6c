/*
 * All charts over time share one scale and one width, whatever their heights:
 * zooming sets the same viewBox for all of them, and a moment lies below itself.
 */
#include "analyzer/page/sections.h"

#include <math.h>

double mwa_plot_x_anywhere(const struct mwa_page *page, int64_t ns)
{
    double length = (double)(page->to_ns - page->from_ns);

    return length > 0 ? MWA_PLOT_WIDTH * (double)(ns - page->from_ns) / length : 0;
}

double mwa_plot_x(const struct mwa_page *page, int64_t ns)
{
    double x = mwa_plot_x_anywhere(page, ns);

    return x < 0 ? 0 : x > MWA_PLOT_WIDTH ? MWA_PLOT_WIDTH : x;
}

double mwa_plot_x_of_ticks(const struct mwa_page *page, uint64_t ticks)
{
    return mwa_plot_x(page, mwa_trace_since_begin(page->results->trace, ticks));
}

void mwa_plot_open(const struct mwa_page *page, double height, const char *label,
                   const char *attributes)
{
    fprintf(page->out,
            "<svg class=\"plot zoomable\" role=\"img\" aria-label=\"%s\" "
            "viewBox=\"0 0 %g %g\" data-box=\"0 0 %g %g\" preserveAspectRatio=\"none\"%s>\n",
            label, MWA_PLOT_WIDTH, height, MWA_PLOT_WIDTH, height, attributes);
}

/* "1.25 s": as many digits as steps of resolution need. */
static void put_time(double ns, double resolution, FILE *out)
{
    static const struct {
        double size;
        const char *name;
    } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
    double size = fmax(fabs(ns), resolution);
    unsigned unit = 0;

    while (unit < 3 && size < units[unit].size) {
        unit++;
    }
    fprintf(out, "%.*f %s",
            (int)fmin(9, fmax(0, ceil(-log10(resolution / units[unit].size) - 1e-9))),
            ns / units[unit].size, units[unit].name);
}

static void put_axis(const struct mwa_page *page, const char *class)
{
    double from = (double)page->from_ns, span = (double)(page->to_ns - page->from_ns);
    double step = span > 0 ? mwa_plot_step(span, 8) : 1;

    fprintf(page->out, "<div class=\"%s\">", class);
    for (double at = ceil(from / step) * step; at <= from + span && span > 0; at += step) {
        double place = (at - from) / span;

        fprintf(page->out, "<span%s style=\"left:%.3f%%\">",
                place < .03   ? " class=\"first\""
                : place > .97 ? " class=\"last\""
                              : "",
                100 * place);
        put_time(at, step, page->out);
        fputs("</span>", page->out);
    }
    fputs("</div>\n", page->out);
}

void mwa_plot_time_axis(const struct mwa_page *page)
{
    put_axis(page, "axis time");
}

void mwa_plot_fixed_time_axis(const struct mwa_page *page)
{
    put_axis(page, "axis");
}
