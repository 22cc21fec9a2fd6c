/*
 * Nobody reads a line for each of a thousand ranks: of so many, those are shown that are extreme,
 * whose numbers are what is looked for.
 */
#include "analyzer/report/text.h"

#include <stdlib.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/report/extreme_ranks.h"
#include "analyzer/report/rank_groups_text.h"
#include "analyzer/table/tables.h"

void mwa_text_ranks(const struct mwa_results *results, const struct mwa_screen *screen, FILE *out)
{
    bool *is_extreme = screen->all_ranks ? NULL : mwa_extreme_ranks(results);
    const struct mwa_cell root = { .results = results,
                                   .row = is_extreme ? (const void *)is_extreme : results };
    const struct mwa_table table = is_extreme ? mwa_extreme_ranks_table() : mwa_ranks_table;
    struct mwa_run_summary run;

    if (is_extreme) {
        mwa_summarize_run(&results->profile, &run);
        mwa_put_spread("useful", &run.useful, out);
        putc('\n', out);
        mwa_put_spread("mpi", &run.mpi, out);
        fputs("\n\n", out);
    }
    mwa_text_rank_groups(results, screen, out);
    mwa_table_text(&table, &root, UINT64_MAX, NULL, out);
    mwa_say_extreme_ranks(results, is_extreme, out);
    free(is_extreme);
}
