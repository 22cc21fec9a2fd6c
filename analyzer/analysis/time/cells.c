/* Of what is packed, which halves there are is said before them. */
#include "analyzer/analysis/time/cells.h"

#include <string.h>

enum { HAS_LOW = 1, HAS_HIGH = 2 };

void mwa_cells_fini(struct mwa_cells *cells)
{
    free(cells->low);
    free(cells->high);
    *cells = (struct mwa_cells){ 0 };
}

enum mw_status mwa_cells_coarsen(struct mwa_cells *cells, uint64_t first)
{
    enum mw_status status = MW_OK;

    for (uint64_t at = 0; cells->low && at < MWA_CELLS && status == MW_OK; at++) {
        uint64_t moved = mwa_cells_at(cells, at);

        cells->low[at] = 0;
        if (cells->high) {
            cells->high[at] = 0;
        }
        status = mwa_cells_add(cells, (first + at) / 2 - first / 2, moved);
    }
    return status;
}

static void move_half(uint32_t *half, uint64_t count)
{
    if (half) {
        memmove(half + count, half, (MWA_CELLS - count) * sizeof *half);
        memset(half, 0, count * sizeof *half);
    }
}

void mwa_cells_move_up(struct mwa_cells *cells, uint64_t count)
{
    move_half(cells->low, count);
    move_half(cells->high, count);
}

static void pack_half(const uint32_t *half, struct mw_buffer *to)
{
    if (half) {
        mw_buffer_append(to, half, MWA_CELLS * sizeof *half);
    }
}

void mwa_cells_pack(const struct mwa_cells *cells, struct mw_buffer *to)
{
    mw_buffer_u16(to, (cells->low ? HAS_LOW : 0) | (cells->high ? HAS_HIGH : 0));
    pack_half(cells->low, to);
    pack_half(cells->high, to);
}

static enum mw_status unpack_half(uint32_t **half, struct mw_cursor *from)
{
    *half = calloc(MWA_CELLS, sizeof **half);
    if (!*half) {
        return MW_ERROR_MEMORY;
    }
    return mw_cursor_take(from, *half, MWA_CELLS * sizeof **half) ? MW_OK : MW_ERROR_FORMAT;
}

enum mw_status mwa_cells_unpack(struct mwa_cells *cells, struct mw_cursor *from)
{
    char bytes[2];
    enum mw_status status = MW_OK;
    uint16_t has;

    if (!mw_cursor_take(from, bytes, sizeof bytes)) {
        return MW_ERROR_FORMAT;
    }
    has = mw_get_u16(bytes);
    if (has & HAS_LOW) {
        status = unpack_half(&cells->low, from);
    }
    return status == MW_OK && has & HAS_HIGH ? unpack_half(&cells->high, from) : status;
}
