/* Wait states, the longest waits, and what caused them. */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/analysis/waits/waits_known.h"
#include "analyzer/table/tables.h"
#include "formats/base/order.h"

static const struct mwa_wait_row *row_of(const struct mwa_cell *cell)
{
    return cell->row;
}

static struct mwa_value comm_name(const struct mwa_cell *cell, uint32_t comm)
{
    return mwa_text(comm == MWA_NONE ? NULL : cell->results->trace->comms[comm].name);
}

static struct mwa_value call_name(const struct mwa_cell *cell, uint64_t mpi_index)
{
    const struct mwa_trace *trace = cell->results->trace;

    return mwa_text(trace->regions[trace->mpi_regions[mpi_index]].name);
}

MWA_VALUE(ns_of, mwa_number(*(const uint64_t *)cell->row))
MWA_WHETHER(is_some, *(const uint64_t *)cell->row > 0)

/* Of a list that is null where all are 0. */
static const void *element(const uint64_t *list, uint64_t index)
{
    static const uint64_t nothing = 0;

    return list ? &list[index] : &nothing;
}

/* --- lists in a pattern: by rank, by call, by communicator -------------------------------- */

MWA_COUNT_BY(rank_count, parent->results->waits.rank_count)
MWA_ROW_BY(waited, element(row_of(parent)->rank_ns, index))
MWA_ROW_BY(caused, element(row_of(parent)->cause_ns, index))
MWA_COUNT_BY(call_count, row_of(parent)->call_ns ? parent->results->waits.call_count : 0)
MWA_ROW_BY(in_call, &row_of(parent)->call_ns[index])
MWA_VALUE(call, call_name(cell, cell->index))
MWA_COUNT_BY(comm_count, row_of(parent)->comm_ns ? parent->results->waits.comm_count : 0)
MWA_ROW_BY(on_comm, &row_of(parent)->comm_ns[index])
MWA_VALUE(comm, comm_name(cell, (uint32_t)cell->index))
MWA_VALUE(comm_uid, mwa_comm_uid(cell, (uint32_t)cell->index))

/* The sum over all is less than the time where calls were made in no region. */
MWA_COUNT_BY(region_count, row_of(parent)->region_ns ? parent->results->waits.region_count : 0)
MWA_ROW_BY(in_region, &row_of(parent)->region_ns[index])

static const struct mwa_region *region_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->regions[cell->index];
}

MWA_VALUE(region_name, mwa_text(region_of(cell)->name))
MWA_VALUE(region_file, mwa_region_file(region_of(cell)))
MWA_VALUE(region_line, mwa_region_line(region_of(cell)))

