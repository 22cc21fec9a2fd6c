#include "test/bench/shapes.h"

#include <stdbool.h>
#include <stdio.h>

#include <otf2/otf2.h>

/* Communicators, files, variables. */

#define RANKS_MAX 4096u

static const uint32_t *everybody(void)
{
    static uint32_t members[RANKS_MAX];

    for (uint32_t i = 0; i < RANKS_MAX; i++) {
        members[i] = i;
    }
    return members;
}

/* --- communicators -------------------------------------------------------------------------- */

static struct mw_uid comm_uid(uint64_t number)
{
    return (struct mw_uid){ 100, number };
}

/* A duplicate of parent that all have; it is number 2 + i of the process. */
static void make_comm(struct process *process, uint64_t step, uint64_t i, struct mw_uid parent,
                      uint32_t sequence)
{
    uint64_t begin = step_time(step) + jitter(process->rank, step, SHAPES_STEP / 4);
    struct mw_definition definition = {
        .kind = MW_DEFINE_COMM,
        .of.comm = { .comm = (uint32_t)(2 + i),
                     .uid = comm_uid(i),
                     .parent = parent,
                     .call = MW_CALL_MPI_Comm_dup,
                     .sequence = sequence,
                     .rank = process->rank,
                     .size = process->ranks,
                     .member_count = process->rank == 0 ? process->ranks : 0,
                     .members = everybody(),
                     .created = begin }
    };

    define(process, &definition);
    enter(process, MW_CALL_MPI_Comm_dup, begin);
    add_plain(process, MW_MEMBER_COMM_CREATE, (uint32_t)(2 + i));
    leave(process, step_time(step) + SHAPES_STEP / 4 + jitter(process->rank, i, 100));
}

static void free_comm(struct process *process, uint64_t i)
{
    enter(process, MW_CALL_MPI_Comm_free, 0);
    add_plain(process, MW_MEMBER_COMM_DESTROY, (uint32_t)(2 + i));
    leave(process, process->time + 100);
    define(process, &(struct mw_definition){
                        .kind = MW_DEFINE_COMM_FREED,
                        .of.comm_freed = { (uint32_t)(2 + i), process->time } });
}

static void comms_alive(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        make_comm(process, i, i, shapes_world, (uint32_t)(1 + i));
    }
    for (uint64_t i = 0; i < process->n; i++) {
        collective(process, process->n + i, MW_CALL_MPI_Allreduce, (uint32_t)(2 + i),
                   OTF2_COLLECTIVE_OP_ALLREDUCE, MW_ROOT_NONE);
    }
    for (uint64_t i = 0; i < process->n; i++) {
        free_comm(process, jitter(0, 0, 2) ? i : process->n - 1 - i);
    }
}

static void comms_in_turn(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        make_comm(process, 2 * i, i, shapes_world, (uint32_t)(1 + i));
        collective(process, 2 * i + 1, MW_CALL_MPI_Allreduce, (uint32_t)(2 + i),
                   OTF2_COLLECTIVE_OP_ALLREDUCE, MW_ROOT_NONE);
        free_comm(process, i);
    }
}

static void comms_nested(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        make_comm(process, i, i, i == 0 ? shapes_world : comm_uid(i - 1), 1);
    }
}

/* MPI_Comm_split: pairs of ranks. */
static void pairs(struct process *process)
{
    const uint32_t first = process->rank & ~1u;
    const uint32_t members[] = { first, first + 1 };
    const uint32_t size = first + 1 < process->ranks ? 2 : 1;

    for (uint32_t k = 0; k < 4; k++) {
        uint64_t begin = step_time(2 * k) + jitter(process->rank, k, SHAPES_STEP / 4);
        struct mw_definition definition = {
            .kind = MW_DEFINE_COMM,
            .of.comm = { .comm = 2 + k,
                         .uid = { UINT64_C(200) << 32 | k, first },
                         .parent = shapes_world,
                         .call = MW_CALL_MPI_Comm_split,
                         .sequence = 1 + k,
                         .rank = process->rank - first,
                         .size = size,
                         .leader = first,
                         .member_count = process->rank == first ? size : 0,
                         .members = members,
                         .created = begin }
        };

        define(process, &definition);
        enter(process, MW_CALL_MPI_Comm_split, begin);
        add_plain(process, MW_MEMBER_COMM_CREATE, 2 + k);
        leave(process, step_time(2 * k) + SHAPES_STEP / 2);
        collective(process, 2 * k + 1, MW_CALL_MPI_Barrier, 2 + k, OTF2_COLLECTIVE_OP_BARRIER,
                   MW_ROOT_NONE);
    }
}

