/*
 * Stands for an MPI that has QMPI itself: to be preloaded after mpiwatch. As MPICH 4.0
 * built with QMPI, it can't stand a list of tools that have not registered with it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int QMPI_Register_tool_name(const char *tool_name, void (*init_function)(int tool_id));

int QMPI_Register_tool_name(const char *tool_name, void (*init_function)(int tool_id))
{
    return MPI_SUCCESS;
}

int MPI_Init(int *argc, char ***argv)
{
    if (getenv("MPIR_CVAR_QMPI_TOOL_LIST")) {
        fprintf(stderr, "qmpi_native: who is this?\n");
        abort();
    }
    return PMPI_Init(argc, argv);
}
