/* Several causes are of one kind: of a part of what ranks do outside of MPI, which they measure. */
#include "analyzer/analysis/causes/part_of_run.h"

bool mwa_blame_those(const struct mwa_judging *judging, mwa_part_ns lost_ns, double least,
                     struct mwa_cause *cause)
{
    const struct mwa_profile *profile = &judging->results->profile;
    const struct mwa_rank_row *most = NULL;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];
        const uint64_t lost = row->running.is_known ? lost_ns(judging, row) : 0;

        if (lost > cause->time_ns && (double)lost >= MWA_OFF_MATTERS * (double)row->run_ns) {
            cause->time_ns = lost;
            most = row;
        }
    }
    if (!most) {
        return false;
    }
    mwa_blame(cause, most->rank);
    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];
        const double lost = row->running.is_known ? (double)lost_ns(judging, row) : 0;

        if (row != most && row->running.is_known && lost >= least * (double)cause->time_ns &&
            lost >= MWA_OFF_MATTERS * (double)row->run_ns) {
            mwa_blame(cause, row->rank);
        }
    }
    cause->short_ns = (uint64_t)judging->suspects[most->rank].short_ns;
    cause->long_ns = (uint64_t)judging->suspects[most->rank].long_ns;
    cause->up_to_ns = cause->time_ns;
    return true;
}

uint64_t mwa_without_ns(const struct mwa_judging *judging, const struct mwa_cause *cause,
                        mwa_part_ns part, bool is_beside)
{
    const struct mwa_profile *profile = &judging->results->profile;
    struct mwa_cause waited = *cause;
    uint64_t longest = 0, without = 0, off = 0, delayed;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];
        const uint64_t less = row->running.is_known ? part(judging, row) : 0;
        const uint64_t computing = mwa_computing_ns(judging->results, row) +
                                   (is_beside ? less : 0);
        const uint64_t rest = computing > less ? computing - less : 0;

        longest = computing > longest ? computing : longest;
        without = rest > without ? rest : without;
    }
    waited.short_ns = waited.long_ns = 0;
    for (uint64_t i = 0; i < cause->listed; i++) {
        const struct mwa_rank_row *row = &profile->ranks[cause->ranks[i]];

        waited.short_ns += (uint64_t)judging->suspects[row->rank].short_ns;
        waited.long_ns += (uint64_t)judging->suspects[row->rank].long_ns;
        off += row->running.outside_ns - (is_beside ? part(judging, row) : 0);
    }
    delayed = mwa_per_waiter(judging, &waited) + mwa_ended_before_those(judging, &waited);
    delayed = delayed > off ? delayed - off : 0;
    return longest - without > delayed ? longest - without : delayed;
}

bool mwa_blame_for(const struct mwa_judging *judging, mwa_part_ns part, struct mwa_cause *cause)
{
    uint64_t without;

    if (!mwa_blame_those(judging, part, 0, cause)) {
        return false;
    }
    cause->short_ns = cause->long_ns = 0; /* who is waited for is told of what it does longer */
    without = mwa_without_ns(judging, cause, part, false);
    cause->up_to_ns = without < cause->time_ns ? without : cause->time_ns;
    return true;
}

void mwa_name_most(struct mwa_cause *cause, uint32_t site, uint64_t before, uint64_t all)
{
    if ((double)before >= MWA_CAUSE_MOST * (double)all) {
        cause->site = site;
    }
}
