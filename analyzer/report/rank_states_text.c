#include "analyzer/report/text.h"

#include <inttypes.h>
#include <string.h>

#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/state_looks.h"
#include "analyzer/table/units.h"

#define ROWS_MAX 40u

/* In the order of the states; useful first. */
static const char letters[MWA_RANK_STATES] = { '=', 'p', 'c', 'i', 'o', 'w' };
static const char *const paints[MWA_RANK_STATES] = { "\033[32m", "\033[36m", "\033[34m",
                                                     "\033[35m", "\033[37m", "\033[31m" };

static int64_t edge_ns(const struct mwa_results *results, uint32_t bin)
{
    return mwa_trace_since_begin(results->trace, mwa_window_edge(&results->window, bin));
}

/* Of other locations' states, which are the first of these, too. */
static const char location_letters[MWA_LOCATION_STATES] = { '=', 'p', 'c', 'i',
                                                            'o', 'b', 't', '.' };
static const char *const location_paints[MWA_LOCATION_STATES] = {
    "\033[32m", "\033[36m", "\033[34m", "\033[35m",
    "\033[37m", "\033[31m", "\033[33m", "\033[2m"
};

/* The parts of the window that are one column; those of the last one may be fewer. */
struct column {
    uint32_t from;
    uint32_t to;
};

static struct column column_at(const struct mwa_screen *screen, uint32_t bins, uint32_t from)
{
    return (struct column){ from, bins - from > screen->bins ? from + screen->bins : bins };
}

/* The sums of ranks first to last - 1 in a column. */
static void sum_up(const struct mwa_rank_states *states, uint64_t first, uint64_t last,
                   struct column column, uint64_t *sums)
{
    memset(sums, 0, MWA_RANK_STATES * sizeof *sums);
    for (uint64_t rank = first; rank < last; rank++) {
        for (uint32_t bin = column.from; bin < column.to; bin++) {
            for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
                sums[state] += mwa_rank_states_at(states, rank, bin)[state];
            }
        }
    }
}

/* The same of a row of another location. */
static void sum_up_location(const struct mwa_location_states *states, uint64_t row,
                            struct column column, uint64_t *sums)
{
    memset(sums, 0, MWA_LOCATION_STATES * sizeof *sums);
    for (uint32_t bin = column.from; bin < column.to; bin++) {
        for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
            sums[state] += mwa_location_states_at(states, row, bin)[state];
        }
    }
}

/* The state with the most time, or states when there is none. */
static unsigned most_of(const uint64_t *sums, unsigned states)
{
    unsigned most = states;

    for (unsigned state = 0; state < states; state++) {
        if (sums[state] > 0 && (most == states || sums[state] > sums[most])) {
            most = state;
        }
    }
    return most;
}

/* A letter for the state that a bin has most of; the sums are added to total. */
static void put_bin(const uint64_t *sums, unsigned states, const char *names,
                    const char *const *colours, uint64_t *total, FILE *out)
{
    unsigned most = most_of(sums, states);
    bool is_coloured = colours && most < states;

    fputs(is_coloured ? colours[most] : "", out);
    putc(most < states ? names[most] : ' ', out);
    fputs(is_coloured ? "\033[0m" : "", out);
    for (unsigned state = 0; state < states; state++) {
        total[state] += sums[state];
    }
}

static void put_shares(uint64_t useful, uint64_t wait, uint64_t other, uint64_t all, FILE *out)
{
    char text[3][MWA_UNITS_BYTES];

    fprintf(out, "|" MWA_ROW_CELL " %6s" MWA_ROW_CELL " %6s" MWA_ROW_CELL " %6s" MWA_ROW_CELL,
            mwa_share_text(useful, all, text[0]), mwa_share_text(wait, all, text[1]),
            mwa_share_text(other, all, text[2]));
}

static void put_line(const struct mwa_rank_states *states, uint64_t first, uint64_t last,
                     const struct mwa_screen *screen, FILE *out)
{
    uint64_t total[MWA_RANK_STATES] = { 0 };
    uint64_t all = 0;
    char name[48];

    snprintf(name, sizeof name, last - first > 1 ? "%" PRIu64 "-%" PRIu64 : "%" PRIu64, first,
             last - 1);
    fprintf(out, MWA_ROW_CELL "%9s" MWA_ROW_CELL " |", name);
    for (uint32_t bin = 0; bin < states->bins; bin += screen->bins) {
        uint64_t sums[MWA_RANK_STATES];

        sum_up(states, first, last, column_at(screen, states->bins, bin), sums);
        put_bin(sums, MWA_RANK_STATES, letters, screen->color ? paints : NULL, total, out);
    }
    for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
        all += total[state];
    }
    put_shares(total[MWA_STATE_USEFUL], total[MWA_STATE_WAITING],
               all - total[MWA_STATE_USEFUL] - total[MWA_STATE_WAITING], all, out);
    putc('\n', out);
}

