#include "analyzer/analysis/comms/comm_history.h"
#include "analyzer/analysis/pass.h"
#include "analyzer/export/cut_internal.h"

/*
 * mpiwatch.json has no times of communicators that events tell. What is cut out of an archive
 * lacks these events where they are outside, so that its mpiwatch.json has to have the times.
 */

struct filling {
    const struct mwa_trace *trace;
    const struct mwa_comms *comms;
};

/* The life of comm (an index) on rank; null: nothing is known of it. */
static const struct mwa_comm_life *life_of(const struct filling *filling, uint32_t comm,
                                           uint64_t rank)
{
    const struct mwa_comm_row *row = &filling->comms->rows[comm];
    const struct mwa_comm_life *lives = filling->comms->lives + row->first_life;
    uint64_t from = 0, to = row->life_count;

    while (from < to) {
        uint64_t middle = from + (to - from) / 2;

        if (lives[middle].rank < rank) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < row->life_count && lives[from].rank == rank ? &lives[from] : NULL;
}

/* Sets what is null at i of group's list key. */
static void set_time(const struct filling *filling, json_t *group, const char *key, size_t i,
                     bool is_known, uint64_t ns)
{
    json_t *list = json_object_get(group, key);

    while (is_known && json_array_size(list) <= i) {
        if (json_array_append_new(list, json_null()) != 0) {
            return;
        }
    }
    if (is_known && json_is_null(json_array_get(list, i))) {
        json_array_set_new(list, i,
                           json_integer((json_int_t)(ns + filling->trace->clock_offset)));
    }
}

static void fill_group(const struct filling *filling, uint32_t comm, json_t *group)
{
    const json_t *member;
    size_t i;

    json_array_foreach(json_object_get(group, "members"), i, member) {
        const struct mwa_comm_life *life =
            json_is_integer(member)
                ? life_of(filling, comm, (uint64_t)json_integer_value(member))
                : NULL;

        if (life) {
            set_time(filling, group, "created_ns", i, life->has_created, life->created_ns);
            set_time(filling, group, "freed_ns", i, life->has_freed, life->freed_ns);
        }
    }
}

/* A group as its definition has it, nothing known of its times; null without memory. */
static json_t *group_of(const struct mwa_trace *trace, uint32_t index)
{
    const struct mwa_group *group = &trace->groups[index];
    json_t *members = json_array();

    for (uint32_t i = 0; i < group->count; i++) {
        json_array_append_new(members, json_integer((json_int_t)group->ranks[i]));
    }
    return json_pack("{s:i, s:o, s:[], s:[]}", "size", (int)group->count, "members", members,
                     "created_ns", "freed_ns");
}

static void fill_comm(const struct filling *filling, json_t *object)
{
    uint64_t id = (uint64_t)json_integer_value(json_object_get(object, "id"));
    uint32_t index = id < MWA_NONE ? mwa_trace_comm(filling->trace, (uint32_t)id) : MWA_NONE;
    const struct mwa_comm *comm;
    json_t *groups = json_object_get(object, "groups"), *group;
    size_t i;

    if (index == MWA_NONE || json_is_true(json_object_get(object, "predefined"))) {
        return;
    }
    comm = &filling->trace->comms[index];
    if (!groups && comm->group != MWA_NONE) {
        groups = json_array();
        json_array_append_new(groups, group_of(filling->trace, comm->group));
        if (comm->inter && comm->remote_group != MWA_NONE) {
            json_array_append_new(groups, group_of(filling->trace, comm->remote_group));
        }
        json_object_set_new(object, "groups", groups);
    }
    json_array_foreach(groups, i, group) {
        fill_group(filling, index, group);
    }
}

enum mw_status mwa_cut_lives(const char *path, json_t *communicators,
                             struct mw_diagnostic *diagnostic)
{
    const struct mwa_analysis *const analyses[] = { &mwa_comms_analysis };
    struct mwa_pass pass = {
        .analyses = analyses, .analysis_count = 1, .only_rank = MWA_NONE };
    struct mwa_pass_result result;
    struct mwa_comms comms = { 0 };
    struct filling filling = { .comms = &comms };
    void *totals[1] = { NULL };
    json_t *object;
    size_t i;
    enum mw_status status = mwa_input_open(path, &pass.input, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    filling.trace = mwa_input_trace(pass.input);
    status = mwa_pass_run(&pass, totals, &result, diagnostic);
    if (status == MW_OK) {
        status = mwa_comms_analysis.finish(totals[0], &comms);
        if (status != MW_OK) {
            status = mw_fail(diagnostic, status, path, MW_DIAGNOSTIC_OFFSET_NONE,
                             "no memory for the communicators");
        }
    }
    if (status == MW_OK) {
        json_array_foreach(communicators, i, object) {
            fill_comm(&filling, object);
        }
    }
    mwa_partial_destroy(&mwa_comms_analysis, totals[0]);
    mwa_comms_fini(&comms);
    mwa_input_close(pass.input);
    return status;
}
