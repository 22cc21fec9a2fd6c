/* Who waited for whom. */
#include <inttypes.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/page/page_table.h"
#include "analyzer/table/units.h"

#define WORST_SHOWN  12u
#define DELAYS_SHOWN 12u
#define WORST_MOST   24u
#define DELAYS_MOST  24u

/* Whose doing the waits are. */
static void put_delays(struct mwa_page *page)
{
    const struct mwa_delays *delays = &page->results->waits.delays;
    char text[3][MWA_UNITS_BYTES];

    if (delays->cell_count == 0) {
        return;
    }
    fprintf(page->out,
            "<h3>What caused them</h3>\n<p>Ranks that came late cost others %s directly, and %s "
            "by waits that were passed on; %s are not explained.</p>\n",
            mwa_time_text(delays->short_ns, text[0]), mwa_time_text(delays->long_ns, text[1]),
            mwa_time_text(delays->unexplained_ns, text[2]));
    mwa_page_table(page, "waits.delays.worst", &mwa_delays_table, DELAYS_SHOWN, DELAYS_MOST, NULL);
}

/* It has the timeline show the wait. */
static void put_button(const struct mwa_cell *cell, FILE *out)
{
    const struct mwa_wait *wait = cell->row;
    const int64_t from_ns = mwa_trace_since_begin(cell->results->trace, wait->time);

    fprintf(out, "<td><button type=\"button\" class=\"window\" data-from=\"%" PRId64
                 "\" data-to=\"%" PRId64 "\">show</button></td>",
            from_ns, from_ns + (int64_t)wait->wait);
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
    if (mwa_probing_ns(page->results) > 0) {
        fprintf(out, " MPI_Probe and MPI_Mprobe take %s besides: for whom is not recorded.",
                mwa_time_text(mwa_probing_ns(page->results), text[0]));
    }
    if (mwa_across_ns(&page->results->profile) > 0) {
        fprintf(out, " Calls with ranks of other jobs take %s besides: how long they wait for "
                     "these is not known.",
                mwa_time_text(mwa_across_ns(&page->results->profile), text[0]));
    }
    if (waits->violations > 0) {
        fprintf(out,
                " Where clocks disagree, %" PRIu64 " %s cut off at the end of the call.",
                waits->violations, waits->violations == 1 ? "wait was" : "waits were");
    }
    fputs("</p>\n", out);
    if (listed > 0) {
        mwa_page_table(page, "waits.patterns", &mwa_patterns_table, MWA_WAIT_PATTERNS,
                       MWA_WAIT_PATTERNS, NULL);
        fputs("<p class=\"note\">+ is the operation's own time: nobody came late; * is outside of "
              "the run. Neither is in the sum.</p>\n",
              out);
    }
    put_delays(page);
    if (total > 0) {
        fputs("<h3>The longest waits</h3>\n", out);
        mwa_page_table(page, NULL, &mwa_longest_waits_table, WORST_SHOWN, WORST_MOST, put_button);
        mwa_closeups_draw(page);
    }
}
