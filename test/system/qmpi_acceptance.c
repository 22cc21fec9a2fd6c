/*
 * A program that has a QMPI tool in it, "twin", and wants exactly two instances of it:
 *
 *     MPIR_CVAR_QMPI_TOOL_LIST=twin:twin mpirun -n 2 qmpi_acceptance [thread]
 *
 * It checks that the tool was registered, that both instances were initialised before
 * MPI, each with its id, that each keeps its own storage, that the outer one calls the
 * inner one at every call and once, and where the calls come from: from this program, or
 * from the file that CALLER names. It says "no errors", or what is wrong with status 1.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <qmpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 5
#define INSTANCES 2

/* There need not be a library that has them. */
#pragma weak QMPI_Register_tool_name
#pragma weak QMPI_Register_tool_storage
#pragma weak QMPI_Register_function
#pragma weak QMPI_Get_function
#pragma weak QMPI_Get_tool_storage
#pragma weak QMPI_Get_calling_address

struct twin {
    int id;
    int inits;
    int sends;
    int receives;
    int reductions;
    int finalizes;
};

static struct twin twins[INSTANCES], none;
static int twin_count;
static int errors;
static int registered = -1;
static int inside; /* the instance that a call is in */

static void check(int is_right, const char *what)
{
    if (!is_right) {
        errors++;
        fprintf(stderr, "wrong: %s\n", what);
    }
}

/* --- the tool -------------------------------------------------------------------- */

/* The instance's storage, which knows the id; the outer one comes first. */
static struct twin *enter(QMPI_Context context, int id)
{
    struct twin *twin = NULL;

    check(QMPI_Get_tool_storage(context, id, (void **)&twin) == MPI_SUCCESS && twin, "storage");
    twin = twin ? twin : &none;
    check(twin->id == id, "the storage is that of the instance");
    check(inside == (twin == &twins[0] ? 0 : 1), "the outer instance, then the inner one");
    inside++;
    return twin;
}

static void *next(int id, enum QMPI_Functions_enum number, int *next_id)
{
    void (*function)(void) = NULL;

    check(QMPI_Get_function(id, number, &function, next_id) == MPI_SUCCESS, "Get_function");
    if (id == twins[0].id) {
        check(*next_id == twins[1].id, "after the first instance comes the second");
    } else {
        check(*next_id != twins[0].id && *next_id != twins[1].id, "after the second neither");
    }
    return (void *)function;
}

static void check_caller(QMPI_Context context)
{
    const char *expected = getenv("CALLER");
    void *address = NULL;
    Dl_info where;
    Dl_info here;

    check(QMPI_Get_calling_address(context, &address) == MPI_SUCCESS, "Get_calling_address");
    check(dladdr(address, &where) && dladdr((void *)check_caller, &here), "an address of code");
    check(expected ? strstr(where.dli_fname, expected) != NULL
                   : strcmp(where.dli_fname, here.dli_fname) == 0,
          where.dli_fname);
}

static int twin_init(QMPI_Context context, int id, int *argc, char ***argv)
{
    struct twin *twin = enter(context, id);
    QMPI_Init_t *function = next(id, MPI_INIT_T, &id);

    twin->inits++;
    id = function(context, id, argc, argv);
    inside--;
    return id;
}

static int twin_init_thread(QMPI_Context context, int id, int *argc, char ***argv, int required,
                            int *provided)
{
    struct twin *twin = enter(context, id);
    QMPI_Init_thread_t *function = next(id, MPI_INIT_THREAD_T, &id);

    twin->inits++;
    id = function(context, id, argc, argv, required, provided);
    inside--;
    return id;
}

static int twin_send(QMPI_Context context, int id, const void *buffer, int count,
                     MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    struct twin *twin = enter(context, id);
    QMPI_Send_t *function = next(id, MPI_SEND_T, &id);

    twin->sends++;
    check_caller(context);
    id = function(context, id, buffer, count, datatype, dest, tag, comm);
    inside--;
    return id;
}

