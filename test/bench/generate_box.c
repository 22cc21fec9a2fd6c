/*
 * generate_box DIRECTORY RANKS STEPS [AHEAD]: writes an OTF2 archive of RANKS ranks (8 to 200,000)
 * that are uneven and far apart, and prints how much of which waiting is in it, as JSON. The
 * archive is written rank by rank. With AHEAD the upper half of the box (along z) is on a host of
 * its own, whose clock is ahead of the others' by so many ns.
 *
 * The ranks stand in a box, x by y by z, as cubic as RANKS allows, rank = x-place + x (y-place + y
 * z-place), and are neighbours along the axes, without going round; d is how many a rank has, 1 to
 * 6. In step i a rank computes 5,000 to 25,000 ns, at random, and rank 0 a millisecond more in the
 * first: as far away as k ranks the others learn of it k steps later. Ready at t, a rank
 *
 *     t + 20 k          enters MPI_Irecv from its k-th neighbour, of d, for 10 ns
 *     t + 20 d + 20 k   enters MPI_Isend to it, for 10 ns
 *     t + 40 d          enters MPI_Waitall for all; left 100 after it has been entered, and 100
 *                       after each neighbour's MPI_Isend to it has been
 *     i mod 3 = 1       then enters MPI_Allreduce of those with its places along y and z, which all
 *                       leave 200 after the last of them has entered it
 *     i mod 3 = 2       or MPI_Bcast from one of those with its places along x and z, which is left
 *                       50 after it has been entered, and after the root has entered it
 *
 * Waits are as mpiwatch-analyses(7) defines them: late sender, at NxN, late broadcast, and for the
 * last one where all were in an MPI_Bcast at the same time. Receivers are never late: who posts a
 * receive late sends late as well. A wait is no longer than its call, whatever the sender's clock
 * says; a message that is left before it was sent, by these clocks, is a clock violation.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "test/data/maker.h"

#define BEGIN      100u /* MPI_Init has been left */
#define BYTES      4096u
#define NEIGHBOURS 6u

/* x, y and z; and what one place further along an axis adds to a rank. */
enum { AXES = 3 };

struct box {
    uint32_t ranks;
    uint64_t steps;
    uint64_t ahead;
    uint32_t size[AXES];
    uint32_t stride[AXES];
    uint64_t *ready; /* per step and rank */
    uint64_t *done;  /* when MPI_Waitall is left */
    uint64_t *left;  /* when the collective is; done where there is none */
    uint64_t late_sender, wait_nxn, late_broadcast, for_last;
    uint64_t messages, violations;
};

static void need(OTF2_ErrorCode code)
{
    if (code != OTF2_SUCCESS) {
        fprintf(stderr, "generate_box: %s\n", OTF2_Error_GetDescription(code));
        exit(1);
    }
}

static void *need_memory(void *memory)
{
    if (!memory) {
        fprintf(stderr, "generate_box: no memory\n");
        exit(1);
    }
    return memory;
}

static uint64_t later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

static uint64_t beyond(uint64_t time, uint64_t since)
{
    return time > since ? time - since : 0;
}

static uint32_t place(const struct box *box, uint32_t rank, int axis)
{
    return rank / box->stride[axis] % box->size[axis];
}

/* By how much the clock of rank is ahead. */
static uint64_t ahead_of(const struct box *box, uint32_t rank)
{
    return place(box, rank, 2) >= box->size[2] / 2 ? box->ahead : 0;
}

/* The neighbours of rank, in the order in which it speaks to them. \return how many. */
static uint32_t neighbours(const struct box *box, uint32_t rank, uint32_t list[NEIGHBOURS])
{
    uint32_t count = 0;

    for (int axis = 0; axis < AXES; axis++) {
        if (place(box, rank, axis) > 0) {
            list[count++] = rank - box->stride[axis];
        }
        if (place(box, rank, axis) + 1 < box->size[axis]) {
            list[count++] = rank + box->stride[axis];
        }
    }
    return count;
}

