#ifndef MW_FORMATS_BASE_ORDER_H
#define MW_FORMATS_BASE_ORDER_H

#include <stdint.h>

/*
 * What qsort asks for: below 0 where the one comes before the other, above 0 where behind it. The
 * order by several numbers is that by the first that is not 0: mw_order(…) ?: mw_order(…); the
 * largest first is mw_order(other, one).
 */
static inline int mw_order(uint64_t one, uint64_t other)
{
    return (one > other) - (one < other);
}

/* Of elements that are such numbers. */
static inline int mw_order_u32(const void *one, const void *other)
{
    return mw_order(*(const uint32_t *)one, *(const uint32_t *)other);
}

static inline int mw_order_u64(const void *one, const void *other)
{
    return mw_order(*(const uint64_t *)one, *(const uint64_t *)other);
}

#endif
