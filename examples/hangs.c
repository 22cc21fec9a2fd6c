/*
 * Ways to hang, for `mpiwatch-analyze hang` of what is recovered after a kill: hangs
 * CASE.
 * Each says in one sentence what its archive shows. Three ranks, two are enough where the case says
 * nothing of a third. A rank makes the file inside.RANK before the call that it never leaves; one
 * that computes for ever does that before it begins.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define LARGE 500000 /* ints: no library buffers so much */

static int rank, size;
static int data[LARGE];
static MPI_Comm world; /* MPI_COMM_WORLD under the name of ring, say */

/* The file inside.RANK. */
static void tell(void)
{
    char name[64];
    FILE *file;

    snprintf(name, sizeof name, "inside.%d", rank);
    file = fopen(name, "w");
    if (file) {
        fclose(file);
    }
}

/* From here on this rank makes one call more, in which it spins until somebody ends it: the cores
 * are for whoever wants them. */
static void inside(void)
{
    tell();
    setpriority(PRIO_PROCESS, 0, 19);
}

static void compute(void)
{
    volatile unsigned steps = 0;

    tell();
    for (;;) {
        steps = steps + 1;
    }
}

static void receive(int source, int tag)
{
    inside();
    MPI_Recv(data, 1, MPI_INT, source, tag, world, MPI_STATUS_IGNORE);
}

static void send_large(int to, int tag)
{
    inside();
    MPI_Send(data, LARGE, MPI_INT, to, tag, world);
}

/* deadlock: rank 0 in MPI_Recv from 1 (tag 7, ring) … <- rank 1 in MPI_Recv from 2 … */
static void recv_ring(void)
{
    receive((rank + 1) % size, 7);
}

/* possible deadlock: rank 0 in MPI_Recv from 1 (tag 7, ring) …; recording was paused for a call */
static void paused_ring(void)
{
    int flag;

    MPI_Pcontrol(0);
    MPI_Iprobe(MPI_ANY_SOURCE, 7, world, &flag, MPI_STATUS_IGNORE);
    MPI_Pcontrol(1);
    receive((rank + 1) % size, 7);
}

/* deadlock: rank 0 in MPI_Send to 1 (tag 1, 2000000 bytes, ring) … <- rank 1 in MPI_Send to 2 … */
static void send_ring(void)
{
    send_large((rank + 1) % size, 1);
}

/* deadlock: rank 0 in MPI_Ssend to 1 (tag 1, 4 bytes, ring) … */
static void ssend_ring(void)
{
    inside();
    MPI_Ssend(data, 1, MPI_INT, (rank + 1) % size, 1, world);
}

/* possible deadlock: rank 1 in MPI_Ssend to 2 (tag 1, 4 bytes, ring) … <- rank 2 in MPI_Ssend to
 * 1 …: each has a receive open, which a message of rank 0 has that came before. */
