/*
 * Looking up only: the reading (analyzer/analysis/lookahead_read.c) needs a pass,
 * which stands above the engine.
 */
#include "analyzer/exchange/lookahead.h"

#include <stdlib.h>

#include "formats/base/order.h"

int mwa_lookahead_order(const void *one, const void *other)
{
    const struct mwa_long_receive *a = one;
    const struct mwa_long_receive *b = other;

    return mw_order(a->ordinal, b->ordinal);
}

void mwa_lookahead_fini(struct mwa_lookahead *lookahead)
{
    free(lookahead->receives);
    free(lookahead->cancelled);
    free(lookahead->collectives);
    *lookahead = (struct mwa_lookahead){ 0 };
}

const struct mwa_long_receive *mwa_lookahead_find(const struct mwa_lookahead *lookahead,
                                                  uint64_t ordinal)
{
    const struct mwa_long_receive key = { .ordinal = ordinal };

    return lookahead->count ? bsearch(&key, lookahead->receives, lookahead->count, sizeof key,
                                      mwa_lookahead_order)
                            : NULL;
}

int mwa_lookahead_cancelled_order(const void *one, const void *other)
{
    return mw_order(*(const uint64_t *)one, *(const uint64_t *)other);
}

bool mwa_lookahead_cancels(const struct mwa_lookahead *lookahead, uint64_t ordinal)
{
    return lookahead->cancelled_count > 0 &&
           bsearch(&ordinal, lookahead->cancelled, lookahead->cancelled_count,
                   sizeof *lookahead->cancelled, mwa_lookahead_cancelled_order);
}

int mwa_lookahead_collective_order(const void *one, const void *other)
{
    const struct mwa_long_collective *a = one;
    const struct mwa_long_collective *b = other;

    return mw_order(a->ordinal, b->ordinal);
}

const struct mwa_long_collective *
mwa_lookahead_collective(const struct mwa_lookahead *lookahead, uint64_t ordinal)
{
    const struct mwa_long_collective key = { .ordinal = ordinal };

    return lookahead->collective_count > 0
               ? bsearch(&key, lookahead->collectives, lookahead->collective_count, sizeof key,
                         mwa_lookahead_collective_order)
               : NULL;
}
