/* Several runs side by side. */
#include "analyzer/page/compare_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "analyzer/export/output.h"
#include "analyzer/page/html.h"
#include "analyzer/page/page_table.h"
#include "analyzer/report/compare_words.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"
#include "config.h"

#define TIMES_OPEN 12u
#define TIMES_MOST 100u

#define NAME_CHARACTERS 44u /* both ends of a place tell */

static void put_title(struct mwa_page *page)
{
    fprintf(page->out, "%" PRIu64 " runs \xc2\xb7 mpiwatch", page->comparison->run_count);
}

static void put_header(struct mwa_page *page)
{
    FILE *out = page->out;

    fprintf(out, "<h1>%" PRIu64 " runs side by side</h1>\n<p class=\"facts\"><span>",
            page->comparison->run_count);
    mwa_html_text(page->comparison->runs[0].program ? page->comparison->runs[0].program
                                                    : "program not known",
                  120, out);
    fputs("</span></p>", out);
}

static void put_footer(struct mwa_page *page)
{
    fputs("Made by mpiwatch-analyze " PACKAGE_VERSION ". The numbers of this page are in it as "
          "JSON, in the element #report.",
          page->out);
}

static void put_extent(struct mwa_page *page)
{
    fputs("data-from=\"0\" data-to=\"0\"", page->out);
}

static void put_data(struct mwa_page *page)
{
    const struct mwa_cell root = { .row = page->comparison };

    mwa_page_put_json(page, mwa_table_json(&mwa_compare_document, &root));
}

/* --- what it comes to ----------------------------------------------------------------------- */

static void put_sentences(struct mwa_page *page, const struct mwa_table *table,
                          const char *before, const char *behind)
{
    const struct mwa_cell root = { .row = page->comparison };
    struct mwa_cell cell;

    for (uint64_t at = 0; mwa_next_row(table, &root, &at, &cell);) {
        struct mwa_value value = mwa_value_of(&table->columns[0], &cell);

        fputs(before, page->out);
        mwa_html_text(value.text ? value.text : "no memory", 0, page->out);
        fputs(behind, page->out);
        free(value.owned);
    }
}

