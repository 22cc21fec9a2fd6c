#include "analyzer/render/json.h"

#include "analyzer/render/summary.h"

static json_t *number(uint64_t value)
{
    return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

/* Names come from archives: bytes that are no UTF-8 become '?'. */
static json_t *text(const char *value)
{
    json_t *string = value ? json_string(value) : json_null();
    char clean[1024];
    size_t i;

    if (string || !value) {
        return string;
    }
    for (i = 0; value[i] && i + 1 < sizeof clean; i++) {
        clean[i] = (unsigned char)value[i] < 0x80 ? value[i] : '?';
    }
    clean[i] = 0;
    return json_string(clean);
}

static json_t *optional(bool known, uint64_t value)
{
    return known ? number(value) : json_null();
}

static json_t *reasons(const uint64_t *counts)
{
    json_t *object = json_object();

    for (unsigned i = 0; i < MWA_UNMATCHED_REASONS; i++) {
        json_object_set_new(object, mwa_unmatched_reason_name(i), number(counts[i]));
    }
    return object;
}

json_t *mwa_json_info(const struct mwa_results *results)
{
    const struct mwa_trace *trace = results->trace;
    const struct mwa_matching_result *matching = &results->matching;
    bool matched = results->has_matching;
    json_t *object = json_object();
    json_t *settings = json_object();
    char started[MWA_STARTED_BYTES];

    json_object_set_new(object, "schema", json_string("mpiwatch-info/1"));
    json_object_set_new(object, "program", text(trace->program));
    json_object_set_new(object, "ranks", number(trace->rank_count));
    json_object_set_new(object, "locations", number(trace->location_count));
    json_object_set_new(object, "hosts", number(trace->host_count));
    json_object_set_new(object, "events", number(results->pass.events));
    json_object_set_new(object, "lost_events", number(trace->lost_events));
    json_object_set_new(object, "unmatched_sends", optional(matched, matching->unmatched_sends));
    json_object_set_new(object, "unmatched_receives",
                        optional(matched, matching->unmatched_receives));
    json_object_set_new(object, "clock_violations", optional(matched, matching->clock_violations));
    json_object_set_new(object, "complete", json_boolean(mwa_is_complete(results)));
    json_object_set_new(object, "duration_ns", number(mwa_duration_ns(results)));
    json_object_set_new(object, "clock_violation_max_ns",
                        optional(matched, matching->clock_violation_max_ns));
    json_object_set_new(object, "unmatched_sends_by_reason",
                        matched ? reasons(matching->sends_without) : json_null());
    json_object_set_new(object, "unmatched_receives_by_reason",
                        matched ? reasons(matching->receives_without) : json_null());
    json_object_set_new(object, "pending_receives", optional(matched, matching->pending_receives));
    json_object_set_new(object, "cancelled", optional(matched, matching->cancelled));
    json_object_set_new(object, "size_mismatches", optional(matched, matching->size_mismatches));
    json_object_set_new(object, "mpi_calls", number(results->profile.mpi_calls));
    json_object_set_new(object, "open_calls", number(results->profile.open_calls));
    json_object_set_new(object, "communicators", number(trace->comm_count));
    json_object_set_new(object, "creator", text(trace->creator));
    json_object_set_new(object, "mpi_library", text(trace->mpi_library));
    json_object_set_new(object, "ended", text(trace->ended));
    json_object_set_new(object, "started", text(mwa_started(trace, started)));
    for (uint64_t i = 0; i + 1 < trace->setting_count; i += 2) {
        json_object_set_new(settings, trace->settings[i], text(trace->settings[i + 1]));
    }
    json_object_set_new(object, "settings", settings);
    return object;
}

json_t *mwa_json_calls(const struct mwa_results *results)
{
    json_t *object = json_object();
    json_t *list = json_array();

    for (uint64_t i = 0; i < results->profile.call_count; i++) {
        const struct mwa_call_row *row = &results->profile.calls[i];
        json_t *call = json_object();

        json_object_set_new(call, "name", text(row->region->name));
        json_object_set_new(call, "group", text(row->region->group));
        json_object_set_new(call, "count", number(row->count));
        json_object_set_new(call, "time_ns", number(row->time_ns));
        json_object_set_new(call, "min_ns", number(row->min_ns));
        json_object_set_new(call, "max_ns", number(row->max_ns));
        json_object_set_new(call, "bytes_sent", number(row->bytes_sent));
        json_object_set_new(call, "bytes_received", number(row->bytes_received));
        json_object_set_new(call, "rank_min_ns", number(row->rank_min_ns));
        json_object_set_new(call, "rank_max_ns", number(row->rank_max_ns));
        json_object_set_new(call, "rank_max", number(row->rank_max));
        json_array_append_new(list, call);
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-calls/1"));
    json_object_set_new(object, "calls", list);
    return object;
}

json_t *mwa_json_ranks(const struct mwa_results *results)
{
    const struct mwa_trace *trace = results->trace;
    json_t *object = json_object();
    json_t *list = json_array();

    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        const struct mwa_rank_row *row = &results->profile.ranks[i];
        const struct mwa_rank *defined = &trace->ranks[i];
        json_t *rank = json_object();

        json_object_set_new(rank, "rank", number(row->rank));
        json_object_set_new(rank, "host", text(defined->host));
        json_object_set_new(rank, "pid",
                            optional(defined->pid >= 0, (uint64_t)defined->pid));
        json_object_set_new(rank, "mpi_ns", number(row->mpi_ns));
        json_object_set_new(rank, "useful_ns", number(row->useful_ns));
        json_object_set_new(rank, "calls", number(row->calls));
        json_object_set_new(rank, "bytes_sent", number(row->bytes_sent));
        json_object_set_new(rank, "bytes_received", number(row->bytes_received));
        json_object_set_new(rank, "run_ns", number(row->run_ns));
        json_object_set_new(rank, "locations", number(defined->locations));
        json_object_set_new(rank, "lost", number(defined->lost));
        json_object_set_new(rank, "complete",
                            json_boolean(!defined->incomplete && row->has_events));
        json_array_append_new(list, rank);
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-ranks/1"));
    json_object_set_new(object, "ranks", list);
    return object;
}

static json_t *pairs_of(const struct mwa_traffic *traffic)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < traffic->pair_count; i++) {
        json_t *pair = json_object();

        json_object_set_new(pair, "from", number(traffic->pairs[i].from));
        json_object_set_new(pair, "to", number(traffic->pairs[i].to));
        json_object_set_new(pair, "count", number(traffic->pairs[i].count));
        json_object_set_new(pair, "bytes", number(traffic->pairs[i].bytes));
        json_array_append_new(list, pair);
    }
    return list;
}

