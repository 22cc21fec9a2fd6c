/*
 * A call that completes several messages, or says nothing itself, has to do with whatever
 * communicators its messages and operations are on.
 */
#include "analyzer/view/view_comms.h"

#include "analyzer/table/values.h"

json_t *mwa_view_comms(const struct mwa_view_store *store)
{
    const struct mwa_trace *trace = store->trace;
    json_t *list = json_array();

    for (uint64_t i = 0; i < trace->comm_count && i < MWA_VIEW_COMMS_MOST; i++) {
        const struct mwa_comm *comm = &trace->comms[i];

        json_array_append_new(list, json_pack("{s:o,s:o,s:o}", "comm", mwa_json_number(i), "name",
                                              mwa_json_text(comm->name), "uid",
                                              mwa_json_text(comm->uid)));
    }
    return json_pack("{s:o,s:o}", "all", mwa_json_number(trace->comm_count), "list", list);
}

static unsigned add(uint32_t comm, unsigned count, uint32_t comms[MWA_VIEW_COMMS_CALL])
{
    bool is_known = comm == MWA_NONE || count == MWA_VIEW_COMMS_CALL;

    for (unsigned i = 0; i < count; i++) {
        is_known |= comms[i] == comm;
    }
    if (!is_known) {
        comms[count++] = comm;
    }
    return count;
}

unsigned mwa_view_comms_of(const struct mwa_view_store *store, const struct mwa_view_call *call,
                           uint32_t comms[MWA_VIEW_COMMS_CALL])
{
    const struct mwa_call_facts *facts =
        call->facts == MWA_NONE ? &mwa_no_facts : mwa_view_array_at(&store->facts, call->facts);
    unsigned count = add(facts->comm, 0, comms);

    for (uint32_t at = call->ends; at != MWA_NONE;) {
        const struct mwa_view_message *message =
            mwa_view_message_at(store, mwa_view_end_message(at));

        count = add(message->comm, count, comms);
        at = message->next[mwa_view_end_role(at)];
    }
    for (uint32_t at = call->members; at != MWA_NONE;) {
        const struct mwa_view_member *member = mwa_view_member_at(store, at >> 1);
        const struct mwa_view_collective *collective =
            mwa_view_array_at(&store->collectives, member->collective);

        count = add(collective->comm, count, comms);
        at = member->next[at & 1];
    }
    return count;
}

static json_t *of_call(const struct mwa_view_store *store, uint32_t call)
{
    uint32_t comms[MWA_VIEW_COMMS_CALL];
    const unsigned count = mwa_view_comms_of(store, mwa_view_call_at(store, call), comms);
    json_t *list = json_array();

    for (unsigned i = 0; i < count; i++) {
        json_array_append_new(list, mwa_json_number(comms[i]));
    }
    return list;
}

static json_t *index_of(uint32_t comm)
{
    return comm == MWA_NONE ? json_null() : mwa_json_number(comm);
}

static json_t *of_message(const struct mwa_view_store *store, uint32_t message)
{
    return index_of(mwa_view_message_at(store, message)->comm);
}

static json_t *of_wait(const struct mwa_view_store *store, uint32_t wait)
{
    return index_of(mwa_view_wait_at(store, wait)->comm);
}

static json_t *of_band(const struct mwa_view_store *store, uint32_t collective)
{
    const struct mwa_view_collective *about = mwa_view_array_at(&store->collectives, collective);

    return index_of(about->comm);
}

struct listed {
    const char *rows;
    size_t at; /* where a row has its number */
    const char *name;
    json_t *(*of)(const struct mwa_view_store *store, uint32_t number);
};

/* Adds what of() says of each row. */
static bool add_list(const struct mwa_view_store *store, json_t *near, const struct listed *listed)
{
    json_t *list = json_array(), *row;
    bool is_whole = list != NULL;
    size_t i;

    json_array_foreach(json_object_get(near, listed->rows), i, row) {
        const json_int_t number = json_integer_value(json_array_get(row, listed->at));

        is_whole =
            is_whole && json_array_append_new(list, listed->of(store, (uint32_t)number)) == 0;
    }
    return json_object_set_new(near, listed->name, list) == 0 && is_whole;
}

json_t *mwa_view_comms_add(const struct mwa_view_store *store, json_t *near)
{
    static const struct listed lists[] = { { "calls", 0, "call_comms", of_call },
                                           { "messages", 0, "message_comms", of_message },
                                           { "waits", 3, "wait_comms", of_wait },
                                           { "bands", 0, "band_comms", of_band } };

    for (size_t i = 0; near && i < sizeof lists / sizeof *lists; i++) {
        if (!json_object_get(near, "many") && !add_list(store, near, &lists[i])) {
            json_decref(near);
            near = NULL;
        }
    }
    return near;
}
