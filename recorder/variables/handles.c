#include "recorder/variables/handles.h"

#include <stdlib.h>
#include <string.h>

#include "formats/spool/sum.h"
#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/variables/element_values.h"

#define ELEMENTS_MAX 65536u

/* --- making and ending ---------------------------------------------------------------- */

static bool allocate(struct mwr_handle *handle, int elements)
{
    if (elements < 1 || (unsigned)elements > ELEMENTS_MAX) {
        return false;
    }
    handle->elements = (uint32_t)elements;
    handle->bytes = (size_t)elements * handle->element_bytes;
    handle->memory = calloc(3, handle->bytes);
    handle->baseline = handle->is_sum ? calloc((size_t)elements, 2 * sizeof(uint64_t)) : NULL;
    handle->rebased = handle->is_sum ? handle->baseline + elements : NULL;
    if (!handle->memory || (handle->is_sum && !handle->baseline)) {
        return false;
    }
    handle->current = handle->memory;
    handle->written = handle->current + handle->bytes;
    handle->fresh = handle->written + handle->bytes;
    return true;
}

/* Sets what is written of the elements, and how many values that are. */
static void set_form(struct mwr_handle *handle, struct mwr_array form)
{
    handle->form = MW_METRIC_LIST;
    handle->values = handle->elements;
    if (handle->elements == 1 || form.kind == MWR_ARRAY_FULL) {
        return;
    }
    if (form.kind == MWR_ARRAY_TOP && form.top < handle->elements) {
        handle->form = MW_METRIC_TOP;
        handle->values = 2 * form.top;
    } else if (form.kind != MWR_ARRAY_TOP) {
        handle->form = MW_METRIC_STATISTICS;
        handle->values = form.kind == MWR_ARRAY_SUM ? 1 : MW_METRIC_STATISTICS_COUNT;
    }
}

