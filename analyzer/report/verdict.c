/*
 * What dominates the run is the gravest cause that was found (analyzer/analysis/causes); where none
 * is, how much of the run is MPI and waiting.
 */
#include "analyzer/report/verdict.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/analysis/causes/gains.h"
#include "analyzer/analysis/summary.h"
#include "analyzer/report/cause_text.h"
#include "analyzer/table/units.h"
#include "formats/table/calls.h"

#define MPI_BOUND    0.10 /* share of MPI from which on it is worth a look */
#define DOMINANT     0.25 /* of the time in MPI calls; of the waiting that a rank causes */
#define WAIT_BOUND   0.50 /* of MPI's time: waiting is what it is about */
#define WAIT_MATTERS 0.05 /* of the ranks' run: advice is given */
#define SAMPLED_NS   300000000u /* of a cause: 30 samples or so, and fewer say nothing */
#define ALL_PERCENT  99.5 /* what would be told as 100% */

/* The figures that are told where no cause is. */
struct figures {
    struct mwa_run_summary run;
    double mpi;                    /* shares of the ranks' run */
    double wait;                   /* of main threads, as mpi */
    double wait_anywhere;          /* in all threads */
    double polling;                /* in rows of polls, and between these, as mpi */
    double across;                 /* in calls with ranks of other jobs, as mpi */
    uint64_t others_ns;            /* other threads in MPI */
    uint64_t others_wait_ns;       /* of which waiting */
    enum mwa_wait_pattern pattern; /* with the most waiting, MWA_WAIT_PATTERNS: none */
    double pattern_share;          /* of all waiting */
    uint32_t cause;                /* who causes most of the pattern, MWA_NONE: nobody stands out */
    double cause_share;            /* of the pattern */
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

static struct figures figures_of(const struct mwa_results *results)
{
    struct figures figures = { .pattern = MWA_WAIT_PATTERNS, .cause = MWA_NONE };
    struct mwa_polling polling;
    uint64_t total = mwa_has(results, MWA_NEED_WAITS) ? mwa_waits_total_ns(&results->waits) : 0;

