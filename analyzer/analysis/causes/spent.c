/*
 * What ranks spend in calls when the lack of cores is taken off, and those that were never left, or
 * are with ranks of other jobs: what was waited for there, if anything, is not known.
 */
#include <math.h>

#include "analyzer/analysis/causes/cause_judges.h"

#define LACK 0.01 /* of the run: it is said what was taken off for want of cores */

static const struct mwa_call_row *row_of(const struct mwa_profile *profile,
                                         const struct mwa_region *region)
{
    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (profile->calls[i].region == region) {
            return &profile->calls[i];
        }
    }
    return NULL;
}

/* What is left of the time that ranks are busy in calls of a function, which took time. */
static double beside_no_core(const struct mwa_call_row *row, double time, double busy)
{
    const double share = mwa_ratio((double)row->no_core_ns, (double)row->time_ns);
    const double members = row->operations ? (double)row->members / (double)row->operations : 1;
    const double all_run = busy * pow(1 - share, members);
    const double own = busy > share * time ? busy - share * time : 0;

    return own < all_run ? own : all_run;
}

void mwa_spend(const struct mwa_judging *judging, const struct mwa_region *region, double time,
               double busy, struct mwa_spent *spent)
{
    const struct mwa_call_row *row = row_of(&judging->results->profile, region);
    const double unknown =
        row ? time * mwa_ratio((double)row->open_ns + (double)row->across_ns, (double)row->time_ns)
            : 0;
    const double known = busy > unknown ? busy - unknown : 0;
    const double left = row ? beside_no_core(row, time, known) : known;

    spent->ns += left;
    spent->lack_ns += known - left;
    if (row) {
        spent->waited_ns += judging->waited_for[region - judging->results->trace->regions] *
                            mwa_ratio(time, (double)row->time_ns) * mwa_ratio(left, known);
    }
}

void mwa_add_spent(const struct mwa_spent *spent, struct mwa_spent *to)
{
    to->ns += spent->ns;
    to->lack_ns += spent->lack_ns;
    to->waited_ns += spent->waited_ns;
}

void mwa_spend_at(const struct mwa_judging *judging, uint32_t place, uint64_t time_ns,
                  struct mwa_spent *spent)
{
    const struct mwa_results *results = judging->results;
    const struct mwa_wait_row *rows = results->waits.rows;
    uint64_t waits = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        waits += mwa_wait_role(i) == MWA_WAIT_COUNTS && rows[i].place_ns &&
                         place < results->waits.site_count
                     ? rows[i].place_ns[place]
                     : 0;
    }
    mwa_spend(judging, &results->trace->regions[results->trace->sites[place].region],
              (double)time_ns, time_ns > waits ? (double)(time_ns - waits) : 0, spent);
}

/* What each rank gains of so much that all do, where those gain nothing that had ended before. */
static double for_each(const struct mwa_judging *judging, double ns)
{
    const struct mwa_profile *profile = &judging->results->profile;
    double each = ns;
    uint64_t before = 0, ranks = UINT64_MAX;

    while (ranks != before) {
        double sum = ns;

        before = ranks;
        ranks = 0;
        for (uint64_t i = 0; i < profile->rank_count; i++) {
            const struct mwa_rank_row *row = &profile->ranks[i];
            const double ended = row->has_events ? mwa_ended_before(judging, row) : each;

            if (ended < each) {
                sum += ended;
                ranks++;
            }
        }
        each = ranks > 0 ? sum / (double)ranks : each;
    }
    return each;
}

/* What a rank is in MPI, or has ended before the others: no more can be gained there, in the one
 * for which it is least. Of ranks of which several threads call MPI it is not known. */
static double most_of_any(const struct mwa_judging *judging)
{
    const struct mwa_profile *profile = &judging->results->profile;
    double least = (double)judging->run.longest_run_ns;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];

        if (row->has_events && row->callers <= 1) {
            least = fmin(least, (double)row->mpi_ns + mwa_ended_before(judging, row));
        }
    }
    return least;
}

void mwa_take_spent(const struct mwa_judging *judging, const struct mwa_spent *spent,
                    struct mwa_cause *cause)
{
    const double sum = spent->ns + spent->waited_ns;
    const double each = fmin(for_each(judging, sum), most_of_any(judging));

    cause->time_ns = (uint64_t)spent->ns;
    cause->share = mwa_ratio(spent->ns, (double)judging->run.run_ns);
    cause->up_to_ns = (uint64_t)fmax(each, sum / (double)judging->run.ranks);
    cause->lack_ns = (uint64_t)spent->lack_ns;
    cause->has_lack = spent->lack_ns >= LACK * (double)judging->run.run_ns;
}
