/* By libotf2, since whether it can read an archive is what other tools want to know. */
#include "analyzer/validate/events.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/load/callback.h"
#include "analyzer/load/otf2_input.h"
#include "analyzer/load/positions.h"
#include "analyzer/load/references.h"

#define TEXT_BYTES 160

/* So many ranks of sources are looked at in a location: no honest one has as many. */
#define SOURCES_MAX (UINT64_C(1) << 24)

enum trouble {
    TROUBLE_UNDEFINED, /* refers to what is not defined */
    TROUBLE_LOST_COMM, /* a communicator whose definition was lost */
    TROUBLE_PEER,
    TROUBLE_SOURCE, /* a rank that something comes from is not in the communicator */
    TROUBLE_BACKWARDS,
    TROUBLE_STRAY_LEAVE,
    TROUBLE_CROSSED, /* the same of a region that is not MPI's, or out of such */
    TROUBLE_METRIC,
    TROUBLES
};

/* The first of a kind in a location, and how many there are. */
struct first {
    uint64_t count;
    uint64_t offset;
    char text[TEXT_BYTES];
};

/* A location being read. */
struct scan {
    const struct mwa_trace *trace;
    const struct mwa_defined *defined;
    const struct mwa_stream_log *log;
    struct first firsts[TROUBLES];
    uint64_t events; /* that came to a callback */
    uint64_t last_time;
    uint32_t *stack; /* regions entered */
    uint64_t depth;
    uint64_t capacity;
    struct mwa_positions positions;
    const struct mwa_group *sources; /* the last that were looked at, and in which one */
    uint32_t sources_comm;
    uint64_t source_ranks; /* looked at so far */
    bool no_memory;
};

static void note(struct scan *scan, enum trouble trouble, const char *format, ...)
    MW_PRINTF(3, 4);

static void note(struct scan *scan, enum trouble trouble, const char *format, ...)
{
    struct first *first = &scan->firsts[trouble];
    va_list arguments;

    if (first->count++ > 0) {
        return;
    }
    first->offset = scan->log->last_offset;
    va_start(arguments, format);
    vsnprintf(first->text, sizeof first->text, format, arguments);
    va_end(arguments);
}

/* Every event comes through here first. */
static struct scan *begin(void *user, uint64_t time, uint64_t position)
{
    struct scan *scan = user;

    scan->events++;
    if (time < scan->last_time) {
        note(scan, TROUBLE_BACKWARDS, "event %llu: time goes backwards by %llu ticks",
             (unsigned long long)position, (unsigned long long)(scan->last_time - time));
    }
    scan->last_time = time;
    return scan;
}

