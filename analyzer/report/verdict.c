#include "analyzer/report/verdict.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/report/off_core.h"
#include "analyzer/table/units.h"

#define MPI_BOUND    0.10 /* share of MPI from which on it is worth a look */
#define DOMINANT     0.25 /* of the time in MPI calls; of the waiting that a rank causes; of that,
                             what comes of its computing longer */
#define UNEVEN       0.10 /* of a rank's useful time over the average one */
#define UNEVEN_LONG  0.01 /* of the longest run: what it computes more than the average */
#define WAIT_BOUND   0.50 /* of MPI's time: waiting is what it is about */
#define WAIT_MATTERS 0.05 /* of the ranks' run: advice is given */

/* The figures that the rules use. */
struct figures {
    struct mwa_run_summary run;
    double mpi;                    /* shares of the ranks' run */
    double wait;                   /* of main threads, as mpi */
    double wait_anywhere;          /* in all threads */
    uint64_t others_ns;            /* other threads in MPI */
    uint64_t others_wait_ns;       /* of which waiting */
    enum mwa_wait_pattern pattern; /* with the most waiting, MWA_WAIT_PATTERNS: none */
    double pattern_share;          /* of all waiting */
    uint32_t cause;                /* who causes most of the pattern, MWA_NONE: nobody stands out */
    double cause_share;            /* of the pattern */
    uint32_t longer;               /* who computes longer and is to be named, MWA_NONE: nobody */
    double longer_excess;          /* its useful time over the average one, less 1 */
    bool longer_explains;          /* it is the cause, and that is why */
};

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void find_cause(const struct mwa_results *results, struct figures *figures)
{
    const struct mwa_wait_row *row = &results->waits.rows[figures->pattern];
    uint32_t cause = mwa_waits_most(row->cause_ns, results->waits.rank_count);

    figures->cause_share = cause == MWA_NONE ? 0 : ratio(row->cause_ns[cause], row->total_ns);
    figures->cause = figures->cause_share >= DOMINANT ? cause : MWA_NONE;
}

/* What rank computes beyond the average, ns; 0: not enough to speak of. */
static uint64_t excess_of(const struct mwa_results *results, const struct figures *figures,
                          uint32_t rank)
{
    uint64_t average = figures->run.useful.average_ns;
    uint64_t useful = rank < results->profile.rank_count ? results->profile.ranks[rank].useful_ns
                                                         : 0;
    uint64_t excess = useful > average ? useful - average : 0;

    return figures->run.ranks > 1 && ratio(excess, average) >= UNEVEN &&
                   ratio(excess, figures->run.longest_run_ns) >= UNEVEN_LONG
               ? excess
               : 0;
}

/*
 * The one rank that verdict and advice name: the cause, if the others wait for what it computes,
 * else the one that computes longest.
 */
static void find_longer(const struct mwa_results *results, struct figures *figures)
{
    uint64_t excess = excess_of(results, figures, figures->cause);

    figures->longer = figures->cause;
    figures->longer_explains =
        excess > 0 && ratio(excess * (figures->run.ranks - 1),
                            results->waits.rows[figures->pattern].cause_ns[figures->cause]) >=
                          DOMINANT;
    if (!figures->longer_explains) {
        figures->longer = figures->run.useful.max_rank;
        excess = excess_of(results, figures, figures->longer);
    }
    figures->longer = excess > 0 ? figures->longer : MWA_NONE;
    figures->longer_excess = ratio(excess, figures->run.useful.average_ns);
}

static struct figures figures_of(const struct mwa_results *results)
{
    struct figures figures = { .pattern = MWA_WAIT_PATTERNS, .cause = MWA_NONE };
    uint64_t total = mwa_has(results, MWA_NEED_WAITS) ? mwa_waits_total_ns(&results->waits) : 0;

    mwa_summarize_run(&results->profile, &figures.run);
    figures.mpi = ratio(figures.run.mpi_ns, figures.run.run_ns);
    figures.others_ns = mwa_other_threads_ns(results);
    figures.others_wait_ns = mwa_waits_other_threads_ns(&results->waits);
    figures.wait = ratio(total - figures.others_wait_ns, figures.run.run_ns);
    figures.wait_anywhere = ratio(total, figures.run.run_ns);
    if (total > 0) {
        figures.pattern = mwa_waits_dominant(&results->waits);
        figures.pattern_share = ratio(results->waits.rows[figures.pattern].total_ns, total);
        find_cause(results, &figures);
    }
    find_longer(results, &figures);
    if (!figures.longer_explains && mwa_has_off_core(results)) {
        figures.longer = MWA_NONE; /* what it computes is not what they wait for */
    }
    return figures;
}

