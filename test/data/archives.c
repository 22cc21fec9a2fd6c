#include "test/data/archives.h"

#include <stddef.h>

#include "test/data/archives_clocks.h"
#include "test/data/archives_comms.h"
#include "test/data/archives_efficiency.h"
#include "test/data/archives_delay.h"
#include "test/data/archives_inter.h"
#include "test/data/archives_returns.h"
#include "test/data/archives_neighbors.h"
#include "test/data/archives_onesided.h"
#include "test/data/archives_page.h"
#include "test/data/archives_probes.h"
#include "test/data/archives_requests.h"
#include "test/data/archives_waits.h"
#include "test/data/maker.h"

/* The sizes of messages in archives where the order matters: neighbours differ. */
static uint64_t size_of(uint64_t number)
{
    return 1 + number % 7;
}

static struct maker *two_ranks(const char *directory, OTF2_EvtWriter **zero, OTF2_EvtWriter **one)
{
    struct maker *maker = maker_create(directory, 2, 1);

    *zero = maker_writer(maker, 0, 0);
    *one = maker_writer(maker, 1, 0);
    maker_init(*zero);
    maker_init(*one);
    return maker;
}

static void finish_two(struct maker *maker, OTF2_EvtWriter *zero, OTF2_EvtWriter *one,
                       uint64_t time)
{
    maker_finalize(zero, time);
    maker_finalize(one, time);
    maker_finish(maker);
}

/*
 * Rank 0: run 100 to 1000; a send of 1000 bytes, 50 ns; ten polls, 50 ns inside.
 * Rank 1: run 100 to 1100; a receive, 150 ns.
 */
void make_plain(const char *directory)
{
    OTF2_EvtWriter *zero, *one;
    struct maker *maker = two_ranks(directory, &zero, &one);

    maker_send(zero, 200, 250, MAKER_WORLD, 1, 7, 1000);
    maker_recv(one, 150, 300, MAKER_WORLD, 0, 7, 1000);
    maker_enter_polls(zero, 300, MAKER_TEST, 10, 50);
    maker_leave(zero, 500, MAKER_TEST);
    maker_finalize(zero, 1000);
    maker_finalize(one, 1100);
    maker_finish(maker);
}

/*
 * Receives are completed in the opposite order of their posting: matched as they were
 * posted, sizes agree; as they were completed, 100 would meet 200. As MPI_Mprobe and
 * MPI_Mrecv are recorded, too.
 */
void make_reordered(const char *directory)
{
    OTF2_EvtWriter *zero, *one;
    struct maker *maker = two_ranks(directory, &zero, &one);

    maker_send(zero, 200, 210, MAKER_WORLD, 1, 5, 100);
    maker_send(zero, 300, 310, MAKER_WORLD, 1, 5, 200);
    maker_send(zero, 400, 410, MAKER_WORLD, 1, 6, 300);
    maker_irecv(one, 150, 1);
    maker_irecv(one, 160, 2);
    maker_irecv(one, 170, 3);
    maker_wait_recv(one, 480, 500, MAKER_WORLD, 0, 6, 300, 3);
    maker_wait_recv(one, 500, 510, MAKER_WORLD, 0, 5, 200, 2);
    maker_wait_recv(one, 510, 600, MAKER_WORLD, 0, 5, 100, 1);
    finish_two(maker, zero, one, 1000);
}

#define LONG_MESSAGES 20000u

/* Request 1 is posted first; 20,000 others of the same channel come and go before it ends. */
static void write_long(OTF2_EvtWriter *zero, OTF2_EvtWriter *one, uint64_t skipped)
{
    uint64_t time = 200;

    maker_irecv(one, 110, 1);
    if (skipped) {
        maker_send(zero, time, time + 1, MAKER_WORLD, 1, 5, size_of(0));
    }
    for (uint64_t i = 1; i <= LONG_MESSAGES; i++) {
        time += 10;
        maker_send(zero, time, time + 1, MAKER_WORLD, 1, 5, size_of(i));
        maker_irecv(one, time, 1 + i);
        maker_wait_recv(one, time + 2, time + 3, MAKER_WORLD, 0, 5, size_of(i), 1 + i);
    }
}

/* Request 1 got the first message, but is waited for after the 20,000 others. */
void make_long_pending(const char *directory)
{
    OTF2_EvtWriter *zero, *one;
    struct maker *maker = two_ranks(directory, &zero, &one);

    write_long(zero, one, 1);
    maker_wait_recv(one, 300000, 300010, MAKER_WORLD, 0, 5, size_of(0), 1);
    finish_two(maker, zero, one, 400000);
}

