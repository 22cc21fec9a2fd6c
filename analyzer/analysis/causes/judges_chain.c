/*
 * Messages that are waited for because what they bring is needed, and not because somebody computes
 * unevenly: one rank after the other. The path of the run tells them, which goes from rank to rank,
 * and what the run would take where messages cost nothing.
 */
#include "analyzer/analysis/causes/cause_judges.h"

#define NEARLY_ALL 0.9
#define ITS_PART   0.25
#define A_FEW      0.25 /* of all ranks */
#define HALF_OF_IT 0.4 /* of all waiting: who is behind a chain waits for it, who is before it for
                          its end, in what comes then */

/* Ranks that have their part of the critical path: half of an even one, or more; *longest: the most
 * that one has. */
static uint64_t ranks_on_path(const struct mwa_judging *judging, uint64_t *longest)
{
    const struct mwa_critical_path *path = &judging->results->critical_path;
    uint64_t count = 0;

    *longest = 0;
    for (uint64_t i = 0; i < path->rank_count; i++) {
        const uint64_t ns = path->per_rank_ns[i];

        count += ns > 0 && (double)ns * (double)judging->run.ranks >=
                               MWA_CAUSE_MOST * (double)path->length_ns;
        *longest = ns > *longest ? ns : *longest;
    }
    return count;
}

/* It goes through most ranks; or through several of them, of whom a few compute at a time. */
static bool is_through_many(const struct mwa_judging *judging, uint64_t *count)
{
    const struct mwa_results *results = judging->results;
    const double ranks = (double)judging->run.ranks;
    uint64_t longest;

    *count = ranks_on_path(judging, &longest);
    return (double)*count > MWA_CAUSE_MOST * ranks ||
           ((double)longest < MWA_CAUSE_MOST * (double)results->critical_path.length_ns &&
            (double)results->pop.run.outside_total_ns <=
                A_FEW * ranks * (double)results->pop.run.ideal_ns);
}

/* Late senders have themselves waited, or else nothing that ranks compute overlaps. */
static bool waits_in_chain(const struct mwa_results *results)
{
    const double late = (double)results->waits.rows[MWA_WAIT_LATE_SENDER].total_ns;
    const double waits = (double)mwa_waits_total_ns(&results->waits);

    return (late >= HALF_OF_IT * waits &&
            (double)results->waits.delays.indirect_ns >= MWA_CAUSE_MOST * waits) ||
           (late >= NEARLY_ALL * waits &&
            (double)results->pop.run.ideal_ns >=
                NEARLY_ALL * (double)results->pop.run.outside_total_ns);
}

/* On a network that costs nothing the run would still be longer than any rank computes. */
bool mwa_judge_chain(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_results *results = judging->results;
    const struct mwa_pop_factors *run = &results->pop.run;
    const struct mwa_wait_row *late = &results->waits.rows[MWA_WAIT_LATE_SENDER];

    if (results->pop.ideal_unknown || run->ideal_ns <= run->outside_max_ns ||
        !waits_in_chain(results) ||
        !mwa_matters(judging, (double)(run->ideal_ns - run->outside_max_ns))) {
        return false;
    }
    cause->site = mwa_waits_most(late->site_ns, results->waits.site_count);
    cause->short_ns = late->total_ns;
    cause->up_to_ns = run->ideal_ns - run->outside_max_ns;
    return is_through_many(judging, &cause->count);
}

bool mwa_waits_once(const struct mwa_judging *judging)
{
    const struct mwa_waits *waits = &judging->results->waits;
    const double total = (double)mwa_waits_total_ns(waits);
    uint64_t longest = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        const struct mwa_wait_row *row = &waits->rows[i];

        if (mwa_wait_role(i) == MWA_WAIT_COUNTS && row->worst_count > 0 &&
            row->worst[0].wait > longest) {
            longest = row->worst[0].wait;
        }
    }
    return (double)longest * (double)judging->run.ranks >= NEARLY_ALL * total &&
           (double)waits->rows[MWA_WAIT_LATE_SENDER].total_ns >= ITS_PART * total;
}
