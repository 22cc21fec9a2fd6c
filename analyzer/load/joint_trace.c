#include "analyzer/load/joint_trace.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/load/joint_clock.h"
#include "analyzer/model/sides.h"
#include "formats/base/index_table.h"

#define NS_PER_SECOND 1000000000

/* --- arrays ----------------------------------------------------------------------------- */

/* Room for what all parts have of something, counted at offset in their traces. */
static void *make_array(const struct mwa_joint *joint, size_t counted_at, size_t more, size_t size)
{
    uint64_t count = more + 1;

    for (uint32_t i = 0; i < joint->count; i++) {
        count += *(const uint64_t *)((const char *)joint->parts[i].trace + counted_at);
    }
    return calloc(count, size);
}

#define ARRAY(joint, list, counter, more)                                                          \
    ((joint)->trace.list = make_array(joint, offsetof(struct mwa_trace, counter), more,            \
                                      sizeof *(joint)->trace.list))

static bool make_arrays(struct mwa_joint *joint)
{
    size_t comms = 0;

    for (uint32_t i = 0; i < joint->count; i++) {
        comms += joint->parts[i].trace->comm_count;
    }
    return ARRAY(joint, sites, site_count, 0) && ARRAY(joint, regions, region_count, 0) &&
           ARRAY(joint, mpi_regions, region_count, 0) &&
           ARRAY(joint, groups, group_count, 2 * comms) && ARRAY(joint, comms, comm_count, 0) &&
           ARRAY(joint, filtered, filtered_count, 0) &&
           ARRAY(joint, locations, location_count, 0) && ARRAY(joint, ranks, rank_count, 0) &&
           ARRAY(joint, metrics.objects, metrics.object_count, 0);
}

static uint32_t moved(uint32_t index, uint32_t by)
{
    return index == MWA_NONE ? MWA_NONE : index + by;
}

/* What index of a part is in all, by the part's table. */
static uint32_t found(uint32_t index, const uint32_t *table)
{
    return index == MWA_NONE ? MWA_NONE : table[index];
}

/* --- clocks ----------------------------------------------------------------------------- */

/* So much is to be added to a part's times; they may become negative. */
static __int128 shift_of(const struct mwa_trace *first, const struct mwa_trace *trace,
                         enum mwa_job_clock clock)
{
    __int128 ns;

    if (clock != MWA_JOB_CLOCK_WALL) {
        return 0;
    }
    ns = (__int128)trace->realtime - first->realtime;
    return ns * (__int128)trace->clock_resolution / NS_PER_SECOND + first->clock_offset -
           trace->clock_offset;
}

void mwa_joint_find_origin(struct mwa_joint *joint)
{
    struct mwa_trace *all = &joint->trace;

    all->begins_in_init = false;
    for (uint32_t i = 0; i < joint->count; i++) {
        const struct mwa_trace *trace = joint->parts[i].trace;
        uint64_t origin = mwa_trace_origin(trace) + joint->parts[i].shift;

        if (trace->begins_in_init &&
            (!all->begins_in_init || origin < mwa_trace_origin(all))) {
            all->begins_in_init = true;
            all->run_offset = origin - all->clock_offset;
        }
    }
}

static void set_clocks(struct mwa_joint *joint)
{
    const struct mwa_trace *first = joint->parts[0].trace;
    struct mwa_trace *all = &joint->trace;
    __int128 least = 0;
    uint64_t end = 0;

    all->clock_resolution = first->clock_resolution;
    all->clock_offset = UINT64_MAX;
    for (uint32_t i = 0; i < joint->count; i++) {
        const struct mwa_trace *trace = joint->parts[i].trace;
        __int128 begin;

        all->jobs[i].clock = i == 0 ? MWA_JOB_CLOCK_SHARED : mwa_joint_clock_of(first, trace);
        begin = shift_of(first, trace, all->jobs[i].clock) + trace->clock_offset;
        least = begin < least ? begin : least;
        if (!all->clock || trace->clock_error_ns > all->clock_error_ns) {
            all->clock = trace->clock;
            all->clock_error_ns = trace->clock_error_ns;
        }
        if (trace->hosts_clock_error_ns > all->hosts_clock_error_ns) {
            all->hosts_clock_error_ns = trace->hosts_clock_error_ns;
        }
    }
    for (uint32_t i = 0; i < joint->count; i++) {
        const struct mwa_trace *trace = joint->parts[i].trace;
        struct mwa_joint_part *part = &joint->parts[i];
        uint64_t begin;

        part->shift = (uint64_t)(shift_of(first, trace, all->jobs[i].clock) - least);
        begin = trace->clock_offset + part->shift;
        if (begin < all->clock_offset) {
            all->clock_offset = begin;
        }
        end = mwa_joint_end(trace) + part->shift > end ? mwa_joint_end(trace) + part->shift : end;
    }
    all->clock_length = end > all->clock_offset ? end - all->clock_offset : 1;
    mwa_joint_find_origin(joint);
    all->realtime = first->realtime == UINT64_MAX
                        ? UINT64_MAX
                        : first->realtime - mwa_trace_ns(all, first->clock_offset +
                                                                  joint->parts[0].shift -
                                                                  all->clock_offset);
}

