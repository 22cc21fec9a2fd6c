#include "test/bench/shapes.h"

#include <stdbool.h>

#include <otf2/otf2.h>

/* Messages, collectives, and what a program says of itself. */

static void run_ring(struct process *process, uint64_t steps)
{
    for (uint64_t i = 0; i < steps; i++) {
        exchange(process, 2 * i);
        collective(process, 2 * i + 1, MW_CALL_MPI_Allreduce, MW_COMM_WORLD,
                   OTF2_COLLECTIVE_OP_ALLREDUCE, MW_ROOT_NONE);
    }
}

static void ranks(struct process *process)
{
    run_ring(process, 10);
}

static void messages(struct process *process)
{
    run_ring(process, process->n);
}

/* One rank is not there any more when the others meet. */
static void meet_without_one(struct process *process, uint64_t steps)
{
    for (uint64_t i = 0; i < steps && (process->rank != 1 || i < 3); i++) {
        collective(process, i, MW_CALL_MPI_Allreduce, MW_COMM_WORLD, OTF2_COLLECTIVE_OP_ALLREDUCE,
                   MW_ROOT_NONE);
        for (uint64_t k = 0; k < 4; k++) {
            whole_call(process, MW_CALL_MPI_Iprobe,
                       step_time(i) + SHAPES_STEP / 2 + k * 1000 + jitter(process->rank, k, 900),
                       50);
        }
    }
}

static void ranks_less_one(struct process *process)
{
    meet_without_one(process, 32);
}

static void collectives_less_one(struct process *process)
{
    meet_without_one(process, process->n);
}

static void to_one(struct process *process)
{
    for (uint64_t i = 0; i < 8; i++) {
        if (process->rank > 0) {
            enter(process, MW_CALL_MPI_Send, step_time(i) + jitter(process->rank, i, SHAPES_STEP));
            add_message(process, MW_MEMBER_SEND, MW_COMM_WORLD, 0, 1);
            leave(process, process->time + 100);
            continue;
        }
        for (uint32_t peer = 1; peer < process->ranks; peer++) {
            enter(process, MW_CALL_MPI_Recv, step_time(i) + peer);
            add_plain(process, MW_MEMBER_WILDCARDS, MW_WILDCARD_SOURCE);
            add_message(process, MW_MEMBER_RECV, MW_COMM_WORLD, peer, 1);
            leave(process, step_time(i) + SHAPES_STEP + 20 * peer);
        }
    }
}

/* A message goes from rank to rank: who waits makes the next one wait. */
static void chains(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        uint64_t passed = step_time(i) + 9000 * process->rank;

        if (process->rank > 0) {
            enter(process, MW_CALL_MPI_Recv,
                  step_time(i) + jitter(process->rank, i, 9000 * process->rank));
            add_message(process, MW_MEMBER_RECV, MW_COMM_WORLD, process->rank - 1, 1);
            leave(process, passed);
        }
        if (process->rank + 1 < process->ranks) {
            enter(process, MW_CALL_MPI_Send, passed + jitter(process->rank, i + 1, 8000));
            add_message(process, MW_MEMBER_SEND, MW_COMM_WORLD, process->rank + 1, 1);
            leave(process, process->time + 100);
        }
    }
}

static void collectives(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        int32_t root = (int32_t)(i % process->ranks);

        switch (jitter(i, 0, 4)) {
        case 0:
            collective(process, i, MW_CALL_MPI_Bcast, MW_COMM_WORLD, OTF2_COLLECTIVE_OP_BCAST,
                       root);
            break;
        case 1:
            collective(process, i, MW_CALL_MPI_Reduce, MW_COMM_WORLD, OTF2_COLLECTIVE_OP_REDUCE,
                       root);
            break;
        case 2:
            collective(process, i, MW_CALL_MPI_Scan, MW_COMM_WORLD, OTF2_COLLECTIVE_OP_SCAN,
                       MW_ROOT_NONE);
            break;
        default:
            collective(process, i, MW_CALL_MPI_Barrier, MW_COMM_WORLD, OTF2_COLLECTIVE_OP_BARRIER,
                       MW_ROOT_NONE);
        }
    }
}

