/* What comes before was lost for some ranks and not for others. */
#include "analyzer/load/common_begin.h"

#include <stdlib.h>
#include <string.h>

#define BATCH_EVENTS 4096u

/* A location that is read up to where all have begun. */
struct approach {
    const struct mwa_event_reader *reader;
    struct mwa_open_calls open;
    uint64_t time;
    bool has_calls; /* of MPI */
    bool is_there;
    uint64_t begin;  /* when the call there is entered */
    uint64_t events; /* before that */
};

/* Whether the event enters a call of MPI outside of others. */
static bool enters_mpi(const struct mwa_open_calls *open, const struct mwa_event *event)
{
    bool is_outside = event->kind == MWA_ENTER &&
                      open->trace->regions[event->of.call.region].kind != MWA_REGION_USER;

    for (uint32_t i = 0; is_outside && i < open->depth; i++) {
        is_outside = open->trace->regions[open->stack[i].region].kind == MWA_REGION_USER;
    }
    return is_outside;
}

static enum mw_status take_event(void *user, const struct mwa_event *event)
{
    struct approach *approach = user;

    const bool is_call = enters_mpi(&approach->open, event);

    approach->has_calls |= is_call;
    approach->events = mwa_event_reader_count(approach->reader) - 1;
    if (is_call && event->time >= approach->time) {
        approach->is_there = true;
        approach->begin = event->time;
        return MW_END;
    }
    return mwa_open_calls_take(&approach->open, event);
}

/* Keeps what is open, from begin on. */
static bool keep_calls(struct mwa_location_start *start, const struct mwa_open_calls *open,
                       uint64_t begin)
{
    start->calls = calloc(open->depth + 1u, sizeof *start->calls);
    start->call_count = start->calls ? open->depth : 0;
    for (uint32_t i = 0; i < start->call_count; i++) {
        start->calls[i] = open->stack[i];
        start->calls[i].enter = begin;
    }
    return start->calls != NULL;
}

static enum mw_status find_location(struct mwa_input *input, uint32_t location, uint64_t time,
                                    struct mwa_location_start *start,
                                    struct mw_diagnostic *diagnostic)
{
    struct approach approach = { .open.trace = mwa_input_trace(input), .time = time };
    struct mwa_event_reader *reader = NULL;
    enum mw_status status = mwa_event_reader_open(input, location, &reader, diagnostic);

    approach.reader = reader;
    while (status == MW_OK) {
        status = mwa_event_reader_read(reader, BATCH_EVENTS, take_event, &approach, diagnostic);
    }
    start->is_there = approach.has_calls;
    start->events = approach.is_there || !reader ? approach.events
                                                 : mwa_event_reader_count(reader);
    approach.open.depth = approach.is_there ? approach.open.depth : 0;
    if (status == MW_END) {
        status = keep_calls(start, &approach.open, approach.begin)
                     ? MW_OK
                     : mw_no_memory(diagnostic, NULL, "to find where all ranks begin");
    }
    mwa_event_reader_close(reader);
    mwa_open_calls_fini(&approach.open);
    return status;
}

static enum mw_status take_first(void *user, const struct mwa_event *event)
{
    uint64_t *time = user;

    *time = event->time > *time ? event->time : *time;
    return MW_END;
}

/* Makes *time the last of those at which main threads of ranks that lost something begin. */
static enum mw_status find_time(struct mwa_input *input, uint64_t *time,
                                struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    enum mw_status status = MW_OK;

    *time = 0;
    for (uint64_t i = 0; i < trace->rank_count && status == MW_OK; i++) {
        const struct mwa_rank *rank = &trace->ranks[i];
        struct mwa_event_reader *reader = NULL;

        if (rank->lost == 0 || rank->master == MWA_NONE) {
            continue;
        }
        status = mwa_event_reader_open(input, rank->master, &reader, diagnostic);
        if (status == MW_OK) {
            status = mwa_event_reader_read(reader, 1, take_first, time, diagnostic);
        }
        status = status == MW_END ? MW_OK : status;
        mwa_event_reader_close(reader);
    }
    return status;
}

enum mw_status mwa_common_begin_find(struct mwa_input *input, struct mwa_reading_start **start,
                                     uint64_t *time, struct mw_diagnostic *diagnostic)
{
    const uint64_t count = mwa_input_trace(input)->location_count;
    struct mwa_reading_start *made = calloc(1, sizeof *made);
    enum mw_status status = MW_ERROR_MEMORY;

    if (made && (made->locations = calloc(count + 1, sizeof *made->locations))) {
        made->location_count = count;
        status = find_time(input, time, diagnostic);
    } else {
        (void)mw_no_memory(diagnostic, NULL, "to find where all ranks begin");
    }
    for (uint32_t i = 0; i < count && status == MW_OK; i++) {
        status = find_location(input, i, *time, &made->locations[i], diagnostic);
    }
    if (status != MW_OK) {
        mwa_reading_start_free(made);
        return status;
    }
    *start = made;
    return MW_OK;
}
