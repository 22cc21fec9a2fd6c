#include "test/bench/shapes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define NONCE 11u
#define HOST_RANKS 64u /* of a host, where nothing else is said */

const struct mw_uid shapes_world = { 10, 1 };

static void stop_unless(enum mw_status status, const struct mw_diagnostic *diagnostic)
{
    char text[2048];

    if (status != MW_OK) {
        fprintf(stderr, "shapes: %s\n", mw_diagnostic_text(diagnostic, text, sizeof text));
        exit(1);
    }
}

uint64_t jitter(uint64_t one, uint64_t other, uint64_t below)
{
    uint64_t mixed = (one + 1) * 0x9e3779b97f4a7c15u ^ (other + 1) * 0xc2b2ae3d27d4eb4fu;

    mixed ^= mixed >> 29;
    mixed *= 0xbf58476d1ce4e5b9u;
    mixed ^= mixed >> 32;
    return mixed % below;
}

uint64_t step_time(uint64_t step)
{
    return 10 * SHAPES_STEP + step * SHAPES_STEP;
}

void define(struct process *process, const struct mw_definition *definition)
{
    struct mw_diagnostic diagnostic;

    stop_unless(mw_definition_write(process->definitions, definition, &diagnostic), &diagnostic);
}

static uint64_t later(struct process *process, uint64_t time)
{
    process->time = time > process->time ? time : process->time + 1;
    return process->time;
}

static void *filled(struct process *process, void *record)
{
    if (!record) {
        stop_unless(process->spool.diagnostic.status, &process->spool.diagnostic);
        exit(1);
    }
    return record;
}

void enter(struct process *process, unsigned call, uint64_t time)
{
    process->call = filled(process, mw_spool_begin(&process->spool, call, later(process, time)));
}

void mark(struct process *process, enum mw_record_type type, uint64_t time)
{
    enter(process, 0, time);
    process->call->type = (uint8_t)type;
}

void leave(struct process *process, uint64_t time)
{
    bool is_call = process->call->type == MW_RECORD_CALL;

    mw_spool_end(&process->spool, process->call,
                 is_call ? later(process, time) : process->call->enter);
}

void whole_call(struct process *process, unsigned call, uint64_t time, uint64_t length)
{
    enter(process, call, time);
    leave(process, time + length);
}

static void *member(struct process *process, enum mw_record_type type, size_t bytes, uint32_t comm)
{
    return filled(process, mw_spool_member(&process->spool, type, bytes, comm));
}

void add_plain(struct process *process, enum mw_record_type type, uint32_t number)
{
    mw_spool_commit(member(process, type, sizeof(struct mw_member), number));
}

void add_message(struct process *process, enum mw_record_type type, uint32_t comm, uint32_t peer,
                 uint32_t tag)
{
    struct mw_message_member *message = member(process, type, sizeof *message, comm);

    message->peer = (int32_t)peer;
    message->tag = (int32_t)tag;
    message->bytes = 64;
    mw_spool_commit(message);
}

void add_request(struct process *process, enum mw_record_type type, uint64_t request)
{
    struct mw_request_member *of = member(process, type, sizeof *of, MW_COMM_NONE);

    of->request = request;
    mw_spool_commit(of);
}

void add_request_message(struct process *process, enum mw_record_type type, uint32_t peer,
                         uint32_t tag, uint64_t request)
{
    struct mw_request_message_member *message =
        member(process, type, sizeof *message, MW_COMM_WORLD);

    message->message.peer = (int32_t)peer;
    message->message.tag = (int32_t)tag;
    message->message.bytes = 64;
    message->request = request;
    mw_spool_commit(message);
}

void add_collective(struct process *process, uint32_t comm, uint32_t operation, int32_t root)
{
    struct mw_collective_member *of = member(process, MW_MEMBER_COLL, sizeof *of, comm);

    of->root = root;
    of->operation = operation;
    of->bytes_sent = of->bytes_received = 8;
    mw_spool_commit(of);
}

void add_rma(struct process *process, enum mw_record_type type, uint32_t window, int32_t target,
             uint32_t what, uint64_t id)
{
    struct mw_rma_member *rma = member(process, type, sizeof *rma, window);

    rma->target = target;
    rma->what = what;
    rma->bytes_sent = rma->bytes_received = 8;
    rma->id = id;
    mw_spool_commit(rma);
}

void collective(struct process *process, uint64_t step, unsigned call, uint32_t comm,
                uint32_t operation, int32_t root)
{
    enter(process, call, step_time(step) + jitter(process->rank, step, SHAPES_STEP / 4));
    add_collective(process, comm, operation, root);
    leave(process, step_time(step) + SHAPES_STEP / 4 +
                       jitter(process->rank + 1, step, SHAPES_STEP / 8));
}

void exchange(struct process *process, uint64_t step)
{
    uint32_t left = (process->rank + process->ranks - 1) % process->ranks;
    uint32_t right = (process->rank + 1) % process->ranks;
    uint64_t begin = step_time(step) + jitter(process->rank, step, SHAPES_STEP / 4);

    enter(process, MW_CALL_MPI_Irecv, begin);
    add_request(process, MW_MEMBER_IRECV_POST, 1);
    leave(process, begin + 100);
    enter(process, MW_CALL_MPI_Isend, begin + 200);
    add_request_message(process, MW_MEMBER_ISEND, right, 1, 2);
    leave(process, begin + 300);
    enter(process, MW_CALL_MPI_Waitall, begin + 400);
    add_request(process, MW_MEMBER_SEND_COMPLETE, 2);
    add_request_message(process, MW_MEMBER_RECV_COMPLETE, left, 1, 1);
    leave(process, step_time(step) + SHAPES_STEP / 4 + jitter(process->rank, step + 1, 1000));
}