/* Rank 0 sends n messages before rank 1 receives the first, in the order of their tags. */
static void send_all_then_receive(struct process *process, bool reversed, uint32_t tags)
{
    for (uint64_t i = 0; i < process->n; i++) {
        uint64_t number = reversed && process->rank == 1 ? process->n - 1 - i : i;

        if (process->rank == 0) {
            enter(process, MW_CALL_MPI_Send, step_time(0) + 200 * i + jitter(0, i, 100));
            add_message(process, MW_MEMBER_SEND, MW_COMM_WORLD, 1, (uint32_t)(number % tags));
        } else {
            enter(process, MW_CALL_MPI_Recv,
                  step_time(1) + 200 * (process->n + i) + jitter(1, i, 100));
            add_message(process, MW_MEMBER_RECV, MW_COMM_WORLD, 0, (uint32_t)(number % tags));
        }
        leave(process, process->time + 20);
    }
}

static void unexpected(struct process *process)
{
    send_all_then_receive(process, false, 1);
}

static void unexpected_reversed(struct process *process)
{
    send_all_then_receive(process, true, UINT32_MAX);
}

static void ping_pong(struct process *process, uint64_t first, uint64_t count)
{
    for (uint64_t i = first; i < first + count; i++) {
        bool sends = i % 2 == process->rank;
        uint64_t peer = 1 - process->rank;

        enter(process, sends ? MW_CALL_MPI_Send : MW_CALL_MPI_Recv,
              step_time(i) + jitter(process->rank, i, 5000));
        add_message(process, sends ? MW_MEMBER_SEND : MW_MEMBER_RECV, MW_COMM_WORLD,
                    (uint32_t)peer, 2);
        leave(process, step_time(i) + 6000 + jitter(process->rank, i + 1, 100));
    }
}

static void post_receives(struct process *process, uint64_t wildcards)
{
    for (uint64_t i = 0; i < process->n; i++) {
        enter(process, MW_CALL_MPI_Irecv, step_time(0) + 100 * i);
        if (wildcards) {
            add_plain(process, MW_MEMBER_WILDCARDS, (uint32_t)wildcards);
        }
        add_request(process, MW_MEMBER_IRECV_POST, 10 + i);
        leave(process, process->time + 20);
    }
}

/* n receives for anybody that nobody ever sends to, and n messages meanwhile. */
static void receives_never_matched(struct process *process)
{
    if (process->rank == 1) {
        post_receives(process, MW_WILDCARD_SOURCE | MW_WILDCARD_TAG);
    }
    ping_pong(process, 1 + process->n / 500, process->n);
}

static void post_sends(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        enter(process, MW_CALL_MPI_Isend, step_time(0) + 100 * i + jitter(0, i, 50));
        add_request_message(process, MW_MEMBER_ISEND, 1, 3, 10 + i);
        leave(process, process->time + 20);
    }
}

/* n requests on both sides, completed by one call. */
static void requests_at_once(struct process *process)
{
    bool sends = process->rank == 0;

    if (sends) {
        post_sends(process);
    } else {
        post_receives(process, 0);
    }
    enter(process, MW_CALL_MPI_Waitall, step_time(1) + 100 * process->n);
    for (uint64_t i = 0; i < process->n; i++) {
        if (sends) {
            add_request(process, MW_MEMBER_SEND_COMPLETE, 10 + i);
        } else {
            add_request_message(process, MW_MEMBER_RECV_COMPLETE, 0, 3, 10 + i);
        }
    }
    leave(process, step_time(2) + 200 * process->n);
}

/* n requests on both sides, completed one after the other, the last one first. */
static void requests_backwards(struct process *process)
{
    bool sends = process->rank == 0;

    if (sends) {
        post_sends(process);
    } else {
        post_receives(process, 0);
    }
    for (uint64_t i = process->n; i-- > 0;) {
        enter(process, MW_CALL_MPI_Waitany, step_time(1) + 100 * process->n);
        if (sends) {
            add_request(process, MW_MEMBER_SEND_COMPLETE, 10 + i);
        } else {
            add_request_message(process, MW_MEMBER_RECV_COMPLETE, 0, 3, 10 + i);
        }
        leave(process, process->time + 100);
    }
}

