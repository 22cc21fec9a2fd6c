/* What mpiwatch.json says of an archive that is a part of another one. */
#include "analyzer/export/cut_metadata.h"

#include <inttypes.h>
#include <stdio.h>

#include "analyzer/analysis/comms/comm_history.h"
#include "analyzer/analysis/pass.h"
#include "analyzer/export/rebuilt.h"
#include "formats/archive/otf2_output.h"
#include "formats/base/order.h"

/* --- which part it is --------------------------------------------------------------------- */

struct part {
    const struct mwa_trace *trace;
    const struct mwa_selection *selection;
    const uint64_t *events; /* per location */
};

/* The part of the trace that this is, for people. */
/* Writes a moment into text as it can be asked for: "1.5 s", with as many digits as it takes. */
static void moment_text(int64_t ns, char *text, size_t size)
{
    const uint64_t from_zero = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    int length = snprintf(text, size, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "",
                          from_zero / 1000000000u, from_zero % 1000000000u);

    while (text[length - 1] == '0') {
        length--;
    }
    length -= text[length - 1] == '.';
    snprintf(text + length, size - (size_t)length, " s");
}

static json_t *ended_text(const struct part *part)
{
    const struct mwa_selection *selection = part->selection;
    uint64_t ranks = 0;
    char from[40] = "the beginning";
    char to[40] = "the end";

    for (uint64_t i = 0; i < selection->rank_count; i++) {
        ranks += mwa_selection_has_rank(selection, (uint32_t)i);
    }
    if (selection->to != UINT64_MAX) {
        moment_text(mwa_trace_since_begin(part->trace, selection->to), to, sizeof to);
    }
    if (selection->from > 0) {
        moment_text(mwa_trace_since_begin(part->trace, selection->from), from, sizeof from);
    }
    return json_sprintf("cut out of a longer archive: %s to %s, %llu of %llu ranks", from, to,
                        (unsigned long long)ranks, (unsigned long long)selection->rank_count);
}

/* Events that were written of a location; 0 for one that there is not. */
static uint64_t events_of(const struct part *part, uint64_t id)
{
    for (uint64_t i = 0; i < part->trace->location_count; i++) {
        if (part->trace->locations[i].id == id) {
            return part->events[i];
        }
    }
    return 0;
}

/* Numbers of events, of a rank and its threads. */
static void adapt_counts(const struct part *part, json_t *rank, uint32_t number)
{
    uint64_t sum = 0;
    json_t *thread;
    size_t index;

    json_array_foreach(json_object_get(rank, "threads"), index, thread) {
        uint64_t id = mw_location_of(
            number, (uint32_t)json_integer_value(json_object_get(thread, "thread")));
        uint64_t events = events_of(part, id);

        json_object_set_new(thread, "events", json_integer((json_int_t)events));
        sum += events;
    }
    json_object_set_new(rank, "events", json_integer((json_int_t)sum));
}

/* What is other than in the archive that it is cut out of. */
static void adapt(const struct part *part, json_t *root)
{
    const struct mwa_selection *selection = part->selection;
    json_t *cut = json_object(), *ranks = json_array(), *rank;
    size_t index;

    json_array_foreach(json_object_get(root, "ranks"), index, rank) {
        bool is_in = mwa_selection_has_rank(selection, (uint32_t)index);

        json_object_set_new(rank, "clock_offsets", json_array());
        adapt_counts(part, rank, (uint32_t)index);
        if (!is_in) {
            json_object_set_new(rank, "recorded", json_false());
        } else {
            json_array_append_new(ranks, json_integer((json_int_t)index));
        }
    }
    json_object_set_new(cut, "from_ns",
                        selection->from > 0 ? json_integer((json_int_t)selection->from)
                                            : json_null());
    json_object_set_new(cut, "to_ns",
                        selection->to < UINT64_MAX ? json_integer((json_int_t)selection->to)
                                                   : json_null());
    json_object_set_new(cut, "ranks", ranks);
    json_object_set_new(root, "cut", cut);
    if (!mwa_selection_is_all(selection)) {
        json_object_del(root, "samples"); /* nothing tells when they were */
        json_object_set_new(root, "ended", ended_text(part));
    }
}

/* --- lives of communicators --------------------------------------------------------------- */

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
    uint64_t at = mw_first_from(lives, row->life_count, sizeof *lives,
                                offsetof(struct mwa_comm_life, rank), (uint32_t)rank);

    return at < row->life_count && lives[at].rank == rank ? &lives[at] : NULL;
}

/* Sets what is null at i of group's list key. */
static void set_time(const struct filling *filling, json_t *group, const char *key, size_t i,
                     bool is_known, int64_t ns)
{
    json_t *list = json_object_get(group, key);

    while (is_known && json_array_size(list) <= i) {
        if (json_array_append_new(list, json_null()) != 0) {
            return;
        }
    }
    if (is_known && json_is_null(json_array_get(list, i))) {
        json_array_set_new(list, i,
                           json_integer((json_int_t)mwa_trace_first_at(filling->trace, ns)));
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

static enum mw_status fill_lives(const struct mwa_trace *trace, const char *path,
                                 json_t *communicators, struct mw_diagnostic *diagnostic)
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
    enum mw_status status = mwa_input_open_again(trace, path, &pass.input, diagnostic);

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

/* Sums of an archive that had them otherwise are rebuilt when they are copied. */
static void mark_rebuilt(const struct mwa_metrics *metrics, json_t *variables)
{
    json_t *metric;
    size_t i;

    json_array_foreach(json_object_get(variables, "metrics"), i, metric) {
        uint32_t index = mwa_metric_index(
            metrics, (uint32_t)json_integer_value(json_object_get(metric, "id")));

        if (index != MWA_NONE && mwa_rebuilt_is_needed(&metrics->list[index])) {
            json_object_set_new(metric, "rebuilt", json_true());
        }
    }
}

enum mw_status mwa_cut_metadata(const char *path, const struct mwa_trace *trace,
                                const struct mwa_selection *selection, const uint64_t *events,
                                json_t *root, struct mw_diagnostic *diagnostic)
{
    const struct part part = { trace, selection, events };
    enum mw_status status = MW_OK;

    if (!mwa_selection_is_all(selection)) {
        status = fill_lives(trace, path, json_object_get(root, "communicators"), diagnostic);
    }
    if (status == MW_OK && json_is_object(root)) {
        adapt(&part, root);
        mark_rebuilt(&trace->metrics, json_object_get(root, "variables"));
    }
    return status;
}