/* The call with the most time outside MPI_Init and MPI_Finalize, or null. */
static const struct mwa_call_row *dominant_call(const struct mwa_profile *profile)
{
    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (profile->calls[i].region->kind == MWA_REGION_MPI) {
            return &profile->calls[i];
        }
    }
    return NULL;
}

static const char *no_verdict(const struct mwa_results *results, char *text)
{
    if (results->trace->rank_count == 0) {
        snprintf(text, MWA_VERDICT_BYTES, "nothing to judge: the archive defines no MPI ranks");
    } else if (results->pass.events == 0) {
        snprintf(text, MWA_VERDICT_BYTES, "nothing to judge: the archive has no events");
    } else {
        snprintf(text, MWA_VERDICT_BYTES,
                 "nothing to judge: no time passed between MPI_Init and MPI_Finalize");
    }
    return text;
}

/* What waiting there is; the length of the text. */
static int say_waiting(const struct mwa_results *results, const struct figures *figures,
                       char *text)
{
    const struct mwa_wait_row *row = &results->waits.rows[figures->pattern];
    uint32_t call = mwa_waits_most(row->call_ns, results->waits.call_count);
    uint32_t site = mwa_waits_most(row->place_ns, results->waits.site_count);
    char place[MWA_PLACE_BYTES];
    int length = snprintf(text, MWA_VERDICT_BYTES,
                          "%swaiting takes %.1f%% of the ranks' run, %.0f%% of it %s",
                          figures->mpi > 0.5 ? "MPI-bound: " : "", 100 * figures->wait,
                          100 * figures->pattern_share,
                          mwa_wait_title(figures->pattern));

    if (site != MWA_NONE && mwa_place(results->trace, site, place)) {
        length += snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length, " in %.40s, %.60s",
                           results->trace->regions[results->trace->sites[site].region].name, place);
    } else if (call != MWA_NONE) {
        length += snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length, " in %.40s",
                           results->trace->regions[results->trace->mpi_regions[call]].name);
    }
    if (figures->cause != MWA_NONE) {
        length += snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length,
                           ", %.0f%% for rank %u", 100 * figures->cause_share, figures->cause);
    }
    return length;
}

/* Other threads are where MPI is called: their time is in no rank's run. */
static int say_other_threads(const struct mwa_results *results, const struct figures *figures,
                             char *text)
{
    char time[MWA_UNITS_BYTES];
    int length = snprintf(text, MWA_VERDICT_BYTES,
                          "main threads spend %.1f%% of their run in MPI, other threads %s",
                          100 * figures->mpi, mwa_time_text(figures->others_ns, time));

    if (figures->others_wait_ns > 0) {
        length += snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length,
                           ", %.0f%% of it waiting, mostly %s",
                           100 * ratio(figures->others_wait_ns, figures->others_ns),
                           mwa_wait_title(mwa_waits_dominant(&results->waits)));
    }
    return length;
}

/* ", mostly solve.c:31", if that is where most of the call's time is spent; the length of it. */
static int say_main_place(const struct mwa_results *results, const struct mwa_call_row *call,
                          char *text, size_t room)
{
    const struct mwa_place_row *most =
        mwa_hottest_place(results->trace, &results->sites,
                          (uint32_t)(call->region - results->trace->regions));
    char place[MWA_PLACE_BYTES];

    return most && most->sum.time_ns > call->time_ns / 2 &&
                   mwa_place(results->trace, most->sum.site, place)
               ? snprintf(text, room, ", mostly %.60s", place)
               : 0;
}

static int say_mpi(const struct mwa_results *results, const struct figures *figures, char *text)
{
    const struct mwa_call_row *call = dominant_call(&results->profile);
    double share = call ? ratio(call->time_ns, mwa_calls_time_ns(&results->profile)) : 0;
    int length;

    if (!call) {
        return snprintf(text, MWA_VERDICT_BYTES,
                        "no calls between MPI_Init and MPI_Finalize were recorded");
    }
    length = snprintf(text, MWA_VERDICT_BYTES, "%sMPI takes %.1f%% of the ranks' run",
                      figures->mpi < MPI_BOUND ? "computation dominates: " : "",
                      100 * figures->mpi);
    if (figures->mpi >= MPI_BOUND && share >= DOMINANT) {
        length += snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length,
                           ", %.0f%% of it in %.40s", 100 * share, call->region->name);
        length += say_main_place(results, call, text + length,
                                 MWA_VERDICT_BYTES - (size_t)length);
    }
    return length;
}

