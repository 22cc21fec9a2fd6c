/* The graph and its sentences are those of archives: this gives them the names, the lines and the
 * losses that an archive would have. */
#include "analyzer/live/live_reason.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/model/places.h"
#include "formats/spool/tallies.h"

#define NAME_BYTES 512u

/* --- communicators ---------------------------------------------- */

static bool name_comms(struct mwa_live_reason *reason, const struct mwa_live_trace *live)
{
    const uint64_t count = live->trace.comm_count;
    char text[NAME_BYTES];
    size_t size = 0;
    size_t used = 0;

    reason->comms = calloc(count + 1, sizeof *reason->comms);
    for (uint64_t i = 0; i < count; i++) {
        size += strlen(mwa_live_trace_comm_name(live, (uint32_t)i, text, sizeof text)) + 1;
    }
    reason->names = malloc(size + 1);
    if (!reason->comms || !reason->names) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        const size_t length =
            strlen(mwa_live_trace_comm_name(live, (uint32_t)i, text, sizeof text)) + 1;

        reason->comms[i] = live->trace.comms[i];
        reason->comms[i].name = memcpy(reason->names + used, text, length);
        used += length;
    }
    reason->trace.comms = reason->comms;
    return true;
}

/* --- places ---------------------------------------------- */

/* The process of a rank; null: it is not here. */
static const struct mwa_live_process *process_of(const struct mwa_live *live, uint32_t rank)
{
    for (uint32_t i = 0; i < live->process_count; i++) {
        if (live->processes[i].spool->rank == rank) {
            return &live->processes[i];
        }
    }
    return NULL;
}

/* The processes by rank, the caller's to free; null: no memory. */
static const struct mwa_live_process **by_rank(const struct mwa_live *live, uint64_t ranks)
{
    const struct mwa_live_process **processes = calloc(ranks + 1, sizeof *processes);

    for (uint64_t i = 0; processes && i < ranks; i++) {
        processes[i] = i < live->process_count && live->processes[i].spool->rank == i
                           ? &live->processes[i]
                           : process_of(live, (uint32_t)i);
    }
    return processes;
}

/* Turns a code of the process's records into a new site of the trace. */
static void place(struct mwa_live_reason *reason, const struct mwa_live *live,
                  const struct mwa_live_process *process, uint32_t *code)
{
    struct mwa_trace *trace = &reason->trace;
    struct mwa_site *site = &reason->sites[trace->site_count];
    const unsigned call = process && *code != MWA_NONE ? mwa_live_process_call(process, *code)
                                                       : (unsigned)MW_CALL_COUNT;

    if (call >= MW_CALL_COUNT) {
        *code = MWA_NONE;
        return;
    }
    *site = (struct mwa_site){.region = call};
    mwa_live_place_of(live, process, *code, site);
    site->id = site->place = *code = (uint32_t)trace->site_count++;
}

static bool find_places(struct mwa_live_reason *reason, struct mwa_live_watch *watch)
{
    struct mwa_hang_states *states = &reason->results.hang_states;
    const struct mwa_live_process **processes = by_rank(watch->live, states->rank_count);

    reason->sites = calloc(states->rank_count + states->request_count + 1, sizeof *reason->sites);
    if (!processes || !reason->sites) {
        free(processes);
        return false;
    }
    for (uint64_t i = 0; i < states->rank_count; i++) {
        if (processes[i]) {
            mwa_live_lines_want(watch->lines, watch->live, processes[i], states->ranks[i].site);
        }
    }
    for (uint64_t i = 0; i < states->request_count; i++) {
        const struct mwa_hang_request *request = &states->requests[i];

        if (mwa_hang_is_there(request) && request->is_awaited && processes[request->rank]) {
            mwa_live_lines_want(watch->lines, watch->live, processes[request->rank],
                                request->site);
        }
    }
    mwa_live_lines_look(watch->lines, watch->live, true);
    reason->frames = mwa_live_frames(watch->live);
    reason->trace.frames = reason->frames;
    reason->trace.frame_count = reason->frames ? watch->live->sites->frame_count : 0;
    reason->trace.sites = reason->sites;
    reason->trace.site_count = 0;
    for (uint64_t i = 0; i < states->rank_count; i++) {
        place(reason, watch->live, processes[i], &states->ranks[i].site);
    }
    for (uint64_t i = 0; i < states->request_count; i++) {
        struct mwa_hang_request *request = &states->requests[i];

        place(reason, watch->live, processes[request->rank], &request->site);
    }
    free(processes);
    return reason->frames && mwa_trace_find_places(&reason->trace);
}

/* --- what is missing ---------------------------------------------- */

