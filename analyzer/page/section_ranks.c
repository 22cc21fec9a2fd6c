/* The ranks beside each other. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analyzer/page/html.h"
#include "analyzer/page/page.h"
#include "analyzer/page/page_table.h"
#include "analyzer/report/extreme_ranks.h"
#include "analyzer/report/rank_groups_text.h"
#include "analyzer/table/units.h"

#define BARS_MAX   256u /* more ranks are put together */
#define RANKS_OPEN 64u
#define GROUPS_MOST 64u
#define CELL       10.0

/* The sum of a few ranks. */
struct bar {
    uint64_t ranks; /* that have events */
    uint64_t useful_ns;
    uint64_t mpi_ns;
    uint64_t waiting_ns; /* of MPI */
    uint64_t off_ns;     /* outside of MPI on no core, where that is known */
};

static struct bar bar_of(const struct mwa_results *results, uint64_t first, uint64_t count)
{
    const struct mwa_profile *profile = &results->profile;
    struct bar bar = { 0 };

    for (uint64_t i = first; i < first + count && i < profile->rank_count; i++) {
        if (profile->ranks[i].has_events) {
            bar.ranks++;
            bar.useful_ns += profile->ranks[i].useful_ns;
            bar.mpi_ns += profile->ranks[i].mpi_ns;
            bar.waiting_ns += mwa_waits_run_ns(&results->waits, (uint32_t)i);
            bar.off_ns += profile->ranks[i].running.is_known ? profile->ranks[i].running.outside_ns
                                                             : 0;
        }
    }
    return bar;
}

/* A piece of a bar, from its bottom at below on; in hundredths of the longest run. */
static double put_piece(const char *class, double x, double width, double below, double height,
                        FILE *out)
{
    fprintf(out, "<path class=\"%s\" d=\"M%.2f %.2fh%.2fv%.2fh-%.2fz\"/>", class, x,
            100 - below - height, width, height, width);
    return below + height;
}

static void put_bar(const struct mwa_page *page, uint64_t index, uint64_t per, FILE *out)
{
    const struct bar bar = bar_of(page->results, index * per, per);
    double whole = (double)page->run.longest_run_ns * (double)bar.ranks;
    double gap = page->results->profile.rank_count <= 64 ? .14 * CELL : 0;
    double x = CELL * (double)index + gap / 2, below = 0;
    uint64_t waiting = bar.waiting_ns < bar.mpi_ns ? bar.waiting_ns : bar.mpi_ns;
    char text[3][MWA_UNITS_BYTES];

    if (bar.ranks == 0 || whole <= 0) {
        return;
    }
    fputs("<g class=\"rank\">", out);
    below = put_piece("useful", x, CELL - gap, below, 100 * (double)bar.useful_ns / whole, out);
    below = put_piece("other", x, CELL - gap, below,
                      100 * (double)(bar.mpi_ns - waiting) / whole, out);
    below = put_piece("waiting", x, CELL - gap, below, 100 * (double)waiting / whole, out);
    (void)put_piece("off", x, CELL - gap, below, 100 * (double)bar.off_ns / whole, out);
    fprintf(out, "<title>rank %" PRIu64, index * per);
    if (per > 1) {
        fprintf(out, " to %" PRIu64, index * per + per - 1);
    }
    fprintf(out, ": useful %s, MPI %s, of which waiting %s",
            mwa_time_text(bar.useful_ns / bar.ranks, text[0]),
            mwa_time_text(bar.mpi_ns / bar.ranks, text[1]),
            mwa_time_text(waiting / bar.ranks, text[2]));
    if (bar.off_ns > 0) {
        fprintf(out, ", outside of MPI on no core %s",
                mwa_time_text(bar.off_ns / bar.ranks, text[0]));
    }
    fputs("</title></g>\n", out);
}

static void put_rank_axis(uint64_t ranks, FILE *out)
{
    double step = fmax(1, mwa_plot_step((double)ranks, 16));

    fputs("<div class=\"axis\">", out);
    for (double rank = 0; rank < (double)ranks; rank += step) {
        fprintf(out, "<span style=\"left:%.3f%%\">%.0f</span>",
                100 * (rank + .5) / (double)ranks, rank);
    }
    fputs("</div><div class=\"axis-title\">rank</div>", out);
}

