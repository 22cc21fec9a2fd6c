/*
 * A run's time is the average of what its ranks compute and what their calls take, so that the
 * change of a run is the sum of changes of these, and the greatest of them are its causes. Where
 * most of it is lack of cores these say nothing of the program.
 */
#include "analyzer/report/compare_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/report/compare_differences.h"
#include "analyzer/report/compare_lines.h"
#include "analyzer/table/line.h"
#include "analyzer/table/units.h"

#define SAME       0.01 /* of the run: less is no change worth a cause */
#define TIMES      2.0  /* from so much on it is told as a multiple */
#define CAUSE      0.25 /* of the run's change: more of a call's is a cause */
#define STANDS_OUT 1.5  /* a rank's change over the average one: it is named */
#define MANY       1.2  /* times as many calls: that is told, */
#define ALL_BUT    50   /* and where so many times fewer are left, both numbers are */
#define MOST_OF_IT 0.5  /* of a call's change: it waits longer, and does not just take longer */
#define ALL_OF_IT  0.95 /* of a call's change: less of it in a line is "mostly" there */

const char *mwa_run_name(uint64_t run, char *name)
{
    if (run < 26) {
        snprintf(name, MWA_RUN_NAME_BYTES, "%c", (char)('A' + run));
    } else {
        snprintf(name, MWA_RUN_NAME_BYTES, "%c%c", (char)('A' + run / 26 % 26 - 1),
                 (char)('A' + run % 26));
    }
    return name;
}

/* --- causes ------------------------------------------------------------------------------- */

/* The change of a time, ns, positive in the direction of the run's change. */
struct way {
    uint64_t from;
    uint64_t to;
    bool is_longer;
};

static double change_of(const struct way *way, uint64_t from_ns, uint64_t to_ns)
{
    double change = (double)to_ns - (double)from_ns;

    return way->is_longer ? change : -change;
}

/* The rank whose time changed most, and by how much; ranks have to be the same number. */
static uint32_t most_changed(const struct way *way, const uint64_t *from, const uint64_t *to,
                             uint64_t ranks, double *most)
{
    uint32_t rank = MWA_NONE;

    *most = 0;
    for (uint64_t i = 0; i < ranks; i++) {
        const double change = change_of(way, from ? from[i] : 0, to ? to[i] : 0);

        if (change > *most) {
            *most = change;
            rank = (uint32_t)i;
        }
    }
    return rank;
}

static const char *time_text(double ns, char *text)
{
    return mwa_time_text(ns > 0 ? (uint64_t)(ns + 0.5) : 0, text);
}

/*
 * Where a call takes longer since there is more of it: " in 2.5 times as many calls"; or less,
 * since there is less: " in 40% of the calls", " in 4 calls instead of 12.0 k".
 */
static void add_counts(const struct way *way, const struct mwa_compared_time *call,
                       struct mwa_line *line)
{
    const double from = (double)call->counts[way->from], to = (double)call->counts[way->to];
    const double times = way->is_longer ? to / from : from / to;
    char texts[2][MWA_UNITS_BYTES];

    if (isfinite(times) && times >= MANY) {
        if (way->is_longer) {
            mwa_line_add(line, " in %.*f times as many calls", times < 9.95 ? 1 : 0, times);
        } else if (times >= ALL_BUT) {
            mwa_line_add(line, " in %s call%s instead of %s",
                         mwa_number_text(call->counts[way->to], texts[0]),
                         call->counts[way->to] == 1 ? "" : "s",
                         mwa_number_text(call->counts[way->from], texts[1]));
        } else {
            mwa_line_add(line, " in %.0f%% of the calls", 100 / times);
        }
    }
}

/*
 * Where most of a call's change is made in one line: " at solve.c:31", or ", mostly at …", as it is
 * numbered in the run that takes longer in it.
 */
