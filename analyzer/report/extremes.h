#ifndef MWA_REPORT_EXTREMES_H
#define MWA_REPORT_EXTREMES_H

#include <stdbool.h>
#include <stdint.h>

/* The value of one of many; false: it has none. */
typedef bool mwa_value_at(const void *of, uint64_t index, double *value);

#define MWA_EXTREMES_MOST 8u

/*
 * Marks those of count whose values are the greatest (is_most) or the least, so many of each (at
 * most MWA_EXTREMES_MOST), of equal ones the first. Other marks stay.
 */
void mwa_mark_extremes(const void *of, uint64_t count, mwa_value_at *value_at, bool is_most,
                       uint32_t each, bool *is_extreme);

#endif
