#include "analyzer/view/view_detail.h"

#include <string.h>

#include "analyzer/analysis/results.h"
#include "analyzer/analysis/summary.h"
#include "analyzer/analysis/waits/waits.h"
#include "analyzer/table/records.h"
#include "analyzer/table/values.h"
#include "analyzer/view/view_actions.h"
#include "analyzer/view/view_bands.h"
#include "analyzer/view/view_near.h"
#include "analyzer/view/view_rows.h"

#define LOOKED_AT 200000u /* calls, for the next one of a kind */

static json_t *number(uint32_t value)
{
    return value == MWA_NONE ? json_null() : mwa_json_number(value);
}

static json_t *ns_of(const struct mwa_view_store *store, uint64_t ticks)
{
    return mwa_json_number(mwa_trace_ns(store->trace, ticks));
}

json_t *mwa_view_place(const struct mwa_view_store *store, uint32_t index)
{
    const struct mwa_view_call *call;
    char text[MWA_VIEW_LABEL_BYTES];
    uint64_t n;
    uint32_t location;

    if (index == MWA_NONE) {
        return json_null();
    }
    call = mwa_view_call_at(store, index);
    location = mwa_view_location_of(store, index, &n);
    return json_pack("{s:o,s:o,s:o,s:s,s:o,s:o,s:o}", "call", mwa_json_number(index), "row",
                     number(mwa_view_row_of(store, location)), "rank",
                     number(store->trace->locations[location].rank), "of",
                     mwa_view_rows_label(store, location, text), "name",
                     mwa_json_text(store->trace->regions[call->region].name), "enter",
                     mwa_json_number(call->enter - store->from), "leave",
                     mwa_json_number(call->leave - store->from));
}

/* "w.c:14 via libhdf5.so.103": the program's code that led to a library's call. */
static json_t *called_from(const struct mwa_trace *trace, uint32_t site)
{
    char text[MWA_PLACE_BYTES];

    return mwa_json_text(site != MWA_NONE && trace->sites[site].led_by
                             ? mwa_place(trace, site, text)
                             : NULL);
}

/* --- the records as tables have them ---------------------------------------------------------- */

/* The only row of a table of records. */
static json_t *record_of(const struct mwa_view_store *store, const char *table,
                         const struct mwa_records *records)
{
    const struct mwa_results results = { .trace = store->trace };
    const struct mwa_cell root = { .results = &results, .row = records };
    json_t *rows = NULL, *row;

    for (size_t i = 0; mwa_record_tables[i].name && !rows; i++) {
        if (strcmp(mwa_record_tables[i].name, table) == 0) {
            rows = mwa_table_json(mwa_record_tables[i].rows, &root);
        }
    }
    row = json_incref(json_array_get(rows, 0));
    json_decref(rows);
    return row;
}

/* The innermost region of the program around a call. */
static uint32_t region_around(const struct mwa_view_store *store, const struct mwa_view_call *call)
{
    uint32_t at = call->parent;

    while (at != MWA_NONE && store->trace->regions[mwa_view_call_at(store, at)->region].kind !=
                                 MWA_REGION_USER) {
        at = mwa_view_call_at(store, at)->parent;
    }
    return at == MWA_NONE ? MWA_NONE : mwa_view_call_at(store, at)->region;
}

static json_t *call_record(const struct mwa_view_store *store, uint32_t location,
                           const struct mwa_view_call *call)
{
    const struct mwa_call_facts *facts =
        call->facts == MWA_NONE ? &mwa_no_facts : mwa_view_array_at(&store->facts, call->facts);
    struct mwa_call_record record = { .enter = call->enter,
                                      .leave = call->leave,
                                      .calls = mwa_view_polls_of(store, call).repeat,
                                      .bytes_sent = facts->bytes_sent,
                                      .bytes_received = facts->bytes_received,
                                      .location = location,
                                      .call = call->region,
                                      .region = region_around(store, call),
                                      .site = call->site,
                                      .comm = facts->comm,
                                      .peer = facts->peer,
                                      .root = facts->root,
                                      .tag = facts->tag };
    const struct mwa_records records = { .calls = &record, .call_count = 1 };

    return record_of(store, "call_records", &records);
}

/* How long the call that has this role for a message waited for its other end, ticks. */
static uint64_t wait_in(const struct mwa_view_store *store, const struct mwa_view_message *message,
                        enum mwa_view_role role, unsigned pattern)
{
    const uint32_t call = message->calls[role];
    uint32_t at = call == MWA_NONE ? MWA_NONE : mwa_view_call_at(store, call)->waits;

    while (at != MWA_NONE) {
        const struct mwa_view_wait *wait = mwa_view_wait_at(store, at);

        if (wait->message == message->number && wait->pattern == pattern) {
            return wait->to - wait->from;
        }
        at = wait->next;
    }
    return 0;
}

