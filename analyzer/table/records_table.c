/* Single calls and messages. */
#include "analyzer/table/records.h"

#include "analyzer/analysis/results.h"

#define NO_RANK    "the location is of no rank"
#define NO_CALL    "the event lies outside of all calls"
#define NO_COMM    "the call names none, or several"
#define NO_MESSAGE "the call has no message, or several with different ones"
#define NO_LINE    "where it is called is not known"

static const struct mwa_trace *trace_of(const struct mwa_cell *cell)
{
    return cell->results->trace;
}

static struct mwa_value rank_of(const struct mwa_cell *cell, uint32_t location)
{
    const uint32_t rank = trace_of(cell)->locations[location].rank;

    return mwa_number_if(rank != MWA_NONE, rank);
}

static struct mwa_value thread_of(const struct mwa_cell *cell, uint32_t location)
{
    return mwa_text(trace_of(cell)->locations[location].name);
}

static struct mwa_value name_of(const struct mwa_cell *cell, uint32_t region)
{
    return mwa_text(region == MWA_NONE ? NULL : trace_of(cell)->regions[region].name);
}

static const struct mwa_site *site_of(const struct mwa_cell *cell, uint32_t site)
{
    return site == MWA_NONE ? NULL : &trace_of(cell)->sites[site];
}

static struct mwa_value file_of(const struct mwa_cell *cell, uint32_t index)
{
    const struct mwa_site *site = site_of(cell, index);

    return mwa_text(site && *site->file ? site->file : NULL);
}

static struct mwa_value line_of(const struct mwa_cell *cell, uint32_t index)
{
    const struct mwa_site *site = site_of(cell, index);

    return mwa_number_if(site && site->line, site ? site->line : 0);
}

static struct mwa_value comm_of(const struct mwa_cell *cell, uint32_t comm)
{
    return mwa_text(comm == MWA_NONE ? NULL : trace_of(cell)->comms[comm].name);
}

static struct mwa_value uid_of(const struct mwa_cell *cell, uint32_t comm)
{
    return mwa_text(comm == MWA_NONE ? NULL : trace_of(cell)->comms[comm].uid);
}

MWA_VALUE_OF(call_rank, struct mwa_call_record, rank_of(cell, row->location))
MWA_VALUE_OF(call_thread, struct mwa_call_record, thread_of(cell, row->location))
MWA_VALUE_OF(call_name, struct mwa_call_record, name_of(cell, row->call))
MWA_VALUE_OF(call_region, struct mwa_call_record, name_of(cell, row->region))
MWA_VALUE_OF(call_file, struct mwa_call_record, file_of(cell, row->site))
MWA_VALUE_OF(call_line, struct mwa_call_record, line_of(cell, row->site))
MWA_VALUE_OF(call_comm, struct mwa_call_record, comm_of(cell, row->comm))
MWA_VALUE_OF(call_uid, struct mwa_call_record, uid_of(cell, row->comm))

static const struct mwa_column calls[] = {
    { "rank", MWA_BY(MWA_NUMBER, call_rank), .unknown = NO_RANK },
    { "thread", MWA_BY(MWA_TEXT, call_thread) },
    { "name", MWA_BY(MWA_TEXT, call_name) },
    { "region", MWA_BY(MWA_TEXT, call_region), .unknown = "it is in no region of the program" },
    { "file", MWA_BY(MWA_TEXT, call_file), .unknown = NO_LINE },
    { "line", MWA_BY(MWA_NUMBER, call_line), .unknown = NO_LINE },
    { "enter_ns", .unit = MWA_NS, MWA_IN(struct mwa_call_record, enter),
      .clock = MWA_TICKS_SINCE_BEGIN },
    { "leave_ns", .unit = MWA_NS, MWA_IN(struct mwa_call_record, leave),
      .clock = MWA_TICKS_SINCE_BEGIN },
    { "calls", .unit = MWA_COUNT, MWA_IN(struct mwa_call_record, calls) },
    { "comm", MWA_BY(MWA_TEXT, call_comm), .unknown = NO_COMM },
    { "comm_uid", MWA_BY(MWA_TEXT, call_uid), .unknown = NO_COMM },
    { "peer", MWA_IN(struct mwa_call_record, peer), .unknown = NO_MESSAGE },
    { "tag", MWA_IN(struct mwa_call_record, tag), .unknown = NO_MESSAGE },
    { "root", MWA_IN(struct mwa_call_record, root), .unknown = "it has none" },
    { "bytes_sent", .unit = MWA_BYTES, MWA_IN(struct mwa_call_record, bytes_sent) },
    { "bytes_received", .unit = MWA_BYTES, MWA_IN(struct mwa_call_record, bytes_received) },
};

