/*
 * One screen, whatever the archive: each line has its own function and decides by
 * itself whether there is something to say. Numbers come from the analyses, or
 * other commands would say other ones.
 */
#include "analyzer/model/text_stream.h"
#include "analyzer/report/beside_run.h"
#include "analyzer/report/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/analysis/comms/comm_label.h"
#include "analyzer/report/command_of.h"
#include "analyzer/report/rank_groups_text.h"
#include "analyzer/report/report_tables.h"
#include "analyzer/report/settings_text.h"
#include "analyzer/report/trust_line.h"
#include "analyzer/report/verdict.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/line.h"
#include "analyzer/table/units.h"
#include "formats/table/calls.h"
#include "config.h"

#define COMMS_MAX 2u
#define LINES_MAX 24u
#define NARROW_LINES_MAX 30u /* where lines have less than MWA_LINE_COLUMNS */

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

#define NAME_MAX_COLUMNS 40u
#define ARROW " -> " /* behind advice: the commands that tell more */
#define OFF_CORE_MATTERS 0.01 /* of the run: it has a line … */
#define PROBING_MATTERS  0.01 /* … or a word */

static void put_header(const struct mwa_results *results, const struct mwa_run_summary *run,
                       FILE *out)
{
    const struct mwa_trace *trace = results->trace;
    char started[MWA_STARTED_BYTES];
    char time[MWA_UNITS_BYTES];
    char program[512];
    struct mwa_line name = {.length = 0};
    struct mwa_line right = {.length = 0};
    const size_t left = sizeof "mpiwatch " PACKAGE_VERSION "  " - 1;

    mwa_line_add(&right, "%" PRIu64 " rank%s, %" PRIu64 " host%s", trace->rank_count,
                 trace->rank_count == 1 ? "" : "s", trace->host_count,
                 trace->host_count == 1 ? "" : "s");
    if (mwa_started(trace, started)) {
        mwa_line_add(&right, "   %.10s %.8s", started, started + 11);
    }
    mwa_line_add(&right, "   run %s", mwa_time_text(run->length_ns, time));
    mwa_line_add_name(&name, mwa_clean(mwa_program(results), program, sizeof program),
                      MWA_LINE_COLUMNS - right.length - left - 2);
    fprintf(out, MWA_CELL "0mpiwatch %s" MWA_CELL "A  %s" MWA_CELL "0%*s\n", PACKAGE_VERSION,
            name.text, (int)(MWA_LINE_COLUMNS - left - mwa_line_columns(name.text)), right.text);
}

static void put_verdict(const struct mwa_results *results, bool color, FILE *out)
{
    char text[MWA_VERDICT_BYTES];
    struct mwa_line line = mwa_line_with("verdict");

    mwa_line_add(&line, "%s", mwa_verdict(results, text));
    color = color && results->hang.verdict != MWA_HANG_DEADLOCK; /* that is what counts */
    fputs(color ? BOLD : "", out);
    mwa_line_put(&line, 5, out); /* what it costs stands at its end */
    fputs(color ? PLAIN : "", out);
}

/* What a run that was killed hung on, or was ended by: the first sentence of the command. If no
 * deadlock is seen, that it hung is not known: it may have been killed as a rank had died. */
static void put_hang(const struct mwa_results *results, bool color, FILE *out)
{
    static const char *const names[] = { [MWA_HANG_NONE] = "",
                                         [MWA_HANG_DEADLOCK] = "hang",
                                         [MWA_HANG_ENDED] = "error",
                                         [MWA_HANG_POSSIBLE] = "hang",
                                         [MWA_HANG_WAITING] = "at end",
                                         [MWA_HANG_OPEN] = "at end" };
    struct mwa_line line = mwa_line_with(names[results->hang.verdict]);
    char *command;

    if (results->hang.sentence_count == 0) {
        return;
    }
    command = mwa_command_of("hang", results->path);
    mwa_line_add(&line, "%s", results->hang.sentences[0]);
    color = color && results->hang.verdict == MWA_HANG_DEADLOCK;
    fputs(color ? BOLD : "", out);
    mwa_line_put(&line, 3, out);
    fputs(color ? PLAIN : "", out);
    fprintf(out, MWA_WHOLE "%*s-> %s\n", MWA_LINE_INDENT, "", command ? command : "hang");
    free(command);
}

/* Puts what text says on up to so many lines, and the commands that it refers to as they can be
 * typed. text is changed. */
