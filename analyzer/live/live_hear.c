/*
 * Who tells may be anybody: numbers have bounds before memory is taken for them, and a run has one
 * number and one size. Times of different hosts' clocks are never compared: those of a thread are
 * all of its teller's.
 */
#include "analyzer/live/live_hear.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/live/live_variables.h"
#include "formats/base/array.h"
#include "formats/table/calls.h"

#define THREADS_MAX 100000u /* in all */
#define OWN_COMMS 2u        /* MW_COMM_WORLD, MW_COMM_SELF */

enum mw_status mwa_live_hear_begin(struct mwa_live *live, struct mw_run *run, uint32_t tellers,
                                   struct mw_diagnostic *diagnostic)
{
    static const char *no_names[] = {NULL};

    *run = (struct mw_run){0};
    *live = (struct mwa_live){.run = run, .names = no_names};
    live->hosts = calloc(tellers + (size_t)1, sizeof *live->hosts);
    live->sites = calloc(1, sizeof *live->sites);
    live->variables = mwa_live_variables_create();
    if (!live->hosts || !live->sites || !live->variables) {
        return mw_no_memory(diagnostic, NULL, "for who tells of the run");
    }
    live->host_count = tellers;
    return MW_OK;
}

/* --- processes and threads ----------------------------------------------------------------- */

