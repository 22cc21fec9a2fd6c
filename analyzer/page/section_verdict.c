/* What is said first: the header, the verdict, its figures, and how far to trust them. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyzer/model/logical_clock.h"
#include "analyzer/page/html.h"
#include "analyzer/page/sections.h"
#include "analyzer/report/beside_run.h"
#include "analyzer/report/trust_line.h"
#include "analyzer/report/verdict.h"
#include "analyzer/table/units.h"
#include "config.h"

void mwa_section_title(struct mwa_page *page)
{
    mwa_html_text(mwa_program(page->results), 60, page->out);
    fputs(" \xc2\xb7 mpiwatch", page->out);
}

/* In full, not rounded. */
static void put_number(const char *of, uint64_t value, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    snprintf(text, sizeof text, "%" PRIu64, value);
    mwa_html_number(of, value, text, out);
}

/* Which MPI, and its version; who packaged it and from what, as Open MPI has it behind a comma, is
 * in the settings. */
static void put_mpi(const char *library, FILE *out)
{
    char version[160];

    snprintf(version, sizeof version, "%.*s", (int)strcspn(library, ","), library);
    fputs("<span>", out);
    mwa_html_text(version, 40, out);
    fputs("</span>", out);
}

void mwa_section_header(struct mwa_page *page)
{
    const struct mwa_trace *trace = page->results->trace;
    char started[MWA_STARTED_BYTES];
    FILE *out = page->out;

    fputs("<h1>", out);
    mwa_html_text(mwa_program(page->results), 160, out);
    fputs("</h1>\n<p class=\"facts\"><span>", out);
    put_number("info.ranks", trace->rank_count, out);
    fprintf(out, " rank%s</span><span>", trace->rank_count == 1 ? "" : "s");
    put_number("info.hosts", trace->host_count, out);
    fprintf(out, " host%s</span>", trace->host_count == 1 ? "" : "s");
    if (trace->rank_count > 0 && trace->ranks[0].cores > 0) {
        fprintf(out, "<span>%" PRIu64 " core%s%s</span>", trace->ranks[0].cores,
                trace->ranks[0].cores == 1 ? "" : "s", trace->host_count == 1 ? "" : " each");
    }
    if (mwa_started(trace, started)) {
        fprintf(out, "<span>%.10s %.8s UTC</span>", started, started + 11);
    }
    if (trace->mpi_library) {
        put_mpi(trace->mpi_library, out);
    }
    fputs("</p>", out);
}

void mwa_section_footer(struct mwa_page *page)
{
    fputs("Made by mpiwatch-analyze " PACKAGE_VERSION " of ", page->out);
    mwa_html_text(page->results->path, 120, page->out);
    fputs(". The numbers of this page are in it as JSON, in the element #report.", page->out);
}

static void tile_begin(const char *name, FILE *out)
{
    fprintf(out, "<div><dt>%s</dt><dd>", name);
}

static void tile_end(const char *more, FILE *out)
{
    if (more[0]) {
        fprintf(out, "<small>%s</small>", more);
    }
    fputs("</dd></div>\n", out);
}

static void put_share_tile(const char *name, uint64_t part, uint64_t whole, FILE *out)
{
    char share[MWA_UNITS_BYTES], time[MWA_UNITS_BYTES];

    tile_begin(name, out);
    fputs(mwa_share_text(part, whole, share), out);
    tile_end(mwa_time_text(part, time), out);
}

/* With how much of that is between polls that wait. */
static void put_useful_tile(const struct mwa_page *page)
{
    char share[MWA_UNITS_BYTES], time[MWA_UNITS_BYTES], beside[MWA_BESIDE_BYTES];

    tile_begin("Useful", page->out);
    fputs(mwa_share_text(page->run.useful_ns, page->run.run_ns, share), page->out);
    fprintf(page->out, "<small>%s</small>", mwa_time_text(page->run.useful_ns, time));
    tile_end(mwa_between_polls(page->results, &page->run, beside) ? beside : "", page->out);
}

static void put_efficiency_tile(const struct mwa_page *page)
{
    const struct mwa_pop_factors *factors = &page->results->pop.run;
    char beside[MWA_BESIDE_BYTES];
    FILE *out = page->out;

    tile_begin("Parallel efficiency", out);
    if (isfinite(factors->parallel_efficiency)) {
        fprintf(out, "<data value=\"%.17g\" data-of=\"pop.parallel_efficiency\">%.2f</data>",
                factors->parallel_efficiency, factors->parallel_efficiency);
    } else {
        fputs("\xe2\x80\x93", out);
    }
    tile_end(mwa_runs_of_ranks(&page->run, factors, beside) ? beside : "", out);
}

