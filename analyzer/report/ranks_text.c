/*
 * Nobody reads a line for each of a thousand ranks: of so many, those are shown that are extreme,
 * whose numbers are what is looked for.
 */
#include "analyzer/report/text.h"

#include <stdlib.h>

#include "analyzer/analysis/causes/cause_judges.h"
#include "analyzer/analysis/summary.h"
#include "analyzer/report/extreme_ranks.h"
#include "analyzer/report/rank_groups_text.h"
#include "analyzer/table/tables.h"

/* Puts a table of all ranks, or of those that are extreme (null: all). */
static void put_ranks(const struct mwa_results *results, const struct mwa_table *of_all,
                      const bool *is_extreme, FILE *out)
{
    const struct mwa_cell root = { .results = results,
                                   .row = is_extreme ? (const void *)is_extreme : results };
    const struct mwa_table table = is_extreme ? mwa_extreme_ranks_table(of_all) : *of_all;

    mwa_table_text(&table, &root, UINT64_MAX, NULL, out);
}

/* Whether a rank was off its core for so long that the verdict may speak of it. */
static bool is_any_off_core(const struct mwa_profile *profile)
{
    bool is_any = false;

    for (uint64_t i = 0; i < profile->rank_count && !is_any; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];

        is_any = row->running.is_known && (double)mwa_off_core_ns(&row->running) >=
                                              MWA_OFF_MATTERS * (double)row->run_ns;
    }
    return is_any;
}

/* The same of a rank that wrote to files. */
static bool has_any_written(const struct mwa_profile *profile)
{
    bool is_any = false;

    for (uint64_t i = 0; i < profile->rank_count && !is_any; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];

        is_any = row->running.writing_most_ns > 0 && (double)row->running.writing_most_ns >=
                                                         MWA_OFF_MATTERS * (double)row->run_ns;
    }
    return is_any;
}

/* The same of a rank that was in the kernel. */
static bool is_any_in_kernel(const struct mwa_profile *profile)
{
    bool is_any = false;

    for (uint64_t i = 0; i < profile->rank_count && !is_any; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];

        is_any = row->running.system_ns > 0 &&
                 (double)row->running.system_ns >= MWA_OFF_MATTERS * (double)row->run_ns;
    }
    return is_any;
}

void mwa_text_ranks(const struct mwa_results *results, const struct mwa_screen *screen, FILE *out)
{
    bool *is_extreme = screen->all_ranks ? NULL : mwa_extreme_ranks(results);
    struct mwa_run_summary run;

    if (is_extreme) {
        mwa_summarize_run(&results->profile, &run);
        mwa_put_spread("useful", &run.useful, out);
        putc('\n', out);
        mwa_put_spread("mpi", &run.mpi, out);
        fputs("\n\n", out);
    }
    mwa_text_rank_groups(results, screen, out);
    put_ranks(results, &mwa_ranks_table, is_extreme, out);
    if (is_any_off_core(&results->profile)) {
        putc('\n', out);
        put_ranks(results, &mwa_ranks_off_core_table, is_extreme, out);
    }
    if (has_any_written(&results->profile)) {
        putc('\n', out);
        put_ranks(results, &mwa_ranks_written_table, is_extreme, out);
    }
    if (is_any_in_kernel(&results->profile)) {
        putc('\n', out);
        put_ranks(results, &mwa_ranks_kernel_table, is_extreme, out);
    }
    mwa_say_extreme_ranks(results, is_extreme, out);
    free(is_extreme);
}
