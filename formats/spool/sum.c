/*
 * Who reads the variables rebuilds their sums by this, and who analyzes samples that were stored
 * without that. 64 bits wrap by themselves.
 */
#include "formats/spool/sum.h"

#include <string.h>

static double real_of(uint64_t bits)
{
    double real;

    memcpy(&real, &bits, sizeof real);
    return real;
}

static uint64_t bits_of(double real)
{
    uint64_t bits;

    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static enum mw_sum_step real_step(double before, double now, uint64_t *gain)
{
    if (now >= before) {
        *gain = bits_of(now - before);
        return MW_SUM_RISES;
    }
    *gain = bits_of(now > 0 ? now : 0);
    return MW_SUM_IS_RESET;
}

enum mw_sum_step mw_sum_step(enum mw_metric_type type, uint64_t range, uint64_t before,
                             uint64_t now, bool is_foreign, uint64_t *gain)
{
    if (type == MW_METRIC_DOUBLE) {
        return real_step(real_of(before), real_of(now), gain);
    }
    *gain = now - before;
    if (now >= before) {
        return MW_SUM_RISES;
    }
    *gain &= range;
    if (!is_foreign && *gain <= range / 2) {
        return MW_SUM_WRAPS;
    }
    *gain = now;
    return MW_SUM_IS_RESET;
}

uint64_t mw_sum_add(enum mw_metric_type type, uint64_t one, uint64_t other)
{
    return type == MW_METRIC_DOUBLE ? bits_of(real_of(one) + real_of(other)) : one + other;
}

uint64_t mw_sum_subtract(enum mw_metric_type type, uint64_t from, uint64_t what)
{
    return type == MW_METRIC_DOUBLE ? bits_of(real_of(from) - real_of(what)) : from - what;
}