/* One half of the ranks and the other meet on an inter-communicator. */
static void halves(struct process *process)
{
    const uint32_t half = process->ranks / 2;
    const bool is_low = process->rank < half;
    const uint32_t size = is_low ? half : process->ranks - half;
    const struct mw_uid low = { 301, half }, high = { 302, half };
    struct mw_definition definition = {
        .kind = MW_DEFINE_COMM,
        .of.comm = { .comm = 2,
                     .uid = { 300, half },
                     .parent = shapes_world,
                     .call = MW_CALL_MPI_Intercomm_create,
                     .sequence = 1,
                     .flags = MW_COMM_INTER,
                     .rank = is_low ? process->rank : process->rank - half,
                     .size = size,
                     .remote_size = process->ranks - size,
                     .local_group = is_low ? low : high,
                     .remote_group = is_low ? high : low,
                     .leader = is_low ? 0 : half,
                     .created = step_time(0) }
    };

    if (definition.of.comm.rank == 0) {
        definition.of.comm.member_count = size;
        definition.of.comm.members = everybody() + (is_low ? 0 : half);
    }
    define(process, &definition);
    enter(process, MW_CALL_MPI_Intercomm_create, step_time(0));
    add_plain(process, MW_MEMBER_COMM_CREATE, 2);
    leave(process, step_time(0) + SHAPES_STEP / 2);
    for (uint64_t i = 1; i < 10; i++) {
        collective(process, i, MW_CALL_MPI_Barrier, 2, OTF2_COLLECTIVE_OP_BARRIER, MW_ROOT_NONE);
    }
}

static void names(struct process *process)
{
    make_comm(process, 0, 0, shapes_world, 1);
    for (uint64_t i = 0; i < process->n; i++) {
        char name[32];

        snprintf(name, sizeof name, "name %u", (unsigned)i);
        whole_call(process, MW_CALL_MPI_Comm_set_name, 0, 100);
        define(process, &(struct mw_definition){
                            .kind = MW_DEFINE_COMM_NAME,
                            .of.comm_name = { 2, MW_NAME_MPI, process->time, name } });
    }
}

/* --- files -------------------------------------------------------------------------------- */

static void add_io(struct process *process, enum mw_record_type type, uint64_t number,
                   uint64_t bytes)
{
    struct mw_io_member *io =
        mw_spool_member(&process->spool, type, sizeof *io, (uint32_t)number);

    io->mode = type == MW_MEMBER_IO_OPEN ? OTF2_IO_ACCESS_MODE_WRITE_ONLY
                                         : OTF2_IO_OPERATION_MODE_WRITE;
    io->flags = 0;
    io->bytes = bytes;
    io->offset = 0;
    io->id = 50;
    mw_spool_commit(io);
}

static void files(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        struct mw_definition definition = { .kind = MW_DEFINE_OBJECT };
        char path[64];

        snprintf(path, sizeof path, "/data/file.%u", (unsigned)i);
        definition.of.object = (struct mw_define_object){ .kind = MW_OBJECT_FILE,
                                                          .number = (uint32_t)i,
                                                          .uid = { 500, i },
                                                          .call = MW_CALL_MPI_File_open,
                                                          .sequence = 1,
                                                          .name = path };
        define(process, &definition);
        definition.of.object.kind = MW_OBJECT_HANDLE;
        definition.of.object.uid = (struct mw_uid){ 501, i };
        definition.of.object.comm = shapes_world;
        definition.of.object.file = (struct mw_uid){ 500, i };
        definition.of.object.sequence = (uint32_t)(1 + i);
        define(process, &definition);
        enter(process, MW_CALL_MPI_File_open, step_time(i) + jitter(process->rank, i, 1000));
        add_io(process, MW_MEMBER_IO_OPEN, i, 0);
        leave(process, step_time(i) + 2000);
        enter(process, MW_CALL_MPI_File_write_at, step_time(i) + 3000);
        add_io(process, MW_MEMBER_IO_BEGIN, i, 4096);
        add_io(process, MW_MEMBER_IO_END, i, 4096);
        leave(process, step_time(i) + 5000 + jitter(process->rank, i, 9000));
        enter(process, MW_CALL_MPI_File_close, step_time(i) + SHAPES_STEP / 2);
        add_io(process, MW_MEMBER_IO_CLOSE, i, 0);
        leave(process, step_time(i) + SHAPES_STEP / 2 + 1000);
    }
}