void define_variable(struct process *process, uint64_t i, enum mw_variable_class class,
                     const char *bind)
{
    char name[32];

    snprintf(name, sizeof name, "variable_%u", (unsigned)i);
    define(process, &(struct mw_definition){ .kind = MW_DEFINE_METRIC,
                                             .of.metric = { .metric = (uint32_t)i,
                                                            .name = name,
                                                            .declared = class,
                                                            .effective = class,
                                                            .type = MW_METRIC_UINT64,
                                                            .bits = 64,
                                                            .bind = bind,
                                                            .verbosity = 1,
                                                            .form = MW_METRIC_LIST,
                                                            .count = 1,
                                                            .elements = 1,
                                                            .unit = "#",
                                                            .description = "what it is",
                                                            .items = "" } });
}

void sample(struct process *process, uint64_t metric, uint32_t object, uint64_t value)
{
    struct mw_metric_member *member;

    mark(process, MW_RECORD_SAMPLE, process->time + 500);
    member = mw_spool_member(&process->spool, MW_MEMBER_METRIC, sizeof *member + 8, object);
    member->metric = (uint32_t)metric;
    member->flags = 0;
    member->type = MW_METRIC_UINT64;
    member->form = MW_METRIC_LIST;
    member->count = 1;
    member->values[0] = value;
    mw_spool_commit(member);
    leave(process, 0);
}

/* --- a process ------------------------------------------------------------------------------ */

static void define_process(struct process *process, const struct shape *shape)
{
    const uint32_t number = process->rank / (shape->host_ranks ? shape->host_ranks : HOST_RANKS);
    char host[16];
    struct mw_definition definition = {
        .kind = MW_DEFINE_PROCESS,
        .of.process = { .rank = process->rank,
                        .size = process->ranks,
                        .host = number,
                        .pid = 100 + process->rank,
                        .time_ticks = 1000,
                        .time_realtime = 1700000000000000000u,
                        .time_resolution = 1000000000u,
                        .thread_level = 3,
                        .host_name = host,
                        .program = "/bin/shapes",
                        .arguments = "shapes",
                        .working_directory = "/",
                        .mpi_library = "an MPI",
                        .recorder = "mpiwatch" }
    };

    snprintf(host, sizeof host, "node%u", number);
    define(process, &definition);
    for (uint32_t i = MW_COMM_WORLD; i <= MW_COMM_SELF; i++) {
        bool is_self = i == MW_COMM_SELF;

        definition = (struct mw_definition){
            .kind = MW_DEFINE_COMM,
            .of.comm = { .comm = i,
                         .uid = is_self ? (struct mw_uid){ 11, process->rank } : shapes_world,
                         .call = MW_CALL_COUNT,
                         .flags = MW_COMM_PREDEFINED,
                         .rank = is_self ? 0 : process->rank,
                         .size = is_self ? 1 : process->ranks }
        };
        define(process, &definition);
    }
}

static void make_thread(struct process *process, const struct shape *shape, const char *folder)
{
    const struct mw_spool_identity identity = { .nonce = NONCE,
                                                .rank = process->rank,
                                                .thread = process->thread };
    struct mw_diagnostic diagnostic;
    char path[4096];

    snprintf(path, sizeof path, "%s/%u.events", folder, process->thread);
    stop_unless(mw_spool_init(&process->spool, path, &identity, 0, &diagnostic), &diagnostic);
    process->time = 0;
    if (process->thread == 0) {
        whole_call(process, MW_CALL_MPI_Init_thread, 1000 + jitter(process->rank, 0, 1000), 2000);
    }
    define(process, &(struct mw_definition){
                        .kind = MW_DEFINE_THREAD,
                        .of.thread = { process->thread, 1000, process->thread == 0 } });
    shape->run(process);
}

static void make_process(struct process *process, const struct shape *shape, uint32_t threads)
{
    struct mw_diagnostic diagnostic;
    uint64_t end = 0;
    char folder[4000];
    char path[4096];

    snprintf(folder, sizeof folder, "%s/mpiwatch-%016x-%u", process->directory, NONCE,
             process->rank);
    if (mkdir(folder, 0700) != 0) {
        perror(folder);
        exit(1);
    }
    snprintf(path, sizeof path, "%s/definitions", folder);
    stop_unless(mw_definition_writer_create(path, NONCE, process->rank, &process->definitions,
                                            &diagnostic),
                &diagnostic);
    define_process(process, shape);
    for (uint32_t i = threads; i-- > 0;) { /* the main thread last: it ends the run */
        process->thread = i;
        make_thread(process, shape, folder);
        end = process->time > end ? process->time : end;
        if (i == 0) {
            whole_call(process, MW_CALL_MPI_Finalize, end + SHAPES_STEP, 1000);
        }
        mw_spool_fini(&process->spool);
    }
    define(process, &(struct mw_definition){ .kind = MW_DEFINE_END,
                                             .of.end = { .time = process->time } });
    mw_definition_writer_destroy(process->definitions);
}

void make_rank(const struct shape *shape, uint64_t n, uint32_t rank, const char *directory)
{
    struct process process = { .directory = directory, .n = n, .rank = rank };

    process.ranks = shape->ranks ? shape->ranks : (uint32_t)n;
    make_process(&process, shape, shape->threads ? shape->threads : (uint32_t)n);
}

void make_shape(const struct shape *shape, uint64_t n, const char *directory)
{
    uint32_t ranks = shape->ranks ? shape->ranks : (uint32_t)n;

    for (uint32_t rank = 0; rank < ranks; rank++) {
        make_rank(shape, n, rank, directory);
    }
}
