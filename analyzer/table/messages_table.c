/* Point-to-point messages: who sends how much to whom, and sizes. */
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"
#include "formats/base/order.h"

/* --- pairs of ranks and of hosts ------------------------------------------------------------ */

MWA_VALUE(share, mwa_share(((const struct mwa_pair *)cell->row)->bytes,
          cell->results->traffic.bytes))

static int by_bytes(const void *one, const void *other)
{
    const struct mwa_pair *a = one;
    const struct mwa_pair *b = other;

    return mw_order(b->bytes, a->bytes);
}

static const struct mwa_column pair_columns[] = {
    { "from", "from", 6, MWA_PLAIN, MWA_IN(struct mwa_pair, from) },
    { "to", "to", 6, MWA_PLAIN, MWA_IN(struct mwa_pair, to) },
    { "count", "messages", 10, MWA_COUNT, MWA_IN(struct mwa_pair, count) },
    { "bytes", "bytes", 10, MWA_BYTES, MWA_IN(struct mwa_pair, bytes) },
    { NULL, "share", 10, MWA_SHARE, MWA_BY(MWA_REAL, share) },
};

const struct mwa_table mwa_messages_table = {
    MWA_COLUMNS(pair_columns),
    MWA_ROWS(struct mwa_results, traffic.pairs, traffic.pair_count),
    .order = by_bytes,
};

MWA_VALUE(from_host, mwa_text(cell->results->host_pairs.hosts[((const struct mwa_pair
          *)cell->row)->from]))
MWA_VALUE(to_host, mwa_text(cell->results->host_pairs.hosts[((const struct mwa_pair
          *)cell->row)->to]))
MWA_WHETHER(has_messages, ((const struct mwa_pair *)cell->row)->count > 0)

static const struct mwa_column host_pair_columns[] = {
    { "from", MWA_BY(MWA_TEXT, from_host) },
    { "to", MWA_BY(MWA_TEXT, to_host) },
    { "count", .unit = MWA_COUNT, MWA_IN(struct mwa_pair, count) },
    { "bytes", .unit = MWA_BYTES, MWA_IN(struct mwa_pair, bytes) },
};

const struct mwa_table mwa_host_pairs_table = {
    MWA_COLUMNS(host_pair_columns),
    MWA_ROWS(struct mwa_results, host_pairs.cells, host_pairs.cell_count),
    .is_shown = has_messages,
};

/* --- sizes: powers of two that have messages, 0, 1, 2 to 3, 4 to 7, … ----------------- */

MWA_COUNT_BY(power_count, MWA_SIZE_POWERS)
MWA_ROW_BY(power_at, &parent->results->traffic.powers[index])
MWA_WHETHER(has_size, *(const uint64_t *)cell->row > 0)
MWA_VALUE(from_bytes, mwa_number(cell->index > 0 ? UINT64_C(1) << (cell->index - 1) : 0))
MWA_VALUE(to_bytes, mwa_number(cell->index < 64 ? UINT64_C(1) << cell->index : UINT64_MAX))
MWA_VALUE(size_count, mwa_number(*(const uint64_t *)cell->row))

/* As long as there are many. */
static struct mwa_value bar(const struct mwa_cell *cell)
{
    static const char full[] = "##################################################";
    const uint64_t *powers = cell->results->traffic.powers;
    uint64_t most = 1;
    size_t length;

    for (unsigned i = 0; i < MWA_SIZE_POWERS; i++) {
        most = powers[i] > most ? powers[i] : most;
    }
    length = (size_t)((double)powers[cell->index] / (double)most * (double)(sizeof full - 1));
    return mwa_text(full + sizeof full - 1 - length);
}

static const struct mwa_column size_columns[] = {
    { "from_bytes", "size from", 10, MWA_BYTES, MWA_BY(MWA_NUMBER, from_bytes) },
    { "to_bytes", "below", 10, MWA_BYTES, MWA_BY(MWA_NUMBER, to_bytes) },
    { "count", "messages", 10, MWA_COUNT, MWA_BY(MWA_NUMBER, size_count) },
    { NULL, "", MWA_BY(MWA_TEXT, bar), .place = MWA_ON_SCREEN },
};

const struct mwa_table mwa_sizes_table = { MWA_COLUMNS(size_columns),
                                           .count = power_count,
                                           .row = power_at,
                                           .is_shown = has_size };

/* --- receives posted late, receives of any source or tag ------------------------------------ */

MWA_VALUE_OF(queueing_average, struct mwa_queueing, mwa_number(row->late_posted ? row->total_ns /
             row->late_posted : 0))
MWA_WHETHER(has_queueing, mwa_has(cell->results, MWA_NEED_QUEUEING))

