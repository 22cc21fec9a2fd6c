#include "analyzer/analysis/causes/causes.h"

#include <stdlib.h>

#include "analyzer/analysis/causes/cause_judges.h"
#include "analyzer/analysis/causes/outside.h"
#include "analyzer/analysis/summary.h"
#include "formats/base/order.h"

#define UNEVEN      0.10 /* of a rank's useful time over the average one; else */
#define EXPLAINS    0.50 /* of what others wait for its computing, each: what it computes more */
#define MOSTLY      0.50 /* of what it is outside of MPI for longer, at one place */
#define UNEVEN_LONG 0.01 /* of the longest run: what it computes more than the average */

static const struct row {
    struct mwa_cause_rule rule;
    bool (*judge)(const struct mwa_judging *judging, struct mwa_cause *cause);
} rows[] = {
#define CAUSE(constant, id, class, judge, sentence, advice, command, source, ...)                  \
    { { id, MWA_CAUSE_##class, sentence, advice, command, source }, judge },
#include "analyzer/analysis/causes/causes.def"
};

const struct mwa_cause_rule *mwa_cause_rule(enum mwa_rule rule)
{
    return &rows[rule].rule;
}

bool mwa_is_off_core(enum mwa_rule rule)
{
    return rule == MWA_RULE_NOT_RUNNING || rule == MWA_RULE_ASLEEP_POLLING ||
           rule == MWA_RULE_OWN_THREADS || rule == MWA_RULE_NO_CORE;
}

/* --- who computes ------------------------------------------------------------------------- */

static void look_at_rank(const struct mwa_judging *judging, const struct mwa_rank_row *row,
                         struct mwa_suspect *suspect)
{
    suspect->site = MWA_NONE;
    suspect->longest = MWA_NONE;
    suspect->off_ns = (uint64_t)mwa_outside_off_ns(row);
    suspect->is_off = suspect->off_ns > 0 &&
                      (double)suspect->off_ns >= MWA_OFF_MATTERS * (double)row->run_ns;
}

/* What the rank computes more than the average, if that is worth a word. */
static double excess_of(const struct mwa_judging *judging, const struct mwa_rank_row *row)
{
    const double excess = (double)mwa_computing_ns(judging->results, row) -
                          (double)judging->computing.average_ns;

    return judging->run.ranks > 1 &&
                   excess >= UNEVEN_LONG * (double)judging->run.longest_run_ns
               ? excess
               : 0;
}

/*
 * Finds which ranks compute longer: by a tenth. If none does, the one whose computing costs most,
 * if most of what the others wait for that comes from how long it computes, and not from when: per
 * rank of the others, excess * ranks over their average, and the cost.
 */
static void look_at_excess(const struct mwa_judging *judging)
{
    const struct mwa_profile *profile = &judging->results->profile;
    const double average = (double)judging->computing.average_ns;
    struct mwa_suspect *most = NULL;
    double most_excess = 0;
    bool is_uneven = false;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        struct mwa_suspect *suspect = &judging->suspects[i];
        const double excess = excess_of(judging, &profile->ranks[i]);

        if (excess > 0 && excess >= UNEVEN * average) {
            suspect->excess_ns = (uint64_t)excess;
            is_uneven = true;
        }
        if (!most ||
            suspect->short_ns + suspect->long_ns > most->short_ns + most->long_ns) {
            most = suspect;
            most_excess = excess;
        }
    }
    if (!is_uneven && most && most->short_ns > 0 &&
        most_excess * (double)judging->run.ranks >= EXPLAINS * (most->short_ns + most->long_ns)) {
        most->excess_ns = (uint64_t)most_excess;
    }
}

/* Finds what each rank's computing costs, and how many messages it gets. */
static void look_at_ranks(struct mwa_judging *judging)
{
    const struct mwa_results *results = judging->results;
    const struct mwa_delays *delays = &results->waits.delays;

    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        look_at_rank(judging, &results->profile.ranks[i], &judging->suspects[i]);
    }
    for (uint64_t i = 0; i < delays->place_count; i++) {
        const struct mwa_delay_cell *place = &delays->places[i];
        const uint64_t cost = place->short_ns + place->long_ns;
        struct mwa_suspect *suspect = &judging->suspects[place->rank];

        if (!mwa_is_computing(results->trace, place->region)) {
            continue;
        }
        suspect->short_ns += (double)place->short_ns;
        suspect->long_ns += (double)place->long_ns;
        if (cost > suspect->site_ns) {
            suspect->site = place->before;
            suspect->site_ns = cost;
        }
    }
    for (uint64_t i = 0; i < results->traffic.pair_count; i++) {
        judging->suspects[results->traffic.pairs[i].to].received += results->traffic.pairs[i].count;
    }
    mwa_count_in_openmp(judging);
    look_at_excess(judging);
}

static void look_at_regions(struct mwa_judging *judging)
{
    const struct mwa_delays *delays = &judging->results->waits.delays;

    for (uint64_t i = 0; i < delays->cell_count; i++) {
        const struct mwa_delay_cell *cell = &delays->cells[i];

        if (cell->region < judging->results->trace->region_count) {
            judging->waited_for[cell->region] += (double)(cell->short_ns + cell->long_ns);
        }
    }
}

/* Before those of one place, if that is most of it. What it computes longer in all has to be from
 * there even if what it does less was first of that; where less is told than it computes longer,
 * as where ranks are outside for lack of cores, it is something else. */
