/*
 * All of it is read anew when a file has grown: definitions are few beside events, and those that
 * are known already change nothing.
 */
#include "analyzer/live/live_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/base/order.h"
#include "formats/spool/record.h"

#define NUMBERS_MAX 1000000u
#define GROUP_OF_SELF 0u
#define NAME_DEPTH    8u /* of parents that are named */

/* A region for each call: its number. */
static bool make_regions(struct mwa_trace *trace)
{
    trace->regions = calloc(MW_CALL_COUNT, sizeof *trace->regions);
    trace->mpi_regions = calloc(MW_CALL_COUNT, sizeof *trace->mpi_regions);
    if (!trace->regions || !trace->mpi_regions) {
        return false;
    }
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        trace->regions[call] = (struct mwa_region){.name = mw_call_name(call),
                                                   .group = mw_group_name(mw_call_group(call)),
                                                   .kind = mwa_region_kind_of_call(call),
                                                   .call = call,
                                                   .mpi_index = call,
                                                   .line = MWA_NONE};
        trace->mpi_regions[call] = call;
    }
    trace->region_count = MW_CALL_COUNT;
    trace->mpi_region_count = MW_CALL_COUNT;
    return true;
}

/* --- communicators ---------------------------------------------- */

/* A new group with the ranks, in that order; MWA_NONE without memory. */
static uint32_t add_group(struct mwa_live_trace *live, const uint32_t *ranks, uint32_t count)
{
    struct mwa_trace *trace = &live->trace;
    struct mwa_group *group;

    if (!mwa_grow(&trace->groups, &live->group_capacity, trace->group_count + 1,
                  sizeof *trace->groups)) {
        return MWA_NONE;
    }
    group = &trace->groups[trace->group_count];
    *group = (struct mwa_group){.count = count,
                                .ranks = calloc(count + (size_t)1, sizeof *group->ranks),
                                .sorted = calloc(count + (size_t)1, sizeof *group->sorted)};
    trace->group_count++;
    if (!group->ranks || !group->sorted) {
        return MWA_NONE;
    }
    if (count > 0) {
        memcpy(group->ranks, ranks, count * sizeof *ranks);
        memcpy(group->sorted, ranks, count * sizeof *ranks);
        qsort(group->sorted, count, sizeof *ranks, mw_order_u32);
    }
    return (uint32_t)trace->group_count - 1;
}

/* The index of the communicator; a new one has nothing but that. MWA_NONE: no memory. */
static uint32_t comm_of(struct mwa_live_trace *live, struct mw_uid uid)
{
    struct mwa_trace *trace = &live->trace;
    const uint64_t count = trace->comm_count;
    uint64_t *place = mwa_map_put(&live->by_uid, (struct mwa_key){uid.high, uid.low}, count);

    if (!place || *place < count) {
        return place ? (uint32_t)*place : MWA_NONE;
    }
    if (!mwa_grow(&trace->comms, &live->comm_capacity, count + 1, sizeof *trace->comms) ||
        !mwa_grow(&live->uids, &live->uid_capacity, count + 1, sizeof *live->uids) ||
        !mwa_grow(&live->parents, &live->parent_capacity, count + 1, sizeof *live->parents) ||
        !mwa_grow(&live->calls, &live->call_capacity, count + 1, sizeof *live->calls) ||
        !mwa_grow(&live->leaders, &live->leader_capacity, count + 1, sizeof *live->leaders) ||
        !mwa_grow(&live->sequences, &live->sequence_capacity, count + 1,
                  sizeof *live->sequences)) {
        return MWA_NONE;
    }
    trace->comms[count] = (struct mwa_comm){.id = (uint32_t)count,
                                            .name = "",
                                            .group = MWA_NONE,
                                            .remote_group = MWA_NONE,
                                            .parent = MWA_NONE,
                                            .sequence = UINT64_MAX};
    live->uids[count] = uid;
    live->parents[count] = (struct mw_uid){0, 0};
    live->calls[count] = MW_CALL_COUNT;
    live->sequences[count] = 0;
    live->leaders[count] = MWA_NONE;
    trace->comm_count++;
    return (uint32_t)count;
}

static bool take_members(struct mwa_live_trace *live, struct mwa_comm *comm,
                         const struct mw_define_comm *definition)
{
    const bool is_known =
        comm->group != MWA_NONE && (!comm->inter || comm->remote_group != MWA_NONE);
    uint32_t group;

    if (definition->member_count == 0 || is_known) {
        return true;
    }
    if (comm->group != MWA_NONE && /* of an intercommunicator: which of both groups is it? */
        live->trace.groups[comm->group].count > 0 &&
        live->trace.groups[comm->group].ranks[0] == definition->members[0]) {
        return true;
    }
    group = add_group(live, definition->members, definition->member_count);
    if (comm->group == MWA_NONE) {
        comm->group = group;
    } else {
        comm->remote_group = group;
    }
    return group != MWA_NONE;
}

