#include "analyzer/analysis/messages/host_pairs.h"

#include <stdlib.h>
#include <string.h>

/* The position of a rank's host, which is added if it is new. */
static uint32_t host_of(struct mwa_host_pairs *pairs, const char *name)
{
    uint32_t at = 0;

    while (at < pairs->host_count && strcmp(pairs->hosts[at], name) != 0) {
        at++;
    }
    if (at == pairs->host_count) {
        pairs->hosts[pairs->host_count++] = name;
    }
    return at;
}

enum mw_status mwa_host_pairs_make(const struct mwa_trace *trace,
                                   const struct mwa_traffic *traffic,
                                   struct mwa_host_pairs *pairs)
{
    uint32_t *host = calloc(trace->rank_count + 1, sizeof *host);
    enum mw_status status = MW_ERROR_MEMORY;

    *pairs = (struct mwa_host_pairs){ 0 };
    pairs->hosts = calloc(trace->rank_count + 1, sizeof(char *));
    if (!host || !pairs->hosts) {
        goto out;
    }
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        host[i] = host_of(pairs, trace->ranks[i].host);
    }
    pairs->cell_count = (uint64_t)pairs->host_count * pairs->host_count;
    pairs->cells = calloc(pairs->cell_count + 1, sizeof *pairs->cells);
    if (!pairs->cells) {
        goto out;
    }
    for (uint64_t i = 0; i < traffic->pair_count; i++) {
        const struct mwa_pair *pair = &traffic->pairs[i];
        struct mwa_pair *cell = &pairs->cells[(size_t)host[pair->from] * pairs->host_count +
                                              host[pair->to]];

        cell->from = host[pair->from];
        cell->to = host[pair->to];
        cell->count += pair->count;
        cell->bytes += pair->bytes;
    }
    status = MW_OK;
out:
    free(host);
    return status;
}

void mwa_host_pairs_fini(struct mwa_host_pairs *pairs)
{
    free(pairs->hosts);
    free(pairs->cells);
    *pairs = (struct mwa_host_pairs){ 0 };
}
