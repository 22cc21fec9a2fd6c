/*
 * Variables of all ten classes in the real Open MPI, registered as its own components do,
 * set in 50 steps with an MPI call after each. The truth stands beside each of them.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 50, FLAGS = 0x080 | 0x100 }; /* readonly and continuous */
enum { INT = 0, UNSIGNED = 1, ULONG = 2, ULLONG = 3, DOUBLE = 8 };

/* Exported by libopen-pal; classes are numbered in MPI's order from 0. */
int mca_base_pvar_register(const char *project, const char *framework, const char *component,
                           const char *name, const char *description, int verbosity, int class,
                           int type, void *items, int bind, int flags,
                           int (*get)(const void *, void *, void *),
                           int (*set)(void *, const void *, void *),
                           int (*notify)(void *, int, void *, int *), void *context);

#define VARIABLE(type, name)                                                                    \
    static type name;                                                                           \
    static int get_##name(const void *pvar, void *value, void *object)                          \
    {                                                                                           \
        memcpy(value, &name, sizeof name);                                                      \
        return 0;                                                                               \
    }

VARIABLE(int, state)
VARIABLE(unsigned, level)
VARIABLE(unsigned long, size)
VARIABLE(double, percentage)
VARIABLE(unsigned, high)
VARIABLE(unsigned, low)
VARIABLE(unsigned long long, counter)
VARIABLE(unsigned long, aggregate)
VARIABLE(double, timer)
VARIABLE(unsigned, generic)

static int notify(void *pvar, int event, void *object, int *count)
{
    if (event == 0) {
        *count = 1;
    }
    return 0;
}

static void register_one(const char *name, int class, int type,
                         int (*get)(const void *, void *, void *))
{
    if (mca_base_pvar_register("ompi", "syn", NULL, name, "synthetic", 1, class, type, NULL, 0,
                               FLAGS, get, NULL, notify, NULL) < 0) {
        fprintf(stderr, "%s was not registered\n", name);
    }
}

static void register_all(void)
{
    register_one("state", 0, INT, get_state);
    register_one("level", 1, UNSIGNED, get_level);
    register_one("size", 2, ULONG, get_size);
    register_one("percentage", 3, DOUBLE, get_percentage);
    register_one("high", 4, UNSIGNED, get_high);
    register_one("low", 5, UNSIGNED, get_low);
    register_one("counter", 6, ULLONG, get_counter);
    register_one("aggregate", 7, ULONG, get_aggregate);
    register_one("timer", 8, DOUBLE, get_timer);
    register_one("generic", 9, UNSIGNED, get_generic);
}

int main(int argc, char **argv)
{
    int provided;

    counter = 100;
    low = 1000;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    register_all();
    MPI_Init(&argc, &argv);
    for (unsigned i = 0; i < STEPS; i++) {
        state = (int)i % 3;
        level = i < 25 ? 2 * i : 2 * (STEPS - i); /* 50 at step 25 */
        size = i % 7;
        percentage = i / 64.0; /* 49/64 at the end */
        high = level;
        low = 1000 - 3 * level; /* 850 at step 25 */
        counter += i + 1;       /* 1275 */
        aggregate += 10 * (i + 1); /* 12750 */
        timer += 0.25;          /* 12.5 */
        generic = i;
        MPI_Barrier(MPI_COMM_SELF);
    }
    MPI_Finalize();
    return 0;
}
