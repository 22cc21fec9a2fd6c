/* Tags of messages, as a list and as what the command says of them. */
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"

static const struct mwa_column columns[] = {
    { "tag", "tag", 10, MWA_PLAIN, MWA_IN(struct mwa_tag, tag) },
    { "count", "count", 10, MWA_COUNT, MWA_IN(struct mwa_tag, count) },
    { "bytes", "sent", 10, MWA_BYTES, MWA_IN(struct mwa_tag, bytes) },
};

const struct mwa_table mwa_tags_table = {
    MWA_COLUMNS(columns),
    MWA_ROWS(struct mwa_results, tags.rows, tags.count),
    .none = "no message was sent",
    .note = "receives are not counted",
};

static const struct mwa_column document[] = { { "tags", .table = &mwa_tags_table } };

const struct mwa_table mwa_tags_document = { .shape = MWA_ROW,
                                             .schema = "mpiwatch-tags/1",
                                             MWA_COLUMNS(document) };
