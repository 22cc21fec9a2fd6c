/*
 * SVG 1.1 that browsers, Inkscape, LaTeX by rsvg-convert and word processors read: no script, no
 * style sheet, no fonts but families. Coordinates have two digits, 3.5 micrometers.
 */
#include "analyzer/export/canvas.h"

#include <math.h>

#include "analyzer/export/output_kind.h"
#include "analyzer/table/markup.h"

/* "12.5", and not "12.50"; no "-0". */
static void put_length(double length, FILE *out)
{
    char text[32];
    int end = snprintf(text, sizeof text, "%.2f", fabs(length) < 0.005 ? 0 : length);

    while (text[end - 1] == '0') {
        end--;
    }
    end -= text[end - 1] == '.';
    fprintf(out, "%.*s", end, text);
}

static void put_attribute(const char *name, double length, FILE *out)
{
    fprintf(out, " %s=\"", name);
    put_length(length, out);
    putc('"', out);
}

static enum mw_status open_svg(struct mwa_canvas *canvas, const char *description)
{
    FILE *out = canvas->out;

    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" MWA_OUTPUT_SVG_MARK "\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"", out);
    fprintf(out, " width=\"%.2fmm\" height=\"%.2fmm\" viewBox=\"0 0 ",
            canvas->width / MWA_POINTS_PER_MM, canvas->height / MWA_POINTS_PER_MM);
    put_length(canvas->width, out);
    putc(' ', out);
    put_length(canvas->height, out);
    fputs("\" font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" "
          "fill=\"#000000\">\n<title>", out);
    mwa_put_markup(description, out);
    fputs("</title>\n<rect", out);
    put_attribute("width", canvas->width, out);
    put_attribute("height", canvas->height, out);
    fputs(" fill=\"#ffffff\"/>\n", out);
    return MW_OK;
}

static double rounded(double length)
{
    return round(100 * length) / 100;
}

/* Steps to the right and upwards take one number; points on the way to the next one none. */
static void put_path(const struct mwa_point *points, size_t count, FILE *out)
{
    struct mwa_point at = { rounded(points[0].x), rounded(points[0].y) };

    putc('M', out);
    put_length(at.x, out);
    putc(' ', out);
    put_length(at.y, out);
    for (size_t i = 1; i < count; i++) {
        struct mwa_point to = { rounded(points[i].x), rounded(points[i].y) };
        bool goes_on = i + 1 < count && to.y == at.y && rounded(points[i + 1].y) == at.y;

        if ((to.x == at.x && to.y == at.y) || goes_on) {
            continue;
        }
        if (to.y == at.y || to.x == at.x) {
            putc(to.y == at.y ? 'H' : 'V', out);
            put_length(to.y == at.y ? to.x : to.y, out);
        } else {
            putc('L', out);
            put_length(to.x, out);
            putc(' ', out);
            put_length(to.y, out);
        }
        at = to;
    }
    putc('Z', out);
}

static void draw_area(struct mwa_canvas *canvas, const struct mwa_point *points, size_t count,
                      const struct mwa_colour *colour, const char *name)
{
    FILE *out = canvas->out;

    fputs("<path", out);
    if (name) {
        fprintf(out, " class=\"%s\"", name);
    }
    fputs(" fill=\"", out);
    mwa_put_colour(colour, out);
    putc('"', out);
    if (colour->alpha < 255) {
        put_attribute("fill-opacity", colour->alpha / 255.0, out);
    }
    fputs(" d=\"", out);
    put_path(points, count, out);
    fputs("\"/>\n", out);
}

static void draw_line(struct mwa_canvas *canvas, struct mwa_point from, struct mwa_point to,
                      double width)
{
    fputs("<line stroke=\"#000000\"", canvas->out);
    put_attribute("stroke-width", width, canvas->out);
    put_attribute("x1", from.x, canvas->out);
    put_attribute("y1", from.y, canvas->out);
    put_attribute("x2", to.x, canvas->out);
    put_attribute("y2", to.y, canvas->out);
    fputs("/>\n", canvas->out);
}

static void draw_text(struct mwa_canvas *canvas, struct mwa_point at, const struct mwa_font *font,
                      const char *text)
{
    static const char *const anchors[] = { "start", "middle", "end" };
    FILE *out = canvas->out;

    fputs("<text", out);
    put_attribute("x", at.x, out);
    put_attribute("y", at.y, out);
    put_attribute("font-size", font->size, out);
    if (font->anchor != MWA_ANCHOR_LEFT) {
        fprintf(out, " text-anchor=\"%s\"", anchors[font->anchor]);
    }
    if (font->is_bold) {
        fputs(" font-weight=\"bold\"", out);
    }
    if (font->is_turned) {
        fputs(" transform=\"rotate(-90 ", out);
        put_length(at.x, out);
        putc(' ', out);
        put_length(at.y, out);
        fputs(")\"", out);
    }
    putc('>', out);
    mwa_put_markup(text, out);
    fputs("</text>\n", out);
}

static enum mw_status close_svg(struct mwa_canvas *canvas)
{
    fputs("</svg>\n", canvas->out);
    return MW_OK;
}

const struct mwa_canvas_kind mwa_canvas_svg = { open_svg, draw_area, draw_line, draw_text,
                                                close_svg };
