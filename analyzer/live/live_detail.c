/*
 * Each thread has partial results of its own, which are merged when somebody wants to see them. A
 * thread's last call is left to be read again: polls are added to it, and it gets its leave.
 */
#include "analyzer/live/live_detail.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/live/live_events.h"
#include "formats/base/array.h"

#define CALLS_A_TURN 1024u /* of a thread, between two looks at the clock */

enum part { PROFILE, SENT, RECEIVED, COMMS, PARTS };

static const struct mwa_analysis *const analyses[PARTS] = {
    [PROFILE] = &mwa_profile_analysis,
    [SENT] = &mwa_traffic_analysis,
    [RECEIVED] = &mwa_traffic_analysis,
    [COMMS] = &mwa_comms_analysis,
};

struct reading {
    uint32_t rank;
    uint32_t thread;
    struct mw_spool_reader *reader;
    struct mwa_live_stream stream;
    void *partials[PARTS]; /* null: the views' results are not looked for */
    struct mwa_live_last last;
    uint64_t calls; /* told so far */
    uint64_t overwritten;
    bool has_more;  /* it was left before its end at the last look */
    bool is_through; /* there are no more for now */
    bool is_over;   /* nothing is written any more … */
    bool is_final;  /* … and was not when the reader looked at the file */
    bool is_done;
    bool is_damaged;
    char *path; /* of its process's spool */
};

struct mwa_live_detail {
    struct mwa_live_trace trace;
    struct mwa_live_numbers *numbers; /* by rank */
    bool *is_here; /* the same */
    uint32_t rank_count;
    struct reading **readings;
    uint32_t reading_count;
    struct mwa_live_variables *variables;
    enum mwa_live_depth depth;
    struct mwa_live_hang *hang;
    struct mwa_live_waits *waits; /* null: without, or there is no thread so far */
    enum mw_live_no_waits unknown;
    bool was_paused; /* recording, of some thread */
    const struct mwa_live *told; /* others tell of the run; null: its spools are here */
};

struct mwa_live_detail *mwa_live_detail_create(const struct mwa_live *live,
                                               enum mwa_live_depth depth)
{
    struct mwa_live_detail *detail = calloc(1, sizeof *detail);

    if (!detail) {
        return NULL;
    }
    detail->numbers = calloc(live->run->size + (size_t)1, sizeof *detail->numbers);
    detail->is_here = calloc(live->run->size + (size_t)1, sizeof *detail->is_here);
    detail->rank_count = detail->numbers && detail->is_here ? live->run->size : 0;
    detail->variables = mwa_live_variables_create();
    detail->depth = depth;
    detail->told = live->host_count > 0 ? live : NULL;
    if (!mwa_live_trace_init(&detail->trace, live->run->size) || !detail->numbers ||
        !detail->is_here || !detail->variables ||
        !(detail->hang = mwa_live_hang_create(&detail->trace.trace))) {
        mwa_live_detail_destroy(detail);
        return NULL;
    }
    return detail;
}

static void destroy_reading(struct reading *reading)
{
    for (unsigned i = 0; i < PARTS; i++) {
        mwa_partial_destroy(analyses[i], reading->partials[i]);
    }
    mw_spool_reader_destroy(reading->reader);
    mwa_live_last_fini(&reading->last);
    free(reading->path);
    free(reading);
}

static void forget_readings(struct mwa_live_detail *detail)
{
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        destroy_reading(detail->readings[i]);
    }
    free(detail->readings);
    detail->readings = NULL;
    detail->reading_count = 0;
}

void mwa_live_detail_destroy(struct mwa_live_detail *detail)
{
    if (!detail) {
        return;
    }
    forget_readings(detail);
    for (uint32_t i = 0; i < detail->rank_count; i++) {
        mwa_live_numbers_fini(&detail->numbers[i]);
    }
    mwa_live_waits_destroy(detail->waits);
    mwa_live_hang_destroy(detail->hang);
    free(detail->numbers);
    free(detail->is_here);
    mwa_live_variables_destroy(detail->variables);
    mwa_live_trace_fini(&detail->trace);
    free(detail);
}