static bool take_comm(struct mwa_live_trace *live, struct mwa_live_numbers *numbers,
                      const struct mw_define_comm *definition)
{
    uint32_t index = definition->comm; /* MPI_COMM_WORLD and MPI_COMM_SELF have theirs */
    struct mwa_comm *comm;

    if (definition->comm >= NUMBERS_MAX ||
        !mw_array_widen((void **)&numbers->comms, &numbers->comm_room, definition->comm,
                        sizeof *numbers->comms, 0xff)) {
        return definition->comm >= NUMBERS_MAX;
    }
    if (index > MW_COMM_SELF) {
        index = comm_of(live, definition->uid);
    } else if (index == MW_COMM_WORLD) {
        uint64_t *place = mwa_map_put(
            &live->by_uid, (struct mwa_key){definition->uid.high, definition->uid.low}, index);

        index = place ? index : MWA_NONE;
    }
    if (index == MWA_NONE) {
        return false;
    }
    numbers->comms[definition->comm] = index;
    comm = &live->trace.comms[index];
    if (index > MW_COMM_SELF) {
        comm->inter = definition->flags & MW_COMM_INTER;
        comm->predefined = definition->flags & MW_COMM_PREDEFINED;
        comm->other_job = definition->flags & MW_COMM_OTHER_JOB;
        live->parents[index] = definition->parent;
        live->calls[index] = definition->call;
        live->leaders[index] = definition->leader;
        live->sequences[index] = definition->sequence;
    }
    return comm->other_job || index == MW_COMM_SELF || take_members(live, comm, definition);
}

static bool take_name(struct mwa_live_trace *live, const struct mwa_live_numbers *numbers,
                      const struct mw_define_comm_name *name)
{
    const uint32_t index = mwa_live_trace_comm(numbers, name->comm);
    const char *given;

    if (index == MWA_NONE) {
        return true;
    }
    given = name->source == MW_NAME_UNREGISTERED ? "" : name->name;
    if (strcmp(live->trace.comms[index].name, given) == 0) {
        return true;
    }
    given = mwa_trace_text(&live->trace, given);
    live->trace.comms[index].name = given ? given : "";
    return given;
}

uint32_t mwa_live_trace_hear(struct mwa_live_trace *live, struct mw_uid uid, bool is_inter,
                             bool is_other_job)
{
    const uint32_t index = comm_of(live, uid);

    /* What is known already is better known here. */
    if (index != MWA_NONE && index > MW_COMM_SELF && live->trace.comms[index].group == MWA_NONE) {
        live->trace.comms[index].inter = is_inter;
        live->trace.comms[index].other_job = is_other_job;
    }
    return index;
}

bool mwa_live_trace_hear_group(struct mwa_live_trace *live, uint32_t comm, const uint32_t *ranks,
                               uint32_t count)
{
    const struct mw_define_comm definition = {.member_count = count, .members = ranks};

    return take_members(live, &live->trace.comms[comm], &definition);
}

/* --- the rest ---------------------------------------------- */

/* Windows are the trace's objects, by a number that is the same for all of their ranks. */
static bool take_window(struct mwa_live_trace *live, struct mwa_live_numbers *numbers,
                        const struct mw_define_object *object)
{
    struct mwa_metrics *metrics = &live->trace.metrics;
    const uint32_t count = (uint32_t)metrics->object_count;
    const struct mwa_metric_object window = {.id = count, .name = "", .comm = MWA_NONE};
    uint64_t *place = mwa_map_put(&live->windows_by_uid,
                                  (struct mwa_key){object->uid.high, object->uid.low}, count);

    if (!place || !mw_array_widen((void **)&numbers->windows, &numbers->window_room,
                                  object->number, sizeof *numbers->windows, 0xff)) {
        return false;
    }
    numbers->windows[object->number] = (uint32_t)*place;
    if (*place < count) {
        return true;
    }
    if (!mwa_grow(&live->window_comms, &live->window_capacity, count + (uint64_t)1,
                  sizeof *live->window_comms)) {
        return false;
    }
    live->window_comms[count] = object->comm;
    return mwa_metrics_add_object(metrics, &window);
}

