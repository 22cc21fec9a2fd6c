/* What each rank was at when the record of a run that was killed ends, and whom it waited for. */
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"

static const struct mwa_trace *trace_of(const struct mwa_cell *cell)
{
    return cell->results->trace;
}

static const struct mwa_site *site_of(const struct mwa_cell *cell)
{
    const struct mwa_hang_rank *rank = cell->row;

    return rank->site == MWA_NONE ? NULL : &trace_of(cell)->sites[rank->site];
}

static struct mwa_value where_of(const struct mwa_cell *cell)
{
    static const char *const names[] = { [MWA_HANG_UNKNOWN] = "unknown",
                                         [MWA_HANG_OUTSIDE] = "outside",
                                         [MWA_HANG_INSIDE] = "inside",
                                         [MWA_HANG_FINISHED] = "finished" };

    return mwa_text(names[((const struct mwa_hang_rank *)cell->row)->where]);
}

static struct mwa_value call_of(const struct mwa_cell *cell)
{
    const struct mwa_site *site = site_of(cell);

    return mwa_text(site ? trace_of(cell)->regions[site->region].name : NULL);
}

static struct mwa_value file_of(const struct mwa_cell *cell)
{
    const struct mwa_site *site = site_of(cell);

    return mwa_text(site && site->file[0] ? site->file : NULL);
}

static struct mwa_value line_of(const struct mwa_cell *cell)
{
    const struct mwa_site *site = site_of(cell);

    return mwa_number_if(site && site->line > 0, site ? site->line : 0);
}

static struct mwa_value comm_of(const struct mwa_cell *cell)
{
    const struct mwa_hang_rank *rank = cell->row;

    return mwa_text(rank->has_hint && rank->hint.comm != MWA_NONE
                        ? trace_of(cell)->comms[rank->hint.comm].name
                        : NULL);
}

static struct mwa_value since_of(const struct mwa_cell *cell)
{
    const struct mwa_hang_rank *rank = cell->row;

    return mwa_signed_if(rank->site != MWA_NONE,
                         mwa_trace_since_begin(trace_of(cell), rank->since));
}

static struct mwa_value life_of(const struct mwa_cell *cell)
{
    static const char *const names[] = { [MWA_HANG_LIVES] = "no",
                                         [MWA_HANG_MAY_BE_DEAD] = "possible",
                                         [MWA_HANG_DEAD] = "proved" };

    return mwa_text(names[cell->results->hang.graph.life[cell->index]]);
}

/* --- whom it waits for ------------------------------------------------------------- */

static const struct mwa_hang_graph *graph_of(const struct mwa_cell *cell)
{
    return &cell->results->hang.graph;
}

static struct mwa_value why_of(const struct mwa_cell *cell)
{
    static const char *const names[] = { [MWA_HANG_TO_SEND] = "send",
                                         [MWA_HANG_TO_RECEIVE] = "receive",
                                         [MWA_HANG_TO_COME] = "come",
                                         [MWA_HANG_TO_POST] = "post",
                                         [MWA_HANG_TO_COMPLETE] = "complete",
                                         [MWA_HANG_TO_UNLOCK] = "unlock",
                                         [MWA_HANG_TO_MAKE_READY] = "make_ready",
                                         [MWA_HANG_TO_AGREE] = "agree" };

    return mwa_text(names[((const struct mwa_hang_clause *)cell->row)->why]);
}

MWA_COUNT_BY(target_count, ((const struct mwa_hang_clause *)parent->row)->count)
MWA_ROW_BY(target_at,
           &graph_of(parent)->targets[((const struct mwa_hang_clause *)parent->row)->first + index])
MWA_VALUE_OF(target, uint32_t, mwa_number(*row))

static const struct mwa_column target_columns[] = { { "ranks", MWA_BY(MWA_NUMBER, target) } };

