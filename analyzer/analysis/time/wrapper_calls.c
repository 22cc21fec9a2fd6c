/* Programs that call MPI through wrappers, of their own or of libraries that are headers, have one
 * place for each function of MPI, which tells nothing of what they do. */
#include "analyzer/analysis/time/wrapper_calls.h"

#include "analyzer/analysis/summary.h"
#include "analyzer/model/wrappers.h"
#include "formats/table/wrapper_name.h"

/* Whether the calls of a site are by such a function, of which no caller is told. */
static bool is_wrapped(const struct mwa_site *site, const struct mwa_region *call)
{
    return call->kind == MWA_REGION_MPI && site->frame == MWA_NONE && !*site->library &&
           mwa_is_wrapper(site->function, site->file, call->name);
}

struct mwa_wrapper_calls mwa_wrapper_calls(const struct mwa_results *results)
{
    struct mwa_wrapper_calls calls = { .all_ns = mwa_calls_time_ns(&results->profile) };
    uint64_t most = 0;

    for (uint64_t i = 0; i < results->sites.place_count; i++) {
        const struct mwa_site_row *sum = &results->sites.places[i].sum;
        const struct mwa_site *site = &results->trace->sites[sum->site];

        if (!is_wrapped(site, &results->trace->regions[site->region])) {
            continue;
        }
        calls.time_ns += sum->time_ns;
        if (sum->time_ns > most) {
            most = sum->time_ns;
            calls.function = site->function;
            calls.is_in_header = mw_is_installed_header(site->file);
        }
    }
    if (calls.time_ns <= calls.all_ns / 2) {
        calls.function = NULL;
    }
    return calls;
}
