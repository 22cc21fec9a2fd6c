/*
 * Calls every function that this MPI has, by MPI_X and by PMPI_X, with nothing for
 * arguments: the tools "pass", which goes on, and "stop", which does not, are to be in
 * the chain as the list says, stop innermost of all, so that no call reaches MPI. Says how
 * often each instance has seen each function if that is not twice.
 *
 *     MPIWATCH_TOOLS=pass,pass,stop qmpi_every_call
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <qmpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSTANCES_MAX 8

static int seen[INSTANCES_MAX + 1][MPIWATCH_QMPI_COUNT];
static int ids[INSTANCES_MAX];
static int instances;
static int errors;

/* The next function for an instance of pass. */
static void (*go_on(QMPI_Context context, int *id, int number))(void)
{
    void (*function)(void) = NULL;
    void *caller = NULL;

    if (QMPI_Get_calling_address(context, &caller) != MPI_SUCCESS || !caller ||
        QMPI_Get_function(*id, (enum QMPI_Functions_enum)number, &function, id) != MPI_SUCCESS) {
        errors++;
    }
    return function;
}

/* A call that is followed by more than its id, so that a wrong type would show. */
#define HOOKS(prefix, name, number, type, params, args)                                         \
    static type pass_##prefix##_##name params                                                   \
    {                                                                                           \
        void (*mwt_next)(void);                                                                 \
                                                                                                \
        seen[tool_id][number]++;                                                                \
        mwt_next = go_on(context, &tool_id, number);                                            \
        return ((Q##prefix##_##name##_t *)mwt_next)args;                                        \
    }                                                                                           \
                                                                                                \
    static type stop_##prefix##_##name params                                                   \
    {                                                                                           \
        seen[tool_id][number]++;                                                                \
        return (type)0;                                                                         \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
QMPI_EACH_CALL(HOOKS)

#define REGISTER(tool, prefix, name, number)                                                    \
    errors += QMPI_Register_function(id, number, (void (*)(void))tool##_##prefix##_##name) !=   \
              MPI_SUCCESS;

static void init_pass(int id)
{
    ids[instances++] = id;
#define REGISTER_PASS(prefix, name, number, ...) REGISTER(pass, prefix, name, number)
    QMPI_EACH_CALL(REGISTER_PASS)
}

static void init_stop(int id)
{
    ids[instances++] = id;
#define REGISTER_STOP(prefix, name, number, ...) REGISTER(stop, prefix, name, number)
    QMPI_EACH_CALL(REGISTER_STOP)
}

__attribute__((constructor)) static void announce(void)
{
    errors += QMPI_Register_tool_name("pass", init_pass) != MPI_SUCCESS;
    errors += QMPI_Register_tool_name("stop", init_stop) != MPI_SUCCESS;
}

/* Enough arguments for all functions: numbers and pointers only. */
static void call(const char *name)
{
    typedef void any(long, long, long, long, long, long, long, long, long, long, long, long, long,
                     long, long, long);
    any *function = (any *)dlsym(RTLD_DEFAULT, name);

    if (!function) {
        printf("there is no %s\n", name);
        errors++;
        return;
    }
    function(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void check(const char *name, int number)
{
    for (int i = 0; i < instances; i++) {
        if (seen[ids[i]][number] != 2) {
            printf("%s, instance %d: seen %d times\n", name, ids[i], seen[ids[i]][number]);
            errors++;
        }
    }
}

int main(void)
{
    int count = 0;
#define CALL_BOTH(prefix, name, number, ...)                                                    \
    call(#prefix "_" #name);                                                                    \
    call("P" #prefix "_" #name);                                                                \
    check(#prefix "_" #name, number);                                                           \
    count++;
    QMPI_EACH_CALL(CALL_BOTH)
    printf("%d functions, %d instances, %d errors\n", count, instances, errors);
    return errors > 0 || instances == 0;
}
