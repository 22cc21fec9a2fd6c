#ifndef MWA_EXPORT_IMAGE_H
#define MWA_EXPORT_IMAGE_H

#include <stdint.h>
#include <stdio.h>

#include "analyzer/table/state_looks.h"
#include "formats/base/status.h"

/*
 * PNG: of few colours in a data: URI, which a page can hold in itself; of any as a file.
 */

struct mwa_image {
    uint32_t width;
    uint32_t height;
    uint8_t *pixels; /* height rows of width, each an index into palette; owned */
    const struct mwa_colour *palette;
    uint32_t colours; /* at most 256 */
};

/* All pixels 0. \return MW_OK, to be freed with mwa_image_fini; MW_ERROR_MEMORY. */
enum mw_status mwa_image_init(struct mwa_image *image, uint32_t width, uint32_t height,
                              const struct mwa_colour *palette, uint32_t colours) MW_MUST_CHECK;
void mwa_image_fini(struct mwa_image *image);

/* Prints "data:image/png;base64,…". \return MW_OK; MW_ERROR_MEMORY. Errors of out stay in it. */
enum mw_status mwa_image_put(const struct mwa_image *image, FILE *out) MW_MUST_CHECK;

/* A picture of any colours. */
struct mwa_dots {
    uint32_t width;
    uint32_t height;
    const uint8_t *rows; /* of dots of 32 bits, as this machine has them: 0xXXRRGGBB */
    size_t stride;       /* bytes from one row to the next */
    uint32_t per_metre;
};

/* Writes it as PNG. \return MW_OK; MW_ERROR_MEMORY. Errors of out stay in it. */
enum mw_status mwa_dots_write(const struct mwa_dots *dots, FILE *out) MW_MUST_CHECK;

#endif
