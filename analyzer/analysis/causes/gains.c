#include "analyzer/analysis/causes/gains.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/analysis/causes/cause_judges.h"
#include "analyzer/analysis/causes/moved_work.h"
#include "analyzer/analysis/efficiency/what_if.h"
#include "analyzer/analysis/exchanges.h"
#include "analyzer/analysis/exchanges_in_chapters.h"
#include "analyzer/team/packing.h"
#include "analyzer/analysis/summary.h"

#define LACK 0.5 /* of what a cause costs: ranks have no core for so long at most */

/* The cases, of which the first is the run as it was, and the causes that others are without. */
struct gains {
    struct mwa_what_if_cases cases;
    struct mwa_cause *causes[MWA_WHAT_IF_CASES];
    struct mwa_what_if_factor *factors[MWA_WHAT_IF_CASES];
};

_Static_assert(MWA_GAINS + 1 <= MWA_WHAT_IF_CASES, "the run as it was, and one for each");
_Static_assert(MWA_CAUSE_BESIDES + 1 <= MWA_WHAT_IF_PLACES, "all that a cause names");

/* The run as it was. */
static const struct mwa_what_if_case nothing = { .sends.rank = MWA_NONE };

/* Whether without the cause messages are not waited for. Where clocks disagree, so that these seem
 * to be received before they are sent, the replay does not wait for them in the first place. */
static bool is_by_messages(const struct mwa_results *results, const struct mwa_cause *cause)
{
    const struct mwa_matching_result *matching = &results->matching;

    return (cause->rule == MWA_RULE_CHAIN || cause->rule == MWA_RULE_OUT_OF_STEP ||
            cause->rule == MWA_RULE_LATE_SENDER) &&
           cause->site != MWA_NONE &&
           (double)matching->clock_violations <= MWA_GAIN_DIFFERS * (double)matching->matched;
}

/* Adds the run without the cause, if that can be said of it. MW_OK, MW_ERROR_MEMORY. */
static enum mw_status add_case(const struct mwa_results *results, struct mwa_cause *cause,
                               struct gains *gains)
{
    struct mwa_what_if_case *one = &gains->cases.list[gains->cases.count];

    *one = nothing;
    if (is_by_messages(results, cause)) {
        const struct mwa_trace *trace = results->trace;

        if (cause->rule == MWA_RULE_LATE_SENDER) {
            one->sends = (struct mwa_what_if_sends){ cause->ranks[0],
                                                     mwa_trace_place(trace, cause->site) };
        } else {
            one->places[one->place_count++] = mwa_trace_place(trace, cause->site);
            for (uint32_t i = 0; i < cause->beside_count; i++) {
                one->places[one->place_count++] = mwa_trace_place(trace, cause->besides[i]);
            }
        }
    } else if ((cause->rule == MWA_RULE_IMBALANCE && cause->listed == cause->rank_count) ||
               cause->rule == MWA_RULE_ONE_WORKER || cause->rule == MWA_RULE_IDLE) {
        struct mwa_what_if_factor **factors = &gains->factors[gains->cases.count];
        const enum mw_status status = mwa_move_work(results, cause, factors,
                                                    &one->factor_count);

        one->factors = *factors;
        if (status != MW_OK || !one->factors) {
            return status;
        }
    } else {
        return MW_OK;
    }
    gains->causes[gains->cases.count++] = cause;
    return MW_OK;
}

/* Whether a rule is of ranks that have no core, and neither sleep nor wait for anybody. */
static bool is_lack(enum mwa_rule rule)
{
    return rule == MWA_RULE_NO_CORE || rule == MWA_RULE_OWN_THREADS;
}

/*
 * Whether times follow from what ranks do: not while they sleep, nor from asking again. While they
 * lack cores they do in part (lacks_little).
 */
