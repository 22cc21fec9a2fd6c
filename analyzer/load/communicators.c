#include "analyzer/load/communicators.h"

#include <stdlib.h>
#include <string.h>

#include "formats/archive/archive_words.h"

static const char *text_in(struct mwa_trace *trace, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? mwa_trace_text(trace, text) : NULL;
}

/* UINT64_MAX for everything that is no natural number. */
static uint64_t number_of(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0
               ? (uint64_t)json_integer_value(value)
               : UINT64_MAX;
}

static uint32_t index_in(const struct mwa_trace *trace, const json_t *object, const char *key)
{
    uint64_t id = number_of(json_object_get(object, key));

    return id < MWA_NONE ? mwa_trace_comm(trace, (uint32_t)id) : MWA_NONE;
}

/* When each member of a group had the communicator; members that are not known are left out. */
static bool take_memberships(const struct mwa_trace *trace, struct mwa_comm *comm,
                             uint64_t *capacity, const json_t *group)
{
    const json_t *created = json_object_get(group, "created_ns");
    const json_t *freed = json_object_get(group, "freed_ns");
    const json_t *member;
    size_t i;

    json_array_foreach(json_object_get(group, "members"), i, member) {
        struct mwa_membership membership = { .created = number_of(json_array_get(created, i)),
                                             .freed = number_of(json_array_get(freed, i)) };

        if (number_of(member) >= trace->rank_count ||
            (membership.created == UINT64_MAX && membership.freed == UINT64_MAX)) {
            continue;
        }
        membership.rank = (uint32_t)number_of(member);
        if (!mwa_grow(&comm->memberships, capacity, comm->membership_count + 1,
                      sizeof *comm->memberships)) {
            return false;
        }
        comm->memberships[comm->membership_count++] = membership;
    }
    return true;
}

/*
 * The members of a communicator that goes over several jobs. OTF2's group ends at the first
 * that is of another one.
 */
static bool take_members(const struct mwa_trace *trace, struct mwa_comm *comm, size_t group,
                         const json_t *members)
{
    size_t count = json_array_size(members);
    uint32_t *ranks;
    const json_t *member;
    size_t i;

    if (group >= (comm->inter ? 2u : 1u) || comm->members[group] || count == 0 ||
        count >= MWA_NONE) {
        return true;
    }
    ranks = malloc(count * sizeof *ranks);
    if (!ranks) {
        return false;
    }
    comm->members[group] = ranks;
    comm->member_counts[group] = (uint32_t)count;
    json_array_foreach(members, i, member) {
        uint64_t rank = number_of(member);

        ranks[i] = rank < trace->rank_count ? (uint32_t)rank : MWA_NONE;
    }
    return true;
}

static void take_meeting(struct mwa_comm_meeting *meeting, const json_t *object)
{
    const char *place = json_string_value(json_object_get(object, "place"));

    meeting->place = place ? strtoull(place, NULL, 16) : 0;
    meeting->number = number_of(json_object_get(object, "number"));
    meeting->rank = number_of(json_object_get(object, "rank"));
    meeting->enter = number_of(json_object_get(object, "enter_ns"));
    meeting->leave = number_of(json_object_get(object, "leave_ns"));
}

static bool take_names(struct mwa_trace *trace, struct mwa_comm *comm, const json_t *names)
{
    uint64_t capacity = 0;
    const json_t *object;
    size_t i;

    json_array_foreach(names, i, object) {
        const char *source = json_string_value(json_object_get(object, "source"));
        const char *text = text_in(trace, object, "name");
        uint64_t rank = number_of(json_object_get(object, "rank"));

        if (!source || !text) {
            continue;
        }
        if (!mwa_grow(&comm->names, &capacity, comm->name_count + 1, sizeof *comm->names)) {
            return false;
        }
        comm->names[comm->name_count++] = (struct mwa_comm_name){
            .text = text,
            .source = mw_name_source_of(source),
            .rank = rank < trace->rank_count ? (uint32_t)rank : MWA_NONE,
            .time = number_of(json_object_get(object, "time_ns"))
        };
    }
    return true;
}