/* The line of another location: what it is stands behind it. */
static void put_location(const struct mwa_results *results, uint64_t row,
                         const struct mwa_screen *screen, FILE *out)
{
    const struct mwa_other_locations *others = &results->other_locations;
    const struct mwa_location_states *states = &results->location_states;
    uint32_t index = others->all[others->first + row].location;
    const struct mwa_location *location = &results->trace->locations[index];
    uint64_t total[MWA_LOCATION_STATES] = { 0 };
    uint64_t all = 0;
    char label[MWA_LOCATION_LABEL_BYTES];

    fprintf(out, MWA_ROW_CELL "%9s" MWA_ROW_CELL " |",
            mwa_location_label(results->trace, others, index, label));
    for (uint32_t bin = 0; bin < states->bins; bin += screen->bins) {
        uint64_t sums[MWA_LOCATION_STATES];

        sum_up_location(states, row, column_at(screen, states->bins, bin), sums);
        put_bin(sums, MWA_LOCATION_STATES, location_letters,
                screen->color ? location_paints : NULL, total, out);
    }
    for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
        all += total[state];
    }
    put_shares(total[MWA_STATE_USEFUL], total[MWA_LOCATION_SYNC],
               all - total[MWA_STATE_USEFUL] - total[MWA_LOCATION_SYNC] - total[MWA_LOCATION_IDLE],
               all, out);
    fprintf(out, " %s ", mwa_location_kind_name(location->kind));
    mwa_put_clean(location->name, out);
    putc('\n', out);
}

/* The lines of the locations of ranks below last, from *row on. */
static void put_locations(const struct mwa_results *results, uint64_t last, uint64_t *row,
                          const struct mwa_screen *screen, FILE *out)
{
    const struct mwa_other_locations *others = &results->other_locations;

    while (*row < results->location_states.rows && others->all[others->first + *row].rank < last) {
        put_location(results, (*row)++, screen, out);
    }
}

/* each: how many ranks have a line together. */
static void put_legend(const struct mwa_results *results, uint64_t each, FILE *out)
{
    const struct mwa_other_locations *others = &results->other_locations;

    fprintf(out, "\n= %s, w waiting for another rank, and in MPI without: p point to point, "
                 "c collective, i I/O, o other; the most of each part of the time\n",
            mwa_state_word(results->trace, MWA_STATE_USEFUL));
    if (each > 1) {
        fprintf(out, "a line has %" PRIu64 " ranks together; --all-ranks has all\n", each);
    }
    if (results->location_states.rows > 0) {
        fprintf(out, "0.1 thread 1 of rank 0, 0.s0 stream 0: b (wait) where threads wait for each "
                     "other, t transfer to or from an accelerator, . idle\n");
    }
    if (others->candidates > results->location_states.rows) {
        fprintf(out, "%" PRIu64 " of %" PRIu64 " threads and streams beside the main threads have "
                     "lines; --locations=all: all\n",
                results->location_states.rows, others->candidates);
    }
}

void mwa_text_rank_states(const struct mwa_results *results, const struct mwa_screen *screen,
                          FILE *out)
{
    const struct mwa_rank_states *states = &results->rank_states;
    const uint32_t rank = results->rank;
    const uint32_t bins = results->window.bins;
    uint64_t first = rank == MWA_NONE ? 0 : rank;
    uint64_t end = rank == MWA_NONE ? states->rank_count : (uint64_t)rank + 1;
    uint64_t each = screen->all_ranks ? 1 : (end - first + ROWS_MAX - 1) / ROWS_MAX;
    int64_t from = edge_ns(results, 0);
    int64_t to = edge_ns(results, bins);
    uint64_t row = 0;
    char text[3][MWA_UNITS_BYTES];

    if (!states->ticks || end > states->rank_count) {
        fprintf(out, "no rank has events\n");
        return;
    }
    fprintf(out, "from %s to %s, %s each\n\n", mwa_moment_text(from, text[0]),
            mwa_moment_text(to, text[1]), mwa_time_text((uint64_t)(to - from) * screen->bins / bins,
                                                     text[2]));
    fprintf(out,
            MWA_CELL "0%9s" MWA_CELL "0  %*s " MWA_CELL "0 %6s" MWA_CELL "0 %6s" MWA_CELL "1 %6s"
            MWA_CELL "C\n",
            "rank", (int)((states->bins + screen->bins - 1) / screen->bins), "",
            results->trace->metrics.has_running ? "no MPI" : "useful", "wait", "other");
    for (uint64_t at = first; at < end; at += each) {
        uint64_t next = at + each < end ? at + each : end;

        put_line(states, at, next, screen, out);
        put_locations(results, next, &row, screen, out);
    }
    put_legend(results, each, out);
}