static const struct mwa_table call_records = {
    MWA_COLUMNS(calls),
    MWA_ROWS(struct mwa_records, calls, call_count),
};

MWA_VALUE_OF(from, struct mwa_message_record, rank_of(cell, row->send_location))
MWA_VALUE_OF(from_thread, struct mwa_message_record, thread_of(cell, row->send_location))
MWA_VALUE_OF(to, struct mwa_message_record, rank_of(cell, row->receive_location))
MWA_VALUE_OF(to_thread, struct mwa_message_record, thread_of(cell, row->receive_location))
MWA_VALUE_OF(message_comm, struct mwa_message_record, comm_of(cell, row->comm))
MWA_VALUE_OF(message_uid, struct mwa_message_record, uid_of(cell, row->comm))
MWA_VALUE_OF(send_call, struct mwa_message_record, name_of(cell, row->send_call))
MWA_VALUE_OF(send_file, struct mwa_message_record, file_of(cell, row->send_site))
MWA_VALUE_OF(send_line, struct mwa_message_record, line_of(cell, row->send_site))
MWA_VALUE_OF(receive_call, struct mwa_message_record, name_of(cell, row->receive_call))
MWA_VALUE_OF(receive_file, struct mwa_message_record, file_of(cell, row->receive_site))
MWA_VALUE_OF(receive_line, struct mwa_message_record, line_of(cell, row->receive_site))

static const struct mwa_column messages[] = {
    { "from", MWA_BY(MWA_NUMBER, from), .unknown = NO_RANK },
    { "from_thread", MWA_BY(MWA_TEXT, from_thread) },
    { "to", MWA_BY(MWA_NUMBER, to), .unknown = NO_RANK },
    { "to_thread", MWA_BY(MWA_TEXT, to_thread) },
    { "comm", MWA_BY(MWA_TEXT, message_comm), .unknown = MWA_NOT_SAID },
    { "comm_uid", MWA_BY(MWA_TEXT, message_uid), .unknown = MWA_NOT_SAID },
    { "tag", MWA_IN(struct mwa_message_record, tag), .unknown = MWA_NOT_SAID },
    { "bytes", .unit = MWA_BYTES, MWA_IN(struct mwa_message_record, bytes),
      .unknown = MWA_NOT_SAID },
    { "sent_ns", .unit = MWA_NS, MWA_IN(struct mwa_message_record, sent),
      .clock = MWA_TICKS_SINCE_BEGIN },
    { "posted_ns", .unit = MWA_NS, MWA_IN(struct mwa_message_record, posted),
      .clock = MWA_TICKS_SINCE_BEGIN },
    { "received_ns", .unit = MWA_NS, MWA_IN(struct mwa_message_record, received),
      .clock = MWA_TICKS_SINCE_BEGIN },
    { "wait_ns", .unit = MWA_NS, MWA_IN(struct mwa_message_record, wait), .clock = MWA_TICKS },
    { "send_wait_ns", .unit = MWA_NS, MWA_IN(struct mwa_message_record, send_wait),
      .clock = MWA_TICKS },
    { "progress_wait_ns", .unit = MWA_NS, MWA_IN(struct mwa_message_record, progress_wait),
      .clock = MWA_TICKS },
    { "send_progress_wait_ns", .unit = MWA_NS,
      MWA_IN(struct mwa_message_record, send_progress_wait), .clock = MWA_TICKS },
    { "send_call", MWA_BY(MWA_TEXT, send_call), .unknown = NO_CALL },
    { "send_file", MWA_BY(MWA_TEXT, send_file), .unknown = NO_LINE },
    { "send_line", MWA_BY(MWA_NUMBER, send_line), .unknown = NO_LINE },
    { "receive_call", MWA_BY(MWA_TEXT, receive_call), .unknown = NO_CALL },
    { "receive_file", MWA_BY(MWA_TEXT, receive_file), .unknown = NO_LINE },
    { "receive_line", MWA_BY(MWA_NUMBER, receive_line), .unknown = NO_LINE },
};

static const struct mwa_table message_records = {
    MWA_COLUMNS(messages),
    MWA_ROWS(struct mwa_records, messages, message_count),
};

const struct mwa_named_table mwa_record_tables[] = {
    { "call_records", &call_records },
    { "message_records", &message_records },
    { NULL, NULL },
};