static OTF2_CallbackCode end(const struct scan *scan)
{
    return scan->no_memory ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static void refer(struct scan *scan, uint64_t position, enum mwa_definition kind, uint64_t id)
{
    if (!mwa_is_defined(scan->defined, kind, id)) {
        note(scan, TROUBLE_UNDEFINED, "event %llu refers to %s %llu, which is not defined",
             (unsigned long long)position, mwa_definition_name(kind), (unsigned long long)id);
    }
}

static void refer_comm(struct scan *scan, uint64_t position, OTF2_CommRef comm)
{
    if (comm == OTF2_UNDEFINED_COMM) {
        note(scan, TROUBLE_LOST_COMM,
             "event %llu has a communicator whose definition was lost",
             (unsigned long long)position);
    } else {
        refer(scan, position, MWA_DEFINED_COMM, comm);
    }
}

static void refer_peer(struct scan *scan, uint64_t position, OTF2_CommRef comm, uint32_t peer)
{
    refer_comm(scan, position, comm);
    if (!mwa_may_be_member(scan->trace, mwa_trace_comm(scan->trace, comm), peer)) {
        note(scan, TROUBLE_PEER, "event %llu: there is no rank %u in Comm %u",
             (unsigned long long)position, peer, comm);
    }
}

static void refer_root(struct scan *scan, uint64_t position, OTF2_CommRef comm, uint32_t root)
{
    refer_comm(scan, position, comm);
    if (!mwa_may_be_root(scan->trace, mwa_trace_comm(scan->trace, comm), root)) {
        note(scan, TROUBLE_PEER, "event %llu: there is no rank %u in Comm %u to be root",
             (unsigned long long)position, root, comm);
    }
}

static void refer_attributes(struct scan *scan, uint64_t position,
                             const OTF2_AttributeList *attributes)
{
    uint32_t count = OTF2_AttributeList_GetNumberOfElements(attributes);

    for (uint32_t i = 0; i < count; i++) {
        OTF2_AttributeRef id;
        OTF2_Type type;
        OTF2_AttributeValue value;

        if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &id, &type, &value) !=
            OTF2_SUCCESS) {
            continue;
        }
        refer(scan, position, MWA_DEFINED_ATTRIBUTE, id);
        if (type == OTF2_TYPE_STRING) {
            refer(scan, position, MWA_DEFINED_STRING, value.stringRef);
        } else if (type == OTF2_TYPE_REGION) {
            refer(scan, position, MWA_DEFINED_REGION, value.regionRef);
        } else if (type == OTF2_TYPE_COMM && value.commRef != OTF2_UNDEFINED_COMM) {
            refer(scan, position, MWA_DEFINED_COMM, value.commRef);
        } else if (type == OTF2_TYPE_GROUP && value.groupRef != OTF2_UNDEFINED_GROUP) {
            refer(scan, position, MWA_DEFINED_GROUP, value.groupRef);
        } else if (type == OTF2_TYPE_METRIC) {
            refer(scan, position, MWA_DEFINED_METRIC, value.metricRef);
        }
    }
}

/* Those that an operation takes something from are members of its communicator. */
static void check_sources(struct scan *scan, uint64_t position,
                          const OTF2_AttributeList *attributes, uint32_t comm)
{
    const struct mwa_trace *trace = scan->trace;
    const uint32_t *ids = trace->attributes;
    const struct mwa_group *group;
    OTF2_GroupRef id = OTF2_UNDEFINED_GROUP;

    if (OTF2_AttributeList_GetGroupRef(attributes, ids[MW_ATTRIBUTE_NEIGHBORS], &id) !=
        OTF2_SUCCESS) {
        OTF2_AttributeList_GetGroupRef(attributes, ids[MW_ATTRIBUTE_SOURCES], &id);
    }
    group = mwa_trace_group(trace, id);
    if (!group || comm == MWA_NONE || (group == scan->sources && comm == scan->sources_comm) ||
        group->count > SOURCES_MAX - scan->source_ranks) {
        return;
    }
    scan->sources = group;
    scan->sources_comm = comm;
    scan->source_ranks += group->count;
    if (!scan->positions.by_group && !mwa_positions_init(&scan->positions, trace)) {
        scan->no_memory = true;
        return;
    }
    for (uint32_t i = 0; i < group->count; i++) {
        if (mwa_positions_find(&scan->positions, comm, group->ranks[i]) == MWA_NONE &&
            !scan->positions.no_memory) {
            note(scan, TROUBLE_SOURCE,
                 "event %llu: rank %u, that something comes from, is not in Comm %u",
                 (unsigned long long)position, group->ranks[i], trace->comms[comm].id);
            return;
        }
    }
    scan->no_memory |= scan->positions.no_memory;
}

MWA_CALLBACK(on_enter, OTF2_RegionRef region)
{
    struct scan *scan = begin(user, time, position);

    refer(scan, position, MWA_DEFINED_REGION, region);
    refer_attributes(scan, position, attributes);
    if (mwa_grow(&scan->stack, &scan->capacity, scan->depth + 1, sizeof *scan->stack)) {
        scan->stack[scan->depth++] = region;
    } else {
        scan->no_memory = true;
    }
    return end(scan);
}

static bool is_mpi(const struct scan *scan, OTF2_RegionRef region)
{
    uint32_t site = mwa_trace_site(scan->trace, region);

    return site != MWA_NONE &&
           scan->trace->regions[scan->trace->sites[site].region].kind != MWA_REGION_USER;
}