static void put_with_commands(const struct mwa_results *results, const char *name, char *text,
                              unsigned lines, FILE *out)
{
    struct mwa_line line = mwa_line_with(name);
    char *commands = strstr(text, ARROW), *state;

    if (commands) {
        *commands = 0;
        commands += strlen(ARROW);
    }
    mwa_line_add(&line, "%s", text);
    mwa_line_put(&line, lines, out);
    for (char *each = commands ? strtok_r(commands, ", ", &state) : NULL; each;
         each = strtok_r(NULL, ", ", &state)) {
        char *command = mwa_command_of(each, results->path);

        fprintf(out, MWA_WHOLE "%*s-> %s\n", MWA_LINE_INDENT, "", command ? command : each);
        free(command);
    }
}

/* What else costs time, or is wrong. */
static void put_second(const struct mwa_results *results, FILE *out)
{
    char text[MWA_VERDICT_BYTES];

    if (mwa_second_verdict(results, text)) {
        put_with_commands(results, "also", text, 5, out); /* as the verdict */
    }
}

static void add_spread(struct mwa_line *line, const struct mwa_spread *spread)
{
    char text[3][MWA_UNITS_BYTES];

    mwa_line_add(line, "min %s (rank %" PRIu32 "), avg %s, max %s (rank %" PRIu32 ")",
                 mwa_time_text(spread->min_ns, text[0]), spread->min_rank,
                 mwa_time_text(spread->average_ns, text[1]), mwa_time_text(spread->max_ns, text[2]),
                 spread->max_rank);
}

static void put_pop(const struct mwa_pop *pop, const struct mwa_run_summary *summary, FILE *out)
{
    const struct mwa_pop_factors *run = &pop->run;
    char text[6][MWA_UNITS_BYTES];
    char beside[MWA_BESIDE_BYTES];
    struct mwa_line line = mwa_line_with("POP");

    mwa_line_add(&line, "parallel %s = ", mwa_factor_text(run->parallel_efficiency, text[0]));
    if (run->running_efficiency < 0.995) { /* else it is 1.00 */
        mwa_line_add(&line, "running %s x ", mwa_factor_text(run->running_efficiency, text[5]));
    }
    mwa_line_add(&line, "balance %s", mwa_factor_text(run->load_balance, text[1]));
    mwa_line_add(&line, " x communication %s (",
                 mwa_factor_text(run->communication_efficiency, text[2]));
    if (pop->ideal_unknown) {
        mwa_line_add(&line, "not split: %s)", pop->ideal_unknown);
    } else {
        mwa_line_add(&line, "serialisation %s x transfer %s)",
                     mwa_factor_text(run->serialisation_efficiency, text[3]),
                     mwa_factor_text(run->transfer_efficiency, text[4]));
    }
    if (mwa_runs_of_ranks(summary, run, beside)) {
        mwa_line_add(&line, "; %s", beside);
    }
    mwa_line_put(&line, 2, out);
}

/* When ranks were on no core, if the archive tells, and if they were. */
static void put_off_core(const struct mwa_results *results, const struct mwa_run_summary *run,
                         FILE *out)
{
    struct mwa_line line = mwa_line_with("off core");
    uint64_t asleep[2] = {0}, none[2] = {0};
    char text[4][MWA_UNITS_BYTES];

    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        const struct mwa_rank_running *running = &results->profile.ranks[i].running;

        asleep[0] += mwa_asleep_ns(running);
        none[0] += running->outside_no_core_ns;
        asleep[1] += mwa_mpi_asleep_ns(running);
        none[1] += running->inside_no_core_ns;
    }
    if ((double)(asleep[0] + none[0] + asleep[1] + none[1]) <
        OFF_CORE_MATTERS * (double)run->run_ns) {
        return;
    }
    mwa_line_add(&line, "outside mpi: asleep %s, no core free %s; inside mpi: %s, %s",
                 mwa_share_text(asleep[0], run->run_ns, text[0]),
                 mwa_share_text(none[0], run->run_ns, text[1]),
                 mwa_share_text(asleep[1], run->run_ns, text[2]),
                 mwa_share_text(none[1], run->run_ns, text[3]));
    mwa_line_put(&line, 1, out);
}

/* How long threads that no line is about were on cores: of a hybrid program most of its work. */
static void add_threads(const struct mwa_results *results, const struct mwa_run_summary *run,
                        struct mwa_line *line)
{
    const uint64_t ran = mwa_threads_ran_ns(&results->profile);
    char text[MWA_UNITS_BYTES];

    if ((double)ran >= MWA_THREADS_MATTER * (double)run->run_ns) {
        mwa_line_add(line, "; all other threads together ran for %s", mwa_time_text(ran, text));
    }
}

