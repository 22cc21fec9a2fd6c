/*
 * A QMPI tool, "proposal", as the proposal of October 2020 has it, to the letter: hooks with the
 * context and the arguments, no id among them, and a context for the next tool. It counts the
 * messages that the program sends and the ints it sends in them, and from how many places, printed
 * by each rank at the end.
 *
 *     mpirun -n 4 mpiwatch-record --tools-path=examples/qmpi_proposal-openmpi.so \
 *         --tools=proposal examples/ring-openmpi
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define QMPI_PROPOSAL
#include <qmpi.h>

#define PLACES 16

struct instance {
    long messages;
    long items;
    void *places[PLACES];
    int place_count;
};

static int own_id; /* of the tool's only instance */

static void note_place(struct instance *instance, void *place)
{
    int i = 0;

    while (i < instance->place_count && instance->places[i] != place) {
        i++;
    }
    if (i == instance->place_count && i < PLACES) {
        instance->places[instance->place_count++] = place;
    }
}

static int proposal_send(QMPI_Context context, const void *buf, int count, MPI_Datatype datatype,
                         int dest, int tag, MPI_Comm comm)
{
    QMPI_Context next_context;
    QMPI_Send_t *next;
    struct instance *instance = NULL;
    void *place = NULL;

    QMPI_Context_get_storage(context, own_id, (void **)&instance);
    QMPI_Context_get_calling_address(context, own_id, &place);
    instance->messages++;
    instance->items += count;
    note_place(instance, place);
    QMPI_Get_function(own_id, MPI_SEND_T, (void (**)(void))&next, &next_context);
    return next(next_context, buf, count, datatype, dest, tag, comm);
}

static int proposal_finalize(QMPI_Context context)
{
    QMPI_Context next_context;
    QMPI_Finalize_t *next;
    struct instance *instance = NULL;
    int rank;

    QMPI_Context_get_storage(context, own_id, (void **)&instance);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "proposal: rank %d: %ld messages, %ld items, %d places\n", rank,
            instance->messages, instance->items, instance->place_count);
    QMPI_Get_function(own_id, MPI_FINALIZE_T, (void (**)(void))&next, &next_context);
    return next(next_context);
}

static void init(int tool_id)
{
    own_id = tool_id;
    QMPI_Register_tool_storage(tool_id, calloc(1, sizeof(struct instance)));
    QMPI_Register_tool_function(tool_id, MPI_SEND_T, (void (*)(void))proposal_send);
    QMPI_Register_tool_function(tool_id, MPI_FINALIZE_T, (void (*)(void))proposal_finalize);
}

__attribute__((constructor)) static void announce(void)
{
    QMPI_Register_tool_name("proposal", init);
}
