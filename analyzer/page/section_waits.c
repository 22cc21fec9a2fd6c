/* Who waited for whom. */
#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/page/html.h"
#include "analyzer/page/sections.h"
#include "analyzer/render/delays.h"
#include "analyzer/render/units.h"

#define WORST_SHOWN  12u
#define DELAYS_SHOWN 12u

/* A wait and its pattern, to be sorted. */
struct instance {
    const struct mwa_wait *wait;
    enum mwa_wait_pattern pattern;
};

static void put_rank(uint32_t rank, FILE *out)
{
    if (rank == MWA_NONE) {
        fputs("\xe2\x80\x93", out);
    } else {
        fprintf(out, "%" PRIu32, rank);
    }
}

/* The rank with most of list, and how much. */
static void put_most(const uint64_t *list, uint64_t count, FILE *out)
{
    uint32_t rank = mwa_waits_most(list, count);

    fputs("</td><td>", out);
    put_rank(rank, out);
    fputs("</td><td>", out);
    if (rank != MWA_NONE) {
        mwa_html_time(NULL, list[rank], out);
    }
}

static const char *role_text(enum mwa_wait_pattern pattern)
{
    switch (mwa_wait_role(pattern)) {
    case MWA_WAIT_PART:
        return pattern == MWA_WAIT_LATE_COMPLETE ? " <small>(part of early wait)</small>"
                                                 : " <small>(part of late sender)</small>";
    case MWA_WAIT_COMPLETION:
        return " <small>(nobody came late)</small>";
    case MWA_WAIT_OUTSIDE:
        return " <small>(outside of the run)</small>";
    default:
        return "";
    }
}

static void put_row(const struct mwa_page *page, enum mwa_wait_pattern pattern)
{
    const struct mwa_waits *waits = &page->results->waits;
    const struct mwa_trace *trace = page->results->trace;
    const struct mwa_wait_row *row = &waits->rows[pattern];
    uint32_t call = mwa_waits_most(row->call_ns, waits->call_count);
    char of[64];
    FILE *out = page->out;

    fprintf(out, "<tr><td class=\"wide\">%s%s</td><td>", mwa_wait_title(pattern),
            role_text(pattern));
    snprintf(of, sizeof of, "waits.patterns.%u.total_ns", (unsigned)pattern);
    mwa_html_time(of, row->total_ns, out);
    fputs("</td><td>", out);
    if (mwa_wait_role(pattern) != MWA_WAIT_OUTSIDE) {
        mwa_html_share(row->total_ns, page->run.run_ns, out);
    }
    fputs("</td><td>", out);
    mwa_html_count(NULL, row->instances, out);
    put_most(row->rank_ns, waits->rank_count, out);
    put_most(row->cause_ns, waits->rank_count, out);
    fputs("</td><td class=\"left name\">", out);
    if (call != MWA_NONE) {
        mwa_html_text(trace->regions[trace->mpi_regions[call]].name, 30, out);
    }
    fputs("</td></tr>\n", out);
}

static int by_length(const void *left, const void *right)
{
    const struct instance *a = left, *b = right;

    if (a->wait->wait != b->wait->wait) {
        return a->wait->wait < b->wait->wait ? 1 : -1;
    }
    return (a->wait->time > b->wait->time) - (a->wait->time < b->wait->time);
}

/* The longest waits of all patterns that count; returns how many. */
static unsigned choose_worst(const struct mwa_waits *waits, struct instance *list)
{
    unsigned count = 0;

    for (unsigned pattern = 0; pattern < MWA_WAIT_PATTERNS; pattern++) {
        const struct mwa_wait_row *row = &waits->rows[pattern];

        for (uint32_t i = 0; mwa_wait_role(pattern) == MWA_WAIT_COUNTS && i < row->worst_count;
             i++) {
            list[count++] = (struct instance){ &row->worst[i], pattern };
        }
    }
    qsort(list, count, sizeof *list, by_length);
    return count < WORST_SHOWN ? count : WORST_SHOWN;
}

static void put_instance(const struct mwa_page *page, const struct instance *instance)
{
    const struct mwa_wait *wait = instance->wait;
    FILE *out = page->out;

    fputs("<tr><td>", out);
    mwa_html_time(NULL, wait->wait, out);
    fprintf(out, "</td><td class=\"left\">%s</td><td>", mwa_wait_title(instance->pattern));
    put_rank(wait->rank, out);
    fputs("</td><td>", out);
    put_rank(wait->cause, out);
    fputs("</td><td class=\"left name\">", out);
    mwa_html_text(wait->call ? wait->call->name : "", 30, out);
    fputs("</td><td class=\"left name\">", out);
    mwa_html_text(wait->comm == MWA_NONE ? "" : page->results->trace->comms[wait->comm].name, 30,
                  out);
    fputs("</td><td>", out);
    mwa_html_time(NULL, wait->time, out);
    fprintf(out, "</td><td><button type=\"button\" class=\"window\" data-from=\"%" PRIu64
                 "\" data-to=\"%" PRIu64 "\">show</button></td></tr>\n",
            wait->time, wait->time + wait->wait);
}

