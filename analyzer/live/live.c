/*
 * Processes that start late are looked for until all ranks are there, threads at each look. Counts
 * of a thread are those that its recorder keeps, so that a look costs the same whatever the run
 * did meanwhile.
 */
#include "analyzer/live/live.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/array.h"
#include "formats/spool/spool_reader.h"

#define SECOND 1000000000u
#define GONE_AFTER (120 * (uint64_t)SECOND) /* without a word of a host */
#define NEARLY(ns) ((ns) - (ns) / 20) /* a second's sleep is not one to the ns */

uint64_t mwa_live_time(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* --- which run ---------------------------------------------- */

static const char *spool_parent(void)
{
    const char *spool = getenv("MPIWATCH_SPOOL");
    const char *temporary = getenv("TMPDIR");

    return spool && *spool ? spool : temporary && *temporary ? temporary : "/tmp";
}

uint64_t mwa_live_started(const struct mw_run *run)
{
    uint64_t latest = 0;

    for (uint32_t i = 0; i < run->spool_count; i++) {
        const struct mw_run_spool *spool = &run->spools[i];

        latest = spool->state == MW_RUN_RUNNING && spool->started > latest ? spool->started
                                                                           : latest;
    }
    return latest;
}

/* The newest run that runs; null: none does. */
static const struct mw_run *newest(const struct mw_runs *runs, uint32_t *running)
{
    const struct mw_run *found = NULL;

    *running = 0;
    for (uint32_t i = 0; i < runs->count; i++) {
        const struct mw_run *run = &runs->runs[i];

        *running += mwa_live_started(run) > 0;
        if (mwa_live_started(run) > (found ? mwa_live_started(found) : 0)) {
            found = run;
        }
    }
    return found;
}

uint32_t *mwa_live_running(const struct mwa_live *live, uint32_t *count)
{
    uint32_t *found = calloc(live->runs.count + (size_t)1, sizeof *found);

    *count = 0;
    for (uint32_t i = 0; found && i < live->runs.count; i++) {
        const uint64_t began = mwa_live_started(&live->runs.runs[i]);
        uint32_t at = *count;

        if (began == 0) {
            continue;
        }
        while (at > 0 && mwa_live_started(&live->runs.runs[found[at - 1]]) < began) {
            found[at] = found[at - 1];
            at--;
        }
        found[at] = i;
        ++*count;
    }
    return found;
}

static enum mw_status nothing(const struct mw_runs *runs, const char *what,
                              struct mw_diagnostic *diagnostic)
{
    if (runs->refusal_count > 0) {
        *diagnostic = runs->refusals[0].why;
        return diagnostic->status != MW_OK ? diagnostic->status : MW_ERROR_FORMAT;
    }
    return mw_fail(diagnostic, MW_ERROR_FORMAT, what, MW_DIAGNOSTIC_OFFSET_NONE,
                   "no run that mpiwatch records is there");
}

static enum mw_status choose(struct mwa_live *live, struct mw_diagnostic *diagnostic)
{
    const bool is_named = live->names[0] != NULL;
    uint32_t running;

    live->run = newest(&live->runs, &running);
    live->others = running > 0 ? running - 1 : 0;
    live->is_chosen = is_named && live->runs.count == 1;
    if (live->run || (live->runs.count == 0 && is_named)) {
        return live->run ? MW_OK : nothing(&live->runs, NULL, diagnostic);
    }
    if (live->runs.count == 0 || !is_named) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, spool_parent(), MW_DIAGNOSTIC_OFFSET_NONE,
                       "no run that mpiwatch records has its spools here at this moment");
    }
    live->run = &live->runs.runs[0]; /* what is left of one that ended */
    return MW_OK;
}

static enum mw_status find_runs(struct mwa_live *live, struct mw_runs *runs,
                                struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (size_t i = 0; status == MW_OK && live->names[i]; i++) {
        status = mw_runs_add(runs, live->names[i], diagnostic);
    }
    if (!live->names[0]) {
        status = mw_runs_add(runs, spool_parent(), diagnostic);
    }
    return status;
}

/* --- processes and threads ---------------------------------------------- */

static enum mw_status add_processes(struct mwa_live *live, struct mw_diagnostic *diagnostic)
{
    live->processes = calloc(live->run->spool_count + (size_t)1, sizeof *live->processes);
    if (!live->processes) {
        return mw_no_memory(diagnostic, NULL, "to watch the run");
    }
    for (uint32_t i = 0; i < live->run->spool_count; i++) {
        live->process_count++;
        if (mwa_live_process_init(&live->processes[i], &live->run->spools[i], live->sites) !=
            MW_OK) {
            return mw_no_memory(diagnostic, NULL, "to watch the run");
        }
    }
    return MW_OK;
}

