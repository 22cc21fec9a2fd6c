#ifndef MWR_DISPATCH_TOOLS_H
#define MWR_DISPATCH_TOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/dispatch/chain.h"

/*
 * The tools of the chain: which have registered, and the instances that the list of
 * tools asks for. The list is MPIWATCH_TOOLS (--tools), else MPIR_CVAR_QMPI_TOOL_LIST,
 * else QMPI_TOOL_LIST: names with ':' or ',' between, outermost first. The recorder is
 * "mpiwatch": where the list has it, nowhere if the list has "-mpiwatch", else innermost.
 */

#define MWR_TOOLS_MAX 64 /* instances */
#define MWR_RECORDER_NAME "mpiwatch"

/* Ids begin with 1 for the outermost instance. */
struct mwr_instance {
    const char *name;
    void *storage;
    mwr_function functions[MW_CALL_COUNT]; /* null where it registered none */
    struct mwr_link next[MW_CALL_COUNT];   /* fixed but for the recorder's own (chain.h) */
};

enum mwr_tools_state {
    MWR_TOOLS_REGISTER, /* names are taken */
    MWR_TOOLS_INIT,     /* init functions run: functions are taken */
    MWR_TOOLS_FIXED
};

struct mwr_tools {
    enum mwr_tools_state state;
    int count;    /* of instances */
    int recorder; /* the recorder's id; 0: it was removed */
    struct mwr_instance *instances[MWR_TOOLS_MAX + 1];
};

extern struct mwr_tools mwr_tools __attribute__((visibility("hidden")));

/*
 * Adds a tool; name is copied. Thread-safe.
 *
 * \return MPI_SUCCESS.
 * \return MPI_ERR_ARG when there is no name, it is taken, or can't be in a list.
 * \return MPI_ERR_OTHER when the list has been read, or there is no memory.
 */
int mwr_tools_register(const char *name, void (*init)(int id));

/*
 * Opens the libraries of MPIWATCH_TOOLS_PATH (--tools-path), makes the instances of the
 * list and runs their init functions, by ascending ids. When must is false and a name of
 * the list has not registered, it leaves all but the libraries for later. What
 * goes wrong is one line on stderr of the first rank, and is left out. To be called by
 * one thread at a time.
 *
 * \return true when done, for good.
 */
bool mwr_tools_start(bool must);

/* Writes the instances' names, "count:count:mpiwatch"; truncated to size. */
void mwr_tools_list(char *text, size_t size);

#endif
