/*
 * Locations come one after the other, and rows are wanted by time: what can't be among the first
 * is dropped whenever twice as many have been collected.
 */
#include "analyzer/export/export_records.h"

#include <stdlib.h>

#include "analyzer/analysis/results.h"
#include "analyzer/export/export_tables.h"
#include "analyzer/export/walk.h"
#include "analyzer/table/records.h"

struct collecting {
    const struct mwa_trace *trace;
    const bool *comms;
    uint64_t most;
    struct mwa_records records;
    uint64_t call_capacity;
    uint64_t message_capacity;
    uint64_t from; /* where the window begins */
    struct mwa_records_told *told;
};

static int compare(uint64_t one, uint64_t other)
{
    return one < other ? -1 : one > other;
}

static int by_enter(const void *one, const void *other)
{
    const struct mwa_call_record *a = one, *b = other;
    int order = compare(a->enter, b->enter);

    order = order ? order : compare(a->location, b->location);
    return order ? order : compare(a->leave, b->leave);
}

static int by_sent(const void *one, const void *other)
{
    const struct mwa_message_record *a = one, *b = other;
    int order = compare(a->sent, b->sent);

    order = order ? order : compare(a->send_location, b->send_location);
    return order ? order : compare(a->received, b->received);
}

/* Leaves the first most of list, in order. */
static void keep_first(void *list, uint64_t *count, uint64_t most, size_t size,
                       int (*order)(const void *, const void *))
{
    if (*count > 0) {
        qsort(list, *count, size, order);
    }
    *count = *count < most ? *count : most;
}

static bool is_selected(const struct collecting *collecting, uint32_t comm)
{
    return !collecting->comms || (comm != MWA_NONE && collecting->comms[comm]);
}

static uint32_t index_of(const struct collecting *collecting, const struct mwa_region *region)
{
    return region ? (uint32_t)(region - collecting->trace->regions) : MWA_NONE;
}

static enum mw_status take_end(void *user, uint32_t location, uint64_t time,
                               const struct mwa_walk_call *call)
{
    struct collecting *collecting = user;
    struct mwa_records *records = &collecting->records;

    if (call->region->kind == MWA_REGION_USER || !is_selected(collecting, call->facts.comm)) {
        return MW_OK;
    }
    collecting->told->calls++;
    if (records->call_count >= 2 * collecting->most) {
        keep_first(records->calls, &records->call_count, collecting->most,
                   sizeof *records->calls, by_enter);
    }
    if (!mwa_grow(&records->calls, &collecting->call_capacity, records->call_count + 1,
                  sizeof *records->calls)) {
        return MW_ERROR_MEMORY;
    }
    records->calls[records->call_count++] = (struct mwa_call_record){
        .enter = call->enter > collecting->from ? call->enter : collecting->from,
        .leave = time,
        .calls = call->repeat,
        .bytes_sent = call->facts.bytes_sent,
        .bytes_received = call->facts.bytes_received,
        .location = location,
        .call = index_of(collecting, call->region),
        .region = index_of(collecting, call->within),
        .site = call->site,
        .comm = call->facts.comm,
        .peer = call->facts.peer,
        .root = call->facts.root,
        .tag = call->facts.tag
    };
    return MW_OK;
}

static enum mw_status take_message(void *user, const struct mwa_link *link)
{
    struct collecting *collecting = user;
    struct mwa_records *records = &collecting->records;

    if (!is_selected(collecting, link->comm)) {
        return MW_OK;
    }
    collecting->told->messages++;
    if (records->message_count >= 2 * collecting->most) {
        keep_first(records->messages, &records->message_count, collecting->most,
                   sizeof *records->messages, by_sent);
    }
    if (!mwa_grow(&records->messages, &collecting->message_capacity, records->message_count + 1,
                  sizeof *records->messages)) {
        return MW_ERROR_MEMORY;
    }
    records->messages[records->message_count++] = (struct mwa_message_record){
        .sent = link->sent,
        .posted = link->posted,
        .received = link->receive_leave,
        .bytes = link->bytes,
        .wait = link->wait,
        .send_wait = link->send_wait,
        .progress_wait = link->progress_wait,
        .send_progress_wait = link->send_progress_wait,
        .send_location = link->send_location,
        .receive_location = link->receive_location,
        .send_call = index_of(collecting, link->send_call),
        .receive_call = index_of(collecting, link->receive_call),
        .send_site = link->send_site,
        .receive_site = link->receive_site,
        .comm = link->comm,
        .tag = link->tag
    };
    return MW_OK;
}

/* Puts them in order and writes them. */
static enum mw_status write_both(struct collecting *collecting, const char *directory, bool force,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_results results = { .trace = collecting->trace };
    struct mwa_records *records = &collecting->records;
    const struct mwa_cell root = { .results = &results, .row = records };
    enum mw_status status = MW_OK;

    keep_first(records->calls, &records->call_count, collecting->most, sizeof *records->calls,
               by_enter);
    keep_first(records->messages, &records->message_count, collecting->most,
               sizeof *records->messages, by_sent);
    collecting->told->call_rows = records->call_count;
    collecting->told->message_rows = records->message_count;
    for (size_t i = 0; mwa_record_tables[i].name && status == MW_OK; i++) {
        status = mwa_export_table(mwa_record_tables[i].name, mwa_record_tables[i].rows, &root,
                                  directory, force, diagnostic);
    }
    return status;
}

enum mw_status mwa_export_records(const struct mwa_trace *trace, const char *path,
                                  const struct mwa_selection *selection, const bool *comms,
                                  uint64_t most, const char *directory, bool force,
                                  struct mwa_records_told *told,
                                  struct mw_diagnostic *diagnostic)
{
    struct collecting collecting = { .trace = trace,
                                     .comms = comms,
                                     .most = most,
                                     .from = selection->from,
                                     .told = told };
    const struct mwa_walk_listener listener = { .user = &collecting,
                                                .end = take_end,
                                                .message = take_message };
    enum mw_status status;

    *told = (struct mwa_records_told){ .calls = 0 };
    status = mwa_walk(trace, path, selection, &listener, diagnostic);
    if (status == MW_OK) {
        status = write_both(&collecting, directory, force, diagnostic);
    }
    free(collecting.records.calls);
    free(collecting.records.messages);
    return status;
}