static void add_place(const struct mwa_comparison *comparison, const struct way *way,
                      const struct mwa_compared_time *call, double change, struct mwa_line *line)
{
    const struct mwa_compared_time *place = NULL;
    char text[MWA_PLACE_BYTES];
    double most = MOST_OF_IT * change;

    for (uint64_t i = 0; comparison->knows_lines && i < comparison->lines.count; i++) {
        const struct mwa_compared_time *each = &comparison->lines.list[i];

        if (strcmp(each->call, call->name) == 0 &&
            change_of(way, each->per_rank_ns[way->from], each->per_rank_ns[way->to]) > most) {
            most = change_of(way, each->per_rank_ns[way->from], each->per_rank_ns[way->to]);
            place = each;
        }
    }
    if (place) {
        mwa_line_add(line, most >= ALL_OF_IT * change ? " at " : ", mostly at ");
        mwa_line_add_name(line, mwa_compared_line(place, way->is_longer ? way->to : way->from,
                                                  text), 60);
    }
}

/* "MPI_Allreduce waits 900 ms longer per rank at solve.c:31, most on rank 0 (1.20 s)" */
static void add_call(const struct mwa_comparison *comparison, const struct way *way,
                     const struct mwa_compared_time *call, struct mwa_line *line)
{
    const struct mwa_compared_run *runs = comparison->runs;
    const uint64_t ranks = runs[way->from].rank_count;
    const double change = change_of(way, call->per_rank_ns[way->from],
                                    call->per_rank_ns[way->to]);
    const double waiting = change_of(way, call->waiting_ns[way->from],
                                     call->waiting_ns[way->to]);
    const bool waits = waiting >= MOST_OF_IT * change;
    char text[MWA_UNITS_BYTES];
    double most;
    uint32_t rank;

    mwa_line_add_name(line, call->name, 40);
    mwa_line_add(line, " %s %s %s per rank", waits ? "waits" : "takes",
                 time_text(waits ? waiting : change, text), way->is_longer ? "longer" : "less");
    add_counts(way, call, line);
    add_place(comparison, way, call, change, line);
    if (ranks != runs[way->to].rank_count || ranks < 2) {
        return;
    }
    rank = most_changed(way, call->by_rank_ns[way->from], call->by_rank_ns[way->to], ranks, &most);
    if (rank != MWA_NONE && most >= STANDS_OUT * change) {
        mwa_line_add(line, ", most on rank %" PRIu32 " (%s)", rank, time_text(most, text));
    }
}

/* "rank 3 computes 1.20 s longer", or all of them. */
static void add_computing(const struct mwa_comparison *comparison, const struct way *way,
                          double average, struct mwa_line *line)
{
    const struct mwa_compared_run *from = &comparison->runs[way->from];
    const struct mwa_compared_run *to = &comparison->runs[way->to];
    const char *words = way->is_longer ? "longer" : "less";
    uint32_t rank = MWA_NONE;
    char text[MWA_UNITS_BYTES];
    double most = 0;

    if (from->rank_count == to->rank_count && from->rank_count > 1) {
        rank = most_changed(way, from->useful_ns, to->useful_ns, from->rank_count, &most);
    }
    if (rank != MWA_NONE && most >= STANDS_OUT * average) {
        mwa_line_add(line, "rank %" PRIu32 " computes %s %s", rank, time_text(most, text), words);
    } else {
        mwa_line_add(line, "the ranks compute %s %s on average", time_text(average, text), words);
    }
}

static double per_rank(const struct mwa_compared_run *run)
{
    return run->pop.ranks ? (double)run->pop.useful_total_ns / run->pop.ranks : 0;
}

/* The greatest change of what a rank computes, or of the average of all if that is greater. */
static double computing_of(const struct mwa_comparison *comparison, const struct way *way,
                           double average)
{
    const struct mwa_compared_run *from = &comparison->runs[way->from];
    const struct mwa_compared_run *to = &comparison->runs[way->to];
    double most = 0;

    if (from->rank_count == to->rank_count) {
        most_changed(way, from->useful_ns, to->useful_ns, from->rank_count, &most);
    }
    return most > average ? most : average;
}

/* For how long a run does something, on average of its ranks: others wait for who lacks a core. */
static double done_ns(const struct mwa_compared_run *run)
{
    return (double)run->pop.runtime_ns - run->lost_ns - run->waited_ns;
}

/*
 * How much more the longer run loses for lack of cores than it would if it lacked them as often as
 * the shorter one: who does twice as much on the same crowded cores loses twice as much by them.
 */