    mwa_summarize_run(&results->profile, &figures.run);
    figures.mpi = ratio(figures.run.mpi_ns, figures.run.run_ns);
    figures.others_ns = mwa_other_threads_ns(results);
    figures.others_wait_ns = mwa_waits_other_threads_ns(&results->waits);
    figures.wait = ratio(total - figures.others_wait_ns, figures.run.run_ns);
    figures.wait_anywhere = ratio(total, figures.run.run_ns);
    polling = mwa_polling_of_all(&results->replay.ideal);
    figures.polling = ratio(polling.inside + polling.between, figures.run.run_ns);
    figures.across = ratio(mwa_across_ns(&results->profile), figures.run.run_ns);
    if (total > 0) {
        figures.pattern = mwa_waits_dominant(&results->waits);
        figures.pattern_share = ratio(results->waits.rows[figures.pattern].total_ns, total);
        find_cause(results, &figures);
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
        snprintf(text, MWA_VERDICT_BYTES, "nothing to judge: the archive has no events%s",
                 results->trace->lost_events > 0 ? ", all were lost" : "");
    } else {
        snprintf(text, MWA_VERDICT_BYTES,
                 "nothing to judge: no time passed between MPI_Init and MPI_Finalize");
    }
    return text;
}

/*
 * " in " before the place that all of a row's waiting is in; where it is not all, the part of the
 * row comes first, or the share of the whole row would be taken for that of the place.
 */
static int say_part(uint64_t part_ns, uint64_t row_ns, char *text, size_t room)
{
    const double percent = 100 * ratio(part_ns, row_ns);

    return percent >= ALL_PERCENT ? snprintf(text, room, " in ")
                                  : snprintf(text, room, ", %.0f%% of that in ", percent);
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

    if (site != MWA_NONE && mwa_main_place(results, site, place)) {
        length += say_part(row->place_ns[site], row->total_ns, text + length,
                           MWA_VERDICT_BYTES - (size_t)length);
        length += snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length, "%.40s, %s",
                           results->trace->regions[results->trace->sites[site].region].name, place);
    } else if (call != MWA_NONE) {
        length += say_part(row->call_ns[call], row->total_ns, text + length,
                           MWA_VERDICT_BYTES - (size_t)length);
        length += snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length, "%.40s",
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
                   mwa_main_place(results, most->sum.site, place)
               ? snprintf(text, room, ", mostly %s", place)
               : 0;
}

/* What there is where MPI takes no part in the run. */
static int say_no_mpi(const struct mwa_results *results, char *text)
{
    bool has_regions = false;

    if (results->profile.call_count > 0) {
        return snprintf(text, MWA_VERDICT_BYTES,
                        "no calls between MPI_Init and MPI_Finalize were recorded");
    }
    for (uint64_t i = 0; i < results->trace->region_count; i++) {
        has_regions |= results->trace->regions[i].kind == MWA_REGION_USER;
    }
    return snprintf(text, MWA_VERDICT_BYTES, "no MPI call was recorded%s",
                    has_regions ? ", only regions of the program: timeline, imbalance and "
                                  "critical-path show these"
                                : "");
}

static int say_mpi(const struct mwa_results *results, const struct figures *figures, char *text)
{
    const struct mwa_call_row *call = dominant_call(&results->profile);
    const bool is_open = results->profile.open_calls > 0; /* for how long is not in mpi */
    double share = call ? ratio(call->time_ns, mwa_calls_time_ns(&results->profile)) : 0;
    int length;

    if (!call) {
        return say_no_mpi(results, text);
    }
    length = snprintf(text, MWA_VERDICT_BYTES, "%sMPI takes %.1f%% of the ranks' run%s",
                      figures->mpi < MPI_BOUND && !is_open ? "computation dominates: " : "",
                      100 * figures->mpi, is_open ? ", beside calls that were never left" : "");
    if (figures->mpi >= MPI_BOUND && share >= DOMINANT) {
        length += snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length,
                           ", %.0f%% of it in %.40s", 100 * share, call->region->name);
        length += say_main_place(results, call, text + length,
                                 MWA_VERDICT_BYTES - (size_t)length);
    }
    if (figures->polling >= MPI_BOUND && figures->polling >= DOMINANT * figures->mpi) {
        length += snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length,
                           "; polls in a row wait for %.1f%% of the run",
                           100 * figures->polling);
    }
    if (figures->across >= MPI_BOUND && figures->across >= DOMINANT * figures->mpi) {
        length += snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length,
                           ", %.0f%% of it with ranks of other jobs",
                           100 * figures->across / figures->mpi);
    }
    return length;
}

/* What is said where there is no cause to name; the length of the text. */
static int say_figures(const struct mwa_results *results, char *text)
{
    const struct figures figures = figures_of(results);

    if (figures.others_ns > figures.run.mpi_ns &&
        ratio(figures.others_ns, figures.run.run_ns) >= MPI_BOUND) {
        return say_other_threads(results, &figures, text);
    }
    return figures.mpi >= MPI_BOUND && figures.wait >= WAIT_BOUND * figures.mpi
               ? say_waiting(results, &figures, text)
               : say_mpi(results, &figures, text);
}

/* The cost that the verdict names; null: there is none without which the run would be shorter. */
static const struct mwa_cause *main_cost(const struct mwa_results *results)
{
    const struct mwa_cause *gravest = mwa_cause_of_class(results, MWA_CAUSE_COST);

    return gravest && !gravest->is_little ? gravest : NULL;
}

/* The sentence of what comes after all doubts. */
static int say_main(const struct mwa_results *results, char *text)
{
    const struct mwa_cause *cause = main_cost(results);

    return cause ? (int)strlen(mwa_cause_sentence(results, cause, text))
                 : say_figures(results, text);
}

/* What puts all else in doubt. Not that a run hangs: of what is proved times are no part. */
static const struct mwa_cause *doubt_of(const struct mwa_results *results)
{
    return results->hang.verdict == MWA_HANG_DEADLOCK
               ? NULL
               : mwa_cause_of_class(results, MWA_CAUSE_DOUBT);
}

