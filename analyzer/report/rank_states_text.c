#include "analyzer/report/text.h"

#include <inttypes.h>
#include <string.h>

#include "analyzer/table/units.h"

#define ROWS_MAX 40u

/* In the order of the states; useful first. */
static const char letters[MWA_RANK_STATES] = { '=', 'p', 'c', 'i', 'o', 'w' };
static const char *const paints[MWA_RANK_STATES] = { "\033[32m", "\033[36m", "\033[34m",
                                                     "\033[35m", "\033[37m", "\033[31m" };

static uint64_t edge_ns(const struct mwa_results *results, uint32_t bin)
{
    return mwa_trace_since_begin(results->trace, mwa_window_edge(&results->window, bin));
}

/* The sums of ranks first to last - 1 in a bin. */
static void sum_up(const struct mwa_rank_states *states, uint64_t first, uint64_t last,
                   uint32_t bin, uint64_t *sums)
{
    memset(sums, 0, MWA_RANK_STATES * sizeof *sums);
    for (uint64_t rank = first; rank < last; rank++) {
        for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
            sums[state] += mwa_rank_states_at(states, rank, bin)[state];
        }
    }
}

/* The state with the most time, or MWA_RANK_STATES when there is none. */
static unsigned most_of(const uint64_t *sums)
{
    unsigned most = MWA_RANK_STATES;

    for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
        if (sums[state] > 0 && (most == MWA_RANK_STATES || sums[state] > sums[most])) {
            most = state;
        }
    }
    return most;
}

static void put_line(const struct mwa_rank_states *states, uint64_t first, uint64_t last,
                     bool color, FILE *out)
{
    uint64_t total[MWA_RANK_STATES] = { 0 };
    uint64_t all = 0;
    char name[48], text[3][MWA_UNITS_BYTES];

    snprintf(name, sizeof name, last - first > 1 ? "%" PRIu64 "-%" PRIu64 : "%" PRIu64, first,
             last - 1);
    fprintf(out, "%9s |", name);
    for (uint32_t bin = 0; bin < states->bins; bin++) {
        uint64_t sums[MWA_RANK_STATES];
        unsigned most;

        sum_up(states, first, last, bin, sums);
        most = most_of(sums);
        if (color && most < MWA_RANK_STATES) {
            fputs(paints[most], out);
        }
        putc(most < MWA_RANK_STATES ? letters[most] : ' ', out);
        fputs(color && most < MWA_RANK_STATES ? "\033[0m" : "", out);
        for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
            total[state] += sums[state];
            all += sums[state];
        }
    }
    fprintf(out, "| %6s %6s %6s\n", mwa_share_text(total[MWA_STATE_USEFUL], all, text[0]),
            mwa_share_text(total[MWA_STATE_WAITING], all, text[1]),
            mwa_share_text(all - total[MWA_STATE_USEFUL] - total[MWA_STATE_WAITING], all,
                           text[2]));
}

void mwa_text_rank_states(const struct mwa_results *results, const struct mwa_screen *screen,
                          FILE *out)
{
    const struct mwa_rank_states *states = &results->rank_states;
    const uint32_t rank = results->rank;
    const uint32_t bins = results->window.bins;
    uint64_t first = rank == MWA_NONE ? 0 : rank;
    uint64_t end = rank == MWA_NONE ? states->rank_count : (uint64_t)rank + 1;
    uint64_t each = (end - first + ROWS_MAX - 1) / ROWS_MAX;
    uint64_t from = edge_ns(results, 0);
    uint64_t to = edge_ns(results, bins);
    char text[3][MWA_UNITS_BYTES];

    if (!states->ticks || end > states->rank_count) {
        fprintf(out, "no rank has events\n");
        return;
    }
    fprintf(out, "from %s to %s, %s each\n\n", mwa_time_text(from, text[0]),
            mwa_time_text(to, text[1]), mwa_time_text((to - from) / bins, text[2]));
    fprintf(out, "%9s  %*s  %6s %6s %6s\n", "rank", (int)states->bins, "", "useful", "wait",
            "other");
    for (uint64_t at = first; at < end; at += each) {
        put_line(states, at, at + each < end ? at + each : end, screen->color, out);
    }
    fprintf(out, "\n= useful, w waiting for another rank, and in MPI without: p point to point, "
                 "c collective,\ni I/O, o other; the most of each part of the time\n");
}
