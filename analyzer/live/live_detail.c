/* What there is to be read is read by turns, so that all threads come about as far. */
#include "analyzer/live/live_detail.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/live/live_detail_state.h"
#include "analyzer/live/live_hear.h"
#include "formats/base/array.h"

/* False: no memory. */
static bool begin_hang(struct mwa_live_detail *detail)
{
    if (detail->depth != MWA_LIVE_OUTSTANDING) {
        return true;
    }
    mwa_live_hang_destroy(detail->hang);
    detail->hang = mwa_live_hang_create(&detail->trace.trace);
    return detail->hang != NULL;
}

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
        !detail->is_here || !detail->variables || !begin_hang(detail)) {
        mwa_live_detail_destroy(detail);
        return NULL;
    }
    return detail;
}

static void forget_readings(struct mwa_live_detail *detail)
{
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        mwa_live_reading_destroy(detail->readings[i]);
    }
    free(detail->readings);
    detail->readings = NULL;
    detail->reading_count = 0;
}

/* All is to be read anew. False: no memory. */
static bool begin_anew(struct mwa_live_detail *detail)
{
    forget_readings(detail);
    return begin_hang(detail);
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
    mwa_live_meeting_fini(&detail->meeting);
    free(detail->numbers);
    free(detail->is_here);
    mwa_live_variables_destroy(detail->variables);
    mwa_live_trace_fini(&detail->trace);
    free(detail);
}

/* --- threads ---------------------------------------------- */

static struct mwa_live_reading *find_reading(const struct mwa_live_detail *detail, uint32_t rank,
                                    uint32_t thread)
{
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        if (detail->readings[i]->rank == rank && detail->readings[i]->thread == thread) {
            return detail->readings[i];
        }
    }
    return NULL;
}

/* A spool that can't be opened (yet) is looked for again; false: no memory. */
static bool add_reading(struct mwa_live_detail *detail, const struct mw_run_spool *spool,
                        uint32_t thread)
{
    struct mwa_live_reading *added;

    if (!mw_array_grow((void **)&detail->readings, detail->reading_count,
                       sizeof *detail->readings) ||
        !mwa_live_reading_create(spool, thread, &detail->trace, &detail->numbers[spool->rank],
                                 detail->hang, detail->depth >= MWA_LIVE_RESULTS, &added)) {
        return false;
    }
    if (added) {
        mwa_live_reading_wait(added, detail->waits);
        detail->readings[detail->reading_count++] = added;
        detail->is_here[spool->rank] = true;
    }
    return true;
}

/* Whether the spool is whole, since its process has gone, or has taken it away. */
static bool is_over(const struct mwa_live_process *process)
{
    return access(process->spool->path, F_OK) != 0 || !mwa_live_process_lives(process);
}

/* --- waits across hosts ---------------------------------------------- */

void mwa_live_detail_meet(struct mwa_live_detail *detail, struct mwa_live_peers *peers)
{
    detail->meeting.peers = detail->depth == MWA_LIVE_WAITING ? peers : NULL;
}

bool mwa_live_detail_hear(void *context, uint32_t from, const struct mw_cursor *records)
{
    struct mwa_live_detail *detail = context;

    return mwa_live_meeting_hear(&detail->meeting, from, records);
}

/* Begins to tell anew, if that is due. False: no memory. */
static bool begin_across(struct mwa_live_detail *detail)
{
    if (mwa_live_meeting_goes_on(&detail->meeting)) {
        return true;
    }
    mwa_live_waits_destroy(detail->waits);
    detail->waits = NULL;
    return begin_anew(detail) &&
           mwa_live_meeting_begin(&detail->meeting, &detail->trace, detail->rank_count);
}

/* What was begun without waits is read anew; what was not is kept, as its file may be gone. False:
 * no memory. */
static bool attach_waits(struct mwa_live_detail *detail)
{
    bool has_begun = false;

    for (uint32_t i = 0; i < detail->reading_count; i++) {
        has_begun |= detail->readings[i]->calls > detail->readings[i]->overwritten;
    }
    if (has_begun) {
        return begin_anew(detail);
    }
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        mwa_live_reading_wait(detail->readings[i], detail->waits);
    }
    return true;
}