/* "computes 33% longer than average", and from twice the average on "... times the average". */
static int say_longer(double excess, char *text, size_t room)
{
    return excess < 1 ? snprintf(text, room, "computes %.0f%% longer than average", 100 * excess)
                      : snprintf(text, room, "computes %.1f times the average", 1 + excess);
}

/* Names the rank that computes longer, if any does, behind text; the length of it all. */
static int say_uneven(const struct figures *figures, bool waits, int length, char *text)
{
    size_t room = MWA_VERDICT_BYTES - (size_t)length;

    if (figures->longer == MWA_NONE) {
        return length;
    }
    if (waits && figures->cause == figures->longer) {
        length += snprintf(text + length, room, ", which ");
    } else {
        length += snprintf(text + length, room, "; rank %u ", figures->longer);
    }
    return length +
           say_longer(figures->longer_excess, text + length, MWA_VERDICT_BYTES - (size_t)length);
}

/* Puts before text what comes before all that MPI does, if there is something and room for it. */
static void lead_with_off_core(const struct mwa_results *results, char *text)
{
    const size_t bytes = strlen(text) + 1;
    char lead[MWA_VERDICT_BYTES / 2];
    int length = mwa_say_doubt(results, lead, sizeof lead);

    if (length == 0) {
        length = mwa_say_not_running(results, lead, sizeof lead);
    }
    if (length > 0 && (size_t)length + 2 + bytes <= MWA_VERDICT_BYTES) {
        memmove(text + length + 2, text, bytes);
        memcpy(text, lead, (size_t)length);
        memcpy(text + length, "; ", 2);
    }
}

const char *mwa_verdict(const struct mwa_results *results, char *text)
{
    const struct figures figures = figures_of(results);
    bool others = figures.others_ns > figures.run.mpi_ns &&
                  ratio(figures.others_ns, figures.run.run_ns) >= MPI_BOUND;
    bool waits = !others && figures.mpi >= MPI_BOUND &&
                 figures.wait >= WAIT_BOUND * figures.mpi;
    int length;

    if (figures.run.run_ns == 0) {
        return no_verdict(results, text);
    }
    if (results->selected_comms) {
        snprintf(text, MWA_VERDICT_BYTES,
                 "calls on the selected communicators take %.1f%% of the ranks' run",
                 100 * figures.mpi);
        return text;
    }
    length = others  ? say_other_threads(results, &figures, text)
             : waits ? say_waiting(results, &figures, text)
                     : say_mpi(results, &figures, text);
    length = say_uneven(&figures, waits, length, text);
    if (!mwa_is_complete(results)) {
        snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length,
                 "; all that of an incomplete record");
    }
    lead_with_off_core(results, text);
    return text;
}

#define WRONG_ORDER "receive in the order of sending, or with MPI_ANY_SOURCE or MPI_Waitany"

/* What helps against the pattern that dominates. */
static const char *remedy(const struct mwa_results *results, enum mwa_wait_pattern pattern)
{
    const struct mwa_wait_row *rows = results->waits.rows;
    uint64_t wrong = rows[MWA_WAIT_WRONG_ORDER_SAME].total_ns +
                     rows[MWA_WAIT_WRONG_ORDER_DIFFERENT].total_ns;

    return pattern == MWA_WAIT_LATE_SENDER && ratio(wrong, rows[pattern].total_ns) >= WAIT_BOUND
               ? WRONG_ORDER
               : mwa_wait_advice(pattern);
}

const char *mwa_advice(const struct mwa_results *results, char *text)
{
    const struct figures figures = figures_of(results);

    if (mwa_advise_off_core(results, text, MWA_VERDICT_BYTES)) {
        return text;
    }
    if (figures.wait_anywhere < WAIT_MATTERS || figures.pattern == MWA_WAIT_PATTERNS) {
        return NULL;
    }
    if (figures.longer_explains) {
        char longer[64];

        say_longer(figures.longer_excess, longer, sizeof longer);
        snprintf(text, MWA_VERDICT_BYTES,
                 "rank %u %s: move work away from it before tuning MPI. -> imbalance, waits",
                 figures.longer, longer);
    } else {
        snprintf(text, MWA_VERDICT_BYTES, "%s. -> waits", remedy(results, figures.pattern));
    }
    return text;
}