/* Where the region was entered last, counted from 1; 0: it was not. */
static uint64_t entered_at(const struct scan *scan, OTF2_RegionRef region)
{
    uint64_t at = scan->depth;

    while (at > 0 && scan->stack[at - 1] != region) {
        at--;
    }
    return at;
}

/*
 * Whether a leave out of order is just odd: programs say where their regions begin and end, and
 * other tools note down what they say. Calls of MPI lie inside of each other.
 */
static bool crosses(const struct scan *scan, OTF2_RegionRef region)
{
    uint64_t at = entered_at(scan, region);

    for (uint64_t i = at; at > 0 && i < scan->depth; i++) {
        if (is_mpi(scan, region) && is_mpi(scan, scan->stack[i])) {
            return false;
        }
    }
    return at > 0 || !is_mpi(scan, region);
}

/* A region is left: of one that is not MPI's and was not entered, nothing becomes of the others. */
static void take_out(struct scan *scan, OTF2_RegionRef region)
{
    uint64_t at = entered_at(scan, region);

    if (at == 0 && !is_mpi(scan, region)) {
        return;
    }
    at = at > 0 ? at : scan->depth;
    if (at > 0) {
        memmove(&scan->stack[at - 1], &scan->stack[at],
                (scan->depth - at) * sizeof *scan->stack);
        scan->depth--;
    }
}

MWA_CALLBACK(on_leave, OTF2_RegionRef region)
{
    struct scan *scan = begin(user, time, position);

    refer(scan, position, MWA_DEFINED_REGION, region);
    refer_attributes(scan, position, attributes);
    if (scan->depth == 0 || scan->stack[scan->depth - 1] != region) {
        note(scan, crosses(scan, region) ? TROUBLE_CROSSED : TROUBLE_STRAY_LEAVE,
             "event %llu leaves Region %u, which is not the one entered last",
             (unsigned long long)position, region);
    }
    take_out(scan, region);
    return end(scan);
}

MWA_CALLBACK(on_message, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    struct scan *scan = begin(user, time, position);

    refer_peer(scan, position, comm, peer);
    return end(scan);
}

MWA_CALLBACK(on_request_message, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
             uint64_t request)
{
    return on_message(location, time, position, user, attributes, peer, comm, tag, bytes);
}

MWA_CALLBACK(on_request, uint64_t request)
{
    return end(begin(user, time, position));
}

MWA_CALLBACK(on_collective_begin)
{
    return on_request(location, time, position, user, attributes, 0);
}

MWA_CALLBACK(on_collective_end, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,
             uint64_t sent, uint64_t received)
{
    struct scan *scan = begin(user, time, position);

    refer_root(scan, position, comm, root);
    if (OTF2_AttributeList_GetNumberOfElements(attributes) > 0) {
        refer_attributes(scan, position, attributes);
        check_sources(scan, position, attributes, mwa_trace_comm(scan->trace, comm));
    }
    return end(scan);
}

MWA_CALLBACK(on_collective_complete, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,
             uint64_t sent, uint64_t received, uint64_t request)
{
    return on_collective_end(location, time, position, user, attributes, operation, comm, root,
                             sent, received);
}

MWA_CALLBACK(on_comm, OTF2_CommRef comm)
{
    struct scan *scan = begin(user, time, position);

    refer_comm(scan, position, comm);
    return end(scan);
}

MWA_CALLBACK(on_metric, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types,
             const OTF2_MetricValue *values)
{
    struct scan *scan = begin(user, time, position);
    uint64_t members = mwa_map_get(&scan->defined->ids[MWA_DEFINED_METRIC],
                                   (struct mwa_key){ 0, metric });

    refer(scan, position, MWA_DEFINED_METRIC, metric);
    refer_attributes(scan, position, attributes);
    if (members != MWA_MAP_ABSENT && members != count) {
        note(scan, TROUBLE_METRIC, "event %llu has %u values of MetricClass %u, which has %llu",
             (unsigned long long)position, count, metric, (unsigned long long)members);
    }
    return end(scan);
}