/* --- threads ---------------------------------------------- */

static struct reading *find_reading(const struct mwa_live_detail *detail, uint32_t rank,
                                    uint32_t thread)
{
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        if (detail->readings[i]->rank == rank && detail->readings[i]->thread == thread) {
            return detail->readings[i];
        }
    }
    return NULL;
}

static bool add_parts(struct mwa_live_detail *detail, struct reading *reading)
{
    struct mwa_live_stream *stream = &reading->stream;

    stream->listeners[stream->listener_count++] = mwa_live_hang_listener(detail->hang);
    for (unsigned i = 0; detail->depth >= MWA_LIVE_RESULTS && i < PARTS; i++) {
        reading->partials[i] = mwa_partial_create(analyses[i], &detail->trace.trace);
        if (!reading->partials[i]) {
            return false;
        }
        stream->listeners[stream->listener_count++] =
            (struct mwa_live_listener){.analysis = analyses[i],
                                       .partial = reading->partials[i],
                                       .takes_receives = i == RECEIVED};
    }
    return true;
}

/* A spool that can't be opened (yet) is looked for again; false: no memory. */
static bool add_reading(struct mwa_live_detail *detail, const struct mw_run_spool *spool,
                        uint32_t thread)
{
    char path[PATH_MAX + 32];
    struct mw_spool_reader *reader;
    struct reading *added;

    snprintf(path, sizeof path, "%s/%u.events", spool->path, thread);
    if (mw_spool_reader_create(path, &reader, NULL) != MW_OK) {
        return true;
    }
    added = calloc(1, sizeof *added);
    if (!added || !mw_array_grow((void **)&detail->readings, detail->reading_count,
                                 sizeof *detail->readings)) {
        mw_spool_reader_destroy(reader);
        free(added);
        return false;
    }
    *added = (struct reading){.rank = spool->rank, .thread = thread, .reader = reader};
    added->stream.live = &detail->trace;
    added->stream.numbers = &detail->numbers[spool->rank];
    added->stream.location =
        (struct mwa_location){.name = "", .rank = spool->rank, .master = thread == 0};
    added->stream.resolution = mw_spool_reader_header(reader)->ticks_per_second;
    added->calls = mw_spool_reader_overwritten(reader);
    added->overwritten = added->calls;
    added->stream.waits = detail->waits;
    added->stream.waits_location =
        detail->waits ? mwa_live_waits_location(detail->waits, spool->rank, thread) : MWA_NONE;
    added->path = strdup(spool->path);
    detail->readings[detail->reading_count++] = added;
    detail->is_here[spool->rank] = true;
    return added->path && add_parts(detail, added);
}

/* Whether the spool is whole, since its process has gone, or has taken it away. */
static bool is_over(const struct mwa_live_process *process)
{
    return access(process->spool->path, F_OK) != 0 || !mwa_live_process_lives(process);
}

/* --- waits ---------------------------------------------- */

/* Whether waits can be found of all of live's threads. */
static bool has_locations(const struct mwa_live_detail *detail, const struct mwa_live *live)
{
    for (uint32_t i = 0; i < live->thread_count; i++) {
        const struct mwa_live_thread *thread = &live->threads[i];
        const uint32_t rank = live->processes[thread->process].spool->rank;

        if (rank < detail->rank_count &&
            mwa_live_waits_location(detail->waits, rank, thread->thread) == MWA_NONE) {
            return false;
        }
    }
    return true;
}

/* A thread that was not there before changes the order of what its rank did: all is read anew.
 * False: no memory. */