static bool take_object(struct mwa_live_trace *live, struct mwa_live_numbers *numbers,
                        const struct mw_define_object *object)
{
    const uint32_t kind = object->kind;

    if (kind >= MW_OBJECT_KIND_COUNT || object->number >= MW_OBJECT_NUMBER_MAX) {
        return true;
    }
    if (!mw_array_widen((void **)&numbers->object_comms[kind], &numbers->object_rooms[kind],
                        object->number, sizeof *numbers->object_comms[kind], 0)) {
        return false;
    }
    numbers->object_comms[kind][object->number] = object->comm;
    return kind != MW_OBJECT_WINDOW || take_window(live, numbers, object);
}

static bool take_site(struct mwa_live_numbers *numbers, uint32_t site, uint32_t call)
{
    if (site >= MW_SITES_MAX || call >= MW_CALL_COUNT) {
        return true;
    }
    if (!mw_array_widen((void **)&numbers->site_calls, &numbers->site_room, site,
                        sizeof *numbers->site_calls, 0xff)) {
        return false;
    }
    numbers->site_calls[site] = (uint16_t)call;
    return true;
}

static bool take_metric(struct mwa_live_numbers *numbers, const struct mw_define_metric *metric)
{
    struct mwa_live_metric *known;

    if (metric->metric >= NUMBERS_MAX) {
        return true;
    }
    if (!mw_array_widen((void **)&numbers->metrics, &numbers->metric_room, metric->metric,
                        sizeof *numbers->metrics, 0)) {
        return false;
    }
    known = &numbers->metrics[metric->metric];
    if (!known->name) {
        known->name = strdup(metric->name);
        known->unit = strdup(metric->unit);
        known->class = metric->effective;
    }
    return known->name && known->unit;
}

static void take_process(struct mwa_live_trace *live, struct mwa_live_numbers *numbers,
                         const struct mw_define_process *process)
{
    numbers->resolution = process->time_resolution;
    numbers->rank = process->rank;
    if (process->rank < live->trace.rank_count) {
        live->trace.ranks[process->rank].calls_in_turn =
            process->thread_level < MW_THREADS_MULTIPLE;
    }
}

static void take_circumstance(struct mwa_live_trace *live, const struct mwa_live_numbers *numbers,
                              const struct mw_define_circumstance *circumstance)
{
    if (circumstance->of == MW_CIRCUMSTANCE_OF_PROCESS &&
        numbers->rank < live->trace.rank_count) {
        struct mwa_rank *rank = &live->trace.ranks[numbers->rank];

        rank->handles_errors |= strcmp(circumstance->name, MW_CIRCUMSTANCE_ERRHANDLER) == 0;
        rank->has_keyvals |= strcmp(circumstance->name, MW_CIRCUMSTANCE_KEYVAL) == 0;
        rank->has_request_functions |= strcmp(circumstance->name, MW_CIRCUMSTANCE_REQUEST) == 0;
        rank->has_finalizers |= strcmp(circumstance->name, MW_CIRCUMSTANCE_FINALIZE) == 0;
        rank->has_finalizers &= strcmp(circumstance->name, MW_CIRCUMSTANCE_FINALIZE_OVER) != 0;
    }
}

static bool take(struct mwa_live_trace *live, struct mwa_live_numbers *numbers,
                 const struct mw_definition *definition)
{
    switch (definition->kind) {
    case MW_DEFINE_COMM:
        return take_comm(live, numbers, &definition->of.comm);
    case MW_DEFINE_COMM_NAME:
        return take_name(live, numbers, &definition->of.comm_name);
    case MW_DEFINE_OBJECT:
        return take_object(live, numbers, &definition->of.object);
    case MW_DEFINE_SITE:
        return take_site(numbers, definition->of.site.site, definition->of.site.call);
    case MW_DEFINE_LINE:
        return take_site(numbers, definition->of.line.site, definition->of.line.call);
    case MW_DEFINE_STACK:
        return take_site(numbers, definition->of.stack.site, definition->of.stack.call);
    case MW_DEFINE_METRIC:
        return take_metric(numbers, &definition->of.metric);
    case MW_DEFINE_PROCESS:
        take_process(live, numbers, &definition->of.process);
        return true;
    case MW_DEFINE_CIRCUMSTANCE:
        take_circumstance(live, numbers, &definition->of.circumstance);
        return true;
    case MW_DEFINE_CLOCK:
        return mw_clock_add(&numbers->clock, &numbers->clock_count, &definition->of.clock,
                            numbers->resolution);
    default:
        return true;
    }
}