static void sends_cancelled(struct process *process)
{
    if (process->rank == 1) {
        return;
    }
    post_sends(process);
    for (uint64_t i = process->n; i-- > 0;) {
        whole_call(process, MW_CALL_MPI_Cancel, step_time(1) + 100 * process->n, 10);
        enter(process, MW_CALL_MPI_Wait, 0);
        add_request(process, MW_MEMBER_CANCELLED, 10 + i);
        leave(process, process->time + 10);
    }
}

/* n non-blocking collectives, completed the last one first. */
static void collectives_outstanding(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        enter(process, MW_CALL_MPI_Iallreduce, step_time(0) + 100 * i);
        add_request(process, MW_MEMBER_COLL_POST, 10 + i);
        leave(process, process->time + 20);
    }
    for (uint64_t i = process->n; i-- > 0;) {
        struct mw_request_collective_member *of;

        enter(process, MW_CALL_MPI_Wait, step_time(1) + 100 * process->n);
        of = mw_spool_member(&process->spool, MW_MEMBER_COLL_COMPLETE, sizeof *of, MW_COMM_WORLD);
        of->collective.root = MW_ROOT_NONE;
        of->collective.operation = OTF2_COLLECTIVE_OP_ALLREDUCE;
        of->collective.bytes_sent = of->collective.bytes_received = 8;
        of->request = 10 + i;
        mw_spool_commit(of);
        leave(process, process->time + 100);
    }
}

/* Rank 1 is in one call while rank 0 makes n. */
static void one_long_call(struct process *process)
{
    if (process->rank == 1) {
        enter(process, MW_CALL_MPI_Recv, step_time(0));
        add_message(process, MW_MEMBER_RECV, MW_COMM_WORLD, 0, 1);
        leave(process, step_time(1) + 200 * process->n);
        return;
    }
    for (uint64_t i = 0; i < process->n; i++) {
        enter(process, MW_CALL_MPI_Send, step_time(0) + 200 * i + jitter(0, i, 99));
        add_message(process, MW_MEMBER_SEND, MW_COMM_WORLD, 0, 2);
        leave(process, process->time + 20);
    }
    enter(process, MW_CALL_MPI_Send, step_time(0) + 200 * process->n);
    add_message(process, MW_MEMBER_SEND, MW_COMM_WORLD, 1, 1);
    leave(process, process->time + 20);
}

static void polls(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        enter(process, MW_CALL_MPI_Testall, step_time(0) + 200 * i + jitter(0, i, 99));
        process->call->repeat = 7;
        leave(process, process->time + 50);
    }
}

/* --- what a program says ------------------------------------------------------------------ */

static void say(struct process *process, enum mw_record_type type, uint64_t number)
{
    mark(process, MW_RECORD_USER, process->time + 100 + jitter(process->rank, number, 100));
    add_plain(process, type, (uint32_t)number);
    leave(process, 0);
}

static void define_words(struct process *process, enum mw_definition_kind kind, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        char name[32] = "step ";
        char *digit = name + 5;
        struct mw_definition definition = { .kind = kind };

        for (uint64_t rest = i + 1; rest > 0; rest /= 10) {
            *digit++ = (char)('0' + rest % 10);
        }
        if (kind == MW_DEFINE_REGION) {
            definition.of.region = (struct mw_define_region){ (uint32_t)i, name };
        } else {
            definition.of.text = (struct mw_define_text){ (uint32_t)i, name };
        }
        define(process, &definition);
    }
}

/* n regions of one name, each within the one before. */
static void regions_nested(struct process *process)
{
    define_words(process, MW_DEFINE_REGION, 1);
    for (uint64_t i = 0; i < process->n; i++) {
        say(process, MW_MEMBER_REGION_BEGIN, 0);
    }
    whole_call(process, MW_CALL_MPI_Iprobe, 0, 100);
    for (uint64_t i = 0; i < process->n; i++) {
        say(process, MW_MEMBER_REGION_END, 0);
    }
}