static void put_tiles(const struct mwa_page *page)
{
    const struct mwa_results *results = page->results;
    FILE *out = page->out;

    fputs("<dl class=\"tiles\">\n", out);
    tile_begin("Run", out);
    mwa_html_time("pop.runtime_ns", page->run.length_ns, out);
    tile_end("", out);
    put_useful_tile(page);
    put_share_tile("In MPI", page->run.mpi_ns, page->run.run_ns, out);
    if (page->run.io_ns > 0) {
        put_share_tile("In MPI\xe2\x80\x99s file I/O", page->run.io_ns, page->run.run_ns, out);
    }
    put_share_tile("Waiting, in MPI",
                   mwa_waits_total_ns(&results->waits) -
                       mwa_waits_other_threads_ns(&results->waits),
                   page->run.run_ns, out);
    put_efficiency_tile(page);
    tile_begin("MPI calls", out);
    mwa_html_count("info.mpi_calls", results->profile.mpi_calls, out);
    tile_end("", out);
    tile_begin("Messages", out);
    mwa_html_count("messages.messages", results->traffic.messages, out);
    fputs("<small>", out);
    mwa_html_bytes("messages.bytes", results->traffic.bytes, out);
    fputs("</small>", out);
    tile_end("", out);
    tile_begin("Events", out);
    mwa_html_count("info.events", results->pass.events, out);
    tile_end("", out);
    fputs("</dl>\n", out);
}

static void put_fact(const char *name, const char *of, uint64_t value, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    fprintf(out, "<span>%s <b>", name);
    mwa_html_number(of, value, mwa_count_text(value, text), out);
    fputs("</b></span>\n", out);
}

static void put_trust(const struct mwa_page *page)
{
    const struct mwa_results *results = page->results;
    const struct mwa_matching_result *matching = &results->matching;
    uint64_t unmatched = matching->unmatched_sends + matching->unmatched_receives;
    bool complete = mwa_is_complete(results);
    const char *ended = results->trace->ended;
    struct mwa_line line = { .length = 0 };
    FILE *out = page->out;

    fprintf(out, "<div class=\"trust\" aria-label=\"Trust\"><span class=\"badge %s\">%s</span>\n",
            complete && unmatched == 0 ? "fine" : "warn",
            !complete         ? "&#9888; incomplete"
            : unmatched == 0 ? "&#10003; complete"
                             : "&#9888; complete, with unmatched messages");
    put_fact("events lost", "info.lost_events", results->trace->lost_events, out);
    if (results->trace->begun > mwa_trace_origin(results->trace)) {
        fputs("<span>told from <b>", out);
        mwa_html_time("info.told_from_ns",
                      (uint64_t)mwa_trace_since_begin(results->trace, results->trace->begun), out);
        fputs("</b></span>\n", out);
    }
    put_fact("sends unmatched", "info.unmatched_sends", matching->unmatched_sends, out);
    put_fact("receives unmatched", "info.unmatched_receives", matching->unmatched_receives, out);
    put_fact(matching->clock_violations > 0 && mwa_may_be_mismatched(results)
                 ? "clock violations, or messages matched wrongly"
                 : "clock violations",
             "info.clock_violations", matching->clock_violations, out);
    if (results->trace->clocks) {
        put_fact("events moved by --clc", "info.clc.events_moved",
                 results->trace->clocks->all.events, out);
    }
    put_fact("ended inside a call", "info.open_calls", results->profile.open_calls, out);
    fputs("</div>\n", out);
    if (ended && strcmp(ended, "finalized") != 0) {
        fputs("<p>How it ended: ", out);
        mwa_add_ended(results, &line);
        mwa_html_text(line.text, 0, out);
        fputs("</p>\n", out);
    }
}

/* The page has what "-> waits" behind a sentence refers to. */
static const char *without_reference(char *text)
{
    char *reference = strstr(text, " -> ");

    if (reference) {
        *reference = 0;
    }
    return text;
}

void mwa_section_verdict(struct mwa_page *page)
{
    char text[MWA_VERDICT_BYTES];

    if (page->results->hang.sentence_count > 0) {
        fputs("<p class=\"sentence\">", page->out);
        mwa_html_text(page->results->hang.sentences[0], 0, page->out);
        fputs(".</p>\n", page->out);
    }
    fputs("<p class=\"sentence\">", page->out);
    mwa_html_text(mwa_verdict(page->results, text), 0, page->out);
    fputs(".</p>\n", page->out);
    if (mwa_second_verdict(page->results, text)) {
        fputs("<p class=\"advice\"><b>Also</b> ", page->out);
        mwa_html_text(without_reference(text), 0, page->out);
        fputs("</p>\n", page->out);
    }
    if (mwa_advice(page->results, text)) {
        fputs("<p class=\"advice\"><b>Advice</b> ", page->out);
        mwa_html_text(without_reference(text), 0, page->out);
        fputs("</p>\n", page->out);
    }
    if (mwa_places_hide_callers(page->results, text)) {
        fputs("<p class=\"advice\"><b>Places</b> ", page->out);
        mwa_html_text(text, 0, page->out);
        fputs("</p>\n", page->out);
    }
    put_tiles(page);
    put_trust(page);
}
