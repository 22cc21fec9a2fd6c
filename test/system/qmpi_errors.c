/*
 * What the functions of QMPI return when they are asked for what there is not, and at the
 * wrong time. Has two tools, "known" and, registered only after a first call of MPI,
 * "late"; the list of tools is to be known,late. Says what is wrong, if anything, and "done".
 */
#include <mpi.h>
#include <qmpi.h>
#include <stdio.h>
#include <string.h>

#define SEND MPI_SEND_T
#define BEYOND ((enum QMPI_Functions_enum)MPIWATCH_QMPI_COUNT)
#define NEGATIVE ((enum QMPI_Functions_enum)-1)

static int errors;
static int known_id, late_id;
static QMPI_Context none;

#define EXPECT(code, call)                                                                      \
    do {                                                                                        \
        int expect_code = (call);                                                               \
        if (expect_code != (code)) {                                                            \
            errors++;                                                                           \
            printf("wrong: %s is %d, not " #code "\n", #call, expect_code);                     \
        }                                                                                       \
    } while (0)

static int send_hook(QMPI_Context context, int id, const void *buffer, int count,
                     MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    QMPI_Send_t *function;

    QMPI_Get_function(id, SEND, (void (**)(void))&function, &id);
    return function(context, id, buffer, count, datatype, dest, tag, comm);
}

#define HOOK ((void (*)(void))send_hook)

/* Ids that are no tool's, whatever the time. */
static void ask_with_id(int id)
{
    void (*function)(void) = NULL;
    void *storage = NULL;
    int next;

    EXPECT(MPI_ERR_ARG, QMPI_Register_tool_storage(id, &errors));
    EXPECT(MPI_ERR_ARG, QMPI_Register_function(id, SEND, HOOK));
    EXPECT(MPI_ERR_ARG, QMPI_Get_function(id, SEND, &function, &next));
    EXPECT(MPI_ERR_ARG, QMPI_Get_tool_storage(none, id, &storage));
    if (function || storage) {
        errors++;
        printf("wrong: something was returned for id %d\n", id);
    }
}

static void ask_for_nothing(int id)
{
    void (*function)(void) = NULL;
    int next;

    ask_with_id(0);
    ask_with_id(-1);
    ask_with_id(65);
    ask_with_id(2147483647);
    ask_with_id(-2147483647 - 1);
    EXPECT(MPI_ERR_ARG, QMPI_Register_function(id, BEYOND, HOOK));
    EXPECT(MPI_ERR_ARG, QMPI_Register_function(id, NEGATIVE, HOOK));
    EXPECT(MPI_ERR_ARG, QMPI_Register_function(id, SEND, NULL));
    EXPECT(MPI_ERR_ARG, QMPI_Get_function(id, BEYOND, &function, &next));
    EXPECT(MPI_ERR_ARG, QMPI_Get_function(id, NEGATIVE, &function, &next));
    EXPECT(MPI_ERR_ARG, QMPI_Get_function(id, SEND, NULL, &next));
    EXPECT(MPI_ERR_ARG, QMPI_Get_function(id, SEND, &function, NULL));
    EXPECT(MPI_ERR_ARG, QMPI_Get_tool_storage(none, id, NULL));
    EXPECT(MPI_ERR_ARG, QMPI_Get_calling_address(none, NULL));
}

/* The proposal's names are the same functions. */
static void ask_by_other_names(int id)
{
    void *storage = &errors;
    void *address = &errors;
    QMPI_Context context;

    context.storage_stack = (void **)&late_id;
    EXPECT(MPI_SUCCESS, QMPI_Register_tool_function(id, SEND, HOOK));
    EXPECT(MPI_SUCCESS, QMPI_Context_get_storage(context, id, &storage));
    EXPECT(MPI_SUCCESS, QMPI_Context_get_calling_address(context, id, &address));
    if (storage != NULL || address != &late_id || MPI_LAST_FUNC != MPI_LAST_FUNC_T) {
        errors++;
        printf("wrong: storage or address\n");
    }
}

static void init_known(int id)
{
    known_id = id;
    EXPECT(MPI_ERR_OTHER, QMPI_Register_tool_name("later", init_known));
    ask_for_nothing(id);
    ask_by_other_names(id);
}

static void init_late(int id)
{
    late_id = id;
    EXPECT(MPI_SUCCESS, QMPI_Register_function(id, SEND, HOOK));
}

__attribute__((constructor)) static void announce(void)
{
    char name[300];

    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    EXPECT(MPI_ERR_ARG, QMPI_Register_tool_name(NULL, init_known));
    EXPECT(MPI_ERR_ARG, QMPI_Register_tool_name("", init_known));
    EXPECT(MPI_ERR_ARG, QMPI_Register_tool_name(name, init_known));
    EXPECT(MPI_ERR_ARG, QMPI_Register_tool_name("one:two", init_known));
    EXPECT(MPI_ERR_ARG, QMPI_Register_tool_name("one,two", init_known));
    EXPECT(MPI_ERR_ARG, QMPI_Register_tool_name("-known", init_known));
    EXPECT(MPI_ERR_ARG, QMPI_Register_tool_name("mpiwatch", init_known));
    EXPECT(MPI_ERR_ARG, QMPI_Register_tool_name("known", NULL));
    EXPECT(MPI_SUCCESS, QMPI_Register_tool_name("known", init_known));
    EXPECT(MPI_ERR_ARG, QMPI_Register_tool_name("known", init_late));
    name[QMPI_MAX_TOOL_NAME_LENGTH - 1] = '\0';
    EXPECT(MPI_SUCCESS, QMPI_Register_tool_name(name, init_known));
    ask_with_id(1);
}

int main(int argc, char **argv)
{
    int initialized;
    void *storage = NULL;
    void (*function)(void) = NULL;
    int next = -1;

    MPI_Initialized(&initialized);
    EXPECT(MPI_SUCCESS, QMPI_Register_tool_name("late", init_late));
    MPI_Init(&argc, &argv);
    if (known_id != 1 || late_id != 2) {
        errors++;
        printf("wrong: known is %d and late is %d\n", known_id, late_id);
    }
    EXPECT(MPI_ERR_OTHER, QMPI_Register_tool_name("later", init_late));
    EXPECT(MPI_ERR_OTHER, QMPI_Register_function(known_id, SEND, HOOK));
    ask_for_nothing(known_id);
    ask_with_id(3); /* the recorder */
    EXPECT(MPI_SUCCESS, QMPI_Register_tool_storage(late_id, &late_id));
    EXPECT(MPI_SUCCESS, QMPI_Get_tool_storage(none, late_id, &storage));
    EXPECT(MPI_SUCCESS, QMPI_Get_function(known_id, SEND, &function, &next));
    if (storage != &late_id || !function || next != late_id) {
        errors++;
        printf("wrong: storage %p, function %p, next %d\n", storage, (void *)function, next);
    }
    MPI_Finalize();
    puts("done");
    return errors > 0;
}