static void put_verdict(struct mwa_page *page)
{
    const struct mwa_comparison *comparison = page->comparison;
    char name[MWA_RUN_NAME_BYTES];
    FILE *out = page->out;

    put_sentences(page, &mwa_compare_sentences, "<p class=\"sentence\">", ".</p>\n");
    put_sentences(page, &mwa_compare_differences,
                  "<p class=\"warning\"><span class=\"badge warn\">&#9888; warning</span> ",
                  "</p>\n");
    fputs("<dl class=\"settings\">\n", out);
    for (uint64_t i = 0; i < comparison->run_count; i++) {
        fprintf(out, "<dt>%s</dt><dd class=\"mono\">", mwa_run_name(i, name));
        mwa_html_text(comparison->runs[i].archive, 0, out);
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n", out);
}

static void put_runs(struct mwa_page *page)
{
    const struct mwa_fallen fallen = mwa_comparison_fallen(page->comparison);
    const struct mwa_cell root = { .row = page->comparison };
    FILE *out = page->out;

    mwa_page_list(page, "runs", &mwa_compare_table, &root, UINT64_MAX, UINT64_MAX, NULL);
    fprintf(out, "<p class=\"note\">%s scaling, against A; global = on core \xc3\x97 balance "
                 "\xc3\x97 serialisation \xc3\x97 transfer \xc3\x97 computation.</p>\n",
            page->comparison->is_weak ? "Weak" : "Strong");
    if (fallen.factor) {
        fprintf(out, "<p><b>%s</b> %s: %.2f with %" PRIu32
                     " ranks, %.0f%% of what it is in A.</p>\n",
                fallen.factor,
                fallen.has_fallen ? "falls first" : "is the lowest, and none falls far",
                fallen.value, fallen.ranks, 100 * fallen.of_reference);
    }
}

/* --- the curve ------------------------------------------------------------------------------- */

/* Ranks and speed-up are of a doubling each as wide; both sides have the same span. */
struct curve {
    double first_ranks, span; /* as powers of two; of speed-up from low on */
    double low;
};

static int by_ranks(const void *left, const void *right)
{
    const struct mwa_compared_run *const *a = left, *const *b = right;

    return ((*a)->pop.ranks > (*b)->pop.ranks) - ((*a)->pop.ranks < (*b)->pop.ranks);
}

static double x_of(const struct curve *curve, const struct mwa_compared_run *run)
{
    return 4 + 92 * (log2(run->pop.ranks) - curve->first_ranks) / curve->span;
}

static double y_of(const struct curve *curve, double speedup)
{
    return 96 - 92 * (log2(speedup) - curve->low) / curve->span;
}

static bool has_point(const struct mwa_compared_run *run)
{
    return run->pop.ranks > 0 && isfinite(run->speedup) && run->speedup > 0;
}

static struct curve curve_of(const struct mwa_compared_run *const *runs, uint64_t count)
{
    double first = log2(runs[0]->pop.ranks), last = log2(runs[count - 1]->pop.ranks);
    double low = 0, high = 0;

    for (uint64_t i = 0; i < count; i++) {
        low = fmin(low, log2(runs[i]->speedup));
        high = fmax(high, log2(runs[i]->speedup));
    }
    return (struct curve){ first, fmax(fmax(last - first, high - low), .5), low };
}

static void put_points(struct mwa_page *page, const struct curve *curve,
                       const struct mwa_compared_run *const *runs, uint64_t count)
{
    const struct mwa_compared_run *reference = &page->comparison->runs[0];
    char name[MWA_RUN_NAME_BYTES];
    FILE *out = page->out;

    fputs("<path class=\"ideal\" d=\"", out);
    for (uint64_t i = 0; i < count; i++) {
        fprintf(out, "%s%.2f %.2f", i > 0 ? "L" : "M", x_of(curve, runs[i]),
                y_of(curve, (double)runs[i]->pop.ranks / reference->pop.ranks));
    }
    fputs("\"/><path class=\"line\" d=\"", out);
    for (uint64_t i = 0; i < count; i++) {
        fprintf(out, "%s%.2f %.2f", i > 0 ? "L" : "M", x_of(curve, runs[i]),
                y_of(curve, runs[i]->speedup));
    }
    fputs("\"/>", out);
    for (uint64_t i = 0; i < count; i++) {
        fprintf(out, "<rect class=\"size\" x=\"%.2f\" y=\"%.2f\" width=\"1\" "
                     "height=\"2\"><title>%s: %.0f ranks, speed-up %.2f, efficiency "
                     "%.2f</title></rect>",
                x_of(curve, runs[i]) - .5, y_of(curve, runs[i]->speedup) - 1,
                mwa_run_name((uint64_t)(runs[i] - reference), name), (double)runs[i]->pop.ranks,
                runs[i]->speedup, runs[i]->efficiency);
    }
}

static void put_curve_frame(struct mwa_page *page, const struct curve *curve,
                            const struct mwa_compared_run *const *runs, uint64_t count)
{
    FILE *out = page->out;

    fputs("<div class=\"chart\" style=\"--height:260px\"><div class=\"ylabels\">", out);
    for (double power = ceil(curve->low); power <= curve->low + curve->span; power++) {
        fprintf(out, "<span style=\"top:%.2f%%\">%g</span>", y_of(curve, exp2(power)), exp2(power));
    }
    fputs("</div>\n<svg class=\"plot\" role=\"img\" aria-label=\"Speed-up by ranks, with the ideal "
          "one; the numbers are in the table of runs\" viewBox=\"0 0 100 100\" "
          "preserveAspectRatio=\"none\">\n",
          out);
    put_points(page, curve, runs, count);
    fputs("</svg>\n<div class=\"axis\">", out);
    for (uint64_t i = 0; i < count; i++) {
        if (i == 0 || runs[i]->pop.ranks != runs[i - 1]->pop.ranks) {
            fprintf(out, "<span style=\"left:%.2f%%\">%.0f</span>", x_of(curve, runs[i]),
                    (double)runs[i]->pop.ranks);
        }
    }
    fputs("</div><div class=\"axis-title\">ranks; left: speed-up, both in doublings; dashed: "
          "ideal</div></div>\n",
          out);
}

static void put_curve(struct mwa_page *page)
{
    const struct mwa_comparison *comparison = page->comparison;
    const struct mwa_compared_run **runs = calloc(comparison->run_count, sizeof *runs);
    uint64_t count = 0;

    if (!runs) {
        page->status = MW_ERROR_MEMORY;
        return;
    }
    for (uint64_t i = 0; i < comparison->run_count; i++) {
        if (has_point(&comparison->runs[i])) {
            runs[count++] = &comparison->runs[i];
        }
    }
    if (!mwa_comparison_scales(comparison) || count < 2 || comparison->runs[0].pop.ranks == 0) {
        fputs("<p>All runs have as many ranks: there is no curve.</p>\n", page->out);
    } else {
        struct curve curve;

        qsort(runs, count, sizeof *runs, by_ranks);
        curve = curve_of(runs, count);
        put_curve_frame(page, &curve, runs, count);
    }
    free(runs);
}

/* --- what changed ----------------------------------------------------------------------------- */

/* Time per rank in each run; the difference to A. */
static void put_time(const struct mwa_compared_time *time, FILE *out)
{
    fputs("<tr><td class=name>", out);
    mwa_html_text(time->title ? time->title : time->name, NAME_CHARACTERS, out);
    fputs("</td>", out);
    for (uint64_t run = 0; run < time->run_count; run++) {
        fputs("<td>", out);
        mwa_html_time(NULL, time->per_rank_ns[run], out);
        fputs("</td>", out);
    }
    for (uint64_t run = 1; run < time->run_count; run++) {
        char change[MWA_UNITS_BYTES];

        fprintf(out, "<td>%s</td>",
                mwa_change_text((double)time->per_rank_ns[0], (double)time->per_rank_ns[run],
                                change));
    }
    fputs("</tr>\n", out);
}

static void put_rows(const struct mwa_compared_times *times, uint64_t from, uint64_t to,
                     uint64_t runs, FILE *out)
{
    char name[MWA_RUN_NAME_BYTES];

    fputs("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th scope=\"col\" "
          "class=\"left\">time per rank in</th>",
          out);
    for (uint64_t i = 0; i < runs; i++) {
        fprintf(out, "<th scope=\"col\">%s</th>", mwa_run_name(i, name));
    }
    for (uint64_t i = 1; i < runs; i++) {
        fprintf(out, "<th scope=\"col\">%s, change</th>", mwa_run_name(i, name));
    }
    fputs("</tr></thead><tbody>\n", out);
    for (uint64_t i = from; i < to; i++) {
        put_time(&times->list[i], out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* They are sorted: the first ones changed most, the last ones maybe not at all. */
static uint64_t count_changed(const struct mwa_compared_times *times)
{
    uint64_t count = 0;

    while (count < times->count && times->list[count].change_ns > 0) {
        count++;
    }
    return count;
}

static void put_times(struct mwa_page *page, const struct mwa_compared_times *times)
{
    const uint64_t all = count_changed(times), shown = all < TIMES_MOST ? all : TIMES_MOST;
    const uint64_t open = shown < TIMES_OPEN ? shown : TIMES_OPEN;
    FILE *out = page->out;

    if (shown == 0) {
        fputs("<p>None has changed.</p>\n", out);
        return;
    }
    fprintf(out, "<div class=\"listing\" data-all=\"%" PRIu64 "\">\n", all);
    put_rows(times, 0, open, page->comparison->run_count, out);
    if (shown > open) {
        fprintf(out, "<details><summary>%" PRIu64 " more of %" PRIu64 "</summary>\n", shown - open,
                all);
        put_rows(times, open, shown, page->comparison->run_count, out);
        fputs("</details>\n", out);
    }
    fputs("</div>\n<p class=\"note\">Changes are against A.</p>\n", out);
}

static void put_calls(struct mwa_page *page)
{
    put_times(page, &page->comparison->calls);
}

static void put_lines(struct mwa_page *page)
{
    if (page->comparison->knows_lines) {
        put_times(page, &page->comparison->lines);
    } else {
        fputs("<p>An archive does not say where its calls were made.</p>\n", page->out);
    }
}

static void put_waits(struct mwa_page *page)
{
    put_times(page, &page->comparison->waits);
}

/* --- the page --------------------------------------------------------------------------------- */

static const struct mwa_section sections[] = {
    { "verdict", "Verdict", "Verdict", .put = put_verdict },
    { "runs", "Factors", "Factors side by side", .put = put_runs },
    { "speedup", "Speed-up", "Speed-up by ranks", .put = put_curve },
    { "calls", "Calls", "Calls that changed most", .put = put_calls },
    { "lines", "Lines", "Lines whose calls changed most", .put = put_lines },
    { "waits", "Waits", "Waits that changed most", .put = put_waits },
};

#define SECTIONS (sizeof sections / sizeof sections[0])

static void put_menu(struct mwa_page *page)
{
    mwa_page_put_menu(page, sections, SECTIONS);
}

static void put_sections(struct mwa_page *page)
{
    mwa_page_put_sections(page, sections, SECTIONS);
}

static const struct mwa_placeholder placeholders[] = {
    { "title", put_title },   { "extent", put_extent },     { "header", put_header },
    { "menu", put_menu },     { "sections", put_sections }, { "footer", put_footer },
    { "data", put_data }
};

enum mw_status mwa_compare_page_write_file(const struct mwa_comparison *comparison,
                                           const char *path, bool force,
                                           struct mw_diagnostic *diagnostic)
{
    static const struct mwa_results nothing;
    struct mwa_output output;
    enum mw_status status = mwa_output_open(&output, path, MWA_OUTPUT_PAGE, force, diagnostic);
    struct mwa_page page = { .results = &nothing, .comparison = comparison, .out = output.file };

    if (status != MW_OK) {
        return status;
    }
    mwa_page_expand(&page, placeholders, sizeof placeholders / sizeof placeholders[0]);
    status = page.status == MW_OK ? MW_OK : mw_no_memory(diagnostic, NULL, "for the page");
    return mwa_output_close(&output, status, diagnostic);
}
