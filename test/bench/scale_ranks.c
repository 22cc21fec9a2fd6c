#include "test/bench/scale.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "formats/base/buffer.h"
#include "formats/base/file.h"

/* Paths of 4096 bytes lie on it in several functions at a time. Most of it is never touched. */
#define STACK_BYTES ((size_t)512 << 10)

enum saying {
    SAY_GATHER,
    SAY_COMBINE,
    SAY_COMBINED,
    SAY_SCATTER,
    SAY_BROADCAST,
    SAY_EXSCAN,
    SAY_AGREE,
    SAY_OPEN,
    SAY_CLOSE
};

/* A rank, and what it last said to the others. */
struct rank {
    ucontext_t context;
    struct mw_transport transport;
    struct scale_memory memory;
    struct scale_cost cost; /* of the step that it is in */
    uint32_t step;
    bool is_done;
    enum mw_status status;
    enum saying saying;
    const void *data;
    uint64_t bytes;
    const struct mw_parts *parts;
    uint64_t number;
};

static struct {
    ucontext_t scheduler;
    uint32_t count;
    struct rank *ranks;
    enum mw_status (*body)(const struct mw_transport *, void *);
    void *context;
    struct scale_step *steps;
    int output;
    uint64_t result; /* of what all have said last */
} world;

static void fail(const char *what)
{
    fprintf(stderr, "scale: %s\n", what);
    exit(1);
}

/* --- the transport -------------------------------------------------------------------------- */

/* Waits until all have said the same. */
static void say(struct rank *rank, enum saying saying)
{
    rank->saying = saying;
    if (swapcontext(&rank->context, &world.scheduler) != 0) {
        fail("can't change coroutines");
    }
}

static bool is_first(const struct rank *rank)
{
    return rank == world.ranks;
}

static void *room(uint64_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);

    if (!memory) {
        fail("no memory");
    }
    return memory;
}

static enum mw_status gather(void *context, const void *data, uint64_t bytes,
                             struct mw_parts *parts, struct mw_diagnostic *diagnostic)
{
    struct rank *rank = context;
    uint64_t total = 0;

    rank->data = data;
    rank->bytes = bytes;
    rank->cost.given += is_first(rank) ? 0 : bytes;
    memset(parts, 0, sizeof *parts);
    say(rank, SAY_GATHER);
    if (!is_first(rank)) {
        return MW_OK;
    }
    parts->count = world.count;
    parts->sizes = room(world.count * sizeof *parts->sizes);
    parts->parts = room(world.count * sizeof *parts->parts);
    for (uint32_t i = 0; i < world.count; i++) {
        parts->sizes[i] = world.ranks[i].bytes;
        total += parts->sizes[i];
    }
    parts->data = room(total);
    rank->cost.taken += total - bytes;
    total = 0;
    for (uint32_t i = 0; i < world.count; i++) {
        parts->parts[i] = parts->data + total;
        if (parts->sizes[i] > 0) {
            memcpy(parts->parts[i], world.ranks[i].data, parts->sizes[i]);
        }
        total += parts->sizes[i];
    }
    return MW_OK;
}

/* As over MPI, but that what is given stays until all have taken. */
static enum mw_status combine(void *context, const struct mw_combined *combined,
                              struct mw_diagnostic *diagnostic)
{
    struct rank *rank = context;
    uint32_t number = (uint32_t)(rank - world.ranks);
    struct mw_buffer given = {0};
    enum mw_status status = MW_OK;

    say(rank, SAY_COMBINE); /* those above have gone on */
    for (uint32_t distance = 1; distance < world.count && (number & distance) == 0;
         distance *= 2) {
        struct rank *from = number + distance < world.count ? rank + distance : NULL;

        if (from && status == MW_OK) {
            char *taken = room(from->bytes);

            memcpy(taken, from->data, from->bytes);
            rank->cost.taken += from->bytes;
            status = combined->take(combined->of, taken, from->bytes);
            free(taken);
        }
    }
    if (!is_first(rank)) {
        combined->give(combined->of, &given);
    }
    rank->data = given.data;
    rank->bytes = given.bytes;
    rank->cost.given += given.bytes;
    say(rank, SAY_COMBINED);
    mw_buffer_fini(&given);
    return status;
}

static enum mw_status scatter(void *context, const struct mw_parts *parts, char **data,
                              uint64_t *bytes, struct mw_diagnostic *diagnostic)
{
    struct rank *rank = context;
    uint32_t number = (uint32_t)(rank - world.ranks);

    rank->parts = parts;
    say(rank, SAY_SCATTER);
    parts = world.ranks[0].parts;
    *bytes = parts->sizes[number];
    *data = *bytes > 0 ? room(*bytes) : NULL;
    if (*bytes > 0) {
        memcpy(*data, parts->parts[number], *bytes);
    }
    rank->cost.taken += is_first(rank) ? 0 : *bytes;
    world.ranks[0].cost.given += is_first(rank) ? 0 : *bytes;
    return MW_OK;
}

static enum mw_status broadcast(void *context, void *data, uint64_t bytes,
                                struct mw_diagnostic *diagnostic)
{
    struct rank *rank = context;

    rank->data = data;
    say(rank, SAY_BROADCAST);
    if (!is_first(rank) && bytes > 0) {
        memcpy(data, world.ranks[0].data, bytes);
    }
    *(is_first(rank) ? &rank->cost.given : &rank->cost.taken) += bytes;
    return MW_OK;
}

static enum mw_status exscan(void *context, uint64_t mine, uint64_t *before, uint64_t *total,
                             struct mw_diagnostic *diagnostic)
{
    struct rank *rank = context;