static void put_times(const struct mwa_results *results, const struct mwa_run_summary *run,
                      FILE *out)
{
    uint64_t others = mwa_other_threads_ns(results);
    uint64_t others_waiting = mwa_waits_other_threads_ns(&results->waits);
    uint64_t waiting = mwa_waits_total_ns(&results->waits) - others_waiting;
    uint64_t across = mwa_across_ns(&results->profile);
    char text[4][MWA_UNITS_BYTES];
    char beside[MWA_BESIDE_BYTES];
    struct mwa_line line = mwa_line_with("time");

    mwa_line_add(&line, "useful %s", mwa_share_text(run->useful_ns, run->run_ns, text[0]));
    if (mwa_between_polls(results, run, beside)) {
        mwa_line_add(&line, " (%s)", beside);
    }
    mwa_line_add(&line, ", mpi %s (waiting %s",
                 mwa_share_text(run->mpi_ns, run->run_ns, text[1]),
                 mwa_share_text(waiting, run->run_ns, text[3]));
    if ((double)run->probing_ns >= PROBING_MATTERS * (double)run->run_ns) {
        mwa_line_add(&line, ", MPI_Probe besides %s",
                     mwa_share_text(run->probing_ns, run->run_ns, text[0]));
    }
    if ((double)across >= PROBING_MATTERS * (double)run->run_ns) {
        mwa_line_add(&line, ", calls with other jobs besides %s",
                     mwa_share_text(across, run->run_ns, text[0]));
    }
    if (run->io_ns > 0) {
        mwa_line_add(&line, ", file I/O %s", mwa_share_text(run->io_ns, run->run_ns, text[0]));
    }
    mwa_line_add(&line, ") of %s, the run of all ranks%s together",
                 mwa_time_text(run->run_ns, text[2]), others > 0 ? "' main threads" : "");
    if (others > 0) {
        mwa_line_add(&line, "; other threads: mpi %s (waiting %s)",
                     mwa_time_text(others, text[0]), mwa_time_text(others_waiting, text[1]));
    }
    mwa_line_put(&line, 2, out);
    line = mwa_line_with("useful");
    add_spread(&line, &run->useful);
    add_threads(results, run, &line);
    mwa_line_put(&line, 2, out);
    mwa_put_alike_line(results, out);
    put_off_core(results, run, out);
    if (mwa_has(results, MWA_NEED_POP)) {
        put_pop(&results->pop, run, out);
    }
}

static void put_messages(const struct mwa_results *results, FILE *out)
{
    const struct mwa_traffic *traffic = &results->traffic;
    const struct mwa_pair *heaviest = mwa_traffic_heaviest(traffic);
    const uint64_t here = mwa_messages_to_ranks(traffic);
    const uint64_t received = results->matching.other_job_receives;
    char text[3][MWA_UNITS_BYTES];
    struct mwa_line line = mwa_line_with("messages");

    if (traffic->messages == 0) {
        mwa_line_add(&line, mwa_trace_left_out(results->trace) & 1u << MW_GROUP_P2P
                                ? "not recorded (--events)"
                                : "none point to point");
        if (received > 0) {
            mwa_line_add(&line, " but %s from other jobs", mwa_count_text(received, text[0]));
        }
        mwa_line_put(&line, 1, out);
        return;
    }
    mwa_line_add(&line, "%s, %s, median %s", mwa_count_text(traffic->messages, text[0]),
                 mwa_bytes_text(traffic->bytes, text[1]),
                 mwa_bytes_text(mwa_traffic_median(traffic), text[2]));
    if (results->matching.other_job_sends > 0) {
        mwa_line_add(&line, ", %s to other jobs",
                     mwa_count_text(results->matching.other_job_sends, text[0]));
    }
    if (received > 0) {
        mwa_line_add(&line, ", besides %s from other jobs", mwa_count_text(received, text[0]));
    }
    if (here > 0) {
        mwa_line_add(&line, ", %s%s within a host",
                     mwa_share_text(mwa_intra_host_messages(results), here, text[0]),
                     here < traffic->messages ? " of the others" : "");
    }
    if (heaviest) {
        mwa_line_add(&line, "; heaviest pair %" PRIu32 " -> %" PRIu32 ": %s", heaviest->from,
                     heaviest->to, mwa_bytes_text(heaviest->bytes, text[0]));
    }
    mwa_line_put(&line, 2, out);
}