static bool begin_waits(struct mwa_live_detail *detail, const struct mwa_live *live)
{
    uint32_t *extra;

    if (detail->depth < MWA_LIVE_WAITING || live->thread_count == 0 ||
        (detail->waits && has_locations(detail, live))) {
        return true;
    }
    extra = calloc(detail->rank_count + (size_t)1, sizeof *extra);
    for (uint32_t i = 0; extra && i < live->thread_count; i++) {
        const struct mwa_live_thread *thread = &live->threads[i];
        const uint32_t rank = live->processes[thread->process].spool->rank;

        if (rank < detail->rank_count && thread->thread > extra[rank]) {
            extra[rank] = thread->thread;
        }
    }
    forget_readings(detail);
    mwa_live_hang_destroy(detail->hang);
    detail->hang = mwa_live_hang_create(&detail->trace.trace);
    mwa_live_waits_destroy(detail->waits);
    detail->waits = extra ? mwa_live_waits_create(&detail->trace.trace, extra) : NULL;
    free(extra);
    return detail->waits && detail->hang;
}

/* A message whose other end is not read would be taken for another one's. */
static enum mw_live_no_waits why_no_waits(const struct mwa_live_detail *detail,
                                          const struct mwa_live *live)
{
    enum mw_live_no_waits why =
        live->process_count < live->run->size ? MW_LIVE_NOT_ALL_HERE : MW_LIVE_KNOWN;

    for (uint32_t i = 0; i < live->process_count; i++) {
        why = live->processes[i].is_elsewhere ? MW_LIVE_ON_OTHERS : why;
    }
    for (uint32_t i = 0; i < live->thread_count; i++) {
        why = live->threads[i].moment.lost > 0 ? MW_LIVE_LOST : why;
    }
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        why = detail->readings[i]->overwritten > 0  ? MW_LIVE_OVERWRITTEN
              : detail->readings[i]->is_damaged     ? MW_LIVE_DAMAGED
                                                    : why;
    }
    return detail->was_paused ? MW_LIVE_PAUSED : why;
}

enum mw_live_no_waits mwa_live_detail_unknown(const struct mwa_live_detail *detail)
{
    enum mw_live_no_waits unknown =
        detail->depth == MWA_LIVE_WAITING ? detail->unknown : MW_LIVE_NOT_ASKED;

    for (uint32_t i = 0; detail->told && i < detail->told->host_count; i++) {
        unknown = i == 0 || unknown == MW_LIVE_KNOWN
                      ? (enum mw_live_no_waits)detail->told->hosts[i].unknown
                      : unknown;
    }
    return unknown;
}

const char *mwa_live_detail_no_waits(const struct mwa_live_detail *detail)
{
    static const char *const words[MW_LIVE_NO_WAITS_COUNT] = {
        [MW_LIVE_NOT_ALL_HERE] = "not all ranks are here",
        [MW_LIVE_ON_OTHERS] = "ranks run on other hosts",
        [MW_LIVE_NO_CLOCKS] = "the clocks of hosts were not compared",
        [MW_LIVE_SEEN_TWICE] = "two tell of the same rank",
        [MW_LIVE_LOST] = "calls could not be recorded",
        [MW_LIVE_OVERWRITTEN] = "a ring has lost calls",
        [MW_LIVE_DAMAGED] = "a spool is damaged",
        [MW_LIVE_PAUSED] = "recording was paused",
    };

    return words[mwa_live_detail_unknown(detail)];
}

/* A wait has two ends. */
uint64_t mwa_live_detail_clock_error(const struct mwa_live_detail *detail)
{
    uint64_t most = 0;
    uint64_t second = 0;

    for (uint32_t i = 0; detail->told && i < detail->told->host_count; i++) {
        const uint64_t error = detail->told->hosts[i].clock_error;

        second = error > most ? most : error > second ? error : second;
        most = error > most ? error : most;
    }
    return most + second;
}

uint64_t mwa_live_detail_calls(const struct mwa_live_detail *detail, uint32_t rank,
                               uint32_t thread)
{
    const struct reading *reading = find_reading(detail, rank, thread);

    return reading ? reading->calls : 0;
}

