/* What is found may come of something else than the program: of the host, the record, or clocks. */
#include "analyzer/analysis/causes/cause_judges.h"

#define LOST  0.01 /* of the events */
#define EARLY 0.01 /* of the messages, received before they were sent */
#define APART 0.05 /* of the run, by which one was */
#define COULD 0.5  /* of what the cause costs: what clocks may have made of it */

static bool ranks_lack_cores(const struct mwa_judging *judging)
{
    struct mwa_cause ignored = { .rank_count = 0 };
    uint64_t lost;

    (void)mwa_lost_for_cores(&judging->results->profile, &judging->results->waits, &lost);
    return mwa_judge_cores(judging, &ignored) ||
           (double)lost >= MWA_CORES_DOUBTFUL * (double)judging->run.run_ns;
}

bool mwa_judge_clocks(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_matching_result *matching = &judging->results->matching;
    const double early = (double)matching->clock_violations;

    cause->count = matching->clock_violations;
    cause->share = matching->matched > 0 ? early / (double)matching->matched : 0;
    cause->time_ns = matching->clock_violation_max_ns;
    return early > EARLY * (double)matching->matched &&
           (double)cause->time_ns >= APART * (double)judging->run.longest_run_ns;
}

/* A ring has lost what was before, and of what is told nothing. */
static bool has_losses(const struct mwa_results *results)
{
    const uint64_t lost = (results->trace->is_ring ? 0 : results->trace->lost_events) +
                          results->pass.missing_events;

    return lost > 0 && (double)lost >= LOST * (double)(results->pass.events + lost);
}

/* Each wait may be wrong by as much as a message was seen to come before it was sent. */
static bool may_be_of_clocks(const struct mwa_judging *judging, const struct mwa_cause *cause)
{
    const struct mwa_wait_row *rows = judging->results->waits.rows;
    const double each = (double)judging->results->matching.clock_violation_max_ns;
    double instances = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        instances += mwa_wait_role(i) == MWA_WAIT_COUNTS ? (double)rows[i].instances : 0;
    }
    return mwa_is_of_waits(cause) && each > 0 &&
           each * instances >= COULD * (double)cause->up_to_ns * (double)judging->run.ranks;
}

/* How long ranks are off their cores, and why, is what samples of their threads tell. */
bool mwa_is_doubtful(const struct mwa_judging *judging, const struct mwa_cause *cause)
{
    return mwa_cause_rule(cause->rule)->class == MWA_CAUSE_COST &&
           !mwa_is_off_core(cause->rule) &&
           (ranks_lack_cores(judging) || has_losses(judging->results) ||
            may_be_of_clocks(judging, cause));
}
