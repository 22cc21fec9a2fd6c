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

static uint64_t off_core_ns(const struct mwa_rank_running *running)
{
    return running->is_known ? mwa_off_core_ns(running) : 0;
}

static uint64_t writing_ns(const struct mwa_rank_running *running)
{
    return running->writing_most_ns;
}

static uint64_t reading_ns(const struct mwa_rank_running *running)
{
    return running->reading_ns;
}

static uint64_t system_ns(const struct mwa_rank_running *running)
{
    return running->system_ns;
}

/* Whether that takes a rank so long that the verdict may speak of it. */
static bool matters(const struct mwa_profile *profile,
                    uint64_t (*ns)(const struct mwa_rank_running *running))
{
    bool is_any = false;

    for (uint64_t i = 0; i < profile->rank_count && !is_any; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];
        const uint64_t taken = ns(&row->running);

        is_any = taken > 0 && (double)taken >= MWA_OFF_MATTERS * (double)row->run_ns;
    }
    return is_any;
}

/* What more is told of ranks where it matters. */
static const struct {
    uint64_t (*ns)(const struct mwa_rank_running *running);
    const struct mwa_table *table;
} more[] = {
    { off_core_ns, &mwa_ranks_off_core_table },
    { writing_ns, &mwa_ranks_written_table },
    { reading_ns, &mwa_ranks_read_table },
    { system_ns, &mwa_ranks_kernel_table },
};

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
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        if (matters(&results->profile, more[i].ns)) {
            putc('\n', out);
            put_ranks(results, more[i].table, is_extreme, out);
        }
    }
    mwa_say_extreme_ranks(results, is_extreme, out);
    free(is_extreme);
}