static void put_bars(const struct mwa_page *page)
{
    uint64_t ranks = page->results->profile.rank_count;
    uint64_t per = (ranks + BARS_MAX - 1) / BARS_MAX;
    uint64_t bars = (ranks + per - 1) / per;
    char text[MWA_UNITS_BYTES];
    FILE *out = page->out;

    fprintf(out, "<ul class=\"legend\"><li><i style=\"--c:var(--useful)\"></i>useful</li>"
                 "<li><i style=\"--c:var(--other)\"></i>in MPI, not waiting</li>"
                 "<li><i style=\"--c:var(--waiting)\"></i>waiting</li>%s</ul>\n"
                 "<div class=\"chart\"><div class=\"ylabels\"><span class=\"first\" "
                 "style=\"top:0\">%s</span><span class=\"last\" style=\"top:100%%\">0</span>"
                 "</div>\n<svg class=\"plot\" role=\"img\" aria-label=\"Useful time and MPI time "
                 "of each rank; the numbers are in the table below\" viewBox=\"0 0 %g 100\" "
                 "preserveAspectRatio=\"none\">\n",
            page->results->trace->metrics.has_running
                ? "<li><i style=\"--c:var(--none)\"></i>outside of MPI on no core</li>"
                : "",
            mwa_time_text(page->run.longest_run_ns, text), CELL * (double)bars);
    for (uint64_t i = 0; i < bars; i++) {
        put_bar(page, i, per, out);
    }
    fputs("</svg>\n", out);
    put_rank_axis(ranks, out);
    fputs("</div>\n", out);
    if (per > 1) {
        fprintf(out, "<p class=\"note\">Each bar is the average of %" PRIu64 " ranks.</p>\n", per);
    }
}

/* All, or those that are extreme. */
static void put_hosts(struct mwa_page *page)
{
    bool *is_extreme = mwa_extreme_hosts(page->results);
    const struct mwa_cell root = { .results = page->results, .row = is_extreme };
    const struct mwa_table table = mwa_extreme_hosts_table();

    if (is_extreme) {
        mwa_page_list(page, "ranks.hosts", &table, &root, MWA_HOSTS_WITH_LINES,
                      MWA_HOSTS_WITH_LINES, NULL);
        fputs("<p class=\"note\">", page->out);
        mwa_say_extreme_hosts(page->results, is_extreme, page->out);
        fputs("</p>\n", page->out);
    } else {
        mwa_page_table(page, "ranks.hosts", &mwa_hosts_table, MWA_HOSTS_WITH_LINES,
                       MWA_HOSTS_WITH_LINES, NULL);
    }
    free(is_extreme);
}

/* All, or those that are extreme. */
static void put_ranks(struct mwa_page *page)
{
    bool *is_extreme = mwa_extreme_ranks(page->results);
    const struct mwa_cell root = { .results = page->results, .row = is_extreme };
    const struct mwa_table table = mwa_extreme_ranks_table(&mwa_ranks_table);

    if (is_extreme) {
        mwa_page_list(page, "ranks.ranks", &table, &root, RANKS_OPEN, RANKS_OPEN, NULL);
        fputs("<p class=\"note\">", page->out);
        mwa_say_extreme_ranks(page->results, is_extreme, page->out);
        fputs("</p>\n", page->out);
    } else {
        mwa_page_table(page, "ranks.ranks", &mwa_ranks_table, RANKS_OPEN, RANKS_OPEN, NULL);
    }
    free(is_extreme);
}

/* Of many ranks what they are like, and hosts. */
static void put_groups(struct mwa_page *page)
{
    const struct mwa_rank_groups *groups = &page->results->rank_groups;

    if (page->results->profile.rank_count <= MWA_RANKS_WITH_LINES) {
        return;
    }
    if (groups->cluster_count > 0) {
        fputs("<h3>Clusters of ranks that are alike</h3>\n", page->out);
        mwa_page_table(page, "ranks.clusters", &mwa_clusters_table, MWA_CLUSTERS_WITH_LINES,
                       GROUPS_MOST, NULL);
    }
    if (groups->host_count > 1) {
        fputs("<h3>Hosts</h3>\n", page->out);
        put_hosts(page);
    }
}

void mwa_section_ranks(struct mwa_page *page)
{
    if (page->run.ranks == 0) {
        fputs("<p>No rank has events.</p>\n", page->out);
        return;
    }
    fputs("<p>", page->out);
    mwa_put_spread("Useful time goes", &page->run.useful, page->out);
    mwa_put_spread("; MPI time", &page->run.mpi, page->out);
    fputs(".</p>\n", page->out);
    put_bars(page);
    put_groups(page);
    fputs("<details><summary>Ranks as a table</summary>\n", page->out);
    put_ranks(page);
    fputs("</details>\n", page->out);
}