static const struct mwa_column queueing_columns[] = {
    { "matched", .unit = MWA_COUNT, MWA_IN(struct mwa_queueing, matched) },
    { "synchronisations", .unit = MWA_COUNT, MWA_IN(struct mwa_queueing, without_bytes) },
    { "late_posted", .unit = MWA_COUNT, MWA_IN(struct mwa_queueing, late_posted) },
    { "late_posted_byte_ns", MWA_IN(struct mwa_queueing, late_byte_ns) },
    { "queueing_average_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, queueing_average) },
    { "queueing_max_ns", .unit = MWA_NS, MWA_IN(struct mwa_queueing, max_ns) },
    { "queueing_max_from", MWA_IN(struct mwa_queueing, max_from),
      .unknown = "no message was late" },
    { "queueing_max_to", MWA_IN(struct mwa_queueing, max_to), .unknown = "no message was late" },
};

static const struct mwa_table queueing = { .shape = MWA_ROW,
                                           MWA_COLUMNS(queueing_columns),
                                           .rows_at = offsetof(struct mwa_results, queueing),
                                           .is_known = has_queueing };

MWA_VALUE(rank, mwa_number(cell->index))
MWA_WHETHER(has_receives, ((const struct mwa_wildcard_count *)cell->row)->receives > 0)
MWA_WHETHER(has_any, ((const struct mwa_wildcard_count *)cell->row)->any > 0)
MWA_WHETHER(is_known, cell->results->wildcards.known)
MWA_VALUE(comm_name, mwa_text(cell->results->trace->comms[cell->index].name))
MWA_VALUE(comm_uid, mwa_comm_uid(cell, (uint32_t)cell->index))

#define WILDCARD(member) .unit = MWA_COUNT, MWA_IN(struct mwa_wildcard_count, member)
#define WILDCARDS                                                                                  \
    { "any_source", WILDCARD(any_source) }, { "any_tag", WILDCARD(any_tag) },                      \
    {                                                                                              \
        "any", WILDCARD(any)                                                                       \
    }

static const struct mwa_column by_rank[] = { { "rank", MWA_BY(MWA_NUMBER, rank) },
                                             { "receives", WILDCARD(receives) },
                                             WILDCARDS };
static const struct mwa_column by_comm[] = { { "comm", MWA_BY(MWA_TEXT, comm_name) },
                                             { "comm_uid", MWA_BY(MWA_TEXT, comm_uid) },
                                             WILDCARDS };

const struct mwa_table mwa_wildcards_table = {
    MWA_COLUMNS(by_rank),
    MWA_ROWS(struct mwa_results, wildcards.ranks, wildcards.rank_count),
    .is_shown = has_receives,
    .is_known = is_known,
};

static const struct mwa_table per_rank = {
    MWA_COLUMNS(by_rank),
    MWA_ROWS(struct mwa_wildcards, ranks, rank_count),
    .is_shown = has_receives,
};

static const struct mwa_table per_comm = {
    MWA_COLUMNS(by_comm),
    MWA_ROWS(struct mwa_wildcards, comms, comm_count),
    .is_shown = has_any,
};

#define TOTAL(member) .unit = MWA_COUNT, MWA_IN(struct mwa_wildcards, total.member)

static const struct mwa_column wildcard_columns[] = {
    { "receives", TOTAL(receives) },
    { "any_source", TOTAL(any_source) },
    { "any_tag", TOTAL(any_tag) },
    { "any", TOTAL(any) },
    { "per_rank", .table = &per_rank },
    { "per_comm", .table = &per_comm },
};

static const struct mwa_table wildcards = { .shape = MWA_ROW,
                                            MWA_COLUMNS(wildcard_columns),
                                            .rows_at = offsetof(struct mwa_results, wildcards),
                                            .is_known = is_known,
                                            .unknown = "the archive does not say which receives "
                                                       "were for anybody" };

/* --- the document ------------------------------------------------------------------------- */

MWA_VALUE(median, mwa_number(mwa_traffic_median(&cell->results->traffic)))

static const struct mwa_column document[] = {
    { "messages", .unit = MWA_COUNT, MWA_IN(struct mwa_results, traffic.messages) },
    { "bytes", .unit = MWA_BYTES, MWA_IN(struct mwa_results, traffic.bytes) },
    { "median_bytes", .unit = MWA_BYTES, MWA_BY(MWA_NUMBER, median) },
    { "pairs", .table = &mwa_messages_table },
    { "sizes", .table = &mwa_sizes_table },
    { "host_pairs", .table = &mwa_host_pairs_table },
    { .table = &queueing },
    { "wildcards", .table = &wildcards },
    { .table = &mwa_joint_table },
};

const struct mwa_table mwa_messages_document = { .shape = MWA_ROW,
                                                 .schema = "mpiwatch-messages/1",
                                                 MWA_COLUMNS(document) };
