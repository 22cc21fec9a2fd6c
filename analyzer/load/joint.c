/*
 * Indices of one archive become those of all: positions are moved by what the archives before it
 * have, while regions of one name, and communicators of which both jobs have a half, are one.
 */
#include "analyzer/load/joint.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/joint_comms.h"
#include "analyzer/load/joint_trace.h"

/* --- events ----------------------------------------------------------------------------- */

static uint32_t moved(uint32_t index, uint32_t by)
{
    return index == MWA_NONE ? MWA_NONE : index + by;
}

static uint32_t comm_of(const struct mwa_joint_part *part, uint32_t comm)
{
    return comm == MWA_NONE ? MWA_NONE : part->comms[comm];
}

/* A window's: each job tells of its own members only. */
static uint32_t comm_of_window(const struct mwa_joint_part *part, uint32_t comm)
{
    uint32_t all = comm_of(part, comm);

    return all != MWA_NONE && part->all->comms[all].is_joint ? MWA_NONE : all;
}

static const struct mwa_group *group_of(const struct mwa_joint_part *part,
                                        const struct mwa_group *group)
{
    return group ? &part->all->groups[part->first_group + (group - part->trace->groups)] : NULL;
}

static void translate_collective(const struct mwa_joint_part *part, struct mwa_event *event)
{
    struct mwa_collective_data *data = &event->of.collective;

    if (event->kind == MWA_WINDOW_COLLECTIVE) {
        data->comm = comm_of_window(part, data->comm);
        data->root += part->first_window;
    } else {
        data->comm = comm_of(part, data->comm);
    }
    data->sources = group_of(part, data->sources);
}

static void translate_onesided(const struct mwa_joint_part *part, struct mwa_onesided_data *data)
{
    data->comm = comm_of_window(part, data->comm);
    data->window = moved(data->window, part->first_object);
    data->group = group_of(part, data->group);
}

bool mwa_joint_translate(const struct mwa_joint_part *part, struct mwa_event *event)
{
    event->location += part->first_location;
    event->time += part->shift;
    switch (event->kind) {
    case MWA_ENTER:
    case MWA_LEAVE:
        event->of.call.region = part->regions[event->of.call.region];
        event->of.call.site = moved(event->of.call.site, part->first_site);
        if (event->of.call.found.is_told) {
            event->of.call.found.comm = comm_of(part, event->of.call.found.comm);
        }
        return true;
    case MWA_SEND:
    case MWA_ISEND:
    case MWA_IRECV:
    case MWA_RECV:
        event->of.message.comm = comm_of(part, event->of.message.comm);
        return true;
    case MWA_COLLECTIVE_BEGIN:
    case MWA_COLLECTIVE_END:
    case MWA_COLLECTIVE_COMPLETE:
    case MWA_WINDOW_COLLECTIVE:
        translate_collective(part, event);
        return true;
    case MWA_COMM_CREATE:
    case MWA_COMM_DESTROY:
    case MWA_OBJECT:
        event->of.comm = comm_of(part, event->of.comm);
        return true;
    case MWA_REGISTERED:
    case MWA_UNREGISTERED:
        event->of.mark.comm = comm_of(part, event->of.mark.comm);
        return true;
    case MWA_ONESIDED:
        translate_onesided(part, &event->of.onesided);
        return true;
    case MWA_FILE:
        event->of.file.comm = comm_of(part, event->of.file.comm);
        return true;
    case MWA_METRIC:
    case MWA_DISCONTINUITY:
        return false;
    default:
        return true;
    }
}

/* --- the module ------------------------------------------------------------------------- */

static enum mw_status find_comms(const struct mwa_joint *joint, struct mwa_meeting_part *meeting)
{
    for (uint32_t i = 0; i < joint->count; i++) {
        const struct mwa_trace *trace = joint->parts[i].trace;

        meeting[i].trace = trace;
        meeting[i].partners = calloc(trace->comm_count + 1, sizeof *meeting[i].partners);
        if (!meeting[i].partners) {
            return MW_ERROR_MEMORY;
        }
    }
    return mwa_joint_comms_find(meeting, joint->count);
}

static enum mw_status fill(struct mwa_joint *joint)
{
    struct mwa_meeting_part *meeting = calloc(joint->count, sizeof *meeting);
    enum mw_status status = meeting ? find_comms(joint, meeting) : MW_ERROR_MEMORY;

