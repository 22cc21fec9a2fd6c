/*
 * A QMPI tool, "call_count": how often each MPI function was called, on all ranks
 * together, printed by rank 0 at the end. Every instance counts for itself: two of them
 * around another tool show what that one added or left out.
 *
 *     mpirun -n 4 mpiwatch-record --tools-path=examples/qmpi_call_count-openmpi.so \
 *         --tools=call_count examples/ring-openmpi
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include <qmpi.h>

struct next {
    void (*function)(void);
    int id;
};

struct instance {
    long counts[MPIWATCH_QMPI_COUNT];
    struct next next[MPIWATCH_QMPI_COUNT];
};

static const char *const names[MPIWATCH_QMPI_COUNT] = {
#define NAME(prefix, name, number, ...) [number] = #prefix "_" #name,
    QMPI_EACH_CALL(NAME)};

static void print(int id, const struct instance *instance)
{
    long *sums = calloc(MPIWATCH_QMPI_COUNT, sizeof *sums);
    int rank, number;

    if (!sums) {
        return;
    }
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(instance->counts, sums, MPIWATCH_QMPI_COUNT, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    for (number = 0; rank == 0 && number < MPIWATCH_QMPI_COUNT; number++) {
        if (sums[number] > 0) {
            fprintf(stderr, "call_count %d: %s %ld\n", id, names[number], sums[number]);
        }
    }
    free(sums);
}

/* What goes before every call: its count, and who is next. */
static struct next count_call(QMPI_Context context, int id, int number)
{
    struct instance *instance = NULL;

    QMPI_Get_tool_storage(context, id, (void **)&instance);
    __atomic_add_fetch(&instance->counts[number], 1, __ATOMIC_RELAXED);
    if (number == MPI_FINALIZE_T) {
        print(id, instance);
    }
    return instance->next[number];
}

/* A hook of every function; tool_id, among args, becomes that of the next tool. */
#define HOOK(prefix, name, number, type, params, args)                                          \
    static type count_##prefix##_##name params                                                  \
    {                                                                                           \
        struct next count_next = count_call(context, tool_id, number);                          \
                                                                                                \
        tool_id = count_next.id;                                                                \
        return ((Q##prefix##_##name##_t *)count_next.function)args;                             \
    }
QMPI_EACH_CALL(HOOK)

static void init(int id)
{
    struct instance *instance = calloc(1, sizeof *instance);

    if (!instance) {
        return;
    }
    QMPI_Register_tool_storage(id, instance);
#define REGISTER(prefix, name, number, ...)                                                     \
    QMPI_Register_function(id, number, (void (*)(void))count_##prefix##_##name);                \
    QMPI_Get_function(id, number, &instance->next[number].function, &instance->next[number].id);
    QMPI_EACH_CALL(REGISTER)
}

__attribute__((constructor)) static void announce(void)
{
    QMPI_Register_tool_name("call_count", init);
}
