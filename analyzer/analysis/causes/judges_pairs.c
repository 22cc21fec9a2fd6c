/*
 * Two operations of which one does what both do. A result that one rank gets and gives to all at
 * once is an operation of its own, which takes as many steps as either half of it; and who has
 * waited for all just now, or is about to, gains nothing by a barrier.
 */
#include "analyzer/analysis/causes/cause_judges.h"

#define MOST_OF_THEM 0.9 /* of the operations at a place: such a broadcast is the next call */
#define BETWEEN      0.5 /* of what a pair costs a rank: for so long it may do something else */
#define HALF         0.5 /* of what both take: what one of them takes */

static bool is_followed(const struct mwa_pair_part *part)
{
    return part->count > 0 && (double)part->count >= MOST_OF_THEM * (double)part->first;
}

static double mean(uint64_t sum, uint64_t count)
{
    return mwa_ratio((double)sum, (double)count);
}

/*
 * Whether what is spread is as much as what was brought together: of a reduction what each gives;
 * else what the root gets, which in place is all but its own.
 */
static bool is_of_one_size(const struct mwa_trace *trace, const struct mwa_operation_pair *pair)
{
    const double spread = mean(pair->others.spread, pair->others.count);
    const double got = mean(pair->roots.received, pair->roots.count);
    const double own = mean(pair->others.sent, pair->others.count);

    return trace->regions[trace->sites[pair->first].region].call == MW_CALL_MPI_Reduce
               ? pair->others.spread == pair->others.sent
               : spread >= got && spread <= got + 2 * own;
}

/* Whether what ranks do between the two is next to nothing beside what the pair costs each time. */
static bool are_at_once(const struct mwa_pair_part *part, double cost_ns)
{
    return mean(part->between_ns, part->count) <= BETWEEN * cost_ns;
}

/* What the operations of a pair cost all ranks; nothing: they are none that one could replace. */
static struct mwa_spent cost_of(const struct mwa_judging *judging,
                                const struct mwa_operation_pair *pair)
{
    const struct mwa_pair_part *others = &pair->others;
    const struct mwa_pair_part *roots = &pair->roots;
    const double count = (double)(others->count + roots->count);
    struct mwa_spent cost = { .ns = 0 };

    if (pair->is_of_meetings || !is_followed(others) || !is_followed(roots) ||
        !is_of_one_size(judging->results->trace, pair)) {
        return cost;
    }
    mwa_spend_at(judging, pair->first, others->first_ns + roots->first_ns, &cost);
    mwa_spend_at(judging, pair->second, others->second_ns + roots->second_ns, &cost);
    cost.ns += cost.waited_ns;
    cost.waited_ns = 0;
    return are_at_once(roots, cost.ns / count) && are_at_once(others, cost.ns / count)
               ? cost
               : (struct mwa_spent){ .ns = 0 };
}

bool mwa_judge_reduce_bcast(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_operation_pairs *pairs = &judging->results->operation_pairs;
    struct mwa_spent most = { .ns = 0 };

    for (uint64_t i = 0; i < pairs->count; i++) {
        const struct mwa_spent cost = cost_of(judging, &pairs->rows[i]);

        if (cost.ns > most.ns) {
            most = cost;
            cause->site = pairs->rows[i].first;
            cause->behind = pairs->rows[i].second;
            cause->count = pairs->rows[i].roots.count;
        }
    }
    if (most.ns == 0) {
        return false;
    }
    cause->region = judging->results->trace->sites[cause->site].region;
    mwa_take_spent(judging, &most, cause);
    cause->up_to_ns = (uint64_t)(HALF * (double)cause->up_to_ns);
    return true;
}

/* Whether the second one of a pair is the barrier that can go; else the first one is. */
static bool is_second(const struct mwa_trace *trace, const struct mwa_operation_pair *pair)
{
    return trace->regions[trace->sites[pair->second].region].call == MW_CALL_MPI_Barrier;
}

/* Whoever waits in the barrier would wait in the other one: only what it takes beside is saved. */
bool mwa_judge_needless_barrier(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_operation_pairs *pairs = &judging->results->operation_pairs;
    struct mwa_spent most = { .ns = 0 };

    for (uint64_t i = 0; i < pairs->count; i++) {
        const struct mwa_operation_pair *pair = &pairs->rows[i];
        const struct mwa_pair_part *part = &pair->others;
        const bool second = is_second(judging->results->trace, pair);
        struct mwa_spent spent = { .ns = 0 };

        if (!pair->is_of_meetings || !is_followed(part)) {
            continue;
        }
        mwa_spend_at(judging, second ? pair->second : pair->first,
                     second ? part->second_ns : part->first_ns, &spent);
        if (spent.ns > most.ns && are_at_once(part, spent.ns / (double)part->count)) {
            most = spent;
            cause->site = second ? pair->second : pair->first;
            cause->behind = second ? pair->first : pair->second;
            cause->count = part->count;
        }
    }
    mwa_take_spent(judging, &most, cause);
    return most.ns > 0;
}
