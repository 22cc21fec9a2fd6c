/* Each call that ends is added here: as little as can be is done then, the rest is made of sums. */
#include "analyzer/analysis/time/call_sums.h"

void mwa_call_sums_add(struct mwa_call_sums *to, const struct mwa_call_sums *add)
{
    to->count += add->count;
    to->time += add->time;
    to->open += add->open;
    to->across += add->across;
    for (unsigned use = 0; use < MWA_USES; use++) {
        to->used[use] += add->used[use];
    }
    to->min = add->min < to->min ? add->min : to->min;
    to->max = add->max > to->max ? add->max : to->max;
    to->bytes_sent += add->bytes_sent;
    to->bytes_received += add->bytes_received;
    to->no_core += add->no_core;
    to->operations += add->operations;
    to->members += add->members;
}
