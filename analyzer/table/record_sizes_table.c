/* What the bytes of an archive are. */
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"
#include "formats/base/order.h"

MWA_VALUE(share, mwa_share(((const struct mwa_record_size *)cell->row)->bytes,
                           cell->results->record_sizes.event_bytes))

static const struct mwa_column columns[] = {
    { "count", "records", 10, MWA_COUNT, MWA_IN(struct mwa_record_size, count) },
    { "bytes", "bytes", 10, MWA_BYTES, MWA_IN(struct mwa_record_size, bytes) },
    { NULL, "share", 10, MWA_SHARE, MWA_BY(MWA_REAL, share) },
    { "name", "of events", 0, MWA_PLAIN, MWA_IN(struct mwa_record_size, name) },
};

static int by_bytes(const void *one, const void *other)
{
    const struct mwa_record_size *a = one;
    const struct mwa_record_size *b = other;

    return mw_order(b->bytes, a->bytes);
}

const struct mwa_table mwa_record_sizes_table = {
    MWA_COLUMNS(columns),
    MWA_ROWS(struct mwa_results, record_sizes.records, record_sizes.count),
    .order = by_bytes,
    .none = "there are no events",
};

#define SIZE(member) .unit = MWA_BYTES, MWA_IN(struct mwa_results, record_sizes.member)

static const struct mwa_column document[] = {
    { "event_bytes", SIZE(event_bytes) },
    { "event_stored_bytes", SIZE(event_stored_bytes) },
    { "event_rest_bytes", SIZE(rest_bytes) },
    { "other_bytes", SIZE(other_bytes) },
    { "other_stored_bytes", SIZE(other_stored_bytes) },
    { "records", .table = &mwa_record_sizes_table },
};

const struct mwa_table mwa_record_sizes_document = { .shape = MWA_ROW,
                                                     .schema = "mpiwatch-sizes/1",
                                                     MWA_COLUMNS(document) };