/* The same; the 20,000 others are received by calls that block. */
void make_long_pending_blocking(const char *directory)
{
    OTF2_EvtWriter *zero, *one;
    struct maker *maker = two_ranks(directory, &zero, &one);
    uint64_t time = 200;

    maker_irecv(one, 110, 1);
    maker_send(zero, time, time + 1, MAKER_WORLD, 1, 5, size_of(0));
    for (uint64_t i = 1; i <= LONG_MESSAGES; i++) {
        time += 10;
        maker_send(zero, time, time + 1, MAKER_WORLD, 1, 5, size_of(i));
        maker_recv(one, time + 2, time + 3, MAKER_WORLD, 0, 5, size_of(i));
    }
    maker_wait_recv(one, 300000, 300010, MAKER_WORLD, 0, 5, size_of(0), 1);
    finish_two(maker, zero, one, 400000);
}

/* Request 1 is pending at the end. */
void make_never_completed(const char *directory)
{
    OTF2_EvtWriter *zero, *one;
    struct maker *maker = two_ranks(directory, &zero, &one);

    write_long(zero, one, 0);
    finish_two(maker, zero, one, 400000);
}

/*
 * Rank 1's first receive (request 1) and rank 0's first send (request 11, 111 bytes) are
 * cancelled; 222 bytes go from the second send to the second receive. A third send, of 333
 * bytes on tag 6, is cancelled after a receive that got the fourth, of 444 bytes.
 */
void make_cancelled(const char *directory)
{
    OTF2_EvtWriter *zero, *one;
    struct maker *maker = two_ranks(directory, &zero, &one);

    maker_isend(zero, 200, MAKER_WORLD, 1, 5, 111, 11);
    maker_cancel(zero, 210, 220, 11);
    maker_isend(zero, 230, MAKER_WORLD, 1, 5, 222, 12);
    maker_wait_send(zero, 240, 250, 12);
    maker_isend(zero, 260, MAKER_WORLD, 1, 6, 333, 13);
    maker_isend(zero, 270, MAKER_WORLD, 1, 6, 444, 14);
    maker_wait_send(zero, 280, 290, 14);
    maker_cancel(zero, 700, 710, 13);
    maker_irecv(one, 150, 1);
    maker_cancel(one, 160, 170, 1);
    maker_irecv(one, 180, 2);
    maker_wait_recv(one, 190, 300, MAKER_WORLD, 0, 5, 222, 2);
    maker_recv(one, 310, 400, MAKER_WORLD, 0, 6, 444);
    finish_two(maker, zero, one, 1000);
}

/*
 * Groups {0, 1} and {3, 2} of an intercommunicator: 0 sends 10 bytes to remote rank 0,
 * world rank 3, and 2 sends 20 bytes to remote rank 1, world rank 1.
 */
void make_inter_comm(const char *directory)
{
    static const uint64_t left[] = { 0, 1 };
    static const uint64_t right[] = { 3, 2 };
    struct maker *maker = maker_create(directory, 4, 1);
    OTF2_EvtWriter *writers[4];

    maker_inter_comm(maker, "bridge", MAKER_WORLD, 2, left, 2, right);
    for (uint32_t i = 0; i < 4; i++) {
        writers[i] = maker_writer(maker, i, 0);
        maker_init(writers[i]);
    }
    maker_send(writers[0], 200, 210, 2, 0, 1, 10);
    maker_recv(writers[3], 200, 220, 2, 0, 1, 10);
    maker_send(writers[2], 200, 210, 2, 1, 1, 20);
    maker_recv(writers[1], 200, 220, 2, 1, 1, 20);
    for (uint32_t i = 0; i < 4; i++) {
        maker_finalize(writers[i], 1000);
    }
    maker_finish(maker);
}

/*
 * Two threads of rank 1 receive on one channel: the one that entered first, at 150, gets
 * the first message (100 bytes) at 400; the other, at 160, the second (200 bytes) at 300.
 * Thread 1 also waits for a request that thread 0 posted.
 */