/* --- regions ---------------------------------------------------------------------------- */

static uint64_t hash_of(const char *text)
{
    return mw_hash_bytes(MW_HASH_START, text, strlen(text));
}

/* The index of a region like this one, which is added if it is new; MWA_NONE: no memory. */
static uint32_t region_like(struct mwa_trace *all, struct mwa_map *known,
                            const struct mwa_region *region)
{
    const struct mwa_key key = { hash_of(region->name),
                                 hash_of(region->file ? region->file : "") + region->line +
                                     (uint64_t)region->kind };
    uint64_t *place = mwa_map_put(known, key, all->region_count);

    if (!place) {
        return MWA_NONE;
    }
    if (*place == all->region_count) {
        struct mwa_region *added = &all->regions[all->region_count++];

        *added = *region;
        if (region->mpi_index != MWA_NONE) {
            added->mpi_index = all->mpi_region_count;
            all->mpi_regions[all->mpi_region_count++] = (uint32_t)*place;
        }
    }
    return (uint32_t)*place;
}

static bool add_regions(struct mwa_trace *all, struct mwa_joint_part *part, struct mwa_map *known)
{
    const struct mwa_trace *trace = part->trace;

    part->regions = calloc(trace->region_count + 1, sizeof *part->regions);
    for (uint64_t i = 0; part->regions && i < trace->region_count; i++) {
        part->regions[i] = region_like(all, known, &trace->regions[i]);
        if (part->regions[i] == MWA_NONE) {
            return false;
        }
    }
    part->first_site = (uint32_t)all->site_count;
    all->has_sites |= trace->has_sites;
    for (uint64_t i = 0; part->regions && i < trace->site_count; i++) {
        struct mwa_site *site = &all->sites[all->site_count];

        *site = trace->sites[i];
        site->id = (uint32_t)all->site_count++;
        site->region = found(site->region, part->regions);
    }
    return part->regions != NULL;
}

/* --- ranks and locations ---------------------------------------------------------------- */

static void add_ranks(struct mwa_trace *all, struct mwa_joint_part *part, struct mwa_job *job)
{
    const struct mwa_trace *trace = part->trace;

    part->first_rank = (uint32_t)all->rank_count;
    part->first_location = (uint32_t)all->location_count;
    job->first_rank = all->rank_count;
    job->rank_count = trace->rank_count;
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        struct mwa_rank *rank = &all->ranks[all->rank_count++];

        *rank = trace->ranks[i];
        rank->master = moved(rank->master, part->first_location);
    }
    for (uint64_t i = 0; i < trace->location_count; i++) {
        struct mwa_location *location = &all->locations[all->location_count++];

        *location = trace->locations[i];
        location->rank = moved(location->rank, part->first_rank);
    }
    all->incomplete |= trace->incomplete;
    all->is_ring |= trace->is_ring;
    all->begins_late |= trace->begins_late;
    all->ends_early |= trace->ends_early;
    all->lost_events += trace->lost_events;
    all->ranks_expected += trace->ranks_expected;
    all->ranks_sites_left_out += trace->ranks_sites_left_out;
    all->metrics.has_running |= trace->metrics.has_running;
    for (unsigned i = 0; i < MW_ATTRIBUTE_COUNT; i++) { /* only whether all have them is asked */
        all->attributes[i] = trace->attributes[i] == MWA_NONE ? MWA_NONE : all->attributes[i];
    }
}

