#include "test/data/irregular_messages.h"

#define SIDE 3u

/* The neighbours of rank in the cube; returns how many. */
static uint32_t neighbours(uint32_t rank, uint32_t *list)
{
    const uint32_t step[3] = { 1, SIDE, SIDE * SIDE };
    uint32_t count = 0;

    for (uint32_t i = 0; i < 3; i++) {
        uint32_t place = rank / step[i] % SIDE;

        if (place > 0) {
            list[count++] = rank - step[i];
        }
        if (place + 1 < SIDE) {
            list[count++] = rank + step[i];
        }
    }
    return count;
}

static void exchange(struct run *run, uint32_t rank, const uint64_t *sent)
{
    OTF2_EvtWriter *writer = run_writer(run, rank);
    uint32_t list[6];
    uint32_t count = neighbours(rank, list);
    uint64_t time = sent[rank];
    uint64_t wait = time + 20 * count;
    uint64_t leave = wait;
    bool kept = run_keeps(run, rank, time, false);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t theirs[6];

        leave = later(leave, sent[list[i]] + 20 * neighbours(list[i], theirs));
    }
    leave += 10;
    for (uint32_t i = 0; i < count && kept; i++, time += 10) {
        maker_irecv(writer, time, 100 + i);
    }
    for (uint32_t i = 0; i < count && kept; i++, time += 10) {
        maker_isend(writer, time, MAKER_WORLD, list[i], 0, RUN_BYTES, 200 + i);
    }
    if (kept) {
        maker_enter(writer, wait, MAKER_WAITALL);
        for (uint32_t i = count; i-- > 0;) {
            OTF2_EvtWriter_MpiIsendComplete(writer, NULL, leave, 200 + i);
            OTF2_EvtWriter_MpiIrecv(writer, NULL, leave, list[i], MAKER_WORLD, 0, RUN_BYTES,
                                    100 + i);
        }
        maker_leave(writer, leave, MAKER_WAITALL);
    }
    run->at[rank] = leave;
}

void irregular_halo(struct run *run)
{
    uint64_t sent[RUN_RANKS_MOST];

    for (uint32_t step = 0; step < 40; step++) {
        for (uint32_t i = 0; i < run->ranks; i++) {
            sent[i] = run->at[i] + run_some(run, i == step % 27 ? 400 : 30);
        }
        for (uint32_t i = 0; i < run->ranks; i++) {
            exchange(run, i, sent);
        }
    }
}

void irregular_workers(struct run *run)
{
    uint64_t done[RUN_RANKS_MOST] = { 0 };

    for (uint32_t i = 1; i < run->ranks; i++) {
        run_send(run, 0, run->at[0], i, 1);
        run->at[0] += 20;
        run_receive(run, i, run->at[i], later(run->at[i], run->at[0]) + 10, 0, 1);
        run->at[i] = later(run->at[i], run->at[0]) + 10;
        done[i] = run->at[i] + run_some(run, 100);
    }
    for (uint32_t task = 0; task < 800; task++) {
        uint32_t first = 1;
        uint64_t leave;

        for (uint32_t i = 2; i < run->ranks; i++) {
            first = done[i] < done[first] ? i : first;
        }
        run_send(run, first, done[first], 0, 2);
        leave = later(run->at[0], done[first]) + 10;
        run_receive(run, 0, run->at[0], leave, first, 2);
        run->at[0] = leave + run_some(run, 3);
        run_send(run, 0, run->at[0], first, 1);
        run_receive(run, first, done[first] + 10, later(done[first] + 10, run->at[0]) + 10, 0, 1);
        run->at[first] = later(done[first] + 10, run->at[0]) + 10;
        run->at[0] += 10;
        done[first] = run->at[first] + run_some(run, first == 3 ? 10000 : 100);
    }
}

#define TREE_MESSAGES 2000u

void irregular_tree(struct run *run)
{
    static uint64_t sent[7][TREE_MESSAGES];

    for (uint32_t i = 0; i < run->ranks; i++) {
        for (uint32_t k = 0; i > 0 && k < TREE_MESSAGES; k++) {
            uint64_t leave = later(run->at[i], sent[i][k]) + 10;

            run_receive(run, i, run->at[i], leave, (i - 1) / 2, 0);
            run->at[i] = leave + (k % 100 == 0 ? run_some(run, 20) : 0);
        }
        for (uint32_t k = 0; 2 * i + 2 < run->ranks && k < TREE_MESSAGES; k++) {
            for (uint32_t child = 2 * i + 1; child <= 2 * i + 2; child++) {
                run_send(run, i, run->at[i], child, 0);
                sent[child][k] = run->at[i];
                run->at[i] += 20;
            }
        }
        if (2 * i + 2 < run->ranks) { /* the left child is there before, the right one after */
            run->at[2 * i + 1] = later(run->at[2 * i + 1], run->at[i] / 2 / 10 * 10);
            run->at[2 * i + 2] = later(run->at[2 * i + 2], run->at[i]);
        }
    }
}