/* What calls take that were not to be recorded looks like the program's own time. */
static void add_left_out(const struct mwa_trace *trace, char *text)
{
    const uint32_t left_out = mwa_trace_left_out(trace);
    const char *separator = "; calls of ";
    size_t length = strlen(text);

    for (unsigned group = 0; group < MW_GROUP_COUNT; group++) {
        if (left_out & 1u << group && length < MWA_VERDICT_BYTES - 1) {
            snprintf(text + length, MWA_VERDICT_BYTES - length, "%s%s", separator,
                     mw_group_name(group));
            length += strlen(text + length);
            separator = ", ";
        }
    }
    if (left_out) {
        snprintf(text + length, MWA_VERDICT_BYTES - length,
                 " were not recorded (--events): their time counts as outside of MPI");
    }
}

const char *mwa_verdict(const struct mwa_results *results, char *text)
{
    const struct mwa_cause *doubt = doubt_of(results);
    struct mwa_run_summary run;
    char sentence[MWA_VERDICT_BYTES]; /* also of a cause, which is shorter */
    size_t length = 0;

    mwa_summarize_run(&results->profile, &run);
    if (run.run_ns == 0) {
        return no_verdict(results, text);
    }
    if (results->selected_comms) {
        snprintf(text, MWA_VERDICT_BYTES,
                 "calls on the selected communicators take %.1f%% of the ranks' run",
                 100 * ratio(run.mpi_ns, run.run_ns));
        return text;
    }
    if (doubt) {
        snprintf(text, MWA_VERDICT_BYTES, "%s; ", mwa_cause_sentence(results, doubt, sentence));
        length = strlen(text);
    }
    (void)say_main(results, sentence);
    snprintf(text + length, MWA_VERDICT_BYTES - length, "%s", sentence);
    if (!mwa_is_complete(results)) {
        length = strlen(text);
        snprintf(text + length, MWA_VERDICT_BYTES - length,
                 "; the record of the run is incomplete");
    }
    add_left_out(results->trace, text);
    return text;
}

/* Whether the run is seen to be no shorter without the cause by itself. */
static bool is_nothing(const struct mwa_results *results, const struct mwa_cause *cause)
{
    return cause->has_gain &&
           (double)cause->gain_ns <= MWA_GAIN_DIFFERS * (double)results->pop.run.runtime_ns;
}

/* The cause that is told behind the one of the verdict; null: there is none. */
static const struct mwa_cause *second_of(const struct mwa_results *results)
{
    const struct mwa_cause *first = main_cost(results);

    for (uint64_t i = 0; i < results->causes.count; i++) {
        const struct mwa_cause *cause = &results->causes.list[i];

        if (cause != first && mwa_cause_rule(cause->rule)->class != MWA_CAUSE_DOUBT &&
            !is_nothing(results, cause)) {
            return cause;
        }
    }
    return NULL;
}

const char *mwa_second_verdict(const struct mwa_results *results, char *text)
{
    const struct mwa_cause *second = second_of(results);
    char sentence[MWA_CAUSE_BYTES];

    if (!second) {
        return NULL;
    }
    snprintf(text, MWA_VERDICT_BYTES, "%s. -> %s", mwa_cause_sentence(results, second, sentence),
             mwa_cause_rule(second->rule)->command);
    return text;
}

/* --- advice ---------------------------------------------------------------------------------- */

static bool calls(const struct mwa_results *results, unsigned call)
{
    for (uint64_t i = 0; i < results->profile.call_count; i++) {
        if (results->profile.calls[i].region->call == call) {
            return true;
        }
    }
    return false;
}

/* Whether late senders are mostly waited for in requests, not in calls that receive or probe. */
static bool waits_for_requests(const struct mwa_results *results)
{
    const struct mwa_wait_row *row = &results->waits.rows[MWA_WAIT_LATE_SENDER];
    const uint32_t most = mwa_waits_most(row->call_ns, results->waits.call_count);

    return most != MWA_NONE &&
           mw_call_waits(results->trace->regions[results->trace->mpi_regions[most]].call);
}