/* The index of a communicator that is defined by now; MWA_NONE: it is not. */
static uint32_t known_comm(const struct mwa_live_trace *live, struct mw_uid uid)
{
    const uint64_t index = mwa_map_get(&live->by_uid, (struct mwa_key){uid.high, uid.low});

    return index < live->trace.comm_count ? (uint32_t)index : MWA_NONE;
}

static void find_comms_of_windows(struct mwa_live_trace *live)
{
    struct mwa_metrics *metrics = &live->trace.metrics;

    for (uint64_t i = 0; i < metrics->object_count; i++) {
        metrics->objects[i].comm = known_comm(live, live->window_comms[i]);
    }
}

/* Indices of parents, of those that are known by now. */
static void find_parents(struct mwa_live_trace *live)
{
    for (uint64_t i = MW_COMM_SELF + 1; i < live->trace.comm_count; i++) {
        struct mwa_comm *comm = &live->trace.comms[i];
        uint64_t parent = mwa_map_get(
            &live->by_uid, (struct mwa_key){live->parents[i].high, live->parents[i].low});

        comm->parent = parent < i && !mw_uid_is_none(live->parents[i]) ? (uint32_t)parent
                                                                       : MWA_NONE;
    }
}

bool mwa_live_trace_read(struct mwa_live_trace *live, struct mwa_live_numbers *numbers,
                         const char *path)
{
    struct mw_definition_reader *reader;
    struct mw_definition definition;
    bool has_memory = mw_definition_follow(&numbers->definitions, path, &reader);
    enum mw_status status = MW_OK;

    if (!has_memory || !reader) {
        return has_memory;
    }
    while (has_memory &&
           (status = mw_definition_reader_next(reader, &definition, NULL)) == MW_OK) {
        has_memory = take(live, numbers, &definition);
    }
    has_memory &= status != MW_ERROR_MEMORY;
    mw_definition_followed(&numbers->definitions, reader);
    find_parents(live);
    find_comms_of_windows(live);
    return has_memory;
}

/* --- asking ---------------------------------------------- */

static bool knows_comm(const struct mwa_live_trace *live, const bool *is_here, uint32_t index)
{
    const uint32_t leader = index != MWA_NONE ? live->leaders[index] : MWA_NONE;

    return index != MWA_NONE &&
           (live->trace.comms[index].group != MWA_NONE || live->trace.comms[index].other_job ||
            leader >= live->trace.rank_count || !is_here[leader]);
}

/* The communicator of a window that the process has told of. */
static bool knows_window(const struct mwa_live_trace *live, const struct mwa_live_numbers *numbers,
                         const bool *is_here, uint32_t number)
{
    const uint32_t window = mwa_live_trace_window(numbers, number);

    return window == MWA_NONE ||
           knows_comm(live, is_here, live->trace.metrics.objects[window].comm);
}

bool mwa_live_trace_knows_comms(const struct mwa_live_trace *live,
                                const struct mwa_live_numbers *numbers, const bool *is_here,
                                const struct mw_spool_call *call)
{
    const struct mw_member *member = NULL;
    uint32_t latest = MW_COMM_WORLD;

    while ((member = mw_spool_call_member(call, member))) {
        const bool is_of_comm = member->type <= MW_MEMBER_COMM_ENDED &&
                                member->type != MW_MEMBER_INSIDE &&
                                member->type != MW_MEMBER_ERROR;

        if (is_of_comm && member->comm != latest && member->comm != MW_COMM_NONE) {
            latest = member->comm;
            if (!knows_comm(live, is_here, mwa_live_trace_comm(numbers, latest))) {
                return false;
            }
        } else if (member->type >= MW_MEMBER_WIN_CREATE && member->type <= MW_MEMBER_RMA_SYNC &&
                   !knows_window(live, numbers, is_here, member->comm)) {
            return false;
        }
    }
    return true;
}

bool mwa_live_trace_knows(const struct mwa_live_trace *live, const struct mwa_live_numbers *numbers,
                          const bool *is_here, const struct mw_spool_call *call)
{
    const unsigned site = call->record.call - MW_CALL_COUNT;
    const bool knows_site =
        call->record.call < MW_CALL_COUNT ||
        (site < numbers->site_room && numbers->site_calls[site] < MW_CALL_COUNT);

    return knows_site && mwa_live_trace_knows_comms(live, numbers, is_here, call);
}

uint32_t mwa_live_trace_comm(const struct mwa_live_numbers *numbers, uint32_t comm)
{
    return comm < numbers->comm_room ? numbers->comms[comm] : MWA_NONE;
}