void make_threads(const char *directory)
{
    struct maker *maker = maker_create(directory, 2, 2);
    OTF2_EvtWriter *zero = maker_writer(maker, 0, 0);
    OTF2_EvtWriter *main_thread = maker_writer(maker, 1, 0);
    OTF2_EvtWriter *other = maker_writer(maker, 1, 1);

    maker_init(zero);
    maker_init(main_thread);
    maker_send(zero, 200, 210, MAKER_WORLD, 1, 5, 100);
    maker_send(zero, 250, 260, MAKER_WORLD, 1, 5, 200);
    maker_send(zero, 500, 510, MAKER_WORLD, 1, 5, 300);
    maker_recv(other, 150, 400, MAKER_WORLD, 0, 5, 100);
    maker_recv(main_thread, 160, 300, MAKER_WORLD, 0, 5, 200);
    maker_irecv(main_thread, 420, 1);
    maker_wait_recv(other, 430, 520, MAKER_WORLD, 0, 5, 300, 1);
    maker_finalize(zero, 1000);
    maker_finalize(main_thread, 1000);
    maker_finish(maker);
}

/* A message between main threads, the receive of which ends 10 before the send; another thread of
 * rank 1 computes, and does not call MPI. */
void make_working_threads(const char *directory)
{
    struct maker *maker = maker_create(directory, 2, 2);
    OTF2_EvtWriter *zero = maker_writer(maker, 0, 0);
    OTF2_EvtWriter *main_thread = maker_writer(maker, 1, 0);
    OTF2_EvtWriter *other = maker_writer(maker, 1, 1);

    maker_init(zero);
    maker_init(main_thread);
    maker_send(zero, 200, 210, MAKER_WORLD, 1, 5, 100);
    maker_recv(main_thread, 150, 190, MAKER_WORLD, 0, 5, 100);
    maker_enter(other, 150, MAKER_USER);
    maker_leave(other, 500, MAKER_USER);
    maker_finalize(zero, 1000);
    maker_finalize(main_thread, 1000);
    maker_finish(maker);
}

/*
 * Rank 1's clock is 500 behind at its time 0 and 700 at its time 1000: its receive that
 * ended at its 100 ended at 620, after the send at 600.
 */
void make_clocks(const char *directory)
{
    struct maker *maker = maker_create(directory, 2, 1);
    OTF2_EvtWriter *zero = maker_writer(maker, 0, 0);
    OTF2_EvtWriter *one = maker_writer(maker, 1, 0);

    maker_clock(maker, 1, 0, 500);
    maker_clock(maker, 1, 1000, 700);
    maker_init(zero);
    maker_send(zero, 600, 610, MAKER_WORLD, 1, 5, 100);
    maker_recv(one, 50, 100, MAKER_WORLD, 0, 5, 100);
    maker_finalize(zero, 1000);
    maker_finalize(one, 1000);
    maker_finish(maker);
}

/* Two receives end 50 and 30 before their sends begin; a third is fine. */
void make_violated(const char *directory)
{
    OTF2_EvtWriter *zero, *one;
    struct maker *maker = two_ranks(directory, &zero, &one);

    maker_send(zero, 300, 310, MAKER_WORLD, 1, 5, 100);
    maker_send(zero, 400, 410, MAKER_WORLD, 1, 5, 100);
    maker_send(zero, 500, 510, MAKER_WORLD, 1, 5, 100);
    maker_recv(one, 200, 250, MAKER_WORLD, 0, 5, 100);
    maker_recv(one, 260, 370, MAKER_WORLD, 0, 5, 100);
    maker_recv(one, 400, 520, MAKER_WORLD, 0, 5, 100);
    finish_two(maker, zero, one, 1000);
}

/*
 * As other tools write it: rank 0 is in "solve" from 200 to 900, in it MPI_Allreduce from
 * 300 to 700 (8 bytes each way), in which MPI_Send from 400 to 450 was recorded too.
 * Rank 1 has the MPI_Recv, from 400 to 500, in its MPI_Allreduce from 310 to 700.
 */
void make_nested(const char *directory)
{
    OTF2_EvtWriter *zero, *one;
    struct maker *maker = two_ranks(directory, &zero, &one);

    maker_enter(zero, 200, MAKER_USER);
    maker_enter(zero, 300, MAKER_ALLREDUCE);
    OTF2_EvtWriter_MpiCollectiveBegin(zero, NULL, 300);
    maker_send(zero, 400, 450, MAKER_WORLD, 1, 5, 100);
    OTF2_EvtWriter_MpiCollectiveEnd(zero, NULL, 700, OTF2_COLLECTIVE_OP_ALLREDUCE, MAKER_WORLD,
                                    OTF2_UNDEFINED_UINT32, 8, 8);
    maker_leave(zero, 700, MAKER_ALLREDUCE);
    maker_leave(zero, 900, MAKER_USER);
    maker_enter(one, 310, MAKER_ALLREDUCE);
    OTF2_EvtWriter_MpiCollectiveBegin(one, NULL, 310);
    maker_recv(one, 400, 500, MAKER_WORLD, 0, 5, 100);
    OTF2_EvtWriter_MpiCollectiveEnd(one, NULL, 700, OTF2_COLLECTIVE_OP_ALLREDUCE, MAKER_WORLD,
                                    OTF2_UNDEFINED_UINT32, 8, 8);
    maker_leave(one, 700, MAKER_ALLREDUCE);
    finish_two(maker, zero, one, 1000);
}