/* Whether a spool here was gone before it could be read. */
static bool lacks_readings(const struct mwa_live_detail *detail, const struct mwa_live *live)
{
    bool lacks = false;

    for (uint32_t i = 0; i < live->thread_count; i++) {
        const struct mwa_live_process *process = &live->processes[live->threads[i].process];

        lacks |= !process->is_elsewhere &&
                 !find_reading(detail, process->spool->rank, live->threads[i].thread);
    }
    return lacks;
}

static bool begin_waits_across(struct mwa_live_detail *detail, const struct mwa_live *live)
{
    struct mwa_live_meeting *meeting = &detail->meeting;
    uint32_t *extra;
    bool has_memory = begin_across(detail);

    if (has_memory) {
        mwa_live_meeting_tell_ranks(meeting, live, detail->waits != NULL);
        has_memory = begin_across(detail) &&
                     mwa_live_meeting_clock(meeting, live, detail->numbers, detail->waits);
    }
    for (uint32_t i = 0; has_memory && i < detail->rank_count; i++) {
        detail->is_here[i] = mwa_live_across_has(meeting->across, i);
    }
    if (!has_memory || detail->waits || !mwa_live_meeting_is_ready(meeting)) {
        return has_memory;
    }
    extra = mwa_live_meeting_extra(meeting);
    detail->waits = extra ? mwa_live_waits_create(&detail->trace.trace, extra) : NULL;
    free(extra);
    if (!detail->waits || !attach_waits(detail)) {
        return false;
    }
    mwa_live_waits_share(detail->waits, meeting->across);
    mwa_live_across_to(meeting->across, detail->waits);
    return mwa_live_meeting_clock(meeting, live, detail->numbers, detail->waits);
}

/* Whether there is something to wait for before calls are read. */
static bool is_held(const struct mwa_live_detail *detail)
{
    return detail->meeting.peers && mwa_live_meeting_holds(&detail->meeting, detail->waits != NULL);
}

/* Whether all processes that are read have ended, and what they wrote has been read. */
static bool is_read(const struct mwa_live_detail *detail)
{
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        if (!detail->readings[i]->is_done) {
            return false;
        }
    }
    return true;
}

/* What has been read is told; then whether all has been. */
static enum mw_status end_round(struct mwa_live_detail *detail, const struct mwa_live *live)
{
    const bool is_over = !mwa_live_is_running(live) && is_read(detail);
    const bool has_others = detail->meeting.across && detail->waits;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; has_others && i < detail->reading_count; i++) {
        const struct mwa_live_reading *reading = detail->readings[i];

        mwa_live_waits_tell_through(detail->waits, reading->stream.waits_location, reading->thread,
                                    reading->stream.last);
    }
    if (has_others && is_over) {
        mwa_live_across_over(detail->meeting.across);
    }
    if (detail->waits) {
        status = mwa_live_waits_round(
            detail->waits,
            is_over && (!has_others || mwa_live_across_is_over(detail->meeting.across)));
    }
    return status;
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

    if (detail->meeting.peers) {
        return begin_waits_across(detail, live);
    }
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
    mwa_live_waits_destroy(detail->waits);
    detail->waits = extra ? mwa_live_waits_create(&detail->trace.trace, extra) : NULL;
    free(extra);
    return begin_anew(detail) && detail->waits;
}

