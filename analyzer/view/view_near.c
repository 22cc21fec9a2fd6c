#include "analyzer/view/view_near.h"

#include <stdlib.h>

#include "analyzer/table/values.h"
#include "analyzer/view/view_actions.h"
#include "analyzer/view/view_bands.h"

struct listing {
    const struct mwa_view_store *store;
    const struct mwa_view_span *span;
    json_t *names, *calls, *waits, *messages, *bands, *accesses;
    struct mwa_map name_index; /* from region, or communicator, to position in names */
    struct mwa_map band_index; /* collectives that are listed */
    bool is_short;             /* of memory */
};

uint32_t mwa_view_row_of(const struct mwa_view_store *store, uint32_t location)
{
    const struct mwa_location *about = &store->trace->locations[location];
    uint32_t low = 0, high = store->main_count;

    if (store->others.index_of[location] != MWA_NONE) {
        return store->main_count + store->others.index_of[location];
    }
    while (about->rank != MWA_NONE && low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (store->trace->locations[store->rows[middle]].rank < about->rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < store->main_count && store->rows[low] == location ? low : MWA_NONE;
}

static json_t *since(const struct listing *listing, uint64_t time)
{
    return mwa_json_number(time > listing->store->from ? time - listing->store->from : 0);
}

/* A number, null for MWA_NONE. */
static json_t *number(uint32_t value)
{
    return value == MWA_NONE ? json_null() : mwa_json_number(value);
}

/* Appends a list of values, which it takes over. */
static void append(struct listing *listing, json_t *list, json_t *const *values, size_t count)
{
    json_t *row = json_array();
    bool is_short = !row;

    for (size_t i = 0; i < count; i++) {
        is_short |= !values[i] || json_array_append_new(row, values[i]) != 0;
    }
    listing->is_short |= is_short || json_array_append_new(list, row) != 0;
}

/* Names of regions are of kind 0. */
static uint32_t text_of(struct listing *listing, uint32_t kind, uint32_t index, const char *text)
{
    const struct mwa_key key = { kind, index };
    uint64_t *at = mwa_map_put(&listing->name_index, key, json_array_size(listing->names));

    if (!at) {
        listing->is_short = true;
        return 0;
    }
    if (*at == json_array_size(listing->names)) {
        listing->is_short |= json_array_append_new(listing->names, mwa_json_text(text)) != 0;
    }
    return (uint32_t)*at;
}

static uint32_t name_of(struct listing *listing, uint32_t region)
{
    return text_of(listing, 0, region, listing->store->trace->regions[region].name);
}

static json_t *comm_of(struct listing *listing, uint32_t comm)
{
    const struct mwa_trace *trace = listing->store->trace;

    return comm == MWA_NONE ? json_null()
                            : mwa_json_number(text_of(listing, 1, comm, trace->comms[comm].name));
}

/* The operations that a call has a part in, each once. */
static void list_bands(struct listing *listing, const struct mwa_view_call *call)
{
    const struct mwa_view_store *store = listing->store;

    for (uint32_t at = call->members; at != MWA_NONE && !listing->is_short;) {
        const struct mwa_view_member *member = mwa_view_member_at(store, at >> 1);
        const struct mwa_view_collective *collective =
            mwa_view_array_at(&store->collectives, member->collective);
        const struct mwa_key key = { 0, member->collective };

        if (mwa_view_is_band(store, member->collective) &&
            mwa_map_get(&listing->band_index, key) == MWA_MAP_ABSENT &&
            json_array_size(listing->bands) < MWA_VIEW_BANDS_MOST) {
            const uint32_t begin = mwa_view_band_call(store, member->collective);
            const uint32_t name = name_of(listing, mwa_view_call_at(store, begin)->region);

            listing->is_short |=
                !mwa_map_put(&listing->band_index, key, 1) ||
                json_array_append_new(listing->bands,
                                      mwa_view_band(store, listing->span, member->collective,
                                                    mwa_json_number(name),
                                                    comm_of(listing, collective->comm))) != 0;
        }
        at = member->next[at & 1];
    }
}

static bool overlaps(const struct mwa_view_span *span, const struct mwa_view_call *call)
{
    return call->enter <= span->to && call->leave >= span->from;
}

/* Whether the call at the other end is shown, too, and tells of the message itself. */
static bool is_shown(const struct listing *listing, uint32_t call)
{
    const struct mwa_view_span *span = listing->span;
    uint64_t n;
    uint32_t row;

    if (call == MWA_NONE || !overlaps(span, mwa_view_call_at(listing->store, call))) {
        return false;
    }
    row = mwa_view_row_of(listing->store, mwa_view_location_of(listing->store, call, &n));
    for (uint32_t place = 0; span->list && place < span->row_count; place++) {
        if (span->list[place] == row) {
            return true;
        }
    }
    return !span->list && row >= span->first_row && row - span->first_row < span->row_count;
}

static uint32_t row_of_call(const struct mwa_view_store *store, uint32_t call)
{
    uint64_t n;

    return call == MWA_NONE ? MWA_NONE
                            : mwa_view_row_of(store, mwa_view_location_of(store, call, &n));
}

static void list_messages(struct listing *listing, const struct mwa_view_call *call)
{
    const struct mwa_view_store *store = listing->store;

    for (uint32_t at = call->ends; at != MWA_NONE && !listing->is_short;) {
        const struct mwa_view_message *message =
            mwa_view_message_at(store, mwa_view_end_message(at));
        const unsigned role = mwa_view_end_role(at);
        const uint32_t receives = message->calls[MWA_VIEW_RECEIVES];
        const uint32_t sends = message->calls[MWA_VIEW_SENDS];

        if (receives != MWA_NONE && sends != MWA_NONE &&
            (role == MWA_VIEW_SENDS || (role == MWA_VIEW_RECEIVES && !is_shown(listing, sends))) &&
            json_array_size(listing->messages) <= MWA_VIEW_CALLS_MOST) {
            json_t *const values[] = {
                mwa_json_number(mwa_view_end_message(at)), number(row_of_call(store, sends)),
                since(listing, message->sent), number(row_of_call(store, receives)),
                since(listing, mwa_view_call_at(store, receives)->leave)
            };

            append(listing, listing->messages, values, sizeof values / sizeof *values);
        }
        at = message->next[role];
    }
}

/* MWA_NONE: it is a region of the program in which nothing but that is told. */
static uint32_t state_of(const struct mwa_view_store *store, uint32_t row,
                         const struct mwa_view_call *call)
{
    const struct mwa_region *region = &store->trace->regions[call->region];

    if (region->kind != MWA_REGION_USER) {
        return (uint32_t)mwa_view_state_of(store, call);
    }
    return row < store->main_count            ? MWA_NONE
           : region->role == MWA_ROLE_SYNC     ? (uint32_t)MWA_LOCATION_SYNC
           : region->role == MWA_ROLE_TRANSFER ? (uint32_t)MWA_LOCATION_TRANSFER
                                               : MWA_NONE;
}

static void list_call(struct listing *listing, uint32_t row, uint32_t index)
{
    const struct mwa_view_store *store = listing->store;
    const struct mwa_view_call *call = mwa_view_call_at(store, index);
    json_t *const values[] = {
        mwa_json_number(index),
        mwa_json_number(row),
        mwa_json_number(call->depth),
        since(listing, call->enter),
        since(listing, call->leave),
        mwa_json_number(name_of(listing, call->region)),
        number(state_of(store, row, call)),
        mwa_json_number(mwa_view_polls_of(store, call).repeat)
    };

    append(listing, listing->calls, values, sizeof values / sizeof *values);
    for (uint32_t at = call->waits;
         at != MWA_NONE && json_array_size(listing->waits) <= MWA_VIEW_CALLS_MOST;
         at = mwa_view_wait_at(store, at)->next) {
        const struct mwa_view_wait *wait = mwa_view_wait_at(store, at);
        json_t *const ends[] = { mwa_json_number(row), since(listing, wait->from),
                                 since(listing, wait->to), mwa_json_number(at) };

        append(listing, listing->waits, ends, sizeof ends / sizeof *ends);
    }
    list_messages(listing, call);
    list_bands(listing, call);
    listing->is_short |= !mwa_view_accesses(store, row, index, listing->accesses);
}

/* The calls of a row that overlap the span: those around its beginning, and those that begin. */
static void list_row(struct listing *listing, uint32_t row)
{
    const struct mwa_view_store *store = listing->store;
    const struct mwa_view_location *location = &store->locations[store->rows[row]];
    const uint64_t first = mwa_view_entered(store, location, listing->span->from);
    const uint64_t last = mwa_view_entered(store, location, listing->span->to);

    for (uint32_t at = first > 0 ? mwa_view_nth(location, first - 1) : MWA_NONE; at != MWA_NONE;
         at = mwa_view_call_at(store, at)->parent) {
        if (overlaps(listing->span, mwa_view_call_at(store, at)) &&
            json_array_size(listing->calls) <= MWA_VIEW_CALLS_MOST) {
            list_call(listing, row, at);
        }
    }
    for (uint64_t n = first; n < last && !listing->is_short; n++) {
        list_call(listing, row, mwa_view_nth(location, n));
    }
}

/* How many calls begin in the span. */
static uint64_t count_calls(const struct mwa_view_store *store, const struct mwa_view_span *span)
{
    uint64_t count = 0;

    for (uint32_t place = 0; place < span->row_count; place++) {
        const struct mwa_view_location *location =
            &store->locations[store->rows[mwa_view_span_row(span, place)]];

        count += mwa_view_entered(store, location, span->to) -
                 mwa_view_entered(store, location, span->from);
    }
    return count;
}

static json_t *list_all(struct listing *listing)
{
    const struct mwa_view_span *span = listing->span;
    json_t *result = json_object();

    listing->names = json_array();
    listing->calls = json_array();
    listing->waits = json_array();
    listing->messages = json_array();
    listing->bands = json_array();
    listing->accesses = json_array();
    listing->is_short = !result ||
                        json_object_set_new(result, "names", listing->names) != 0 ||
                        json_object_set_new(result, "calls", listing->calls) != 0 ||
                        json_object_set_new(result, "waits", listing->waits) != 0 ||
                        json_object_set_new(result, "messages", listing->messages) != 0 ||
                        json_object_set_new(result, "bands", listing->bands) != 0 ||
                        json_object_set_new(result, "accesses", listing->accesses) != 0;
    for (uint32_t place = 0; place < span->row_count && !listing->is_short; place++) {
        list_row(listing, mwa_view_span_row(span, place));
    }
    mwa_map_fini(&listing->name_index);
    mwa_map_fini(&listing->band_index);
    if (listing->is_short) {
        json_decref(result);
        result = NULL;
    }
    return result;
}

json_t *mwa_view_near(const struct mwa_view_store *store, const struct mwa_view_span *span)
{
    struct listing listing = { .store = store, .span = span };
    const uint64_t count = count_calls(store, span);

    return count > MWA_VIEW_CALLS_MOST ? json_pack("{s:o}", "many", mwa_json_number(count))
                                       : list_all(&listing);
}