static const struct mwa_table target_table = { .shape = MWA_VALUES,
                                               MWA_COLUMNS(target_columns),
                                               .count = target_count,
                                               .row = target_at };

static const struct mwa_column clause_columns[] = {
    { "to", MWA_BY(MWA_TEXT, why_of) },
    { "proved", MWA_IN(struct mwa_hang_clause, is_proved) },
    { "any_of", .table = &target_table },
};

static uint64_t clause_count(const struct mwa_cell *parent)
{
    const uint64_t *first = graph_of(parent)->first_clause;

    return first[parent->index + 1] - first[parent->index];
}

MWA_ROW_BY(clause_at, &graph_of(parent)->clauses[graph_of(parent)->first_clause[parent->index] +
                                                  index])

static const struct mwa_table clause_table = { .shape = MWA_LIST,
                                               MWA_COLUMNS(clause_columns),
                                               .count = clause_count,
                                               .row = clause_at };

static const char no_call[] = "it has made no call that is recorded";
static const char no_line[] = "the archive does not say";

MWA_WHETHER(is_led, mwa_is_called_from(cell, ((const struct mwa_hang_rank *)cell->row)->site))
MWA_CALLED_FROM(called_from, "called_from", mwa_called_from, struct mwa_hang_rank, site, is_led)

static const struct mwa_column columns[] = {
    { "rank", "rank", 6, MWA_IN(struct mwa_hang_rank, rank) },
    { "where", "where", 9, MWA_BY(MWA_TEXT, where_of) },
    { "deadlock", "deadlock", 9, MWA_BY(MWA_TEXT, life_of) },
    { "since_ns", "since", 9, MWA_NS, .is_signed = true, MWA_BY(MWA_NUMBER, since_of),
      .unknown = no_call },
    { "call", "call", 24, MWA_BY(MWA_TEXT, call_of), .unknown = no_call },
    { "communicator", "communicator", 20, MWA_BY(MWA_TEXT, comm_of),
      .unknown = "the call is on none, or the archive does not say" },
    { "file", "file", 0, MWA_BY(MWA_TEXT, file_of), .unknown = no_line },
    { "line", "line", 6, MWA_BY(MWA_NUMBER, line_of), .unknown = no_line },
    { NULL, .table = &called_from },
    { "waits_for", .table = &clause_table },
};

MWA_COUNT_BY(rank_count, parent->results->hang.verdict == MWA_HANG_NONE
                             ? 0
                             : parent->results->hang_states.rank_count)
MWA_ROW_BY(rank_at, &parent->results->hang_states.ranks[index])

const struct mwa_table mwa_hang_table = { .shape = MWA_LIST,
                                          MWA_COLUMNS(columns),
                                          .count = rank_count,
                                          .row = rank_at };

/* --- all of it --------------------------------------------------------------------- */

MWA_COUNT_BY(sentence_count, parent->results->hang.sentence_count)
MWA_ROW_BY(sentence_at, parent->results->hang.sentences[index])
MWA_VALUE_OF(sentence, char, mwa_text(row))

static const struct mwa_column sentence_columns[] = { { "sentence", MWA_BY(MWA_TEXT, sentence) } };

static const struct mwa_table sentence_table = { .shape = MWA_VALUES,
                                                 MWA_COLUMNS(sentence_columns),
                                                 .count = sentence_count,
                                                 .row = sentence_at };

MWA_VALUE(verdict, mwa_text(mwa_hang_verdict_name(cell->results->hang.verdict)))

static const struct mwa_column document_columns[] = {
    { "verdict", MWA_BY(MWA_TEXT, verdict),
      .unknown = "no rank's record ends inside of a call, or the run has ended" },
    { "sentences", .table = &sentence_table },
    { "ranks", .table = &mwa_hang_table },
};

const struct mwa_table mwa_hang_document = { .shape = MWA_ROW,
                                             .schema = "mpiwatch-hang/1",
                                             MWA_COLUMNS(document_columns) };
