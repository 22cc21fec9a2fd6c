/* Stacks that call MPI, by time: the rows of the flame graph. */
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"

static const struct mwa_flame_node *node_of(const struct mwa_cell *cell)
{
    const struct mwa_flame *flame = &cell->results->flame;

    return &flame->nodes[*(const uint32_t *)cell->row];
}

MWA_VALUE(stack, mwa_owned_text(mwa_flame_path(&cell->results->flame, *(const uint32_t *)cell->row,
                                               "; ")))
MWA_VALUE(time_in, mwa_number(node_of(cell)->time_ns))
MWA_VALUE(share, mwa_share(node_of(cell)->time_ns, cell->results->flame.nodes[0].time_ns))
MWA_VALUE(waits, mwa_number(node_of(cell)->wait_ns))

static const struct mwa_column columns[] = {
    { "time_ns", "time", 9, MWA_NS, MWA_BY(MWA_NUMBER, time_in) },
    { "share", "share", 6, MWA_SHARE, MWA_BY(MWA_REAL, share),
      .unknown = "no time was spent in MPI" },
    { "wait_ns", "waiting", 9, MWA_NS, MWA_BY(MWA_NUMBER, waits) },
    { "stack", "functions; call", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, stack) },
};

const struct mwa_table mwa_flame_table = { MWA_COLUMNS(columns),
                                           MWA_ROWS(struct mwa_results, flame.calls,
                                                    flame.call_count),
                                           .none = "no MPI call was recorded" };