uint32_t mwa_live_trace_object(const struct mwa_live_trace *live,
                               const struct mwa_live_numbers *numbers, enum mw_object_kind kind,
                               uint32_t number)
{
    return number < numbers->object_rooms[kind]
               ? known_comm(live, numbers->object_comms[kind][number])
               : MWA_NONE;
}

uint32_t mwa_live_trace_window(const struct mwa_live_numbers *numbers, uint32_t window)
{
    return window < numbers->window_room ? numbers->windows[window] : MWA_NONE;
}

static void put_name(const struct mwa_live_trace *live, uint32_t comm, unsigned depth, char *text,
                     size_t size)
{
    const struct mwa_comm *of = &live->trace.comms[comm];
    char made[64];
    size_t used;

    if (of->name[0] || depth == 0) {
        snprintf(text, size, "%s", of->name[0] ? of->name : "…");
    } else if (live->calls[comm] < MW_CALL_COUNT && of->parent != MWA_NONE) {
        put_name(live, of->parent, depth - 1, text, size); /* each is below its child */
        used = strlen(text);
        mw_call_short_name(live->calls[comm], made, sizeof made);
        snprintf(text + used, size - used, "/%s#%" PRIu32, made, live->sequences[comm]);
    } else {
        snprintf(text, size, "communicator %" PRIu32, comm);
    }
}

const char *mwa_live_trace_comm_name(const struct mwa_live_trace *live, uint32_t comm, char *text,
                                     size_t size)
{
    put_name(live, comm, NAME_DEPTH, text, size);
    return text;
}

/* --- beginning and end ---------------------------------------------- */

bool mwa_live_trace_init(struct mwa_live_trace *live, uint32_t ranks)
{
    struct mwa_trace *trace = &live->trace;
    uint32_t *all = calloc(ranks + (size_t)1, sizeof *all);
    bool is_made;

    *live = (struct mwa_live_trace){.trace = {.clock_resolution = 1000000000u, .program = "",
                                              .creator = "", .host_count = 1,
                                              .incomplete = true}};
    trace->ranks = calloc(ranks + (size_t)1, sizeof *trace->ranks);
    for (uint32_t i = 0; all && trace->ranks && i < ranks; i++) {
        all[i] = i;
        trace->ranks[i] = (struct mwa_rank){.host = "", .master = MWA_NONE, .pid = -1};
    }
    trace->rank_count = trace->ranks ? ranks : 0;
    trace->ranks_expected = ranks;
    is_made = all && trace->ranks && make_regions(trace) &&
              add_group(live, NULL, 0) == GROUP_OF_SELF &&
              comm_of(live, (struct mw_uid){0, MW_COMM_WORLD}) == MW_COMM_WORLD &&
              comm_of(live, (struct mw_uid){0, MW_COMM_SELF}) == MW_COMM_SELF;
    if (is_made) {
        trace->groups[GROUP_OF_SELF].self = true;
        trace->comms[MW_COMM_SELF].group = GROUP_OF_SELF;
        trace->comms[MW_COMM_WORLD].group = add_group(live, all, ranks);
        trace->comms[MW_COMM_WORLD].name = "MPI_COMM_WORLD";
        trace->comms[MW_COMM_SELF].name = "MPI_COMM_SELF";
        trace->comms[MW_COMM_WORLD].predefined = true;
        trace->comms[MW_COMM_SELF].predefined = true;
        is_made = trace->comms[MW_COMM_WORLD].group != MWA_NONE;
    }
    free(all);
    return is_made;
}

void mwa_live_trace_fini(struct mwa_live_trace *live)
{
    mwa_trace_fini(&live->trace);
    mwa_map_fini(&live->by_uid);
    mwa_map_fini(&live->windows_by_uid);
    free(live->window_comms);
    free(live->uids);
    free(live->parents);
    free(live->calls);
    free(live->leaders);
    free(live->sequences);
    *live = (struct mwa_live_trace){.comm_capacity = 0};
}

void mwa_live_numbers_fini(struct mwa_live_numbers *numbers)
{
    for (uint32_t i = 0; i < numbers->metric_room; i++) {
        free(numbers->metrics[i].name);
        free(numbers->metrics[i].unit);
    }
    for (unsigned kind = 0; kind < MW_OBJECT_KIND_COUNT; kind++) {
        free(numbers->object_comms[kind]);
    }
    free(numbers->metrics);
    free(numbers->comms);
    free(numbers->windows);
    free(numbers->site_calls);
    free(numbers->clock);
    mw_definition_follower_fini(&numbers->definitions);
    *numbers = (struct mwa_live_numbers){.comm_room = 0};
}
