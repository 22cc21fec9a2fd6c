/*
 * The archive is read from one end to the other, while other threads print.
 */
#include "analyzer/cli/command.h"

#include <stdio.h>

#include "analyzer/cli/event_line.h"
#include "analyzer/cli/event_printers.h"
#include "analyzer/cli/kept_states.h"
#include "analyzer/load/input.h"
#include "analyzer/table/tables.h"

#define EVENTS_PER_THREAD 20000u /* less is printed sooner than a thread is there */

/* Events of which time are printed, and how. */
struct dump {
    struct mwa_results results; /* nothing but the trace */
    const struct mwa_options *options;
    const struct mwa_block_states *known; /* null: there are none */
    uint64_t from, to; /* ticks, both ends are in it */
    struct mwa_event_printers *printers;
    FILE *out;
};

static enum mw_status print_event(const void *user, const struct mwa_event *event, FILE *out)
{
    const struct dump *dump = user;
    const struct mwa_cell cell = { .results = &dump->results, .row = event };
    json_t *object;

    if (!dump->options->json) {
        mwa_event_line(&cell, out);
        return MW_OK;
    }
    object = mwa_table_json(&mwa_dump_document, &cell);
    if (!object) {
        return MW_ERROR_MEMORY;
    }
    json_dumpf(object, out, JSON_COMPACT);
    putc('\n', out);
    json_decref(object);
    return MW_OK;
}

static enum mw_status take_event(void *user, const struct mwa_event *event)
{
    const struct dump *dump = user;
    enum mw_status status;

    if (event->time < dump->from || event->time > dump->to) {
        return event->time > dump->to ? MW_END : MW_OK;
    }
    status = mwa_event_printers_take(dump->printers, event);
    return status == MW_OK && ferror(dump->out) ? MW_ERROR_SYSTEM : status;
}

static enum mw_status dump_location(struct mwa_input *input, uint32_t location, struct dump *dump,
                                    struct mw_diagnostic *diagnostic)
{
    struct mwa_event_reader *reader = NULL;
    const struct mwa_block_entry *entry;
    const struct mwa_open_call *calls;
    enum mw_status status = mwa_event_reader_open_at(input, dump->known, location, dump->from,
                                                     &reader, &entry, &calls, diagnostic);

    while (status == MW_OK) {
        status = mwa_event_reader_read(reader, 4096, take_event, dump, diagnostic);
    }
    mwa_event_reader_close(reader);
    return status == MW_END ? MW_OK : status;
}

/* How many threads print, beside this one. */
static uint32_t printing_threads(const struct mwa_input *input)
{
    const uint64_t worth = mwa_defined_events(mwa_input_trace(input)) / EVENTS_PER_THREAD;
    const uint32_t threads = mwa_input_threads(input);

    return threads == 1 || worth < 2 ? 0 : worth < threads ? (uint32_t)worth : threads;
}

/* Whatever has been read is printed; a failure to write is told before all others. */
static enum mw_status end_printing(const struct dump *dump, enum mw_status status,
                                   struct mw_diagnostic *diagnostic)
{
    const enum mw_status printed = mwa_event_printers_end(dump->printers);

    if (ferror(dump->out)) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "cannot write the events");
    }
    status = status == MW_OK ? printed : status;
    return status == MW_ERROR_MEMORY && diagnostic && diagnostic->status == MW_OK
               ? mw_no_memory(diagnostic, NULL, "to print events")
               : status;
}

enum mw_status mwa_run_dump(struct mwa_input *input, const struct mwa_options *options, FILE *out,
                            struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct dump dump = { .results = { .trace = trace },
                         .options = options,
                         .from = mwa_trace_first_at(trace, options->from_ns),
                         .to = mwa_trace_last_at(trace, options->to_ns),
                         .out = out };
    struct mwa_block_states *known;
    enum mw_status status;

    dump.printers = mwa_event_printers_start(printing_threads(input), print_event, &dump, out);
    if (!dump.printers) {
        return mw_no_memory(diagnostic, NULL, "to print events");
    }
    status = mwa_kept_states(input, options, NULL, dump.from, &known, diagnostic);
    dump.known = known;
    for (uint32_t i = 0; i < trace->location_count && status == MW_OK; i++) {
        if (options->rank == MWA_NONE || trace->locations[i].rank == options->rank) {
            status = dump_location(input, i, &dump, diagnostic);
        }
    }
    mwa_block_states_close(known);
    return end_printing(&dump, status, diagnostic);
}
