#include "recorder/variables/handles.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"

#define ELEMENTS_MAX 65536u

/* --- values ------------------------------------------------------------------------ */

/* The bits of an element as MPI gave it, widened to 64. */
static inline uint64_t bits_at(const struct mwr_handle *handle, const char *raw, uint32_t element)
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

static inline double as_double(uint32_t type, uint64_t bits)
{
    double value;

    if (type == MW_METRIC_DOUBLE) {
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    return type == MW_METRIC_INT64 ? (double)(int64_t)bits : (double)bits;
}

static inline uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* What is stored of an element: of sums, what came since the baseline. */
static uint64_t stored_at(const struct mwr_handle *handle, uint32_t element)
{
    uint64_t bits = bits_at(handle, handle->current, element);

    if (!handle->baseline) {
        return bits;
    }
    if (handle->type == MW_METRIC_DOUBLE) {
        return bits_of(as_double(handle->type, bits) -
                       as_double(handle->type, handle->baseline[element]));
    }
    bits -= handle->baseline[element];
    return handle->element_bytes == sizeof(uint32_t) && handle->type == MW_METRIC_UINT64
               ? (uint32_t)bits
               : bits;
}

/* Sum, greatest, its index and how many are not 0. */
static void statistics(const struct mwr_handle *handle, uint64_t values[])
{
    double sum = 0;
    double greatest = 0;

    values[0] = values[1] = values[2] = values[3] = 0;
    for (uint32_t i = 0; i < handle->elements; i++) {
        uint64_t bits = stored_at(handle, i);
        double value = as_double(handle->type, bits);

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

/* Sum over the elements, and the greatest, of what was read. */
static void measure(const struct mwr_handle *handle, double *sum, double *greatest)
{
    *sum = 0;
    *greatest = 0;
    for (uint32_t i = 0; i < handle->elements; i++) {
        double value = as_double(handle->type, bits_at(handle, handle->current, i));

        *sum += value;
        *greatest = i == 0 || value > *greatest ? value : *greatest;
    }
}

/* --- making and ending ---------------------------------------------------------------- */

static bool allocate(struct mwr_handle *handle, int elements)
{
    if (elements < 1 || (unsigned)elements > ELEMENTS_MAX) {
        return false;
    }
    handle->elements = (uint32_t)elements;
    handle->bytes = (size_t)elements * handle->element_bytes;
    handle->current = calloc(2, handle->bytes);
    handle->baseline = handle->is_sum ? calloc((size_t)elements, sizeof(uint64_t)) : NULL;
    if (!handle->current || (handle->is_sum && !handle->baseline)) {
        return false;
    }
    handle->written = handle->current + handle->bytes;
    return true;
}

/* Writes the definitions of what its samples refer to. */
static bool define(struct mwr_handle *handle, const struct mwr_pvar *pvar)
{
    if (handle->form == MW_METRIC_STATISTICS) {
        handle->metric = mwr_metric_define(pvar, handle->form, 0, MW_METRIC_STATISTICS_COUNT,
                                           handle->elements);
        return handle->metric != UINT32_MAX;
    }
    for (uint32_t first = 0; first < handle->elements; first += MW_METRIC_VALUES_MAX) {
        uint32_t left = handle->elements - first;
        uint32_t count = left < MW_METRIC_VALUES_MAX ? left : MW_METRIC_VALUES_MAX;
        uint32_t metric = mwr_metric_define(pvar, handle->form, first, count, handle->elements);

        if (first == 0) {
            handle->metric = metric;
        }
        if (metric == UINT32_MAX || metric != handle->metric + first / MW_METRIC_VALUES_MAX) {
            return false;
        }
    }
    return true;
}

static void take_baseline(struct mwr_handle *handle)
{
    for (uint32_t i = 0; handle->baseline && i < handle->elements; i++) {
        uint32_t chunk = handle->form == MW_METRIC_LIST ? i / MW_METRIC_VALUES_MAX : 0;

        handle->baseline[i] = bits_at(handle, handle->current, i);
        if (handle->baseline[i] != 0) {
            mwr_recorder_define(&(struct mw_definition){
                .kind = MW_DEFINE_BASELINE,
                .of.baseline = {.metric = handle->metric + chunk,
                                .comm = handle->comm_number,
                                .element = i,
                                .value = handle->baseline[i]},
            });
        }
    }
}

struct mwr_handle *mwr_handle_create(MPI_T_pvar_session session, const struct mwr_pvar *pvar,
                                     MPI_Comm comm, uint32_t comm_number, bool full)
{
    struct mwr_handle *handle = calloc(1, sizeof *handle);
    bool is_made = false;
    int elements = 0;

    if (!handle) {
        return NULL;
    }
    *handle = (struct mwr_handle){
        .handle = MPI_T_PVAR_HANDLE_NULL,
        .comm = comm,
        .comm_number = comm_number,
        .index = pvar->index,
        .element_bytes = pvar->element_bytes,
        .type = pvar->type,
        .is_sum = MW_CLASS_IS_SUM(pvar->effective),
        .is_level = pvar->effective <= MW_CLASS_LOWWATERMARK,
        .is_state = pvar->effective == MW_CLASS_STATE,
        .flags = MW_SAMPLE_BASELINE,
    };
    if (MWR_PMPI(T_pvar_handle_alloc)(session, pvar->index,
                                      comm_number == MW_COMM_NONE ? NULL : &handle->comm,
                                      &handle->handle, &elements) != MPI_SUCCESS) {
        handle->handle = MPI_T_PVAR_HANDLE_NULL;
    } else if (allocate(handle, elements) &&
               MWR_PMPI(T_pvar_read)(session, handle->handle, handle->current) == MPI_SUCCESS) {
        handle->form = elements > 1 && !full ? MW_METRIC_STATISTICS : MW_METRIC_LIST;
        is_made = define(handle, pvar);
    }
    if (!is_made) {
        mwr_handle_destroy(session, handle);
        return NULL;
    }
    take_baseline(handle);
    return handle;
}

void mwr_handle_destroy(MPI_T_pvar_session session, struct mwr_handle *handle)
{
    if (!handle) {
        return;
    }
    if (handle->handle != MPI_T_PVAR_HANDLE_NULL) {
        MWR_PMPI(T_pvar_handle_free)(session, &handle->handle);
    }
    free(handle->current);
    free(handle->baseline);
    free(handle);
}

void mwr_handle_start(MPI_T_pvar_session session, struct mwr_handle *handle,
                      const struct mwr_pvar *pvar)
{
    if (!(pvar->flags & MW_VARIABLE_CONTINUOUS) &&
        MWR_PMPI(T_pvar_start)(session, handle->handle) == MPI_SUCCESS) {
        handle->flags |= MW_SAMPLE_START;
    }
}

/* --- reading and writing ---------------------------------------------------------------- */

bool mwr_handle_read(MPI_T_pvar_session session, struct mwr_handle *handle)
{
    if (MW_UNLIKELY(handle->has_failed)) {
        return false;
    }
    if (MW_UNLIKELY(MWR_PMPI(T_pvar_read)(session, handle->handle, handle->current) !=
                    MPI_SUCCESS)) {
        handle->has_failed = true;
        handle->flags |= MW_SAMPLE_READ_ERROR;
        memcpy(handle->current, handle->written, handle->bytes);
        return true;
    }
    return !handle->is_written || memcmp(handle->current, handle->written, handle->bytes) != 0;
}

bool mwr_handle_is_extreme(const struct mwr_handle *handle)
{
    double sum;
    double greatest;

    if (!handle->is_written || handle->flags != 0 || handle->is_state) {
        return true;
    }
    if (!handle->is_level) {
        return false;
    }
    measure(handle, &sum, &greatest);
    return sum > handle->high || sum < handle->low || greatest > handle->greatest;
}

/* current has been written: remembers it. */
static void note_written(struct mwr_handle *handle)
{
    double sum;
    double greatest;

    memcpy(handle->written, handle->current, handle->bytes);
    measure(handle, &sum, &greatest);
    if (!handle->is_written || sum > handle->high) {
        handle->high = sum;
    }
    if (!handle->is_written || sum < handle->low) {
        handle->low = sum;
    }
    if (!handle->is_written || greatest > handle->greatest) {
        handle->greatest = greatest;
    }
    handle->is_written = true;
    handle->is_pending = false;
    handle->flags = 0;
}

void mwr_handle_write(struct mwr_handle *handle, struct mwr_stream *stream,
                      enum mw_record_type type, uint8_t flags)
{
    bool is_list = handle->form == MW_METRIC_LIST;
    uint32_t values = is_list ? handle->elements : MW_METRIC_STATISTICS_COUNT;

    for (uint32_t first = 0; first < values; first += MW_METRIC_VALUES_MAX) {
        uint32_t left = values - first;
        uint32_t count = left < MW_METRIC_VALUES_MAX ? left : MW_METRIC_VALUES_MAX;
        struct mw_metric_member *member = mw_spool_member(
            &stream->spool, type, sizeof *member + count * sizeof member->values[0],
            handle->comm_number);

        if (!member) {
            handle->flags |= MW_SAMPLE_GAP;
            return;
        }
        member->metric = handle->metric + first / MW_METRIC_VALUES_MAX;
        member->flags = (uint8_t)(handle->flags | flags);
        member->type = (uint8_t)handle->type;
        member->form = (uint8_t)handle->form;
        member->count = (uint8_t)count;
        for (uint32_t i = 0; is_list && i < count; i++) {
            member->values[i] = stored_at(handle, first + i);
        }
        if (!is_list) {
            statistics(handle, member->values);
        }
        mw_spool_commit(member);
    }
    note_written(handle);
}