static bool take_registered(struct mwa_trace *trace, struct mwa_comm *comm, const json_t *list)
{
    uint64_t capacity = 0;
    const json_t *object;
    size_t i;

    json_array_foreach(list, i, object) {
        struct mwa_registered each = { .name = text_in(trace, object, "name"),
                                       .from = number_of(json_object_get(object, "from_ns")),
                                       .to = number_of(json_object_get(object, "to_ns")) };
        uint64_t rank = number_of(json_object_get(object, "rank"));

        if (!each.name || rank >= trace->rank_count || each.from == UINT64_MAX) {
            continue;
        }
        each.rank = (uint32_t)rank;
        if (!mwa_grow(&comm->registered, &capacity, comm->registered_count + 1,
                      sizeof *comm->registered)) {
            return false;
        }
        comm->registered[comm->registered_count++] = each;
    }
    return true;
}

static bool take_comm(struct mwa_trace *trace, const json_t *object)
{
    uint32_t index = index_in(trace, object, "id");
    const json_t *group;
    uint64_t capacity = 0;
    struct mwa_comm *comm;
    size_t i;

    if (index == MWA_NONE || trace->comms[index].is_told) {
        return true;
    }
    comm = &trace->comms[index];
    comm->is_told = true;
    comm->uid = text_in(trace, object, "uid");
    /* One of which nothing else is to be said has just its name, which is the default one. */
    comm->default_name = text_in(
        trace, object, json_object_get(object, "default_name") ? "default_name" : "name");
    comm->created_by = text_in(trace, object, "created_by");
    comm->sequence = number_of(json_object_get(object, "sequence"));
    comm->parent = index_in(trace, object, "parent");
    if (comm->parent >= index) {
        comm->parent = MWA_NONE; /* parents come first; there are no circles */
    }
    comm->predefined = json_is_true(json_object_get(object, "predefined"));
    comm->foreign = json_is_true(json_object_get(object, "foreign"));
    comm->other_job = json_is_true(json_object_get(object, "other_job"));
    trace->has_other_jobs |= comm->other_job;
    take_meeting(&comm->meeting, json_object_get(object, "meeting"));
    json_array_foreach(json_object_get(object, "groups"), i, group) {
        if (!take_memberships(trace, comm, &capacity, group) ||
            (comm->other_job &&
             !take_members(trace, comm, i, json_object_get(group, "members")))) {
            return false;
        }
    }
    return take_names(trace, comm, json_object_get(object, "names")) &&
           take_registered(trace, comm, json_object_get(object, "registered"));
}

bool mwa_communicators_take(struct mwa_trace *trace, const json_t *list)
{
    const json_t *object;
    size_t i;

    json_array_foreach(list, i, object) {
        if (!take_comm(trace, object)) {
            return false;
        }
    }
    return true;
}

bool mwa_filtered_take(struct mwa_trace *trace, const json_t *list)
{
    uint64_t capacity = 0;
    const json_t *object;
    size_t i;

    json_array_foreach(list, i, object) {
        const char *call = text_in(trace, object, "call");
        uint64_t calls = number_of(json_object_get(object, "calls"));
        uint64_t sent = number_of(json_object_get(object, "bytes_sent"));
        uint64_t received = number_of(json_object_get(object, "bytes_received"));

        if (!call || calls == UINT64_MAX) {
            continue;
        }
        if (!mwa_grow(&trace->filtered, &capacity, trace->filtered_count + 1,
                      sizeof *trace->filtered)) {
            return false;
        }
        trace->filtered[trace->filtered_count++] = (struct mwa_filtered){
            .comm = index_in(trace, object, "communicator"),
            .call = call,
            .calls = calls,
            .bytes_sent = sent == UINT64_MAX ? 0 : sent,
            .bytes_received = received == UINT64_MAX ? 0 : received
        };
    }
    return true;
}