/* Another rank on the host of one makes no other host. */
static bool count_hosts(struct mwa_trace *all)
{
    struct mwa_map hosts = { 0 };
    bool fine = true;

    for (uint64_t i = 0; i < all->rank_count && fine; i++) {
        const char *name = all->ranks[i].host;

        fine = mwa_map_put(&hosts, (struct mwa_key){ strlen(name), hash_of(name) }, 0) != NULL;
    }
    all->host_count = hosts.count;
    mwa_map_fini(&hosts);
    return fine;
}

/* --- groups and communicators ----------------------------------------------------------- */

/* count ranks, moved; null without memory. */
static uint32_t *copy_ranks(const uint32_t *ranks, uint32_t count, uint32_t by)
{
    uint32_t *copy = malloc((count + (size_t)1) * sizeof *copy);

    for (uint32_t i = 0; copy && i < count; i++) {
        copy[i] = moved(ranks[i], by);
    }
    return copy;
}

static bool add_groups(struct mwa_trace *all, struct mwa_joint_part *part)
{
    const struct mwa_trace *trace = part->trace;

    part->first_group = (uint32_t)all->group_count;
    for (uint64_t i = 0; i < trace->group_count; i++) {
        const struct mwa_group *group = &trace->groups[i];
        uint32_t *ranks = copy_ranks(group->ranks, group->count, part->first_rank);

        if (!ranks) {
            return false;
        }
        all->groups[all->group_count] = (struct mwa_group){
            .id = (uint32_t)all->group_count, .self = group->self, .count = group->count,
            .ranks = ranks
        };
        all->group_count++;
    }
    return true;
}

/* The index of a new group that owns ranks; MWA_NONE if they are null. */
static uint32_t group_of(struct mwa_trace *all, uint32_t *ranks, uint32_t count)
{
    if (!ranks) {
        return MWA_NONE;
    }
    all->groups[all->group_count] = (struct mwa_group){ .id = (uint32_t)all->group_count,
                                                        .count = count,
                                                        .ranks = ranks };
    return (uint32_t)all->group_count++;
}

/* The communicator as one job alone has it. */
static bool take_half(struct mwa_trace *all, const struct mwa_joint_part *part, uint32_t job,
                      const struct mwa_comm *half, struct mwa_comm *comm)
{
    char name[512];

    *comm = (struct mwa_comm){ .id = (uint32_t)(comm - all->comms),
                               .name = half->name,
                               .inter = half->inter,
                               .group = moved(half->group, part->first_group),
                               .remote_group = moved(half->remote_group, part->first_group),
                               .parent = found(half->parent, part->comms),
                               .has_objects = half->has_objects,
                               .is_told = half->is_told,
                               .predefined = half->predefined,
                               .foreign = half->foreign,
                               .other_job = half->other_job,
                               .uid = half->uid,
                               .created_by = half->created_by,
                               .sequence = half->sequence };
    for (unsigned group = 0; group < 2; group++) {
        if (half->members[group]) {
            comm->members[group] = copy_ranks(half->members[group], half->member_counts[group],
                                              part->first_rank);
            comm->member_counts[group] = half->member_counts[group];
            if (!comm->members[group]) {
                return false;
            }
        }
    }
    if (job > 0) { /* MPI_COMM_WORLD, say, is another one in each */
        snprintf(name, sizeof name, "%u:%s", job, half->name);
        comm->name = mwa_trace_text(all, name);
    }
    return comm->name != NULL;
}

/* Now that the other job's half is there as well: who its members are. */
static bool join_halves(struct mwa_trace *all, const struct mwa_joint_part *part,
                        const struct mwa_comm *half, struct mwa_comm *comm)
{
    if (comm->inter) {
        comm->group = group_of(all, comm->members[0], comm->member_counts[0]);
        comm->remote_group = group_of(all, copy_ranks(half->members[0], half->member_counts[0],
                                                      part->first_rank),
                                      half->member_counts[0]);
        free(comm->members[1]);
    } else {
        for (uint32_t i = 0; i < comm->member_counts[0]; i++) {
            if (comm->members[0][i] == MWA_NONE) {
                comm->members[0][i] = half->members[0][i] + part->first_rank;
            }
        }
        comm->group = group_of(all, comm->members[0], comm->member_counts[0]);
    }
    comm->given_count = half->predefined     ? half->member_counts[0]
                        : comm->predefined ? comm->member_counts[0]
                                           : 0;
    comm->members[0] = comm->members[1] = NULL; /* the groups have them now */
    comm->is_joint = true;
    comm->other_job = comm->predefined = false;
    all->joint_comm_count++;
    all->half_comm_count--;
    return !comm->inter || comm->remote_group != MWA_NONE;
}