static void put_worst(const struct mwa_page *page)
{
    struct instance list[MWA_WAIT_PATTERNS * MWA_WAITS_WORST];
    unsigned count = choose_worst(&page->results->waits, list);
    FILE *out = page->out;

    if (count == 0) {
        return;
    }
    fputs("<h3>The longest waits</h3>\n<div class=\"scroll\"><table><thead><tr>"
          "<th scope=\"col\">waited</th><th scope=\"col\" class=\"left\">pattern</th>"
          "<th scope=\"col\">rank</th><th scope=\"col\">for rank</th>"
          "<th scope=\"col\" class=\"left\">in</th><th scope=\"col\" class=\"left\">on</th>"
          "<th scope=\"col\">at</th><td></td></tr></thead><tbody>\n",
          out);
    for (unsigned i = 0; i < count; i++) {
        put_instance(page, &list[i]);
    }
    fputs("</tbody></table></div>\n", out);
}

static void put_delay(const struct mwa_page *page, const struct mwa_delay_cell *cell)
{
    uint64_t cost = cell->short_ns + cell->long_ns;
    FILE *out = page->out;

    fputs("<tr><td>", out);
    put_rank(cell->rank, out);
    fputs("</td><td class=\"left name\">", out);
    mwa_html_text(mwa_delay_activity(page->results->trace, cell), 30, out);
    fputs("</td><td>", out);
    mwa_html_time(NULL, cost, out);
    fputs("</td><td>", out);
    mwa_html_share(cost, mwa_waits_total_ns(&page->results->waits), out);
    fputs("</td><td>", out);
    mwa_html_time(NULL, cell->short_ns, out);
    fputs("</td><td>", out);
    mwa_html_time(NULL, cell->long_ns, out);
    fputs("</td></tr>\n", out);
}

/* Whose doing the waits are. */
static void put_delays(const struct mwa_page *page)
{
    const struct mwa_delays *delays = &page->results->waits.delays;
    char text[3][MWA_UNITS_BYTES];
    FILE *out = page->out;

    if (delays->cell_count == 0) {
        return;
    }
    fprintf(out,
            "<h3>What caused them</h3>\n<p>Ranks that came late cost others %s directly, and %s "
            "by waits that were passed on; %s are not explained.</p>\n",
            mwa_time_text(delays->short_ns, text[0]), mwa_time_text(delays->long_ns, text[1]),
            mwa_time_text(delays->unexplained_ns, text[2]));
    fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">rank</th>"
          "<th scope=\"col\" class=\"left\">by more time in</th><th scope=\"col\">costs</th>"
          "<th scope=\"col\">of waiting</th><th scope=\"col\">directly</th>"
          "<th scope=\"col\">passed on</th></tr></thead><tbody>\n",
          out);
    for (uint64_t i = 0; i < delays->cell_count && i < DELAYS_SHOWN; i++) {
        put_delay(page, &delays->cells[i]);
    }
    fputs("</tbody></table></div>\n", out);
}

static void put_patterns(const struct mwa_page *page)
{
    const struct mwa_waits *waits = &page->results->waits;
    FILE *out = page->out;

    fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">pattern</th>"
          "<th scope=\"col\">total</th><th scope=\"col\">of run</th>"
          "<th scope=\"col\">instances</th><th scope=\"col\" colspan=\"2\">rank waits most</th>"
          "<th scope=\"col\" colspan=\"2\">rank waited for most</th>"
          "<th scope=\"col\" class=\"left\">most in</th></tr></thead><tbody>\n",
          out);
    for (unsigned pattern = 0; pattern < MWA_WAIT_PATTERNS; pattern++) {
        if (waits->rows[pattern].total_ns > 0) {
            put_row(page, pattern);
        }
    }
    fputs("</tbody></table></div>\n", out);
}

void mwa_section_waits(struct mwa_page *page)
{
    const struct mwa_waits *waits = &page->results->waits;
    uint64_t total = mwa_waits_total_ns(waits), listed = 0;
    char text[2][MWA_UNITS_BYTES];
    FILE *out = page->out;

    for (unsigned pattern = 0; pattern < MWA_WAIT_PATTERNS; pattern++) {
        listed += waits->rows[pattern].total_ns;
    }
    fprintf(out, "<p>Ranks wait for each other for %s, %s of their runs.",
            mwa_time_text(total, text[0]), mwa_share_text(total, page->run.run_ns, text[1]));
    if (mwa_waits_other_threads_ns(waits) > 0) {
        fprintf(out, " %s of it are in other threads than the main ones.",
                mwa_time_text(mwa_waits_other_threads_ns(waits), text[0]));
    }
    if (waits->violations > 0) {
        fprintf(out,
                " Where clocks disagree, %" PRIu64 " waits were cut off at the end of the call.",
                waits->violations);
    }
    fputs("</p>\n", out);
    if (listed > 0) {
        put_patterns(page);
    }
    put_delays(page);
    put_worst(page);
}
