/*
 * Each thread has partial results of its own, which are merged when somebody wants to see them. A
 * thread's last call is left to be read again: polls are added to it, and it gets its leave. So is
 * a poll before one that is under way.
 */
#include "analyzer/live/live_reading.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/comms/comm_history.h"
#include "analyzer/analysis/messages/traffic.h"
#include "analyzer/analysis/time/profile.h"

#define CALLS_A_TURN 1024u /* of a thread, between two looks at the clock */

static const struct mwa_analysis *const analyses[MWA_LIVE_PARTS] = {
    [MWA_LIVE_PROFILE] = &mwa_profile_analysis,
    [MWA_LIVE_SENT] = &mwa_traffic_analysis,
    [MWA_LIVE_RECEIVED] = &mwa_traffic_analysis,
    [MWA_LIVE_OF_COMMS] = &mwa_comms_analysis,
};

static bool add_parts(struct mwa_live_reading *reading, const struct mwa_live_trace *live)
{
    struct mwa_live_stream *stream = &reading->stream;

    for (unsigned i = 0; i < MWA_LIVE_PARTS; i++) {
        reading->partials[i] = mwa_partial_create(analyses[i], &live->trace);
        if (!reading->partials[i]) {
            return false;
        }
        stream->listeners[stream->listener_count++] =
            (struct mwa_live_listener){.analysis = analyses[i],
                                       .partial = reading->partials[i],
                                       .takes_receives = i == MWA_LIVE_RECEIVED};
    }
    return true;
}

bool mwa_live_reading_create(const struct mw_run_spool *spool, uint32_t thread,
                             const struct mwa_live_trace *live,
                             const struct mwa_live_numbers *numbers,
                             const struct mwa_live_hang *hang, bool has_parts,
                             struct mwa_live_reading **reading)
{
    char path[PATH_MAX + 32];
    struct mw_spool_reader *reader;
    struct mwa_live_reading *added;
    enum mw_status status;

    *reading = NULL;
    snprintf(path, sizeof path, "%s/%u.events", spool->path, thread);
    status = mw_spool_reader_create(path, &reader, NULL);
    if (status != MW_OK) {
        return status != MW_ERROR_MEMORY;
    }
    added = calloc(1, sizeof *added);
    if (!added) {
        mw_spool_reader_destroy(reader);
        return false;
    }
    *added = (struct mwa_live_reading){.rank = spool->rank, .thread = thread, .reader = reader};
    added->stream.live = live;
    added->stream.numbers = numbers;
    added->stream.location =
        (struct mwa_location){.name = "", .rank = spool->rank, .master = thread == 0};
    added->stream.resolution = mw_spool_reader_header(reader)->ticks_per_second;
    added->calls = mw_spool_reader_overwritten(reader);
    added->overwritten = added->calls;
    added->path = strdup(spool->path);
    added->has_hang = hang != NULL;
    if (hang) {
        added->stream.listeners[added->stream.listener_count++] = mwa_live_hang_listener(hang);
    }
    if (!added->path || (has_parts && !add_parts(added, live))) {
        mwa_live_reading_destroy(added);
        return false;
    }
    *reading = added;
    return true;
}

void mwa_live_reading_destroy(struct mwa_live_reading *reading)
{
    for (unsigned i = 0; i < MWA_LIVE_PARTS; i++) {
        mwa_partial_destroy(analyses[i], reading->partials[i]);
    }
    mw_spool_reader_destroy(reading->reader);
    mwa_live_last_fini(&reading->last);
    free(reading->path);
    free(reading);
}

void mwa_live_reading_wait(struct mwa_live_reading *reading, struct mwa_live_waits *waits)
{
    reading->stream.waits = waits;
    reading->stream.waits_location =
        waits ? mwa_live_waits_location(waits, reading->rank, reading->thread) : MWA_NONE;
}

enum mw_status mwa_live_reading_again(struct mwa_live_reading *reading)
{
    uint64_t overwritten = 0;
    enum mw_status status;

