#include "analyzer/render/json.h"

#include "analyzer/render/critical_path.h"
#include "analyzer/render/host_pairs.h"
#include "analyzer/render/imbalance.h"
#include "analyzer/render/pop.h"
#include "analyzer/render/comms.h"
#include "analyzer/render/summary.h"
#include "analyzer/render/tracks.h"
#include "analyzer/render/values.h"
#include "analyzer/render/verdict.h"
#include "analyzer/render/waits.h"
#include "analyzer/render/wildcards.h"

static json_t *optional(bool known, uint64_t value)
{
    return known ? mwa_json_number(value) : json_null();
}

static json_t *reasons(const uint64_t *counts)
{
    json_t *object = json_object();

    for (unsigned i = 0; i < MWA_UNMATCHED_REASONS; i++) {
        json_object_set_new(object, mwa_unmatched_reason_name(i), mwa_json_number(counts[i]));
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
    json_object_set_new(object, "program", mwa_json_text(trace->program));
    json_object_set_new(object, "ranks", mwa_json_number(trace->rank_count));
    json_object_set_new(object, "locations", mwa_json_number(trace->location_count));
    json_object_set_new(object, "hosts", mwa_json_number(trace->host_count));
    json_object_set_new(object, "events", mwa_json_number(results->pass.events));
    json_object_set_new(object, "lost_events", mwa_json_number(trace->lost_events));
    json_object_set_new(object, "unmatched_sends", optional(matched, matching->unmatched_sends));
    json_object_set_new(object, "unmatched_receives",
                        optional(matched, matching->unmatched_receives));
    json_object_set_new(object, "clock_violations", optional(matched, matching->clock_violations));
    json_object_set_new(object, "complete", json_boolean(mwa_is_complete(results)));
    json_object_set_new(object, "duration_ns", mwa_json_number(mwa_duration_ns(results)));
    json_object_set_new(object, "clock_violation_max_ns",
                        optional(matched, matching->clock_violation_max_ns));
    json_object_set_new(object, "unmatched_sends_by_reason",
                        matched ? reasons(matching->sends_without) : json_null());
    json_object_set_new(object, "unmatched_receives_by_reason",
                        matched ? reasons(matching->receives_without) : json_null());
    json_object_set_new(object, "other_job_sends", optional(matched, matching->other_job_sends));
    json_object_set_new(object, "other_job_receives",
                        optional(matched, matching->other_job_receives));
    json_object_set_new(object, "pending_receives", optional(matched, matching->pending_receives));
    json_object_set_new(object, "cancelled", optional(matched, matching->cancelled));
    json_object_set_new(object, "size_mismatches", optional(matched, matching->size_mismatches));
    json_object_set_new(object, "mpi_calls", mwa_json_number(results->profile.mpi_calls));
    json_object_set_new(object, "open_calls", mwa_json_number(results->profile.open_calls));
    json_object_set_new(object, "communicators", mwa_json_number(trace->comm_count));
    json_object_set_new(object, "creator", mwa_json_text(trace->creator));
    json_object_set_new(object, "mpi_library", mwa_json_text(trace->mpi_library));
    json_object_set_new(object, "ended", mwa_json_text(trace->ended));
    json_object_set_new(object, "started", mwa_json_text(mwa_started(trace, started)));
    for (uint64_t i = 0; i + 1 < trace->setting_count; i += 2) {
        json_object_set_new(settings, trace->settings[i], mwa_json_text(trace->settings[i + 1]));
    }
    json_object_set_new(object, "settings", settings);
    json_object_set_new(object, "parent", mwa_json_text(mwa_trace_setting(trace, "parent")));
    return object;
}

json_t *mwa_json_calls(const struct mwa_results *results)
{
    json_t *object = json_object();
    json_t *list = json_array();

    for (uint64_t i = 0; i < results->profile.call_count; i++) {
        const struct mwa_call_row *row = &results->profile.calls[i];
        json_t *call = json_object();

        json_object_set_new(call, "name", mwa_json_text(row->region->name));
        json_object_set_new(call, "group", mwa_json_text(row->region->group));
        json_object_set_new(call, "count", mwa_json_number(row->count));
        json_object_set_new(call, "time_ns", mwa_json_number(row->time_ns));
        json_object_set_new(call, "min_ns", mwa_json_number(row->min_ns));
        json_object_set_new(call, "max_ns", mwa_json_number(row->max_ns));
        json_object_set_new(call, "bytes_sent", mwa_json_number(row->bytes_sent));
        json_object_set_new(call, "bytes_received", mwa_json_number(row->bytes_received));
        json_object_set_new(call, "rank_min_ns", mwa_json_number(row->rank_min_ns));
        json_object_set_new(call, "rank_max_ns", mwa_json_number(row->rank_max_ns));
        json_object_set_new(call, "rank_max", mwa_json_number(row->rank_max));
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

        json_object_set_new(rank, "rank", mwa_json_number(row->rank));
        json_object_set_new(rank, "host", mwa_json_text(defined->host));
        json_object_set_new(rank, "pid",
                            optional(defined->pid >= 0, (uint64_t)defined->pid));
        json_object_set_new(rank, "mpi_ns", mwa_json_number(row->mpi_ns));
        json_object_set_new(rank, "useful_ns", mwa_json_number(row->useful_ns));
        json_object_set_new(rank, "calls", mwa_json_number(row->calls));
        json_object_set_new(rank, "bytes_sent", mwa_json_number(row->bytes_sent));
        json_object_set_new(rank, "bytes_received", mwa_json_number(row->bytes_received));
        json_object_set_new(rank, "run_ns", mwa_json_number(row->run_ns));
        json_object_set_new(rank, "locations", mwa_json_number(defined->locations));
        json_object_set_new(rank, "lost", mwa_json_number(defined->lost));
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

        json_object_set_new(pair, "from", mwa_json_number(traffic->pairs[i].from));
        json_object_set_new(pair, "to", mwa_json_number(traffic->pairs[i].to));
        json_object_set_new(pair, "count", mwa_json_number(traffic->pairs[i].count));
        json_object_set_new(pair, "bytes", mwa_json_number(traffic->pairs[i].bytes));
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
        json_object_set_new(size, "from_bytes", mwa_json_number(from));
        json_object_set_new(size, "to_bytes", mwa_json_number(to));
        json_object_set_new(size, "count", mwa_json_number(count));
        json_array_append_new(list, size);
    }
    return list;
}

static json_t *host_pairs_of(const struct mwa_results *results)
{
    json_t *list = json_array();
    struct mwa_host_pairs pairs;

    if (mwa_host_pairs_make(results, &pairs) == MW_OK) {
        for (uint64_t i = 0; i < (uint64_t)pairs.host_count * pairs.host_count; i++) {
            const struct mwa_pair *cell = &pairs.cells[i];
            json_t *pair = cell->count > 0 ? json_object() : NULL;

            json_object_set_new(pair, "from", mwa_json_text(pairs.hosts[cell->from]));
            json_object_set_new(pair, "to", mwa_json_text(pairs.hosts[cell->to]));
            json_object_set_new(pair, "count", mwa_json_number(cell->count));
            json_object_set_new(pair, "bytes", mwa_json_number(cell->bytes));
            if (pair) {
                json_array_append_new(list, pair);
            }
        }
    }
    mwa_host_pairs_fini(&pairs);
    return list;
}

static void set_queueing(json_t *object, const struct mwa_queueing *queueing)
{
    uint64_t average = queueing->late_posted ? queueing->total_ns / queueing->late_posted : 0;

    json_object_set_new(object, "matched", mwa_json_number(queueing->matched));
    json_object_set_new(object, "synchronisations", mwa_json_number(queueing->without_bytes));
    json_object_set_new(object, "late_posted", mwa_json_number(queueing->late_posted));
    json_object_set_new(object, "late_posted_byte_ns", mwa_json_ratio(queueing->late_byte_ns));
    json_object_set_new(object, "queueing_average_ns", mwa_json_number(average));
    json_object_set_new(object, "queueing_max_ns", mwa_json_number(queueing->max_ns));
    json_object_set_new(object, "queueing_max_from",
                        optional(queueing->max_from != MWA_NONE, queueing->max_from));
    json_object_set_new(object, "queueing_max_to",
                        optional(queueing->max_to != MWA_NONE, queueing->max_to));
}

json_t *mwa_json_messages(const struct mwa_results *results)
{
    const struct mwa_traffic *traffic = &results->traffic;
    json_t *object = json_object();

    json_object_set_new(object, "schema", json_string("mpiwatch-messages/1"));
    json_object_set_new(object, "messages", mwa_json_number(traffic->messages));
    json_object_set_new(object, "bytes", mwa_json_number(traffic->bytes));
    json_object_set_new(object, "median_bytes", mwa_json_number(mwa_traffic_median(traffic)));
    json_object_set_new(object, "pairs", pairs_of(traffic));
    json_object_set_new(object, "sizes", sizes_of(traffic));
    json_object_set_new(object, "host_pairs", host_pairs_of(results));
    if (results->has_queueing) {
        set_queueing(object, &results->queueing);
    }
    json_object_set_new(object, "wildcards", mwa_json_wildcards(results));
    return object;
}

static void set_markers(json_t *object, const struct mwa_results *results)
{
    const struct mwa_markers *markers = &results->markers;
    json_t *list = json_array();

    for (uint64_t i = 0; i < markers->count; i++) {
        const struct mwa_marker *marker = &markers->list[i];
        uint64_t time_ns = mwa_trace_since_begin(results->trace, marker->time);
        json_t *one = json_object();

        json_object_set_new(one, "rank", optional(marker->rank != MWA_NONE, marker->rank));
        json_object_set_new(one, "time_ns", mwa_json_number(time_ns));
        json_object_set_new(one, "text", mwa_json_text(marker->text));
        json_array_append_new(list, one);
    }
    json_object_set_new(object, "markers", list);
    if (markers->total > markers->count) {
        json_object_set_new(object, "markers_left_out",
                            mwa_json_number(markers->total - markers->count));
    }
}

json_t *mwa_json_report(const struct mwa_results *results)
{
    char text[MWA_VERDICT_BYTES];
    json_t *object = json_object();

    json_object_set_new(object, "schema", json_string("mpiwatch-report/1"));
    json_object_set_new(object, "verdict", mwa_json_text(mwa_verdict(results, text)));
    json_object_set_new(object, "advice", mwa_json_text(mwa_advice(results, text)));
    json_object_set_new(object, "info", mwa_json_info(results));
    json_object_set_new(object, "calls", mwa_json_calls(results));
    json_object_set_new(object, "ranks", mwa_json_ranks(results));
    json_object_set_new(object, "messages", mwa_json_messages(results));
    json_object_set_new(object, "comms", mwa_json_comms(results));
    json_object_set_new(object, "imbalance", mwa_json_imbalance(results));
    set_markers(object, results);
    if (results->has_waits) {
        json_object_set_new(object, "waits", mwa_json_waits(results));
    }
    if (results->has_tracks) {
        json_object_set_new(object, "counters",
                            mwa_json_counters(results->trace, &results->counters, MWA_NONE));
    }
    if (results->has_levels) {
        json_object_set_new(object, "watermarks",
                            mwa_json_watermarks(results->trace, &results->watermarks, MWA_NONE));
    }
    json_object_set_new(object, "pop", mwa_json_pop(results));
    json_object_set_new(object, "critical_path", mwa_json_critical_path(results));
    return object;
}