static int twin_recv(QMPI_Context context, int id, void *buffer, int count, MPI_Datatype datatype,
                     int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct twin *twin = enter(context, id);
    QMPI_Recv_t *function = next(id, MPI_RECV_T, &id);

    twin->receives++;
    id = function(context, id, buffer, count, datatype, source, tag, comm, status);
    inside--;
    return id;
}

static int twin_allreduce(QMPI_Context context, int id, const void *in, void *out, int count,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct twin *twin = enter(context, id);
    QMPI_Allreduce_t *function = next(id, MPI_ALLREDUCE_T, &id);

    twin->reductions++;
    id = function(context, id, in, out, count, datatype, op, comm);
    inside--;
    return id;
}

static int twin_finalize(QMPI_Context context, int id)
{
    struct twin *twin = enter(context, id);
    QMPI_Finalize_t *function = next(id, MPI_FINALIZE_T, &id);

    twin->finalizes++;
    id = function(context, id);
    inside--;
    return id;
}

static void init_twin(int id)
{
    int initialized = 1;

    PMPI_Initialized(&initialized);
    check(!initialized, "init functions run before MPI is initialised");
    if (twin_count < INSTANCES) {
        twins[twin_count].id = id;
        check(QMPI_Register_tool_storage(id, &twins[twin_count]) == MPI_SUCCESS,
              "Register_tool_storage");
    }
    twin_count++;
#define REGISTER(number, hook)                                                                  \
    check(QMPI_Register_function(id, number, (void (*)(void))hook) == MPI_SUCCESS, #number)
    REGISTER(MPI_INIT_T, twin_init);
    REGISTER(MPI_INIT_THREAD_T, twin_init_thread);
    REGISTER(MPI_SEND_T, twin_send);
    REGISTER(MPI_RECV_T, twin_recv);
    REGISTER(MPI_ALLREDUCE_T, twin_allreduce);
    REGISTER(MPI_FINALIZE_T, twin_finalize);
}

__attribute__((constructor)) static void announce(void)
{
    if (QMPI_Register_tool_name) {
        registered = QMPI_Register_tool_name("twin", init_twin);
    }
}

/* --- the program ------------------------------------------------------------------ */

static void exchange(int rank, int size)
{
    int token = rank;
    int sum = -1;

    for (int round = 0; round < ROUNDS; round++) {
        if (rank % 2 == 0 && rank + 1 < size) {
            MPI_Send(&token, 1, MPI_INT, rank + 1, round, MPI_COMM_WORLD);
        } else if (rank % 2 == 1) {
            token = -1;
            MPI_Recv(&token, 1, MPI_INT, rank - 1, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check(token == rank - 1, "what is received");
        }
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        check(sum == size * (size - 1) / 2, "what is summed");
    }
}

static void check_counts(int rank, int size)
{
    check(registered == MPI_SUCCESS, "the tool could not be registered");
    check(twin_count == INSTANCES, "there are not two instances");
    for (int i = 0; i < INSTANCES && twin_count == INSTANCES; i++) {
        check(twins[i].id > 0 && (i == 0 || twins[i].id > twins[0].id), "ids ascend");
        check(twins[i].inits == 1, "MPI_Init or MPI_Init_thread once");
        check(twins[i].sends == (rank % 2 == 0 && rank + 1 < size ? ROUNDS : 0), "MPI_Send");
        check(twins[i].receives == (rank % 2 == 1 ? ROUNDS : 0), "MPI_Recv");
        check(twins[i].reductions == ROUNDS, "MPI_Allreduce");
        check(twins[i].finalizes == 1, "MPI_Finalize once");
    }
}

int main(int argc, char **argv)
{
    int rank, size, provided;

    if (argc > 1 && strcmp(argv[1], "thread") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    } else {
        MPI_Init(&argc, &argv);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    exchange(rank, size);
    MPI_Finalize();
    check_counts(rank, size);
    if (errors == 0 && rank == 0) {
        puts("no errors");
    }
    return errors > 0;
}
