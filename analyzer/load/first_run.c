/*
 * All times count from where the first rank leaves MPI_Init, so that this has to be known before
 * anything is read: a window that a user gives is in these times.
 */
#include "analyzer/load/first_run.h"

#define EVENTS 64u /* read at a time: MPI_Init is among the first, as a rule */

struct search {
    const struct mwa_trace *trace;
    uint64_t time; /* found: the Leave of an outermost MPI_Init */
    uint32_t depth; /* of MPI calls */
    bool is_in_init;
    bool is_found;
};

/* MPI_Init comes before all that passes between ranks: it won't come any more. */
static bool is_too_late(const struct search *search, enum mwa_event_kind kind)
{
    return !search->is_in_init &&
           (kind == MWA_SEND || kind == MWA_ISEND || kind == MWA_RECV || kind == MWA_IRECV_POST ||
            kind == MWA_IRECV || kind == MWA_COLLECTIVE_BEGIN || kind == MWA_COLLECTIVE_POST);
}

/* MW_END: this location has told all that it can. */
static enum mw_status on_event(void *user, const struct mwa_event *event)
{
    struct search *search = user;
    const bool is_call = (event->kind == MWA_ENTER || event->kind == MWA_LEAVE) &&
                         event->of.call.region != MWA_NONE;
    const enum mwa_region_kind kind =
        is_call ? search->trace->regions[event->of.call.region].kind : MWA_REGION_USER;

    if (kind == MWA_REGION_USER) {
        return is_too_late(search, event->kind) ? MW_END : MW_OK;
    }
    if (event->kind == MWA_ENTER) {
        search->is_in_init |= search->depth++ == 0 && kind == MWA_REGION_INIT;
        return kind == MWA_REGION_FINALIZE ? MW_END : MW_OK;
    }
    search->depth -= search->depth > 0;
    if (search->depth > 0 || kind != MWA_REGION_INIT) {
        return MW_OK;
    }
    search->is_found = true;
    search->time = event->time;
    return MW_END;
}

static enum mw_status look_at(struct mwa_input *input, uint32_t location, struct search *search,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_event_reader *reader;
    enum mw_status status = mwa_event_reader_open(input, location, &reader, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    while (status == MW_OK) {
        status = mwa_event_reader_read(reader, EVENTS, on_event, search, diagnostic);
    }
    mwa_event_reader_close(reader);
    return status;
}

/* Whether any call can be MPI_Init. */
static bool has_init(const struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < trace->region_count; i++) {
        if (trace->regions[i].kind == MWA_REGION_INIT) {
            return true;
        }
    }
    return false;
}

enum mw_status mwa_first_run(struct mwa_input *input, uint64_t *origin,
                             struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    enum mw_status status = MW_END;
    bool is_found = false;

    for (uint32_t i = 0; has_init(trace) && i < trace->location_count && status == MW_END; i++) {
        struct search search = { .trace = trace };

        if (mwa_is_main_thread(trace, i)) {
            status = look_at(input, i, &search, diagnostic);
        }
        if (search.is_found && (!is_found || search.time < *origin)) {
            *origin = search.time;
            is_found = true;
        }
    }
    return status == MW_END && is_found ? MW_OK : status;
}
