/*
 * Events refer to definitions by ids, which are mostly 0, 1, 2 …: that is tried
 * first, and a map is asked only for the others.
 */
#include "analyzer/model/trace.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/clock.h"
#include "formats/base/order.h"
#include "formats/table/calls.h"

#define NS_PER_SECOND 1000000000u

bool mwa_trace_sort_groups(struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < trace->comm_count; i++) {
        struct mwa_group *group;
        size_t bytes;

        if (!trace->comms[i].inter || trace->comms[i].group == MWA_NONE) {
            continue;
        }
        group = &trace->groups[trace->comms[i].group];
        bytes = (group->count ? group->count : 1) * sizeof *group->sorted;
        if (group->sorted) {
            continue;
        }
        group->sorted = malloc(bytes);
        if (!group->sorted) {
            return false;
        }
        memcpy(group->sorted, group->ranks, group->count * sizeof *group->sorted);
        qsort(group->sorted, group->count, sizeof *group->sorted, mw_order_u32);
    }
    return true;
}

static int by_rank(const void *one, const void *other)
{
    const struct mwa_coordinates *a = one;
    const struct mwa_coordinates *b = other;

    return mw_order(a->rank, b->rank);
}

void mwa_trace_sort_topologies(struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < trace->topology_count; i++) {
        struct mwa_topology *topology = &trace->topologies[i];

        if (topology->place_count > 0) {
            qsort(topology->places, topology->place_count, sizeof *topology->places, by_rank);
        }
    }
}

const struct mwa_coordinates *mwa_trace_coordinates(const struct mwa_topology *topology,
                                                    uint32_t rank)
{
    const struct mwa_coordinates key = { .rank = rank };

    return topology->place_count > 0 ? bsearch(&key, topology->places, topology->place_count,
                                               sizeof *topology->places, by_rank)
                                     : NULL;
}

static void topology_fini(struct mwa_topology *topology)
{
    for (uint64_t i = 0; i < topology->place_count; i++) {
        free(topology->places[i].at);
    }
    free(topology->places);
    free(topology->dimensions);
}

void mwa_trace_fini(struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < trace->group_count; i++) {
        free(trace->groups[i].ranks);
        free(trace->groups[i].sorted);
    }
    for (uint64_t i = 0; i < trace->comm_count; i++) {
        free(trace->comms[i].members[0]);
        free(trace->comms[i].members[1]);
        free(trace->comms[i].memberships);
        free(trace->comms[i].names);
        free(trace->comms[i].registered);
    }
    for (uint64_t i = 0; i < trace->string_count; i++) {
        free(trace->strings[i]);
    }
    for (uint64_t i = 0; i < trace->topology_count; i++) {
        topology_fini(&trace->topologies[i]);
    }
    free(trace->topologies);
    free(trace->strings);
    free(trace->settings);
    free(trace->circumstances);
    free(trace->filtered);
    free(trace->sampled.ranks);
    free(trace->sampled.spots);
    free(trace->sampled.rows);
    free(trace->sampled.crews);
    free(trace->sampled.crew_rows);
    free(trace->sites);
    free(trace->frames);
    free(trace->regions);
    free(trace->mpi_regions);
    free(trace->groups);
    free(trace->comms);
    free(trace->sides);
    free(trace->locations);
    free(trace->ranks);
    free(trace->jobs);
    mwa_map_fini(&trace->site_index);
    mwa_map_fini(&trace->comm_index);
    mwa_map_fini(&trace->group_index);
    mwa_map_fini(&trace->string_index);
    mwa_map_fini(&trace->context_index);
    mwa_metrics_fini(&trace->metrics);
    *trace = (struct mwa_trace){ 0 };
}

enum mwa_region_kind mwa_region_kind_of_call(unsigned call)
{
    switch (mw_call_kind(call)) {
    case MW_KIND_INIT:
        return MWA_REGION_INIT;
    case MW_KIND_FINALIZE:
        return MWA_REGION_FINALIZE;
    default:
        return MWA_REGION_MPI;
    }
}

const char *mwa_trace_text(struct mwa_trace *trace, const char *text)
{
    char *copy = mwa_grow(&trace->strings, &trace->string_capacity, trace->string_count + 1,
                          sizeof *trace->strings)
                     ? strdup(text)
                     : NULL;

    if (copy) {
        trace->strings[trace->string_count++] = copy;
    }
    trace->lacks_text |= !copy;
    return copy;
}

static uint32_t index_of(const struct mwa_map *table, uint32_t id)
{
    return (uint32_t)mwa_map_get(table, (struct mwa_key){ 0, id });
}

