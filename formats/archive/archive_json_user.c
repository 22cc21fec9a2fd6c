/*
 * Calls that were filtered out leave no events: the counts here are all that an
 * archive knows of them.
 */
#include "formats/archive/archive_json_user.h"

#include "formats/table/calls.h"

void mw_json_registered(struct mw_json *json, const struct mw_merged *merged,
                        const struct mw_merged_comm *comm)
{
    mw_json_array(json, "registered");
    for (uint32_t i = comm->first_registration; i != MW_MERGED_NONE;
         i = merged->user.registrations[i].next) {
        const struct mw_merged_registration *one = &merged->user.registrations[i];

        mw_json_object(json, NULL);
        mw_json_unsigned(json, "rank", one->rank);
        mw_json_text(json, "name", one->name);
        mw_json_unsigned(json, "from_ns", mw_merged_time(merged, one->rank, one->from));
        if (one->to == 0) {
            mw_json_null(json, "to_ns");
        } else {
            mw_json_unsigned(json, "to_ns", mw_merged_time(merged, one->rank, one->to));
        }
        mw_json_object_end(json);
    }
    mw_json_array_end(json);
}

static void write_counts(struct mw_json *json, const struct mw_merged_filtered *filtered)
{
    mw_json_unsigned(json, "calls", filtered->calls);
    mw_json_unsigned(json, "bytes_sent", filtered->bytes_sent);
    mw_json_unsigned(json, "bytes_received", filtered->bytes_received);
}

void mw_json_rank_user(struct mw_json *json, const struct mw_merged_rank *rank)
{
    mw_json_object(json, "filtered");
    write_counts(json, &rank->filtered);
    mw_json_object_end(json);
    mw_json_object(json, "misuse");
    mw_json_unsigned(json, "unbalanced", rank->misuse.unbalanced);
    mw_json_unsigned(json, "not_recorded", rank->misuse.not_recorded);
    mw_json_object_end(json);
}

void mw_json_filtered(struct mw_json *json, const struct mw_merged *merged)
{
    mw_json_array(json, "filtered");
    for (uint32_t i = 0; i < merged->user.filtered_count; i++) {
        const struct mw_merged_filtered *filtered = &merged->user.filtered[i];

        mw_json_object(json, NULL);
        if (filtered->comm == MW_MERGED_NONE) {
            mw_json_null(json, "communicator");
        } else {
            mw_json_unsigned(json, "communicator", filtered->comm);
        }
        mw_json_text(json, "call", mw_call_name(filtered->call));
        write_counts(json, filtered);
        mw_json_object_end(json);
    }
    mw_json_array_end(json);
}