/* What is wrong with communicators. */
static void add_comm_findings(const struct mwa_results *results, struct mwa_line *line)
{
    const struct mwa_comm_findings *findings = &results->comm_findings;
    uint64_t partly = mwa_comm_findings_of(findings, MWA_COMM_PARTLY_FREED);
    uint64_t creations = 0;

    for (uint32_t i = 0; i < findings->count; i++) {
        creations += findings->list[i].creations;
    }
    mwa_line_add(line, ", %" PRIu64 " never freed",
                 mwa_comm_findings_of(findings, MWA_COMM_LEAKED));
    if (partly > 0) {
        mwa_line_add(line, ", %" PRIu64 " by some members only", partly);
    }
    if (creations > 0) {
        mwa_line_add(line, ", %" PRIu64 " made by a rank within a second", creations);
    }
}

#define COMM_SHARE_PARTS 2000u /* of the MPI time: less than one reads as 0.0% */

static void put_comms(const struct mwa_results *results, FILE *out)
{
    const struct mwa_comms *comms = &results->comms;
    const uint64_t matters_ns = comms->mpi_ns / COMM_SHARE_PARTS;
    const char *before = "; MPI time on ";
    char text[MWA_UNITS_BYTES];
    struct mwa_line line = mwa_line_with("comms");

    mwa_line_add(&line, "%" PRIu64 " created, %" PRIu64 " alive at once", comms->created,
                 comms->alive_max);
    add_comm_findings(results, &line);
    for (uint64_t i = 0;
         i < COMMS_MAX && i < comms->count && comms->by_time[i]->time_ns > matters_ns; i++) {
        const struct mwa_comm_row *row = comms->by_time[i];
        char label[MWA_COMM_LABEL_BYTES];

        mwa_line_add(&line, "%s", before);
        mwa_line_add_name(&line, mwa_comm_label(results->trace, row->comm, label),
                          NAME_MAX_COLUMNS);
        mwa_line_add(&line, " %s", mwa_share_text(row->time_ns, comms->mpi_ns, text));
        before = ", ";
    }
    if (comms->none_ns > matters_ns) { /* of MPI_Test that finds nothing, among others */
        mwa_line_add(&line, "%snone that is told %s", before,
                     mwa_share_text(comms->none_ns, comms->mpi_ns, text));
    }
    mwa_line_put(&line, 2, out);
}

static void put_advice(const struct mwa_results *results, FILE *out)
{
    char text[MWA_VERDICT_BYTES];

    if (mwa_advice(results, text)) {
        put_with_commands(results, "advice", text, 3, out);
    }
}

static void put_places(const struct mwa_results *results, FILE *out)
{
    char text[MWA_BESIDE_BYTES];

    if (mwa_places_hide_callers(results, text)) {
        struct mwa_line line = mwa_line_with("places");

        mwa_line_add(&line, "%s", text);
        mwa_line_put(&line, 2, out);
    }
}

/* Of a class that has instances, only these have values. */
static bool is_listed(const struct mwa_metric *metric)
{
    return metric->count > 0 && !metric->has_instances;
}

/* The name of a metric's variable, without that of a statistic behind it. */
static void add_variable(const struct mwa_metrics *metrics, const struct mwa_metric *metric,
                         struct mwa_line *line)
{
    const char *name = metric->count > 0 ? metrics->members[metric->members[0]].name : "";
    char shown[64];

    snprintf(shown, sizeof shown, "%.*s",
             metric->is_statistic ? (int)strcspn(name, ".") : (int)strlen(name), name);
    mwa_line_add_name(line, shown, NAME_MAX_COLUMNS);
}

static void add_peak(const struct mwa_trace *trace, const struct mwa_peak *peak,
                     struct mwa_line *line)
{
    bool is_count = peak->value >= 0 && peak->value < 1e18 &&
                    peak->value == (double)(uint64_t)peak->value;
    char value[MWA_UNITS_BYTES];
    char time[MWA_UNITS_BYTES];

    if (is_count) {
        mwa_count_text((uint64_t)peak->value, value);
    } else {
        snprintf(value, sizeof value, "%.4g", peak->value);
    }
    mwa_line_add(line, " >=%s (rank %" PRIu32 " at %s)", value, peak->rank,
                 mwa_moment_text(mwa_trace_since_begin(trace, peak->time), time));
}

/* How many variables other tools recorded: each value of a metric is one. */
static uint64_t foreign_variables(const struct mwa_metrics *metrics)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < metrics->count; i++) {
        const struct mwa_metric *metric = &metrics->list[i];

        count += is_listed(metric) && metric->is_foreign ? metric->count : 0;
    }
    return count;
}

/*
 * Which of the MPI's own variables were recorded, or another tool's: those that rose above 0 first,
 * and how far.
 */