static void taken(void)
{
    MPI_Request request;
    int is_there = rank == 0;
    int got;

    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &request);
    for (int to = 1; rank == 0 && to < size; to++) {
        MPI_Send(data, 1, MPI_INT, to, 1, world);
    }
    while (!is_there) {
        MPI_Request_get_status(request, &is_there, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(world);
    inside();
    MPI_Ssend(data, 1, MPI_INT, rank == 1 ? 2 : 1, 1, world);
}

/* a message of tag 8 from rank 0 waits at rank 1, which wants tag 7 */
static void wrong_tag(void)
{
    if (rank == 0) {
        MPI_Send(data, 1, MPI_INT, 1, 8, world);
        receive(1, 7);
    } else if (rank == 1) {
        receive(0, 7);
    } else {
        receive(0, 7);
    }
}

/* deadlock: rank 0 in MPI_Waitall for 2 requests: a receive from 1 …, a send to 1 … */
static void wait_all(void)
{
    MPI_Request requests[2];

    MPI_Irecv(data, 1, MPI_INT, (rank + 1) % size, 3, world, &requests[0]);
    MPI_Irecv(data + 1, 1, MPI_INT, (rank + 1) % size, 4, world, &requests[1]);
    inside();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* deadlock: nobody sends, and all wait for anybody */
static void any_source(void)
{
    receive(MPI_ANY_SOURCE, MPI_ANY_TAG);
}

/* deadlock: any of two receives would do, and both are from ranks that wait as well */
static void wait_any(void)
{
    MPI_Request requests[2];
    int index;

    MPI_Irecv(data, 1, MPI_INT, (rank + 1) % size, 3, world, &requests[0]);
    MPI_Irecv(data + 1, 1, MPI_INT, (rank + size - 1) % size, 4, world, &requests[1]);
    inside();
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
}

/* ranks … in MPI_Allreduce on ring for rank 1, which is outside of MPI (last call MPI_Barrier …) */
static void computes(void)
{
    MPI_Barrier(world);
    if (rank == 1) {
        compute();
    }
    inside();
    MPI_Allreduce(data, data + 1, 1, MPI_INT, MPI_SUM, world);
}

/* deadlock: ranks 0 in MPI_Bcast on ring with root 1, rank 1 in MPI_Barrier on ring: the order of
 * collectives differs */
static void order(void)
{
    inside();
    if (rank == 1) {
        MPI_Barrier(world);
    } else {
        MPI_Bcast(data, LARGE, MPI_INT, 1, world);
    }
}

/* deadlock: rank 0 in MPI_Bcast on ring with root 1 …, rank 1 … with root 0: the roots differ */
static void roots(void)
{
    inside();
    MPI_Bcast(data, LARGE, MPI_INT, rank == 0 ? 1 : 0, world);
}

/* deadlock: rank 0 in MPI_Barrier on ring <- rank 1 in MPI_Recv from 0 (tag 5, ring) */
static void barrier_and_recv(void)
{
    if (rank == 1) {
        receive(0, 5);
    } else {
        inside();
        MPI_Barrier(world);
    }
}

/* Ranks that do not get any further: 1 receives from 0, which waits for it, as the others do. */
static void wait_for_one(MPI_Request *request, int tag)
{
    if (rank == 1) {
        receive(0, tag);
    } else {
        inside();
        MPI_Wait(request, MPI_STATUS_IGNORE);
    }
}

/* deadlock: rank 0 in MPI_Wait for 1 request: MPI_Ibarrier on ring <- rank 1 in MPI_Recv … */
static void ibarrier(void)
{
    MPI_Request request;

    if (rank != 1) {
        MPI_Ibarrier(world, &request);
    }
    wait_for_one(&request, 11);
}

/* The same: of three all have completed the first and begun the second, and rank 1 not the third */
static void ibarrier_third(void)
{
    MPI_Request first, second, third;

    MPI_Ibarrier(world, &first);
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    MPI_Ibarrier(world, &second);
    if (rank != 1) {
        MPI_Ibarrier(world, &third);
    }
    wait_for_one(&third, 12);
}

/* deadlock: rank 0 in MPI_Waitall for 2 requests: MPI_Iallreduce on ring, a receive from 1 … */
static void iallreduce(void)
{
    MPI_Request requests[2];

    if (rank == 1) {
        receive(0, 13);
    } else {
        MPI_Iallreduce(data, data + 1, 1, MPI_INT, MPI_SUM, world, &requests[0]);
        MPI_Irecv(data + 2, 1, MPI_INT, 1, 13, world, &requests[1]);
        inside();
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

/* deadlock: rank 0 in MPI_Waitany for 2 requests: MPI_Ibarrier on ring, a receive from 2 …, of
 * which any would do */
static void ibarrier_any(void)
{
    MPI_Request requests[2];
    int index;

    if (rank == 1) {
        receive(0, 14);
    } else {
        MPI_Ibarrier(world, &requests[0]);
        MPI_Irecv(data, 1, MPI_INT, rank == 0 ? 2 : 0, 14, world, &requests[1]);
        inside();
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    }
}

/* deadlock: rank 0 in MPI_Wait for 1 request: MPI_Ibcast on ring …, whose root is rank 1 */
static void ibcast(void)
{
    MPI_Request request;

    if (rank != 1) {
        MPI_Ibcast(data, 1, MPI_INT, 1, world, &request);
    }
    wait_for_one(&request, 15);
}

/* deadlock: rank 0 in MPI_Wait for 1 request: MPI_Igather on ring …, whose root it is */
static void igather(void)
{
    MPI_Request request;

    if (rank != 1) {
        MPI_Igather(data + 1, 1, MPI_INT, data + 2, 1, MPI_INT, 0, world, &request);
    }
    wait_for_one(&request, 17);
}

/* possible deadlock: the same of MPI_Igatherv: how much its root wants of rank 1 is not recorded */
static void igatherv(void)
{
    static const int counts[] = {1, 1, 1}, places[] = {0, 1, 2};
    MPI_Request request;

    if (rank != 1) {
        MPI_Igatherv(data + 1, 1, MPI_INT, data + 2, counts, places, MPI_INT, 0, world, &request);
    }
    wait_for_one(&request, 18);
}

/* possible deadlock: rank 0 in MPI_Wait for 1 request: a collective on ring …; which one MPI_Start
 * starts is not recorded. Of MPI 4 alone */
static void started(void)
{
#if MPI_VERSION >= 4
    MPI_Request request;

    MPI_Barrier_init(world, MPI_INFO_NULL, &request);
    if (rank != 1) {
        MPI_Start(&request);
    }
    wait_for_one(&request, 16);
#endif
}

/* deadlock: rank 0 in MPI_Comm_dup on ring <- rank 1 in MPI_Recv from 0 (tag 6, ring) */
static void comm_dup(void)
{
    MPI_Comm made;

    if (rank == 1) {
        receive(0, 6);
    } else {
        inside();
        MPI_Comm_dup(world, &made);
    }
}

/* deadlock: rank 0 in MPI_Finalize <- rank 1 in MPI_Recv from 0 (tag 9, ring) */
static void finalize(void)
{
    if (rank == 1) {
        receive(0, 9);
    }
    inside(); /* and on to MPI_Finalize */
}

/* deadlock: rank 0 in MPI_Sendrecv to 1 (tag 1 …) from 1 (tag 2 …), as tags are crossed */
static void sendrecv(void)
{
    inside();
    MPI_Sendrecv(data, LARGE / 2, MPI_INT, (rank + 1) % size, 1, data + LARGE / 2, LARGE / 2,
                 MPI_INT, (rank + size - 1) % size, 2, world, MPI_STATUS_IGNORE);
}

/* deadlock: rank 0 in MPI_Probe from 1 (tag 4, ring) … */
static void probe(void)
{
    MPI_Status status;

    inside();
    MPI_Probe((rank + 1) % size, 4, world, &status);
}

/* deadlock: rank 0 in MPI_Win_wait for rank 1 <- rank 1 in MPI_Recv from 0 (tag 3, ring); all
 * others wait in MPI_Finalize */
static void win_wait(void)
{
    MPI_Win window;
    MPI_Group all, other;
    int peer = rank == 0 ? 1 : 0;

    MPI_Win_create(data, sizeof data, sizeof data[0], MPI_INFO_NULL, world, &window);
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    if (rank == 0) {
        MPI_Win_post(other, 0, window);
        inside();
        MPI_Win_wait(window);
    } else if (rank == 1) {
        receive(0, 3);
    }
    inside();
}

/* possible deadlock: rank 0 in MPI_Recv from 1 (tag 4, ring) <- rank 1 in MPI_Win_complete for rank
 * 0, or in MPI_Win_start where that waits for the post already */
static void win_post(void)
{
    MPI_Win window;
    MPI_Group all, other;
    int peer = 0;

    MPI_Win_create(data, sizeof data, sizeof data[0], MPI_INFO_NULL, world, &window);
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    if (rank == 0) {
        receive(1, 4);
    } else if (rank == 1) {
        inside();
        MPI_Win_start(other, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    }
    inside();
}

/* The same with rank 2, for which rank 1 starts as well: that one has posted, and waits */
static void win_start(void)
{
    MPI_Win window;
    MPI_Group all, targets, origin;
    const int both[] = {0, 2};
    const int one = 1;

    MPI_Win_create(data, sizeof data, sizeof data[0], MPI_INFO_NULL, world, &window);
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, size > 2 ? 2 : 1, both, &targets);
    MPI_Group_incl(all, 1, &one, &origin);
    if (rank == 2) {
        MPI_Win_post(origin, 0, window);
    }
    MPI_Barrier(world);
    if (rank == 0) {
        receive(1, 4);
    } else if (rank == 1) {
        inside();
        MPI_Win_start(targets, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    } else {
        inside();
        MPI_Win_wait(window);
    }
    inside();
}

static void put(MPI_Win window)
{
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
}

/* What rank 1 wants of rank 0's window. */
static void want_exclusive(MPI_Win window)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    put(window);
    MPI_Win_unlock(0, window);
}

static void want_shared(MPI_Win window)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    put(window);
    MPI_Win_unlock(0, window);
}

static void want_all(MPI_Win window)
{
    MPI_Win_lock_all(0, window);
    put(window);
    MPI_Win_flush_all(window);
    MPI_Win_unlock_all(window);
}

/* Rank 0 holds a lock of its window, and receives from 1, which wants another one. */
static void hang_on_lock(int held, void (*want)(MPI_Win))
{
    MPI_Win window;

    MPI_Win_create(data, sizeof data, sizeof data[0], MPI_INFO_NULL, world, &window);
    if (rank == 0) {
        MPI_Win_lock(held, 0, 0, window);
        put(window);
        MPI_Win_flush(0, window);
    }
    MPI_Barrier(world);
    if (rank == 0) {
        receive(1, 2);
    } else if (rank == 1) {
        inside();
        want(window);
    }
    inside();
}

/* possible deadlock: rank 0 in MPI_Recv from 1 (tag 2, ring) <- rank 1 in a call of MPI_Win_… of
 * rank 0: rank 0 has locked its window */
static void win_lock(void)
{
    hang_on_lock(MPI_LOCK_EXCLUSIVE, want_exclusive);
}

/* The same: an exclusive lock waits for who shares it … */
static void win_share(void)
{
    hang_on_lock(MPI_LOCK_SHARED, want_exclusive);
}

/* … and a shared one for who has it exclusively */
static void win_lock_shared(void)
{
    hang_on_lock(MPI_LOCK_EXCLUSIVE, want_shared);
}

/* The same of all windows at once: rank 1 in MPI_Win_…_all, or in what needs that lock */
static void win_lock_all(void)
{
    hang_on_lock(MPI_LOCK_EXCLUSIVE, want_all);
}

static const struct {
    const char *name;
    void (*hang)(void);
} cases[] = {
    {"recv_ring", recv_ring},
    {"paused_ring", paused_ring},
    {"send_ring", send_ring},
    {"ssend_ring", ssend_ring},
    {"taken", taken},
    {"wrong_tag", wrong_tag},
    {"wait_all", wait_all},
    {"any_source", any_source},
    {"wait_any", wait_any},
    {"computes", computes},
    {"order", order},
    {"roots", roots},
    {"barrier_and_recv", barrier_and_recv},
    {"ibarrier", ibarrier},
    {"ibarrier_third", ibarrier_third},
    {"iallreduce", iallreduce},
    {"ibarrier_any", ibarrier_any},
    {"ibcast", ibcast},
    {"igather", igather},
    {"igatherv", igatherv},
    {"started", started},
    {"comm_dup", comm_dup},
    {"finalize", finalize},
    {"sendrecv", sendrecv},
    {"probe", probe},
    {"win_wait", win_wait},
    {"win_post", win_post},
    {"win_lock", win_lock},
    {"win_start", win_start},
    {"win_share", win_share},
    {"win_lock_shared", win_lock_shared},
    {"win_lock_all", win_lock_all},
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_set_name(world, "ring");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc > 1 && strcmp(argv[1], cases[i].name) == 0) {
            cases[i].hang();
        }
    }
    MPI_Finalize();
    return 0;
}