/* What rank computes in a step, splitmix64 (Steele, Lea and Flood 2014) of both. */
static uint64_t computes(uint32_t rank, uint64_t step)
{
    uint64_t mixed = ((uint64_t)rank << 20 | step) * UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    mixed ^= mixed >> 31;
    return 5000 + mixed % 20000 + (rank == 0 && step == 0 ? 1000000 : 0);
}

/* When to, a neighbour of from, is sent to. */
static uint64_t sent_at(const struct box *box, const uint64_t *ready, uint32_t from, uint32_t to)
{
    uint32_t list[NEIGHBOURS];
    const uint32_t count = neighbours(box, from, list);
    uint32_t k = 0;

    while (list[k] != to) {
        k++;
    }
    return ready[from] + 20 * (count + k);
}

/* Messages of a step. */
static void exchange(struct box *box, const uint64_t *ready, uint64_t *done)
{
    for (uint32_t rank = 0; rank < box->ranks; rank++) {
        uint32_t list[NEIGHBOURS];
        const uint32_t count = neighbours(box, rank, list);
        const uint64_t enter = ready[rank] + 40 * count, ahead = ahead_of(box, rank);
        uint64_t last = 0, told_last = 0, waited;

        for (uint32_t k = 0; k < count; k++) {
            const uint64_t sent = sent_at(box, ready, list[k], rank);

            last = later(last, sent);
            told_last = later(told_last, sent + ahead_of(box, list[k]));
        }
        done[rank] = later(enter, last) + 100;
        for (uint32_t k = 0; k < count; k++) {
            box->violations += sent_at(box, ready, list[k], rank) + ahead_of(box, list[k]) >
                               done[rank] + ahead;
        }
        waited = beyond(told_last, enter + ahead);
        box->late_sender += waited < done[rank] - enter ? waited : done[rank] - enter;
        box->messages += count;
    }
}

/* The collective of the count ranks from first on, stride apart; root: none for UINT32_MAX. */
static void meet(struct box *box, uint32_t first, int axis, uint32_t root, const uint64_t *enter,
                 uint64_t *left)
{
    const uint32_t stride = box->stride[axis];
    const uint32_t end = first + box->size[axis] * stride;
    const uint64_t root_enter = root == UINT32_MAX ? 0 : enter[first + root * stride];
    uint64_t last = 0, first_left = UINT64_MAX;

    for (uint32_t rank = first; rank < end; rank += stride) {
        last = later(last, enter[rank]);
    }
    for (uint32_t rank = first; rank < end; rank += stride) {
        if (root == UINT32_MAX) {
            left[rank] = last + 200;
            box->wait_nxn += last - enter[rank];
        } else {
            left[rank] = later(enter[rank], root_enter) + 50;
            box->late_broadcast += beyond(root_enter, enter[rank]);
        }
        first_left = left[rank] < first_left ? left[rank] : first_left;
    }
    if (root == UINT32_MAX || first_left < last) {
        return;
    }
    for (uint32_t rank = first; rank < end; rank += stride) {
        box->for_last += beyond(last, later(enter[rank], root_enter));
    }
}

/* Along which axis ranks meet in a step; AXES: they don't. */
static int axis_of(uint64_t step)
{
    return step % 3 == 1 ? 0 : step % 3 == 2 ? 1 : AXES;
}

static uint32_t root_of(const struct box *box, uint64_t step)
{
    return axis_of(step) == 1 ? (uint32_t)(step % box->size[1]) : UINT32_MAX;
}

