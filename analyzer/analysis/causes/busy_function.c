/*
 * A verdict names ranks and calls. What a rank computes longer is not what it computes most: if all
 * ranks spend most of their time in one function, it may be another one that makes it longer.
 */
#include "analyzer/analysis/causes/busy_function.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/analysis/causes/cause_judges.h"
#include "analyzer/analysis/time/sampled_functions.h"

#define SAMPLES_LEAST 20u
#define SHARE_LEAST   (1.0 / 3)
#define ERRORS        2 /* that a lead has to exceed: of many functions one is ahead by chance */

/* --- the function ------------------------------------------------------------------------- */

/* Of a spot, or of a function at its first spot. */
struct counted {
    double own;    /* samples of the ranks that are looked at */
    double others; /* of other ranks; or of other threads of these, of each on average */
};

/* What has to be known to compare ranks. */
struct counting {
    const struct mwa_sampled *sampled;
    struct counted *spots;
    struct counted *functions;
    double part; /* of the average over all ranks that is taken off, times those looked at */
    bool is_alone; /* all is that other threads have */
    double lost; /* samples of the ranks that are looked at of which nothing is known */
};

/* How many samples more than on average these ranks have in a function, and its variance: that of
 * each count is the count. */
static double excess_of(const struct counting *counting, const struct counted *counted)
{
    return counting->is_alone
               ? counted->own - counted->others
               : counted->own - counting->part * (counted->own + counted->others);
}

static double variance_of(const struct counting *counting, const struct counted *counted)
{
    const double part = counting->part;

    if (counting->is_alone) {
        return counted->own + counted->others;
    }
    return (1 - part) * (1 - part) * counted->own + part * part * counted->others;
}

static bool is_asked_for(const struct mwa_trace *trace, const struct mwa_busy_question *question,
                         const struct mwa_sampled_row *row)
{
    return question->place == MWA_NONE || mwa_trace_place(trace, row->site) == question->place;
}

static void count_samples(const struct mwa_trace *trace, const struct mwa_busy_question *question,
                          struct counting *counting)
{
    for (uint64_t i = 0; i < counting->sampled->row_count; i++) {
        const struct mwa_sampled_row *row = &counting->sampled->rows[i];
        struct counted *spot = &counting->spots[row->spot];
        struct counted *function =
            &counting->functions[counting->sampled->spots[row->spot].first];

        if (!is_asked_for(trace, question, row)) {
            continue;
        }
        if (question->ranks[row->rank]) {
            spot->own += (double)row->count;
            function->own += (double)row->count;
        } else if (!question->is_alone) {
            spot->others += (double)row->count;
            function->others += (double)row->count;
        }
    }
}

/* What other threads of these ranks do, each on average, and where main threads wait for them. */
static void count_crews(const struct mwa_trace *trace, const struct mwa_busy_question *question,
                        struct counting *counting)
{
    const struct mwa_sampled *sampled = counting->sampled;

    for (uint64_t i = 0; i < sampled->crew_row_count; i++) {
        const struct mwa_sampled_row *row = &sampled->crew_rows[i];

        if (question->ranks[row->rank] && is_asked_for(trace, question, row)) {
            counting->functions[sampled->spots[row->spot].first].others +=
                mwa_ratio((double)row->count, sampled->crews[row->rank].threads);
        }
    }
    for (uint64_t i = 0; i < sampled->spot_count; i++) {
        if (mwa_sampled_in_openmp(&sampled->spots[i])) {
            counting->functions[sampled->spots[i].first].own = 0;
        }
    }
}

/* Lost samples, and those that the kernel does not make while the rank is in it: they may all be of
 * one function. */
static double lost_of(const struct mwa_trace *trace, const struct mwa_busy_question *question)
{
    double lost = question->unseen_s * (double)trace->sampled.rate_hz;

    for (uint32_t i = 0; i < trace->rank_count; i++) {
        lost += question->ranks[i] ? (double)trace->sampled.ranks[i].lost : 0;
    }
    return lost;
}

/* The part of all ranks' samples that the ranks which are looked at would have if they were as
 * others; 0 where there are no others, or they are not compared. */
static double even_part(const struct mwa_trace *trace, const struct mwa_busy_question *question)
{
    uint64_t own = 0, all = 0;

    for (uint32_t i = 0; i < trace->rank_count; i++) {
        own += mwa_was_sampled(&trace->sampled, i) && question->ranks[i];
        all += mwa_was_sampled(&trace->sampled, i);
    }
    return question->is_excess && own < all ? (double)own / (double)all : 0;
}

/* The line of a function that these ranks are in most. */
static uint32_t line_of(const struct counting *counting, uint32_t function)
{
    uint32_t most = function;

    for (uint32_t i = 0; i < counting->sampled->spot_count; i++) {
        if (counting->sampled->spots[i].first == function &&
            counting->spots[i].own > counting->spots[most].own) {
            most = i;
        }
    }
    return most;
}

