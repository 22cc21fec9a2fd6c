#include "analyzer/report/text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/report/extreme_ranks.h"
#include "analyzer/report/rank_groups_text.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

#define ROWS_MAX 40u
#define BAR_MAX  20.0

/* A line per rank, or for those that are extreme: its useful time, and by how much it is above or
 * below the average. */
static void put_ranks(const struct mwa_results *results, const struct mwa_imbalance_row *useful,
                      const bool *is_extreme, FILE *out)
{
    char text[2][MWA_UNITS_BYTES];

    fprintf(out, "%6s %9s %10s\n", "rank", "useful", "to average");
    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        uint64_t ns = useful->per_rank_ns[i];
        bool over = ns >= useful->average_ns;
        unsigned bar = useful->max_ns ? (unsigned)((double)ns / (double)useful->max_ns * BAR_MAX)
                                      : 0;

        if (!results->profile.ranks[i].has_events || (is_extreme && !is_extreme[i])) {
            continue;
        }
        fprintf(out, "%6" PRIu64 " %9s %c%9s ", i, mwa_time_text(ns, text[0]), over ? '+' : '-',
                mwa_time_text(over ? ns - useful->average_ns : useful->average_ns - ns, text[1]));
        for (unsigned k = 0; k < bar; k++) {
            putc('#', out);
        }
        putc('\n', out);
    }
    mwa_say_extreme_ranks(results, is_extreme, out);
}

void mwa_text_imbalance(const struct mwa_results *results, const struct mwa_screen *screen,
                        FILE *out)
{
    const struct mwa_imbalance *imbalance = &results->imbalance;
    const struct mwa_cell root = { .results = results, .row = results };

    mwa_table_text(&mwa_imbalance_table, &root, ROWS_MAX, "--csv or --json have all", out);
    if (imbalance->count > 0 && imbalance->rows[0].kind == MWA_IMBALANCE_USEFUL) {
        bool *is_extreme = screen->all_ranks ? NULL : mwa_extreme_ranks(results);

        putc('\n', out);
        mwa_text_rank_groups(results, screen, out);
        put_ranks(results, &imbalance->rows[0], is_extreme, out);
        free(is_extreme);
    }
    if (results->location_imbalance.group_count > 0) {
        putc('\n', out);
        mwa_table_text(&mwa_location_times_table, &root, ROWS_MAX, "--json has all", out);
    }
    if (results->location_imbalance.count > 0) {
        putc('\n', out);
        mwa_table_text(&mwa_location_imbalance_table, &root, ROWS_MAX, "--json has all", out);
    }
}