MWA_CALLBACK(on_parameter_string, OTF2_ParameterRef parameter, OTF2_StringRef string)
{
    struct scan *scan = begin(user, time, position);

    refer(scan, position, MWA_DEFINED_PARAMETER, parameter);
    refer(scan, position, MWA_DEFINED_STRING, string);
    return end(scan);
}

MWA_CALLBACK(on_parameter_number, OTF2_ParameterRef parameter, uint64_t value)
{
    struct scan *scan = begin(user, time, position);

    refer(scan, position, MWA_DEFINED_PARAMETER, parameter);
    refer_attributes(scan, position, attributes);
    return end(scan);
}

MWA_CALLBACK(on_window, OTF2_RmaWinRef window)
{
    struct scan *scan = begin(user, time, position);

    refer(scan, position, MWA_DEFINED_WINDOW, window);
    return end(scan);
}

/* An event about target in window; UINT32_MAX: all of them. */
static OTF2_CallbackCode on_target(void *user, uint64_t time, uint64_t position,
                                   OTF2_RmaWinRef window, uint32_t target)
{
    struct scan *scan = begin(user, time, position);
    const struct mwa_metrics *metrics = &scan->trace->metrics;
    uint32_t object = mwa_metric_object_index(metrics, false, window);

    refer(scan, position, MWA_DEFINED_WINDOW, window);
    if (object != MWA_NONE && target != UINT32_MAX &&
        !mwa_may_be_member(scan->trace, metrics->objects[object].comm, target)) {
        note(scan, TROUBLE_PEER, "event %llu: there is no rank %u in RmaWin %u",
             (unsigned long long)position, target, window);
    }
    return end(scan);
}

MWA_CALLBACK(on_transfer, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes,
             uint64_t matching)
{
    return on_target(user, time, position, window, remote);
}

MWA_CALLBACK(on_atomic, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type,
             uint64_t sent, uint64_t received, uint64_t matching)
{
    return on_transfer(location, time, position, user, attributes, window, remote, sent, matching);
}

MWA_CALLBACK(on_sync, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaSyncType type)
{
    return on_transfer(location, time, position, user, attributes, window, remote, 0, 0);
}

MWA_CALLBACK(on_lock, OTF2_RmaWinRef window, uint32_t remote, uint64_t id, OTF2_LockType type)
{
    return on_transfer(location, time, position, user, attributes, window, remote, 0, id);
}

MWA_CALLBACK(on_unlock, OTF2_RmaWinRef window, uint32_t remote, uint64_t id)
{
    return on_transfer(location, time, position, user, attributes, window, remote, 0, id);
}

MWA_CALLBACK(on_operations, OTF2_RmaWinRef window, uint64_t matching)
{
    return on_transfer(location, time, position, user, attributes, window, UINT32_MAX, 0, matching);
}

MWA_CALLBACK(on_io, OTF2_IoHandleRef handle)
{
    struct scan *scan = begin(user, time, position);

    refer(scan, position, MWA_DEFINED_IO_HANDLE, handle);
    return end(scan);
}

MWA_CALLBACK(on_thread, OTF2_CommRef contingent, uint64_t sequence)
{
    struct scan *scan = begin(user, time, position);

    refer(scan, position, MWA_DEFINED_COMM, contingent);
    refer_attributes(scan, position, attributes);
    return end(scan);
}

