#include "analyzer/validate/described.h"

#include <string.h>

#include <jansson.h>

#include "analyzer/load/metadata_json.h"
#include "analyzer/model/map.h"

#define FILE_NAME "mpiwatch.json"
#define NO_NUMBER UINT64_MAX

/* The text and what it is held against. */
struct check {
    const struct mwa_trace *trace;
    struct mwa_findings *findings;
    struct mwa_map locations; /* from OTF2's ids to indices */
};

#define WRONG(check, ...)                                                                         \
    mwa_findings_add((check)->findings, MWA_CORRUPT, FILE_NAME, MW_DIAGNOSTIC_OFFSET_NONE,        \
                     __VA_ARGS__)

static uint64_t number_of(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0
               ? (uint64_t)json_integer_value(value)
               : NO_NUMBER;
}

static uint64_t number_in(const json_t *object, const char *key)
{
    return number_of(json_object_get(object, key));
}

/* --- ranks ------------------------------------------------------------------------------ */

/* The events that the definitions promise of a thread; NO_NUMBER if it has no location. */
static uint64_t events_of(const struct check *check, uint64_t rank, uint64_t thread)
{
    uint64_t index = mwa_map_get(&check->locations, (struct mwa_key){ 0, thread << 32 | rank });

    return index == MWA_MAP_ABSENT ? NO_NUMBER : check->trace->locations[index].events;
}

/* The threads of one rank; returns the sum of their events. */
static uint64_t check_threads(const struct check *check, uint64_t rank, const json_t *threads)
{
    const json_t *thread;
    uint64_t sum = 0;
    size_t i;

    json_array_foreach(threads, i, thread) {
        uint64_t number = number_in(thread, "thread");
        uint64_t events = number_in(thread, "events");
        uint64_t defined = events_of(check, rank, number);

        if (defined == NO_NUMBER) {
            WRONG(check, "ranks[%llu].threads[%zu] is thread %lld, which has no Location",
                  (unsigned long long)rank, i, (long long)number);
        } else if (events != defined) {
            WRONG(check, "ranks[%llu].threads[%zu].events is %lld, its Location has %llu",
                  (unsigned long long)rank, i, (long long)events, (unsigned long long)defined);
        }
        sum += defined == NO_NUMBER ? 0 : defined;
    }
    return sum;
}

static void check_rank(const struct check *check, uint64_t index, const json_t *rank)
{
    const struct mwa_trace *trace = check->trace;
    const json_t *threads = json_object_get(rank, "threads");
    uint64_t events = number_in(rank, "events");
    uint64_t sum;

    if (number_in(rank, "rank") != index) {
        WRONG(check, "ranks[%llu] is rank %lld", (unsigned long long)index,
              (long long)number_in(rank, "rank"));
        return;
    }
    if (index >= trace->rank_count || !threads) {
        return;
    }
    sum = check_threads(check, index, threads);
    if (events != NO_NUMBER && events != sum) {
        WRONG(check, "ranks[%llu].events is %llu, its Locations have %llu",
              (unsigned long long)index, (unsigned long long)events, (unsigned long long)sum);
    }
    if (json_array_size(threads) != trace->ranks[index].locations) {
        WRONG(check, "ranks[%llu] has %zu threads and %u Locations", (unsigned long long)index,
              json_array_size(threads), trace->ranks[index].locations);
    }
}

static void check_ranks(const struct check *check, const json_t *root)
{
    const json_t *ranks = json_object_get(root, "ranks");
    uint64_t expected = number_in(root, "ranks_expected");
    const json_t *rank;
    size_t i;

    if (json_array_size(ranks) != expected) {
        WRONG(check, "ranks_expected is %lld, and there are %zu ranks", (long long)expected,
              json_array_size(ranks));
    }
    json_array_foreach(ranks, i, rank) {
        check_rank(check, i, rank);
    }
}

/* --- communicators ----------------------------------------------------------------------- */

/* OTF2's group ends at the first member that is not known. */
static void check_group(const struct check *check, uint32_t id, unsigned side, const json_t *group,
                        uint32_t index)
{
    const struct mwa_group *defined;
    const json_t *members = json_object_get(group, "members");

    if (index == MWA_NONE) {
        return;
    }
    defined = &check->trace->groups[index];
    if (!members && number_in(group, "size") == defined->count) {
        return; /* too many communicators have too many members to list them twice */
    }
    if (json_array_size(members) < defined->count) {
        WRONG(check, "communicator %u, group %u: %zu members, its Group has %u", id, side,
              json_array_size(members), defined->count);
        return;
    }
    for (uint32_t i = 0; i < defined->count; i++) {
        uint64_t member = number_of(json_array_get(members, i));

        if (member != defined->ranks[i]) {
            WRONG(check, "communicator %u, group %u: member %u is %lld, in its Group %u", id,
                  side, i, (long long)member, defined->ranks[i]);
            return;
        }
    }
}

