/*
 * A sum goes on where the variable is set back or wraps: what came before is kept in a baseline.
 */
#include "recorder/variables/element_values.h"

#include "formats/spool/sum.h"

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t mwr_elements_range(const struct mwr_handle *handle)
{
    return handle->element_bytes == sizeof(uint32_t) ? UINT32_MAX : UINT64_MAX;
}

uint64_t mwr_element_stored(const struct mwr_handle *handle, uint32_t element)
{
    uint64_t bits = mwr_element_bits(handle, handle->current, element);

    return handle->baseline ? mw_sum_subtract(handle->type, bits & mwr_elements_range(handle),
                                              handle->rebased[element])
                            : bits;
}

/*
 * The baseline by which an element's sum goes on from what was written to current. It stays as it
 * is unless the variable was reset or has wrapped.
 */
static uint64_t rebase(struct mwr_handle *handle, uint32_t element)
{
    uint64_t baseline = handle->baseline[element];
    uint64_t range = mwr_elements_range(handle);
    uint64_t now = mwr_element_bits(handle, handle->current, element) & range;
    uint64_t before = handle->is_written
                          ? mwr_element_bits(handle, handle->written, element) & range
                          : baseline;
    uint64_t gain;
    enum mw_sum_step step = mw_sum_step(handle->type, range, before, now,
                                        handle->flags & MW_SAMPLE_FOREIGN, &gain);

    if (step == MW_SUM_RISES) {
        return baseline;
    }
    handle->steps |= step == MW_SUM_WRAPS ? MW_METRIC_HAS_WRAPPED : MW_METRIC_WAS_RESET;
    gain = mw_sum_add(handle->type, gain, mw_sum_subtract(handle->type, before, baseline));
    return mw_sum_subtract(handle->type, now, gain);
}

void mwr_elements_rebase(struct mwr_handle *handle)
{
    handle->steps = 0;
    for (uint32_t i = 0; handle->baseline && i < handle->elements; i++) {
        handle->rebased[i] = rebase(handle, i);
    }
}

void mwr_elements_statistics(const struct mwr_handle *handle,
                             uint64_t values[MW_METRIC_STATISTICS_COUNT])
{
    double sum = 0;
    double greatest = 0;

    values[0] = values[1] = values[2] = values[3] = 0;
    for (uint32_t i = 0; i < handle->elements; i++) {
        uint64_t bits = mwr_element_stored(handle, i);
        double value = mwr_element_real(handle->type, bits);

        if (i == 0 || value > greatest) {
            greatest = value;
            values[1] = bits;
            values[2] = i;
        }
        sum += value;
        values[0] += bits;
        values[3] += value != 0;
    }
    if (handle->type == MW_METRIC_DOUBLE) {
        values[0] = bits_of(sum);
    }
}

void mwr_elements_measure(const struct mwr_handle *handle, double *sum, double *greatest)
{
    *sum = 0;
    *greatest = 0;
    for (uint32_t i = 0; i < handle->elements; i++) {
        double value = mwr_element_real(handle->type, mwr_element_bits(handle, handle->current, i));

        *sum += value;
        *greatest = i == 0 || value > *greatest ? value : *greatest;
    }
}
