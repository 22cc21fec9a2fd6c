#include "analyzer/report/text.h"

#include <inttypes.h>

#include "analyzer/table/clean.h"
#include "analyzer/table/units.h"

/* The rank or communicator with the most receives of any, MWA_NONE: none has. */
static uint32_t most_of(const struct mwa_wildcard_count *list, uint64_t count)
{
    uint64_t most = 0;

    for (uint64_t i = 1; list && i < count; i++) {
        most = list[i].any > list[most].any ? i : most;
    }
    return list && count > 0 && list[most].any > 0 ? (uint32_t)most : MWA_NONE;
}

void mwa_text_wildcards(const struct mwa_results *results, FILE *out)
{
    const struct mwa_wildcards *wildcards = &results->wildcards;
    const uint32_t rank = most_of(wildcards->ranks, wildcards->rank_count);
    const uint32_t comm = most_of(wildcards->comms, wildcards->comm_count);
    char text[5][MWA_UNITS_BYTES];

    if (!wildcards->known) {
        fprintf(out, "receives for any source or tag: not known, the archive does not say\n");
        return;
    }
    fprintf(out, "receives for any source: %s, for any tag: %s, of %s",
            mwa_count_text(wildcards->total.any_source, text[0]),
            mwa_count_text(wildcards->total.any_tag, text[1]),
            mwa_count_text(wildcards->total.receives, text[2]));
    if (rank != MWA_NONE) {
        fprintf(out, "; most in rank %" PRIu32 ": %s", rank,
                mwa_count_text(wildcards->ranks[rank].any, text[3]));
    }
    if (comm != MWA_NONE) {
        fputs(", on ", out);
        mwa_put_clean(results->trace->comms[comm].name, out);
        fprintf(out, ": %s", mwa_count_text(wildcards->comms[comm].any, text[4]));
    }
    putc('\n', out);
}
