/* The functions of QMPI, by which tools come in (recorder/include/qmpi.h, qmpi(7)). */
#include <stdint.h>

#include "recorder/dispatch/chain.h"
#include "recorder/dispatch/tools.h"
#include "recorder/sites/call_sites.h"
#include "recorder/state/thread.h"

/* What qmpi.h declares is seen by tools. */
#pragma GCC visibility push(default)
#include "recorder/include/qmpi.h"
#pragma GCC visibility pop

#define EXPORT __attribute__((visibility("default")))

_Static_assert(sizeof(QMPI_Context) == sizeof(struct mwr_context),
               "a context of ours is one of QMPI's");

/* One more than the call that a function number of this mpi.h means; 0: none. */
static const uint16_t calls[MPIWATCH_QMPI_COUNT] = {
#define CALL_OF(prefix, name, number, ...) [number] = MW_CALL_##prefix##_##name + 1,
    QMPI_EACH_CALL(CALL_OF)};

/* \return false when there is no such call. */
static bool find_call(unsigned number, unsigned *call)
{
    if (number >= MPIWATCH_QMPI_COUNT || calls[number] == 0) {
        return false;
    }
    *call = calls[number] - 1u;
    return true;
}

/* The instance of a tool with this id, or null; the recorder's is no one else's. */
static inline struct mwr_instance *find_instance(int id)
{
    return id > 0 && id <= mwr_tools.count && id != mwr_tools.recorder ? mwr_tools.instances[id]
                                                                       : NULL;
}

EXPORT int QMPI_Register_tool_name(const char *tool_name, void (*init_function)(int tool_id))
{
    return mwr_tools_register(tool_name, init_function);
}

EXPORT int QMPI_Register_tool_storage(int tool_id, void *tool_storage)
{
    struct mwr_instance *instance = find_instance(tool_id);

    if (!instance) {
        return MPI_ERR_ARG;
    }
    instance->storage = tool_storage;
    return MPI_SUCCESS;
}

EXPORT int QMPI_Register_function(int tool_id, MPIWATCH_QMPI_NUMBER function_enum,
                                  void (*function_ptr)(void))
{
    struct mwr_instance *instance = find_instance(tool_id);
    unsigned call;

    if (!instance || !function_ptr || !find_call((unsigned)function_enum, &call)) {
        return MPI_ERR_ARG;
    }
    if (mwr_tools.state != MWR_TOOLS_INIT) {
        return MPI_ERR_OTHER;
    }
    instance->functions[call] = function_ptr;
    return MPI_SUCCESS;
}

EXPORT int QMPI_Get_function(int tool_id, MPIWATCH_QMPI_NUMBER function_enum,
                             void (**function_ptr)(void), int *next_tool_id)
{
    const struct mwr_instance *instance = find_instance(tool_id);
    struct mwr_link link;
    unsigned call;

    if (!instance || !function_ptr || !next_tool_id ||
        !find_call((unsigned)function_enum, &call)) {
        return MPI_ERR_ARG;
    }
    /* Who is next is not known while instances are being initialised: the gate will. */
    link = mwr_chain_is_ready()
               ? instance->next[call]
               : (struct mwr_link){mwr_gate_of(call), tool_id};
    *function_ptr = link.function;
    *next_tool_id = (int)link.tool;
    return MPI_SUCCESS;
}

EXPORT int QMPI_Get_tool_storage(QMPI_Context context, int tool_id, void **storage)
{
    struct mwr_instance *instance = find_instance(tool_id);

    if (!instance || !storage) {
        return MPI_ERR_ARG;
    }
    *storage = instance->storage;
    return MPI_SUCCESS;
}

EXPORT void mpiwatch_tool_time(unsigned long long nanoseconds)
{
    mwr_call_tool_time(nanoseconds);
}

EXPORT int QMPI_Get_calling_address(QMPI_Context context, void **address)
{
    if (!address) {
        return MPI_ERR_ARG;
    }
    *address = mwr_site_address(context.storage_stack);
    return MPI_SUCCESS;
}
