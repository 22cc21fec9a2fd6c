#include "analyzer/render/clean.h"
#include "analyzer/render/text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/render/host_pairs.h"
#include "analyzer/render/summary.h"
#include "analyzer/render/units.h"
#include "analyzer/render/wildcards.h"

#define PAIRS_MAX 20u
#define BAR_MAX   50u
#define MATRIX_MAX 10u

static int by_bytes(const void *one, const void *other)
{
    const struct mwa_pair *a = *(const struct mwa_pair *const *)one;
    const struct mwa_pair *b = *(const struct mwa_pair *const *)other;

    if (a->bytes != b->bytes) {
        return a->bytes < b->bytes ? 1 : -1;
    }
    return (a > b) - (a < b);
}

static void put_pairs(const struct mwa_traffic *traffic, FILE *out)
{
    const struct mwa_pair **order = calloc(traffic->pair_count + 1, sizeof *order);
    char text[3][MWA_UNITS_BYTES];

    if (!order) {
        return;
    }
    for (uint64_t i = 0; i < traffic->pair_count; i++) {
        order[i] = &traffic->pairs[i];
    }
    qsort(order, traffic->pair_count, sizeof *order, by_bytes);
    fprintf(out, "%6s %6s %10s %10s %10s\n", "from", "to", "messages", "bytes", "share");
    for (uint64_t i = 0; i < traffic->pair_count && i < PAIRS_MAX; i++) {
        fprintf(out, "%6" PRIu32 " %6" PRIu32 " %10s %10s %10s\n", order[i]->from, order[i]->to,
                mwa_count_text(order[i]->count, text[0]), mwa_bytes_text(order[i]->bytes, text[1]),
                mwa_share_text(order[i]->bytes, traffic->bytes, text[2]));
    }
    if (traffic->pair_count > PAIRS_MAX) {
        fprintf(out, "and %" PRIu64 " more pairs: --csv or --json have all\n",
                traffic->pair_count - PAIRS_MAX);
    }
    free(order);
}

/* A line per power of two that has messages. */
static void put_sizes(const struct mwa_traffic *traffic, FILE *out)
{
    uint64_t counts[65] = { 0 };
    uint64_t most = 1;
    char text[3][MWA_UNITS_BYTES];

    for (unsigned bin = 0; bin < MWA_SIZE_BINS; bin++) {
        uint64_t from = mwa_size_of_bin(bin);
        unsigned power = from ? 64u - (unsigned)__builtin_clzll(from) : 0;

        counts[power] += traffic->sizes[bin];
        most = counts[power] > most ? counts[power] : most;
    }
    fprintf(out, "\n%10s %10s %10s\n", "size from", "below", "messages");
    for (unsigned power = 0; power <= 64; power++) {
        unsigned bar = (unsigned)((double)counts[power] / (double)most * BAR_MAX);

        if (counts[power] == 0) {
            continue;
        }
        fprintf(out, "%10s %10s %10s ",
                mwa_bytes_text(power ? UINT64_C(1) << (power - 1) : 0, text[0]),
                mwa_bytes_text(power < 64 ? UINT64_C(1) << power : UINT64_MAX, text[1]),
                mwa_count_text(counts[power], text[2]));
        for (unsigned i = 0; i < bar; i++) {
            putc('#', out);
        }
        putc('\n', out);
    }
}

/* A matrix of bytes, from lines to columns, for as many as the screen is wide. */
static void put_matrix(const char *title, const struct mwa_pair *cells, uint32_t count, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    fprintf(out, "\n%s\n%6s", title, "");
    for (uint32_t to = 0; to < count; to++) {
        fprintf(out, " %8" PRIu32, to);
    }
    putc('\n', out);
    for (uint32_t from = 0; from < count; from++) {
        fprintf(out, "%6" PRIu32, from);
        for (uint32_t to = 0; to < count; to++) {
            const struct mwa_pair *cell = &cells[(size_t)from * count + to];

            fprintf(out, " %8s", cell->count ? mwa_bytes_text(cell->bytes, text) : ".");
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
    struct mwa_host_pairs pairs;

    if (mwa_host_pairs_make(results, &pairs) == MW_OK && pairs.host_count > 1 &&
        pairs.host_count <= MATRIX_MAX) {
        put_matrix("bytes from host (lines) to host (columns)", pairs.cells, pairs.host_count,
                   out);
        for (uint32_t i = 0; i < pairs.host_count; i++) {
            fprintf(out, "%6" PRIu32 " ", i);
            mwa_put_clean(pairs.hosts[i], out);
            putc('\n', out);
        }
    }
    mwa_host_pairs_fini(&pairs);
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

void mwa_text_messages(const struct mwa_results *results, FILE *out)
{
    const struct mwa_traffic *traffic = &results->traffic;
    char text[3][MWA_UNITS_BYTES];

    if (traffic->messages == 0) {
        fprintf(out, "no point-to-point messages in %" PRIu64 " MPI calls\n",
                results->profile.mpi_calls);
        return;
    }
    fprintf(out, "%s messages, %s, median %s\n\n", mwa_count_text(traffic->messages, text[0]),
            mwa_bytes_text(traffic->bytes, text[1]),
            mwa_bytes_text(mwa_traffic_median(traffic), text[2]));
    put_pairs(traffic, out);
    put_rank_matrix(results, out);
    put_host_matrix(results, out);
    put_sizes(traffic, out);
    if (results->has_queueing) {
        put_queueing(&results->queueing, out);
    }
    mwa_text_wildcards(results, out);
}
