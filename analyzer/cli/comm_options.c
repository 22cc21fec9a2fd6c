/*
 * --rank means a member in what lists communicators, and the rank itself
 * everywhere else: the one place that knows.
 */
#include "analyzer/cli/comm_options.h"

#include "analyzer/analysis/comms/comm_selection.h"
#include "analyzer/table/clean.h"

enum mw_status mwa_comm_options_select(const struct mwa_trace *trace,
                                       const struct mwa_options *options, bool **selected,
                                       struct mw_diagnostic *diagnostic)
{
    const struct mwa_comm_query query = {
        .patterns = options->comm_patterns,
        .pattern_count = options->comm_pattern_count,
        .name = options->comm_name,
        .uid = options->comm_uid,
        .rank = options->command->lists_comms ? options->rank : MWA_NONE
    };

    return mwa_comm_select(trace, &query, selected, diagnostic);
}

void mwa_comm_options_put(const struct mwa_options *options, FILE *out)
{
    for (uint32_t i = 0; i < options->comm_pattern_count; i++) {
        fputs(i > 0 ? ", " : "only on ", out);
        mwa_put_clean(options->comm_patterns[i], out);
    }
    if (options->comm_pattern_count > 0) {
        putc('\n', out);
    }
}
