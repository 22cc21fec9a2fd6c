#include "analyzer/report/text.h"

#include <inttypes.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/analysis/waits/waits_known.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

#define TOP_DEFAULT 5u

/* What the numbers leave out, if anything. */
static void put_doubts(const struct mwa_results *results, FILE *out)
{
    const struct mwa_waits *waits = &results->waits;
    const struct mwa_exchange_result *exchange = &results->exchange;
    const struct mwa_matching_result *matching = &results->matching;
    const uint64_t paused = mwa_unmatched_for_pauses(matching);
    const bool are_doubtful = mwa_may_be_mismatched(results);
    const struct {
        uint64_t count;
        const char *one;
        const char *several;
    } doubts[] = {
        { matching->unmatched_sends + matching->unmatched_receives,
          "message has one end only: no waits of it",
          "messages have one end only: no waits of them" },
        { paused, "of them since recording was paused: those behind them may be matched wrongly",
          "of them since recording was paused: those behind them may be matched wrongly" },
        { exchange->collectives_incomplete, "collective operation lacks members: left out",
          "collective operations lack members: left out" },
        { waits->uncertain, "collective operation left out: ranks with losses are out of step",
          "collective operations left out: ranks with losses are out of step" },
        { waits->neighbors_unknown,
          "neighbourhood operation left out: the neighbours are not known",
          "neighbourhood operations left out: the neighbours are not known" },
        { waits->violations,
          are_doubtful ? "wait cut off where clocks disagree or matches are wrong"
                       : "wait cut off where clocks disagree",
          are_doubtful ? "waits cut off where clocks disagree or matches are wrong"
                       : "waits cut off where clocks disagree" },
    };

    for (size_t i = 0; i < sizeof doubts / sizeof doubts[0]; i++) {
        if (doubts[i].count > 0) {
            fprintf(out, "note: %" PRIu64 " %s\n", doubts[i].count,
                    doubts[i].count == 1 ? doubts[i].one : doubts[i].several);
        }
    }
}

void mwa_add_unknown_waits(const struct mwa_results *results, const char *before,
                           struct mwa_line *line)
{
    unsigned count = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        if (mwa_wait_unknown(results->trace, &results->profile, &results->exchange, i)) {
            mwa_line_add(line, "%s%s", count++ == 0 ? before : ", ", mwa_wait_title(i));
        }
    }
}

static void put_unknown(const struct mwa_results *results, FILE *out)
{
    struct mwa_line line = { .length = 0 };

    mwa_add_unknown_waits(results, "", &line);
    if (line.length > 0) {
        fprintf(out, "note: not known, since nothing tells whom such calls wait for: %s\n",
                line.text);
    }
}

/* Whose doing the waits are. */
static void put_delays(const struct mwa_results *results, uint32_t top, FILE *out)
{
    const struct mwa_delays *delays = &results->waits.delays;
    const struct mwa_cell root = { .results = results, .row = results };
    char text[3][MWA_UNITS_BYTES];

    if (delays->short_ns + delays->long_ns + delays->unexplained_ns == 0) {
        return;
    }
    fprintf(out, "\ndelays cost %s of waiting directly, %s passed on by waits; not explained: %s\n",
            mwa_time_text(delays->short_ns, text[0]), mwa_time_text(delays->long_ns, text[1]),
            mwa_time_text(delays->unexplained_ns, text[2]));
    if (delays->cell_count > 0) {
        mwa_table_text(&mwa_delays_table, &root, top, "--json has them", out);
    }
}

void mwa_text_waits(const struct mwa_results *results, const struct mwa_screen *screen,
                    FILE *out)
{
    const struct mwa_waits *waits = &results->waits;
    const uint32_t top = screen->top > 0 ? screen->top : TOP_DEFAULT;
    bool has_rows = false;
    bool has_completion = false;
    bool has_outside = false;
    struct mwa_run_summary run;
    const struct mwa_cell root = { .results = results, .row = results };
    char text[2][MWA_UNITS_BYTES];

    mwa_text_jobs(results, out);
    mwa_summarize_run(&results->profile, &run);
    fprintf(out, "waiting takes %s, %s of the ranks' run",
            mwa_time_text(mwa_waits_total_ns(waits), text[0]),
            mwa_share_text(mwa_waits_total_ns(waits), run.run_ns, text[1]));
    if (mwa_waits_other_threads_ns(waits) > 0) {
        fprintf(out, "; %s of it in other threads than the main ones",
                mwa_time_text(mwa_waits_other_threads_ns(waits), text[0]));
    }
    putc('\n', out);
    if (mwa_probing_ns(results) > 0) {
        fprintf(out, "MPI_Probe and MPI_Mprobe take %s besides: they wait, but for whom is not "
                     "recorded\n",
                mwa_time_text(mwa_probing_ns(results), text[0]));
    }
    if (mwa_across_ns(&results->profile) > 0) {
        fprintf(out, "calls with ranks of other jobs take %s besides: how long they wait for these "
                     "is not known\n",
                mwa_time_text(mwa_across_ns(&results->profile), text[0]));
    }
    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        has_rows |= waits->rows[i].instances > 0;
        has_completion |= waits->rows[i].instances > 0 && mwa_wait_role(i) == MWA_WAIT_COMPLETION;
        has_outside |= waits->rows[i].instances > 0 && mwa_wait_role(i) == MWA_WAIT_OUTSIDE;
    }
    if (has_rows) {
        mwa_table_text(&mwa_patterns_table, &root, UINT64_MAX, NULL, out);
    }
    if (has_completion || has_outside) {
        fprintf(out, "not in the sum:%s%s%s\n",
                has_completion ? " + the operation's own time" : "",
                has_completion && has_outside ? "," : "",
                has_outside ? " * outside of the run" : "");
    }
    if (waits->rows[MWA_WAIT_NXN].instances + waits->rows[MWA_WAIT_NXN_COMPLETION].instances > 0) {
        fprintf(out, "NxN: collectives in which each rank needs something of all, as "
                     "MPI_Allreduce\n");
    }
    if (waits->rows[MWA_WAIT_LATE_PROGRESS].instances > 0) {
        fprintf(out, "late progress: messages complete only when the other rank called MPI "
                     "again\n");
    }
    if (waits->rows[MWA_WAIT_LATE_COMPLETION].instances > 0) {
        fprintf(out, "progress of all: operations complete only when other ranks called MPI "
                     "again\n");
    }
    put_delays(results, top, out);
    if (mwa_waits_dominant(waits) != MWA_WAIT_PATTERNS) {
        putc('\n', out);
        mwa_table_text(&mwa_longest_waits_table, &root, top, "--json has them", out);
    }
    put_doubts(results, out);
    put_unknown(results, out);
}

