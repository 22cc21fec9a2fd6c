/* Who has no core, or sleeps, can't be helped by any change of its messages. */
#include "analyzer/analysis/causes/cause_judges.h"

#define MOST 0.5 /* of what a rank was off its core: that is what it is about */

bool mwa_judge_cores(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_cores *cores = &judging->results->cores;

    if (!mwa_has(judging->results, MWA_NEED_CORES) || cores->lack == MWA_CORES_ENOUGH) {
        return false;
    }
    cause->count = cores->ranks;
    cause->share = cores->no_core;
    if (cores->is_known) {
        cause->up_to_ns = (uint64_t)(cores->no_core * (double)judging->run.longest_run_ns);
    }
    return true;
}

/* The rank that is off its core longest outside of MPI, if that matters; null: none. */
static const struct mwa_rank_row *longest_off(const struct mwa_judging *judging)
{
    const struct mwa_profile *profile = &judging->results->profile;
    const struct mwa_rank_row *longest = NULL;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        if (judging->suspects[i].off_ns > 0 &&
            (!longest || profile->ranks[i].running.outside_ns > longest->running.outside_ns)) {
            longest = &profile->ranks[i];
        }
    }
    return longest;
}

static bool is_off(const struct mwa_judging *judging, bool lacks_core, struct mwa_cause *cause)
{
    const struct mwa_rank_row *row = longest_off(judging);

    if (!row || lacks_core != (mwa_ratio((double)row->running.outside_no_core_ns,
                                         (double)row->running.outside_ns) >= MOST)) {
        return false;
    }
    mwa_blame(cause, row->rank);
    cause->time_ns = row->running.outside_ns;
    cause->site = row->running.before_ns > 0 ? row->running.before : MWA_NONE;
    cause->short_ns = (uint64_t)judging->suspects[row->rank].short_ns;
    cause->long_ns = (uint64_t)judging->suspects[row->rank].long_ns;
    cause->up_to_ns = row->running.outside_ns;
    return true;
}

bool mwa_judge_not_running(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return is_off(judging, false, cause);
}

/* Of other threads of a rank: in no region, or asleep where only that is known. */
static uint64_t idle_of(const struct mwa_location_group *group)
{
    return group->ns[MWA_LOCATION_IDLE] + (group->tells_idle ? 0 : group->slept_ns);
}

/* If idle threads did their part of what the rank does, it would be done so much earlier. */
bool mwa_judge_threads(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_location_imbalance *all = &judging->results->location_imbalance;
    double idle = 0;
    double whole = 0;
    double saved = 0;

    for (uint64_t i = 0; i < all->group_count; i++) {
        const struct mwa_location_group *group = &all->groups[i];
        const double own = (double)idle_of(group);

        if (group->type != MWA_LOCATION_THREAD) {
            continue;
        }
        idle += own;
        whole += (double)group->total_ns;
        saved += own / (double)(group->locations + 1);
        if (mwa_ratio(own, (double)group->total_ns) >= MOST) {
            mwa_blame(cause, group->rank);
        }
    }
    cause->time_ns = (uint64_t)idle;
    cause->share = mwa_ratio(idle, whole);
    cause->up_to_ns = (uint64_t)(saved / (double)judging->run.ranks);
    return cause->rank_count > 0 && cause->share >= MOST;
}

bool mwa_judge_no_core(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    struct mwa_cause ignored = { .rank_count = 0 };

    return !mwa_judge_cores(judging, &ignored) && is_off(judging, true, cause);
}