    rank->number = mine;
    say(rank, SAY_EXSCAN);
    *before = rank->number;
    *total = world.result;
    return MW_OK;
}

static enum mw_status agree(void *context, enum mw_status mine, enum mw_status *worst,
                            struct mw_diagnostic *diagnostic)
{
    struct rank *rank = context;

    rank->number = (uint64_t)mine;
    say(rank, SAY_AGREE);
    *worst = (enum mw_status)world.result;
    return MW_OK;
}

static enum mw_status output_open(void *context, const char *path, uint64_t nonce,
                                  struct mw_diagnostic *diagnostic)
{
    struct rank *rank = context;

    if (is_first(rank)) {
        world.output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (world.output < 0) {
            fail("can't make the output");
        }
    }
    say(rank, SAY_OPEN);
    return MW_OK;
}

static enum mw_status output_write(void *context, int source, uint64_t source_offset,
                                   uint64_t bytes, uint64_t target_offset,
                                   struct mw_diagnostic *diagnostic)
{
    return mw_file_copy(source, source_offset, world.output, target_offset, bytes, "the output",
                        diagnostic);
}

static enum mw_status output_close(void *context, struct mw_diagnostic *diagnostic)
{
    struct rank *rank = context;

    say(rank, SAY_CLOSE);
    if (is_first(rank)) {
        close(world.output);
    }
    return MW_OK;
}

/* --- steps ---------------------------------------------------------------------------------- */

static void raise_cost(struct scale_cost *to, const struct scale_cost *cost)
{
    to->ns = cost->ns > to->ns ? cost->ns : to->ns;
    to->peak = cost->peak > to->peak ? cost->peak : to->peak;
    to->taken = cost->taken > to->taken ? cost->taken : to->taken;
    to->given = cost->given > to->given ? cost->given : to->given;
}

static void end_step(struct rank *rank)
{
    struct scale_step *step = &world.steps[rank->step];

    if (rank->step + 1 >= SCALE_STEPS_MAX) {
        fail("there are more steps than expected");
    }
    rank->cost.peak = rank->memory.peak;
    raise_cost(is_first(rank) ? &step->first : &step->others, &rank->cost);
    step->all_ns += rank->cost.ns;
    rank->step++;
    rank->cost = (struct scale_cost){0};
    rank->memory.peak = rank->memory.now;
}

/* --- coroutines ----------------------------------------------------------------------------- */

static uint64_t processor_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void go_on(struct rank *rank)
{
    uint64_t begin = processor_ns();

    scale_memory_count(&rank->memory);
    if (swapcontext(&world.scheduler, &rank->context) != 0) {
        fail("can't change coroutines");
    }
    scale_memory_count(NULL);
    rank->cost.ns += processor_ns() - begin;
}

static void live(unsigned number)
{
    struct rank *rank = &world.ranks[number];

    rank->status = world.body(&rank->transport, world.context);
    rank->is_done = true;
}

static void begin_rank(uint32_t number, char *stacks)
{
    struct rank *rank = &world.ranks[number];

    if (getcontext(&rank->context) != 0) {
        fail("can't make coroutines");
    }
    rank->context.uc_stack.ss_sp = stacks + number * STACK_BYTES;
    rank->context.uc_stack.ss_size = STACK_BYTES;
    rank->context.uc_link = &world.scheduler;
    makecontext(&rank->context, (void (*)(void))live, 1, number);
    rank->transport = (struct mw_transport){
        .context = rank,
        .rank = number,
        .size = world.count,
        .gather = gather,
        .combine = combine,
        .scatter = scatter,
        .broadcast = broadcast,
        .exscan = exscan,
        .agree = agree,
        .output_open = output_open,
        .output_write = output_write,
        .output_close = output_close,
    };
}

/* What all have said, put together. */
static void conclude(enum saying saying)
{
    uint64_t sum = 0;
    uint64_t highest = 0;

    for (uint32_t i = 0; i < world.count; i++) {
        struct rank *rank = &world.ranks[i];
        uint64_t number = rank->number;

        if (rank->is_done || rank->saying != saying) {
            fail("ranks do not speak in the same order");
        }
        if (saying == SAY_AGREE) {
            end_step(rank);
        }
        rank->number = sum;
        sum += number;
        highest = number > highest ? number : highest;
    }
    world.result = saying == SAY_AGREE ? highest : sum;
}

/* All go on: who gives goes last, since it may take back what it gives. */
static void go_on_all(enum saying saying)
{
    bool first_is_last = saying == SAY_SCATTER || saying == SAY_BROADCAST ||
                         saying == SAY_COMBINE;

    for (uint32_t i = 0; i < world.count; i++) {
        go_on(&world.ranks[first_is_last ? world.count - 1 - i : i]);
    }
}

void scale_run(uint32_t count, enum mw_status (*body)(const struct mw_transport *, void *context),
               void *context, struct scale_step steps[SCALE_STEPS_MAX], uint32_t *step_count)
{
    char *stacks = mmap(NULL, count * STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    world.count = count;
    world.ranks = calloc(count, sizeof *world.ranks);
    world.body = body;
    world.context = context;
    world.steps = steps;
    if (!world.ranks || stacks == MAP_FAILED) {
        fail("no memory");
    }
    for (uint32_t i = 0; i < count; i++) {
        begin_rank(i, stacks);
    }
    for (go_on_all(SAY_AGREE); !world.ranks[0].is_done;) {
        enum saying saying = world.ranks[0].saying;

        conclude(saying);
        go_on_all(saying);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!world.ranks[i].is_done || world.ranks[i].status != MW_OK) {
            fail("a rank has failed");
        }
    }
    *step_count = world.ranks[0].step;
    munmap(stacks, count * STACK_BYTES);
    free(world.ranks);
}