/* Before (is_after false) and after reading. */
static void tell_waits(struct mwa_live_detail *detail, struct mwa_live *live, bool is_after)
{
    for (uint32_t i = 0; detail->waits && i < live->thread_count; i++) {
        struct mwa_live_thread *thread = &live->threads[i];
        const uint32_t rank = live->processes[thread->process].spool->rank;
        const uint32_t location = mwa_live_waits_location(detail->waits, rank, thread->thread);

        if (location == MWA_NONE) {
            continue;
        }
        if (is_after) {
            mwa_live_waits_tell(detail->waits, location, thread);
            thread->has_waits = detail->unknown == MW_LIVE_KNOWN;
        } else {
            mwa_live_waits_look(detail->waits, location, thread);
        }
    }
}

/* --- the survey ---------------------------------------------- */

/* Looks for threads, and at which processes have ended. */
static bool survey(struct mwa_live_detail *detail, const struct mwa_live *live)
{
    bool has_memory = begin_waits(detail, live);

    for (uint32_t i = 0; has_memory && i < live->thread_count; i++) {
        const struct mwa_live_thread *thread = &live->threads[i];
        const struct mwa_live_process *process = &live->processes[thread->process];
        const uint32_t rank = process->spool->rank;
        struct reading *reading;

        if (rank >= detail->rank_count) {
            continue;
        }
        reading = find_reading(detail, rank, thread->thread);
        if (!reading) {
            has_memory = add_reading(detail, process->spool, thread->thread);
            reading = has_memory ? find_reading(detail, rank, thread->thread) : NULL;
        }
        if (reading) {
            reading->is_over = is_over(process);
        }
    }
    return has_memory;
}

/* --- reading ---------------------------------------------- */

static uint64_t own_time(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Whether the call is not told yet: it may change, or another rank tells of it any moment. */
static bool is_left(const struct mwa_live_detail *detail, const struct reading *reading,
                    const struct mw_spool_call *call)
{
    return call->record.type == MW_RECORD_CALL && !reading->is_final &&
           (!mw_spool_reader_has_more(reading->reader) ||
            !mwa_live_trace_knows(&detail->trace, &detail->numbers[reading->rank],
                                  detail->is_here, call));
}

static enum mw_status take_variables(struct mwa_live_detail *detail, const struct reading *reading,
                                     const struct mw_spool_call *call)
{
    return detail->depth < MWA_LIVE_RESULTS ||
                   mwa_live_variables_take(detail->variables, reading->rank,
                                           &detail->numbers[reading->rank], call)
               ? MW_OK
               : MW_ERROR_MEMORY;
}

/* Tells calls up to so many. */
static enum mw_status read_some(struct mwa_live_detail *detail, struct reading *reading)
{
    struct mw_spool_call call;
    enum mw_status status = MW_OK;

    for (unsigned i = 0; status == MW_OK && i < CALLS_A_TURN; i++) {
        status = mw_spool_reader_next(reading->reader, &call, NULL);
        if (status != MW_OK) {
            break;
        }
        if (is_left(detail, reading, &call)) {
            status = mwa_live_last_note(&reading->last, &call, true) ? MW_END : MW_ERROR_MEMORY;
            break;
        }
        detail->was_paused |= call.record.type == MW_RECORD_PAUSE;
        status = take_variables(detail, reading, &call);
        status = status == MW_OK ? mwa_live_events(&reading->stream, &call) : status;
        if (call.record.type == MW_RECORD_CALL &&
            !mwa_live_last_note(&reading->last, &call, false)) {
            status = MW_ERROR_MEMORY;
        }
        reading->calls += call.record.type == MW_RECORD_CALL ? call.record.repeat : 0;
    }
    reading->is_through = status != MW_OK;
    reading->has_more = !reading->is_through;
    reading->is_damaged = status == MW_ERROR_FORMAT || status == MW_ERROR_SYSTEM;
    reading->is_done |= reading->is_through && reading->is_final;
    return status == MW_ERROR_MEMORY ? status : MW_OK;
}

/* Looks at what was written since, if all of what there was has been told. */
static enum mw_status look_again(struct reading *reading)
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

/* Events first and definitions then: what events speak of has been defined before them. */
static enum mw_status look_at_all(struct mwa_live_detail *detail)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; status != MW_ERROR_MEMORY && i < detail->reading_count; i++) {
        status = detail->readings[i]->is_done ? MW_OK : look_again(detail->readings[i]);
    }
    for (uint32_t i = 0; status != MW_ERROR_MEMORY && i < detail->reading_count; i++) {
        const struct reading *reading = detail->readings[i];

        status = reading->thread > 0 ||
                         mwa_live_trace_read(&detail->trace, &detail->numbers[reading->rank],
                                             reading->path)
                     ? MW_OK
                     : MW_ERROR_MEMORY;
    }
    return status == MW_ERROR_MEMORY ? status : MW_OK;
}

