/*
 * Reading a large archive takes a minute, of which its user would see a bar: calls are added up in
 * some cells as they come, without locks, at the cost of some nanoseconds for each.
 */
#include "analyzer/view/view_preview.h"

#include <stdlib.h>

#include "analyzer/table/state_looks.h"
#include "analyzer/table/values.h"

void mwa_view_preview_init(struct mwa_view_preview *preview, const struct mwa_view_store *store)
{
    const struct mwa_trace *trace = store->trace;
    const uint64_t count = trace->location_count;

    preview->from = trace->clock_offset;
    preview->group = (store->main_count + MWA_VIEW_PREVIEW_ROWS - 1) / MWA_VIEW_PREVIEW_ROWS;
    preview->row_of = malloc((count + 1) * sizeof *preview->row_of);
    preview->left = calloc(count + 1, sizeof *preview->left);
    if (!preview->row_of || !preview->left || preview->group == 0) {
        return;
    }
    preview->rows = (store->main_count + preview->group - 1) / preview->group;
    for (uint64_t i = 0; i < count; i++) {
        preview->row_of[i] = MWA_NONE;
    }
    for (uint32_t row = 0; row < store->main_count; row++) {
        preview->row_of[store->rows[row]] = row / preview->group;
    }
    preview->length = trace->clock_length;
}

void mwa_view_preview_fini(struct mwa_view_preview *preview)
{
    free(preview->row_of);
    free(preview->left);
}

/* Where cell begins. */
static uint64_t edge(const struct mwa_view_preview *preview, uint64_t cell)
{
    return preview->from +
           (uint64_t)((double)preview->length * (double)cell / MWA_VIEW_PREVIEW_CELLS);
}

static void add(struct mwa_view_preview *preview, uint32_t row, unsigned state, uint64_t from,
                uint64_t to)
{
    const double cells = (double)MWA_VIEW_PREVIEW_CELLS / (double)preview->length;
    const uint64_t end = preview->from + preview->length;

    from = from > preview->from ? from : preview->from;
    to = to < end ? to : end;
    if (from >= to) {
        return;
    }
    for (uint64_t cell = (uint64_t)((double)(from - preview->from) * cells);
         cell < MWA_VIEW_PREVIEW_CELLS && edge(preview, cell) < to; cell++) {
        const uint64_t begin = edge(preview, cell) > from ? edge(preview, cell) : from;
        const uint64_t next = edge(preview, cell + 1) < to ? edge(preview, cell + 1) : to;
        atomic_ullong *ticks = &preview->ticks[row][cell][state];

        if (begin < next) {
            atomic_store_explicit(ticks,
                                  atomic_load_explicit(ticks, memory_order_relaxed) + next - begin,
                                  memory_order_relaxed);
        }
    }
}

void mwa_view_preview_add(struct mwa_view_preview *preview, uint32_t location, unsigned state,
                          uint64_t enter, uint64_t leave)
{
    uint32_t row;

    if (preview->length == 0 || preview->row_of[location] == MWA_NONE) {
        return;
    }
    row = preview->row_of[location];
    if (preview->left[location] > 0) {
        add(preview, row, MWA_STATE_USEFUL, preview->left[location], enter);
    }
    add(preview, row, state, enter, leave);
    preview->left[location] = leave;
}

/* The states of a cell of a row that is so many ranks. */
static json_t *cell_list(struct mwa_view_preview *preview, uint32_t row, uint32_t cell,
                         uint64_t ranks)
{
    const uint64_t whole = (edge(preview, cell + 1) - edge(preview, cell)) * ranks;
    json_t *list = json_array();

    for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
        const uint64_t ticks = atomic_load_explicit(&preview->ticks[row][cell][state],
                                                    memory_order_relaxed);

        json_array_append_new(list, json_integer(whole > 0 ? (json_int_t)(100. * (double)ticks /
                                                                          (double)whole)
                                                           : 0));
    }
    return list;
}

json_t *mwa_view_preview_tell(struct mwa_view_preview *preview, uint64_t ranks)
{
    json_t *rows = json_array(), *states = json_array();

    for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
        json_array_append_new(states, json_string(mwa_state_looks[state].key));
    }
    for (uint32_t row = 0; preview->length > 0 && row < preview->rows; row++) {
        const uint64_t left = ranks - (uint64_t)row * preview->group;
        json_t *list = json_array();

        for (uint32_t cell = 0; cell < MWA_VIEW_PREVIEW_CELLS; cell++) {
            json_array_append_new(list,
                                  cell_list(preview, row, cell,
                                            left < preview->group ? left : preview->group));
        }
        json_array_append_new(rows, list);
    }
    return json_pack("{s:o,s:o,s:o}", "group", mwa_json_number(preview->group), "states", states,
                     "rows", rows);
}
