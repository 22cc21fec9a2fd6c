#ifndef MW_TEST_BENCH_SHAPES_H
#define MW_TEST_BENCH_SHAPES_H

#include <stdint.h>

#include "formats/spool/definition_writer.h"
#include "formats/spool/spool_writer.h"
#include "formats/table/calls.h"

/*
 * Spools of runs that never were, for test/bench/growth.py: of each shape one in which a
 * single thing grows with n and all others stay. Any failure ends the program.
 */

#define SHAPES_STEP 100000u /* ns: what shapes do in turns is so far apart */

/* The process whose spools are being written, one thread after the other. */
struct process {
    const char *directory;
    uint64_t n;
    uint32_t rank;
    uint32_t ranks;
    uint32_t thread;
    uint64_t time; /* of the thread's last record */
    struct mw_definition_writer *definitions;
    struct mw_spool spool;
    struct mw_call_record *call; /* entered */
};

/* What a thread of a process does between MPI_Init and MPI_Finalize. */
struct shape {
    const char *name;
    const char *grows;   /* in words */
    uint64_t least;      /* an n to begin with, and one not to go beyond */
    uint64_t most;
    uint32_t ranks;      /* 0: n */
    uint32_t threads;    /* 0: n */
    void (*run)(struct process *process);
    uint32_t host_ranks; /* 0: 64 */
};

extern const struct shape shapes_plain[];   /* messages, collectives, regions; ends without name */
extern const struct shape shapes_objects[]; /* communicators, files, variables */
extern const struct shape shapes_windows[];
extern const struct shape shapes_crowd[];

/* --- shapes_kit.c ------------------------------------------------------------------------- */

extern const struct mw_uid shapes_world; /* MPI_COMM_WORLD's */

/* The same number below `below` for the same two, for times that are not even. */
uint64_t jitter(uint64_t one, uint64_t other, uint64_t below);

/* The time of step number step, of all ranks. */
uint64_t step_time(uint64_t step);

void define(struct process *process, const struct mw_definition *definition);

/* A call; a time that is not later than the last one is put after it. */
void enter(struct process *process, unsigned call, uint64_t time);
void leave(struct process *process, uint64_t time);
void whole_call(struct process *process, unsigned call, uint64_t time, uint64_t length);

/* A record that is no call, with members until leave. */
void mark(struct process *process, enum mw_record_type type, uint64_t time);

/* Members of the call that was entered. */
void add_plain(struct process *process, enum mw_record_type type, uint32_t number);
void add_message(struct process *process, enum mw_record_type type, uint32_t comm, uint32_t peer,
                 uint32_t tag);
void add_request(struct process *process, enum mw_record_type type, uint64_t request);
void add_request_message(struct process *process, enum mw_record_type type, uint32_t peer,
                         uint32_t tag, uint64_t request);
void add_collective(struct process *process, uint32_t comm, uint32_t operation, int32_t root);
void add_rma(struct process *process, enum mw_record_type type, uint32_t window, int32_t target,
             uint32_t what, uint64_t id);

/* A blocking collective on comm in step: all enter at their own times and leave together. */
void collective(struct process *process, uint64_t step, unsigned call, uint32_t comm,
                uint32_t operation, int32_t root);

/* An exchange with both neighbours in a ring in step, by MPI_Irecv, MPI_Isend and MPI_Waitall. */
void exchange(struct process *process, uint64_t step);

/* A variable of the MPI with this number, of integers, and a value that it has, of comm or of
 * MW_COMM_NONE. */
void define_variable(struct process *process, uint64_t i, enum mw_variable_class class,
                     const char *bind);
void sample(struct process *process, uint64_t metric, uint32_t object, uint64_t value);

/* The spools of a rank of a shape, and of all. */
void make_rank(const struct shape *shape, uint64_t n, uint32_t rank, const char *directory);
void make_shape(const struct shape *shape, uint64_t n, const char *directory);

#endif
