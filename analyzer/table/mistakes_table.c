/* What is never received or complete, and collectives that ranks do not agree on. */
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"

static const struct mwa_mistake *mistake_of(const struct mwa_cell *cell)
{
    return cell->row;
}

static const struct mwa_site *site_of(const struct mwa_cell *cell, uint32_t site)
{
    return site == MWA_NONE ? NULL : &cell->results->trace->sites[site];
}

static struct mwa_value call_at(const struct mwa_cell *cell, uint32_t at)
{
    const struct mwa_site *site = site_of(cell, at);

    return mwa_text(site ? cell->results->trace->regions[site->region].name : NULL);
}

static struct mwa_value file_at(const struct mwa_cell *cell, uint32_t at)
{
    const struct mwa_site *site = site_of(cell, at);

    return mwa_text(site && site->file[0] ? site->file : NULL);
}

static struct mwa_value line_at(const struct mwa_cell *cell, uint32_t at)
{
    const struct mwa_site *site = site_of(cell, at);

    return mwa_number_if(site && site->line > 0, site ? site->line : 0);
}

MWA_VALUE(kind, mwa_text(mwa_mistake_name(mistake_of(cell)->kind)))
MWA_VALUE(other, mwa_number_if(mistake_of(cell)->other != MWA_NONE, mistake_of(cell)->other))
MWA_VALUE(comm, mwa_text(mistake_of(cell)->comm == MWA_NONE
                             ? NULL
                             : cell->results->trace->comms[mistake_of(cell)->comm].name))
MWA_VALUE(tag, mwa_number_if(mistake_of(cell)->tag != MWA_NONE, mistake_of(cell)->tag))
MWA_VALUE(sent, mwa_number_if(mistake_of(cell)->bytes != UINT64_MAX, mistake_of(cell)->bytes))
MWA_VALUE(received, mwa_number_if(mistake_of(cell)->other_bytes != UINT64_MAX,
                                  mistake_of(cell)->other_bytes))
MWA_VALUE(term, mwa_text(mwa_mistake_term(mistake_of(cell), false)))
MWA_VALUE(other_term, mwa_text(mwa_mistake_term(mistake_of(cell), true)))
MWA_VALUE(call, call_at(cell, mistake_of(cell)->site))
MWA_VALUE(file, file_at(cell, mistake_of(cell)->site))
MWA_VALUE(line, line_at(cell, mistake_of(cell)->site))
MWA_VALUE(other_call, call_at(cell, mistake_of(cell)->other_site))
MWA_VALUE(other_file, file_at(cell, mistake_of(cell)->other_site))
MWA_VALUE(other_line, line_at(cell, mistake_of(cell)->other_site))

#define NO_OTHER "there is no other rank, or the archive does not say which"
#define NO_BYTES "it is not about bytes"
#define NO_TERMS "it is neither about an MPI_Op nor about types"

MWA_WHETHER(is_led, mwa_is_called_from(cell, mistake_of(cell)->site))
MWA_WHETHER(is_other_led, mwa_is_called_from(cell, mistake_of(cell)->other_site))
MWA_CALLED_FROM(called_from, "called_from", mwa_called_from, struct mwa_mistake, site, is_led)
MWA_CALLED_FROM(other_called_from, "other_called_from", mwa_called_from, struct mwa_mistake,
                other_site, is_other_led)

static const struct mwa_column columns[] = {
    { "kind", "kind", 24, MWA_BY(MWA_TEXT, kind) },
    { "sure", NULL, 0, MWA_IN(struct mwa_mistake, is_sure) },
    { "count", "count", 8, .unit = MWA_COUNT, MWA_IN(struct mwa_mistake, count) },
    { "rank", "rank", 6, MWA_IN(struct mwa_mistake, rank) },
    { "other_rank", "other", 6, MWA_BY(MWA_NUMBER, other), .unknown = NO_OTHER },
    { "communicator", "communicator", 20, MWA_BY(MWA_TEXT, comm), .unknown = MWA_NOT_SAID },
    { "tag", "tag", 6, MWA_BY(MWA_NUMBER, tag),
      .unknown = "it is no message, or the archive does not say" },
    { "bytes_sent", .unit = MWA_BYTES, MWA_BY(MWA_NUMBER, sent), .unknown = NO_BYTES },
    { "bytes_received", .unit = MWA_BYTES, MWA_BY(MWA_NUMBER, received), .unknown = NO_BYTES },
    { "term", "terms", .place = MWA_ON_PAGE, MWA_BY(MWA_TEXT, term), .unknown = NO_TERMS },
    { "other_term", "other's", .place = MWA_ON_PAGE, MWA_BY(MWA_TEXT, other_term),
      .unknown = NO_TERMS },
    { "call", "call", 20, MWA_BY(MWA_TEXT, call), .unknown = MWA_NOT_SAID },
    { "file", "file", 0, MWA_BY(MWA_TEXT, file), .unknown = MWA_NOT_SAID },
    { "line", "line", 6, MWA_BY(MWA_NUMBER, line), .unknown = MWA_NOT_SAID },
    { "other_call", "other call", .place = MWA_ON_PAGE, MWA_BY(MWA_TEXT, other_call),
      .unknown = NO_OTHER },
    { "other_file", MWA_BY(MWA_TEXT, other_file), .unknown = NO_OTHER },
    { "other_line", MWA_BY(MWA_NUMBER, other_line), .unknown = NO_OTHER },
    { NULL, .table = &called_from },
    { NULL, .table = &other_called_from },
};

MWA_COUNT_BY(mistake_count, parent->results->mistakes.count)
MWA_ROW_BY(mistake_at, &parent->results->mistakes.list[index])

const struct mwa_table mwa_mistakes_table = { .shape = MWA_LIST,
                                              MWA_COLUMNS(columns),
                                              .count = mistake_count,
                                              .row = mistake_at };

static const struct mwa_column document_columns[] = {
    { "mistakes", .table = &mwa_mistakes_table },
    { "errors", .table = &mwa_call_errors_table },
};

const struct mwa_table mwa_mistakes_document = { .shape = MWA_ROW,
                                                 .schema = "mpiwatch-mistakes/1",
                                                 MWA_COLUMNS(document_columns) };
