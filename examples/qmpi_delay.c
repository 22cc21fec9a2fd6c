/*
 * A QMPI tool, "delay": makes chosen ranks late at chosen calls, to see what would wait
 * for them. QMPI_DELAY says at which, on which rank, and for how many microseconds
 * before each call; without a rank it is all of them:
 *
 *     QMPI_DELAY=MPI_Send@0=2000,MPI_Barrier=50 mpirun -n 4 \
 *         mpiwatch-record --tools-path=examples/qmpi_delay-openmpi.so --tools=delay \
 *         examples/ring-openmpi
 *
 * The tool stands before the recorder: in the archive the delay is time outside of MPI, as
 * if the program had computed longer, and its consequences are time in the MPI calls of
 * the other ranks. Behind the recorder (--tools=mpiwatch,delay) the delay is in the call, but
 * told to be the tool's own, so that no number of the analyzer's has it.
 */
#include <mpi.h>
#include <qmpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct next {
    void (*function)(void);
    int id;
};

struct instance {
    int rank; /* -1 before MPI_Init has returned */
    struct next next[MPIWATCH_QMPI_COUNT];
};

struct delay {
    int rank; /* -1: all */
    long microseconds;
};

static struct delay delays[MPIWATCH_QMPI_COUNT];

static const char *const names[MPIWATCH_QMPI_COUNT] = {
#define NAME(prefix, name, number, ...) [number] = #prefix "_" #name,
    QMPI_EACH_CALL(NAME)};

static void wait_for(long microseconds)
{
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    struct timespec before, after;

    clock_gettime(CLOCK_MONOTONIC, &before);
    while (nanosleep(&time, &time) != 0) {
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    mpiwatch_tool_time((unsigned long long)(after.tv_sec - before.tv_sec) * 1000000000 +
                       (unsigned long long)after.tv_nsec - (unsigned long long)before.tv_nsec);
}

static struct next delay_call(QMPI_Context context, int id, int number)
{
    const struct delay *delay = &delays[number];
    struct instance *instance = NULL;

    QMPI_Get_tool_storage(context, id, (void **)&instance);
    if (instance->rank < 0) {
        int initialized = 0;

        PMPI_Initialized(&initialized);
        if (initialized) {
            PMPI_Comm_rank(MPI_COMM_WORLD, &instance->rank);
        }
    }
    if (delay->rank < 0 || delay->rank == instance->rank) {
        wait_for(delay->microseconds);
    }
    return instance->next[number];
}

#define HOOK(prefix, name, number, type, params, args)                                          \
    static type delay_##prefix##_##name params                                                  \
    {                                                                                           \
        struct next delay_next = delay_call(context, tool_id, number);                          \
                                                                                                \
        tool_id = delay_next.id;                                                                \
        return ((Q##prefix##_##name##_t *)delay_next.function)args;                             \
    }
QMPI_EACH_CALL(HOOK)

static void (*const hooks[MPIWATCH_QMPI_COUNT])(void) = {
#define ENTRY(prefix, name, number, ...) [number] = (void (*)(void))delay_##prefix##_##name,
    QMPI_EACH_CALL(ENTRY)};

/* One "MPI_Send@0=2000". Only functions to be delayed are registered: others cost nothing. */
static void add(int id, struct instance *instance, const char *word)
{
    size_t length = strcspn(word, "@=");
    const char *equals = strchr(word, '=');
    int number = 0;

    while (number < MPIWATCH_QMPI_COUNT &&
           (!names[number] || strncmp(names[number], word, length) != 0 || names[number][length])) {
        number++;
    }
    if (number == MPIWATCH_QMPI_COUNT || !equals) {
        fprintf(stderr, "delay: \"%s\" is not FUNCTION[@RANK]=MICROSECONDS\n", word);
        return;
    }
    delays[number].rank = word[length] == '@' ? atoi(word + length + 1) : -1;
    delays[number].microseconds = atol(equals + 1);
    QMPI_Register_function(id, (enum QMPI_Functions_enum)number, hooks[number]);
    QMPI_Get_function(id, (enum QMPI_Functions_enum)number, &instance->next[number].function,
                      &instance->next[number].id);
}

static void init(int id)
{
    struct instance *instance = calloc(1, sizeof *instance);
    char *list = strdup(getenv("QMPI_DELAY") ? getenv("QMPI_DELAY") : "");
    char *rest = list;
    const char *word;

    if (instance && list) {
        instance->rank = -1;
        QMPI_Register_tool_storage(id, instance);
        while ((word = strsep(&rest, ",")) != NULL) {
            if (*word) {
                add(id, instance, word);
            }
        }
    }
    free(list);
}

__attribute__((constructor)) static void announce(void)
{
    QMPI_Register_tool_name("delay", init);
}