/* Writes the definitions of what its samples refer to. */
static bool define(struct mwr_handle *handle, const struct mwr_pvar *pvar)
{
    for (uint32_t first = 0; first < handle->values; first += MW_METRIC_VALUES_MAX) {
        uint32_t left = handle->values - first;
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

/* What came to an element's sum while both the recorder's and the program's messages could. */
static uint64_t doubt_of(const struct mwr_handle *handle, uint32_t element, const char *before)
{
    const uint64_t range = mwr_elements_range(handle);
    uint64_t gain = 0;

    if (!handle->counts_own_calls) {
        (void)mw_sum_step(handle->type, range, mwr_element_bits(handle, before, element) & range,
                          handle->baseline[element], false, &gain);
    }
    return gain;
}

void mwr_handle_begin(MPI_T_pvar_session session, struct mwr_handle *handle, bool is_anew)
{
    char *before = handle->current;

    if (is_anew && handle->is_sum && !handle->is_still &&
        MWR_PMPI(T_pvar_read)(session, handle->handle, handle->fresh) == MPI_SUCCESS) {
        handle->current = handle->fresh;
        handle->fresh = before;
    }
    for (uint32_t i = 0; handle->baseline && i < handle->elements; i++) {
        struct mw_define_baseline baseline = {
            .metric = handle->metric +
                      (handle->form == MW_METRIC_LIST ? i / MW_METRIC_VALUES_MAX : 0),
            .object = handle->object.number,
            .element = i,
            .value = mwr_element_bits(handle, handle->current, i) & mwr_elements_range(handle),
        };

        handle->baseline[i] = baseline.value;
        baseline.doubt = doubt_of(handle, i, before);
        if (baseline.value != 0 || baseline.doubt != 0) {
            mwr_recorder_define(&(struct mw_definition){.kind = MW_DEFINE_BASELINE,
                                                        .of.baseline = baseline});
        }
    }
}

/* Where MPI finds the object; it may keep the address. */
static void *address_of(struct mwr_bound *object)
{
    switch (object->bind) {
    case MWR_BIND_COMM:
        return &object->handle.comm;
    case MWR_BIND_WINDOW:
        return &object->handle.window;
    case MWR_BIND_FILE:
        return &object->handle.file;
    case MWR_BIND_NONE:
    case MWR_BIND_OTHER:
        break;
    }
    return NULL;
}

/* Starts it, if it stands still until it is started and that is wished, and reads it. */
static bool begin(MPI_T_pvar_session session, struct mwr_handle *handle,
                  const struct mwr_pvar *pvar, bool starts)
{
    if (!(pvar->flags & MW_VARIABLE_CONTINUOUS)) {
        handle->is_still =
            !starts || MWR_PMPI(T_pvar_start)(session, handle->handle) != MPI_SUCCESS;
        handle->flags |= handle->is_still ? MW_SAMPLE_STOP : MW_SAMPLE_START;
    }
    return handle->is_still ||
           MWR_PMPI(T_pvar_read)(session, handle->handle, handle->current) == MPI_SUCCESS;
}

struct mwr_handle *mwr_handle_create(MPI_T_pvar_session session, const struct mwr_pvar *pvar,
                                     const struct mwr_bound *object, struct mwr_array form,
                                     bool starts)
{
    struct mwr_handle *handle = calloc(1, sizeof *handle);
    bool is_made = false;
    int elements = 0;

    if (!handle) {
        return NULL;
    }
    *handle = (struct mwr_handle){
        .handle = MPI_T_PVAR_HANDLE_NULL,
        .object = *object,
        .index = pvar->index,
        .element_bytes = pvar->element_bytes,
        .type = pvar->type,
        .is_sum = MW_CLASS_IS_SUM(pvar->effective),
        .is_level = pvar->effective <= MW_CLASS_LOWWATERMARK,
        .is_state = pvar->effective == MW_CLASS_STATE,
        .is_drained = (pvar->flags & MW_VARIABLE_READ_RESETS) != 0,
        .counts_own_calls = mwr_pvar_counts_own_calls(pvar->name),
        .stops_for_all = mwr_pvar_stops_for_all(pvar->name),
        .flags = MW_SAMPLE_BASELINE,
    };
    if (MWR_PMPI(T_pvar_handle_alloc)(session, pvar->index, address_of(&handle->object),
                                      &handle->handle, &elements) != MPI_SUCCESS) {
        handle->handle = MPI_T_PVAR_HANDLE_NULL;
    } else if (allocate(handle, elements) && begin(session, handle, pvar, starts)) {
        handle->is_changed = !handle->is_still;
        set_form(handle, form);
        is_made = define(handle, pvar);
    }
    if (!is_made) {
        mwr_handle_destroy(session, handle);
    }
    return is_made ? handle : NULL;
}

void mwr_handle_destroy(MPI_T_pvar_session session, struct mwr_handle *handle)
{
    if (!handle) {
        return;
    }
    if (handle->handle != MPI_T_PVAR_HANDLE_NULL) {
        MWR_PMPI(T_pvar_handle_free)(session, &handle->handle);
    }
    free(handle->memory);
    free(handle->baseline);
    free(handle);
}

/* A variable starts and stops in each session by itself, if the MPI keeps to the standard. */
void mwr_handle_note_foreign(struct mwr_handle *handle, uint8_t flag)
{
    if (!handle->is_still && (flag == MW_SAMPLE_FOREIGN || handle->stops_for_all)) {
        handle->flags |= flag;
    }
}

/* --- reading and writing ---------------------------------------------------------------- */

/* What was read before and is not written yet counts, where it was greater. */
static bool keep_greatest(struct mwr_handle *handle)
{
    bool has_any = false;

    for (uint32_t i = 0; i < handle->elements; i++) {
        uint64_t now = mwr_element_bits(handle, handle->fresh, i);
        uint64_t before = mwr_element_bits(handle, handle->current, i);
        size_t at = (size_t)i * handle->element_bytes;

        if (handle->is_unwritten &&
            mwr_element_real(handle->type, before) > mwr_element_real(handle->type, now)) {
            memcpy(handle->fresh + at, handle->current + at, handle->element_bytes);
            now = before;
        }
        has_any |= now != 0;
    }
    handle->is_unwritten = true;
    return has_any;
}

/* What was read becomes current. */
static void take_fresh(struct mwr_handle *handle, const struct mwr_reading *reading,
                       const struct mwr_since *since)
{
    char *before = handle->current;
    double sum;
    double greatest;

    handle->current = handle->fresh;
    handle->fresh = before;
    handle->is_changed = memcmp(handle->current, handle->written, handle->bytes) != 0;
    mwr_elements_measure(handle, &sum, &greatest);
    if (since->lost < since->found && !handle->is_sum) {
        mwr_followed_lose(&handle->followed, sum, since->lost, since->found);
    } else {
        mwr_followed_change(&handle->followed, sum, since->changed, reading->now);
    }
}

/* Takes fresh as what was read. \return whether there is something to write. */
static bool take(struct mwr_handle *handle, const struct mwr_reading *reading)
{
    const struct mwr_since *since = handle->is_followed ? &reading->look : &reading->round;
    bool has_any = false;

    /* A value that was drained is of the time since the last sample, the same or not. */
    if (MW_UNLIKELY(handle->is_drained)) {
        has_any = keep_greatest(handle);
    }
    /* A sum lies between its readings, whoever made calls meanwhile. */
    if (MW_UNLIKELY(memcmp(handle->fresh, handle->current, handle->bytes) != 0 ||
                    (since->lost < since->found && !handle->is_sum))) {
        take_fresh(handle, reading, since);
    }
    /* Flags are worth a sample: the first one, and what the application did. */
    return handle->is_changed || has_any || handle->flags != 0;
}

void mwr_handle_was_drained(struct mwr_handle *handle, const void *values,
                            const struct mwr_reading *reading)
{
    if (handle->is_drained && !handle->is_still && !handle->has_failed &&
        handle->object.bind == MWR_BIND_NONE) {
        memcpy(handle->fresh, values, handle->bytes);
        (void)take(handle, reading);
    }
}

bool mwr_handle_read(MPI_T_pvar_session session, struct mwr_handle *handle,
                     const struct mwr_reading *reading)
{
    if (MW_UNLIKELY(handle->has_failed)) {
        return false;
    }
    if (MW_UNLIKELY(handle->is_still)) {
        return handle->flags != 0;
    }
    if (MW_UNLIKELY(MWR_PMPI(T_pvar_read)(session, handle->handle, handle->fresh) !=
                    MPI_SUCCESS)) {
        handle->has_failed = true;
        handle->followed.is_known = false;
        handle->flags |= MW_SAMPLE_READ_ERROR;
        memcpy(handle->current, handle->written, handle->bytes);
        return true;
    }
    return take(handle, reading);
}

void mwr_handle_follow(struct mwr_handle *handle, bool is_followed)
{
    handle->place = NULL;
    if (!handle->is_followed && is_followed && !handle->is_sum) {
        handle->followed.is_known = false; /* until now it was not read when others were */
    }
    handle->is_followed = is_followed;
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
    mwr_elements_measure(handle, &sum, &greatest);
    return sum > handle->high || sum < handle->low || greatest > handle->greatest;
}

/* current has been written as a sample of now: remembers it. */
static void note_written(struct mwr_handle *handle, uint64_t now)
{
    double sum;
    double greatest;

    memcpy(handle->written, handle->current, handle->bytes);
    if (handle->baseline) {
        memcpy(handle->baseline, handle->rebased, handle->elements * sizeof *handle->baseline);
    }
    mwr_elements_measure(handle, &sum, &greatest);
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
    handle->is_unwritten = false;
    handle->is_pending = false;
    handle->is_changed = false;
    handle->flags = 0;
    mwr_followed_restart(&handle->followed, sum, now);
    handle->followed.is_known = !handle->is_drained;
}

/* Puts into values the greatest elements, each with its index behind it. */
static void find_top(const struct mwr_handle *handle, uint64_t values[], uint32_t count)
{
    uint32_t found = 0; /* pairs */

    for (uint32_t i = 0; i < handle->elements; i++) {
        uint64_t bits = mwr_element_stored(handle, i);
        uint32_t at = found;

        while (at > 0 && mwr_element_real(handle->type, bits) >
                             mwr_element_real(handle->type, values[2 * (at - 1)])) {
            if (at < count) {
                values[2 * at] = values[2 * (at - 1)];
                values[2 * at + 1] = values[2 * (at - 1) + 1];
            }
            at--;
        }
        if (at < count) {
            values[2 * at] = bits;
            values[2 * at + 1] = i;
            found += found < count;
        }
    }
}

static uint32_t kind_of_object(const struct mwr_handle *handle)
{
    return handle->object.bind == MWR_BIND_WINDOW ? MW_METRIC_OF_WINDOW
           : handle->object.bind == MWR_BIND_FILE ? MW_METRIC_OF_FILE
                                                  : MW_METRIC_OF_COMM;
}

static void fill(const struct mwr_handle *handle, struct mw_metric_member *member, uint32_t first)
{
    uint64_t values[MW_METRIC_STATISTICS_COUNT];

    switch (handle->form) {
    case MW_METRIC_STATISTICS:
        mwr_elements_statistics(handle, values);
        memcpy(member->values, values, member->count * sizeof values[0]);
        break;
    case MW_METRIC_TOP:
        find_top(handle, member->values, member->count / 2);
        break;
    default:
        for (uint32_t i = 0; i < member->count; i++) {
            member->values[i] = mwr_element_stored(handle, first + i);
        }
    }
}

static void tell_held(struct mw_spool *spool, uint64_t held)
{
    struct mw_value_member *member =
        mw_spool_member(spool, MW_MEMBER_HELD, sizeof *member, MW_COMM_NONE);

    if (member) {
        member->value = held;
        mw_spool_commit(member);
    }
}

static void tell_course(struct mw_spool *spool, enum mw_record_type type, size_t bytes,
                        const struct mw_partly_member *course)
{
    const size_t head = sizeof course->seen.head;
    struct mw_member *member = mw_spool_member(spool, type, bytes, MW_COMM_NONE);

    if (member) {
        memcpy((char *)member + head, (const char *)course + head, bytes - head);
        mw_spool_commit(member);
    }
}

/* Says of the next member what is known of the time before it. */
static void tell_before(const struct mwr_handle *handle, struct mw_spool *spool, uint64_t now)
{
    struct mw_partly_member course = {.unseen = 0};
    uint64_t held = 0;
    enum mwr_telling telling = mwr_followed_tell(&handle->followed, now, &held, &course);

    if (telling == MWR_TELL_HELD) {
        /* Of a sum that changes all the time there is nothing to say. */
        if (!handle->is_sum || held != now - handle->followed.begin) {
            tell_held(spool, held);
        }
    } else if (telling == MWR_TELL_COURSE && !handle->is_sum) {
        tell_course(spool, MW_MEMBER_COURSE, sizeof course.seen, &course);
    } else if (telling == MWR_TELL_PARTLY) {
        tell_course(spool, MW_MEMBER_PARTLY, sizeof course, &course);
    }
}

/* Fills in a member of values from first on, but for its head. */
static void fill_whole(const struct mwr_handle *handle, struct mw_metric_member *member,
                       uint32_t first, uint32_t count, uint8_t flags)
{
    member->metric = handle->metric + first / MW_METRIC_VALUES_MAX;
    member->flags = (uint8_t)(handle->flags | flags | (handle->is_still ? MW_SAMPLE_STOP : 0));
    member->type = (uint8_t)handle->type;
    member->form = (uint8_t)(handle->form | kind_of_object(handle) << 4 | handle->steps);
    member->count = (uint8_t)count;
    fill(handle, member, first);
}

void mwr_handle_write(struct mwr_handle *handle, struct mwr_stream *stream,
                      enum mw_record_type type, uint8_t flags, uint64_t now)
{
    mwr_elements_rebase(handle);
    for (uint32_t first = 0; first < handle->values; first += MW_METRIC_VALUES_MAX) {
        uint32_t left = handle->values - first;
        uint32_t count = left < MW_METRIC_VALUES_MAX ? left : MW_METRIC_VALUES_MAX;
        struct mw_metric_member *member;

        tell_before(handle, &stream->spool, now);
        member = mw_spool_member(&stream->spool, type,
                                 sizeof *member + count * sizeof member->values[0],
                                 handle->object.number);
        if (!member) {
            handle->flags |= MW_SAMPLE_GAP;
            return;
        }
        fill_whole(handle, member, first, count, flags);
        mw_spool_commit(member);
    }
    note_written(handle, now);
}

char *mwr_handle_place(struct mwr_handle *handle, char *to, const char *end)
{
    struct mw_metric_member *member = (struct mw_metric_member *)(void *)to;
    const size_t bytes = sizeof *member + handle->values * sizeof member->values[0];

    handle->place = NULL;
    if (handle->is_still || handle->values > MW_METRIC_VALUES_MAX || (size_t)(end - to) < bytes) {
        return NULL;
    }
    mwr_elements_rebase(handle);
    member->head = (struct mw_member){.state = MW_STATE_DONE,
                                      .type = MW_MEMBER_METRIC,
                                      .words = (uint16_t)(bytes / 8),
                                      .comm = handle->object.number};
    fill_whole(handle, member, 0, handle->values, 0);
    handle->place = to;
    return to + bytes;
}

void mwr_handle_store(struct mwr_handle *handle)
{
    if (handle->place) {
        mwr_elements_rebase(handle);
        fill_whole(handle, (struct mw_metric_member *)(void *)handle->place, 0, handle->values, 0);
    }
}