    if (status == MW_OK) {
        status = mwa_joint_trace_fill(joint, meeting);
    }
    for (uint32_t i = 0; meeting && i < joint->count; i++) {
        free(meeting[i].partners);
    }
    free(meeting);
    return status;
}

/* Twice the same run, of which each half would seem to be there twice, and would be no one's. */
static enum mw_status check_runs(const struct mwa_trace *const *traces, const char *const *names,
                                 uint32_t count, struct mw_diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i && traces[i]->run; j++) {
            if (traces[j]->run && strcmp(traces[j]->run, traces[i]->run) == 0) {
                return mw_fail(diagnostic, MW_ERROR_USAGE, names[i], MW_DIAGNOSTIC_OFFSET_NONE,
                               "it is of the same run as \"%s\": several archives are of jobs "
                               "that met, each named once", names[j]);
            }
        }
    }
    return MW_OK;
}

/* Whether the archives can be held against each other at all. */
static enum mw_status check(const struct mwa_trace *const *traces, const char *const *names,
                            uint32_t count, struct mw_diagnostic *diagnostic)
{
    uint64_t ranks = 0, locations = 0, comms = 0, groups = 0, sites = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct mwa_trace *trace = traces[i];

        if (!trace->has_metadata || trace->clock_resolution != traces[0]->clock_resolution) {
            return mw_fail(diagnostic, MW_ERROR_USAGE, names[i], MW_DIAGNOSTIC_OFFSET_NONE,
                           "it is not of mpiwatch-record, and nothing tells what it has in "
                           "common with other archives");
        }
        ranks += trace->rank_count;
        locations += trace->location_count;
        comms += trace->comm_count;
        groups += trace->group_count + 2 * trace->comm_count;
        sites += trace->site_count + trace->metrics.object_count;
    }
    if (ranks >= MWA_NONE || locations >= MWA_NONE || comms >= MWA_NONE || groups >= MWA_NONE ||
        sites >= MWA_NONE) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, names[0], MW_DIAGNOSTIC_OFFSET_NONE,
                       "with the others it has more ranks or communicators than can be told apart");
    }
    return check_runs(traces, names, count, diagnostic);
}

enum mw_status mwa_joint_create(const struct mwa_trace *const *traces, const char *const *names,
                                uint32_t count, struct mwa_joint **result,
                                struct mw_diagnostic *diagnostic)
{
    enum mw_status status = check(traces, names, count, diagnostic);
    struct mwa_joint *joint;

    if (status != MW_OK) {
        return status;
    }
    joint = calloc(1, sizeof *joint);
    if (joint) {
        joint->parts = calloc(count, sizeof *joint->parts);
        joint->count = joint->parts ? count : 0;
        joint->trace.jobs = calloc(count, sizeof *joint->trace.jobs);
    }
    if (!joint || !joint->parts || !joint->trace.jobs) {
        mwa_joint_destroy(joint);
        return mw_no_memory(diagnostic, names[0], "to read several archives");
    }
    for (uint32_t i = 0; i < count; i++) {
        joint->parts[i] = (struct mwa_joint_part){ .trace = traces[i], .all = &joint->trace };
        joint->trace.jobs[i].archive = mwa_trace_text(&joint->trace, names[i]);
    }
    joint->trace.job_count = count;
    if (fill(joint) != MW_OK || joint->trace.lacks_text) {
        mwa_joint_destroy(joint);
        return mw_no_memory(diagnostic, names[0], "to read several archives");
    }
    *result = joint;
    return MW_OK;
}

void mwa_joint_destroy(struct mwa_joint *joint)
{
    if (!joint) {
        return;
    }
    for (uint32_t i = 0; i < joint->count; i++) {
        free(joint->parts[i].regions);
        free(joint->parts[i].comms);
    }
    free(joint->parts);
    mwa_trace_fini(&joint->trace);
    free(joint);
}

const struct mwa_joint_part *mwa_joint_part_of(const struct mwa_joint *joint, uint32_t location)
{
    uint32_t i = joint->count - 1;

    while (i > 0 && location < joint->parts[i].first_location) {
        i--;
    }
    return &joint->parts[i];
}
