/*
 * cairo draws, since text is what it has fonts, hinting and smooth edges for; the file is libpng's,
 * which says who made it and how many dots an inch has.
 */
#include "analyzer/export/canvas.h"

#include "config.h"

#ifdef HAVE_CAIRO

#include <cairo.h>
#include <math.h>

#include "analyzer/export/image.h"

#define DOTS_PER_POINT (MWA_CANVAS_DOTS / 72)

static enum mw_status open_png(struct mwa_canvas *canvas, const char *description)
{
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(canvas->width * DOTS_PER_POINT),
                                   (int)lround(canvas->height * DOTS_PER_POINT));
    cairo_t *cairo = cairo_create(surface);

    cairo_surface_destroy(surface); /* it is the other's now */
    cairo_scale(cairo, DOTS_PER_POINT, DOTS_PER_POINT);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    canvas->cairo = cairo;
    if (cairo_status(cairo) != CAIRO_STATUS_SUCCESS) {
        cairo_destroy(cairo);
        return MW_ERROR_MEMORY;
    }
    return MW_OK;
}

/* Without smooth edges: a share that is less than a dot would show as a mixture of colours. */
static void draw_area(struct mwa_canvas *canvas, const struct mwa_point *points, size_t count,
                      const struct mwa_colour *colour, const char *name)
{
    cairo_t *cairo = canvas->cairo;

    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
    cairo_set_source_rgba(cairo, colour->red / 255.0, colour->green / 255.0, colour->blue / 255.0,
                          colour->alpha / 255.0);
    cairo_move_to(cairo, points[0].x, points[0].y);
    for (size_t i = 1; i < count; i++) {
        cairo_line_to(cairo, points[i].x, points[i].y);
    }
    cairo_close_path(cairo);
    cairo_fill(cairo);
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
}

static void draw_line(struct mwa_canvas *canvas, struct mwa_point from, struct mwa_point to,
                      double width)
{
    cairo_t *cairo = canvas->cairo;

    cairo_set_source_rgb(cairo, 0, 0, 0);
    cairo_set_line_width(cairo, width);
    cairo_move_to(cairo, from.x, from.y);
    cairo_line_to(cairo, to.x, to.y);
    cairo_stroke(cairo);
}

static void draw_text(struct mwa_canvas *canvas, struct mwa_point at, const struct mwa_font *font,
                      const char *text)
{
    cairo_t *cairo = canvas->cairo;
    cairo_text_extents_t extents;

    cairo_set_source_rgb(cairo, 0, 0, 0);
    cairo_select_font_face(cairo, "Helvetica", CAIRO_FONT_SLANT_NORMAL,
                           font->is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, font->size);
    cairo_text_extents(cairo, text, &extents);
    cairo_save(cairo);
    cairo_translate(cairo, at.x, at.y);
    if (font->is_turned) {
        cairo_rotate(cairo, -acos(-1) / 2);
    }
    cairo_move_to(cairo, -extents.x_advance * (int)font->anchor / 2, 0);
    cairo_show_text(cairo, text);
    cairo_restore(cairo);
}

static enum mw_status close_png(struct mwa_canvas *canvas)
{
    cairo_t *cairo = canvas->cairo;
    cairo_surface_t *surface = cairo_get_target(cairo);
    enum mw_status status = MW_ERROR_MEMORY;

    cairo_surface_flush(surface);
    if (cairo_status(cairo) == CAIRO_STATUS_SUCCESS && cairo_image_surface_get_data(surface)) {
        const struct mwa_dots dots = {
            .width = (uint32_t)cairo_image_surface_get_width(surface),
            .height = (uint32_t)cairo_image_surface_get_height(surface),
            .stride = (size_t)cairo_image_surface_get_stride(surface),
            .rows = cairo_image_surface_get_data(surface),
            .per_metre = (uint32_t)lround(MWA_CANVAS_DOTS / 0.0254),
        };

        status = mwa_dots_write(&dots, canvas->out);
    }
    cairo_destroy(cairo);
    return status;
}

static const struct mwa_canvas_kind kind = { open_png, draw_area, draw_line, draw_text, close_png };

const struct mwa_canvas_kind *const mwa_canvas_png = &kind;

#else

const struct mwa_canvas_kind *const mwa_canvas_png = NULL;

#endif
