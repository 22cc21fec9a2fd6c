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

#define CALLS_A_TURN 4096u /* of a thread, between two looks at the clock */

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
    void *partials[PARTS];
    uint64_t calls; /* told so far */
    uint64_t overwritten;
    bool has_more;  /* it was left before its end at the last look */
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
    uint32_t next; /* whose turn it is */
    struct mwa_live_variables *variables;
};

struct mwa_live_detail *mwa_live_detail_create(const struct mwa_live *live)
{
    struct mwa_live_detail *detail = calloc(1, sizeof *detail);

    if (!detail) {
        return NULL;
    }
    detail->numbers = calloc(live->run->size + (size_t)1, sizeof *detail->numbers);
    detail->is_here = calloc(live->run->size + (size_t)1, sizeof *detail->is_here);
    detail->rank_count = detail->numbers && detail->is_here ? live->run->size : 0;
    detail->variables = mwa_live_variables_create();
    if (!mwa_live_trace_init(&detail->trace, live->run->size) || !detail->numbers ||
        !detail->is_here || !detail->variables) {
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
    free(reading->path);
    free(reading);
}

void mwa_live_detail_destroy(struct mwa_live_detail *detail)
{
    if (!detail) {
        return;
    }
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        destroy_reading(detail->readings[i]);
    }
    for (uint32_t i = 0; i < detail->rank_count; i++) {
        mwa_live_numbers_fini(&detail->numbers[i]);
    }
    free(detail->readings);
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

    for (unsigned i = 0; i < PARTS; i++) {
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

/* Looks for threads, and at which processes have ended. */
static bool survey(struct mwa_live_detail *detail, const struct mwa_live *live)
{
    bool has_memory = true;

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

/* Tells calls up to so many; *is_through: there are no more for now. */
static enum mw_status read_some(struct mwa_live_detail *detail, struct reading *reading,
                                bool *is_through)
{
    struct mw_spool_call call;
    enum mw_status status = MW_OK;

    *is_through = false;
    for (unsigned i = 0; status == MW_OK && i < CALLS_A_TURN; i++) {
        status = mw_spool_reader_next(reading->reader, &call, NULL);
        if (status != MW_OK) {
            break;
        }
        if (call.record.type == MW_RECORD_CALL && !reading->is_final &&
            (!mw_spool_reader_has_more(reading->reader) ||
             !mwa_live_trace_knows(&detail->trace, &detail->numbers[reading->rank],
                                   detail->is_here, &call))) {
            status = MW_END; /* it may change, or another rank tells of it any moment */
            break;
        }
        status = mwa_live_variables_take(detail->variables, reading->rank,
                                         &detail->numbers[reading->rank], &call)
                     ? mwa_live_events(&reading->stream, &call)
                     : MW_ERROR_MEMORY;
        reading->calls += call.record.type == MW_RECORD_CALL ? call.record.repeat : 0;
    }
    *is_through = status != MW_OK;
    reading->is_damaged = status == MW_ERROR_FORMAT || status == MW_ERROR_SYSTEM;
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

/* Goes on where the thread's spool was left, to the end of what look_again found. */
static enum mw_status read_reading(struct mwa_live_detail *detail, struct reading *reading,
                                   uint64_t until)
{
    enum mw_status status = MW_OK;
    bool is_through = false;

    while (status == MW_OK && !reading->is_done && !is_through && own_time() < until) {
        status = read_some(detail, reading, &is_through);
        reading->has_more = !is_through;
        reading->is_done |= is_through && reading->is_final;
    }
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

static enum mw_status read_all(struct mwa_live_detail *detail, uint64_t until)
{
    enum mw_status status = look_at_all(detail);

    for (uint32_t i = 0; status == MW_OK && i < detail->reading_count && own_time() < until; i++) {
        status = read_reading(detail, detail->readings[detail->next % detail->reading_count],
                              until);
        detail->next += own_time() < until; /* who was cut short goes first next time */
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

enum mw_status mwa_live_detail_read(struct mwa_live_detail *detail, const struct mwa_live *live,
                                    uint64_t ns, struct mw_diagnostic *diagnostic)
{
    const uint64_t until = ns > 0 ? own_time() + ns : UINT64_MAX;
    enum mw_status status = survey(detail, live) ? MW_OK : MW_ERROR_MEMORY;

    do {
        status = status == MW_OK ? read_all(detail, until) : status;
    } while (status == MW_OK && own_time() < until && is_more_to_come(detail));
    return status == MW_OK ? MW_OK : mw_no_memory(diagnostic, NULL, "to read what the run does");
}

bool mwa_live_detail_look(struct mwa_live_detail *detail)
{
    return mwa_live_variables_look(detail->variables);
}

bool mwa_live_detail_is_done(const struct mwa_live_detail *detail)
{
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        if (!detail->readings[i]->is_done) {
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

enum mw_status mwa_live_detail_find(const struct mwa_live_detail *detail,
                                    const struct mwa_live *live, struct mwa_live_found *found,
                                    struct mw_diagnostic *diagnostic)
{
    uint64_t made = 0;
    uint64_t read = 0;

    memset(found, 0, sizeof *found);
    for (uint32_t i = 0; i < live->thread_count; i++) {
        made += live->threads[i].moment.counts.calls;
    }
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        read += detail->readings[i]->calls;
        found->overwritten += detail->readings[i]->overwritten;
        found->damaged += detail->readings[i]->is_damaged;
    }
    found->share = made > read ? (double)read / (double)made : 1;
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
    return detail->variables;
}