static double more_lost(const struct mwa_compared_run *longer,
                        const struct mwa_compared_run *shorter)
{
    const double done = done_ns(longer);
    const double done_before = done_ns(shorter);

    return longer->lost_ns - (done_before > 0 ? shorter->lost_ns * done / done_before : 0);
}

/* Whether most of a change is lack of cores, by which calls and what is computed take longer. */
static bool add_cores(const struct mwa_comparison *comparison, const struct way *way,
                      double change_ns, struct mwa_line *line)
{
    const struct mwa_compared_run *from = &comparison->runs[way->from];
    const struct mwa_compared_run *to = &comparison->runs[way->to];
    const double more = way->is_longer ? to->lost_ns - from->lost_ns : from->lost_ns - to->lost_ns;
    char text[MWA_UNITS_BYTES];

    if (!from->knows_lost || !to->knows_lost ||
        more_lost(way->is_longer ? to : from, way->is_longer ? from : to) <
            MOST_OF_IT * change_ns) {
        return false;
    }
    mwa_line_add(line, ": for lack of cores ranks lose %s %s on average", time_text(more, text),
                 way->is_longer ? "more" : "less");
    return true;
}

static void add_causes(const struct mwa_comparison *comparison, const struct way *way,
                       double change_ns, struct mwa_line *line)
{
    const struct mwa_compared_times *calls = &comparison->calls;
    const double from = per_rank(&comparison->runs[way->from]);
    const double to = per_rank(&comparison->runs[way->to]);
    const double average = way->is_longer ? to - from : from - to;
    const bool is_doubtful = mwa_compared_lacks_cores(&comparison->runs[way->from]) ||
                             mwa_compared_lacks_cores(&comparison->runs[way->to]);
    const char *const perhaps = is_doubtful ? "perhaps " : "";
    const struct mwa_compared_time *call = NULL;
    const char *before = ": ";
    double most = CAUSE * change_ns;

    if (add_cores(comparison, way, change_ns, line)) {
        return;
    }
    for (uint64_t i = 0; i < calls->count; i++) {
        const struct mwa_compared_time *each = &calls->list[i];
        const double change = change_of(way, each->per_rank_ns[way->from],
                                        each->per_rank_ns[way->to]);

        if (each->is_in_run && change >= most) {
            most = change;
            call = each;
        }
    }
    if (call) {
        mwa_line_add(line, "%s%s", before, perhaps);
        add_call(comparison, way, call, line);
        before = "; ";
    }
    if (computing_of(comparison, way, average) >= CAUSE * change_ns) {
        mwa_line_add(line, "%s%s", before, perhaps);
        add_computing(comparison, way, average, line);
    }
}

/* --- the sentence ------------------------------------------------------------------------- */

/* "12%", "1.3%" */
static const char *percent_text(double share, char *text)
{
    snprintf(text, MWA_UNITS_BYTES, "%.*f%%", 100 * share < 9.95 ? 1 : 0, 100 * share);
    return text;
}

/* Other ranks, another amount of work for each: what speed-up is for. */
static void add_scaling(const struct mwa_comparison *comparison, const struct way *way,
                        const char *from_name, const char *to_name, struct mwa_line *line)
{
    const struct mwa_compared_run *from = &comparison->runs[way->from];
    const struct mwa_compared_run *to = &comparison->runs[way->to];
    const double growth = (double)to->pop.ranks / from->pop.ranks;
    const double faster = (double)from->pop.runtime_ns / (double)to->pop.runtime_ns;

    mwa_line_add(line, "%s with %" PRIu32 " ranks takes %.2f times as long as ", to_name,
                 to->pop.ranks, 1 / faster);
    mwa_line_add(line, "%s with %" PRIu32 ": ", from_name, from->pop.ranks);
    mwa_line_add(line, "speed-up %.2f of %.2f, efficiency %.2f",
                 comparison->is_weak ? faster * growth : faster, growth,
                 comparison->is_weak ? faster : faster / growth);
}

