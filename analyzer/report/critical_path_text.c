/*
 * Both lists are tables of columns; what stands here is what holds for both, and
 * what the path may lack.
 */
#include "analyzer/report/text.h"

#include <inttypes.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

#define ROWS_MAX  30u
#define RANKS_MAX 10u

void mwa_text_critical_path(const struct mwa_results *results, const struct mwa_screen *screen,
                            FILE *out)
{
    const struct mwa_critical_path *path = &results->critical_path;
    const struct mwa_cell root = { .results = results, .row = results };
    char text[2][MWA_UNITS_BYTES];

    if (!path->known) {
        fprintf(out, "no critical path: no rank has a run\n");
        return;
    }
    fprintf(out, "%s to the end of rank %" PRIu32 ", %s hop%s\n\n",
            mwa_time_text(path->length_ns, text[0]), path->end_rank,
            mwa_count_text(path->hops, text[1]), path->hops == 1 ? "" : "s");
    mwa_table_text(&mwa_critical_path_table, &root, ROWS_MAX, "--csv or --json have all", out);
    putc('\n', out);
    mwa_table_text(&mwa_critical_path_ranks_table, &root, RANKS_MAX, "--json has them", out);
    if (path->note) {
        fprintf(out, "\nwaits may be missing from it: %s\n", path->note);
    }
    if (mwa_probing_ns(results) > 0) {
        fprintf(out, "\nit does not follow what MPI_Probe and MPI_Mprobe wait for, %s of all "
                     "ranks: that is not recorded\n",
                mwa_time_text(mwa_probing_ns(results), text[0]));
    }
}