/*
 * MPI calls a function of the program: rank 0 is in MPI_Allreduce from 300 to 700, in it in
 * "solve" from 400 to 500, and there in MPI_Send from 420 to 440. Rank 1 is in MPI_Allreduce from
 * 310 to 700, with MPI_Recv in it from 430 to 450.
 */
void make_callback(const char *directory)
{
    OTF2_EvtWriter *zero, *one;
    struct maker *maker = two_ranks(directory, &zero, &one);

    maker_enter(zero, 300, MAKER_ALLREDUCE);
    maker_enter(zero, 400, MAKER_USER);
    maker_send(zero, 420, 440, MAKER_WORLD, 1, 5, 100);
    maker_leave(zero, 500, MAKER_USER);
    maker_leave(zero, 700, MAKER_ALLREDUCE);
    maker_enter(one, 310, MAKER_ALLREDUCE);
    maker_recv(one, 430, 450, MAKER_WORLD, 0, 5, 100);
    maker_leave(one, 700, MAKER_ALLREDUCE);
    finish_two(maker, zero, one, 1000);
}

/* Rank 1 paused while it received one of two messages; rank 0 received from nowhere. */
void make_paused(const char *directory)
{
    OTF2_EvtWriter *zero, *one;
    struct maker *maker = two_ranks(directory, &zero, &one);

    maker_send(zero, 200, 210, MAKER_WORLD, 1, 5, 100);
    maker_send(zero, 300, 310, MAKER_WORLD, 1, 5, 100);
    maker_recv(zero, 320, 330, MAKER_WORLD, 1, 9, 50);
    maker_recv(one, 200, 220, MAKER_WORLD, 0, 5, 100);
    OTF2_EvtWriter_MeasurementOnOff(one, NULL, 250, OTF2_MEASUREMENT_OFF);
    OTF2_EvtWriter_MeasurementOnOff(one, NULL, 400, OTF2_MEASUREMENT_ON);
    finish_two(maker, zero, one, 1000);
}

/* Rank 1 died in its MPI_Recv: entered and never left. */
void make_open(const char *directory)
{
    OTF2_EvtWriter *zero, *one;
    struct maker *maker = two_ranks(directory, &zero, &one);

    maker_send(zero, 200, 210, MAKER_WORLD, 1, 5, 100);
    maker_finalize(zero, 1000);
    maker_enter(one, 300, MAKER_RECV);
    maker_finish(maker);
}

/*
 * "half" of ranks {2, 0} lives from 200 (rank 0; 210 on rank 2) to 800 (rank 2; 700 on
 * rank 0), carries a message of 64 bytes from 2 to 0, and an Allreduce of 16 bytes each.
 * Time on it: send 10, receive 110, Allreduce 100 and 90. "kept" of {1} is never freed.
 */
void make_comms(const char *directory)
{
    static const uint64_t half[] = { 2, 0 };
    static const uint64_t kept[] = { 1 };
    struct maker *maker = maker_create(directory, 3, 1);
    OTF2_EvtWriter *writers[3];

    maker_comm(maker, "half", MAKER_WORLD, 2, half);
    maker_comm(maker, "kept", MAKER_WORLD, 1, kept);
    for (uint32_t i = 0; i < 3; i++) {
        writers[i] = maker_writer(maker, i, 0);
        maker_init(writers[i]);
    }
    OTF2_EvtWriter_CommCreate(writers[0], NULL, 200, 2);
    OTF2_EvtWriter_CommCreate(writers[2], NULL, 210, 2);
    OTF2_EvtWriter_CommCreate(writers[1], NULL, 205, 3);
    maker_send(writers[2], 300, 310, 2, 1, 4, 64);
    maker_recv(writers[0], 210, 320, 2, 0, 4, 64);
    for (uint32_t i = 0; i < 3; i += 2) {
        maker_enter(writers[i], 400 + 5 * i, MAKER_ALLREDUCE);
        OTF2_EvtWriter_MpiCollectiveBegin(writers[i], NULL, 400 + 5 * i);
        OTF2_EvtWriter_MpiCollectiveEnd(writers[i], NULL, 500, OTF2_COLLECTIVE_OP_ALLREDUCE, 2,
                                        OTF2_UNDEFINED_UINT32, 16, 16);
        maker_leave(writers[i], 500, MAKER_ALLREDUCE);
    }
    OTF2_EvtWriter_CommDestroy(writers[0], NULL, 700, 2);
    OTF2_EvtWriter_CommDestroy(writers[2], NULL, 800, 2);
    for (uint32_t i = 0; i < 3; i++) {
        maker_finalize(writers[i], 1000);
    }
    maker_finish(maker);
}

