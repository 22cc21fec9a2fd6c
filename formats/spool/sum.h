#ifndef MW_FORMATS_SPOOL_SUM_H
#define MW_FORMATS_SPOOL_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/spool/record.h"

/*
 * How a sum (COUNTER, AGGREGATE, TIMER) went on from one reading of a variable to the next. A step
 * down that is a step up of less than half the range modulo it is a *wrap*; any other step down,
 * and each one since the application reset or wrote the variable, a *reset*, after which it counts
 * from 0. A reset by the application need not reach the handle that is read: a step up is one.
 */
enum mw_sum_step { MW_SUM_RISES, MW_SUM_WRAPS, MW_SUM_IS_RESET };

/*
 * before and now are what was read, as their bits; of integers, range is the greatest value of the
 * variable. *gain: what came to the sum meanwhile, of the same type.
 */
enum mw_sum_step mw_sum_step(enum mw_metric_type type, uint64_t range, uint64_t before,
                             uint64_t now, bool is_foreign, uint64_t *gain);

/* The sum of two values of the type, as their bits; their difference. */
uint64_t mw_sum_add(enum mw_metric_type type, uint64_t one, uint64_t other);
uint64_t mw_sum_subtract(enum mw_metric_type type, uint64_t from, uint64_t what);

#endif
