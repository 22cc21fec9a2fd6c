/* Few of many are looked for: going through all for each takes less than sorting them. */
#include "analyzer/report/extreme_ranks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/table/units.h"

#define OF_EACH 8u

typedef uint64_t time_of_rank(const struct mwa_rank_row *row);

static uint64_t useful_of(const struct mwa_rank_row *row)
{
    return row->useful_ns;
}

static uint64_t mpi_of(const struct mwa_rank_row *row)
{
    return row->mpi_ns;
}

/* The most extreme times so far, the most extreme first. */
struct extremes {
    const struct mwa_rank_row *rows[OF_EACH];
    uint32_t count;
};

static void take(struct extremes *extremes, time_of_rank *time, bool is_most,
                 const struct mwa_rank_row *row)
{
    uint32_t at = extremes->count;

    while (at > 0 && (is_most ? time(row) > time(extremes->rows[at - 1])
                              : time(row) < time(extremes->rows[at - 1]))) {
        at--;
    }
    if (at == OF_EACH) {
        return;
    }
    extremes->count += extremes->count < OF_EACH;
    for (uint32_t i = extremes->count - 1; i > at; i--) {
        extremes->rows[i] = extremes->rows[i - 1];
    }
    extremes->rows[at] = row;
}

static void mark(const struct mwa_profile *profile, time_of_rank *time, bool is_most,
                 bool *is_extreme)
{
    struct extremes extremes = { .count = 0 };

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        if (profile->ranks[i].has_events) {
            take(&extremes, time, is_most, &profile->ranks[i]);
        }
    }
    for (uint32_t i = 0; i < extremes.count; i++) {
        is_extreme[extremes.rows[i] - profile->ranks] = true;
    }
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
    mark(profile, useful_of, false, is_extreme);
    mark(profile, useful_of, true, is_extreme);
    mark(profile, mpi_of, false, is_extreme);
    mark(profile, mpi_of, true, is_extreme);
    for (uint64_t i = 0; i < profile->rank_count && lacking < OF_EACH; i++) {
        if (!profile->ranks[i].has_events || results->trace->ranks[i].incomplete) {
            is_extreme[i] = true;
            lacking++;
        }
    }
    return is_extreme;
}

void mwa_say_extreme_ranks(const struct mwa_results *results, const bool *is_extreme, FILE *out)
{
    uint64_t left = 0;

    for (uint64_t i = 0; is_extreme && i < results->profile.rank_count; i++) {
        left += !is_extreme[i];
    }
    if (left > 0) {
        fprintf(out,
                "and %" PRIu64 " more: shown are %u each with least and most useful and mpi; "
                "--all-ranks has all\n",
                left, OF_EACH);
    }
}

void mwa_put_spread(const char *name, const struct mwa_spread *spread, FILE *out)
{
    char text[3][MWA_UNITS_BYTES];

    fprintf(out, "%s from %s (rank %" PRIu32 ") to %s (rank %" PRIu32 "), on average %s", name,
            mwa_time_text(spread->min_ns, text[0]), spread->min_rank,
            mwa_time_text(spread->max_ns, text[1]), spread->max_rank,
            mwa_time_text(spread->average_ns, text[2]));
}
