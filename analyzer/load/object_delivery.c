/*
 * Windows and files: communication, and that calls use them, which says whose time that is.
 */
#include "analyzer/load/object_delivery.h"

#include <otf2/otf2.h>

#include "analyzer/load/references.h"

/* A window or an open file by OTF2's id; null: not known. */
static const struct mwa_metric_object *object_of(const struct mwa_delivery *delivery, bool is_file,
                                                 uint32_t id)
{
    const struct mwa_metrics *metrics = &delivery->trace->metrics;
    uint32_t object = mwa_metric_object_index(metrics, is_file, id);

    return object != MWA_NONE ? &metrics->objects[object] : NULL;
}

/* What is done to memory of a GPU, or to files of POSIX, is no communication of MPI. */
static bool is_foreign(const struct mwa_delivery *delivery, bool is_file, uint32_t id)
{
    const struct mwa_metric_object *object = object_of(delivery, is_file, id);

    return object && object->is_foreign;
}

/* Delivers what only tells that it is in use. */
static bool deliver_use(struct mwa_delivery *delivery, const struct mwa_record *record,
                        bool is_file, uint32_t id)
{
    const struct mwa_metric_object *object = object_of(delivery, is_file, id);
    struct mwa_event event;

    mwa_event_begin(&event, MWA_OBJECT, record->time);
    event.object = mwa_metric_object_index(&delivery->trace->metrics, is_file, id);
    event.of.comm = object ? object->comm : MWA_NONE;
    return (object && object->is_foreign) || mwa_deliver(delivery, &event);
}

static bool deliver_collective(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    const struct mwa_metrics *metrics = &delivery->trace->metrics;
    const uint32_t window = (uint32_t)record->fields[2];
    uint32_t object = mwa_metric_object_index(metrics, false, window);
    struct mwa_event event;

    if (object == MWA_NONE) {
        return mwa_delivery_refuse(delivery, record->position, "RmaWin", window);
    }
    if (is_foreign(delivery, false, window)) {
        return true;
    }
    mwa_event_begin(&event, MWA_WINDOW_COLLECTIVE, record->time);
    event.of.collective = (struct mwa_collective_data){
        .comm = metrics->objects[object].comm,
        .operation = (uint32_t)record->fields[0],
        .root = window,
        .bytes_sent = record->fields[4],
        .bytes_received = record->fields[5]
    };
    return mwa_deliver(delivery, &event);
}

/* Hands on what a step is of a window that is not MPI's: copies to and from an accelerator. */
static bool deliver_copy(struct mwa_delivery *delivery, uint64_t time, enum mwa_onesided_step step)
{
    const bool begins = step == MWA_STEP_ACCESS;
    const bool ends = step == MWA_STEP_DONE || step == MWA_STEP_DONE_LOCALLY;
    struct mwa_event event;

    mwa_event_begin(&event, MWA_COPY, time);
    event.of.on = begins;
    return (!begins && !ends) || mwa_deliver(delivery, &event);
}

/* Hands on a step of the window with OTF2's id, whose target is MWA_NONE for all. */
static bool deliver_step(struct mwa_delivery *delivery, const struct mwa_record *record,
                         uint32_t window, struct mwa_onesided_data data)
{
    const struct mwa_trace *trace = delivery->trace;
    struct mwa_event event;

    data.window = mwa_metric_object_index(&trace->metrics, false, window);
    if (data.window == MWA_NONE) {
        return mwa_delivery_refuse(delivery, record->position, "RmaWin", window);
    }
    if (is_foreign(delivery, false, window)) {
        return deliver_copy(delivery, record->time, data.step);
    }
    data.comm = trace->metrics.objects[data.window].comm;
    if (data.target != MWA_NONE && !mwa_may_be_member(trace, data.comm, data.target)) {
        return mwa_delivery_refuse(delivery, record->position, "a target with rank", data.target);
    }
    mwa_event_begin(&event, MWA_ONESIDED, record->time);
    event.of.onesided = data;
    return mwa_deliver(delivery, &event);
}

static bool deliver_group_sync(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    const uint32_t window = (uint32_t)record->fields[1];
    const struct mwa_group *members = mwa_trace_group(delivery->trace, (uint32_t)record->fields[2]);

    /* Level NONE: a test that did not find the others ready. */
    return members && record->fields[0] != OTF2_RMA_SYNC_LEVEL_NONE
               ? deliver_step(delivery, record, window,
                              (struct mwa_onesided_data){
                                  .step = MWA_STEP_GROUP, .target = MWA_NONE, .group = members })
               : deliver_use(delivery, record, false, window);
}

static bool deliver_sync(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    const uint32_t window = (uint32_t)record->fields[0];
    const uint64_t type = record->fields[2];
    const struct mwa_onesided_data data = {
        .step = type == OTF2_RMA_SYNC_TYPE_NOTIFY_OUT ? MWA_STEP_NOTICE : MWA_STEP_AWAIT,
        .target = (uint32_t)record->fields[1]
    };

    return type == OTF2_RMA_SYNC_TYPE_NOTIFY_OUT || type == OTF2_RMA_SYNC_TYPE_NOTIFY_IN
               ? deliver_step(delivery, record, window, data)
               : deliver_use(delivery, record, false, window);
}