static void say_where(const struct mwa_outside_longer *longer, struct mwa_suspect *suspect)
{
    const bool is_known = longer->most >= MOSTLY * (longer->all + longer->below) &&
                          longer->most >= MOSTLY * (double)suspect->excess_ns;

    suspect->longest = is_known ? longer->place : MWA_NONE;
    suspect->is_spread = !is_known;
}

/* Finds before which calls each rank is outside of MPI for longer than ranks on average. MW_OK,
 * MW_ERROR_MEMORY. */
static enum mw_status look_at_places(struct mwa_judging *judging)
{
    const struct mwa_replay_result *replay = &judging->results->replay;
    struct mwa_outside outside;
    enum mw_status status = mwa_outside_init(&outside, judging->results, judging->run.ranks);

    for (uint64_t i = 0, end; status == MW_OK && i < replay->stretch_count; i = end) {
        const uint32_t rank = replay->stretches[i].rank;
        struct mwa_outside_longer longer;

        for (end = i; end < replay->stretch_count && replay->stretches[end].rank == rank;) {
            end++;
        }
        longer = mwa_outside_longer(&outside, &replay->stretches[i], end - i,
                                    (double)judging->suspects[rank].off_ns);
        say_where(&longer, &judging->suspects[rank]);
    }
    mwa_outside_fini(&outside);
    return status;
}

/* --- the start ---------------------------------------------------------------------------- */

static uint64_t init_ns(const struct mwa_profile *profile, uint64_t ranks)
{
    uint64_t time = 0;

    for (uint64_t i = 0; i < profile->call_count; i++) {
        time += profile->calls[i].region->kind == MWA_REGION_INIT ? profile->calls[i].time_ns : 0;
    }
    return time / ranks;
}

static int64_t last_end_ns(const struct mwa_profile *profile)
{
    int64_t last = INT64_MIN;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];
        const int64_t end = mwa_run_end_ns(row);

        last = row->has_events && end > last ? end : last;
    }
    return last;
}

/* Of an incomplete record it is not known: a rank whose record ends earlier may have gone on. */
static double all_ended_ns(const struct mwa_judging *judging)
{
    const struct mwa_profile *profile = &judging->results->profile;
    const bool is_known = mwa_is_complete(judging->results);
    double sum = 0;

    for (uint64_t i = 0; i < profile->rank_count && is_known; i++) {
        sum += profile->ranks[i].has_events ? mwa_ended_before(judging, &profile->ranks[i]) : 0;
    }
    return sum;
}

/* --- all rules ---------------------------------------------------------------------------- */

static uint64_t own_ns(const struct mwa_cause *cause)
{
    return cause->own_ns > 0 ? cause->own_ns : cause->up_to_ns;
}

static int by_gravity(const void *one, const void *other)
{
    const struct mwa_cause *a = one;
    const struct mwa_cause *b = other;

    return mw_order((uint64_t)rows[a->rule].rule.class, (uint64_t)rows[b->rule].rule.class)
               ?: mw_order(a->is_little, b->is_little) ?: mw_order(own_ns(b), own_ns(a))
               ?: mw_order((uint64_t)a->rule, (uint64_t)b->rule);
}

const char *mwa_cause_place(const struct mwa_results *results, const struct mwa_cause *cause,
                            char *text)
{
    return cause->is_of_caller ? mwa_place(results->trace, cause->site, text)
                               : mwa_main_place(results, cause->site, text);
}

const char *mwa_cause_call_at(const struct mwa_results *results, const struct mwa_cause *cause,
                              char *text)
{
    return cause->is_of_caller ? mwa_call_at(results->trace, cause->site, text)
                               : mwa_main_call_at(results, cause->site, text);
}

void mwa_causes_sort(struct mwa_causes *causes)
{
    qsort(causes->list, causes->count, sizeof causes->list[0], by_gravity);
}

enum mw_status mwa_causes_make(const struct mwa_results *results, struct mwa_causes *causes)
{
    struct mwa_judging judging = { .results = results };
    enum mw_status status;

    *causes = (struct mwa_causes){ .count = 0 };
    mwa_summarize_run(&results->profile, &judging.run);
    mwa_summarize_computing(results, &judging.computing);
    if (judging.run.run_ns == 0 || results->selected_comms) {
        return MW_OK;
    }
    judging.init_ns = init_ns(&results->profile, judging.run.ranks);
    judging.end_ns = last_end_ns(&results->profile);
    judging.ended_ns = all_ended_ns(&judging);
    judging.suspects = calloc(results->trace->rank_count + 1, sizeof *judging.suspects);
    judging.waited_for = calloc(results->trace->region_count + 1, sizeof *judging.waited_for);
    status = judging.suspects && judging.waited_for ? MW_OK : MW_ERROR_MEMORY;
    if (status == MW_OK) {
        look_at_ranks(&judging);
        look_at_regions(&judging);
        status = look_at_places(&judging);
    }
    for (unsigned i = 0; i < MWA_RULES && status == MW_OK; i++) {
        struct mwa_cause *cause = &causes->list[causes->count];

        *cause = (struct mwa_cause){ .rule = i,
                                     .peer = MWA_NONE,
                                     .site = MWA_NONE,
                                     .behind = MWA_NONE,
                                     .region = MWA_NONE,
                                     .object = MWA_NONE };
        if (rows[i].judge(&judging, cause) &&
            (rows[i].rule.class != MWA_CAUSE_COST || cause->is_little ||
             mwa_matters(&judging, (double)own_ns(cause)))) {
            cause->is_doubtful = mwa_is_doubtful(&judging, cause);
            causes->count++;
        }
    }
    free(judging.waited_for);
    free(judging.suspects);
    mwa_causes_sort(causes);
    return status;
}
