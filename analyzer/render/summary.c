#include "analyzer/render/summary.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

bool mwa_is_complete(const struct mwa_results *results)
{
    const struct mwa_trace *trace = results->trace;

    if (trace->incomplete || trace->lost_events > 0 || results->pass.missing_events > 0) {
        return false;
    }
    if (!results->has_profile) {
        return true;
    }
    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        if (!results->profile.ranks[i].has_events) {
            return false;
        }
    }
    return results->profile.open_calls == 0;
}

uint64_t mwa_duration_ns(const struct mwa_results *results)
{
    const struct mwa_profile *profile = &results->profile;

    return mwa_trace_ns(results->trace, profile->last_ticks - profile->first_ticks);
}

const char *mwa_started(const struct mwa_trace *trace, char *text)
{
    struct tm parts;
    time_t seconds;

    if (trace->realtime == UINT64_MAX) {
        return NULL;
    }
    seconds = (time_t)(trace->realtime / 1000000000u);
    if (!gmtime_r(&seconds, &parts)) {
        return NULL;
    }
    return strftime(text, MWA_STARTED_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 ? text : NULL;
}

const char *mwa_unmatched_reason_name(unsigned reason)
{
    static const char *const names[] = { [MWA_UNMATCHED_PAUSED] = "paused",
                                         [MWA_UNMATCHED_INCOMPLETE] = "incomplete",
                                         [MWA_UNMATCHED_LOST] = "lost",
                                         [MWA_UNMATCHED_UNDEFINED] = "undefined",
                                         [MWA_UNMATCHED_UNKNOWN] = "unknown" };

    return reason < MWA_UNMATCHED_REASONS ? names[reason] : "unknown";
}

static void widen(struct mwa_spread *spread, bool first, uint64_t value, uint32_t rank)
{
    if (first || value < spread->min_ns) {
        spread->min_ns = value;
        spread->min_rank = rank;
    }
    if (first || value > spread->max_ns) {
        spread->max_ns = value;
        spread->max_rank = rank;
    }
}

void mwa_summarize_run(const struct mwa_profile *profile, struct mwa_run_summary *summary)
{
    *summary = (struct mwa_run_summary){ 0 };
    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];

        if (!row->has_events) {
            continue;
        }
        widen(&summary->useful, summary->ranks == 0, row->useful_ns, row->rank);
        widen(&summary->mpi, summary->ranks == 0, row->mpi_ns, row->rank);
        summary->run_ns += row->run_ns;
        summary->useful_ns += row->useful_ns;
        summary->mpi_ns += row->mpi_ns;
        summary->longest_run_ns =
            row->run_ns > summary->longest_run_ns ? row->run_ns : summary->longest_run_ns;
        summary->ranks++;
    }
    if (summary->ranks > 0) {
        summary->useful.average_ns = summary->useful_ns / summary->ranks;
        summary->mpi.average_ns = summary->mpi_ns / summary->ranks;
    }
}

uint64_t mwa_calls_time_ns(const struct mwa_profile *profile)
{
    uint64_t time = 0;

    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (profile->calls[i].region->kind == MWA_REGION_MPI) {
            time += profile->calls[i].time_ns;
        }
    }
    return time;
}

uint64_t mwa_intra_host_messages(const struct mwa_results *results)
{
    const struct mwa_rank *ranks = results->trace->ranks;
    uint64_t count = 0;

    for (uint64_t i = 0; i < results->traffic.pair_count; i++) {
        const struct mwa_pair *pair = &results->traffic.pairs[i];

        if (strcmp(ranks[pair->from].host, ranks[pair->to].host) == 0) {
            count += pair->count;
        }
    }
    return count;
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

#define MPI_BOUND    0.10 /* share of MPI from which on it is worth a look */
#define DOMINANT     0.25 /* of the time in MPI calls */
#define UNEVEN       0.10 /* of the longest useful time over the average one */

const char *mwa_verdict(const struct mwa_results *results, char *text)
{
    const struct mwa_call_row *call = dominant_call(&results->profile);
    uint64_t calls_time = mwa_calls_time_ns(&results->profile);
    struct mwa_run_summary run;
    double mpi, excess;
    int length;

    mwa_summarize_run(&results->profile, &run);
    if (run.run_ns == 0) {
        return no_verdict(results, text);
    }
    mpi = (double)run.mpi_ns / (double)run.run_ns;
    excess = run.useful.average_ns
                 ? (double)run.useful.max_ns / (double)run.useful.average_ns - 1
                 : 0;
    if (mpi < MPI_BOUND) {
        length = snprintf(text, MWA_VERDICT_BYTES,
                          "computation dominates: MPI takes %.1f%% of the ranks' run", 100 * mpi);
    } else {
        length = snprintf(text, MWA_VERDICT_BYTES, "MPI takes %.1f%% of the ranks' run",
                          100 * mpi);
    }
    if (call && mpi >= MPI_BOUND && (double)call->time_ns >= DOMINANT * (double)calls_time) {
        length += snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length,
                           ", %.0f%% of it in %.40s",
                           100 * (double)call->time_ns / (double)calls_time, call->region->name);
    }
    if (run.ranks > 1 && excess >= UNEVEN) {
        snprintf(text + length, MWA_VERDICT_BYTES - (size_t)length,
                 "; rank %u computes %.0f%% longer than average%s", run.useful.max_rank,
                 100 * excess, mpi >= MPI_BOUND ? ": even that out first" : "");
    }
    return text;
}
