/* What ranks do, in parts of the run. */
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"

struct mwa_value mwa_edge(const struct mwa_cell *cell, uint64_t bin)
{
    return mwa_signed(mwa_trace_since_begin(
        cell->results->trace, mwa_window_edge(&cell->results->window, (uint32_t)bin)));
}

/* --- edges of the parts ------------------------------------------------------------------- */

MWA_COUNT_BY(edge_count, parent->results->window.bins + UINT64_C(1))
MWA_ROW_BY(edge_at, &parent->results->window)
MWA_VALUE(edge, mwa_edge(cell, cell->index))

static const struct mwa_column edge_columns[] = { { .unit = MWA_NS, MWA_BY(MWA_NUMBER, edge) } };
static const struct mwa_table edges = {
    .shape = MWA_VALUES, MWA_COLUMNS(edge_columns), .count = edge_count, .row = edge_at
};

/* --- a row for each rank and part ------------------------------------------------------------ */

static uint32_t bins_of(const struct mwa_cell *cell)
{
    return cell->results->rank_states.bins;
}

MWA_COUNT_BY(part_count, parent->results->rank_states.rank_count * bins_of(parent))
MWA_ROW_BY(part_at, parent->results->rank_states.ticks + index * MWA_RANK_STATES)

static bool is_of_rank(const struct mwa_cell *cell, uint64_t rank)
{
    return cell->results->rank == MWA_NONE || cell->results->rank == rank;
}

MWA_WHETHER(is_part_shown, is_of_rank(cell, cell->index / bins_of(cell)))
MWA_VALUE(part_rank, mwa_number(cell->index / bins_of(cell)))
MWA_VALUE(part_from, mwa_edge(cell, cell->index % bins_of(cell)))
MWA_VALUE(part_to, mwa_edge(cell, cell->index % bins_of(cell) + 1))

#define STATES(COLUMN)                                                                             \
    { "useful_ns", COLUMN(MWA_STATE_USEFUL) },                                                     \
        { "p2p_ns", COLUMN(MWA_STATE_P2P) },                                                       \
        { "collective_ns", COLUMN(MWA_STATE_COLLECTIVE) },                                         \
        { "io_ns", COLUMN(MWA_STATE_IO) },                                                         \
        { "other_ns", COLUMN(MWA_STATE_OTHER) },                                                   \
    {                                                                                              \
        "waiting_ns", COLUMN(MWA_STATE_WAITING)                                                    \
    }
#define TIME(state)                                                                                \
    .unit = MWA_NS, .kind = MWA_NUMBER, .size = sizeof(uint64_t), .clock = MWA_TICKS,              \
    .offset = (state) * sizeof(uint64_t)

static const struct mwa_column part_columns[] = {
    { "rank", MWA_BY(MWA_NUMBER, part_rank) },
    { "from_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, part_from) },
    { "to_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, part_to) },
    STATES(TIME),
};

const struct mwa_table mwa_timeline_table = { MWA_COLUMNS(part_columns),
                                              .count = part_count,
                                              .row = part_at,
                                              .is_shown = is_part_shown };

/* --- a row for each rank, with a list for each state ----------------------------------------- */

MWA_COUNT_BY(rank_count, parent->results->rank_states.rank_count)
MWA_ROW_BY(rank_at, mwa_rank_states_at(&parent->results->rank_states, index, 0))
MWA_WHETHER(is_rank_shown, is_of_rank(cell, cell->index))
MWA_VALUE(rank, mwa_number(cell->index))
MWA_COUNT_BY(bin_count, bins_of(parent))
MWA_ROW_BY(bin_at, (const uint64_t *)parent->row + index * MWA_RANK_STATES)

#define TIMES(state)                                                                               \
    .table = &(const struct mwa_table)                                                             \
    {                                                                                              \
        .shape = MWA_VALUES, .columns = (const struct mwa_column[]){ { TIME(state) } },            \
        .column_count = 1, .count = bin_count, .row = bin_at                                       \
    }

static const struct mwa_column rank_columns[] = { { "rank", MWA_BY(MWA_NUMBER, rank) },
                                                  STATES(TIMES) };
static const struct mwa_table ranks = {
    MWA_COLUMNS(rank_columns), .count = rank_count, .row = rank_at, .is_shown = is_rank_shown
};

MWA_VALUE(other_locations, mwa_number(cell->results->other_locations.candidates))

static const struct mwa_column document[] = {
    { "edges_ns", .table = &edges },
    { "ranks", .table = &ranks },
    { "locations", .table = &mwa_location_rows_table },
    { "other_locations", MWA_BY(MWA_NUMBER, other_locations) },
};

const struct mwa_table mwa_timeline_document = { .shape = MWA_ROW,
                                                 .schema = "mpiwatch-timeline/1",
                                                 MWA_COLUMNS(document) };