static uint32_t place_of_rank(const struct mwa_live *live, uint32_t rank)
{
    uint32_t low = 0;
    uint32_t high = live->process_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (live->processes[middle].spool->rank < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static enum mw_status insert_process(struct mwa_live *live, uint32_t place,
                                     const struct mw_live_item *item, uint32_t teller)
{
    struct mwa_live_process added = {.proc = -1, .teller = teller};

    if (!mw_array_grow((void **)&live->processes, live->process_count, sizeof added)) {
        return MW_ERROR_MEMORY;
    }
    added.told = calloc(1, sizeof *added.told);
    if (!added.told) {
        return MW_ERROR_MEMORY;
    }
    added.told->program = item->program[0] ? strdup(item->program) : NULL;
    added.told->rank = item->rank;
    added.told->pid = item->pid;
    added.told->size = live->run->size;
    added.told->nonce = live->run->nonce;
    added.spool = added.told;
    memmove(&live->processes[place + 1], &live->processes[place],
            (live->process_count - place) * sizeof added);
    live->processes[place] = added;
    live->process_count++;
    for (uint32_t i = 0; i < live->thread_count; i++) {
        live->threads[i].process += live->threads[i].process >= place;
    }
    return MW_OK;
}

/* Whether what the teller says of a process counts. */
static bool is_due(const struct mwa_live *live, const struct mwa_live_process *process,
                   uint32_t teller, const struct mw_live_item *item)
{
    return process->teller == teller ||
           (process->is_elsewhere && !(item->flags & MW_LIVE_ELSEWHERE)) ||
           live->hosts[process->teller].is_silent;
}

static bool take_line(struct mwa_live_thread *thread, const struct mw_live_item *item)
{
    const bool is_told = item->line[0] && (item->flags & MW_LIVE_INSIDE);

    free(thread->line);
    thread->line = is_told ? strdup(item->line) : NULL;
    return thread->line || !is_told;
}

static enum mw_status take_thread(struct mwa_live *live, uint32_t process,
                                  const struct mw_live_item *item)
{
    const uint32_t place = mwa_live_place(live, process, item->thread);
    const struct mwa_live_thread added = {.process = process, .thread = item->thread};
    struct mwa_live_thread *thread = &live->threads[place];
    const struct mwa_live_look *look;

    if (place >= live->thread_count || thread->process != process ||
        thread->thread != item->thread) {
        if (live->thread_count >= THREADS_MAX) {
            return MW_OK; /* more than a screen can show, and than this program has memory for */
        }
        if (mwa_live_insert(live, place, &added, NULL) != MW_OK) {
            return MW_ERROR_MEMORY;
        }
        thread = &live->threads[place];
    }
    thread->begin = item->begin;
    thread->moment = (struct mw_spool_moment){
        .is_counted = item->flags & MW_LIVE_COUNTED,
        .is_behind = item->flags & MW_LIVE_BEHIND,
        .counts = item->counts,
        .last = {.state = item->time_in == 0                ? MW_STATE_EMPTY
                          : item->flags & MW_LIVE_INSIDE ? MW_STATE_OPEN
                                                         : MW_STATE_DONE,
                 .type = MW_RECORD_CALL,
                 .call = item->action,
                 .enter = item->time_in,
                 .leave = item->time_out},
        .is_inside = item->flags & MW_LIVE_INSIDE,
        .has_now = item->flags & MW_LIVE_NOW,
        .now = item->now,
        .lost = item->lost,
    };
    if (!take_line(thread, item)) {
        return MW_ERROR_MEMORY;
    }
    look = mwa_live_latest(thread);
    if (item->look > 0 && (!look || item->look > look->time)) {
        mwa_live_note(thread, item->look);
    }
    /* Communicators have the numbers of the threads that wait on them, and are as many. */
    if (item->now.comm >= OWN_COMMS && (item->flags & MW_LIVE_NOW)) {
        thread->moment.now.comm = OWN_COMMS + item->thread;
    }
    return item->flags & MW_LIVE_NOW
               ? mwa_live_process_comm(&live->processes[process], thread->moment.now.comm,
                                       item->comm, item->comm_call, item->comm_sequence)
               : MW_OK;
}

/* --- waits and variables ------------------------------------------------------------------- */

/* What was waited between two looks of who tells counts for those of them that came here. */
static void take_between(struct mwa_live_thread *thread, const struct mw_live_waits *waits)
{
    const uint32_t kept = thread->look_count < MWA_LIVE_LOOKS ? thread->look_count : MWA_LIVE_LOOKS;
    uint32_t next = 0;

    for (uint32_t i = 0; i < kept; i++) {
        struct mwa_live_look *look =
            &thread->looks[(thread->look_count - kept + i) % MWA_LIVE_LOOKS];

        look->waited = 0;
        for (; next < waits->count && waits->times[next] <= look->time; next++) {
            look->waited += waits->between[next];
        }
    }
}

/* Of a thread that was told of before, by the same one. */
static void take_waits(struct mwa_live *live, uint32_t teller, const struct mw_live_waits *waits)
{
    const uint32_t process = place_of_rank(live, waits->rank);
    const uint32_t place =
        process < live->process_count ? mwa_live_place(live, process, waits->thread) : UINT32_MAX;
    struct mwa_live_thread *thread = place < live->thread_count ? &live->threads[place] : NULL;

    live->hosts[teller].has_answered = true;
    live->hosts[teller].unknown = waits->unknown;
    live->hosts[teller].clock_error = waits->clock_error;
    if (!thread || thread->process != process || thread->thread != waits->thread ||
        live->processes[process].spool->rank != waits->rank ||
        live->processes[process].teller != teller) {
        return;
    }
    thread->read = waits->read;
    thread->is_final = waits->is_final;
    thread->has_waits = waits->unknown == MW_LIVE_KNOWN;
    thread->waited = waits->waited;
    thread->told = waits->told;
    take_between(thread, waits);
}

static enum mw_status take_values(struct mwa_live *live, const struct mw_live_values *values)
{
    bool has_memory = true;

    for (uint32_t i = 0; has_memory && i < values->count; i++) {
        double value;

        memcpy(&value, &values->values[i], sizeof value);
        has_memory = mwa_live_variables_hear(live->variables, values->ranks[i], values->name,
                                             values->unit, values->is_sum, value);
    }
    return has_memory ? MW_OK : MW_ERROR_MEMORY;
}

/* --- items --------------------------------------------------------------------------------- */

static enum mw_status take_item(struct mwa_live *live, uint32_t teller,
                                const struct mw_live_item *item)
{
    const uint32_t place = place_of_rank(live, item->rank);
    struct mwa_live_process *process;

    if (place >= live->process_count || live->processes[place].spool->rank != item->rank) {
        if (live->process_count >= THREADS_MAX) {
            return MW_OK;
        }
        if (insert_process(live, place, item, teller) != MW_OK) {
            return MW_ERROR_MEMORY;
        }
    } else if (!is_due(live, &live->processes[place], teller, item)) {
        return MW_OK;
    }
    process = &live->processes[place];
    process->teller = teller;
    process->told_state = (enum mw_run_state)item->state;
    process->state = process->told_state;
    process->code = (int)item->code;
    process->is_elsewhere = item->flags & MW_LIVE_ELSEWHERE;
    return item->thread == MW_LIVE_NO_THREAD ? MW_OK : take_thread(live, place, item);
}

/* --- messages -------------------------------------------------------------------------------- */

static void refuse(struct mwa_live_host *host, const char *why)
{
    snprintf(host->refused, sizeof host->refused, "%s", why);
    host->is_over = true;
}

/* Whether it is of the run that the others tell of; the run is that of the first one. */
static bool is_of_run(struct mwa_live *live, const struct mw_live_head *head)
{
    struct mw_run *run = (struct mw_run *)live->run;

    if (run->size == 0) {
        run->nonce = head->nonce;
    }
    if (run->nonce == head->nonce && head->size > run->size) {
        run->size = head->size;
    }
    return run->nonce == head->nonce;
}

/* What was told before it was listened to is none that was dropped; one may overtake another. */
static void count_dropped(struct mwa_live_host *host, uint64_t sequence)
{
    if (host->heard > 0 && sequence < host->next) {
        host->dropped -= host->dropped > 0;
        return;
    }
    host->dropped += host->heard > 0 ? sequence - host->next : 0;
    host->next = sequence + 1;
}

static enum mw_status take_all(struct mwa_live *live, uint32_t teller, uint32_t kind,
                               struct mw_cursor items)
{
    struct mw_live_item item;
    struct mw_live_waits waits;
    struct mw_live_values values;
    enum mw_status status = MW_OK;

    while (status == MW_OK && kind == MW_LIVE_THREADS &&
           mw_live_message_next(&items, kind, &item)) {
        status = take_item(live, teller, &item);
    }
    while (kind == MW_LIVE_WAITS && mw_live_message_next(&items, kind, &waits)) {
        take_waits(live, teller, &waits);
    }
    while (status == MW_OK && kind == MW_LIVE_VARIABLES &&
           mw_live_message_next(&items, kind, &values)) {
        status = take_values(live, &values);
    }
    return status;
}

enum mw_status mwa_live_hear(struct mwa_live *live, uint32_t teller, const void *message,
                             size_t bytes, struct mw_diagnostic *diagnostic)
{
    struct mwa_live_host *host = &live->hosts[teller];
    struct mw_diagnostic wrong = {0};
    struct mw_live_head head;
    struct mw_cursor items;
    enum mw_status status = MW_OK;

    if (host->refused[0]) {
        return MW_OK;
    }
    if (mw_live_message_read(message, bytes, &head, &items, &wrong) != MW_OK) {
        refuse(host, wrong.what);
        return MW_OK;
    }
    if (head.size > 0 && !is_of_run(live, &head)) {
        refuse(host, "it tells of another run");
        return MW_OK;
    }
    count_dropped(host, head.sequence);
    host->heard = mwa_live_time();
    host->is_silent = false;
    memcpy(host->name, head.host, sizeof host->name);
    status = take_all(live, teller, head.kind, items);
    return status == MW_OK ? MW_OK : mw_no_memory(diagnostic, NULL, "for what is told of the run");
}

uint64_t mwa_live_hear_clock_error(const struct mwa_live *live)
{
    uint64_t most = 0;
    uint64_t second = 0;

    for (uint32_t i = 0; i < live->host_count; i++) {
        const uint64_t error = live->hosts[i].clock_error;

        second = error > most ? most : error > second ? error : second;
        most = error > most ? error : most;
    }
    return most + second;
}

void mwa_live_hear_age(struct mwa_live *live, uint64_t ns)
{
    const uint64_t now = mwa_live_time();

    for (uint32_t i = 0; i < live->host_count; i++) {
        struct mwa_live_host *host = &live->hosts[i];

        host->is_silent = host->is_over || host->heard == 0 || now - host->heard > ns;
    }
    for (uint32_t i = 0; i < live->process_count; i++) {
        struct mwa_live_process *process = &live->processes[i];
        const bool is_silent = live->hosts[process->teller].is_silent;

        /* Where nobody looks: what was told last may be old. */
        if (is_silent && process->told_state == MW_RUN_RUNNING) {
            process->state = MW_RUN_SILENT;
            process->is_elsewhere = true;
        }
    }
}