/* Who is furthest behind of those that have more, so that all come about as far; null: nobody. */
static struct reading *next_reading(const struct mwa_live_detail *detail)
{
    struct reading *next = NULL;

    for (uint32_t i = 0; i < detail->reading_count; i++) {
        struct reading *reading = detail->readings[i];

        if (!reading->is_done && !reading->is_through &&
            (!next || reading->stream.last < next->stream.last)) {
            next = reading;
        }
    }
    return next;
}

static enum mw_status read_all(struct mwa_live_detail *detail, uint64_t until)
{
    enum mw_status status = look_at_all(detail);

    for (uint32_t i = 0; i < detail->reading_count; i++) {
        detail->readings[i]->is_through = false;
    }
    if (detail->waits) {
        mwa_live_waits_refresh(detail->waits, &detail->trace.trace);
    }
    while (status == MW_OK && own_time() < until) {
        struct reading *reading = next_reading(detail);

        if (!reading) {
            break;
        }
        status = read_some(detail, reading);
    }
    return status;
}

/* Whether a process has ended since its spool was looked at last. */
static bool is_more_to_come(const struct mwa_live_detail *detail)
{
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        if (detail->readings[i]->is_over && !detail->readings[i]->is_done) {
            return true;
        }
    }
    return false;
}

enum mw_status mwa_live_detail_read(struct mwa_live_detail *detail, struct mwa_live *live,
                                    uint64_t ns, struct mw_diagnostic *diagnostic)
{
    const uint64_t until = ns > 0 ? own_time() + ns : UINT64_MAX;
    enum mw_status status =
        detail->told || survey(detail, live) ? MW_OK : MW_ERROR_MEMORY;

    if (detail->told) {
        return MW_OK;
    }
    tell_waits(detail, live, false);
    do {
        status = status == MW_OK ? read_all(detail, until) : status;
    } while (status == MW_OK && own_time() < until && is_more_to_come(detail));
    if (status == MW_OK && detail->waits) {
        status = mwa_live_waits_round(detail->waits, !mwa_live_is_running(live) &&
                                                         mwa_live_detail_is_done(detail));
    }
    detail->unknown = why_no_waits(detail, live);
    tell_waits(detail, live, true);
    return status == MW_OK ? MW_OK : mw_no_memory(diagnostic, NULL, "to read what the run does");
}

bool mwa_live_detail_look(struct mwa_live_detail *detail)
{
    return mwa_live_variables_look(detail->told ? detail->told->variables : detail->variables);
}

