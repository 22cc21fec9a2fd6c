/* Programs that call MPI through wrappers, of their own or of libraries that are headers, have one
 * place for each function of MPI, which tells nothing of what they do. */
#include "analyzer/analysis/time/wrapper_calls.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/model/function_name.h"
#include "formats/table/calls.h"

#define NAME_BYTES 128 /* of a function's name for people */

/* Whether somebody else has written the line: headers of the system are no program's own. */
static bool is_in_header(const struct mwa_site *site)
{
    static const char *const folders[] = { "/usr/include/", "/usr/local/include/" };

    return strncmp(site->file, folders[0], strlen(folders[0])) == 0 ||
           strncmp(site->file, folders[1], strlen(folders[1])) == 0;
}

/* Whether the function is named as what it calls, or as another function of MPI, by which a wrapper
 * may do it: relion_MPI_Recv calls MPI_Irecv and MPI_Wait. */
static bool is_wrapper(const char *function, const char *call)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    char name[NAME_BYTES], other[NAME_BYTES];
    const char *at = mwa_function_name(function, name, sizeof name);
    bool is = strcasestr(at, call) != NULL;

    while (!is && (at = strstr(at, "MPI_")) != NULL) {
        snprintf(other, sizeof other, "%.*s", (int)strspn(at, letters), at);
        is = mw_call_find(other) != MW_CALL_COUNT;
        at += strlen("MPI_");
    }
    return is;
}

/* Whether the calls of a site are by such a function, of which no caller is told. */
static bool is_wrapped(const struct mwa_site *site, const struct mwa_region *call)
{
    return call->kind == MWA_REGION_MPI && site->frame == MWA_NONE && !*site->library &&
           *site->function && (is_in_header(site) || is_wrapper(site->function, call->name));
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
            calls.is_in_header = is_in_header(site);
        }
    }
    if (calls.time_ns <= calls.all_ns / 2) {
        calls.function = NULL;
    }
    return calls;
}
