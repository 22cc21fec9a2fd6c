#include "analyzer/report/rank_states_text.h"

#include <inttypes.h>
#include <string.h>

#include "analyzer/table/units.h"
#include "analyzer/table/values.h"

#define ROWS_MAX 40u

/* In the order of the states; useful first. */
static const char letters[MWA_RANK_STATES] = { '=', 'p', 'c', 'i', 'o', 'w' };
static const char *const paints[MWA_RANK_STATES] = { "\033[32m", "\033[36m", "\033[34m",
                                                     "\033[35m", "\033[37m", "\033[31m" };

static bool is_shown(uint32_t rank, uint64_t each)
{
    return rank == MWA_NONE || rank == each;
}

static uint64_t edge_ns(const struct mwa_trace *trace, const struct mwa_window *window,
                        uint32_t bin)
{
    return mwa_trace_since_begin(trace, mwa_window_edge(window, bin));
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

void mwa_text_rank_states(const struct mwa_trace *trace, const struct mwa_window *window,
                          const struct mwa_rank_states *states, uint32_t rank, bool color,
                          FILE *out)
{
    uint64_t first = rank == MWA_NONE ? 0 : rank;
    uint64_t end = rank == MWA_NONE ? states->rank_count : (uint64_t)rank + 1;
    uint64_t each = (end - first + ROWS_MAX - 1) / ROWS_MAX;
    char text[3][MWA_UNITS_BYTES];

    if (!states->ticks || end > states->rank_count) {
        fprintf(out, "no rank has events\n");
        return;
    }
    fprintf(out, "from %s to %s, %s each\n\n", mwa_time_text(edge_ns(trace, window, 0), text[0]),
            mwa_time_text(edge_ns(trace, window, window->bins), text[1]),
            mwa_time_text((edge_ns(trace, window, window->bins) - edge_ns(trace, window, 0)) /
                              window->bins,
                          text[2]));
    fprintf(out, "%9s  %*s  %6s %6s %6s\n", "rank", (int)states->bins, "", "useful", "wait",
            "other");
    for (uint64_t at = first; at < end; at += each) {
        put_line(states, at, at + each < end ? at + each : end, color, out);
    }
    fprintf(out, "\n= useful, w waiting for another rank, and in MPI without: p point to point, "
                 "c collective,\ni I/O, o other; the most of each part of the time\n");
}

json_t *mwa_json_rank_states(const struct mwa_trace *trace, const struct mwa_window *window,
                             const struct mwa_rank_states *states, uint32_t rank)
{
    json_t *object = json_object();
    json_t *edges = json_array();
    json_t *list = json_array();

    for (uint32_t bin = 0; bin <= window->bins; bin++) {
        json_array_append_new(edges, mwa_json_number(edge_ns(trace, window, bin)));
    }
    for (uint64_t each = 0; states->ticks && each < states->rank_count; each++) {
        json_t *row = is_shown(rank, each) ? json_object() : NULL;

        json_object_set_new(row, "rank", mwa_json_number(each));
        for (unsigned state = 0; row && state < MWA_RANK_STATES; state++) {
            json_t *times = json_array();
            char key[32];

            for (uint32_t bin = 0; bin < states->bins; bin++) {
                uint64_t ticks = mwa_rank_states_at(states, each, bin)[state];

                json_array_append_new(times, mwa_json_number(mwa_trace_ns(trace, ticks)));
            }
            snprintf(key, sizeof key, "%s_ns", mwa_rank_state_name(state));
            json_object_set_new(row, key, times);
        }
        if (row) {
            json_array_append_new(list, row);
        }
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-timeline/1"));
    json_object_set_new(object, "edges_ns", edges);
    json_object_set_new(object, "ranks", list);
    return object;
}

void mwa_csv_rank_states(const struct mwa_trace *trace, const struct mwa_window *window,
                         const struct mwa_rank_states *states, uint32_t rank, FILE *out)
{
    fputs("rank,from_ns,to_ns", out);
    for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
        fprintf(out, ",%s_ns", mwa_rank_state_name(state));
    }
    putc('\n', out);
    for (uint64_t each = 0; states->ticks && each < states->rank_count; each++) {
        for (uint32_t bin = 0; is_shown(rank, each) && bin < states->bins; bin++) {
            fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64, each, edge_ns(trace, window, bin),
                    edge_ns(trace, window, bin + 1));
            for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
                uint64_t ticks = mwa_rank_states_at(states, each, bin)[state];

                fprintf(out, ",%" PRIu64, mwa_trace_ns(trace, ticks));
            }
            putc('\n', out);
        }
    }
}
