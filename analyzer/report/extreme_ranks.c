/* Who is extreme in one time is not in another: each has its own. */
#include "analyzer/report/extreme_ranks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/report/extremes.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

#define OF_EACH 8u

/* ns have no more digits than a double tells apart in a hundred days. */
static bool useful_of(const void *of, uint64_t index, double *value)
{
    const struct mwa_rank_row *row = &((const struct mwa_profile *)of)->ranks[index];

    *value = (double)row->useful_ns;
    return row->has_events;
}

static bool mpi_of(const void *of, uint64_t index, double *value)
{
    const struct mwa_rank_row *row = &((const struct mwa_profile *)of)->ranks[index];

    *value = (double)row->mpi_ns;
    return row->has_events;
}

/* Of those that were. */
static bool off_core_of(const void *of, uint64_t index, double *value)
{
    const struct mwa_rank_row *row = &((const struct mwa_profile *)of)->ranks[index];

    *value = (double)mwa_off_core_ns(&row->running);
    return *value > 0;
}

bool *mwa_extreme_ranks(const struct mwa_results *results)
{
    const struct mwa_profile *profile = &results->profile;
    bool *is_extreme = profile->rank_count > MWA_RANKS_WITH_LINES
                           ? calloc(profile->rank_count, sizeof *is_extreme)
                           : NULL;
    uint32_t lacking = 0;

    if (!is_extreme) {
        return NULL;
    }
    mwa_mark_extremes(profile, profile->rank_count, useful_of, false, OF_EACH, is_extreme);
    mwa_mark_extremes(profile, profile->rank_count, useful_of, true, OF_EACH, is_extreme);
    mwa_mark_extremes(profile, profile->rank_count, mpi_of, false, OF_EACH, is_extreme);
    mwa_mark_extremes(profile, profile->rank_count, mpi_of, true, OF_EACH, is_extreme);
    mwa_mark_extremes(profile, profile->rank_count, off_core_of, true, OF_EACH, is_extreme);
    for (uint64_t i = 0; i < profile->rank_count && lacking < OF_EACH; i++) {
        if (!profile->ranks[i].has_events || results->trace->ranks[i].incomplete) {
            is_extreme[i] = true;
            lacking++;
        }
    }
    return is_extreme;
}

MWA_COUNT_BY(rank_count, parent->results->profile.rank_count)
MWA_ROW_BY(rank_at, &parent->results->profile.ranks[index])

struct mwa_table mwa_extreme_ranks_table(const struct mwa_table *of_all)
{
    struct mwa_table table = *of_all;

    table.count = rank_count;
    table.row = rank_at;
    table.is_worth = mwa_is_flagged;
    return table;
}

void mwa_say_extreme_ranks(const struct mwa_results *results, const bool *is_extreme, FILE *out)
{
    mwa_say_left_out(is_extreme, results->profile.rank_count, OF_EACH,
                     "least and most useful and mpi, and most off core", out);
}

void mwa_put_spread(const char *name, const struct mwa_spread *spread, FILE *out)
{
    char text[3][MWA_UNITS_BYTES];

    fprintf(out, "%s from %s (rank %" PRIu32 ") to %s (rank %" PRIu32 "), on average %s", name,
            mwa_time_text(spread->min_ns, text[0]), spread->min_rank,
            mwa_time_text(spread->max_ns, text[1]), spread->max_rank,
            mwa_time_text(spread->average_ns, text[2]));
}
