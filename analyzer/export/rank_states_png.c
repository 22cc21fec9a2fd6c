/* What ranks do over time, as a picture. */
#include "analyzer/export/rank_states_png.h"

#include <string.h>

#include "analyzer/export/image.h"

/* Colours of Okabe and Ito, which the colour-blind can tell apart, and light grey for idle. */
enum { NOTHING, USEFUL, P2P, COLLECTIVE, IO, OTHER, WAITING, TRANSFER, IDLE, COLOURS };

static const struct mwa_colour palette[COLOURS] = {
    [NOTHING] = { 255, 255, 255, 255 },  [USEFUL] = { 0, 158, 115, 255 },
    [P2P] = { 86, 180, 233, 255 },       [COLLECTIVE] = { 0, 114, 178, 255 },
    [IO] = { 204, 121, 167, 255 },       [OTHER] = { 160, 160, 160, 255 },
    [WAITING] = { 213, 94, 0, 255 },     [TRANSFER] = { 240, 228, 66, 255 },
    [IDLE] = { 225, 225, 225, 255 }
};

/* Of a rank's states, and of another location's, whose threads wait for each other. */
static const uint8_t rank_colours[MWA_RANK_STATES] = { USEFUL, P2P,   COLLECTIVE,
                                                       IO,     OTHER, WAITING };
static const uint8_t location_colours[MWA_LOCATION_STATES] = { USEFUL, P2P,     COLLECTIVE, IO,
                                                               OTHER,  WAITING, TRANSFER,   IDLE };

/* The picture, a row of which is height pixels high and a bin of it width wide. */
struct picture {
    struct mwa_image image;
    uint32_t width;
    uint32_t height;
    uint32_t row; /* the next one */
};

/* Paints a bin of the row, bottom up by the states' shares. */
static void paint(struct picture *picture, const uint64_t *ticks, const uint8_t *colours,
                  unsigned states, uint32_t bin)
{
    const uint32_t height = picture->height > 3 ? picture->height - 1 : picture->height;
    const uint32_t top = picture->row * picture->height;
    uint64_t all = 0, below = 0;

    for (unsigned state = 0; state < states; state++) {
        all += ticks[state];
    }
    for (unsigned state = 0; all > 0 && state < states; state++) {
        uint32_t from = (uint32_t)((double)below / (double)all * height + 0.5);
        uint32_t to = (uint32_t)((double)(below + ticks[state]) / (double)all * height + 0.5);

        for (uint32_t y = from; y < to; y++) {
            memset(picture->image.pixels + (size_t)(top + height - 1 - y) * picture->image.width +
                       (size_t)bin * picture->width,
                   colours[state], picture->width);
        }
        below += ticks[state];
    }
}

/* A row of bins, which have so many states each. */
static void paint_row(struct picture *picture, const uint64_t *ticks, const uint8_t *colours,
                      unsigned states, uint32_t bins)
{
    for (uint32_t bin = 0; bin < bins; bin++) {
        paint(picture, ticks + (uint64_t)bin * states, colours, states, bin);
    }
    picture->row++;
}

/* The rows of a rank: its main thread's, and from *row on its other locations'. */
static void paint_rank(struct picture *picture, const struct mwa_results *results, uint32_t rank,
                       uint64_t *row)
{
    const struct mwa_other_locations *others = &results->other_locations;
    const struct mwa_location_states *states = &results->location_states;

    paint_row(picture, mwa_rank_states_at(&results->rank_states, rank, 0), rank_colours,
              MWA_RANK_STATES, results->rank_states.bins);
    for (; *row < states->rows && others->all[others->first + *row].rank == rank; (*row)++) {
        paint_row(picture, mwa_location_states_at(states, *row, 0), location_colours,
                  MWA_LOCATION_STATES, states->bins);
    }
}

enum mw_status mwa_png_rank_states(const struct mwa_results *results, FILE *out)
{
    const struct mwa_rank_states *states = &results->rank_states;
    const uint32_t first = results->rank == MWA_NONE ? 0 : results->rank;
    const uint32_t ranks = results->rank == MWA_NONE ? (uint32_t)states->rank_count : 1;
    const uint32_t rows = ranks + (uint32_t)results->location_states.rows;
    struct picture picture = { .width = states->bins <= 200 ? 8 : states->bins <= 1000 ? 2 : 1,
                               .height = rows <= 64 ? 12 : rows <= 512 ? 3 : 1 };
    uint64_t row = 0;
    enum mw_status status =
        mwa_image_init(&picture.image, states->bins ? states->bins * picture.width : 1,
                       rows ? rows * picture.height : 1, palette, COLOURS);

    for (uint32_t i = 0; status == MW_OK && states->ticks && i < ranks; i++) {
        if (first + i < states->rank_count) {
            paint_rank(&picture, results, first + i, &row);
        }
    }
    if (status == MW_OK) {
        status = mwa_image_write(&picture.image, out);
        mwa_image_fini(&picture.image);
    }
    return status;
}