static void simulate(struct box *box)
{
    for (uint64_t step = 0; step < box->steps; step++) {
        uint64_t *ready = box->ready + step * box->ranks;
        uint64_t *done = box->done + step * box->ranks;
        uint64_t *left = box->left + step * box->ranks;
        const int axis = axis_of(step);

        for (uint32_t rank = 0; rank < box->ranks; rank++) {
            ready[rank] = (step > 0 ? *(left - box->ranks + rank) : BEGIN) + computes(rank, step);
        }
        exchange(box, ready, done);
        for (uint32_t rank = 0; rank < box->ranks; rank++) {
            if (axis == AXES || box->size[axis] < 2) {
                left[rank] = done[rank];
            } else if (place(box, rank, axis) == 0) {
                meet(box, rank, axis, root_of(box, step), done, left);
            }
        }
    }
}

/* --- the archive ------------------------------------------------------------------------------ */

/* The communicator along axis through rank: those along x come first. */
static uint32_t comm_of(const struct box *box, uint32_t rank, int axis)
{
    const uint32_t along_x = box->size[1] * box->size[2];

    return axis == 0 ? 2 + rank / box->size[0]
                     : 2 + along_x + place(box, rank, 0) + box->size[0] * place(box, rank, 2);
}

static void define_comms(const struct box *box, struct maker *maker)
{
    for (int axis = 0; axis < 2; axis++) {
        for (uint32_t rank = 0; rank < box->ranks; rank++) {
            uint64_t *members;

            if (place(box, rank, axis) > 0) {
                continue;
            }
            members = need_memory(calloc(box->size[axis], sizeof *members));
            for (uint32_t i = 0; i < box->size[axis]; i++) {
                members[i] = rank + i * box->stride[axis];
            }
            maker_comm(maker, axis == 0 ? "along x" : "along y", 0, box->size[axis], members);
        }
    }
}

static void write_messages(const struct box *box, OTF2_EvtWriter *writer, uint32_t rank,
                           uint64_t ready, uint64_t done)
{
    uint32_t list[NEIGHBOURS];
    const uint32_t count = neighbours(box, rank, list);

    for (uint32_t k = 0; k < count; k++) {
        const uint64_t time = ready + 20 * k;

        maker_enter(writer, time, MAKER_IRECV);
        need(OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time, k));
        maker_leave(writer, time + 10, MAKER_IRECV);
    }
    for (uint32_t k = 0; k < count; k++) {
        const uint64_t time = ready + 20 * (count + k);

        maker_enter(writer, time, MAKER_ISEND);
        need(OTF2_EvtWriter_MpiIsend(writer, NULL, time, list[k], MAKER_WORLD, 0, BYTES,
                                     NEIGHBOURS + k));
        maker_leave(writer, time + 10, MAKER_ISEND);
    }
    maker_enter(writer, ready + 40 * count, MAKER_WAITALL);
    for (uint32_t k = 0; k < count; k++) {
        need(OTF2_EvtWriter_MpiIrecv(writer, NULL, done, list[k], MAKER_WORLD, 0, BYTES, k));
        need(OTF2_EvtWriter_MpiIsendComplete(writer, NULL, done, NEIGHBOURS + k));
    }
    maker_leave(writer, done, MAKER_WAITALL);
}

static void write_rank(const struct box *box, OTF2_EvtWriter *writer, uint32_t rank)
{
    const uint64_t ahead = ahead_of(box, rank);
    uint64_t end = BEGIN;

    maker_enter(writer, ahead, MAKER_INIT);
    maker_leave(writer, ahead + BEGIN, MAKER_INIT);
    for (uint64_t step = 0; step < box->steps; step++) {
        const uint64_t at = step * box->ranks + rank;
        const int axis = axis_of(step);

        write_messages(box, writer, rank, box->ready[at] + ahead, box->done[at] + ahead);
        end = box->left[at];
        if (axis < AXES && box->size[axis] > 1) {
            const uint32_t root = root_of(box, step);
            const bool is_reduction = root == UINT32_MAX;
            const bool is_root = root == place(box, rank, axis);

            maker_collective(
                writer, box->done[at] + ahead, end + ahead,
                &(struct maker_part){
                    .operation = is_reduction ? OTF2_COLLECTIVE_OP_ALLREDUCE
                                              : OTF2_COLLECTIVE_OP_BCAST,
                    .region = is_reduction ? MAKER_ALLREDUCE : MAKER_BCAST,
                    .comm = comm_of(box, rank, axis),
                    .root = is_reduction ? OTF2_COLLECTIVE_ROOT_NONE : root,
                    .sent = is_reduction || is_root ? 8 : 0,
                    .received = is_reduction || !is_root ? 8 : 0 });
        }
    }
    maker_finalize(writer, end + ahead);
}

