/* Why a run that was killed hung. */
#include "analyzer/report/text.h"

#include "analyzer/table/clean.h"
#include "analyzer/table/tables.h"

#define RANKS_MAX 20u

void mwa_text_hang(const struct mwa_results *results, const struct mwa_screen *screen, FILE *out)
{
    const struct mwa_hang *hang = &results->hang;
    const struct mwa_cell root = { .results = results, .row = results };

    if (hang->verdict == MWA_HANG_NONE) {
        fputs(results->trace->incomplete
                  ? "no rank's record ends inside of a call: nothing hangs, as far as is known\n"
                  : "the run has ended, and all of it is in the archive: nothing hangs\n",
              out);
        return;
    }
    for (uint64_t i = 0; i < hang->sentence_count; i++) {
        mwa_put_clean(hang->sentences[i], out);
        putc('\n', out);
    }
    putc('\n', out);
    mwa_table_text(&mwa_hang_table, &root, screen->all_ranks ? UINT64_MAX : RANKS_MAX,
                   "--all-ranks has all", out);
}