/* The same of the call that has this role, or else of the one that has the other. */
static uint64_t either_wait(const struct mwa_view_store *store,
                            const struct mwa_view_message *message, enum mwa_view_role role,
                            enum mwa_view_role other, unsigned pattern)
{
    const uint64_t wait = wait_in(store, message, role, pattern);

    return wait > 0 ? wait : wait_in(store, message, other, pattern);
}

static json_t *message_record(const struct mwa_view_store *store,
                              const struct mwa_view_message *message)
{
    const uint32_t sends = message->calls[MWA_VIEW_SENDS];
    const uint32_t receives = message->calls[MWA_VIEW_RECEIVES];
    const struct mwa_view_call *from = mwa_view_call_at(store, sends);
    const struct mwa_view_call *to = mwa_view_call_at(store, receives);
    uint64_t n;
    struct mwa_message_record record = {
        .sent = message->sent,
        .posted = message->posted,
        .received = to->leave,
        .bytes = message->bytes,
        .wait = either_wait(store, message, MWA_VIEW_RECEIVES, MWA_VIEW_FINDS,
                            MWA_WAIT_LATE_SENDER),
        .send_wait = either_wait(store, message, MWA_VIEW_SENDS, MWA_VIEW_COMPLETES_SEND,
                                 MWA_WAIT_LATE_RECEIVER),
        .progress_wait = wait_in(store, message, MWA_VIEW_RECEIVES, MWA_WAIT_LATE_PROGRESS),
        .send_progress_wait =
            wait_in(store, message, MWA_VIEW_COMPLETES_SEND, MWA_WAIT_LATE_PROGRESS),
        .send_location = mwa_view_location_of(store, sends, &n),
        .receive_location = mwa_view_location_of(store, receives, &n),
        .send_call = from->region,
        .receive_call = to->region,
        .send_site = from->site,
        .receive_site = to->site,
        .comm = message->comm,
        .tag = message->tag
    };
    const struct mwa_records records = { .messages = &record, .message_count = 1 };

    return record_of(store, "message_records", &records);
}

/* --- lists -------------------------------------------------------------------------------- */

static const char *const role_words[MWA_VIEW_ROLES] = {
    [MWA_VIEW_SENDS] = "sends",
    [MWA_VIEW_RECEIVES] = "receives",
    [MWA_VIEW_COMPLETES_SEND] = "completes the send of",
    [MWA_VIEW_POSTS_RECEIVE] = "posts the receive of",
    [MWA_VIEW_FINDS] = "finds",
};

/* The call at the other end of a message. */
static uint32_t partner(const struct mwa_view_message *message, unsigned role)
{
    return role == MWA_VIEW_SENDS || role == MWA_VIEW_COMPLETES_SEND
               ? message->calls[MWA_VIEW_RECEIVES]
               : message->calls[MWA_VIEW_SENDS];
}

static json_t *list_messages(const struct mwa_view_store *store, const struct mwa_view_call *call,
                             uint64_t *count)
{
    json_t *list = json_array();

    for (uint32_t at = call->ends; at != MWA_NONE; ++*count) {
        const struct mwa_view_message *message =
            mwa_view_message_at(store, mwa_view_end_message(at));
        const unsigned role = mwa_view_end_role(at);

        if (*count < MWA_VIEW_DETAIL_MOST && message->calls[MWA_VIEW_SENDS] != MWA_NONE &&
            message->calls[MWA_VIEW_RECEIVES] != MWA_NONE) {
            json_array_append_new(
                list, json_pack("{s:o,s:s,s:o,s:o}", "message",
                                mwa_json_number(mwa_view_end_message(at)), "role",
                                role_words[role], "record", message_record(store, message),
                                "partner", mwa_view_place(store, partner(message, role))));
        }
        at = message->next[role];
    }
    return list;
}

/* The call with whose enter a wait for progress is over: that which completes the other end, or one
 * before it. */
static uint32_t progress_call(const struct mwa_view_store *store, uint32_t completes,
                              const struct mwa_view_wait *wait)
{
    uint64_t n;
    const uint32_t location = mwa_view_location_of(store, completes, &n);
    const uint32_t call = mwa_view_mpi_at(store, &store->locations[location], wait->to);

    return call != MWA_NONE && mwa_view_call_at(store, call)->enter == wait->to ? call : completes;
}

/* The call at the other end of a message that a wait waited for. */
static uint32_t late_end(const struct mwa_view_store *store,
                         const struct mwa_view_message *message, const struct mwa_view_wait *wait)
{
    switch (wait->pattern) {
    case MWA_WAIT_LATE_SENDER:
        return message->calls[MWA_VIEW_SENDS];
    case MWA_WAIT_LATE_PROGRESS:
        return progress_call(store,
                             message->calls[wait->call == message->calls[MWA_VIEW_RECEIVES]
                                                ? MWA_VIEW_COMPLETES_SEND
                                                : MWA_VIEW_RECEIVES],
                             wait);
    default:
        return message->calls[MWA_VIEW_POSTS_RECEIVE];
    }
}

