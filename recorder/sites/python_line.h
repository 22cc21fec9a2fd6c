#ifndef MWR_SITES_PYTHON_LINE_H
#define MWR_SITES_PYTHON_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/sites/loaded.h"

/*
 * The line of Python that calls MPI, by mpi4py as a rule: CPython 3.11 to 3.13 of the usual build,
 * in whose memory the frame that this thread is in is read, without its lock (the GIL), which
 * mpi4py has given away. The frames are this thread's own and stand still while it is in the call.
 */

/* Identities are above the addresses that programs can have. */
#define MWR_PYTHON_IDENTITY (UINT64_C(1) << 47)

/* Where a thread is in its Python program. */
struct mwr_python_spot {
    uintptr_t frame;
    uintptr_t code; /* the code object … */
    uintptr_t instruction; /* … and the instruction in it */
    uintptr_t filename; /* what the code object has: objects come again at the same address */
    uintptr_t name;
    uintptr_t line_table;
    int32_t first_line;
    uint64_t identity; /* a number for all of that but the frame, of 48 bits */
};

struct mwr_python_place {
    char file[4096]; /* UTF-8 */
    char function[256];
    uint32_t line;
};

/* Whether it is the library by which mpi4py calls MPI. */
bool mwr_loaded_is_mpi4py(const struct mwr_loaded *loaded);

/*
 * Whether there is a Python whose frames may be read, as mwr_loaded_has_python has it, or a module
 * of it has called before. A program may load it later. Takes the loader's lock until there is one:
 * none of ours may be held.
 */
bool mwr_python_is_there(void);

/* Says where this thread is. False: in no Python program, or in one that can't be read. */
bool mwr_python_look(struct mwr_python_spot *spot);

/* The same of the frame of Python code around the one of spot. */
bool mwr_python_look_around(struct mwr_python_spot *spot);

/* The identity of one with its caller, of Python or an address, made of both. */
uint64_t mwr_python_join(uint64_t identity, uint64_t caller);

/* Reads file and function, of this frame; whatever they are. False: they can't be read. */
bool mwr_python_read_names(const struct mwr_python_spot *spot, struct mwr_python_place *place);

/*
 * Reads what is there, of this frame. False: it can't be read, or it is one by which Python
 * imports.
 */
bool mwr_python_read_frame(const struct mwr_python_spot *spot, struct mwr_python_place *place);

/*
 * Reads what is there; of an import, which calls MPI_Init, the line that imports. False: it can't
 * be read.
 */
bool mwr_python_read(const struct mwr_python_spot *spot, struct mwr_python_place *place);

#endif