/* Hands on a step about a lock; RmaReleaseLock does not say of which kind it is. */
static bool deliver_lock(struct mwa_delivery *delivery, const struct mwa_record *record,
                         enum mwa_onesided_step step)
{
    return deliver_step(delivery, record, (uint32_t)record->fields[0],
                        (struct mwa_onesided_data){
                            .step = step,
                            .exclusive = step != MWA_STEP_UNLOCK &&
                                         record->fields[3] == OTF2_LOCK_EXCLUSIVE,
                            .target = (uint32_t)record->fields[1],
                            .id = record->fields[2] });
}

/* Hands on that an operation begins, which has so many bytes and this id. */
static bool deliver_access(struct mwa_delivery *delivery, const struct mwa_record *record,
                           uint64_t sent, uint64_t received, uint64_t id)
{
    return deliver_step(delivery, record, (uint32_t)record->fields[0],
                        (struct mwa_onesided_data){ .step = MWA_STEP_ACCESS,
                                                    .target = (uint32_t)record->fields[1],
                                                    .bytes_sent = sent,
                                                    .bytes_received = received,
                                                    .id = id });
}

static bool deliver_done(struct mwa_delivery *delivery, const struct mwa_record *record,
                         enum mwa_onesided_step step)
{
    return deliver_step(delivery, record, (uint32_t)record->fields[0],
                        (struct mwa_onesided_data){
                            .step = step, .target = MWA_NONE, .id = record->fields[1] });
}

/* Where in the file, bytes; UINT64_MAX: that is not told. */
static uint64_t offset_of(const struct mwa_delivery *delivery, const struct mwa_record *record)
{
    const uint32_t id = delivery->trace->attributes[MW_ATTRIBUTE_OFFSET];
    uint64_t bits;

    return mwa_attribute_find(&record->attributes, id, OTF2_TYPE_INT64, &bits) && bits <= INT64_MAX
               ? bits
               : UINT64_MAX;
}

static bool deliver_transfer(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    const uint32_t handle = (uint32_t)record->fields[0];
    const uint64_t mode = record->fields[1];
    const uint64_t bytes = record->fields[3];
    const struct mwa_metric_object *object = object_of(delivery, true, handle);
    struct mwa_event event;

    if (is_foreign(delivery, true, handle) ||
        (mode != OTF2_IO_OPERATION_MODE_READ && mode != OTF2_IO_OPERATION_MODE_WRITE) ||
        bytes == OTF2_UNDEFINED_UINT64) {
        return deliver_use(delivery, record, true, handle);
    }
    mwa_event_begin(&event, MWA_FILE, record->time);
    event.object = mwa_metric_object_index(&delivery->trace->metrics, true, handle);
    event.of.file = (struct mwa_file_data){
        .comm = object ? object->comm : MWA_NONE,
        .bytes_read = mode == OTF2_IO_OPERATION_MODE_READ ? bytes : 0,
        .bytes_written = mode == OTF2_IO_OPERATION_MODE_WRITE ? bytes : 0,
        .offset = offset_of(delivery, record)
    };
    return mwa_deliver(delivery, &event);
}

bool mwa_delivery_take_object(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    const uint64_t *fields = record->fields;

    switch (record->type) {
    case MWA_RECORD_RMA_COLLECTIVE_END:
        return deliver_collective(delivery, record);
    case MWA_RECORD_RMA_SYNC:
        return deliver_sync(delivery, record);
    case MWA_RECORD_RMA_GROUP_SYNC:
        return deliver_group_sync(delivery, record);
    case MWA_RECORD_RMA_REQUEST_LOCK:
        return deliver_lock(delivery, record, MWA_STEP_REQUEST);
    case MWA_RECORD_RMA_ACQUIRE_LOCK:
        return deliver_lock(delivery, record, MWA_STEP_LOCK);
    case MWA_RECORD_RMA_RELEASE_LOCK:
        return deliver_lock(delivery, record, MWA_STEP_UNLOCK);
    case MWA_RECORD_RMA_PUT:
        return deliver_access(delivery, record, fields[2], 0, fields[3]);
    case MWA_RECORD_RMA_GET:
        return deliver_access(delivery, record, 0, fields[2], fields[3]);
    case MWA_RECORD_RMA_ATOMIC:
        return deliver_access(delivery, record, fields[3], fields[4], fields[5]);
    case MWA_RECORD_RMA_OP_COMPLETE_BLOCKING:
    case MWA_RECORD_RMA_OP_COMPLETE_NON_BLOCKING:
        return deliver_done(delivery, record, MWA_STEP_DONE_LOCALLY);
    case MWA_RECORD_RMA_OP_COMPLETE_REMOTE:
        return deliver_done(delivery, record, MWA_STEP_DONE);
    case MWA_RECORD_IO_OPERATION_BEGIN:
        return deliver_transfer(delivery, record);
    case MWA_RECORD_IO_CREATE_HANDLE:
    case MWA_RECORD_IO_DESTROY_HANDLE:
    case MWA_RECORD_IO_SEEK:
    case MWA_RECORD_IO_OPERATION_COMPLETE:
        return deliver_use(delivery, record, true, (uint32_t)fields[0]);
    default:
        return true;
    }
}
