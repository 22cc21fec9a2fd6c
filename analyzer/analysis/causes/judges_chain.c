/*
 * Messages that are waited for because what they bring is needed, and not because somebody computes
 * unevenly: one rank after the other. The path of the run tells them, which goes from rank to rank,
 * and what the run would take where messages cost nothing. Where all meet in between, each rank is
 * late once for what all compute: what tells then is how long the run would take if messages were
 * there before anybody waits for them.
 */
#include "analyzer/analysis/causes/cause_judges.h"

#define NEARLY_ALL 0.9
#define ITS_PART   0.25
#define A_FEW      0.25 /* of all ranks */
#define ANOTHER    0.01 /* of what is waited for messages: of a sweep from two sides only ranks at
                           one edge may wait at the other line */

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

/* On a network that costs nothing the run takes so much longer than any rank computes; 0: or not
 * known. */
static uint64_t held_up_ns(const struct mwa_results *results)
{
    const struct mwa_pop_factors *run = &results->pop.run;

    return results->pop.ideal_unknown || run->ideal_ns <= run->outside_max_ns
               ? 0
               : run->ideal_ns - run->outside_max_ns;
}

/*
 * Whether ranks wait in what all take part in, too, but would not if it were not for messages: what
 * they compute between two such operations is as long for each.
 */
static bool are_even_between_meetings(const struct mwa_judging *judging)
{
    const struct mwa_results *results = judging->results;
    const struct mwa_wait_row *rows = results->waits.rows;
    const double waits = (double)mwa_waits_total_ns(&results->waits);
    const double late = (double)rows[MWA_WAIT_LATE_SENDER].total_ns;
    const double meetings = waits - late - (double)rows[MWA_WAIT_LATE_RECEIVER].total_ns -
                            (double)rows[MWA_WAIT_LATE_PROGRESS].total_ns;
    const double by_messages = (double)results->pop.run.ideal_ns -
                               (double)results->replay.ideal.free_ns;

    return late >= ITS_PART * waits && meetings >= ITS_PART * waits &&
           by_messages >= MWA_CAUSE_ONE * (double)held_up_ns(results) &&
           !mwa_is_late_to_message(judging);
}

/* There are late senders, who have themselves waited, unless more than half of all compute at a
 * time between meetings, or else nothing that ranks compute overlaps. */
static bool waits_in_chain(const struct mwa_judging *judging)
{
    const struct mwa_results *results = judging->results;
    const double late = (double)results->waits.rows[MWA_WAIT_LATE_SENDER].total_ns;
    const double waits = (double)mwa_waits_total_ns(&results->waits);
    const bool are_even = are_even_between_meetings(judging);
    const bool overlap = (double)results->pop.run.outside_total_ns >
                         MWA_CAUSE_MOST * (double)judging->run.ranks *
                             (double)results->pop.run.ideal_ns;

    return late > 0 &&
           ((late >= MWA_CAUSE_IN_TURN * waits && !(are_even && overlap) &&
             (double)results->waits.delays.indirect_ns >= MWA_CAUSE_MOST * waits) ||
            ((late >= NEARLY_ALL * waits || are_even) &&
             (double)results->pop.run.ideal_ns >=
                 NEARLY_ALL * (double)results->pop.run.outside_total_ns));
}

/* Names the place where most is waited for messages, and others where some is. */
static void name_places(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_waits *waits = &judging->results->waits;
    const struct mwa_wait_row *row = &waits->rows[MWA_WAIT_LATE_SENDER];
    const uint64_t *waited = row->place_ns;

    cause->site = mwa_waits_most(waited, waits->site_count);
    while (cause->site != MWA_NONE && cause->beside_count < MWA_CAUSE_BESIDES) {
        uint32_t next = MWA_NONE;

        for (uint32_t i = 0; i < waits->site_count; i++) {
            bool is_named = i == cause->site;

            for (uint32_t j = 0; j < cause->beside_count; j++) {
                is_named |= cause->besides[j] == i;
            }
            if (!is_named && (next == MWA_NONE || waited[i] > waited[next])) {
                next = i;
            }
        }
        if (next == MWA_NONE ||
            (double)waited[next] < ANOTHER * (double)row->total_ns) {
            break;
        }
        cause->besides[cause->beside_count++] = next;
    }
}