/* A message whose other end is not read would be taken for another one's. */
static enum mw_live_no_waits why_no_waits(const struct mwa_live_detail *detail,
                                          const struct mwa_live *live)
{
    enum mw_live_no_waits why =
        live->process_count < live->run->size ? MW_LIVE_NOT_ALL_HERE : MW_LIVE_KNOWN;

    if (detail->meeting.across) {
        why = lacks_readings(detail, live)                ? MW_LIVE_NOT_ALL_HERE
              : detail->waits                             ? MW_LIVE_KNOWN
              : mwa_live_across_has_all(detail->meeting.across) ? MW_LIVE_NO_CLOCKS
                                                          : MW_LIVE_NOT_ALL_HERE;
    }
    for (uint32_t i = 0; !detail->meeting.across && i < live->process_count; i++) {
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

/* Why it is not known how much ranks wait, here or on other hosts, which are told. */
static enum mw_live_no_waits find_unknown(struct mwa_live_detail *detail,
                                          const struct mwa_live *live)
{
    const enum mw_live_no_waits why = why_no_waits(detail, live);

    if (!detail->meeting.across) {
        return why;
    }
    mwa_live_across_tell(detail->meeting.across, why >= MW_LIVE_LOST ? why : MW_LIVE_KNOWN,
                         detail->meeting.clock_error);
    return why != MW_LIVE_KNOWN ? why : mwa_live_across_unknown(detail->meeting.across);
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
    return mwa_live_no_waits_words(mwa_live_detail_unknown(detail));
}

uint64_t mwa_live_detail_clock_error(const struct mwa_live_detail *detail)
{
    return detail->told ? mwa_live_hear_clock_error(detail->told) : detail->meeting.clock_error;
}

uint64_t mwa_live_detail_calls(const struct mwa_live_detail *detail, uint32_t rank,
                               uint32_t thread)
{
    const struct mwa_live_reading *reading = find_reading(detail, rank, thread);

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
        struct mwa_live_reading *reading;

        if (rank >= detail->rank_count || (detail->meeting.peers && process->is_elsewhere)) {
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

/* Events first and definitions then: what events speak of has been defined before them. */
static enum mw_status look_at_all(struct mwa_live_detail *detail)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; status != MW_ERROR_MEMORY && i < detail->reading_count; i++) {
        status = detail->readings[i]->is_done ? MW_OK : mwa_live_reading_again(detail->readings[i]);
    }
    for (uint32_t i = 0; status != MW_ERROR_MEMORY && i < detail->reading_count; i++) {
        const struct mwa_live_reading *reading = detail->readings[i];

        status = reading->thread > 0 ||
                         mwa_live_trace_read(&detail->trace, &detail->numbers[reading->rank],
                                             reading->path)
                     ? MW_OK
                     : MW_ERROR_MEMORY;
    }
    return status == MW_ERROR_MEMORY ? status : MW_OK;
}

/* Who is furthest behind of those that have more, so that all come about as far; null: nobody. */
static struct mwa_live_reading *next_reading(const struct mwa_live_detail *detail)
{
    struct mwa_live_reading *next = NULL;

    for (uint32_t i = 0; i < detail->reading_count; i++) {
        struct mwa_live_reading *reading = detail->readings[i];

        if (!reading->is_done && !reading->is_through &&
            (!next || reading->stream.last < next->stream.last)) {
            next = reading;
        }
    }
    return next;
}

static enum mw_status read_all(struct mwa_live_detail *detail, uint64_t until)
{
    const struct mwa_live_ground ground = {.live = &detail->trace,
                                           .is_here = detail->is_here,
                                           .variables = detail->depth >= MWA_LIVE_RESULTS
                                                            ? detail->variables
                                                            : NULL,
                                           .has_others = detail->waits && detail->meeting.across};
    enum mw_status status = look_at_all(detail);

    for (uint32_t i = 0; i < detail->reading_count; i++) {
        detail->readings[i]->is_through = false;
    }
    if (detail->waits) {
        mwa_live_waits_refresh(detail->waits, &detail->trace.trace);
    }
    if (detail->waits && detail->meeting.across) {
        mwa_live_across_groups(detail->meeting.across);
    }
    while (status == MW_OK && own_time() < until && !is_held(detail)) {
        struct mwa_live_reading *reading = next_reading(detail);

        if (!reading) {
            break;
        }
        status = mwa_live_reading_go_on(reading, &ground);
        detail->was_paused |= reading->was_paused;
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
    } while (status == MW_OK && own_time() < until && !detail->meeting.peers &&
             is_more_to_come(detail));
    status = status == MW_OK ? end_round(detail, live) : status;
    detail->unknown = find_unknown(detail, live);
    tell_waits(detail, live, true);
    return status == MW_OK ? MW_OK : mw_no_memory(diagnostic, NULL, "to read what the run does");
}

bool mwa_live_detail_look(struct mwa_live_detail *detail)
{
    return mwa_live_variables_look(detail->told ? detail->told->variables : detail->variables);
}

bool mwa_live_detail_is_done(const struct mwa_live_detail *detail)
{
    if (!is_read(detail) ||
        (detail->meeting.across && detail->waits && !mwa_live_waits_are_over(detail->waits))) {
        return false;
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