/* Definitions, but no events at all. */
void make_empty(const char *directory)
{
    maker_finish(maker_create(directory, 2, 1));
}

/* A clock offset that falls by more than time passes: times go backwards at the third event. */
void make_backwards(const char *directory)
{
    struct maker *maker = maker_create(directory, 1, 1);
    OTF2_EvtWriter *zero = maker_writer(maker, 0, 0);

    maker_clock(maker, 0, 0, 5000);
    maker_clock(maker, 0, 1000, 0);
    maker_init(zero);
    maker_finalize(zero, 900);
    maker_finish(maker);
}

const struct made_archive made_archives[] = {
    { "plain", make_plain },
    { "reordered", make_reordered },
    { "long_pending", make_long_pending },
    { "never_completed", make_never_completed },
    { "cancelled", make_cancelled },
    { "inter_comm", make_inter_comm },
    { "threads", make_threads },
    { "working_threads", make_working_threads },
    { "clocks", make_clocks },
    { "violated", make_violated },
    { "clock_jump", make_clock_jump },
    { "clock_probes", make_clock_probes },
    { "clock_collectives", make_clock_collectives },
    { "nested", make_nested },
    { "callback", make_callback },
    { "paused", make_paused },
    { "open", make_open },
    { "comms", make_comms },
    { "comm_lives", make_comm_lives },
    { "comm_stranger", make_comm_stranger },
    { "comm_mistakes", make_comm_mistakes },
    { "comm_objects", make_comm_objects },
    { "empty", make_empty },
    { "backwards", make_backwards },
    { "uneven", make_uneven },
    { "longer", make_longer },
    { "names", make_names },
    { "origin", make_origin },
    { "waits_messages", make_waits_messages },
    { "waits_order", make_waits_order },
    { "waits_collective", make_waits_collective },
    { "waits_behind", make_waits_behind },
    { "waits_for_last", make_waits_for_last },
    { "waits_for_return", make_waits_for_return },
    { "waits_for_handing_on", make_waits_for_handing_on },
    { "waits_for_taking", make_waits_for_taking },
    { "waits_for_completion", make_waits_for_completion },
    { "waits_for_beginning", make_waits_for_beginning },
    { "held_operations", make_held_operations },
    { "waits_threads", make_waits_threads },
    { "waits_losses", make_waits_losses },
    { "waits_together", make_waits_together },
    { "waits_cancelled", make_waits_cancelled },
    { "waits_forgotten", make_waits_forgotten },
    { "waits_lost_ends", make_waits_lost_ends },
    { "waits_inter", make_waits_inter },
    { "waits_own_group", make_waits_own_group },
    { "waits_rooted_groups", make_waits_rooted_groups },
    { "probes", make_probes },
    { "polls", make_polls },
    { "probed_workers", make_probed_workers },
    { "probes_at_once", make_probes_at_once },
    { "requests", make_requests },
    { "delay_chain", make_delay_chain },
    { "delay_late_start", make_delay_late_start },
    { "delay_shared", make_delay_shared },
    { "delay_at_once", make_delay_at_once },
    { "delay_inside", make_delay_inside },
    { "delay_uneven", make_delay_uneven },
    { "waits_neighbors", make_waits_neighbors },
    { "waits_alltoallv", make_waits_alltoallv },
    { "onesided_posts", make_onesided_posts },
    { "onesided_locks", make_onesided_locks },
    { "onesided_held_up", make_onesided_held_up },
    { "onesided_turns", make_onesided_turns },
    { "onesided_late_locks", make_onesided_late_locks },
    { "onesided_fences", make_onesided_fences },
    { "onesided_path", make_onesided_path },
    { "onesided_fence_path", make_onesided_fence_path },
    { "chain", make_chain },
    { "ring", make_ring },
    { "any_source", make_any_source },
    { "allreduce", make_allreduce },
    { "rooted", make_rooted },
    { "halo", make_halo },
    { "outside", make_outside },
    { "overlap", make_overlap },
    { "overlap_lost", make_overlap_lost },
    { "late_post", make_late_post },
    { "region", make_region },
    { NULL, NULL },
};
