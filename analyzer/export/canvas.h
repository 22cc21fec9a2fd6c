#ifndef MWA_EXPORT_CANVAS_H
#define MWA_EXPORT_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analyzer/table/state_looks.h"
#include "formats/base/status.h"

/*
 * A picture on white, as SVG or PNG, of the same areas, lines and texts. Lengths are points (1/72
 * inch), from the left and from the top. For one thread.
 */

#define MWA_POINTS_PER_MM (72 / 25.4)

enum mwa_anchor { MWA_ANCHOR_LEFT, MWA_ANCHOR_MIDDLE, MWA_ANCHOR_RIGHT };

struct mwa_canvas {
    FILE *out;
    double width;
    double height;
    void *cairo; /* of a PNG; mwa_canvas_open's */
};

struct mwa_point {
    double x, y;
};

struct mwa_font {
    double size;
    bool is_bold;
    bool is_turned; /* upwards */
    enum mwa_anchor anchor;
};

/* What draws on a canvas. Texts are UTF-8 without controls, by mwa_clean. */
struct mwa_canvas_kind {
    /* description: what it shows, for those who don't see it. \return MW_OK; MW_ERROR_MEMORY. */
    enum mw_status (*open)(struct mwa_canvas *canvas, const char *description);
    /* Closed; name (a word, or null) is whose area it is. */
    void (*area)(struct mwa_canvas *canvas, const struct mwa_point *points, size_t count,
                 const struct mwa_colour *colour, const char *name);
    void (*line)(struct mwa_canvas *canvas, struct mwa_point from, struct mwa_point to,
                 double width);
    void (*text)(struct mwa_canvas *canvas, struct mwa_point at, const struct mwa_font *font,
                 const char *text);
    /* Of what was opened. Errors of out stay in out. \return MW_OK; MW_ERROR_MEMORY. */
    enum mw_status (*close)(struct mwa_canvas *canvas);
};

extern const struct mwa_canvas_kind mwa_canvas_svg;

/* Null where this was built without cairo. */
extern const struct mwa_canvas_kind *const mwa_canvas_png;

#define MWA_CANVAS_DOTS 300.0 /* of a PNG, an inch */

#endif