const char *mwa_compared_sentence(const struct mwa_comparison *comparison, uint64_t from,
                                  uint64_t to, const char *from_name, const char *to_name,
                                  char *text)
{
    const struct mwa_pop_factors *a = &comparison->runs[from].pop;
    const struct mwa_pop_factors *b = &comparison->runs[to].pop;
    const struct way way = { from, to, b->runtime_ns >= a->runtime_ns };
    const double share = (double)b->runtime_ns / (double)a->runtime_ns - 1;
    char words[MWA_UNITS_BYTES], times[2][MWA_UNITS_BYTES];
    struct mwa_line line = { .length = 0 };

    if (a->runtime_ns == 0 || b->runtime_ns == 0 || a->ranks == 0 || b->ranks == 0) {
        mwa_line_add(&line, "%s has no run to compare", a->runtime_ns && a->ranks ? to_name
                                                                                  : from_name);
    } else if (a->ranks != b->ranks) {
        add_scaling(comparison, &way, from_name, to_name, &line);
    } else {
        if (fabs(share) < SAME) {
            mwa_line_add(&line, "%s takes as long as %s within 1%%", to_name, from_name);
        } else if (share + 1 >= TIMES) {
            mwa_line_add(&line, "%s takes %.1f times as long as %s", to_name, share + 1, from_name);
        } else {
            mwa_line_add(&line, "%s takes %s %s than %s", to_name,
                         percent_text(fabs(share), words), share > 0 ? "longer" : "less time",
                         from_name);
        }
        mwa_line_add(&line, " (%s, %s)", mwa_time_text(b->runtime_ns, times[0]),
                     mwa_time_text(a->runtime_ns, times[1]));
        if (fabs(share) >= SAME) {
            add_causes(comparison, &way, fabs((double)b->runtime_ns - (double)a->runtime_ns),
                       &line);
        }
    }
    snprintf(text, MWA_SENTENCE_BYTES, "%.*s", MWA_SENTENCE_BYTES - 1, line.text);
    return text;
}

/* --- scaling ------------------------------------------------------------------------------ */

bool mwa_comparison_scales(const struct mwa_comparison *comparison)
{
    for (uint64_t i = 1; i < comparison->added; i++) {
        if (comparison->runs[i].pop.ranks != comparison->runs[0].pop.ranks) {
            return true;
        }
    }
    return false;
}

/* The least factor of a run, against the reference. */
static struct mwa_fallen least_of(const struct mwa_compared_run *reference,
                                  const struct mwa_compared_run *run)
{
    const struct mwa_pop_factors *a = &reference->pop, *b = &run->pop;
    const bool is_split = isfinite(a->transfer_efficiency) && isfinite(b->transfer_efficiency);
    const struct {
        const char *name;
        double from, to;
    } factors[] = {
        { "computation scaling", 1, run->computation_scaling },
        { "running (on a core)", a->running_efficiency, b->running_efficiency },
        { "load balance", a->load_balance, b->load_balance },
        { is_split ? "serialisation" : "communication",
          is_split ? a->serialisation_efficiency : a->communication_efficiency,
          is_split ? b->serialisation_efficiency : b->communication_efficiency },
        { "transfer", is_split ? a->transfer_efficiency : NAN, b->transfer_efficiency },
    };
    struct mwa_fallen least = { .factor = NULL };

    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        const double relative = factors[i].to / factors[i].from;

        if (isfinite(relative) && (!least.factor || relative < least.of_reference)) {
            least = (struct mwa_fallen){ factors[i].name, run->pop.ranks, factors[i].to, relative,
                                         relative < MWA_FALLEN };
        }
    }
    return least;
}

static bool comes_before(const struct mwa_fallen *one, const struct mwa_fallen *other)
{
    if (one->has_fallen != other->has_fallen) {
        return one->has_fallen;
    }
    return one->has_fallen && one->ranks != other->ranks
               ? one->ranks < other->ranks
               : one->of_reference < other->of_reference;
}

struct mwa_fallen mwa_comparison_fallen(const struct mwa_comparison *comparison)
{
    struct mwa_fallen first = { .factor = NULL };

    for (uint64_t i = 1; i < comparison->added; i++) {
        const struct mwa_compared_run *run = &comparison->runs[i];
        const struct mwa_fallen least = least_of(&comparison->runs[0], run);

        if (run->pop.ranks > comparison->runs[0].pop.ranks && least.factor &&
            (!first.factor || comes_before(&least, &first))) {
            first = least;
        }
    }
    return first;
}