/* --- variables ---------------------------------------------------------------------------- */

static void sample_variables(struct process *process, uint64_t variables, uint64_t rounds)
{
    for (uint64_t i = 0; i < variables; i++) {
        define_variable(process, i, i % 2 ? MW_CLASS_LEVEL : MW_CLASS_COUNTER, "NO_OBJECT");
        define(process, &(struct mw_definition){
                            .kind = MW_DEFINE_BASELINE,
                            .of.baseline = { .metric = (uint32_t)i,
                                             .object = MW_COMM_NONE,
                                             .value = 1 + i } });
    }
    for (uint64_t round = 0; round < rounds; round++) {
        for (uint64_t i = 0; i < variables; i++) {
            sample(process, i, MW_COMM_NONE,
                   i % 2 ? jitter(i, round, 50) : round * (1 + i) + jitter(i, 0, 5));
        }
        whole_call(process, MW_CALL_MPI_Iprobe, 0, 100);
    }
}

static void variables(struct process *process)
{
    sample_variables(process, process->n, 20);
}

static void samples(struct process *process)
{
    sample_variables(process, 10, process->n);
}

/* A variable that each of n communicators has. */
static void variables_of_comms(struct process *process)
{
    define_variable(process, 0, MW_CLASS_LEVEL, "MPI_COMM");
    for (uint64_t i = 0; i < process->n; i++) {
        make_comm(process, i, i, shapes_world, (uint32_t)(1 + i));
        sample(process, 0, (uint32_t)(2 + i), jitter(i, 3, 100));
    }
    for (uint64_t i = 0; i < process->n; i++) {
        sample(process, 0, (uint32_t)(2 + i), jitter(i, 4, 100));
    }
}

static void control_variables(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        char name[32];
        char value[32];

        snprintf(name, sizeof name, "control_%u", (unsigned)jitter(i, 0, UINT64_MAX));
        snprintf(value, sizeof value, "%u", (unsigned)(i + process->rank % 2));
        define(process, &(struct mw_definition){ .kind = MW_DEFINE_CVAR,
                                                 .of.cvar = { .name = name,
                                                              .value = value,
                                                              .type = "int",
                                                              .scope = "ALL_EQ",
                                                              .verbosity = 1 } });
    }
    whole_call(process, MW_CALL_MPI_Iprobe, step_time(0), 100);
}

static void clocks(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        uint64_t begin = step_time(i) + jitter(process->rank, i, 1000);

        define(process, &(struct mw_definition){
                            .kind = MW_DEFINE_CLOCK,
                            .of.clock = { begin, (int64_t)jitter(process->rank, i, 500), 10 } });
        whole_call(process, MW_CALL_MPI_Iprobe, begin, 100);
    }
}

const struct shape shapes_objects[] = {
    { "comms-alive", "communicators of 4 ranks at once", 1000, 64000, 4, 1, comms_alive, 0 },
    { "comms-in-turn", "communicators of 4 ranks one after the other", 1000, 64000, 4, 1,
      comms_in_turn, 0 },
    { "comms-nested", "duplicates of duplicates", 1000, 64000, 4, 1, comms_nested, 0 },
    { "pairs", "ranks that are split in pairs", 200, 1600, 0, 1, pairs, 0 },
    { "halves", "ranks on an inter-communicator", 200, 1600, 0, 1, halves, 0 },
    { "names", "names of a communicator", 5000, 320000, 2, 1, names, 0 },
    { "files", "files", 2000, 128000, 2, 1, files, 0 },
    { "variables", "variables of the MPI", 500, 32000, 2, 1, variables, 0 },
    { "samples", "samples of 10 variables", 2000, 128000, 2, 1, samples, 0 },
    { "variables-of-comms", "communicators with a variable", 1000, 64000, 4, 1,
      variables_of_comms, 0 },
    { "control-variables", "control variables", 5000, 320000, 4, 1, control_variables, 0 },
    { "clocks", "measurements of the clocks", 2000, 128000, 2, 1, clocks, 0 },
    { NULL, NULL, 0, 0, 0, 0, NULL, 0 }
};