static void check_comm(const struct check *check, size_t position, const json_t *object)
{
    const struct mwa_trace *trace = check->trace;
    uint64_t id = number_in(object, "id");
    uint32_t index = id < MWA_NONE ? mwa_trace_comm(trace, (uint32_t)id) : MWA_NONE;
    const char *name = json_string_value(json_object_get(object, "name"));
    const json_t *groups = json_object_get(object, "groups");
    const struct mwa_comm *comm;

    if (index == MWA_NONE) {
        WRONG(check, "communicators[%zu] has id %lld, which is no Comm", position,
              (long long)id);
        return;
    }
    comm = &trace->comms[index];
    if (name && strcmp(name, comm->name) != 0) {
        WRONG(check, "communicator %u is called \"%.80s\", its Comm \"%.80s\"", comm->id, name,
              comm->name);
    }
    if (json_is_true(json_object_get(object, "inter")) != comm->inter) {
        WRONG(check, "communicator %u is %s inter-communicator, its Comm is %s", comm->id,
              comm->inter ? "no" : "an", comm->inter ? "one" : "none");
        return;
    }
    if (json_array_size(groups) > 0) {
        check_group(check, comm->id, 0, json_array_get(groups, 0), comm->group);
    }
    if (json_array_size(groups) > 1) {
        check_group(check, comm->id, 1, json_array_get(groups, 1), comm->remote_group);
    }
}

static void check_comms(const struct check *check, const json_t *list)
{
    const json_t *object;
    size_t i;

    if (json_array_size(list) != check->trace->comm_count) {
        WRONG(check, "it has %zu communicators, the definitions have %llu",
              json_array_size(list), (unsigned long long)check->trace->comm_count);
    }
    json_array_foreach(list, i, object) {
        check_comm(check, i, object);
    }
}

/* --- metrics -------------------------------------------------------------------------------- */

static void check_metrics(const struct check *check, const json_t *list)
{
    const struct mwa_metrics *metrics = &check->trace->metrics;
    const json_t *object;
    size_t i;

    json_array_foreach(list, i, object) {
        uint64_t id = number_in(object, "id");
        uint64_t count = number_in(object, "count");
        uint32_t index = id < MWA_NONE ? mwa_metric_index(metrics, (uint32_t)id) : MWA_NONE;

        if (id < MWA_NONE && mwa_metric_is_running(metrics, (uint32_t)id)) {
            continue; /* no variable's */
        }
        if (index == MWA_NONE) {
            WRONG(check, "variables.metrics[%zu] has id %lld, which is no MetricClass", i,
                  (long long)id);
        } else if (count != NO_NUMBER && count != metrics->list[index].count) {
            WRONG(check, "variables.metrics[%zu].count is %llu, its MetricClass has %u members",
                  i, (unsigned long long)count, metrics->list[index].count);
        }
    }
}

/* --- the file ------------------------------------------------------------------------------- */

/* False without memory. */
static bool enter_locations(struct check *check)
{
    bool enough = true;

    for (uint64_t i = 0; enough && i < check->trace->location_count; i++) {
        enough = mwa_map_put(&check->locations,
                             (struct mwa_key){ 0, check->trace->locations[i].id }, i);
    }
    return enough;
}

void mwa_check_described(struct mwa_input *input, struct mwa_findings *findings)
{
    struct check check = { .trace = mwa_input_trace(input), .findings = findings };
    const json_t *comms, *metrics;
    json_t *root;

    /* Opening the input has read it already, or has said why not. */
    if (mwa_metadata_json(mwa_input_files(input), &root, NULL) != MW_OK || !root) {
        return;
    }
    comms = json_object_get(root, "communicators");
    metrics = json_object_get(json_object_get(root, "variables"), "metrics");
    if (json_is_array(json_object_get(root, "ranks")) && enter_locations(&check)) {
        check_ranks(&check, root);
    }
    if (json_is_array(comms)) {
        check_comms(&check, comms);
    }
    if (json_is_array(metrics)) {
        check_metrics(&check, metrics);
    }
    if (check.trace->sampled.wrong) {
        WRONG(&check, "%s", check.trace->sampled.wrong);
    }
    json_decref(root);
    mwa_map_fini(&check.locations);
}