    if (reading->has_more) {
        return MW_OK;
    }
    reading->is_final = reading->is_over;
    status = mw_spool_reader_again(reading->reader, &overwritten, NULL);
    reading->overwritten += overwritten;
    reading->calls += overwritten;
    reading->is_damaged = status != MW_OK && status != MW_ERROR_MEMORY;
    reading->is_done = reading->is_damaged && reading->is_final;
    return status;
}

/* Whether the call will not change any more, and all is known that it speaks of. */
static bool may_be_told(const struct mwa_live_reading *reading,
                        const struct mwa_live_ground *ground, const struct mw_spool_call *call)
{
    const struct mwa_live_numbers *numbers = reading->stream.numbers;

    if (reading->is_final) {
        return !ground->has_others ||
               mwa_live_trace_knows_comms(ground->live, numbers, ground->is_here, call);
    }
    return mw_spool_reader_has_more(reading->reader) &&
           !mw_spool_reader_may_grow(reading->reader) &&
           mwa_live_trace_knows(ground->live, numbers, ground->is_here, call);
}

static enum mw_status take(struct mwa_live_reading *reading, const struct mwa_live_ground *ground,
                           const struct mw_spool_call *call)
{
    return !ground->variables ||
                   mwa_live_variables_take(ground->variables, reading->rank,
                                           reading->stream.numbers, call)
               ? mwa_live_events(&reading->stream, call)
               : MW_ERROR_MEMORY;
}

/* Notes the call for who looks for hangs, and, if it is a poll that is left, the one behind it. */
static enum mw_status note_last(struct mwa_live_reading *reading, struct mw_spool_call *call,
                                bool is_left)
{
    enum mw_status status = MW_OK;

    if (is_left && mw_spool_reader_may_grow(reading->reader)) {
        status = mw_spool_reader_next(reading->reader, call, NULL);
    }
    if (status == MW_OK && !mwa_live_last_note(&reading->last, call, is_left)) {
        status = MW_ERROR_MEMORY;
    }
    return status;
}

enum mw_status mwa_live_reading_go_on(struct mwa_live_reading *reading,
                                      const struct mwa_live_ground *ground)
{
    struct mw_spool_call call;
    bool is_left = false;
    bool is_call;
    enum mw_status status = MW_OK;

    for (unsigned i = 0; status == MW_OK && i < CALLS_A_TURN; i++) {
        status = mw_spool_reader_next(reading->reader, &call, NULL);
        if (status != MW_OK) {
            break;
        }
        is_call = call.record.type == MW_RECORD_CALL;
        is_left = is_call && !may_be_told(reading, ground, &call);
        if (is_call && reading->has_hang) {
            status = note_last(reading, &call, is_left);
        }
        if (status != MW_OK) {
            break;
        }
        if (is_left) {
            status = MW_END; /* it may change, or another rank tells of it any moment */
            break;
        }
        reading->was_paused |= call.record.type == MW_RECORD_PAUSE;
        status = take(reading, ground, &call);
        reading->calls += is_call ? call.record.repeat : 0;
    }
    reading->is_through = status != MW_OK;
    reading->has_more = !reading->is_through;
    reading->is_damaged = status == MW_ERROR_FORMAT || status == MW_ERROR_SYSTEM;
    reading->is_done |= reading->is_through && reading->is_final && !is_left;
    return status == MW_ERROR_MEMORY ? status : MW_OK;
}

enum mw_status mwa_live_readings_merge(struct mwa_live_reading *const *readings, uint32_t count,
                                       const struct mwa_live_trace *live,
                                       enum mwa_live_part part, void *result)
{
    void *total = mwa_partial_create(analyses[part], &live->trace);
    enum mw_status status = total ? MW_OK : MW_ERROR_MEMORY;

    for (uint32_t i = 0; status == MW_OK && i < count; i++) {
        status = mwa_partial_merge(analyses[part], total, readings[i]->partials[part]);
    }
    if (status == MW_OK) {
        status = analyses[part]->finish(total, result);
    }
    mwa_partial_destroy(analyses[part], total);
    return status;
}