static bool can_be_replayed(const struct mwa_results *results)
{
    for (uint64_t i = 0; i < results->causes.count; i++) {
        const enum mwa_rule rule = results->causes.list[i].rule;

        if (mwa_cause_rule(rule)->class == MWA_CAUSE_DOUBT || rule == MWA_RULE_POLLING ||
            (mwa_is_off_core(rule) && !is_lack(rule))) {
            return false;
        }
    }
    return !results->pop.ideal_unknown;
}

/* Whether what is said of the run without the cause is of more than its lack of cores, which the
 * replay takes to be as it was. */
static bool lacks_little(const struct mwa_results *results, const struct mwa_cause *cause)
{
    for (uint64_t i = 0; i < results->causes.count; i++) {
        const struct mwa_cause *other = &results->causes.list[i];

        if (is_lack(other->rule) && (double)other->up_to_ns > LACK * (double)cause->up_to_ns) {
            return false;
        }
    }
    return true;
}

/* Finds the cases, if there are any. */
static enum mw_status find_cases(struct mwa_results *results, struct gains *gains,
                                 struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    if (!can_be_replayed(results)) {
        return MW_OK;
    }
    for (uint64_t i = 0; i < results->causes.count && status == MW_OK &&
                         gains->cases.count <= MWA_GAINS; i++) {
        struct mwa_cause *cause = &results->causes.list[i];

        status = lacks_little(results, cause) ? add_case(results, cause, gains) : MW_OK;
    }
    return status == MW_OK ? MW_OK : mw_no_memory(diagnostic, NULL, "to replay the run");
}

static void pack_cases(const struct gains *gains, struct mw_buffer *to)
{
    for (uint32_t i = 1; i < gains->cases.count; i++) {
        const struct mwa_what_if_case *one = &gains->cases.list[i];

        mw_buffer_append(to, &one->place_count, sizeof one->place_count);
        mw_buffer_append(to, one->places, sizeof one->places);
        mw_buffer_append(to, &one->sends, sizeof one->sends);
        mwa_pack_array(to, one->factors, one->factor_count, sizeof *one->factors);
    }
}

static enum mw_status unpack_cases(struct gains *gains, struct mw_cursor *from)
{
    while (from->left > 0) {
        const uint32_t at = gains->cases.count;
        struct mwa_what_if_case *one = &gains->cases.list[at];
        enum mw_status status;

        if (at == MWA_WHAT_IF_CASES ||
            !mw_cursor_take(from, &one->place_count, sizeof one->place_count) ||
            !mw_cursor_take(from, one->places, sizeof one->places) ||
            !mw_cursor_take(from, &one->sends, sizeof one->sends) ||
            one->place_count > MWA_WHAT_IF_PLACES) {
            return MW_ERROR_FORMAT;
        }
        status = mwa_unpack_array(from, &gains->factors[at], &one->factor_count,
                                  sizeof *gains->factors[at]);
        if (status != MW_OK) {
            return status;
        }
        one->factors = gains->factors[at];
        gains->cases.count++;
    }
    return MW_OK;
}

/* Gives all processes the cases of the first one. */
static enum mw_status tell_cases(const struct mwa_team *team, struct gains *gains,
                                 struct mw_diagnostic *diagnostic)
{
    struct mw_buffer told = { 0 };
    enum mw_status status;

    if (mwa_team_is_first(team)) {
        pack_cases(gains, &told);
    }
    status = mwa_team_tell(team, &told, diagnostic);
    if (status == MW_OK && !mwa_team_is_first(team)) {
        struct mw_cursor from = { told.data, told.bytes };

        status = unpack_cases(gains, &from);
    }
    mw_buffer_fini(&told);
    return mwa_team_agree(team, status, 0, diagnostic);
}

static enum mw_status replay(struct mwa_input *input, const struct mwa_team *team,
                             const struct mwa_chapters *chapters,
                             const struct mwa_what_if_cases *cases,
                             struct mwa_what_if *what_if, struct mw_diagnostic *diagnostic)
{
    const struct mwa_scope scope = { MWA_ALL_OF_IT, .cases = cases };
    const struct mwa_wanted_exchange wanted = { &mwa_what_if_analysis, what_if };
    struct mwa_results ignored = { .trace = mwa_input_trace(input) };
    struct mwa_pass pass = { .only_rank = MWA_NONE, .team = team };
    enum mw_status status = mwa_input_share(input, &pass.input, diagnostic);

