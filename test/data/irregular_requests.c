#include "test/data/irregular_requests.h"

enum { TAG_STEP = 1, TAG_AHEAD, TAG_ONCE, TAG_LISTEN };

/* --- calls of a rank, which is as far then as they take --------------------------------------- */

static void post(struct run *run, uint32_t rank, uint64_t request)
{
    if (run_keeps(run, rank, run->at[rank], false)) {
        maker_irecv(run_writer(run, rank), run->at[rank], request);
    }
    run->at[rank] += 10;
}

static void begin_send(struct run *run, uint32_t rank, uint32_t to, uint32_t tag,
                       uint64_t request)
{
    if (run_keeps(run, rank, run->at[rank], false)) {
        maker_isend(run_writer(run, rank), run->at[rank], MAKER_WORLD, to, tag, RUN_BYTES,
                    request);
    }
    run->at[rank] += 10;
}

static void send(struct run *run, uint32_t rank, uint32_t to, uint32_t tag)
{
    run_send(run, rank, run->at[rank], to, tag);
    run->at[rank] += 20;
}

static void wait_send(struct run *run, uint32_t rank, uint64_t request)
{
    if (run_keeps(run, rank, run->at[rank], false)) {
        maker_wait_send(run_writer(run, rank), run->at[rank], run->at[rank] + 10, request);
    }
    run->at[rank] += 20;
}

/* Waits for what is sent at a time; request UINT64_MAX: an MPI_Recv. */
static void receive(struct run *run, uint32_t rank, uint32_t from, uint32_t tag, uint64_t sent,
                    uint64_t request)
{
    const uint64_t enter = run->at[rank], leave = later(enter, sent) + 10;

    if (request == UINT64_MAX) {
        run_receive(run, rank, enter, leave, from, tag);
    } else if (run_keeps(run, rank, enter, true)) {
        maker_wait_recv(run_writer(run, rank), enter, leave, MAKER_WORLD, from, tag, RUN_BYTES,
                        request);
    }
    run->at[rank] = leave + 10;
}

static void cancel(struct run *run, uint32_t rank, uint64_t request)
{
    if (run_keeps(run, rank, run->at[rank], false)) {
        maker_cancel(run_writer(run, rank), run->at[rank], run->at[rank] + 20, request);
    }
    run->at[rank] += 30;
}

/* --- listeners -------------------------------------------------------------------------------- */

#define LISTENER_STEPS 3000u

/* Rank `from` sends to the next one, which waits for it 10 to 50 in each step. */
static void listen(struct run *run, uint32_t from)
{
    const uint32_t to = from + 1;

    post(run, to, 1);
    begin_send(run, from, to, TAG_STEP, 3);
    begin_send(run, from, to, TAG_ONCE, 2);
    run->at[to] += 20;
    receive(run, to, from, TAG_ONCE, run->at[from], UINT64_MAX);
    for (uint32_t step = 0; step < LISTENER_STEPS; step++) {
        run->at[from] = run->at[to] + 10 + 10 * ((from + step) % 5);
        receive(run, to, from, TAG_STEP, run->at[from], UINT64_MAX);
        send(run, from, to, TAG_STEP);
        if (run_keeps(run, to, run->at[to], false)) {
            maker_enter(run_writer(run, to), run->at[to], MAKER_PROBE);
            maker_leave(run_writer(run, to), run->at[to] + 10, MAKER_PROBE);
        }
        run->at[to] += 20;
    }
    wait_send(run, from, 2);
    cancel(run, from, 3);
    send(run, from, to, TAG_LISTEN);
    run->at[to] = run->at[from];
    receive(run, to, from, TAG_LISTEN, run->at[from], 1);
}

void irregular_listeners(struct run *run)
{
    for (uint32_t from = 0; from < run->ranks; from += 2) {
        listen(run, from);
    }
}

/* --- requests --------------------------------------------------------------------------------- */

#define REQUEST_STEPS 120u
#define REQUEST_RANKS 6u

#define LISTENER 1u    /* numbers of requests: these and more */
#define SENDS    1000u
#define AHEAD    2000u

/* So many steps before it is sent a rank posts the receive of a message. */
static uint32_t depth_of(uint32_t rank)
{
    return 1 + rank % 3;
}