/* What helps against the pattern that dominates, and is not done already; null: nothing. */
static const char *remedy(const struct mwa_results *results, enum mwa_wait_pattern pattern)
{
    const bool posts = calls(results, MW_CALL_MPI_Irecv) || calls(results, MW_CALL_MPI_Recv_init);
    const bool isends = calls(results, MW_CALL_MPI_Isend) || calls(results, MW_CALL_MPI_Send_init);

    if (pattern == MWA_WAIT_LATE_SENDER && posts && waits_for_requests(results)) {
        return "send earlier, or compute something else before MPI_Wait";
    }
    if (pattern == MWA_WAIT_LATE_RECEIVER && (posts || isends)) {
        return isends ? posts ? NULL : "post receives (MPI_Irecv) before computing"
                      : "send with MPI_Isend and compute meanwhile";
    }
    return mwa_wait_advice(pattern);
}

/* What would say in which function ranks compute, of a cause that can; "": that was recorded, or
 * the run was so short that it would say nothing. */
static const char *to_know_where(const struct mwa_results *results, const struct mwa_cause *cause)
{
    const bool has_any = results->trace->has_metadata && results->trace->sampled.rate_hz == 0 &&
                         !results->trace->sampled.wrong && cause->up_to_ns >= SAMPLED_NS;

    return has_any && strstr(mwa_cause_rule(cause->rule)->sentence, "{where}")
               ? "; recorded with --functions=97, this names the function that computes"
               : "";
}

/* Of the first cause that something is advised against. */
static const char *advise_against(const struct mwa_results *results,
                                  const struct mwa_cause *cause, char *text)
{
    char advice[MWA_CAUSE_BYTES];

    if (!cause || is_nothing(results, cause) || !mwa_cause_advice(results, cause, advice)) {
        return NULL;
    }
    snprintf(text, MWA_VERDICT_BYTES, "%s%s%s. -> %s", cause->is_doubtful ? "if that is so, " : "",
             advice, to_know_where(results, cause), mwa_cause_rule(cause->rule)->command);
    return text;
}

/* How long ranks wait for those of other jobs no archive of one job tells. */
static const char other_jobs[] =
    "look at what the other jobs do meanwhile: record them, too (the command of MPI_Comm_spawn "
    "begins with mpiwatch-record), and read all archives at once (mpiwatch-analyze waits A B)";

/* Nothing that makes calls or waits shorter lets such a run end. */
static const char deadlock[] =
    "find out first why these ranks wait for each other: whatever else is changed, the run does "
    "not end";

/* Who meets a run that has failed wants it to end first, and waits may come of that. */
static const char failure[] =
    "find out first what ended the run: ranks may have waited for what then failed";

/* Of a short run what is waited for shows nothing. */
static bool is_short(const struct mwa_cause *fault)
{
    return fault && fault->rule == MWA_RULE_INIT;
}

const char *mwa_advice(const struct mwa_results *results, char *text)
{
    const struct mwa_cause *cause = doubt_of(results);
    const struct mwa_cause *fault = mwa_cause_of_class(results, MWA_CAUSE_FAULT);
    struct figures figures;
    const char *advice;

    if (results->hang.verdict == MWA_HANG_DEADLOCK) {
        snprintf(text, MWA_VERDICT_BYTES, "%s. -> hang", deadlock);
        return text;
    }
    if (results->hang.verdict == MWA_HANG_ENDED) {
        snprintf(text, MWA_VERDICT_BYTES, "%s. -> hang", failure);
        return text;
    }
    cause = cause ? cause : mwa_cause_of_class(results, MWA_CAUSE_COST);
    if (advise_against(results, cause, text)) {
        return text;
    }
    figures = figures_of(results);
    if (figures.across >= MPI_BOUND && figures.across > figures.wait && !is_short(fault)) {
        snprintf(text, MWA_VERDICT_BYTES, "%s. -> waits", other_jobs);
        return text;
    }
    if (figures.wait_anywhere < WAIT_MATTERS || figures.pattern == MWA_WAIT_PATTERNS ||
        is_short(fault)) {
        return advise_against(results, fault, text);
    }
    advice = remedy(results, figures.pattern);
    if (!advice) {
        return NULL;
    }
    snprintf(text, MWA_VERDICT_BYTES, "%s. -> waits", advice);
    return text;
}