static bool add_comms(struct mwa_joint *joint, uint32_t job, const struct mwa_partner *partners)
{
    struct mwa_trace *all = &joint->trace;
    struct mwa_joint_part *part = &joint->parts[job];

    part->comms = calloc(part->trace->comm_count + 1, sizeof *part->comms);
    for (uint64_t i = 0; part->comms && i < part->trace->comm_count; i++) {
        const struct mwa_comm *half = &part->trace->comms[i];
        const struct mwa_partner *partner = &partners[i];

        if (partner->part < job) {
            part->comms[i] = joint->parts[partner->part].comms[partner->comm];
            if (!join_halves(all, part, half, &all->comms[part->comms[i]])) {
                return false;
            }
        } else {
            part->comms[i] = (uint32_t)all->comm_count++;
            all->half_comm_count += half->other_job;
            all->has_other_jobs |= half->other_job;
            if (!take_half(all, part, job, half, &all->comms[part->comms[i]])) {
                return false;
            }
        }
    }
    return part->comms != NULL;
}

/* --- what is on communicators ----------------------------------------------------------- */

static void add_objects(struct mwa_trace *all, struct mwa_joint_part *part)
{
    const struct mwa_metrics *metrics = &part->trace->metrics;
    uint32_t last = 0;

    part->first_object = (uint32_t)all->metrics.object_count;
    for (uint64_t i = 0; i < all->metrics.object_count; i++) {
        last = all->metrics.objects[i].id > last ? all->metrics.objects[i].id : last;
    }
    part->first_window = last + 1;
    for (uint64_t i = 0; i < metrics->object_count; i++) {
        struct mwa_metric_object *object = &all->metrics.objects[all->metrics.object_count++];

        *object = metrics->objects[i];
        object->id += part->first_window;
        object->comm = found(object->comm, part->comms);
        if (object->comm != MWA_NONE && all->comms[object->comm].is_joint) {
            object->comm = MWA_NONE;
        }
    }
}

static void add_filtered(struct mwa_trace *all, const struct mwa_joint_part *part)
{
    for (uint64_t i = 0; i < part->trace->filtered_count; i++) {
        struct mwa_filtered *filtered = &all->filtered[all->filtered_count++];

        *filtered = part->trace->filtered[i];
        filtered->comm = found(filtered->comm, part->comms);
    }
}

enum mw_status mwa_joint_trace_fill(struct mwa_joint *joint,
                                    const struct mwa_meeting_part *partners)
{
    struct mwa_trace *all = &joint->trace;
    const struct mwa_trace *first = joint->parts[0].trace;
    struct mwa_map regions = { 0 };
    bool fine = make_arrays(joint);

    all->program = first->program;
    all->creator = first->creator;
    all->ended = first->ended;
    all->mpi_library = first->mpi_library;
    all->has_metadata = true;
    memcpy(all->attributes, first->attributes, sizeof all->attributes);
    for (uint32_t i = 0; i < joint->count && fine; i++) {
        fine = add_regions(all, &joint->parts[i], &regions);
        if (fine) {
            add_ranks(all, &joint->parts[i], &all->jobs[i]);
            fine = add_groups(all, &joint->parts[i]) &&
                   add_comms(joint, i, partners[i].partners);
        }
    }
    mwa_map_fini(&regions);
    for (uint32_t i = 0; i < joint->count && fine; i++) {
        add_objects(all, &joint->parts[i]);
        add_filtered(all, &joint->parts[i]);
    }
    if (fine) {
        set_clocks(joint);
        fine = count_hosts(all) && mwa_trace_sort_groups(all) && mwa_trace_find_sides(all);
    }
    return fine ? MW_OK : MW_ERROR_MEMORY;
}