static const struct mwa_column region_columns[] = {
    { "region", MWA_BY(MWA_TEXT, region_name) },
    { "file", MWA_BY(MWA_TEXT, region_file), .unknown = MWA_NOT_SAID },
    { "line", MWA_BY(MWA_NUMBER, region_line), .unknown = MWA_NOT_SAID },
    { "wait_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, ns_of) }
};
static const struct mwa_column call_columns[] = {
    { "call", MWA_BY(MWA_TEXT, call) }, { "wait_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, ns_of) }
};
static const struct mwa_column comm_columns[] = {
    { "comm", MWA_BY(MWA_TEXT, comm) },
    { "comm_uid", MWA_BY(MWA_TEXT, comm_uid) },
    { "wait_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, ns_of) }
};

static const struct mwa_table waited_by_rank = {
    .shape = MWA_VALUES, MWA_COLUMNS(mwa_ns_column), .count = rank_count, .row = waited
};
static const struct mwa_table caused_by_rank = {
    .shape = MWA_VALUES, MWA_COLUMNS(mwa_ns_column), .count = rank_count, .row = caused
};
static const struct mwa_table per_call = {
    MWA_COLUMNS(call_columns), .count = call_count, .row = in_call, .is_shown = is_some
};
static const struct mwa_table per_region = {
    MWA_COLUMNS(region_columns), .count = region_count, .row = in_region, .is_shown = is_some
};
static const struct mwa_table per_comm = {
    MWA_COLUMNS(comm_columns), .count = comm_count, .row = on_comm, .is_shown = is_some
};

/* The call that a site makes; nothing for MWA_NONE. */
static struct mwa_value call_of_site(const struct mwa_cell *cell, uint32_t site)
{
    const struct mwa_trace *trace = cell->results->trace;

    return mwa_text(site == MWA_NONE ? NULL : trace->regions[trace->sites[site].region].name);
}

/* --- single waits, those of a pattern and those of all -------------------------------------- */

static const struct mwa_wait *wait_of(const struct mwa_cell *cell)
{
    return cell->row;
}

MWA_VALUE(wait_call, mwa_text(wait_of(cell)->call->name))
MWA_VALUE(wait_place, mwa_place_value(cell, wait_of(cell)->site))
MWA_VALUE(cause_call, call_of_site(cell, wait_of(cell)->cause_site))
MWA_VALUE(cause_place, mwa_place_value(cell, wait_of(cell)->cause_site))
MWA_VALUE(cause_at, mwa_call_at_value(cell, wait_of(cell)->cause_site))

/* The innermost region of the program that it was in, or null. */
static const struct mwa_region *innermost_of(const struct mwa_cell *cell)
{
    return wait_of(cell)->within ? wait_of(cell)->within->region : NULL;
}

MWA_VALUE(wait_within, mwa_text(innermost_of(cell) ? innermost_of(cell)->name : NULL))
MWA_VALUE(wait_label, innermost_of(cell) ? mwa_region_label(innermost_of(cell)->name,
          innermost_of(cell)) : mwa_nothing())
MWA_VALUE(wait_comm, comm_name(cell, wait_of(cell)->comm))
MWA_VALUE(wait_comm_uid, mwa_comm_uid(cell, wait_of(cell)->comm))

/* Which of all it is: see longest_at. */
MWA_VALUE(wait_pattern, mwa_text(mwa_wait_title((enum mwa_wait_pattern)(cell->index /
          MWA_WAITS_WORST))))
MWA_COUNT_BY(worst_count, row_of(parent)->worst_count)
MWA_ROW_BY(worst_at, &row_of(parent)->worst[index])
MWA_COUNT_BY(longest_count, (uint64_t)MWA_WAIT_PATTERNS * MWA_WAITS_WORST)

/* Of patterns that count. */
static const void *longest_at(const struct mwa_cell *parent, uint64_t index)
{
    const unsigned pattern = (unsigned)(index / MWA_WAITS_WORST);
    const struct mwa_wait_row *row = &parent->results->waits.rows[pattern];

    return mwa_wait_role(pattern) == MWA_WAIT_COUNTS && index % MWA_WAITS_WORST < row->worst_count
               ? &row->worst[index % MWA_WAITS_WORST]
               : NULL;
}

static int by_length(const void *one, const void *other)
{
    const struct mwa_wait *a = one;
    const struct mwa_wait *b = other;

    return mw_order(b->wait, a->wait) ?: mw_order(a->time, b->time);
}

#define NOT_TOLD "the archive does not tell what the pattern needs (unknown says what)"
#define NOBODY       "it waited for nobody in particular"
#define NO_CAUSE     "it waited for nobody in particular, or for no call that is known"
#define NO_COMM      "the call is on none"
#define NO_REGION    "the call is made in no region of the program"
#define WAIT(member) MWA_IN(struct mwa_wait, member)

#define WAIT_COLUMNS                                                                               \
    { "t_ns", "at", 10, MWA_NS, WAIT(time), .clock = MWA_TICKS_SINCE_BEGIN, .aside = 5 },          \
        { "wait_ns", "waited", 10, MWA_NS, WAIT(wait) },     \
        { "rank", "rank", 6, MWA_PLAIN, WAIT(rank) },                                              \
        { "cause_rank", "for rank", 8, MWA_PLAIN, WAIT(cause), .unknown = NOBODY },                \
        { "call", "in", 20, MWA_PLAIN, MWA_BY(MWA_TEXT, wait_call) },                              \
        { "place", "at line", 20, MWA_PLAIN, MWA_BY(MWA_TEXT, wait_place),                         \
          .unknown = MWA_NOT_SAID },                                                               \
        { "comm", "on", 20, MWA_PLAIN, MWA_BY(MWA_TEXT, wait_comm), .unknown = NO_COMM,            \
          .aside = 8 },                                                                            \
        { "comm_uid", MWA_BY(MWA_TEXT, wait_comm_uid), .unknown = NO_COMM },                       \
        { "region", MWA_BY(MWA_TEXT, wait_within), .unknown = NO_REGION },                         \
        { NULL, "until", 30, MWA_PLAIN, MWA_BY(MWA_TEXT, cause_at), .aside = 7 },                  \
        { NULL, "inside of", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, wait_label), .nothing = "",            \
          .aside = 9 },                                                                            \
        { "cause_call", MWA_BY(MWA_TEXT, cause_call), .unknown = NO_CAUSE },                       \
    {                                                                                              \
        "cause_place", MWA_BY(MWA_TEXT, cause_place), .unknown = MWA_NOT_SAID                      \
    }

static const struct mwa_column worst_columns[] = { WAIT_COLUMNS };
static const struct mwa_column longest_columns[] = {
    { "pattern", "pattern", 21, MWA_PLAIN, MWA_BY(MWA_TEXT, wait_pattern) }, WAIT_COLUMNS
};

static const struct mwa_table worst = {
    MWA_COLUMNS(worst_columns), .count = worst_count, .row = worst_at
};
const struct mwa_table mwa_longest_waits_table = { MWA_COLUMNS(longest_columns),
                                                   .count = longest_count,
                                                   .row = longest_at,
                                                   .order = by_length };

/* --- patterns ------------------------------------------------------------------------------- */

MWA_COUNT_BY(pattern_count, MWA_WAIT_PATTERNS)
MWA_ROW_BY(pattern_at, &parent->results->waits.rows[index])
MWA_WHETHER(is_found, row_of(cell)->instances > 0)
MWA_VALUE(pattern_name, mwa_text(mwa_wait_name((enum mwa_wait_pattern)cell->index)))

/* Parts stand below what they are a part of; the marks are explained below the table. */
static struct mwa_value pattern_title(const struct mwa_cell *cell)
{
    static const char *const before[] = { [MWA_WAIT_PART] = "  ", [MWA_WAIT_OUTSIDE] = NULL };
    static const char *const behind[] = { [MWA_WAIT_COMPLETION] = " +", [MWA_WAIT_OUTSIDE] = " *" };
    const enum mwa_wait_role role = mwa_wait_role((enum mwa_wait_pattern)cell->index);
    char *title = NULL;

    if (asprintf(&title, "%s%s%s", before[role] ? before[role] : "",
                 mwa_wait_title((enum mwa_wait_pattern)cell->index),
                 behind[role] ? behind[role] : "") < 0) {
        return mwa_nothing();
    }
    return mwa_owned_text(title);
}

static double of_run(const struct mwa_cell *cell, uint64_t ns)
{
    struct mwa_run_summary run;

    mwa_summarize_run(&cell->results->profile, &run);
    return run.run_ns ? (double)ns / (double)run.run_ns : 0;
}

/* What can't be told from the archive is no 0. */
static const struct mwa_region *unknown(const struct mwa_cell *cell)
{
    const struct mwa_results *results = cell->results;

    return mwa_wait_unknown(results->trace, &results->profile, &results->exchange,
                            (enum mwa_wait_pattern)cell->index);
}

MWA_VALUE(pattern_total, mwa_number_if(!unknown(cell), row_of(cell)->total_ns))
MWA_VALUE(pattern_waits, mwa_number_if(!unknown(cell), row_of(cell)->instances))

static struct mwa_value pattern_share(const struct mwa_cell *cell)
{
    return unknown(cell) ? mwa_nothing() : mwa_real(of_run(cell, row_of(cell)->total_ns));
}

static struct mwa_value pattern_unknown(const struct mwa_cell *cell)
{
    const struct mwa_region *call = unknown(cell);
    char *text = NULL;

    if (call && asprintf(&text, "nothing in the archive tells whom %s waits for", call->name) < 0) {
        text = NULL;
    }
    return mwa_owned_text(text);
}

static struct mwa_value pattern_role(const struct mwa_cell *cell)
{
    static const char *const names[] = { [MWA_WAIT_COUNTS] = "wait",
                                         [MWA_WAIT_PART] = "part",
                                         [MWA_WAIT_COMPLETION] = "completion",
                                         [MWA_WAIT_OUTSIDE] = "outside" };

    return mwa_text(names[mwa_wait_role((enum mwa_wait_pattern)cell->index)]);
}

/* The rank with most of a list, and how much. */
static struct mwa_value most_rank(const struct mwa_cell *cell, const uint64_t *list)
{
    uint32_t rank = mwa_waits_most(list, cell->results->waits.rank_count);

    return mwa_number_if(rank != MWA_NONE, rank);
}

static struct mwa_value most_ns(const struct mwa_cell *cell, const uint64_t *list)
{
    uint32_t rank = mwa_waits_most(list, cell->results->waits.rank_count);

    return mwa_number_if(rank != MWA_NONE, rank != MWA_NONE ? list[rank] : 0);
}

MWA_VALUE(waiting_rank, most_rank(cell, row_of(cell)->rank_ns))
MWA_VALUE(waiting_ns, most_ns(cell, row_of(cell)->rank_ns))
MWA_VALUE(causing_rank, most_rank(cell, row_of(cell)->cause_ns))
MWA_VALUE(causing_ns, most_ns(cell, row_of(cell)->cause_ns))

static struct mwa_value mostly_in(const struct mwa_cell *cell)
{
    uint32_t most = mwa_waits_most(row_of(cell)->call_ns, cell->results->waits.call_count);

    return most == MWA_NONE ? mwa_nothing() : call_name(cell, most);
}

static const struct mwa_column pattern_columns[] = {
    { "name", MWA_BY(MWA_TEXT, pattern_name) },
    { NULL, "pattern", 27, MWA_PLAIN, MWA_BY(MWA_TEXT, pattern_title) },
    { "total_ns", "time", 9, MWA_NS, MWA_BY(MWA_NUMBER, pattern_total),
      .unknown = NOT_TOLD },
    { "share", "of run", 6, MWA_SHARE, MWA_BY(MWA_REAL, pattern_share), .unknown = NOT_TOLD },
    { "instances", "waits", 7, MWA_COUNT, MWA_BY(MWA_NUMBER, pattern_waits),
      .unknown = NOT_TOLD, .aside = 5 },
    { NULL, "rank", 6, MWA_PLAIN, MWA_BY(MWA_NUMBER, waiting_rank) },
    { NULL, "waits most", 10, MWA_NS, MWA_BY(MWA_NUMBER, waiting_ns), .aside = 3 },
    { NULL, "rank", 6, MWA_PLAIN, MWA_BY(MWA_NUMBER, causing_rank) },
    { NULL, "waited for", 10, MWA_NS, MWA_BY(MWA_NUMBER, causing_ns) },
    { NULL, "mostly in", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, mostly_in), .nothing = "" },
    { "per_rank_ns", .table = &waited_by_rank },
    { "worst", .table = &worst },
    { "role", MWA_BY(MWA_TEXT, pattern_role) },
    { "synchronizations", .unit = MWA_COUNT, MWA_IN(struct mwa_wait_row, synchronizations) },
    { "caused_by_rank_ns", .table = &caused_by_rank },
    { "per_call", .table = &per_call },
    { "per_comm", .table = &per_comm },
    { "per_region", .table = &per_region },
    { "unknown", MWA_BY(MWA_TEXT, pattern_unknown),
      .unknown = "the archive tells all that the pattern needs" },
};

const struct mwa_table mwa_patterns_table = { MWA_COLUMNS(pattern_columns),
                                              .count = pattern_count,
                                              .row = pattern_at,
                                              .is_worth = is_found };

/* --- by pattern and rank -------------------------------------------------------------------- */

static const struct mwa_wait_row *pattern_of(const struct mwa_cell *cell)
{
    return &cell->results->waits.rows[cell->index / cell->results->waits.rank_count];
}

static uint64_t rank_of(const struct mwa_cell *cell)
{
    return cell->index % cell->results->waits.rank_count;
}

MWA_COUNT_BY(by_rank_count, MWA_WAIT_PATTERNS * parent->results->waits.rank_count)

static const void *by_rank_at(const struct mwa_cell *parent, uint64_t index)
{
    const struct mwa_cell cell = { .results = parent->results, .index = index };

    return pattern_of(&cell);
}

MWA_VALUE(by_rank_name, mwa_text(mwa_wait_name( (enum mwa_wait_pattern)(cell->index /
          cell->results->waits.rank_count))))
MWA_VALUE(by_rank_rank, mwa_number(rank_of(cell)))
MWA_VALUE(by_rank_waited, mwa_number(*(const uint64_t *)element(row_of(cell)->rank_ns,
          rank_of(cell))))
MWA_VALUE(by_rank_caused, mwa_number(*(const uint64_t *)element(row_of(cell)->cause_ns,
          rank_of(cell))))
MWA_WHETHER(by_rank_shown, by_rank_waited(cell).number > 0 || by_rank_caused(cell).number > 0)

static const struct mwa_column by_rank_columns[] = {
    { "name", MWA_BY(MWA_TEXT, by_rank_name) },
    { "rank", MWA_BY(MWA_NUMBER, by_rank_rank) },
    { "wait_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, by_rank_waited) },
    { "caused_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, by_rank_caused) },
};

const struct mwa_table mwa_waits_table = { MWA_COLUMNS(by_rank_columns),
                                           .count = by_rank_count,
                                           .row = by_rank_at,
                                           .is_shown = by_rank_shown };

/* --- what caused them ----------------------------------------------------------------------- */

#define CELLS_LISTED 256u /* the rest is in the ranks' sums */

static const struct mwa_delay_cell *delay_of(const struct mwa_cell *cell)
{
    return cell->row;
}

static const struct mwa_delays *delays_of(const struct mwa_cell *cell)
{
    return &cell->results->waits.delays;
}

static uint64_t delay_count(const struct mwa_cell *parent)
{
    uint64_t count = delays_of(parent)->cell_count;

    return count < CELLS_LISTED ? count : CELLS_LISTED;
}

MWA_ROW_BY(delay_at, &delays_of(parent)->cells[index])

static struct mwa_value activity(const struct mwa_cell *cell)
{
    const struct mwa_trace *trace = cell->results->trace;
    const uint32_t region = delay_of(cell)->region;

    return mwa_text(region == MWA_NONE             ? "others"
                    : region < trace->region_count ? trace->regions[region].name
                    : trace->metrics.has_running   ? "outside MPI" /* on a core or not */
                                                   : "computation");
}

static struct mwa_value is_mpi(const struct mwa_cell *cell)
{
    const struct mwa_trace *trace = cell->results->trace;
    const uint32_t region = delay_of(cell)->region;

    return mwa_flag(region < trace->region_count &&
                    trace->regions[region].kind != MWA_REGION_USER);
}

static uint64_t cost_of(const struct mwa_cell *cell)
{
    return delay_of(cell)->short_ns + delay_of(cell)->long_ns;
}

MWA_VALUE(before_call, call_of_site(cell, delay_of(cell)->before))
MWA_VALUE(before_place, mwa_main_place_value(cell, delay_of(cell)->before))
MWA_VALUE(before, mwa_main_call_at_value(cell, delay_of(cell)->before))
MWA_VALUE(cost, mwa_number(cost_of(cell)))
MWA_VALUE(cost_share, mwa_share(cost_of(cell), mwa_waits_total_ns(&cell->results->waits)))

static const struct mwa_column delay_columns[] = {
    { "rank", "rank", 6, MWA_PLAIN, MWA_IN(struct mwa_delay_cell, rank) },
    { NULL, "costs", 10, MWA_NS, MWA_BY(MWA_NUMBER, cost) },
    { NULL, "of waiting", 10, MWA_SHARE, MWA_BY(MWA_REAL, cost_share), .aside = 4 },
    { "short_term_ns", "directly", 10, MWA_NS, MWA_IN(struct mwa_delay_cell, short_ns),
      .aside = 6 },
    { "long_term_ns", "passed on", 10, MWA_NS, MWA_IN(struct mwa_delay_cell, long_ns), .aside = 6 },
    { "activity", "by being longer in", 30, MWA_PLAIN,
      MWA_BY(MWA_TEXT, activity) },
    { NULL, "mostly before", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, before), .nothing = "" },
    { "before_call", MWA_BY(MWA_TEXT, before_call),
      .unknown = "no call that was waited for is known" },
    { "before_place", MWA_BY(MWA_TEXT, before_place), .unknown = MWA_NOT_SAID },
    { "is_mpi", MWA_BY(MWA_FLAG, is_mpi) },
};

const struct mwa_table mwa_delays_table = { MWA_COLUMNS(delay_columns),
                                            .count = delay_count,
                                            .row = delay_at };

MWA_COUNT_BY(delay_ranks, delays_of(parent)->rank_count)
MWA_ROW_BY(short_at, element(delays_of(parent)->rank_short_ns, index))
MWA_ROW_BY(long_at, element(delays_of(parent)->rank_long_ns, index))

static const struct mwa_table per_rank_short = {
    .shape = MWA_VALUES, MWA_COLUMNS(mwa_ns_column), .count = delay_ranks, .row = short_at
};
static const struct mwa_table per_rank_long = {
    .shape = MWA_VALUES, MWA_COLUMNS(mwa_ns_column), .count = delay_ranks, .row = long_at
};

#define DELAYS(member) .unit = MWA_NS, MWA_IN(struct mwa_delays, member)

static const struct mwa_column delays_columns[] = {
    { "short_term_ns", DELAYS(short_ns) },
    { "long_term_ns", DELAYS(long_ns) },
    { "unexplained_ns", DELAYS(unexplained_ns) },
    { "indirect_wait_ns", DELAYS(indirect_ns) },
    { "per_rank_short_term_ns", .table = &per_rank_short },
    { "per_rank_long_term_ns", .table = &per_rank_long },
    { "worst", .table = &mwa_delays_table },
};

static const struct mwa_table delays = { .shape = MWA_ROW,
                                         MWA_COLUMNS(delays_columns),
                                         .rows_at = offsetof(struct mwa_results, waits.delays) };

/* --- the document ------------------------------------------------------------------------- */

MWA_VALUE(total, mwa_number(mwa_waits_total_ns(&cell->results->waits)))
MWA_VALUE(total_share, mwa_real(of_run(cell, mwa_waits_total_ns(&cell->results->waits))))
MWA_VALUE(between, mwa_number(mwa_waits_between_ns(&cell->results->waits)))
MWA_VALUE(other_threads, mwa_number(mwa_waits_other_threads_ns(&cell->results->waits)))

MWA_VALUE(across, mwa_number(mwa_across_ns(&cell->results->profile)))

static struct mwa_value ranks_run(const struct mwa_cell *cell)
{
    struct mwa_run_summary run;

    mwa_summarize_run(&cell->results->profile, &run);
    return mwa_number(run.run_ns);
}

MWA_VALUE(unmatched, mwa_number(cell->results->matching.unmatched_sends +
          cell->results->matching.unmatched_receives))

#define RESULT(member) .unit = MWA_COUNT, MWA_IN(struct mwa_results, member)

static const struct mwa_column document[] = {
    { "patterns", .table = &mwa_patterns_table },
    { "total_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, total) },
    { "share", .unit = MWA_SHARE, MWA_BY(MWA_REAL, total_share) },
    { "other_threads_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, other_threads) },
    { "between_polls_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, between) },
    { "with_other_jobs_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, across) },
    { "ranks_run_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, ranks_run) },
    { "delays", .table = &delays },
    { "clock_violations", RESULT(waits.violations) },
    { "clock_violation_max_ns", .unit = MWA_NS,
      MWA_IN(struct mwa_results, waits.violation_max_ns) },
    { "messages_unmatched", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, unmatched) },
    { "collectives_incomplete", RESULT(exchange.collectives_incomplete) },
    { "collectives_uncertain", RESULT(waits.uncertain) },
    { "neighbors_unknown", RESULT(waits.neighbors_unknown) },
    { "calls_unresolved", RESULT(exchange.calls_unresolved) },
    { .table = &mwa_joint_table },
};

const struct mwa_table mwa_waits_document = { .shape = MWA_ROW,
                                              .schema = "mpiwatch-waits/1",
                                              MWA_COLUMNS(document) };
