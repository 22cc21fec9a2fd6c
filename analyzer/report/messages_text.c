#include "analyzer/report/text.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"

#include <inttypes.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

#define PAIRS_MAX 20u
#define MATRIX_MAX 10u

/* A matrix of bytes, from lines to columns, for as many as the screen is wide. */
static void put_matrix(const char *title, const struct mwa_pair *cells, uint32_t count, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    fprintf(out, "\n%s\n" MWA_CELL "0%6s", title, "");
    for (uint32_t to = 0; to < count; to++) {
        fprintf(out, MWA_CELL "%" PRIu32 " %8" PRIu32, to > 0 ? to - 1 : 0, to);
    }
    putc('\n', out);
    for (uint32_t from = 0; from < count; from++) {
        fprintf(out, MWA_ROW_CELL "%6" PRIu32, from);
        for (uint32_t to = 0; to < count; to++) {
            const struct mwa_pair *cell = &cells[(size_t)from * count + to];

            fprintf(out, MWA_ROW_CELL " %8s",
                    cell->count ? mwa_bytes_text(cell->bytes, text) : ".");
        }
        putc('\n', out);
    }
}

static void put_rank_matrix(const struct mwa_results *results, FILE *out)
{
    struct mwa_pair cells[MATRIX_MAX * MATRIX_MAX] = { { 0 } };
    uint32_t count = (uint32_t)results->trace->rank_count;

    if (results->trace->rank_count > MATRIX_MAX) {
        return;
    }
    for (uint64_t i = 0; i < results->traffic.pair_count; i++) {
        const struct mwa_pair *pair = &results->traffic.pairs[i];

        cells[(size_t)pair->from * count + pair->to] = *pair;
    }
    put_matrix("bytes from rank (lines) to rank (columns)", cells, count, out);
}

static void put_host_matrix(const struct mwa_results *results, FILE *out)
{
    const struct mwa_host_pairs *pairs = &results->host_pairs;

    if (pairs->host_count > 1 && pairs->host_count <= MATRIX_MAX) {
        put_matrix("bytes from host (lines) to host (columns)", pairs->cells, pairs->host_count,
                   out);
        for (uint32_t i = 0; i < pairs->host_count; i++) {
            fprintf(out, "%6" PRIu32 " ", i);
            mwa_put_clean(pairs->hosts[i], out);
            putc('\n', out);
        }
    }
}

static void put_queueing(const struct mwa_queueing *queueing, FILE *out)
{
    char text[4][MWA_UNITS_BYTES];

    fprintf(out, "\nreceives posted after the send began: %s of %s",
            mwa_count_text(queueing->late_posted, text[0]),
            mwa_count_text(queueing->matched, text[1]));
    if (queueing->late_posted > 0) {
        fprintf(out, ", by %s on average, at most %s (%" PRIu32 " -> %" PRIu32 ")",
                mwa_time_text(queueing->total_ns / queueing->late_posted, text[2]),
                mwa_time_text(queueing->max_ns, text[3]), queueing->max_from, queueing->max_to);
    }
    putc('\n', out);
}

void mwa_text_messages(const struct mwa_results *results, const struct mwa_screen *screen,
                       FILE *out)
{
    const struct mwa_traffic *traffic = &results->traffic;
    const struct mwa_cell root = { .results = results, .row = results };
    char text[3][MWA_UNITS_BYTES];

    mwa_text_jobs(results, out);
    if (traffic->messages == 0) {
        fprintf(out, "no point-to-point messages in %" PRIu64 " MPI calls\n",
                results->profile.mpi_calls);
        return;
    }
    fprintf(out, "%s messages, %s, median %s\n\n", mwa_count_text(traffic->messages, text[0]),
            mwa_bytes_text(traffic->bytes, text[1]),
            mwa_bytes_text(mwa_traffic_median(traffic), text[2]));
    mwa_table_text(&mwa_messages_table, &root, PAIRS_MAX, "--csv or --json have all", out);
    put_rank_matrix(results, out);
    put_host_matrix(results, out);
    putc('\n', out);
    mwa_table_text(&mwa_sizes_table, &root, UINT64_MAX, NULL, out);
    if (mwa_has(results, MWA_NEED_QUEUEING)) {
        put_queueing(&results->queueing, out);
    }
    mwa_text_wildcards(results, out);
}