#define FLOOD 70000u /* MWA_EXCHANGE_AHEAD_IN_ALL is 65,536 */

void irregular_flood(struct run *run)
{
    uint64_t back = RUN_BEGIN + 30 * (FLOOD + 1);

    for (uint32_t k = 0; k < FLOOD; k++) {
        run_send(run, 0, RUN_BEGIN + 10 + 20 * k, 1, 0);
        run_receive(run, 1, RUN_BEGIN + 10 + 30 * k, RUN_BEGIN + 30 + 30 * k, 0, 0);
    }
    for (uint32_t k = 0; k < FLOOD; k++) { /* each is waited for, for 10 at least */
        run_send(run, 1, back + 20 + 50 * k, 0, 1);
        run_receive(run, 0, back + 10 + 50 * k - 10 * (k % 2), back + 40 + 50 * k, 1, 1);
    }
    run->at[0] = run->at[1] = back + 60 * FLOOD;
}

void irregular_threads(struct run *run)
{
    uint64_t at[3][3];
    struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                               .region = MAKER_ALLREDUCE,
                               .root = OTF2_UNDEFINED_UINT32,
                               .sent = 8,
                               .received = 8 };
    const uint64_t all[3] = { 0, 1, 2 };

    for (uint32_t i = 0; i < 9; i++) {
        at[i / 3][i % 3] = RUN_BEGIN + 10;
    }
    for (uint32_t step = 0; step < 300; step++) {
        uint32_t from = step % 3, to = (step + 1 + step / 7 % 2) % 3;
        uint32_t one = (uint32_t)run_some(run, 3) / 10 - 1;
        uint32_t other = (uint32_t)run_some(run, 3) / 10 - 1;
        uint64_t time = at[from][one] + run_some(run, 30);
        uint64_t enter = at[to][other] + run_some(run, 30);
        uint64_t leave = later(time, enter) + 10;

        if (run_keeps(run, from, time, false)) {
            maker_send(maker_writer(run->maker, from, one), time, time + 10, MAKER_WORLD, to,
                       step % 2, RUN_BYTES);
        }
        run_receive_in(run, to, other, enter, leave, from, step % 2);
        at[from][one] = time + 10;
        at[to][other] = leave;
        if (step % 20 == 19) {
            for (uint32_t i = 0; i < 3; i++) {
                run->at[i] = at[i][0];
            }
            run_meet(run, &part, all, 3, UINT32_MAX);
            for (uint32_t i = 0; i < 3; i++) {
                at[i][0] = run->at[i];
            }
        }
    }
    for (uint32_t i = 0; i < 9; i++) {
        run->at[i / 3] = later(run->at[i / 3], at[i / 3][i % 3]);
    }
}

/* A message of a phase: one that is received at once, or is on its way when the phase ends. */
static void begin_message(struct run *run, uint32_t from, uint32_t to, uint64_t request,
                          bool is_late)
{
    if (!is_late) {
        run_send(run, from, run->at[from], to, 3);
        run_receive(run, to, run->at[to], later(run->at[to], run->at[from]) + 20, from, 3);
        run->at[to] = later(run->at[to], run->at[from]) + 20;
    } else {
        if (request % 2 == 1 && run_keeps(run, to, run->at[to], false)) {
            maker_irecv(run_writer(run, to), run->at[to], request);
        }
        run_send(run, from, run->at[from], to, 4);
        run->at[to] += 10;
    }
    run->at[from] += 10;
}

static void end_message(struct run *run, uint32_t from, uint32_t to, uint64_t request)
{
    if (request % 2 == 0) {
        run_receive(run, to, run->at[to], run->at[to] + 30, from, 4);
    } else if (run_keeps(run, to, run->at[to], false)) {
        maker_wait_recv(run_writer(run, to), run->at[to], run->at[to] + 30, MAKER_WORLD, from, 4,
                        RUN_BYTES, request);
    }
    run->at[to] += 30;
}

