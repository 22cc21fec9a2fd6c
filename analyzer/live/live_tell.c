/* What a screen shows of a thread is told, and not its spool: 200 bytes, whatever it did. */
#include "analyzer/live/live_tell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/live/live_lines.h"
#include "formats/table/calls.h"

static void describe_process(const struct mwa_live_process *process, struct mw_live_item *item)
{
    const char *program = process->spool->program;
    const size_t length = program ? strlen(program) : 0;
    const size_t most = sizeof item->program - 1;

    item->rank = process->spool->rank;
    item->pid = process->spool->pid;
    item->state = (uint8_t)process->state;
    item->code = (uint32_t)process->code;
    item->flags = process->is_elsewhere ? MW_LIVE_ELSEWHERE : 0;
    item->thread = MW_LIVE_NO_THREAD;
    item->action = MW_CALL_COUNT;
    item->comm_call = MW_CALL_COUNT;
    snprintf(item->program, sizeof item->program, "%s",
             program ? program + (length > most ? length - most : 0) : "");
}

static void describe_comm(const struct mwa_live_process *process, struct mw_live_item *item)
{
    const struct mwa_live_comm *comm =
        item->now.comm < process->comm_count ? &process->comms[item->now.comm] : NULL;

    if (comm) {
        item->comm_call = (uint16_t)(comm->call < MW_CALL_COUNT ? comm->call : MW_CALL_COUNT);
        item->comm_sequence = comm->sequence;
        snprintf(item->comm, sizeof item->comm, "%s", comm->name ? comm->name : "");
    }
}

static void describe_thread(const struct mwa_live *live, const struct mwa_live_process *process,
                            const struct mwa_live_thread *thread, struct mw_live_item *item)
{
    const struct mw_spool_moment *moment = &thread->moment;
    const struct mwa_live_look *look = mwa_live_latest(thread);

    item->thread = thread->thread;
    item->flags |= (moment->is_counted ? MW_LIVE_COUNTED : 0) |
                   (moment->is_behind ? MW_LIVE_BEHIND : 0) |
                   (moment->is_inside ? MW_LIVE_INSIDE : 0) | (moment->has_now ? MW_LIVE_NOW : 0);
    if (moment->last.state != MW_STATE_EMPTY) {
        item->action = (uint16_t)mwa_live_process_call(process, moment->last.call);
        item->time_in = moment->last.enter;
        item->time_out = moment->is_inside ? 0 : moment->last.leave;
    }
    if (!moment->is_inside || !mwa_live_line(live, thread, item->line, sizeof item->line)) {
        item->line[0] = '\0';
    }
    item->begin = thread->begin;
    item->look = look ? look->time : 0;
    item->counts = moment->counts;
    item->lost = moment->lost;
    if (moment->has_now) {
        item->now = moment->now;
        describe_comm(process, item);
    }
}

struct writing {
    struct mwa_live_telling *telling;
    struct mw_live_head head;
    struct mw_buffer buffer;
};

static void send_message(struct writing *writing)
{
    if (!writing->buffer.failed) {
        writing->telling->give(writing->telling->context, writing->buffer.data,
                               writing->buffer.bytes);
    }
    writing->buffer.bytes = 0;
    writing->head.sequence = ++writing->telling->sequence;
}

static void write_item(struct writing *writing, const void *item)
{
    if (!mw_live_message_add(&writing->buffer, item) && !writing->buffer.failed) {
        send_message(writing);
        mw_live_message_begin(&writing->buffer, &writing->head);
        (void)mw_live_message_add(&writing->buffer, item);
    }
}

static void write_all(const struct mwa_live *live, struct writing *writing)
{
    for (uint32_t i = 0; i < live->process_count; i++) {
        const uint32_t end = mwa_live_place(live, i, UINT32_MAX);
        struct mw_live_item item = {0};

        describe_process(&live->processes[i], &item);
        if (item.rank >= live->run->size || live->run->size > MW_LIVE_RANKS_MAX) {
            continue; /* of a spool that says what can't be */
        }
        for (uint32_t t = mwa_live_place(live, i, 0); t < end; t++) {
            struct mw_live_item of_thread = item;

            if (live->threads[t].thread < MW_LIVE_THREADS_MAX) {
                describe_thread(live, &live->processes[i], &live->threads[t], &of_thread);
                write_item(writing, &of_thread);
            }
        }
        if (mwa_live_place(live, i, 0) == end) {
            write_item(writing, &item);
        }
    }
}

static struct writing begin_writing(const struct mw_run *run, enum mw_live_kind kind,
                                    struct mwa_live_telling *telling)
{
    struct writing writing = {.telling = telling,
                              .head = {.sequence = telling->sequence,
                                       .time = mwa_live_time(),
                                       .kind = kind}};

    gethostname(writing.head.host, sizeof writing.head.host - 1);
    if (run) {
        writing.head.nonce = run->nonce;
        writing.head.size = run->size;
    }
    mw_live_message_begin(&writing.buffer, &writing.head);
    return writing;
}

static enum mw_status end_writing(struct writing *writing, struct mw_diagnostic *diagnostic)
{
    bool failed;