/* Whether calls of the thread were left out, as the user wished. */
static bool is_filtered(const struct mwa_live *live, const struct mwa_live_thread *thread)
{
    struct mw_buffer tallies = {0};
    char path[PATH_MAX + 32];
    bool is_any;

    snprintf(path, sizeof path, "%s/%u.filtered", live->processes[thread->process].spool->path,
             thread->thread);
    is_any = mw_tallies_read(path, live->run->nonce, &tallies, NULL) != MW_OK || tallies.bytes > 0;
    mw_buffer_fini(&tallies);
    return is_any;
}

static void take_threads(struct mwa_live_reason *reason, const struct mwa_live *live,
                         uint64_t *first)
{
    for (uint32_t i = 0; i < live->thread_count; i++) {
        const struct mwa_live_thread *thread = &live->threads[i];
        const uint32_t rank = live->processes[thread->process].spool->rank;

        reason->trace.filtered_count |= is_filtered(live, thread);
        *first = thread->first > 0 && (*first == 0 || thread->first < *first) ? thread->first
                                                                              : *first;
        if (rank < reason->trace.rank_count) {
            reason->ranks[rank].lost += thread->moment.lost;
        }
    }
}

static enum mw_status take_losses(struct mwa_live_reason *reason,
                                  const struct mwa_live_detail *detail,
                                  const struct mwa_live *live)
{
    const uint64_t count = reason->trace.rank_count;
    uint64_t *lost = calloc(count + 1, sizeof *lost);
    uint64_t begin = 0;
    uint64_t first = 0;
    enum mw_status status = MW_ERROR_MEMORY;

    reason->ranks = calloc(count + 1, sizeof *reason->ranks);
    if (lost && reason->ranks) {
        status = mwa_live_detail_states(detail, &reason->results.hang_states, &begin, lost);
        memcpy(reason->ranks, reason->trace.ranks, count * sizeof *reason->ranks);
        for (uint64_t i = 0; i < count; i++) {
            reason->ranks[i].lost = lost[i];
        }
        take_threads(reason, live, &first);
        reason->trace.ranks = reason->ranks;
        reason->trace.run_offset = begin > 0 ? begin : first;
    }
    free(lost);
    return status;
}

/* Whether the run goes on, as far as is known; and which ranks have ended: those without a word are
 * told if it does, or else all are. */
static bool take_ends(struct mwa_live_reason *reason, const struct mwa_live *live)
{
    bool goes_on = false;

    for (uint32_t i = 0; i < live->process_count; i++) {
        goes_on |= live->processes[i].state == MW_RUN_RUNNING || live->processes[i].is_elsewhere;
    }
    for (uint32_t i = 0; i < live->process_count; i++) {
        const struct mwa_live_process *process = &live->processes[i];
        const uint32_t rank = process->spool->rank;

        if (rank >= reason->trace.rank_count) {
            continue;
        }
        if (process->state == MW_RUN_EXITED) {
            reason->ranks[rank].end = MWA_END_EXIT;
            reason->ranks[rank].end_code = process->code;
        } else if (process->state == MW_RUN_SILENT && !process->is_elsewhere && goes_on) {
            reason->ranks[rank].end = MWA_END_GONE;
        }
    }
    return goes_on;
}

/* --- all of it ---------------------------------------------- */

/* ns since 1970 when the clock of the spools' times was 0. */
static uint64_t time_of_zero(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec - mwa_live_time();
}

enum mw_status mwa_live_reason_find(struct mwa_live_watch *watch, struct mwa_live_reason *reason,
                                    struct mw_diagnostic *diagnostic)
{
    const struct mwa_live_detail *detail;
    const struct mwa_live_trace *live;
    enum mw_status status;

    *reason = (struct mwa_live_reason){.sites = NULL};
    status = mwa_live_watch_ask(watch, &detail, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    live = mwa_live_detail_trace(detail);
    reason->trace = live->trace;
    reason->trace.realtime = time_of_zero();
    reason->results.trace = &reason->trace;
    reason->results.rank = MWA_NONE;
    status = take_losses(reason, detail, watch->live);
    reason->results.goes_on = status == MW_OK && take_ends(reason, watch->live);
    if (status == MW_OK && !(name_comms(reason, live) && find_places(reason, watch))) {
        status = MW_ERROR_MEMORY;
    }
    if (status == MW_OK) {
        status = mwa_hang_make(&reason->trace, &reason->results.hang_states,
                               reason->results.goes_on, &reason->results.hang);
    }
    return status == MW_OK ? MW_OK : mw_no_memory(diagnostic, NULL, "to explain the run");
}

void mwa_live_reason_fini(struct mwa_live_reason *reason)
{
    mwa_hang_fini(&reason->results.hang);
    mwa_hang_states_fini(&reason->results.hang_states);
    free(reason->sites);
    free(reason->frames);
    free(reason->comms);
    free(reason->names);
    free(reason->ranks);
}
