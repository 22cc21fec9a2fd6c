/* MPI calls by time. */
#include <inttypes.h>

#include "analyzer/page/html.h"
#include "analyzer/page/sections.h"
#include "analyzer/render/summary.h"

#define CALLS_OPEN 15u /* in sight at once */

static void put_row(const struct mwa_call_row *row, uint64_t index, uint64_t total, FILE *out)
{
    char of[64];

    fputs("<tr><td class=\"name\">", out);
    mwa_html_text(row->region->name, 60, out);
    fputs("</td><td>", out);
    snprintf(of, sizeof of, "calls.calls.%" PRIu64 ".count", index);
    mwa_html_count(of, row->count, out);
    fputs("</td><td>", out);
    snprintf(of, sizeof of, "calls.calls.%" PRIu64 ".time_ns", index);
    mwa_html_time(of, row->time_ns, out);
    fputs("</td><td>", out);
    if (row->region->kind == MWA_REGION_MPI) {
        mwa_html_share(row->time_ns, total, out);
    }
    fputs("</td><td>", out);
    mwa_html_time(NULL, row->count > 0 ? row->time_ns / row->count : 0, out);
    fputs("</td><td>", out);
    mwa_html_time(NULL, row->max_ns, out);
    fputs("</td><td>", out);
    mwa_html_time(NULL, row->rank_min_ns, out);
    fputs("</td><td>", out);
    mwa_html_time(NULL, row->rank_max_ns, out);
    fprintf(out, "</td><td>%" PRIu32 "</td><td>", row->rank_max);
    mwa_html_bytes(NULL, row->bytes_sent, out);
    fputs("</td><td>", out);
    mwa_html_bytes(NULL, row->bytes_received, out);
    fputs("</td></tr>\n", out);
}

static void put_table(const struct mwa_profile *profile, uint64_t from, uint64_t to, FILE *out)
{
    uint64_t total = mwa_calls_time_ns(profile);

    fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">call</th>"
          "<th scope=\"col\">count</th><th scope=\"col\">time</th><th scope=\"col\">of MPI</th>"
          "<th scope=\"col\">mean</th><th scope=\"col\">longest</th>"
          "<th scope=\"col\">rank least</th><th scope=\"col\">rank most</th>"
          "<th scope=\"col\">rank</th><th scope=\"col\">sent</th>"
          "<th scope=\"col\">received</th></tr></thead><tbody>\n",
          out);
    for (uint64_t i = from; i < to; i++) {
        put_row(&profile->calls[i], i, total, out);
    }
    fputs("</tbody></table></div>\n", out);
}

void mwa_section_calls(struct mwa_page *page)
{
    const struct mwa_profile *profile = &page->results->profile;
    uint64_t count = profile->call_count;

    if (count == 0) {
        fputs("<p>No MPI call was recorded.</p>\n", page->out);
        return;
    }
    put_table(profile, 0, count < CALLS_OPEN ? count : CALLS_OPEN, page->out);
    if (count > CALLS_OPEN) {
        fprintf(page->out, "<details><summary>%" PRIu64 " more calls</summary>\n",
                count - CALLS_OPEN);
        put_table(profile, CALLS_OPEN, count, page->out);
        fputs("</details>\n", page->out);
    }
}
