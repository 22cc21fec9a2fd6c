/*
 * Ranks that have some of everything, in three kinds: what is said of them must not become longer
 * with their number.
 */
#include "test/bench/shapes.h"

#include <otf2/otf2.h>

#define STEPS     6u
#define ROW       2u  /* ranks that have a communicator together */
#define AMONG     16u /* ranks among which there are all kinds */
#define VARIABLES 3u

/* The communicator of the rank's row; it is number 2 of the process. */
static void make_row(struct process *process)
{
    const uint32_t first = process->rank - process->rank % ROW;
    const uint32_t size = process->ranks - first < ROW ? process->ranks - first : ROW;
    uint32_t members[ROW];
    const struct mw_definition definition = {
        .kind = MW_DEFINE_COMM,
        .of.comm = { .comm = 2,
                     .uid = { UINT64_C(700) << 32, first },
                     .parent = shapes_world,
                     .call = MW_CALL_MPI_Comm_split,
                     .sequence = 1,
                     .rank = process->rank - first,
                     .size = size,
                     .leader = first,
                     .member_count = process->rank == first ? size : 0,
                     .members = members,
                     .created = step_time(0) }
    };

    for (uint32_t i = 0; i < ROW; i++) {
        members[i] = first + i;
    }
    define(process, &definition);
    enter(process, MW_CALL_MPI_Comm_split, step_time(0));
    add_plain(process, MW_MEMBER_COMM_CREATE, 2);
    leave(process, step_time(0) + SHAPES_STEP / 2);
}

/* What the kinds of ranks differ in: of so many one probes, the last four poll. */
static void be_of_a_kind(struct process *process)
{
    const uint32_t place = process->rank % AMONG;

    if (place == 0) {
        whole_call(process, MW_CALL_MPI_Probe, process->time + 1, SHAPES_STEP / 3);
    }
    for (uint32_t i = 0; place >= AMONG - 4 && i < 20; i++) {
        whole_call(process, MW_CALL_MPI_Iprobe, process->time + 1, SHAPES_STEP / 50);
    }
}

/* A message that nobody receives, and whose request is never complete. */
static void leave_behind(struct process *process)
{
    enter(process, MW_CALL_MPI_Isend, 0);
    add_request_message(process, MW_MEMBER_ISEND, (process->rank + 1) % process->ranks, 7, 99);
    leave(process, process->time + 100);
}

static void say_where(struct process *process, enum mw_record_type type)
{
    mark(process, MW_RECORD_USER, process->time + 100);
    add_plain(process, type, 0);
    leave(process, 0);
}

static void sample_all(struct process *process, uint64_t step)
{
    for (uint32_t i = 0; i < VARIABLES; i++) {
        sample(process, i, MW_COMM_NONE, jitter(process->rank, step * VARIABLES + i, 1000));
    }
    sample(process, VARIABLES, 2, jitter(process->rank, step, 100));
}

static void run_main_thread(struct process *process)
{
    define(process, &(struct mw_definition){ .kind = MW_DEFINE_REGION,
                                             .of.region = { 0, "solve" } });
    define(process, &(struct mw_definition){ .kind = MW_DEFINE_TEXT, .of.text = { 0, "here" } });
    for (uint32_t i = 0; i < VARIABLES; i++) {
        define_variable(process, i, MW_CLASS_LEVEL, "NO_OBJECT");
    }
    define_variable(process, VARIABLES, MW_CLASS_LEVEL, "MPI_COMM");
    make_row(process);
    say_where(process, MW_MEMBER_MARKER);
    say_where(process, MW_MEMBER_REGION_BEGIN);
    for (uint64_t step = 1; step <= STEPS; step++) {
        exchange(process, 2 * step);
        be_of_a_kind(process);
        sample_all(process, step);
        collective(process, 2 * step + 1, MW_CALL_MPI_Allreduce, MW_COMM_WORLD,
                   OTF2_COLLECTIVE_OP_ALLREDUCE, MW_ROOT_NONE);
    }
    say_where(process, MW_MEMBER_REGION_END);
    collective(process, 2 * STEPS + 2, MW_CALL_MPI_Barrier, 2, OTF2_COLLECTIVE_OP_BARRIER,
               MW_ROOT_NONE);
    leave_behind(process);
}

static void crowd(struct process *process)
{
    if (process->thread == 0) {
        run_main_thread(process);
        return;
    }
    for (uint64_t step = 1; step <= STEPS; step++) {
        whole_call(process, MW_CALL_MPI_Iprobe, step_time(2 * step), 100);
    }
}

const struct shape shapes_crowd[] = {
    { "crowd", "ranks of three kinds with some of everything", 200, 1600, 0, 2, crowd, 8 },
    { NULL, NULL, 0, 0, 0, 0, NULL, 0 }
};
