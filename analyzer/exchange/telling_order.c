/* What may be told is told at once: so little is in memory. */
#include "analyzer/exchange/telling_order.h"

struct mwa_telling_turn mwa_telling_next(bool all)
{
    return (struct mwa_telling_turn){ .skipped = 0, .steps = UINT64_MAX };
}