/* The largest divisor of number that is not above the power-th root of it. */
static uint32_t even_part(uint32_t number, int power)
{
    uint32_t best = 1;

    for (uint64_t i = 1; (power == 3 ? i * i * i : i * i) <= number; i++) {
        best = number % i == 0 ? (uint32_t)i : best;
    }
    return best;
}

static void print_truth(const struct box *box, uint64_t events)
{
    printf("{\"ranks\": %" PRIu32 ", \"steps\": %" PRIu64 ", \"events\": %" PRIu64
           ", \"messages\": %" PRIu64 ", \"waits\": {\"late_sender\": %" PRIu64
           ", \"wait_at_nxn\": %" PRIu64 ", \"late_broadcast\": %" PRIu64
           ", \"wait_for_last\": %" PRIu64 "}, \"clock_violations\": %" PRIu64 "}\n",
           box->ranks, box->steps, events, box->messages, box->late_sender, box->wait_nxn,
           box->late_broadcast, box->for_last, box->violations);
}

int main(int argc, char **argv)
{
    const bool is_well = argc == 4 || argc == 5;
    struct box box = { .ranks = is_well ? (uint32_t)strtoul(argv[2], NULL, 10) : 0,
                       .steps = is_well ? strtoull(argv[3], NULL, 10) : 0,
                       .ahead = argc == 5 ? strtoull(argv[4], NULL, 10) : 0 };
    uint64_t last = 0, events = 0, in_all;
    struct maker *maker;

    if (box.ranks < 8 || box.ranks > 200000 || box.steps < 1 || box.steps > 1000000) {
        fprintf(stderr, "usage: generate_box DIRECTORY RANKS STEPS [AHEAD], "
                        "RANKS 8 to 200,000\n");
        return 2;
    }
    box.size[0] = even_part(box.ranks, 3);
    box.size[1] = even_part(box.ranks / box.size[0], 2);
    box.size[2] = box.ranks / box.size[0] / box.size[1];
    box.stride[0] = 1;
    box.stride[1] = box.size[0];
    box.stride[2] = box.size[0] * box.size[1];
    in_all = box.ranks * box.steps;
    box.ready = need_memory(calloc(in_all, sizeof *box.ready));
    box.done = need_memory(calloc(in_all, sizeof *box.done));
    box.left = need_memory(calloc(in_all, sizeof *box.left));
    simulate(&box);
    for (uint32_t rank = 0; rank < box.ranks; rank++) {
        last = later(last, box.left[in_all - box.ranks + rank]);
    }
    maker = maker_create(argv[1], box.ranks, 1);
    maker_length(maker, last + 300 + box.ahead);
    if (box.ahead > 0) {
        maker_second_host(maker, box.size[2] / 2 * box.stride[2]);
    }
    define_comms(&box, maker);
    for (uint32_t rank = 0; rank < box.ranks; rank++) {
        OTF2_EvtWriter *writer = maker_writer(maker, rank, 0);
        uint64_t written;

        write_rank(&box, writer, rank);
        need(OTF2_EvtWriter_GetNumberOfEvents(writer, &written));
        events += written;
        maker_through(maker, rank, 0);
    }
    maker_finish(maker);
    print_truth(&box, events);
    free(box.ready);
    free(box.done);
    free(box.left);
    return 0;
}
