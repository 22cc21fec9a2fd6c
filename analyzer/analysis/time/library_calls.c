/* Who sees only places in a library that others have written can't know what of the own program
 * to change. */
#include "analyzer/analysis/time/library_calls.h"

#include <string.h>

#include "analyzer/analysis/summary.h"

static const struct mwa_site *site_of(const struct mwa_results *results, uint64_t place)
{
    return &results->trace->sites[results->sites.places[place].sum.site];
}

/* As mwa_calls_time_ns has it. */
static uint64_t time_of(const struct mwa_results *results, uint64_t place)
{
    const struct mwa_region *call =
        &results->trace->regions[site_of(results, place)->region];

    return call->kind == MWA_REGION_MPI ? results->sites.places[place].sum.time_ns : 0;
}

/* What has more than half, if anything has (Boyer and Moore's majority vote). */
static const char *candidate(const struct mwa_results *results)
{
    const char *library = "";
    uint64_t lead = 0;

    for (uint64_t i = 0; i < results->sites.place_count; i++) {
        const uint64_t time = time_of(results, i);

        if (strcmp(site_of(results, i)->library, library) == 0) {
            lead += time;
        } else if (lead >= time) {
            lead -= time;
        } else {
            library = site_of(results, i)->library;
            lead = time - lead;
        }
    }
    return library;
}

struct mwa_library_calls mwa_library_calls(const struct mwa_results *results)
{
    struct mwa_library_calls calls = { .library = candidate(results),
                                       .all_ns = mwa_calls_time_ns(&results->profile) };
    bool knows_lines = false;

    for (uint64_t i = 0; i < results->sites.place_count; i++) {
        const struct mwa_site *site = site_of(results, i);

        knows_lines |= site->line > 0 && !*site->library;
        calls.time_ns += strcmp(site->library, calls.library) == 0 ? time_of(results, i) : 0;
    }
    if (!*calls.library || !knows_lines || results->trace->frame_count > 0 ||
        calls.time_ns <= calls.all_ns / 2) {
        calls.library = NULL;
    }
    return calls;
}
