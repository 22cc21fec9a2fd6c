/* Of what there is no record nobody may have looked, on its host: so that is what is said. */
#include "analyzer/analysis/hang/hang_hosts.h"

#include <string.h>

#define HOSTS_MAX 4u /* that are named */

void mwa_hang_put_hosts(const struct mwa_trace *trace, const bool *which, uint64_t count,
                        FILE *out)
{
    const char *before = "; there is no record of what is on ";
    const char *latest = "";
    unsigned named = 0;

    for (uint64_t i = 0; i < count && i < trace->rank_count; i++) {
        const struct mwa_rank *rank = &trace->ranks[i];
        const bool has_record = rank->master < trace->location_count &&
                                trace->locations[rank->master].events > 0;

        if (!which[i] || has_record || strcmp(rank->host, latest) == 0) {
            continue;
        }
        if (named++ == HOSTS_MAX) {
            fputs(", …", out);
            break;
        }
        fprintf(out, "%s%s", before, rank->host);
        before = ", ";
        latest = rank->host;
    }
}