uint32_t mwa_live_place(const struct mwa_live *live, uint32_t process, uint32_t thread)
{
    uint32_t low = 0;
    uint32_t high = live->thread_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct mwa_live_thread *at = &live->threads[middle];

        if (at->process < process || (at->process == process && at->thread < thread)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

enum mw_status mwa_live_insert(struct mwa_live *live, uint32_t place,
                               const struct mwa_live_thread *thread,
                               struct mw_diagnostic *diagnostic)
{
    if (!mw_array_grow((void **)&live->threads, live->thread_count, sizeof *live->threads)) {
        return mw_no_memory(diagnostic, NULL, "to watch the run");
    }
    memmove(&live->threads[place + 1], &live->threads[place],
            (live->thread_count - place) * sizeof *thread);
    live->threads[place] = *thread;
    live->thread_count++;
    return MW_OK;
}

static enum mw_status add_thread(struct mwa_live *live, uint32_t process, uint32_t thread,
                                 struct mw_diagnostic *diagnostic)
{
    const uint32_t place = mwa_live_place(live, process, thread);
    struct mwa_live_thread added = {.process = process, .thread = thread};
    char path[PATH_MAX + 32];
    enum mw_status status;

    snprintf(path, sizeof path, "%s/%u.events", live->run->spools[process].path, thread);
    if (access(path, F_OK) != 0) {
        return MW_END;
    }
    status = mw_spool_follow_begin(path, &added.follower, diagnostic);
    if (status != MW_OK) {
        /* A file whose beginning is zeros is being made. */
        return status == MW_ERROR_FORMAT && live->processes[process].state == MW_RUN_RUNNING
                   ? MW_END
                   : status;
    }
    status = mwa_live_insert(live, place, &added, diagnostic);
    if (status != MW_OK) {
        mw_spool_follow_end(added.follower);
    }
    return status;
}

/* Threads have numbers without gaps. */
static enum mw_status add_threads(struct mwa_live *live, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (uint32_t process = 0; process < live->process_count; process++) {
        const uint32_t end = mwa_live_place(live, process, UINT32_MAX);
        uint32_t thread = end - mwa_live_place(live, process, 0);

        do {
            status = add_thread(live, process, thread++, diagnostic);
        } while (status == MW_OK);
        if (status != MW_END) {
            return status;
        }
    }
    return MW_OK;
}

static void forget_processes(struct mwa_live *live)
{
    for (uint32_t i = 0; i < live->thread_count; i++) {
        mw_spool_follow_end(live->threads[i].follower);
        free(live->threads[i].line);
    }
    for (uint32_t i = 0; i < live->process_count; i++) {
        mwa_live_process_fini(&live->processes[i]);
    }
    free(live->threads);
    free(live->processes);
    live->threads = NULL;
    live->processes = NULL;
    live->thread_count = 0;
    live->process_count = 0;
}

static void forget(struct mwa_live *live)
{
    forget_processes(live);
    mw_runs_fini(&live->runs);
}

enum mw_status mwa_live_switch(struct mwa_live *live, uint32_t run,
                               struct mw_diagnostic *diagnostic)
{
    forget_processes(live);
    live->run = &live->runs.runs[run];
    return add_processes(live, diagnostic);
}

/* Ranks that were not there before: everything is begun anew with them. */
static enum mw_status find_late_ranks(struct mwa_live *live, struct mw_diagnostic *diagnostic)
{
    const uint64_t nonce = live->run->nonce;
    struct mw_runs runs = {0};
    const struct mw_run *again = NULL;
    enum mw_status status = find_runs(live, &runs, diagnostic);

    for (uint32_t i = 0; status == MW_OK && i < runs.count; i++) {
        again = runs.runs[i].nonce == nonce ? &runs.runs[i] : again;
    }
    if (!again || again->spool_count <= live->run->spool_count) {
        mw_runs_fini(&runs);
        return status;
    }
    forget(live);
    live->runs = runs;
    live->run = again;
    return add_processes(live, diagnostic);
}

enum mw_status mwa_live_begin(struct mwa_live *live, const char **names,
                              struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    *live = (struct mwa_live){.names = names, .sites = calloc(1, sizeof *live->sites)};
    if (!live->sites) {
        return mw_no_memory(diagnostic, NULL, "to watch the run");
    }
    status = find_runs(live, &live->runs, diagnostic);
    if (status == MW_OK) {
        status = choose(live, diagnostic);
    }
    return status == MW_OK ? add_processes(live, diagnostic) : status;
}

void mwa_live_fini(struct mwa_live *live)
{
    if (live->source) {
        live->source->end(live);
    }
    free(live->hosts);
    live->hosts = NULL;
    live->host_count = 0;
    forget(live);
    if (live->sites) {
        mwa_live_process_sites_fini(live->sites);
        free(live->sites);
        live->sites = NULL;
    }
}

/* --- looking ---------------------------------------------- */

/* MPI_Init is entered before there is a stream, and is its first record. MW_OK, MW_ERROR_MEMORY. */
static enum mw_status find_first(const struct mwa_live *live, struct mwa_live_thread *thread,
                                 struct mw_diagnostic *diagnostic)
{
    char path[PATH_MAX + 32];
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    enum mw_status status;

    snprintf(path, sizeof path, "%s/%u.events", live->run->spools[thread->process].path,
             thread->thread);
    status = mw_spool_reader_create(path, &reader, diagnostic);
    if (status != MW_OK) {
        return status == MW_ERROR_MEMORY ? status : MW_OK;
    }
    if (mw_spool_reader_overwritten(reader) > 0) {
        thread->first = UINT64_MAX;
    } else {
        status = mw_spool_reader_next(reader, &call, diagnostic);
        thread->first = status == MW_OK ? call.record.enter : 0;
    }
    mw_spool_reader_destroy(reader);
    return status == MW_ERROR_MEMORY ? status : MW_OK;
}

void mwa_live_note(struct mwa_live_thread *thread, uint64_t time)
{
    const struct mw_spool_moment *moment = &thread->moment;
    const struct mw_counts *counts = &moment->counts;
    uint64_t open = moment->is_inside && time > moment->last.enter ? time - moment->last.enter : 0;

    thread->looks[thread->look_count++ % MWA_LIVE_LOOKS] = (struct mwa_live_look){
        .time = time,
        .inside = counts->inside + open,
        .calls = counts->calls,
        .messages = counts->sent + counts->received,
        .bytes = counts->bytes_sent + counts->bytes_received + counts->collective_sent +
                 counts->collective_received,
    };
}

/* The latest that the spool tells of a process that has gone. */
static uint64_t last_time(const struct mw_spool_moment *moment)
{
    return moment->last.enter > moment->counts.left ? moment->last.enter : moment->counts.left;
}

enum mw_status mwa_live_look(struct mwa_live *live, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    if (live->source) {
        return live->source->look(live, diagnostic);
    }
    if (live->process_count < live->run->size) {
        status = find_late_ranks(live, diagnostic);
    }
    if (status == MW_OK) {
        status = add_threads(live, diagnostic);
    }
    for (uint32_t i = 0; status == MW_OK && i < live->thread_count; i++) {
        struct mwa_live_thread *thread = &live->threads[i];
        const struct mwa_live_process *process = &live->processes[thread->process];

        if (thread->look_count > 0 && process->state == MW_RUN_SILENT) {
            continue; /* it was gone at the last look: nothing follows */
        }
        status = mw_spool_follow_look(thread->follower, &thread->moment, diagnostic);
        if (status == MW_ERROR_FORMAT && process->state == MW_RUN_RUNNING) {
            status = MW_OK; /* it is being cut to its end, or finished */
        } else if (status == MW_OK && !thread->moment.is_behind) {
            mwa_live_note(thread, process->state == MW_RUN_RUNNING ? mwa_live_time()
                                                          : last_time(&thread->moment));
        }
    }
    for (uint32_t i = 0; status == MW_OK && i < live->process_count; i++) {
        status = mwa_live_process_look(&live->processes[i]);
    }
    for (uint32_t i = 0; status == MW_OK && i < live->thread_count; i++) {
        struct mwa_live_thread *thread = &live->threads[i];
        const struct mwa_live_process *process = &live->processes[thread->process];

        thread->begin =
            thread->thread < process->thread_count ? process->begins[thread->thread] : 0;
        if (thread->first == 0) {
            status = find_first(live, thread, diagnostic);
        }
        thread->begin = thread->first > 0 && thread->first < thread->begin ? thread->first
                                                                           : thread->begin;
    }
    return status;
}

/* --- what it comes to ---------------------------------------------- */

const struct mwa_live_look *mwa_live_latest(const struct mwa_live_thread *thread)
{
    return thread->look_count > 0 ? &thread->looks[(thread->look_count - 1) % MWA_LIVE_LOOKS]
                                  : NULL;
}

/* The newest look that is so much older than the latest; null: there is none. */
static const struct mwa_live_look *before(const struct mwa_live_thread *thread, uint64_t ns)
{
    const struct mwa_live_look *now = mwa_live_latest(thread);

    for (uint32_t i = 2; i <= thread->look_count && i <= MWA_LIVE_LOOKS; i++) {
        const struct mwa_live_look *look =
            &thread->looks[(thread->look_count - i) % MWA_LIVE_LOOKS];

        if (now->time - look->time >= NEARLY(ns)) {
            return look;
        }
    }
    return NULL;
}

/* Adds what is known of waiting between two looks to the rate. What is not known is at the end. */
static void add_waits(const struct mwa_live_thread *thread, const struct mwa_live_look *then,
                      bool is_all, struct mwa_live_rate *rate)
{
    const struct mwa_live_look *now = mwa_live_latest(thread);
    const double ns = (double)(now->time - then->time);
    const uint64_t untold = now->inside > thread->told ? now->inside - thread->told : 0;
    uint64_t waited = is_all ? thread->waited : 0;

    for (uint32_t i = 0; !is_all && i < thread->look_count && i < MWA_LIVE_LOOKS; i++) {
        waited += thread->looks[i].time > then->time ? thread->looks[i].waited : 0;
    }
    rate->has_waits = thread->has_waits;
    rate->waited = (double)waited / ns;
    rate->waited = rate->waited < rate->share ? rate->waited : rate->share;
    rate->doubtful = (double)untold / ns;
    rate->doubtful = rate->doubtful < rate->share - rate->waited ? rate->doubtful
                                                                 : rate->share - rate->waited;
}

struct mwa_live_rate mwa_live_rate(const struct mwa_live_thread *thread, uint64_t ns)
{
    const struct mwa_live_look *now = mwa_live_latest(thread);
    const struct mwa_live_look begin = {.time = thread->begin};
    const struct mwa_live_look *then = now && ns > 0 ? before(thread, ns) : &begin;
    struct mwa_live_rate rate = {.is_known = false};
    double seconds;

    if (!now || !then || then->time == 0 || now->time <= then->time ||
        !thread->moment.is_counted) {
        return rate;
    }
    seconds = (double)(now->time - then->time) / SECOND;
    rate.is_known = true;
    rate.share = (double)(now->inside - then->inside) / SECOND / seconds;
    rate.share = rate.share > 1 ? 1 : rate.share;
    rate.calls = (double)(now->calls - then->calls) / seconds;
    rate.messages = (double)(now->messages - then->messages) / seconds;
    rate.bytes = (double)(now->bytes - then->bytes) / seconds;
    add_waits(thread, then, ns == 0, &rate);
    return rate;
}

bool mwa_live_since(const struct mwa_live *live, const struct mwa_live_thread *thread, uint64_t *ns)
{
    const struct mw_spool_moment *moment = &thread->moment;
    const struct mwa_live_look *now = mwa_live_latest(thread);
    const uint64_t since = moment->is_inside ? moment->last.enter
                           : moment->is_counted ? moment->counts.left
                                                : moment->last.leave;

    if (!now || since == 0 || live->processes[thread->process].state != MW_RUN_RUNNING) {
        return false;
    }
    *ns = now->time > since ? now->time - since : 0;
    return true;
}

/* Who is not heard of may be heard of again. */
static bool may_run(const struct mwa_live *live, const struct mwa_live_process *process)
{
    const struct mwa_live_host *host = process->told ? &live->hosts[process->teller] : NULL;

    return process->state == MW_RUN_RUNNING ||
           (host && host->is_silent && !host->is_over && process->told_state == MW_RUN_RUNNING &&
            mwa_live_time() - host->heard < GONE_AFTER);
}

bool mwa_live_is_running(const struct mwa_live *live)
{
    for (uint32_t i = 0; i < live->process_count; i++) {
        if (may_run(live, &live->processes[i])) {
            return true;
        }
    }
    return false;
}

uint64_t mwa_live_stuck(const struct mwa_live *live)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < live->host_count; i++) {
        if (live->hosts[i].is_silent) {
            return 0; /* nobody knows what its ranks do */
        }
    }
    for (uint32_t i = 0; i < live->thread_count; i++) {
        const struct mwa_live_thread *thread = &live->threads[i];
        uint64_t since;

        if (live->processes[thread->process].state != MW_RUN_RUNNING ||
            (thread->thread > 0 && !thread->moment.is_inside)) {
            continue;
        }
        if (!thread->moment.is_inside || !mwa_live_since(live, thread, &since)) {
            return 0;
        }
        least = since < least ? since : least;
    }
    return least != UINT64_MAX ? least : 0;
}