/* Sends that are complete a step later, or never; each is received in this step. */
static void pass_on(struct run *run, uint32_t step)
{
    uint64_t sent[REQUEST_RANKS];

    for (uint32_t i = 0; i < REQUEST_RANKS; i++) {
        if (step > 0 && !(i == 4 && (step - 1) % 10 == 3)) {
            wait_send(run, i, SENDS + step - 1);
        }
        run->at[i] += run_some(run, i == step % 5 ? 300 : 20);
        sent[i] = run->at[i];
        begin_send(run, i, (i + 1) % REQUEST_RANKS, TAG_STEP, SENDS + step);
    }
    for (uint32_t i = 0; i < REQUEST_RANKS; i++) {
        const uint32_t from = (i + REQUEST_RANKS - 1) % REQUEST_RANKS;

        receive(run, i, from, TAG_STEP, sent[from], UINT64_MAX);
    }
}

/* What was posted some steps ago is sent and received. */
static void end_those_ahead(struct run *run, uint32_t step)
{
    uint64_t sent[REQUEST_RANKS];

    for (uint32_t i = 0; i < REQUEST_RANKS; i++) {
        const uint32_t to = (i + 1) % REQUEST_RANKS;

        sent[i] = run->at[i];
        if (step >= depth_of(to)) {
            send(run, i, to, TAG_AHEAD);
        }
    }
    for (uint32_t i = 0; i < REQUEST_RANKS; i++) {
        const uint32_t from = (i + REQUEST_RANKS - 1) % REQUEST_RANKS;

        if (step >= depth_of(i)) {
            receive(run, i, from, TAG_AHEAD, sent[from], AHEAD + step - depth_of(i));
        }
        if (step + depth_of(i) < REQUEST_STEPS) {
            post(run, i, AHEAD + step);
        }
    }
}

/* The listener of rank 0 is cancelled, those of 1 and 3 hear something, those of others do not. */
static void listen_to_others(struct run *run, uint32_t step)
{
    for (uint32_t i = 0; i < REQUEST_RANKS; i++) {
        if (step == (i == 3 ? REQUEST_STEPS / 2 : 0)) {
            post(run, i, LISTENER);
        }
    }
    if (step == REQUEST_STEPS / 3) {
        cancel(run, 0, LISTENER);
    }
    for (uint32_t i = 1; i < 4; i += 2) {
        if (step == (i == 1 ? REQUEST_STEPS - 1 : REQUEST_STEPS / 4 * 3)) {
            const uint64_t sent = run->at[5];

            send(run, 5, i, TAG_LISTEN);
            receive(run, i, 5, TAG_LISTEN, sent, LISTENER);
        }
    }
}

void irregular_requests(struct run *run)
{
    static const uint64_t all[REQUEST_RANKS] = { 0, 1, 2, 3, 4, 5 };
    const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                     .region = MAKER_ALLREDUCE,
                                     .root = OTF2_UNDEFINED_UINT32,
                                     .sent = 8,
                                     .received = 8 };

    for (uint32_t step = 0; step < REQUEST_STEPS; step++) {
        listen_to_others(run, step);
        pass_on(run, step);
        end_those_ahead(run, step);
        run_meet(run, &part, all, REQUEST_RANKS, UINT32_MAX);
    }
}

/* --- numbers of requests that are used again -------------------------------------------------- */

#define NUMBER_STEPS 24u
#define NUMBER_RANKS 2u

#define SEND_STEPS 3u /* in which a send is open */

static void meet_again(struct run *run, uint32_t rank, uint64_t enter, bool is_barrier)
{
    const struct maker_part barrier = { .operation = OTF2_COLLECTIVE_OP_BARRIER,
                                        .region = MAKER_BARRIER,
                                        .root = OTF2_UNDEFINED_UINT32 };
    const struct maker_part sum = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                    .region = MAKER_ALLREDUCE,
                                    .root = OTF2_UNDEFINED_UINT32,
                                    .sent = 8,
                                    .received = 8 };

    maker_collective(run_writer(run, rank), enter, enter + 10, is_barrier ? &barrier : &sum);
}

/* Receives of one number, all of them begun at a time: the last one gets what is sent later. */
static void post_again(struct run *run, uint32_t rank, uint64_t time)
{
    OTF2_EvtWriter *writer = run_writer(run, rank);

    maker_enter(writer, time, MAKER_WAITALL);
    OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time, 1);
    OTF2_EvtWriter_MpiRequestCancelled(writer, NULL, time, 1);
    OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time, 1);
    maker_leave(writer, time + 10, MAKER_WAITALL);
}

/* A send has the number of a receive that was cancelled. */
static void send_again(struct run *run, uint32_t rank, uint64_t time, uint64_t request)
{
    OTF2_EvtWriter *writer = run_writer(run, rank);

    maker_enter(writer, time, MAKER_WAITALL);
    OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time, request);
    OTF2_EvtWriter_MpiRequestCancelled(writer, NULL, time, request);
    maker_leave(writer, time, MAKER_WAITALL);
    maker_isend(writer, time, MAKER_WORLD, 1, TAG_STEP, RUN_BYTES, request);
}

