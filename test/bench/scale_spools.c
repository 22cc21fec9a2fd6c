/*
 * A halo exchange on a grid of processes, as its spools are: each rank is in a row and a column of
 * its own, in the grid, and in duplicates of the world; it has the settings, circumstances and
 * variables that ranks have by default, and calls from some hundred places, which a third each
 * has met in another order. There are few events: what they cost does not grow with ranks.
 */
#include "test/bench/scale.h"
#include "test/bench/shapes.h"

#include <stdio.h>
#include <stdlib.h>

#define SITES 200u
#define SETTINGS 40u
#define CALLS 8u

static struct {
    uint32_t ranks;
    uint32_t columns; /* of the grid; ranks is a multiple of it */
    uint32_t comms;
} run;

static void define_circumstance(struct process *process, uint32_t of, const char *name,
                                const char *value)
{
    define(process, &(struct mw_definition){ .kind = MW_DEFINE_CIRCUMSTANCE,
                                             .of.circumstance = { of, 0, name, value } });
}

static void define_circumstances(struct process *process)
{
    char name[32];
    char value[64];

    for (uint32_t i = 0; i < SETTINGS; i++) {
        snprintf(name, sizeof name, "setting-%u", i);
        define(process, &(struct mw_definition){ .kind = MW_DEFINE_SETTING,
                                                 .of.setting = { name, "some value" } });
    }
    for (uint32_t i = 0; process->rank == 0 && i < SETTINGS; i++) {
        snprintf(name, sizeof name, "OMPI_MCA_variable_%u", i);
        define_circumstance(process, MW_CIRCUMSTANCE_OF_MPI, name, "some value of it");
    }
    define_circumstance(process, MW_CIRCUMSTANCE_OF_PROCESS, "cores", "64");
    define_circumstance(process, MW_CIRCUMSTANCE_OF_PROCESS, "cpu_model",
                        "A Processor of 64 cores @ 2.40 GHz");
    snprintf(value, sizeof value, "%u", process->rank % 64);
    define_circumstance(process, MW_CIRCUMSTANCE_OF_THREAD, "affinity", value);
}

static void define_variables(struct process *process)
{
    for (uint32_t i = 0; i < 3; i++) {
        define(process,
               &(struct mw_definition){
                   .kind = MW_DEFINE_METRIC,
                   .of.metric = { .metric = i,
                                  .name = i == 0 ? "unexpected_queue" : i == 1 ? "sent" : "got",
                                  .type = MW_METRIC_UINT64,
                                  .bits = 64,
                                  .bind = "NO_OBJECT",
                                  .verbosity = 1,
                                  .count = 1,
                                  .elements = 1,
                                  .unit = "#",
                                  .description = "What the library says about this variable.",
                                  .items = "",
                                  .categories = "pml" } });
    }
}

static void define_sites(struct process *process)
{
    define(process, &(struct mw_definition){
                        .kind = MW_DEFINE_MODULE,
                        .of.module = { 0, "/home/user/bin/program", "0123456789abcdef01234567" } });
    for (uint32_t i = 0; i < SITES; i++) {
        uint32_t site = (i + process->rank % 3) % SITES;

        define(process, &(struct mw_definition){
                            .kind = MW_DEFINE_SITE,
                            .of.site = { i, MW_CALL_MPI_Send, 0, 0x1000 + 16 * site } });
    }
}

/* A communicator of every so manieth rank from first on; number is the process's. */
static void define_comm(struct process *process, uint32_t number, unsigned call, uint32_t sequence,
                        uint32_t first, uint32_t stride, uint32_t count)
{
    uint32_t *members = malloc(count * sizeof *members);

    for (uint32_t i = 0; members && i < count; i++) {
        members[i] = first + i * stride;
    }
    define(process,
           &(struct mw_definition){
               .kind = MW_DEFINE_COMM,
               .of.comm = { .comm = number,
                            .uid = { 200 + number, first },
                            .parent = shapes_world,
                            .call = call,
                            .sequence = sequence,
                            .rank = (process->rank - first) / stride,
                            .size = count,
                            .leader = first,
                            .member_count = process->rank == first && members ? count : 0,
                            .members = members } });
    free(members);
}

static void define_comms(struct process *process)
{
    uint32_t columns = run.columns;
    uint32_t rank = process->rank;

    define_comm(process, 2, MW_CALL_MPI_Cart_create, 1, 0, 1, run.ranks);
    define_comm(process, 3, MW_CALL_MPI_Comm_split, 2, rank - rank % columns, 1, columns);
    define_comm(process, 4, MW_CALL_MPI_Comm_split, 3, rank % columns, columns,
                run.ranks / columns);
    for (uint32_t i = 0; i < run.comms; i++) {
        define(process, &(struct mw_definition){
                            .kind = MW_DEFINE_COMM_LIKE,
                            .of.comm_like = { .comm = 5 + i,
                                              .parent = MW_COMM_WORLD,
                                              .uid = { 300, i },
                                              .call = MW_CALL_MPI_Comm_dup,
                                              .sequence = 4 + i } });
    }
    define(process, &(struct mw_definition){ .kind = MW_DEFINE_COMM_NAME,
                                             .of.comm_name = { 3, MW_NAME_MPI, 1000, "row" } });
}

static void live(struct process *process)
{
    define_circumstances(process);
    define_variables(process);
    define_sites(process);
    define_comms(process);
    for (uint32_t i = 0; i < CALLS; i++) {
        enter(process, MW_CALL_MPI_Send, step_time(i));
        add_message(process, MW_MEMBER_SEND, 2, (process->rank + 1) % run.ranks, i);
        leave(process, step_time(i) + 1000);
    }
}

static const struct shape halo = { .name = "halo", .threads = 1, .run = live };

void scale_make_rank(const char *directory, uint32_t rank, uint32_t ranks, uint32_t comms)
{
    run.ranks = ranks;
    run.comms = comms;
    for (uint32_t i = 1; i <= ranks / i; i++) {
        run.columns = ranks % i == 0 ? i : run.columns;
    }
    make_rank(&halo, ranks, rank, directory);
}

void scale_make_spools(const char *directory, uint32_t ranks, uint32_t comms)
{
    for (uint32_t rank = 0; rank < ranks; rank++) {
        scale_make_rank(directory, rank, ranks, comms);
    }
}
