#ifndef MW_FORMATS_BASE_ORDER_H
#define MW_FORMATS_BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * What qsort asks for: below 0 where the one comes before the other, above 0 where behind it. The
 * order by several numbers is that by the first that is not 0: mw_order(…) ?: mw_order(…); the
 * largest first is mw_order(other, one).
 */
static inline int mw_order(uint64_t one, uint64_t other)
{
    return (one > other) - (one < other);
}

static inline int mw_order_signed(int64_t one, int64_t other)
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

static inline int mw_order_i64(const void *one, const void *other)
{
    return mw_order_signed(*(const int64_t *)one, *(const int64_t *)other);
}

/*
 * In list, count elements of size bytes that are sorted by a uint32_t at offset: the position of
 * the first whose number is not below number; count: there is none.
 */
static inline uint64_t mw_first_from(const void *list, uint64_t count, size_t size, size_t offset,
                                     uint32_t number)
{
    uint64_t low = 0, high = count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        uint32_t found;

        memcpy(&found, (const char *)list + middle * size + offset, sizeof found);
        if (found < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

#endif