/* The call that a wait waited for: of a message the other end, else what the rank began, or by
 * which it completed that. */
static uint32_t cause_of(const struct mwa_view_store *store, const struct mwa_view_wait *wait)
{
    const struct mwa_view_call *call = mwa_view_call_at(store, wait->call);

    for (uint32_t at = call->ends; at != MWA_NONE && wait->message != UINT64_MAX;) {
        const struct mwa_view_message *message =
            mwa_view_message_at(store, mwa_view_end_message(at));

        if (message->number == wait->message) {
            return late_end(store, message, wait);
        }
        at = message->next[mwa_view_end_role(at)];
    }
    for (uint32_t at = call->members; at != MWA_NONE && wait->cause != MWA_NONE;) {
        const struct mwa_view_member *own = mwa_view_member_at(store, at >> 1);
        const struct mwa_view_collective *collective =
            mwa_view_array_at(&store->collectives, own->collective);

        for (uint32_t i = 0; i < collective->count; i++) {
            const struct mwa_view_member *member =
                mwa_view_member_at(store, collective->first + i);

            if (member->rank == wait->cause) {
                return wait->pattern == MWA_WAIT_LATE_COMPLETION ? member->end : member->begin;
            }
        }
        at = own->next[at & 1];
    }
    return MWA_NONE;
}

static json_t *wait_json(const struct mwa_view_store *store, const struct mwa_view_wait *wait)
{
    const enum mwa_wait_pattern pattern = (enum mwa_wait_pattern)wait->pattern;

    return json_pack("{s:s,s:s,s:o,s:o,s:o,s:o,s:o,s:o}", "pattern", mwa_wait_name(pattern),
                     "title", mwa_wait_title(pattern), "from",
                     mwa_json_number(wait->from - store->from), "to",
                     mwa_json_number(wait->to - store->from), "wait_ns",
                     ns_of(store, wait->to - wait->from), "cause_rank", number(wait->cause),
                     "cause", mwa_view_place(store, cause_of(store, wait)), "in",
                     mwa_view_place(store, wait->call));
}

static json_t *list_waits(const struct mwa_view_store *store, const struct mwa_view_call *call)
{
    json_t *list = json_array();

    for (uint32_t at = call->waits;
         at != MWA_NONE && json_array_size(list) < MWA_VIEW_DETAIL_MOST;
         at = mwa_view_wait_at(store, at)->next) {
        json_array_append_new(list, wait_json(store, mwa_view_wait_at(store, at)));
    }
    return list;
}

/* The operation's members in the order of the communicator, the first ones of them. */
static json_t *collective_json(const struct mwa_view_store *store, uint32_t index, unsigned is_end)
{
    const struct mwa_view_collective *collective =
        mwa_view_array_at(&store->collectives, index);
    const bool is_band = mwa_view_is_band(store, index);
    json_t *members = json_array();

    for (uint32_t i = 0; i < collective->count && i < MWA_VIEW_DETAIL_MOST; i++) {
        const struct mwa_view_member *member = mwa_view_member_at(store, collective->first + i);

        json_array_append_new(members, json_pack("{s:o,s:o}", "rank", number(member->rank), "begin",
                                                 mwa_view_place(store, member->begin)));
    }
    return json_pack("{s:o,s:b,s:o,s:o,s:o,s:o}", "collective", number(is_band ? index : MWA_NONE),
                     "completes", (int)is_end, "comm",
                     mwa_json_text(collective->comm == MWA_NONE
                                       ? NULL
                                       : store->trace->comms[collective->comm].name),
                     "root", number(collective->root), "count", mwa_json_number(collective->count),
                     "members", members);
}

static json_t *list_collectives(const struct mwa_view_store *store,
                                const struct mwa_view_call *call)
{
    json_t *list = json_array();

    for (uint32_t at = call->members; at != MWA_NONE && json_array_size(list) < 8;) {
        const struct mwa_view_member *member = mwa_view_member_at(store, at >> 1);

        json_array_append_new(list, collective_json(store, member->collective, at & 1));
        at = member->next[at & 1];
    }
    return list;
}

/* --- a call ------------------------------------------------------------------------------- */

