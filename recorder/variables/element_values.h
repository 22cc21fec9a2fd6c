#ifndef MWR_VARIABLES_ELEMENT_VALUES_H
#define MWR_VARIABLES_ELEMENT_VALUES_H

#include <string.h>

#include "recorder/variables/handles.h"

/* What the elements of a variable hold: as MPI gave it, as reals, as sums that go on. */

/* The bits of an element as MPI gave it, widened to 64. */
static inline uint64_t mwr_element_bits(const struct mwr_handle *handle, const char *raw,
                                        uint32_t element)
{
    uint64_t bits;
    uint32_t narrow;

    if (handle->element_bytes == sizeof narrow) {
        memcpy(&narrow, raw + element * sizeof narrow, sizeof narrow);
        return handle->type == MW_METRIC_INT64 ? (uint64_t)(int64_t)(int32_t)narrow : narrow;
    }
    memcpy(&bits, raw + element * sizeof bits, sizeof bits);
    return bits;
}

static inline double mwr_element_real(uint32_t type, uint64_t bits)
{
    double value;

    if (type == MW_METRIC_DOUBLE) {
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    return type == MW_METRIC_INT64 ? (double)(int64_t)bits : (double)bits;
}

/* The greatest value of an integer of the variable's. */
uint64_t mwr_elements_range(const struct mwr_handle *handle);

/* What is stored of an element: of sums, what came since the first reading. */
uint64_t mwr_element_stored(const struct mwr_handle *handle, uint32_t element);

/*
 * Finds the baselines by which sums go on from what was written to current, and what steps the
 * elements took between.
 */
void mwr_elements_rebase(struct mwr_handle *handle);

/* Sum, greatest, its index and how many are not 0. */
void mwr_elements_statistics(const struct mwr_handle *handle,
                             uint64_t values[MW_METRIC_STATISTICS_COUNT]);

/* Sum over the elements, and the greatest, of what was read. */
void mwr_elements_measure(const struct mwr_handle *handle, double *sum, double *greatest);

#endif
