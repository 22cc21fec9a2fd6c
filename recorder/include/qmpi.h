#ifndef MPIWATCH_QMPI_H
#define MPIWATCH_QMPI_H

/*
 * QMPI: any number of tools between a program and its MPI. See qmpi(7).
 *
 * Names and signatures are those of MPICH 4, whose mpi.h declares them already; then
 * this header adds what is missing there. mpiwatch implements them for every MPI. All
 * functions return MPI_SUCCESS, or MPI_ERR_ARG for a tool id, function number, name or
 * pointer that is none. A tool is entered in C, from one or several threads, with the
 * arguments of the call.
 *
 * With QMPI_PROPOSAL defined before, hooks and functions are instead as the proposal's text of
 * October 2020 has them (qmpi_proposal.h).
 */
#include <mpi.h>
#ifdef QMPI_PROPOSAL
#include <stddef.h>
#include <stdlib.h>
#endif

#ifndef QMPI_MAX_TOOL_NAME_LENGTH
#define QMPI_MAX_TOOL_NAME_LENGTH 256

/* What travels with a call through all tools. Opaque. */
typedef struct {
    void **storage_stack;
} QMPI_Context;

#define MPIWATCH_QMPI_DECLARES
#endif

/* enum QMPI_Functions_enum: MPI_SEND_T …; the functions' types: QMPI_Send_t … */
#if defined(OPEN_MPI)
#include "qmpi_openmpi.h"
#elif defined(MPICH_VERSION)
#include "qmpi_mpich.h"
#elif defined(MPI_ABI_VERSION)
#include "qmpi_abi.h"
#else
#error "qmpi.h knows Open MPI, MPICH and the MPI ABI"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef MPIWATCH_QMPI_DECLARES

/*
 * Makes a tool known by a name of at most QMPI_MAX_TOOL_NAME_LENGTH - 1 bytes, without
 * colon or comma. For every time that the list of tools names it, init_function is
 * called once before MPI is initialised, with the id of this instance. From a
 * constructor of the tool's library, or at any time before MPI_Init.
 *
 * \return MPI_ERR_ARG also when the name is taken.
 * \return MPI_ERR_OTHER when the list of tools has been read already.
 */
int QMPI_Register_tool_name(const char *tool_name, void (*init_function)(int tool_id));

/* Keeps a pointer for an instance; it stays the tool's own. At any time. */
int QMPI_Register_tool_storage(int tool_id, void *tool_storage);

/*
 * Has function_ptr, in truth a QMPI_X_t, called for every call of X. From the
 * init function only.
 *
 * \return MPI_ERR_OTHER at any other time.
 */
int QMPI_Register_function(int tool_id, enum QMPI_Functions_enum function_enum,
                           void (*function_ptr)(void));

/*
 * The function that an instance calls to go on with a call of the given function, and
 * the id to call it with: that of the next instance which registered the function, or
 * 0, which is the MPI library. Valid until the process ends, so fetch it once. In an
 * init function, when the later instances are not known yet, it is a function that
 * finds the next one at every call, and an id that means as much to it.
 */
int QMPI_Get_function(int tool_id, enum QMPI_Functions_enum function_enum,
                      void (**function_ptr)(void), int *next_tool_id);

/* The pointer that QMPI_Register_tool_storage got, or null. */
int QMPI_Get_tool_storage(QMPI_Context context, int tool_id, void **storage);

/* Where the call of MPI stands in the program, or in a PMPI tool between it and us. */
int QMPI_Get_calling_address(QMPI_Context context, void **address);

#endif

/*
 * For hooks behind the recorder (after "mpiwatch" in the list): so many ns of the call
 * that is running were the tool's own and not the library's. Told any number of times in
 * a call; times add up. Nothing happens outside of a recorded call. Thread-safe.
 */
void mpiwatch_tool_time(unsigned long long nanoseconds);

/* --- the proposal of October 2020 ------------------------------------------------- */

#ifndef MPI_LAST_FUNC
#define MPI_LAST_FUNC MPI_LAST_FUNC_T
#endif

#ifdef QMPI_PROPOSAL
#include "qmpi_proposal.h"
#else

/* Its names for what is above; hooks and QMPI_Get_function are MPICH's. */
static inline int QMPI_Register_tool_function(int tool_id, MPIWATCH_QMPI_NUMBER function_enum,
                                              void (*function_ptr)(void))
{
    return QMPI_Register_function(tool_id, function_enum, function_ptr);
}

static inline int QMPI_Context_get_storage(QMPI_Context context, int tool_id, void **storage)
{
    return QMPI_Get_tool_storage(context, tool_id, storage);
}

/* calling_address: of a void *. */
static inline int QMPI_Context_get_calling_address(QMPI_Context context, int tool_id,
                                                   void *calling_address)
{
    (void)tool_id;
    return QMPI_Get_calling_address(context, (void **)calling_address);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