OTF2_EvtReaderCallbacks *mwa_event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *all = OTF2_EvtReaderCallbacks_New();

    if (!all) {
        return NULL;
    }
    OTF2_EvtReaderCallbacks_SetEnterCallback(all, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(all, on_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(all, on_message);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(all, on_message);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(all, on_request_message);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(all, on_request_message);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(all, on_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(all, on_request);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(all, on_request);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(all, on_request);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(all, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(all, on_collective_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(all, on_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(all, on_collective_complete);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(all, on_comm);
    OTF2_EvtReaderCallbacks_SetCommDestroyCallback(all, on_comm);
    OTF2_EvtReaderCallbacks_SetMetricCallback(all, on_metric);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(all, on_thread);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(all, on_thread);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(all, on_parameter_string);
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(all, on_parameter_number);
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(all, on_window);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(all, on_window);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(all, on_transfer);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(all, on_transfer);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(all, on_atomic);
    OTF2_EvtReaderCallbacks_SetRmaSyncCallback(all, on_sync);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(all, on_lock);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(all, on_lock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(all, on_unlock);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(all, on_operations);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(all, on_operations);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(all, on_operations);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(all, on_io);
    return all;
}

static enum mwa_severity severity_of(enum trouble trouble)
{
    return trouble == TROUBLE_LOST_COMM ? MWA_INCOMPLETE
           : trouble == TROUBLE_CROSSED ? MWA_NOTE
                                        : MWA_CORRUPT;
}

/* Whether it ends inside a call: programs forget to leave regions of their own. */
static bool is_inside_mpi(const struct scan *scan)
{
    for (uint64_t i = 0; i < scan->depth; i++) {
        if (is_mpi(scan, scan->stack[i])) {
            return true;
        }
    }
    return false;
}

static void tell(const struct scan *scan, const char *member, struct mwa_findings *findings)
{
    for (unsigned i = 0; i < TROUBLES; i++) {
        const struct first *first = &scan->firsts[i];

        if (first->count == 1) {
            mwa_findings_add(findings, severity_of(i), member, first->offset, "%s", first->text);
        } else if (first->count > 1) {
            mwa_findings_add(findings, severity_of(i), member, first->offset,
                             "%s, and %llu more like it", first->text,
                             (unsigned long long)(first->count - 1));
        }
    }
    if (scan->depth > 0) {
        mwa_findings_add(findings, is_inside_mpi(scan) ? MWA_INCOMPLETE : MWA_NOTE, member,
                         scan->log->last_offset, "regions entered and never left: %llu",
                         (unsigned long long)scan->depth);
    }
}

/* Looks at the events that scan is for; false when they can't be read. */
static bool check(struct mwa_input *input, uint32_t location,
                  const OTF2_EvtReaderCallbacks *callbacks, struct scan *scan,
                  struct mwa_findings *findings)
{
    struct mwa_stream_log *log = mwa_files_log(mwa_input_files(input));
    const struct mwa_location *defined = &mwa_input_trace(input)->locations[location];
    struct mw_diagnostic diagnostic = { 0 };
    enum mw_status status;
    uint64_t count;
    char member[512];

    mwa_files_local_name(mwa_input_files(input), defined->id, "evt", member, sizeof member);
    status = mwa_input_scan(input, location, callbacks, scan, &count, &diagnostic);
    tell(scan, member, findings);
    if (status != MW_OK) {
        mwa_findings_add_failure(findings, &diagnostic);
        log->fault = (struct mw_diagnostic){ 0 };
    } else if (count != defined->events) {
        /* Other tools' counts are known to be wrong: what is there is read, as reports do. */
        bool is_own = mwa_input_trace(input)->has_metadata;

        mwa_findings_add(findings,
                         is_own                    ? MWA_CORRUPT
                         : count < defined->events ? MWA_INCOMPLETE
                                                   : MWA_NOTE,
                         member, log->last_offset, "it has %llu events, its definition says %llu",
                         (unsigned long long)count, (unsigned long long)defined->events);
    }
    return status == MW_OK;
}

bool mwa_check_events(struct mwa_input *input, uint32_t location,
                      const struct mwa_defined *defined,
                      const OTF2_EvtReaderCallbacks *callbacks, struct mwa_findings *findings)
{
    struct mwa_stream_log *log = mwa_files_log(mwa_input_files(input));
    struct scan scan = { .trace = mwa_input_trace(input), .defined = defined, .log = log };
    bool fine;

    log->last_offset = 0; /* of the location that was read before */
    fine = check(input, location, callbacks, &scan, findings);
    free(scan.stack);
    mwa_positions_fini(&scan.positions);
    return fine;
}