static bool find_function(const struct counting *counting, struct mwa_busy_function *found)
{
    static const struct counted none = { 0, 0 };
    const struct counted *most = &none, *next = &none;
    double samples = 0, all = 0, variances = 0, greatest = 0, second = 0, variance;

    for (uint64_t i = 0; i < counting->sampled->spot_count; i++) {
        const struct counted *function = &counting->functions[i];
        const double excess = excess_of(counting, function);

        samples += function->own;
        if (excess <= 0) {
            continue;
        }
        all += excess;
        variances += variance_of(counting, function);
        if (excess > greatest) {
            next = most;
            second = greatest;
            most = function;
            greatest = excess;
        } else if (excess > second) {
            next = function;
            second = excess;
        }
    }
    variance = variance_of(counting, most);
    if (samples < SAMPLES_LEAST || greatest <= 0 ||
        greatest < SHARE_LEAST * (all + counting->lost) ||
        greatest - second - counting->lost <=
            ERRORS * sqrt(variance + variance_of(counting, next))) {
        return false;
    }
    found->spot = line_of(counting, (uint32_t)(most - counting->functions));
    found->share = greatest / all;
    found->error = sqrt((1 - found->share) * (1 - found->share) * variance +
                        found->share * found->share * (variances - variance)) / all;
    return true;
}

bool mwa_busy_function(const struct mwa_trace *trace, const struct mwa_busy_question *question,
                       struct mwa_busy_function *found)
{
    struct counting counting = { .sampled = &trace->sampled };
    bool is_found = false;

    if (trace->sampled.row_count == 0) {
        return false;
    }
    counting.spots = calloc(trace->sampled.spot_count, sizeof *counting.spots);
    counting.functions = calloc(trace->sampled.spot_count, sizeof *counting.functions);
    if (counting.spots && counting.functions) {
        counting.part = even_part(trace, question);
        counting.lost = lost_of(trace, question);
        count_samples(trace, question, &counting);
        counting.is_alone = question->is_alone;
        if (question->is_alone) {
            count_crews(trace, question, &counting);
        }
        is_found = find_function(&counting, found);
    }
    free(counting.spots);
    free(counting.functions);
    return is_found;
}

/* --- of a cause ----------------------------------------------------------------------------- */

enum whose { NOBODYS, OF_BLAMED, OF_OTHERS, OF_ALL };

/* What causes say of computing: that ranks are longer in all, or before a call; else of all that
 * they compute. */
static const struct of_cause {
    enum whose whose;
    bool is_excess;
    bool is_before; /* the call that the cause names, if it does */
    bool is_alone;
} of_causes[MWA_RULES] = {
    [MWA_RULE_CREW] = { OF_BLAMED, false, true, true },
    [MWA_RULE_IMBALANCE] = { OF_BLAMED, true, true },
    [MWA_RULE_BY_TURNS] = { OF_BLAMED, false, false },
    [MWA_RULE_ONE_WORKER] = { OF_BLAMED, false, false },
    [MWA_RULE_IDLE] = { OF_OTHERS, false, true },
    [MWA_RULE_MOVING] = { OF_ALL, false, true },
    [MWA_RULE_CHAIN] = { OF_ALL, false, false },
    [MWA_RULE_OUT_OF_STEP] = { OF_ALL, false, false },
    [MWA_RULE_LATE_SENDER] = { OF_BLAMED, false, true },
    [MWA_RULE_LATE_RECEIVER] = { OF_BLAMED, false, true },
    [MWA_RULE_LATE_POST] = { OF_BLAMED, false, true },
    [MWA_RULE_LATE_COLLECTIVE] = { OF_BLAMED, true, true },
    [MWA_RULE_FILE_UNEVEN] = { OF_BLAMED, true, false },
};

/* Samples are of what runs in user mode. */
static double unseen_s(const struct mwa_profile *profile, const bool *ranks)
{
    double ns = 0;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        ns += ranks[profile->ranks[i].rank] ? (double)profile->ranks[i].running.system_ns : 0;
    }
    return ns * 1e-9;
}

bool mwa_busy_function_of(const struct mwa_results *results, const struct mwa_cause *cause,
                          struct mwa_busy_function *found)
{
    const struct mwa_trace *trace = results->trace;
    const struct of_cause *of = &of_causes[cause->rule];
    struct mwa_busy_question question = { .place = MWA_NONE, .is_excess = of->is_excess,
                                          .is_alone = of->is_alone };
    bool is_found = false;
    bool *ranks;

    if (of->whose == NOBODYS || trace->sampled.row_count == 0 ||
        (of->whose == OF_OTHERS && cause->rank_count > cause->listed)) {
        return false;
    }
    if (of->is_before) {
        question.place = mwa_trace_place(trace, cause->site);
    }
    ranks = calloc(trace->rank_count + 1, sizeof *ranks);
    for (uint64_t i = 0; ranks && i < trace->rank_count; i++) {
        ranks[i] = of->whose != OF_BLAMED;
    }
    for (uint64_t i = 0; ranks && of->whose != OF_ALL && i < cause->listed; i++) {
        ranks[cause->ranks[i]] = of->whose == OF_BLAMED;
    }
    question.ranks = ranks;
    question.unseen_s = ranks ? unseen_s(&results->profile, ranks) : 0;
    is_found = ranks && mwa_busy_function(trace, &question, found);
    free(ranks);
    return is_found;
}
