/*
 * The least that QMPI tools do at a call, which here is MPI_Comm_rank.
 *
 *     passive   calls the next tool, fetched once; a hook for each instance, as if they
 *               were different tools
 *     shared    the same, but all instances share a hook, which finds its instance by the id
 *     looking   asks for its storage and its next function at every call
 */
#include <mpi.h>
#include <qmpi.h>

#define INSTANCES_MAX 64

struct next {
    QMPI_Comm_rank_t *function;
    int id;
};

static struct next next_of[INSTANCES_MAX + 1];

#define PASSIVE(number)                                                                         \
    static struct next next_##number;                                                           \
    static int passive_##number(QMPI_Context context, int id, MPI_Comm comm, int *rank)         \
    {                                                                                           \
        return next_##number.function(context, next_##number.id, comm, rank);                   \
    }
PASSIVE(0)
PASSIVE(1)
PASSIVE(2)
PASSIVE(3)
PASSIVE(4)
PASSIVE(5)
PASSIVE(6)
PASSIVE(7)

static const struct {
    QMPI_Comm_rank_t *function;
    struct next *next;
} hooks[] = {{passive_0, &next_0}, {passive_1, &next_1}, {passive_2, &next_2},
             {passive_3, &next_3}, {passive_4, &next_4}, {passive_5, &next_5},
             {passive_6, &next_6}, {passive_7, &next_7}};

static int shared(QMPI_Context context, int id, MPI_Comm comm, int *rank)
{
    return next_of[id].function(context, next_of[id].id, comm, rank);
}

static int looking(QMPI_Context context, int id, MPI_Comm comm, int *rank)
{
    QMPI_Comm_rank_t *function;
    void *storage;

    QMPI_Get_tool_storage(context, id, &storage);
    QMPI_Get_function(id, MPI_COMM_RANK_T, (void (**)(void))&function, &id);
    return function(context, id, comm, rank);
}

/* From MPI_Init on who is next is known. The storage says where to keep it. */
static int fetch(QMPI_Context context, int id, int *argc, char ***argv)
{
    struct next *next;
    QMPI_Init_t *function;

    QMPI_Get_tool_storage(context, id, (void **)&next);
    QMPI_Get_function(id, MPI_COMM_RANK_T, (void (**)(void))&next->function, &next->id);
    QMPI_Get_function(id, MPI_INIT_T, (void (**)(void))&function, &id);
    return function(context, id, argc, argv);
}

static void init(int id, QMPI_Comm_rank_t *hook, struct next *next)
{
    QMPI_Register_tool_storage(id, next);
    QMPI_Register_function(id, MPI_INIT_T, (void (*)(void))fetch);
    QMPI_Register_function(id, MPI_COMM_RANK_T, (void (*)(void))hook);
}

static void init_passive(int id)
{
    static unsigned count;

    init(id, hooks[count].function, hooks[count].next);
    count = (count + 1) % (sizeof hooks / sizeof hooks[0]);
}

static void init_shared(int id)
{
    init(id, shared, &next_of[id]);
}

static void init_looking(int id)
{
    QMPI_Register_function(id, MPI_COMM_RANK_T, (void (*)(void))looking);
}

__attribute__((constructor)) static void announce(void)
{
    QMPI_Register_tool_name("passive", init_passive);
    QMPI_Register_tool_name("shared", init_shared);
    QMPI_Register_tool_name("looking", init_looking);
}
