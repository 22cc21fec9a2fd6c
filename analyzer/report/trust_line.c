/* What is not whole is counted, whatever it is: nothing else on the screen is surer than this. */
#include "analyzer/report/trust_line.h"

#include <inttypes.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/model/logical_clock.h"
#include "analyzer/report/text.h"
#include "analyzer/table/line.h"
#include "analyzer/table/units.h"

#define GREEN "\033[32m"
#define RED   "\033[31m"
#define PLAIN "\033[0m"

static uint64_t incomplete_ranks(const struct mwa_results *results)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < results->trace->rank_count; i++) {
        count += results->trace->ranks[i].incomplete ||
                 (i < results->profile.rank_count && !results->profile.ranks[i].has_events);
    }
    return count;
}

static uint64_t ranks_with_losses(const struct mwa_trace *trace)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < trace->rank_count; i++) {
        count += trace->ranks[i].lost > 0;
    }
    return count;
}

/* What --comms left out is no loss, but is not in the numbers above. */
static void add_filtered(const struct mwa_trace *trace, struct mwa_line *line)
{
    uint64_t calls = 0;
    uint64_t bytes = 0;
    char text[2][MWA_UNITS_BYTES];

    for (uint64_t i = 0; i < trace->filtered_count; i++) {
        calls += trace->filtered[i].calls;
        bytes += trace->filtered[i].bytes_sent;
    }
    if (trace->filtered_count > 0) {
        mwa_line_add(line, ", not recorded %s calls, %s sent, on communicators left out (--comms)",
                     mwa_count_text(calls, text[0]), mwa_bytes_text(bytes, text[1]));
    }
}

/* What the controlled logical clock changed. */
static void add_clocks(const struct mwa_logical_clocks *clocks, struct mwa_line *line)
{
    const struct mwa_clock_violations *before = clocks ? &clocks->before : NULL;
    char text[2][MWA_UNITS_BYTES];

    if (!before) {
        return;
    }
    if (before->messages + before->probes + before->collectives == 0) {
        mwa_line_add(line, ", nothing to be moved by --clc");
        return;
    }
    mwa_line_add(line, " (%" PRIu64 " before --clc, ", before->messages);
    if (before->probes > 0) {
        mwa_line_add(line, "%" PRIu64 " of probes ", before->probes);
    }
    mwa_line_add(line, "and %" PRIu64 " of collectives; it moved %s events, by up to %s)",
                 before->collectives, mwa_count_text(clocks->all.events, text[0]),
                 mwa_time_text(clocks->all.max_ns, text[1]));
}

const char *mwa_or_mismatched(const struct mwa_results *results)
{
    return mwa_may_be_mismatched(results) ? "; or messages are matched wrongly" : "";
}

bool mwa_add_ended(const struct mwa_results *results, struct mwa_line *line)
{
    const struct mwa_trace *trace = results->trace;
    char text[MWA_UNITS_BYTES];

    if (!trace->ended) {
        return false;
    }
    mwa_line_add(line, "%s", trace->ended);
    if (strcmp(trace->ended, "finalized") == 0 || incomplete_ranks(results) == 0) {
        return true;
    }
    if (mwa_has(results, MWA_NEED_PROFILE) && results->pass.events > 0) {
        mwa_line_add(line, "; the last record is of %s: what was done after it is not known",
                     mwa_moment_text(mwa_trace_since_begin(trace, results->profile.last_ticks),
                                     text));
    } else {
        mwa_line_add(line, "; what was done after the last record is not known");
    }
    return true;
}

void mwa_put_trust(const struct mwa_results *results, bool color, FILE *out)
{
    const struct mwa_matching_result *matching = &results->matching;
    uint64_t unmatched = matching->unmatched_sends + matching->unmatched_receives;
    bool fine = mwa_is_complete(results) && unmatched == 0 && !results->trace->sampled.wrong;
    char text[MWA_UNITS_BYTES];
    struct mwa_line line = mwa_line_with("trust");

    mwa_line_add(&line, "events %s, lost %" PRIu64 ", unmatched %" PRIu64,
                 mwa_count_text(results->pass.events, text), results->trace->lost_events,
                 unmatched);
    if (results->trace->begun > 0) {
        mwa_line_add(&line, ", told from %s on, where the records of all ranks have begun",
                     mwa_moment_text(mwa_trace_since_begin(results->trace, results->trace->begun),
                                     text));
    }
    for (unsigned i = 0; i < MWA_UNMATCHED_REASONS; i++) {
        uint64_t count = matching->sends_without[i] + matching->receives_without[i];

        if (count > 0) {
            mwa_line_add(&line, " (%" PRIu64 " %s)", count, mwa_unmatched_reason_name(i));
        }
    }
    if (matching->other_job_sends + matching->other_job_receives > 0) {
        mwa_line_add(&line, ", with other jobs %" PRIu64,
                     matching->other_job_sends + matching->other_job_receives);
    }
    add_filtered(results->trace, &line);
    mwa_line_add(&line, ", clock violations %" PRIu64, matching->clock_violations);
    if (matching->clock_violations > 0) {
        mwa_line_add(&line, " (up to %s%s)", mwa_time_text(matching->clock_violation_max_ns, text),
                     mwa_or_mismatched(results));
    }
    add_clocks(results->trace->clocks, &line);
    if (mwa_trace_time_unit(results->trace) > 1) {
        mwa_line_add(&line, ", times in units of %s",
                     mwa_time_text(mwa_trace_time_unit(results->trace), text));
    }
    if (results->trace->hosts_clock_error_ns > 0) {
        mwa_line_add(&line, ", hosts' clocks within %s",
                     mwa_time_text(results->trace->hosts_clock_error_ns, text));
    }
    if (mwa_has(results, MWA_NEED_WAITS)) {
        mwa_add_unknown_waits(results, ", waits not known: ", &line);
    }
    if (results->trace->ranks_sites_left_out > 0) {
        mwa_line_add(&line, ", ranks with calls whose places are left out %" PRIu64,
                     results->trace->ranks_sites_left_out);
    }
    if (results->trace->sampled.wrong) {
        mwa_line_add(&line, ", samples are wrong and left out (%s)",
                     results->trace->sampled.wrong);
    }
    if (!mwa_is_complete(results)) {
        mwa_line_add(&line,
                     ", incomplete ranks %" PRIu64 ", ranks with losses %" PRIu64
                     ", ended inside a call %" PRIu64 ", events missing %" PRIu64,
                     incomplete_ranks(results), ranks_with_losses(results->trace),
                     results->profile.open_calls, results->pass.missing_events);
    }
    fputs(color ? (fine ? GREEN : RED) : "", out);
    mwa_line_put(&line, 4, out);
    if (results->trace->ended && strcmp(results->trace->ended, "finalized") != 0) {
        line = mwa_line_with("ended");
        mwa_add_ended(results, &line);
        mwa_line_put(&line, 3, out);
    }
    fputs(color ? PLAIN : "", out);
}