static void regions(struct process *process)
{
    define_words(process, MW_DEFINE_REGION, process->n);
    for (uint64_t i = 0; i < process->n; i++) {
        say(process, MW_MEMBER_REGION_BEGIN, i);
        whole_call(process, MW_CALL_MPI_Iprobe, 0, 100);
        say(process, MW_MEMBER_REGION_END, i);
    }
}

/* Each rank goes through 40 regions. */
static void ranks_in_regions(struct process *process)
{
    define_words(process, MW_DEFINE_REGION, 40);
    for (uint64_t i = 0; i < 40; i++) {
        say(process, MW_MEMBER_REGION_BEGIN, i);
        collective(process, i, MW_CALL_MPI_Barrier, MW_COMM_WORLD, OTF2_COLLECTIVE_OP_BARRIER,
                   MW_ROOT_NONE);
        say(process, MW_MEMBER_REGION_END, i);
    }
}

static void markers(struct process *process)
{
    define_words(process, MW_DEFINE_TEXT, process->n);
    for (uint64_t i = 0; i < process->n; i++) {
        say(process, MW_MEMBER_MARKER, i);
    }
}

/* --- threads ---------------------------------------------------------------------------- */

static void threads(struct process *process)
{
    for (uint64_t i = 0; i < 100; i++) {
        uint64_t begin = step_time(i) + jitter(process->thread, i, SHAPES_STEP / 2);

        enter(process, MW_CALL_MPI_Sendrecv, begin);
        add_message(process, MW_MEMBER_SEND, MW_COMM_WORLD, 1 - process->rank, process->thread);
        add_message(process, MW_MEMBER_RECV, MW_COMM_WORLD, 1 - process->rank, process->thread);
        leave(process, step_time(i) + SHAPES_STEP / 2 + jitter(process->thread, i, 1000));
    }
}

const struct shape shapes_plain[] = {
    { "ranks", "ranks in a ring", 200, 1600, 0, 1, ranks, 0 },
    { "ranks-less-one", "ranks that meet without one of them", 200, 1600, 0, 1, ranks_less_one, 0 },
    { "to-one", "ranks that send to one", 200, 1600, 0, 1, to_one, 0 },
    { "messages", "messages in a ring of 4 ranks", 1000, 64000, 4, 1, messages, 0 },
    { "chains", "messages that are passed on by 8 ranks", 2000, 128000, 8, 1, chains, 0 },
    { "collectives", "collectives of 8 ranks", 2000, 128000, 8, 1, collectives, 0 },
    { "collectives-less-one", "collectives of 8 ranks that lack one", 1000, 64000, 8, 1,
      collectives_less_one, 0 },
    { "collectives-outstanding", "non-blocking collectives under way", 5000, 320000, 4, 1,
      collectives_outstanding, 0 },
    { "unexpected", "messages sent before the first is received", 10000, 640000, 2, 1,
      unexpected, 0 },
    { "unexpected-reversed", "the same, received the other way round", 10000, 640000, 2, 1,
      unexpected_reversed, 0 },
    { "receives-never-matched", "receives that stay pending", 5000, 320000, 2, 1,
      receives_never_matched, 0 },
    { "requests-at-once", "requests completed by one call", 10000, 640000, 2, 1,
      requests_at_once, 0 },
    { "requests-backwards", "requests completed the last one first", 10000, 640000, 2, 1,
      requests_backwards, 0 },
    { "sends-cancelled", "sends under way that are cancelled", 10000, 640000, 2, 1,
      sends_cancelled, 0 },
    { "one-long-call", "calls while another rank is in one", 20000, 1280000, 2, 1,
      one_long_call, 0 },
    { "polls", "records of polls", 20000, 1280000, 2, 1, polls, 0 },
    { "ranks-in-regions", "ranks in regions", 200, 1600, 0, 1, ranks_in_regions, 0 },
    { "regions", "regions with names of their own", 5000, 80000, 2, 1, regions, 0 },
    { "regions-nested", "depth of nested regions", 5000, 80000, 2, 1, regions_nested, 0 },
    { "markers", "markers with texts of their own", 10000, 80000, 2, 1, markers, 0 },
    { "threads", "threads of 2 ranks", 25, 400, 2, 0, threads, 0 },
    { NULL, NULL, 0, 0, 0, 0, NULL, 0 }
};