    if (team) {
        status = mwa_team_agree(team, status, 0, diagnostic);
    }
    if (status != MW_OK) {
        mwa_input_close(pass.input);
        return status;
    }
    mwa_input_set_threads(pass.input, mwa_input_threads(input));
    status = chapters ? mwa_exchanges_run_in_chapters(&pass, chapters, &wanted, 1, &scope, NULL,
                                                      NULL, &ignored, diagnostic)
                      : mwa_exchanges_run(&pass, &wanted, 1, &scope, NULL, &ignored, diagnostic);
    mwa_matching_result_fini(&ignored.matching);
    mwa_input_close(pass.input);
    return status;
}

static void tell(struct mwa_results *results, const struct mwa_what_if *what_if,
                 const struct gains *gains)
{
    const double was = (double)results->pop.run.runtime_ns;
    const uint64_t replayed = what_if->runtime_ns[0];

    if (!what_if->is_known || fabs((double)replayed - was) > MWA_GAIN_DIFFERS * was) {
        return;
    }
    for (uint32_t i = 1; i < gains->cases.count; i++) {
        const uint64_t without = what_if->runtime_ns[i];
        struct mwa_cause *cause = gains->causes[i];

        cause->gain_ns = replayed > without ? replayed - without : 0;
        cause->has_gain = true;
        cause->is_little = (double)cause->gain_ns <= MWA_CAUSE_MATTERS * was;
        if (cause->gain_ns > cause->up_to_ns) {
            cause->up_to_ns = cause->gain_ns;
        }
    }
    mwa_causes_sort(&results->causes);
}

static struct mwa_cause *cause_of(struct mwa_causes *causes, enum mwa_rule rule)
{
    struct mwa_cause *found = NULL;

    for (uint64_t i = 0; i < causes->count; i++) {
        found = causes->list[i].rule == rule ? &causes->list[i] : found;
    }
    return found;
}

/* Of an imbalance and of ranks that compute by turns one is said: the latter where it is seen that
 * moving work hardly helps. */
static void settle_turns(struct mwa_causes *causes)
{
    struct mwa_cause *turns = cause_of(causes, MWA_RULE_BY_TURNS);
    struct mwa_cause *uneven = cause_of(causes, MWA_RULE_IMBALANCE);
    struct mwa_cause *left_out = uneven && uneven->is_little ? uneven : turns;

    if (turns) {
        *left_out = causes->list[--causes->count];
        mwa_causes_sort(causes);
    }
}

enum mw_status mwa_gains_find(struct mwa_input *input, const struct mwa_team *team,
                              const struct mwa_chapters *chapters,
                              struct mwa_results *results,
                              struct mw_diagnostic *diagnostic)
{
    const bool is_first = !team || mwa_team_is_first(team);
    struct gains gains = { .cases = { .list = { nothing }, .count = 1 } };
    struct mwa_what_if what_if = { .is_known = false };
    enum mw_status status = is_first ? find_cases(results, &gains, diagnostic) : MW_OK;

    if (team) {
        status = mwa_team_agree(team, status, 0, diagnostic);
        status = status == MW_OK ? tell_cases(team, &gains, diagnostic) : status;
    }
    if (status == MW_OK && gains.cases.count > 1) {
        status = replay(input, team, chapters, &gains.cases, &what_if, diagnostic);
    }
    if (status == MW_OK && is_first) {
        tell(results, &what_if, &gains);
        settle_turns(&results->causes);
    }
    for (unsigned i = 0; i < MWA_WHAT_IF_CASES; i++) {
        free(gains.factors[i]);
    }
    return status;
}
