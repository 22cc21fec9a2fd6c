/* What ranks do over time, as a picture. */
#include "analyzer/export/rank_states_png.h"

#include <string.h>

#include "analyzer/export/image.h"

/* Paints a bin of a rank, width by height pixels, bottom up by the states' shares. */
static void paint(struct mwa_image *image, const uint64_t *ticks, uint32_t left, uint32_t top,
                  uint32_t width, uint32_t height)
{
    uint64_t all = 0, below = 0;

    for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
        all += ticks[state];
    }
    for (unsigned state = 0; all > 0 && state < MWA_RANK_STATES; state++) {
        uint32_t from = (uint32_t)((double)below / (double)all * height + 0.5);
        uint32_t to = (uint32_t)((double)(below + ticks[state]) / (double)all * height + 0.5);

        for (uint32_t y = from; y < to; y++) {
            memset(image->pixels + (size_t)(top + height - 1 - y) * image->width + left,
                   (int)state + 1, width);
        }
        below += ticks[state];
    }
}

enum mw_status mwa_png_rank_states(const struct mwa_results *results, FILE *out)
{
    /* Colours of Okabe and Ito, which the colour-blind can tell apart. */
    static const struct mwa_colour palette[] = {
        { 255, 255, 255, 255 }, { 0, 158, 115, 255 },   { 86, 180, 233, 255 }, { 0, 114, 178, 255 },
        { 204, 121, 167, 255 }, { 160, 160, 160, 255 }, { 213, 94, 0, 255 }
    };
    const struct mwa_rank_states *states = &results->rank_states;
    const uint32_t rank = results->rank;
    const uint32_t rows = rank == MWA_NONE ? (uint32_t)states->rank_count : 1;
    const uint32_t height = rows <= 64 ? 12 : rows <= 512 ? 3 : 1;
    const uint32_t width = states->bins <= 200 ? 8 : states->bins <= 1000 ? 2 : 1;
    struct mwa_image image;
    enum mw_status status = mwa_image_init(&image, states->bins ? states->bins * width : 1,
                                           rows ? rows * height : 1, palette,
                                           sizeof palette / sizeof palette[0]);

    for (uint32_t row = 0; status == MW_OK && states->ticks && row < rows; row++) {
        uint64_t each = rank == MWA_NONE ? row : rank;

        for (uint32_t bin = 0; each < states->rank_count && bin < states->bins; bin++) {
            paint(&image, mwa_rank_states_at(states, each, bin), bin * width, row * height, width,
                  height > 3 ? height - 1 : height);
        }
    }
    if (status == MW_OK) {
        status = mwa_image_write(&image, out);
        mwa_image_fini(&image);
    }
    return status;
}
