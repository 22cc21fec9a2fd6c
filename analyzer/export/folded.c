/* Programs that read it take what stands behind the last blank for the number. */
#include "analyzer/export/folded.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/table/clean.h"

enum mw_status mwa_export_folded(const struct mwa_results *results, bool waits, FILE *out,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_flame *flame = &results->flame;

    for (uint64_t i = 0; i < flame->call_count; i++) {
        const struct mwa_flame_node *call = &flame->nodes[flame->calls[i]];
        uint64_t ns = waits ? call->wait_ns : call->time_ns;
        char *path = ns > 0 ? mwa_flame_path(flame, flame->calls[i], ";") : NULL;

        if (ns > 0 && !path) {
            return mw_no_memory(diagnostic, NULL, "for a stack");
        }
        if (path) {
            fprintf(out, "%s;", waits ? MWA_FOLDED_WAITS : MWA_FOLDED_TIME);
            mwa_put_clean(path, out);
            fprintf(out, " %" PRIu64 "\n", ns);
        }
        free(path);
    }
    return MW_OK;
}
