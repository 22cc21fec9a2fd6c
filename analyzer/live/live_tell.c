/* What a screen shows of a thread is told, and not its spool: 200 bytes, whatever it did. */
#include "analyzer/live/live_tell.h"

#include <stdio.h>
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

static void write_item(struct writing *writing, const struct mw_live_item *item)
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

enum mw_status mwa_live_tell(const struct mwa_live *live, struct mwa_live_telling *telling,
                             struct mw_diagnostic *diagnostic)
{
    struct writing writing = {.telling = telling,
                              .head = {.sequence = telling->sequence, .time = mwa_live_time()}};
    bool failed;

    gethostname(writing.head.host, sizeof writing.head.host - 1);
    if (live) {
        writing.head.nonce = live->run->nonce;
        writing.head.size = live->run->size;
    }
    mw_live_message_begin(&writing.buffer, &writing.head);
    if (live) {
        write_all(live, &writing);
    }
    send_message(&writing);
    failed = writing.buffer.failed;
    mw_buffer_fini(&writing.buffer);
    return failed ? mw_no_memory(diagnostic, NULL, "to tell of the run") : MW_OK;
}