/* The next call of the same region on that location, or the one before; looked for nearby. */
static uint32_t of_kind(const struct mwa_view_store *store, uint32_t index, bool is_next)
{
    const uint32_t region = mwa_view_call_at(store, index)->region;
    uint64_t n;
    const uint32_t location_index = mwa_view_location_of(store, index, &n);
    const struct mwa_view_location *location = &store->locations[location_index];

    for (uint32_t i = 0; i < LOOKED_AT && (is_next ? n + 1 < location->call_count : n > 0); i++) {
        uint32_t other;

        n = is_next ? n + 1 : n - 1;
        other = mwa_view_nth(location, n);
        if (mwa_view_call_at(store, other)->region == region) {
            return other;
        }
    }
    return MWA_NONE;
}

json_t *mwa_view_detail(const struct mwa_view_store *store, uint32_t index)
{
    const struct mwa_view_call *call;
    const struct mwa_region *region;
    uint64_t n, messages = 0;
    uint32_t location;
    json_t *list;

    if (index >= store->calls.count) {
        return NULL;
    }
    call = mwa_view_call_at(store, index);
    location = mwa_view_location_of(store, index, &n);
    if (n >= store->locations[location].call_count) {
        return NULL;
    }
    region = &store->trace->regions[call->region];
    list = list_messages(store, call, &messages);
    return json_pack(
        "{s:o,s:b,s:b,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "place",
        mwa_view_place(store, index), "is_mpi", region->kind != MWA_REGION_USER, "is_open",
        (int)call->is_open, "finds_alone", (int)call->finds_alone, "group",
        mwa_json_text(region->group), "function",
        mwa_json_text(call->site == MWA_NONE ? NULL : store->trace->sites[call->site].function),
        "called_from", called_from(store->trace, call->site), "duration_ns",
        ns_of(store, call->leave - call->enter), "record",
        call_record(store, location, call), "around", mwa_view_place(store, call->parent),
        "previous", mwa_view_place(store, of_kind(store, index, false)), "next",
        mwa_view_place(store, of_kind(store, index, true)), "waits", list_waits(store, call),
        "messages",
        json_pack("{s:o,s:o}", "count", mwa_json_number(messages), "list", list), "collectives",
        list_collectives(store, call), "actions", mwa_view_actions(store, index));
}

/* The shortest of the list is replaced, which stays in order. */
static uint32_t insert(uint32_t *list, uint32_t count, const struct mwa_view_store *store,
                       uint32_t index)
{
    const struct mwa_view_wait *wait = mwa_view_wait_at(store, index);
    const uint64_t length = wait->to - wait->from;
    uint32_t at = count;

    while (at > 0 && length > mwa_view_wait_at(store, list[at - 1])->to -
                                  mwa_view_wait_at(store, list[at - 1])->from) {
        at--;
    }
    if (at == MWA_VIEW_DETAIL_MOST) {
        return count;
    }
    count += count < MWA_VIEW_DETAIL_MOST;
    memmove(list + at + 1, list + at, (count - at - 1) * sizeof *list);
    list[at] = index;
    return count;
}

/* Of a pattern, or of all: MWA_WAIT_PATTERNS. */
static json_t *longest_waits(const struct mwa_view_store *store, unsigned pattern)
{
    uint32_t list[MWA_VIEW_DETAIL_MOST];
    uint32_t count = 0;
    json_t *result = json_array();

    for (uint64_t i = 0; i < store->waits.count; i++) {
        if (pattern == MWA_WAIT_PATTERNS ||
            mwa_view_wait_at(store, (uint32_t)i)->pattern == pattern) {
            count = insert(list, count, store, (uint32_t)i);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        json_array_append_new(result, wait_json(store, mwa_view_wait_at(store, list[i])));
    }
    return result;
}

json_t *mwa_view_longest_waits(const struct mwa_view_store *store)
{
    return longest_waits(store, MWA_WAIT_PATTERNS);
}

json_t *mwa_view_wait_kinds(const struct mwa_view_store *store)
{
    uint64_t ticks[MWA_WAIT_PATTERNS] = { 0 }, counts[MWA_WAIT_PATTERNS] = { 0 };
    json_t *result = json_array();

    for (uint64_t i = 0; i < store->waits.count; i++) {
        const struct mwa_view_wait *wait = mwa_view_wait_at(store, (uint32_t)i);

        ticks[wait->pattern] += wait->to - wait->from;
        counts[wait->pattern]++;
    }
    for (unsigned pattern = 0; pattern < MWA_WAIT_PATTERNS; pattern++) {
        if (counts[pattern] > 0) {
            json_array_append_new(
                result, json_pack("{s:s,s:s,s:o,s:o,s:o}", "pattern",
                                  mwa_wait_name((enum mwa_wait_pattern)pattern), "title",
                                  mwa_wait_title((enum mwa_wait_pattern)pattern), "wait_ns",
                                  ns_of(store, ticks[pattern]), "waits",
                                  mwa_json_number(counts[pattern]), "longest",
                                  longest_waits(store, pattern)));
        }
    }
    return result;
}
