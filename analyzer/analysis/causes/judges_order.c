/*
 * Messages that are received in another order than they are sent in: what a rank could have done
 * while it waited for the later one. Only where the program has chosen the order, and others wait
 * for the rank.
 */
#include "analyzer/analysis/causes/cause_judges.h"

/* How long others waited for a rank, all together, or had ended before it did: else nobody goes on
 * earlier if it does. */
static uint64_t held_up_by(const struct mwa_judging *judging, uint32_t rank)
{
    const struct mwa_wait_row *rows = judging->results->waits.rows;
    const struct mwa_rank_row *row = &judging->results->profile.ranks[rank];
    uint64_t ns = row->has_events && mwa_ended_before(judging, row) <= 0
                      ? (uint64_t)judging->ended_ns
                      : 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        ns += mwa_wait_role(i) == MWA_WAIT_COUNTS && rows[i].cause_ns ? rows[i].cause_ns[rank] : 0;
    }
    return ns;
}

/* Waits for what should have been received later. */
struct disorder {
    const struct mwa_wait_row *row;
    bool is_of_others; /* than who sent what was waited for */
    double in_order;   /* the part that is in calls that the program has given an order */
};

/* Whether a call takes all messages, or what comes first: the program has given them no order. */
static bool takes_what_comes(unsigned call)
{
    const enum mw_call_kind kind = mw_call_kind(call);

    return kind == MW_KIND_WAITALL || kind == MW_KIND_WAITANY || kind == MW_KIND_WAITSOME;
}

static struct disorder find_disorder(const struct mwa_results *results,
                                     enum mwa_wait_pattern pattern)
{
    const struct mwa_wait_row *row = &results->waits.rows[pattern];
    uint64_t ns = row->total_ns;

    for (uint64_t i = 0; row->call_ns && i < results->waits.call_count; i++) {
        ns -= takes_what_comes(results->trace->regions[results->trace->mpi_regions[i]].call)
                  ? row->call_ns[i]
                  : 0;
    }
    return (struct disorder){ row, pattern == MWA_WAIT_WRONG_ORDER_DIFFERENT,
                              mwa_ratio((double)ns, (double)row->total_ns) };
}

/* Whether a rank takes most of its messages from whoever sends: their order is the senders'. */
static bool takes_of_anybody(const struct mwa_judging *judging, uint32_t rank)
{
    const struct mwa_wildcards *wildcards = &judging->results->wildcards;

    return wildcards->known && rank < wildcards->rank_count &&
           (double)mwa_for_anybody(&wildcards->ranks[rank]) >
               MWA_CAUSE_MOST * (double)judging->suspects[rank].received;
}

/* What the rank waited in an order that it chose itself, of waits that have none as of all. */
static uint64_t chosen_ns(const struct mwa_judging *judging, const struct disorder *disorder,
                          uint32_t rank)
{
    return disorder->row->rank_ns &&
                   !(disorder->is_of_others && takes_of_anybody(judging, rank))
               ? (uint64_t)(disorder->in_order * (double)disorder->row->rank_ns[rank])
               : 0;
}

bool mwa_judge_wrong_order(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_waits *waits = &judging->results->waits;
    const struct disorder same = find_disorder(judging->results, MWA_WAIT_WRONG_ORDER_SAME);
    const struct disorder other = find_disorder(judging->results, MWA_WAIT_WRONG_ORDER_DIFFERENT);
    uint64_t same_ns = 0, other_ns = 0, saved_ns = 0, waiters = 0;

    for (uint32_t i = 0; i < waits->rank_count; i++) {
        const uint64_t in_same = chosen_ns(judging, &same, i);
        const uint64_t in_other = chosen_ns(judging, &other, i);
        const uint64_t waited = in_same + in_other;
        const uint64_t meanwhile = waits->reordered_ns ? waits->reordered_ns[i] : 0;
        const uint64_t held_up = waited > 0 ? held_up_by(judging, i) : 0;
        const uint64_t saved = waited < meanwhile ? waited : meanwhile;

        same_ns += in_same;
        other_ns += in_other;
        saved_ns += saved < held_up ? saved : held_up;
        waiters += waited > 0;
    }
    cause->short_ns = same_ns + other_ns;
    cause->site = mwa_waits_most((same_ns > other_ns ? same : other).row->site_ns,
                                 waits->site_count);
    cause->is_of_caller = true;
    cause->up_to_ns = waiters > 0 ? saved_ns / waiters : 0;
    return mwa_matters(judging, (double)cause->up_to_ns) &&
           (double)cause->short_ns >=
               MWA_CAUSE_MOST * (double)waits->rows[MWA_WAIT_LATE_SENDER].total_ns;
}