    send_message(writing);
    failed = writing->buffer.failed;
    mw_buffer_fini(&writing->buffer);
    return failed ? mw_no_memory(diagnostic, NULL, "to tell of the run") : MW_OK;
}

enum mw_status mwa_live_tell(const struct mwa_live *live, struct mwa_live_telling *telling,
                             struct mw_diagnostic *diagnostic)
{
    struct writing writing = begin_writing(live ? live->run : NULL, MW_LIVE_THREADS, telling);

    if (live) {
        write_all(live, &writing);
    }
    return end_writing(&writing, diagnostic);
}

/* --- what events tell ---------------------------------------------------------------------- */

static void write_waits(const struct mwa_live *live, const struct mwa_live_detail *detail,
                        struct writing *writing)
{
    const enum mw_live_no_waits unknown = mwa_live_detail_unknown(detail);
    const bool is_final = !mwa_live_is_running(live) && mwa_live_detail_is_done(detail);

    for (uint32_t i = 0; i < live->thread_count; i++) {
        const struct mwa_live_thread *thread = &live->threads[i];
        const struct mwa_live_process *process = &live->processes[thread->process];
        const uint32_t kept =
            thread->look_count < MWA_LIVE_LOOKS ? thread->look_count : MWA_LIVE_LOOKS;
        struct mw_live_waits item = {.rank = process->spool->rank,
                                     .thread = thread->thread,
                                     .unknown = (uint8_t)unknown,
                                     .is_final = is_final};

        if (item.rank >= live->run->size || item.thread >= MW_LIVE_THREADS_MAX ||
            process->is_elsewhere) {
            continue;
        }
        item.read = mwa_live_detail_calls(detail, item.rank, item.thread);
        item.clock_error = mwa_live_detail_clock_error(detail);
        for (uint32_t k = 0; unknown == MW_LIVE_KNOWN && k < kept; k++) {
            const struct mwa_live_look *look =
                &thread->looks[(thread->look_count - kept + k) % MWA_LIVE_LOOKS];

            /* A process that has ended is looked at, again and again, as of its end. */
            if (item.count > 0 && look->time <= item.times[item.count - 1]) {
                item.between[item.count - 1] += look->waited;
            } else {
                item.times[item.count] = look->time;
                item.between[item.count++] = look->waited;
            }
        }
        if (unknown == MW_LIVE_KNOWN) {
            item.waited = thread->waited;
            item.told = thread->told;
        }
        write_item(writing, &item);
    }
}

static void write_values(const struct mwa_live_variable *variable, const double *values,
                         uint32_t ranks, struct writing *writing)
{
    struct mw_live_values item = {.is_sum = variable->is_sum};

    snprintf(item.name, sizeof item.name, "%s", variable->name);
    snprintf(item.unit, sizeof item.unit, "%s", variable->unit);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        if (isfinite(values[rank])) {
            item.ranks[item.count] = rank;
            memcpy(&item.values[item.count++], &values[rank], sizeof values[rank]);
        }
        if (item.count == MW_LIVE_VALUES_MAX || (item.count > 0 && rank + 1 == ranks)) {
            write_item(writing, &item);
            item.count = 0;
        }
    }
}

static bool write_variables(const struct mwa_live *live, const struct mwa_live_detail *detail,
                            struct writing *writing)
{
    const struct mwa_live_variables *variables = mwa_live_detail_variables(detail);
    uint32_t count;
    const struct mwa_live_variable *list = mwa_live_variables_list(variables, &count);
    bool has_memory = true;

    for (uint32_t i = 0; has_memory && i < count; i++) {
        double *values = mwa_live_variables_ranks(variables, i, live->run->size);

        has_memory = values;
        if (has_memory) {
            write_values(&list[i], values, live->run->size, writing);
        }
        free(values);
    }
    return has_memory;
}

enum mw_status mwa_live_tell_detail(const struct mwa_live *live,
                                    const struct mwa_live_detail *detail,
                                    struct mwa_live_telling *telling,
                                    struct mw_diagnostic *diagnostic)
{
    struct writing writing;
    enum mw_status status;

    if (live->run->size > MW_LIVE_RANKS_MAX) {
        return MW_OK;
    }
    writing = begin_writing(live->run, MW_LIVE_VARIABLES, telling);
    writing.buffer.failed |= !write_variables(live, detail, &writing);
    status = end_writing(&writing, diagnostic);
    if (status == MW_OK) {
        writing = begin_writing(live->run, MW_LIVE_WAITS, telling);
        write_waits(live, detail, &writing);
        status = end_writing(&writing, diagnostic);
    }
    return status;
}

enum mw_status mwa_live_tell_one(const struct mw_run *run, enum mw_live_kind kind,
                                 const void *item, const struct mw_buffer *behind,
                                 struct mwa_live_telling *telling,
                                 struct mw_diagnostic *diagnostic)
{
    struct writing writing = begin_writing(run, kind, telling);

    write_item(&writing, item);
    if (behind) {
        mw_buffer_append(&writing.buffer, behind->data, behind->bytes);
    }
    return end_writing(&writing, diagnostic);
}
