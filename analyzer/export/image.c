/*
 * Of few colours a pixel is an index into a palette, at most a third of what its colour would
 * take. libpng leaves by longjmp, which is kept within one function that owns
 * nothing.
 */
#include "analyzer/export/image.h"

#include <png.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/export/output_kind.h"
#include "analyzer/model/shortage.h"

enum mw_status mwa_image_init(struct mwa_image *image, uint32_t width, uint32_t height,
                              const struct mwa_colour *palette, uint32_t colours)
{
    *image = (struct mwa_image){ .width = width,
                                 .height = height,
                                 .pixels = calloc(width ? width : 1, height ? height : 1),
                                 .palette = palette,
                                 .colours = colours };
    return image->pixels ? MW_OK : MW_ERROR_MEMORY;
}

void mwa_image_fini(struct mwa_image *image)
{
    free(image->pixels);
    *image = (struct mwa_image){ 0 };
}

/* A PNG in memory. */
struct file {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
};

static void append(png_structp png, png_bytep bytes, png_size_t count)
{
    struct file *file = png_get_io_ptr(png);

    if (file->capacity - file->count < count) {
        size_t capacity = 2 * (file->count + count);
        uint8_t *grown = realloc(file->bytes, capacity);

        if (!grown) {
            png_error(png, "no memory");
        }
        file->bytes = grown;
        file->capacity = capacity;
    }
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
}

static void flush_nothing(png_structp png)
{
}

/* libpng would print; the status tells. */
static void fail_quietly(png_structp png, png_const_charp message)
{
    png_longjmp(png, 1);
}

static void set_palette(png_structp png, png_infop info, const struct mwa_image *image)
{
    png_color colours[256];
    png_byte alphas[256];

    for (uint32_t i = 0; i < image->colours; i++) {
        const struct mwa_colour *colour = &image->palette[i];

        colours[i] = (png_color){ colour->red, colour->green, colour->blue };
        alphas[i] = colour->alpha;
    }
    png_set_PLTE(png, info, colours, (int)image->colours);
    png_set_tRNS(png, info, alphas, (int)image->colours, NULL);
}

/* Who made it: also how a former picture is known (analyzer/export/output_kind.h). */
static void set_writer(png_structp png, png_infop info)
{
    png_text text = { .compression = PNG_TEXT_COMPRESSION_NONE,
                      .key = (char[]){ "Software" },
                      .text = (char[]){ MWA_OUTPUT_WRITER } };

    png_set_text(png, info, &text, 1);
}

/* libpng tells of errors by a jump. */
static bool encode(const struct mwa_image *image, png_structp png, png_infop info,
                   struct file *file)
{
    if (setjmp(png_jmpbuf(png))) {
        return false;
    }
    png_set_write_fn(png, file, append, flush_nothing);
    png_set_compression_level(png, 9);
    png_set_filter(png, 0, PNG_FILTER_NONE);
    png_set_IHDR(png, info, image->width, image->height, image->colours <= 16 ? 4 : 8,
                 PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    set_palette(png, info, image);
    set_writer(png, info);
    png_write_info(png, info);
    png_set_packing(png);
    for (uint32_t row = 0; row < image->height; row++) {
        png_write_row(png, image->pixels + (size_t)row * image->width);
    }
    png_write_end(png, NULL);
    return true;
}

static void put_base64(const uint8_t *bytes, size_t count, FILE *out)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);

        putc(digits[group >> 18], out);
        putc(digits[group >> 12 & 63], out);
        putc(left > 1 ? digits[group >> 6 & 63] : '=', out);
        putc(left > 2 ? digits[group & 63] : '=', out);
    }
}

/* The picture as PNG in file, whose bytes are to be freed. False without memory. */
static bool make_png(const struct mwa_image *image, struct file *file)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail_quietly,
                                              fail_quietly);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool done = info && encode(image, png, info, file);

    png_destroy_write_struct(&png, &info);
    return done;
}

enum mw_status mwa_image_put(const struct mwa_image *image, FILE *out)
{
    struct file file = { 0 };
    bool done = make_png(image, &file);

    if (done) {
        fputs("data:image/png;base64,", out);
        put_base64(file.bytes, file.count, out);
    } else {
        mwa_shortage_note(); /* libpng's is not noted where it lacks */
    }
    free(file.bytes);
    return done ? MW_OK : MW_ERROR_MEMORY;
}

/* Red, green and blue of a row. */
static void take_row(const struct mwa_dots *dots, uint32_t row, uint8_t *bytes)
{
    const uint8_t *from = dots->rows + row * dots->stride;

    for (uint32_t x = 0; x < dots->width; x++) {
        uint32_t dot;

        memcpy(&dot, from + 4 * (size_t)x, sizeof dot);
        bytes[3 * (size_t)x] = (uint8_t)(dot >> 16);
        bytes[3 * (size_t)x + 1] = (uint8_t)(dot >> 8);
        bytes[3 * (size_t)x + 2] = (uint8_t)dot;
    }
}

/* The same jump. */
static bool encode_dots(const struct mwa_dots *dots, png_structp png, png_infop info,
                        uint8_t *bytes, struct file *file)
{
    if (setjmp(png_jmpbuf(png))) {
        return false;
    }
    png_set_write_fn(png, file, append, flush_nothing);
    png_set_IHDR(png, info, dots->width, dots->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_pHYs(png, info, dots->per_metre, dots->per_metre, PNG_RESOLUTION_METER);
    set_writer(png, info);
    png_write_info(png, info);
    for (uint32_t row = 0; row < dots->height; row++) {
        take_row(dots, row, bytes);
        png_write_row(png, bytes);
    }
    png_write_end(png, NULL);
    return true;
}

enum mw_status mwa_dots_write(const struct mwa_dots *dots, FILE *out)
{
    struct file file = { 0 };
    uint8_t *bytes = malloc(3 * (size_t)dots->width + 1);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail_quietly,
                                              fail_quietly);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool done = bytes && info && encode_dots(dots, png, info, bytes, &file);

    png_destroy_write_struct(&png, &info);
    if (done) {
        fwrite(file.bytes, 1, file.count, out);
    }
    free(file.bytes);
    free(bytes);
    return done ? MW_OK : MW_ERROR_MEMORY;
}