void irregular_numbers(struct run *run)
{
    for (uint32_t step = 0; step < NUMBER_STEPS; step++) {
        const uint64_t at = RUN_BEGIN + 200 * (step + 1);
        const uint64_t request = 10 + step % SEND_STEPS;

        for (uint32_t i = 0; i < NUMBER_RANKS; i++) {
            OTF2_EvtWriter *other = maker_writer(run->maker, i, 1);

            maker_enter(other, at, MAKER_USER);
            maker_leave(other, at + 10, MAKER_USER);
            /* Twice they do not agree in which order. */
            meet_again(run, i, at, step % 9 == 4 ? i == 0 : step % 9 == 5 && i == 1);
            run->at[i] = at + 200;
        }
        if (step >= SEND_STEPS && step + 1 < NUMBER_STEPS) {
            maker_wait_send(run_writer(run, 0), at + 20, at + 30, request);
        }
        if (step > 0) {
            maker_send(run_writer(run, 1), at + 20, at + 30, MAKER_WORLD, 0, TAG_AHEAD, 8);
            maker_wait_recv(run_writer(run, 0), at + 40, at + 50, MAKER_WORLD, 1, TAG_AHEAD, 8, 1);
        }
        send_again(run, 0, at + 60, request);
        maker_recv(run_writer(run, 1), at + 60, at + 80, MAKER_WORLD, 0, TAG_STEP, RUN_BYTES);
        post_again(run, 0, at + 100);
    }
    /* Who takes it for the send whose number it has thinks that this has ended. */
    post(run, 0, 10);
    cancel(run, 0, 10);
}

/* --- behind and hands ------------------------------------------------------------------------- */

#define LARGE 100000u /* more than MPIs keep */

static const uint64_t both[2] = { 0, 1 };
static const struct maker_part barrier = { .operation = OTF2_COLLECTIVE_OP_BARRIER,
                                           .region = MAKER_BARRIER,
                                           .root = OTF2_UNDEFINED_UINT32 };

/*
 * Rank 1 waits from 50 on for what rank 0 has begun to send at 10, and gets it when that waits for
 * another one at 300; of the first it waits behind the meeting.
 */
void irregular_behind(struct run *run)
{
    OTF2_EvtWriter *sender = run_writer(run, 0), *receiver = run_writer(run, 1);

    for (uint32_t step = 0; step < 40; step++) {
        const uint64_t begin = run->at[0], bytes = step % 2 == 0 ? LARGE : RUN_BYTES;

        maker_isend(sender, begin + 10, MAKER_WORLD, 1, TAG_STEP, bytes, 1);
        maker_isend(sender, begin + 20, MAKER_WORLD, 1, TAG_ONCE, RUN_BYTES, 2);
        maker_wait_send(sender, begin + 300, begin + 310, 2);
        maker_irecv(receiver, begin + 10, 1);
        maker_irecv(receiver, begin + 20, 2);
        maker_wait_recv(receiver, begin + 30, begin + 40, MAKER_WORLD, 0, TAG_ONCE, RUN_BYTES, 2);
        maker_wait_recv(receiver, begin + 50, begin + 310, MAKER_WORLD, 0, TAG_STEP, bytes, 1);
        run->at[0] = begin + 400;
        run->at[1] = begin + 400 + run_some(run, 5);
        run_meet(run, &barrier, both, 2, UINT32_MAX);
        maker_wait_send(sender, run->at[0] + 10, run->at[0] + 20, 1);
        run->at[0] += 30;
        run->at[1] = run->at[0];
    }
}

/* Rank 0 waits from 20 on for what rank 1's main thread posts at 100, and its second one gets; then
 * it is the last that comes to the meeting. */
void irregular_hands(struct run *run)
{
    OTF2_EvtWriter *sender = run_writer(run, 0), *poster = run_writer(run, 1);
    OTF2_EvtWriter *receiver = maker_writer(run->maker, 1, 1);

    for (uint32_t step = 0; step < 40; step++) {
        const uint64_t begin = run->at[0];

        maker_isend(sender, begin + 10, MAKER_WORLD, 1, TAG_STEP, RUN_BYTES, 1);
        maker_wait_send(sender, begin + 20, begin + 120, 1);
        maker_irecv(poster, begin + 100, 1);
        maker_wait_recv(receiver, begin + 110, begin + 130, MAKER_WORLD, 0, TAG_STEP, RUN_BYTES, 1);
        run->at[0] = begin + 130 + run_some(run, 5);
        run->at[1] = begin + 110;
        run_meet(run, &barrier, both, 2, UINT32_MAX);
    }
}
