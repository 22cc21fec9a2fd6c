/* What threads and streams do, in parts of the run. */
#include <string.h>

#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"

struct mwa_value mwa_location_value(const struct mwa_cell *cell, uint32_t location)
{
    char text[MWA_LOCATION_LABEL_BYTES];

    return mwa_owned_text(strdup(mwa_location_label(
        cell->results->trace, &cell->results->other_locations, location, text)));
}

static uint32_t bins_of(const struct mwa_cell *cell)
{
    return cell->results->location_states.bins;
}

/* The location of a row. */
static const struct mwa_other_location *other_of(const struct mwa_cell *cell, uint64_t row)
{
    return &cell->results->other_locations.all[cell->results->other_locations.first + row];
}

static struct mwa_value id_of(const struct mwa_cell *cell, uint64_t row)
{
    return mwa_number(cell->results->trace->locations[other_of(cell, row)->location].id);
}

static struct mwa_value type_of(const struct mwa_cell *cell, uint64_t row)
{
    return mwa_text(mwa_location_kind_name(
        cell->results->trace->locations[other_of(cell, row)->location].kind));
}

static struct mwa_value name_of(const struct mwa_cell *cell, uint64_t row)
{
    return mwa_text(cell->results->trace->locations[other_of(cell, row)->location].name);
}

#define STATES(COLUMN)                                                                             \
    { "useful_ns", COLUMN(MWA_STATE_USEFUL) },                                                     \
        { "p2p_ns", COLUMN(MWA_STATE_P2P) },                                                       \
        { "collective_ns", COLUMN(MWA_STATE_COLLECTIVE) },                                         \
        { "io_ns", COLUMN(MWA_STATE_IO) },                                                         \
        { "other_ns", COLUMN(MWA_STATE_OTHER) },                                                   \
        { "sync_ns", COLUMN(MWA_LOCATION_SYNC) },                                                  \
        { "transfer_ns", COLUMN(MWA_LOCATION_TRANSFER) },                                          \
    {                                                                                              \
        "idle_ns", COLUMN(MWA_LOCATION_IDLE)                                                       \
    }
#define TIME(state)                                                                                \
    .unit = MWA_NS, .kind = MWA_NUMBER, .size = sizeof(uint64_t), .clock = MWA_TICKS,              \
    .offset = (state) * sizeof(uint64_t)

/* --- a row for each location and part ----------------------------------------------------- */

MWA_COUNT_BY(part_count, parent->results->location_states.rows * bins_of(parent))
MWA_ROW_BY(part_at, parent->results->location_states.ticks + index * MWA_LOCATION_STATES)
MWA_VALUE(part_rank, mwa_number(other_of(cell, cell->index / bins_of(cell))->rank))
MWA_VALUE(part_label,
          mwa_location_value(cell, other_of(cell, cell->index / bins_of(cell))->location))
MWA_VALUE(part_id, id_of(cell, cell->index / bins_of(cell)))
MWA_VALUE(part_type, type_of(cell, cell->index / bins_of(cell)))
MWA_VALUE(part_name, name_of(cell, cell->index / bins_of(cell)))
MWA_VALUE(part_from, mwa_edge(cell, cell->index % bins_of(cell)))
MWA_VALUE(part_to, mwa_edge(cell, cell->index % bins_of(cell) + 1))

static const struct mwa_column part_columns[] = {
    { "rank", MWA_BY(MWA_NUMBER, part_rank) },
    { "label", MWA_BY(MWA_TEXT, part_label) },
    { "type", MWA_BY(MWA_TEXT, part_type) },
    { "id", MWA_BY(MWA_NUMBER, part_id) },
    { "name", MWA_BY(MWA_TEXT, part_name) },
    { "from_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, part_from) },
    { "to_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, part_to) },
    STATES(TIME),
};

const struct mwa_table mwa_location_timeline_table = { MWA_COLUMNS(part_columns),
                                                       .count = part_count,
                                                       .row = part_at };

/* --- a row for each location, with a list for each state ------------------------------------ */

MWA_COUNT_BY(row_count, parent->results->location_states.rows)
MWA_ROW_BY(row_at, mwa_location_states_at(&parent->results->location_states, index, 0))
MWA_VALUE(rank, mwa_number(other_of(cell, cell->index)->rank))
MWA_VALUE(label, mwa_location_value(cell, other_of(cell, cell->index)->location))
MWA_VALUE(type, type_of(cell, cell->index))
MWA_VALUE(id, id_of(cell, cell->index))
MWA_VALUE(name, name_of(cell, cell->index))
MWA_COUNT_BY(bin_count, bins_of(parent))
MWA_ROW_BY(bin_at, (const uint64_t *)parent->row + index * MWA_LOCATION_STATES)

#define TIMES(state)                                                                               \
    .table = &(const struct mwa_table)                                                             \
    {                                                                                              \
        .shape = MWA_VALUES, .columns = (const struct mwa_column[]){ { TIME(state) } },            \
        .column_count = 1, .count = bin_count, .row = bin_at                                       \
    }

static const struct mwa_column row_columns[] = {
    { "rank", MWA_BY(MWA_NUMBER, rank) },
    { "label", MWA_BY(MWA_TEXT, label) },
    { "type", MWA_BY(MWA_TEXT, type) },
    { "id", MWA_BY(MWA_NUMBER, id) },
    { "name", MWA_BY(MWA_TEXT, name) },
    STATES(TIMES),
};

const struct mwa_table mwa_location_rows_table = { MWA_COLUMNS(row_columns),
                                                   .count = row_count,
                                                   .row = row_at };