/* Powers of two that have messages: 0, 1, 2 to 3, 4 to 7, … */
static json_t *sizes_of(const struct mwa_traffic *traffic)
{
    json_t *list = json_array();
    unsigned bin = 0;

    for (unsigned power = 0; power <= 64; power++) {
        uint64_t from = power ? UINT64_C(1) << (power - 1) : 0;
        uint64_t to = power < 64 ? UINT64_C(1) << power : UINT64_MAX;
        uint64_t count = 0;
        json_t *size;

        while (bin < MWA_SIZE_BINS && (power == 64 || mwa_size_of_bin(bin) < to)) {
            count += traffic->sizes[bin++];
        }
        if (count == 0) {
            continue;
        }
        size = json_object();
        json_object_set_new(size, "from_bytes", number(from));
        json_object_set_new(size, "to_bytes", number(to));
        json_object_set_new(size, "count", number(count));
        json_array_append_new(list, size);
    }
    return list;
}

json_t *mwa_json_messages(const struct mwa_results *results)
{
    const struct mwa_traffic *traffic = &results->traffic;
    json_t *object = json_object();

    json_object_set_new(object, "schema", json_string("mpiwatch-messages/1"));
    json_object_set_new(object, "messages", number(traffic->messages));
    json_object_set_new(object, "bytes", number(traffic->bytes));
    json_object_set_new(object, "median_bytes", number(mwa_traffic_median(traffic)));
    json_object_set_new(object, "pairs", pairs_of(traffic));
    json_object_set_new(object, "sizes", sizes_of(traffic));
    return object;
}