static void put_counters(const struct mwa_results *results, FILE *out)
{
    const struct mwa_metrics *metrics = &results->trace->metrics;
    struct mwa_line line = mwa_line_with("counters");
    const uint64_t others = foreign_variables(metrics);
    uint64_t listed = 0;
    unsigned shown = 0;

    if (metrics->count == 0 && !metrics->note) {
        return;
    }
    if (others > 0) {
        mwa_line_add(&line, "%" PRIu64 " metric%s of another tool", others,
                     others == 1 ? "" : "s");
    } else {
        mwa_line_add(&line, "%" PRIu64 " variable%s of the MPI recorded", metrics->recorded,
                     metrics->recorded == 1 ? "" : "s");
    }
    if (metrics->count == 0) {
        mwa_line_add(&line, ": %s", metrics->note);
    }
    for (unsigned risen = 2; risen-- > 0;) {
        for (uint64_t i = 0; i < metrics->count && shown < COMMS_MAX; i++) {
            const struct mwa_peak *peak = mwa_has(results, MWA_NEED_PEAKS)
                                              ? &results->peaks.list[i]
                                              : NULL;
            bool has_risen = peak && peak->has_samples && peak->value > 0;

            if (has_risen != risen || !is_listed(&metrics->list[i])) {
                continue;
            }
            mwa_line_add(&line, "%s ", shown++ == 0 ? ":" : ",");
            add_variable(metrics, &metrics->list[i], &line);
            if (has_risen) {
                add_peak(results->trace, peak, &line);
            } else if (peak && peak->is_still && !peak->is_seen) {
                mwa_line_add(&line, " (not observed)");
            }
        }
    }
    for (uint64_t i = 0; i < metrics->count; i++) {
        listed += is_listed(&metrics->list[i]);
    }
    if (listed > shown) {
        mwa_line_add(&line, " …");
    }
    mwa_line_put(&line, 2, out);
}

/* On the screen; 0 without memory. */
static unsigned lines_of(const char *text, unsigned columns)
{
    char *shown = NULL;
    size_t size;
    FILE *out = mwa_open_text(&shown, &size);
    unsigned lines = 0;

    if (!out) {
        return 0;
    }
    mwa_lay_out(text, strlen(text), columns, out);
    if (fclose(out) == 0) {
        for (const char *at = shown; *at; at++) {
            lines += *at == '\n';
        }
    }
    free(shown);
    return lines;
}

/* What stands above the tables, and what below but the settings. */
static void put_above(const struct mwa_results *results, const struct mwa_run_summary *run,
                      bool color, FILE *out)
{
    put_header(results, run, out);
    put_hang(results, color, out);
    put_verdict(results, color, out);
    put_second(results, out);
    if (run->run_ns > 0) {
        put_times(results, run, out);
    }
}

static void put_below(const struct mwa_results *results, const struct mwa_run_summary *run,
                      bool color, FILE *out)
{
    if (run->run_ns > 0) {
        put_messages(results, out);
        put_comms(results, out);
    }
    put_counters(results, out);
    put_places(results, out);
    put_advice(results, out);
    mwa_put_trust(results, color, out);
}

/* What a part of the report prints, to be freed; null without memory. */
static char *text_of(void (*put)(const struct mwa_results *, const struct mwa_run_summary *, bool,
                                 FILE *),
                     const struct mwa_results *results, const struct mwa_run_summary *run,
                     bool color)
{
    char *text = NULL;
    size_t size;
    FILE *part = mwa_open_text(&text, &size);

    if (!part) {
        return NULL;
    }
    put(results, run, color, part);
    if (fclose(part) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The tables and the settings share the lines that the rest leaves. */
void mwa_text_report(const struct mwa_results *results, const struct mwa_screen *screen,
                     FILE *out)
{
    struct mwa_run_summary run;
    const bool is_narrow = screen->columns < MWA_LINE_COLUMNS;
    unsigned left = (is_narrow ? NARROW_LINES_MAX : LINES_MAX) - 1;
    char *above, *below;

    mwa_summarize_run(&results->profile, &run);
    above = text_of(put_above, results, &run, screen->color);
    below = text_of(put_below, results, &run, screen->color);
    if (above && below) {
        unsigned lines = lines_of(above, screen->columns) + lines_of(below, screen->columns);

        left = lines < left ? left - lines : 0;
        fputs(above, out);
        if (run.run_ns > 0) {
            /* Where it is narrow, a line says what is left out. */
            unsigned put = mwa_report_tables(results, left - (left > 0 && is_narrow), out);
            left -= put < left ? put : left;
        }
        fputs(below, out);
        mwa_put_settings(results->trace, left > 0 ? 2 : 1, out);
    } else {
        fputs("mpiwatch: no memory for the report\n", out);
    }
    free(above);
    free(below);
}