void irregular_phases(struct run *run)
{
    static const uint64_t all[5] = { 0, 1, 2, 3, 4 };
    struct maker_part part = { .sent = 8, .received = 8 };

    for (uint32_t step = 0; step < 150; step++) {
        const uint32_t from = step % 5, to = (step + 1 + step / 5 % 3) % 5;
        const bool is_late = run_some(run, 3) == 10;

        for (uint32_t i = 0; i < run->ranks; i++) {
            if (step % 9 == i) { /* a region of the program is left behind the next meeting */
                maker_enter(run_writer(run, i), run->at[i], MAKER_USER);
            }
            run->at[i] += run_some(run, i == step % 7 ? 300 : 20);
        }
        begin_message(run, from, to, 100 + step, is_late);
        part.root = step % 4 == 1 ? from : OTF2_UNDEFINED_UINT32;
        part.operation = step % 4 == 1 ? OTF2_COLLECTIVE_OP_BCAST : OTF2_COLLECTIVE_OP_ALLREDUCE;
        part.region = step % 4 == 1 ? MAKER_BCAST : MAKER_ALLREDUCE;
        run_meet(run, &part, all, 5, part.root);
        if (step % 9 < run->ranks) {
            maker_leave(run_writer(run, step % 9), run->at[step % 9], MAKER_USER);
        }
        if (is_late) {
            end_message(run, from, to, 100 + step);
        }
    }
}

/* The second thread of a rank, which serves the main threads of others. */
struct server {
    uint64_t at; /* it waits from then on */
    bool has_posted;
};

enum { TAG_ASK = 5, TAG_REPLY, TAG_NOTE, SERVER = 1, NOTER };

#define SERVERS 4u

/* The server of rank gets what is sent at a time; it has posted the receive before, now and then.
 */
static void serve(struct run *run, struct server *servers, uint32_t rank, uint32_t from,
                  uint32_t tag, uint64_t sent)
{
    struct server *server = &servers[rank];
    OTF2_EvtWriter *writer = maker_writer(run->maker, rank, SERVER);
    const uint64_t leave = later(server->at, sent) + 10;

    if (!server->has_posted) {
        run_receive_in(run, rank, SERVER, server->at, leave, from, tag);
    } else if (run_keeps(run, rank, server->at, true)) {
        maker_wait_recv(writer, server->at, leave, MAKER_WORLD, from, tag, RUN_BYTES, 9);
    }
    server->at = leave + run_some(run, 10);
    server->has_posted = false;
}

/* … and replies at once. */
static void reply(const struct run *run, struct server *servers, uint32_t rank, uint32_t to)
{
    struct server *server = &servers[rank];

    if (run_keeps(run, rank, server->at, false)) {
        maker_send(maker_writer(run->maker, rank, SERVER), server->at, server->at + 10,
                   MAKER_WORLD, to, TAG_REPLY, RUN_BYTES);
    }
    server->at += 20;
}

static void take_reply(struct run *run, const struct server *servers, uint32_t rank, uint32_t from)
{
    const uint64_t leave = later(run->at[rank], servers[from].at) + 10;

    run_receive(run, rank, run->at[rank], leave, from, TAG_REPLY);
    run->at[rank] = leave + 10;
}

/* Before the next meeting, or behind it, a third thread sends to the server of the next rank, which
 * posts its next receive then. */
static void note(struct run *run, struct server *servers, uint32_t rank, uint64_t *noted)
{
    const uint32_t to = (rank + 1) % SERVERS;
    const uint64_t time = later(*noted, run->at[rank]) + run_some(run, 60);

    if (run_keeps(run, rank, time, false)) {
        maker_send(maker_writer(run->maker, rank, NOTER), time, time + 10, MAKER_WORLD, to,
                   TAG_NOTE, RUN_BYTES);
    }
    *noted = time + 20;
    serve(run, servers, to, rank, TAG_NOTE, time);
    servers[to].has_posted = run_keeps(run, to, servers[to].at, false);
    if (servers[to].has_posted) {
        maker_irecv(maker_writer(run->maker, to, SERVER), servers[to].at, 9);
    }
    servers[to].at += 20;
}