/* mpiwatch's uid, or for other tools' archives a name made of OTF2's id. */
static json_t *uid_of(const struct mwa_trace *trace, uint32_t comm)
{
    if (comm == MWA_NONE) {
        return json_null();
    }
    return trace->comms[comm].uid ? text(trace->comms[comm].uid)
                                  : json_sprintf("otf2:%lu", (unsigned long)trace->comms[comm].id);
}

static void append_members(const struct mwa_trace *trace, uint32_t group, json_t *list)
{
    for (uint32_t i = 0; group != MWA_NONE && i < trace->groups[group].count; i++) {
        uint32_t rank = trace->groups[group].ranks[i];

        json_array_append_new(list, optional(rank != MWA_NONE, rank));
    }
}

static json_t *comm_object(const struct mwa_trace *trace, const struct mwa_comm_row *row)
{
    const struct mwa_comm *comm = &trace->comms[row->comm];
    json_t *object = json_object();
    json_t *members = json_array();

    append_members(trace, comm->group, members);
    append_members(trace, comm->remote_group, members);
    json_object_set_new(object, "uid", uid_of(trace, row->comm));
    json_object_set_new(object, "name", text(comm->name));
    json_object_set_new(object, "size", number(mwa_trace_comm_size(trace, row->comm)));
    json_object_set_new(object, "members", members);
    json_object_set_new(object, "parent", uid_of(trace, comm->parent));
    json_object_set_new(object, "created_by", text(comm->created_by));
    json_object_set_new(object, "created_ns", optional(row->has_created, row->created_ns));
    json_object_set_new(object, "freed_ns", optional(row->has_freed, row->freed_ns));
    json_object_set_new(object, "inter", json_boolean(comm->inter));
    json_object_set_new(object, "messages", number(row->messages));
    json_object_set_new(object, "bytes", number(row->bytes));
    json_object_set_new(object, "collectives", number(row->collectives));
    json_object_set_new(object, "time_ns", number(row->time_ns));
    json_object_set_new(object, "collective_bytes", number(row->collective_bytes));
    json_object_set_new(object, "local_size",
                        number(comm->inter && comm->group != MWA_NONE
                                   ? trace->groups[comm->group].count
                                   : mwa_trace_comm_size(trace, row->comm)));
    return object;
}

json_t *mwa_json_comms(const struct mwa_results *results)
{
    json_t *object = json_object();
    json_t *list = json_array();

    for (uint64_t i = 0; i < results->comms.count; i++) {
        json_array_append_new(list, comm_object(results->trace, &results->comms.rows[i]));
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-comms/1"));
    json_object_set_new(object, "communicators", list);
    return object;
}

json_t *mwa_json_report(const struct mwa_results *results)
{
    char verdict[MWA_VERDICT_BYTES];
    json_t *object = json_object();

    json_object_set_new(object, "schema", json_string("mpiwatch-report/1"));
    json_object_set_new(object, "verdict", text(mwa_verdict(results, verdict)));
    json_object_set_new(object, "info", mwa_json_info(results));
    json_object_set_new(object, "calls", mwa_json_calls(results));
    json_object_set_new(object, "ranks", mwa_json_ranks(results));
    json_object_set_new(object, "messages", mwa_json_messages(results));
    json_object_set_new(object, "comms", mwa_json_comms(results));
    return object;
}