const char *mwa_trace_setting(const struct mwa_trace *trace, const char *name)
{
    for (uint64_t i = 0; i + 1 < trace->setting_count; i += 2) {
        if (strcmp(trace->settings[i], name) == 0) {
            return trace->settings[i + 1];
        }
    }
    return NULL;
}

uint32_t mwa_trace_left_out(const struct mwa_trace *trace)
{
    const char *events = mwa_trace_setting(trace, "events");
    const char *unknown;
    uint32_t groups = 0;

    return events && mw_groups_parse(events, &groups, &unknown) ? MW_GROUPS_DEFAULT & ~groups : 0;
}

bool mwa_trace_has_gaps(const struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        if (mwa_rank_has_gaps(&trace->ranks[i])) {
            return true;
        }
    }
    return false;
}

uint32_t mwa_trace_look_up_site(const struct mwa_trace *trace, uint32_t id)
{
    return index_of(&trace->site_index, id);
}

const struct mwa_group *mwa_trace_group(const struct mwa_trace *trace, uint32_t id)
{
    uint32_t index = index_of(&trace->group_index, id);

    return index < trace->group_count ? &trace->groups[index] : NULL;
}

uint32_t mwa_trace_look_up_comm(const struct mwa_trace *trace, uint32_t id)
{
    return index_of(&trace->comm_index, id);
}

const char *mwa_trace_string(const struct mwa_trace *trace, uint32_t id)
{
    uint64_t position = mwa_map_get(&trace->string_index, (struct mwa_key){ 0, id });

    return position < trace->string_count ? trace->strings[position] : "";
}

static bool group_has(const struct mwa_group *group, uint32_t rank)
{
    uint64_t at = group->sorted ? mw_first_from(group->sorted, group->count,
                                                sizeof *group->sorted, 0, rank)
                                : group->count;

    return at < group->count && group->sorted[at] == rank;
}

bool mwa_trace_has_rank(const struct mwa_trace *trace, uint32_t group, uint32_t rank)
{
    return group != MWA_NONE && group_has(&trace->groups[group], rank);
}

uint32_t mwa_trace_peer(const struct mwa_trace *trace, uint32_t comm, uint32_t self, uint32_t peer)
{
    const struct mwa_group *group;
    uint32_t index;

    if (comm >= trace->comm_count) {
        return MWA_NONE;
    }
    if (trace->comms[comm].members[0] && !trace->comms[comm].inter) {
        return peer < trace->comms[comm].member_counts[0] ? trace->comms[comm].members[0][peer]
                                                          : MWA_NONE;
    }
    index = trace->comms[comm].group;
    if (trace->comms[comm].inter && mwa_trace_has_rank(trace, index, self)) {
        index = trace->comms[comm].remote_group;
    }
    if (index == MWA_NONE) {
        return MWA_NONE;
    }
    group = &trace->groups[index];
    if (group->self) {
        return peer == 0 ? self : MWA_NONE;
    }
    return peer < group->count ? group->ranks[peer] : MWA_NONE;
}

static uint64_t group_size(const struct mwa_trace *trace, uint32_t index)
{
    if (index == MWA_NONE) {
        return 0;
    }
    return trace->groups[index].self ? 1 : trace->groups[index].count;
}

uint64_t mwa_trace_comm_size(const struct mwa_trace *trace, uint32_t comm)
{
    return group_size(trace, trace->comms[comm].group) +
           group_size(trace, trace->comms[comm].remote_group);
}

const uint32_t *mwa_trace_members(const struct mwa_trace *trace, uint32_t comm, unsigned group,
                                  uint64_t *count)
{
    const struct mwa_comm *of = &trace->comms[comm];
    uint32_t index = group == 0 ? of->group : of->remote_group;

    *count = 0;
    if (of->members[group]) {
        *count = of->member_counts[group];
        return of->members[group];
    }
    if (index == MWA_NONE || trace->groups[index].self) {
        return NULL;
    }
    *count = trace->groups[index].count;
    return trace->groups[index].ranks;
}

uint64_t mwa_trace_comm_total(const struct mwa_trace *trace, uint32_t comm)
{
    const struct mwa_comm *of = &trace->comms[comm];

    return (of->members[0] ? of->member_counts[0] : group_size(trace, of->group)) +
           (of->members[1] ? of->member_counts[1] : group_size(trace, of->remote_group));
}

