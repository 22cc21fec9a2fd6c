/*
 * Nobody reads a line for each of a thousand ranks: of so many, those are shown that are extreme,
 * whose numbers are what is looked for.
 */
#include "analyzer/report/text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/report/extreme_ranks.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

MWA_COUNT_BY(rank_count, parent->results->profile.rank_count)

static const void *extreme_rank_at(const struct mwa_cell *parent, uint64_t index)
{
    const bool *is_extreme = parent->row;

    return is_extreme[index] ? &parent->results->profile.ranks[index] : NULL;
}

/* "useful from 1.2 s (rank 5) to 3.4 s (rank 1), on average 2.3 s" */
static void put_spread(const char *name, const struct mwa_spread *spread, FILE *out)
{
    char text[3][MWA_UNITS_BYTES];

    fprintf(out, "%s from %s (rank %" PRIu32 ") to %s (rank %" PRIu32 "), on average %s\n", name,
            mwa_time_text(spread->min_ns, text[0]), spread->min_rank,
            mwa_time_text(spread->max_ns, text[1]), spread->max_rank,
            mwa_time_text(spread->average_ns, text[2]));
}

void mwa_text_ranks(const struct mwa_results *results, const struct mwa_screen *screen, FILE *out)
{
    bool *is_extreme = screen->all_ranks ? NULL : mwa_extreme_ranks(results);
    const struct mwa_cell root = { .results = results,
                                   .row = is_extreme ? (const void *)is_extreme : results };
    struct mwa_table table = mwa_ranks_table;
    struct mwa_run_summary run;

    if (is_extreme) {
        mwa_summarize_run(&results->profile, &run);
        put_spread("useful", &run.useful, out);
        put_spread("mpi", &run.mpi, out);
        putc('\n', out);
        table.count = rank_count;
        table.row = extreme_rank_at;
    }
    mwa_table_text(&table, &root, UINT64_MAX, NULL, out);
    mwa_say_extreme_ranks(results, is_extreme, out);
    free(is_extreme);
}