void irregular_servers(struct run *run)
{
    static const uint64_t all[SERVERS] = { 0, 1, 2, 3 };
    struct server servers[SERVERS] = { 0 };
    uint64_t noted[SERVERS] = { 0 };
    struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                               .region = MAKER_ALLREDUCE,
                               .root = OTF2_UNDEFINED_UINT32,
                               .sent = 8,
                               .received = 8 };

    for (uint32_t i = 0; i < SERVERS; i++) {
        servers[i].at = noted[i] = RUN_BEGIN + 20;
        maker_enter(maker_writer(run->maker, i, SERVER), RUN_BEGIN + 10, MAKER_USER);
    }
    for (uint32_t step = 0; step < 150; step++) {
        const uint32_t from = step % SERVERS, to = (step + 1 + step / 4 % 3) % SERVERS;

        for (uint32_t i = 0; i < SERVERS; i++) {
            run->at[i] += run_some(run, i == step % 7 ? 300 : 20);
        }
        run_send(run, from, run->at[from], to, TAG_ASK);
        serve(run, servers, to, from, TAG_ASK, run->at[from]);
        run->at[from] += 20;
        if (step % 6 < 5) { /* of two of six the reply comes when all have met */
            reply(run, servers, to, from);
        }
        if (step % 6 < 4) {
            take_reply(run, servers, from, to);
        }
        if (step % 5 == 3) {
            note(run, servers, step % SERVERS, &noted[step % SERVERS]);
        }
        run_meet(run, &part, all, SERVERS, UINT32_MAX);
        if (step % 6 == 5) {
            servers[to].at = later(servers[to].at, run->at[to]);
            reply(run, servers, to, from);
        }
        if (step % 6 >= 4) {
            take_reply(run, servers, from, to);
        }
    }
    for (uint32_t i = 0; i < SERVERS; i++) {
        run->at[0] = later(run->at[0], later(servers[i].at, noted[i]) + 100);
        maker_leave(maker_writer(run->maker, i, SERVER), servers[i].at + 20, MAKER_USER);
    }
}

/* Two threads of rank 1 wait for the same: in each other step the one that came last gets the first
 * message, and the other one the second, which is sent when main threads have met. Two messages in
 * the end, of two threads of rank 0, nobody receives. */
void irregular_pools(struct run *run)
{
    static const uint64_t all[2] = { 0, 1 };
    const struct maker_part none = { .operation = OTF2_COLLECTIVE_OP_BARRIER,
                                     .region = MAKER_BARRIER,
                                     .root = OTF2_UNDEFINED_UINT32 };
    OTF2_EvtWriter *writer;

    for (uint32_t step = 0; step < 40; step++) {
        const uint64_t begin = run->at[0];
        const uint32_t first = step % 2 == 0 ? 2 : 1, second = 3 - first;
        uint64_t sent = begin + 50 + run_some(run, 20);

        run_send(run, 0, sent, 1, 5);
        run_receive_in(run, 1, first, begin + 10 * first, sent + 20, 0, 5);
        if (step % 2 == 0) {
            run->at[0] = sent + 20;
            run->at[1] = sent + 60;
            run_meet(run, &none, all, 2, UINT32_MAX);
            sent = run->at[0] + 10;
        } else {
            sent += 20;
        }
        run_send(run, 0, sent, 1, 5);
        run_receive_in(run, 1, second, begin + 10 * second, sent + 20, 0, 5);
        run->at[0] = sent + 30;
        run->at[1] = sent + 60;
        run_meet(run, &none, all, 2, UINT32_MAX);
    }
    writer = maker_writer(run->maker, 0, 1);
    maker_isend(writer, run->at[0] + 10, MAKER_WORLD, 1, 5, RUN_BYTES, 9);
    maker_wait_send(writer, run->at[0] + 30, run->at[0] + 40, 9);
    run_send(run, 0, run->at[0] + 50, 1, 5);
    run->at[0] += 70;
}

/* A second thread of rank 1 gets what rank 0 sends when all have met; in each other step, by a
 * clock that is slow, before rank 0 came to the meeting. */
void irregular_clocks(struct run *run)
{
    static const uint64_t all[2] = { 0, 1 };
    const struct maker_part none = { .operation = OTF2_COLLECTIVE_OP_BARRIER,
                                     .region = MAKER_BARRIER,
                                     .root = OTF2_UNDEFINED_UINT32 };

    for (uint32_t step = 0; step < 40; step++) {
        const uint64_t begin = run->at[0];

        run_receive_in(run, 1, 1, begin + 10, begin + (step % 2 == 0 ? 150 : 300), 0, 5);
        run->at[0] = begin + 200;
        run->at[1] = begin + 100 + run_some(run, 5);
        run_meet(run, &none, all, 2, UINT32_MAX);
        run_send(run, 0, run->at[0] + 10, 1, 5);
        run->at[0] = begin + 300;
        run->at[1] = begin + 300 + run_some(run, 10);
        run_meet(run, &none, all, 2, UINT32_MAX);
    }
}