uint64_t mwa_trace_comm_present(const struct mwa_trace *trace, uint32_t comm)
{
    uint64_t present = 0;

    if (!trace->comms[comm].members[0]) {
        return mwa_trace_comm_size(trace, comm);
    }
    for (unsigned group = 0; group < 2; group++) {
        uint64_t count;
        const uint32_t *members = mwa_trace_members(trace, comm, group, &count);

        for (uint64_t i = 0; i < count; i++) {
            present += members[i] != MWA_NONE;
        }
    }
    return present;
}

uint64_t mwa_trace_job_ranks(const struct mwa_trace *trace, uint64_t rank, uint64_t *first)
{
    for (uint64_t i = 0; i < trace->job_count; i++) {
        const struct mwa_job *job = &trace->jobs[i];

        if (rank >= job->first_rank && rank - job->first_rank < job->rank_count) {
            *first = job->first_rank;
            return job->rank_count;
        }
    }
    *first = 0;
    return trace->rank_count;
}

uint64_t mwa_trace_resolution(const struct mwa_trace *trace)
{
    return trace->clock_resolution ? trace->clock_resolution : NS_PER_SECOND;
}

uint64_t mwa_trace_time_unit(const struct mwa_trace *trace)
{
    const char *setting = mwa_trace_setting(trace, "time-unit");

    if (setting) {
        return mw_clock_unit(setting);
    }
    return trace->has_metadata ? 1 : 0; /* before there was a choice */
}

uint64_t mwa_trace_ns(const struct mwa_trace *trace, uint64_t ticks)
{
    if (trace->clock_resolution == NS_PER_SECOND || trace->clock_resolution == 0) {
        return ticks;
    }
    return (uint64_t)((unsigned __int128)ticks * NS_PER_SECOND / trace->clock_resolution);
}

uint64_t mwa_trace_ticks(const struct mwa_trace *trace, uint64_t ns)
{
    uint64_t resolution = mwa_trace_resolution(trace);
    unsigned __int128 ticks =
        ((unsigned __int128)ns * resolution + NS_PER_SECOND - 1) / NS_PER_SECOND;

    return ticks < UINT64_MAX ? (uint64_t)ticks : UINT64_MAX;
}

uint64_t mwa_trace_origin(const struct mwa_trace *trace)
{
    return trace->clock_offset + trace->run_offset;
}

uint64_t mwa_defined_events(const struct mwa_trace *trace)
{
    uint64_t events = 0;

    for (uint64_t i = 0; i < trace->location_count; i++) {
        events += trace->locations[i].events;
    }
    return events;
}

static int64_t signed_ns(uint64_t ns, bool is_before)
{
    const int64_t size = ns < INT64_MAX ? (int64_t)ns : INT64_MAX;

    return is_before ? -size : size;
}

int64_t mwa_trace_since_begin(const struct mwa_trace *trace, uint64_t time)
{
    const uint64_t origin = mwa_trace_origin(trace);

    return time < origin ? signed_ns(mwa_trace_ns(trace, origin - time), true)
                         : signed_ns(mwa_trace_ns(trace, time - origin), false);
}

/* The least number of ticks that are ns or more. */
static __int128 ticks_of(const struct mwa_trace *trace, unsigned __int128 ns)
{
    uint64_t resolution = mwa_trace_resolution(trace);

    return (__int128)((ns * resolution + NS_PER_SECOND - 1) / NS_PER_SECOND);
}

static uint64_t time_at(const struct mwa_trace *trace, __int128 since)
{
    const __int128 time = (__int128)mwa_trace_origin(trace) + since;

    return time < 0 ? 0 : time > UINT64_MAX ? UINT64_MAX : (uint64_t)time;
}

/* Times are rounded towards the origin: before it, first and last change sides. */
uint64_t mwa_trace_first_at(const struct mwa_trace *trace, int64_t ns)
{
    if (ns == MWA_FIRST_NS || ns == MWA_LAST_NS) {
        return ns == MWA_FIRST_NS ? 0 : UINT64_MAX;
    }
    return time_at(trace, ns > 0 ? ticks_of(trace, (uint64_t)ns)
                                 : 1 - ticks_of(trace, (uint64_t)-ns + UINT64_C(1)));
}

uint64_t mwa_trace_last_at(const struct mwa_trace *trace, int64_t ns)
{
    if (ns == MWA_FIRST_NS || ns == MWA_LAST_NS) {
        return ns == MWA_FIRST_NS ? 0 : UINT64_MAX;
    }
    return time_at(trace, ns < 0 ? -ticks_of(trace, (uint64_t)-ns)
                                 : ticks_of(trace, (uint64_t)ns + UINT64_C(1)) - 1);
}
