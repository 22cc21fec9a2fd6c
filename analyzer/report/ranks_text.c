/*
 * Nobody reads a line for each of a thousand ranks: of so many, those are shown that are extreme,
 * whose numbers are what is looked for.
 */
#include "analyzer/report/text.h"

#include <stdlib.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/report/extreme_ranks.h"
#include "analyzer/table/tables.h"

MWA_COUNT_BY(rank_count, parent->results->profile.rank_count)

static const void *extreme_rank_at(const struct mwa_cell *parent, uint64_t index)
{
    const bool *is_extreme = parent->row;

    return is_extreme[index] ? &parent->results->profile.ranks[index] : NULL;
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
        mwa_put_spread("useful", &run.useful, out);
        putc('\n', out);
        mwa_put_spread("mpi", &run.mpi, out);
        fputs("\n\n", out);
        table.count = rank_count;
        table.row = extreme_rank_at;
    }
    mwa_table_text(&table, &root, UINT64_MAX, NULL, out);
    mwa_say_extreme_ranks(results, is_extreme, out);
    free(is_extreme);
}