bool mwa_live_detail_is_done(const struct mwa_live_detail *detail)
{
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        if (!detail->readings[i]->is_done) {
            return false;
        }
    }
    for (uint32_t i = 0; detail->told && i < detail->told->thread_count; i++) {
        const struct mwa_live_thread *thread = &detail->told->threads[i];
        const uint32_t teller = detail->told->processes[thread->process].teller;

        if (!thread->is_final && !detail->told->hosts[teller].is_over &&
            !detail->told->hosts[teller].is_silent) {
            return false;
        }
    }
    return true;
}

/* --- what it comes to ---------------------------------------------- */

static enum mw_status merge_all(const struct mwa_live_detail *detail, enum part part, void *result)
{
    void *total = mwa_partial_create(analyses[part], &detail->trace.trace);
    enum mw_status status = total ? MW_OK : MW_ERROR_MEMORY;

    for (uint32_t i = 0; status == MW_OK && i < detail->reading_count; i++) {
        status = analyses[part]->merge(total, detail->readings[i]->partials[part]);
    }
    if (status == MW_OK) {
        status = analyses[part]->finish(total, result);
    }
    mwa_partial_destroy(analyses[part], total);
    return status;
}

enum mw_status mwa_live_detail_states(const struct mwa_live_detail *detail,
                                      struct mwa_hang_states *states, uint64_t *begin,
                                      uint64_t *lost)
{
    struct mwa_live_hang_thread *threads =
        calloc(detail->reading_count + (size_t)1, sizeof *threads);
    enum mw_status status;

    *begin = 0;
    *states = (struct mwa_hang_states){.rank_count = 0};
    for (uint32_t i = 0; threads && i < detail->reading_count; i++) {
        const struct reading *reading = detail->readings[i];
        const uint64_t own = reading->stream.begin;

        threads[i] = (struct mwa_live_hang_thread){&reading->stream, &reading->last};
        lost[reading->rank] += reading->overwritten + reading->is_damaged;
        *begin = own > 0 && (*begin == 0 || own < *begin) ? own : *begin;
    }
    status = threads ? mwa_live_hang_find(detail->hang, threads, detail->reading_count, states)
                     : MW_ERROR_MEMORY;
    free(threads);
    return status;
}

double mwa_live_detail_share(const struct mwa_live_detail *detail, const struct mwa_live *live)
{
    uint64_t made = 0;
    uint64_t read = 0;

    for (uint32_t i = 0; i < live->thread_count; i++) {
        made += live->threads[i].moment.counts.calls;
        read += detail->told ? live->threads[i].read : 0;
    }
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        read += detail->readings[i]->calls;
    }
    return made > read + live->thread_count ? (double)read / (double)made : 1;
}

enum mw_status mwa_live_detail_find(const struct mwa_live_detail *detail,
                                    const struct mwa_live *live, struct mwa_live_found *found,
                                    struct mw_diagnostic *diagnostic)
{
    memset(found, 0, sizeof *found);
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        found->overwritten += detail->readings[i]->overwritten;
        found->damaged += detail->readings[i]->is_damaged;
    }
    found->share = mwa_live_detail_share(detail, live);
    found->is_told = detail->told != NULL;
    return merge_all(detail, PROFILE, &found->profile) == MW_OK &&
                   merge_all(detail, SENT, &found->sent) == MW_OK &&
                   merge_all(detail, RECEIVED, &found->received) == MW_OK &&
                   merge_all(detail, COMMS, &found->comms) == MW_OK
               ? MW_OK
               : mw_no_memory(diagnostic, NULL, "to tell what the run does");
}

void mwa_live_found_fini(struct mwa_live_found *found)
{
    mwa_profile_fini(&found->profile);
    mwa_traffic_fini(&found->sent);
    mwa_traffic_fini(&found->received);
    mwa_comms_fini(&found->comms);
}

const struct mwa_live_trace *mwa_live_detail_trace(const struct mwa_live_detail *detail)
{
    return &detail->trace;
}

const struct mwa_live_variables *mwa_live_detail_variables(const struct mwa_live_detail *detail)
{
    return detail->told ? detail->told->variables : detail->variables;
}