/* What messages hold up, received where most is waited for them. */
static void blame_messages(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_waits *waits = &judging->results->waits;

    name_places(judging, cause);
    cause->short_ns = waits->rows[MWA_WAIT_LATE_SENDER].total_ns;
    cause->up_to_ns = held_up_ns(judging->results);
}

bool mwa_judge_chain(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    if (!mwa_matters(judging, (double)held_up_ns(judging->results)) ||
        !waits_in_chain(judging)) {
        return false;
    }
    blame_messages(judging, cause);
    return is_through_many(judging, &cause->count);
}

/* Whether what ranks compute before calls of a place is for messages: what they send there. */
static bool is_before_send(const struct mwa_trace *trace, uint32_t place)
{
    const enum mw_call_kind kind = mw_call_kind(
        place == MWA_NONE ? MW_CALL_COUNT : trace->regions[trace->sites[place].region].call);

    return kind == MW_KIND_SEND || kind == MW_KIND_ISEND;
}

/*
 * The same where ranks seldom meet, or never: they wait for messages and for nothing else, and what
 * they compute before they send is as long each time. If it were not, ranks that wait for each
 * other's messages may compute unevenly: how much longer each is than the shortest of its rank is
 * the most that this can take.
 */
static bool are_pieces_even(const struct mwa_judging *judging)
{
    const struct mwa_results *results = judging->results;
    const struct mwa_wait_row *late = &results->waits.rows[MWA_WAIT_LATE_SENDER];
    double before_sends = 0, longer = 0;

    for (uint64_t i = 0; i < results->replay.stretch_count; i++) {
        const struct mwa_rank_stretch *stretch = &results->replay.stretches[i];

        if (is_before_send(results->trace, stretch->place)) {
            before_sends += (double)stretch->ns;
            longer += (double)stretch->ns - (double)stretch->calls * (double)stretch->shortest_ns;
        }
    }
    return (double)late->total_ns >= NEARLY_ALL * (double)mwa_waits_total_ns(&results->waits) &&
           before_sends >= MWA_CAUSE_MOST * (double)results->pop.run.outside_total_ns &&
           longer <= MWA_CAUSE_MOST * (double)held_up_ns(results) &&
           !mwa_is_late_to_message(judging);
}

bool mwa_judge_out_of_step(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    struct mwa_cause ignored = { .rank_count = 0 };

    blame_messages(judging, cause);
    return held_up_ns(judging->results) > 0 &&
           (are_even_between_meetings(judging) || are_pieces_even(judging)) &&
           !mwa_waits_once(judging) && !mwa_judge_chain(judging, &ignored);
}

/* The other of two ranks, if it does little but wait for the first that is blamed; else none. */
static uint32_t waits_for(const struct mwa_judging *judging, uint32_t blamed)
{
    const struct mwa_rank_row *rows = judging->results->profile.ranks;
    const uint32_t other = blamed == 0 ? 1 : 0;

    return judging->results->profile.rank_count == 2 &&
                   (double)mwa_computing_ns(judging->results, &rows[other]) <=
                       MWA_CAUSE_LITTLE *
                           (double)mwa_computing_ns(judging->results, &rows[blamed])
               ? other
               : MWA_NONE;
}

/* An imbalance where nothing that ranks compute overlaps: whether moving work helps is for a replay
 * to say (gains.h). */
bool mwa_judge_by_turns(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_results *results = judging->results;
    const struct mwa_wait_row *late = &results->waits.rows[MWA_WAIT_LATE_SENDER];
    const struct mwa_pop_factors *run = &results->pop.run;
    struct mwa_cause ignored = { .rank_count = 0 };

    if (results->pop.ideal_unknown || judging->run.ranks < 2 ||
        (double)late->total_ns < NEARLY_ALL * (double)mwa_waits_total_ns(&results->waits) ||
        (double)run->ideal_ns < NEARLY_ALL * (double)run->outside_total_ns ||
        !mwa_judge_imbalance(judging, cause)) {
        return false;
    }
    cause->site = mwa_waits_most(late->place_ns, results->waits.site_count);
    cause->peer = waits_for(judging, cause->ranks[0]);
    cause->own_ns = 0;
    cause->up_to_ns = run->ideal_ns - run->outside_total_ns / judging->run.ranks;
    return !mwa_judge_chain(judging, &ignored);
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
