#ifndef MWR_RESOLVE_TAIL_CALLS_H
#define MWR_RESOLVE_TAIL_CALLS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* The linker's name of a function's entry, of C++, or that of the source; "": none. */
const char *mwr_function_name(Dwarf_Die *function);

/* Finds the function, of this file and no other, that runs when origin is called: an entry of a
 * function. False: that is not known. */
typedef bool mwr_definition_of(void *context, Dwarf_Die *origin, Dwarf_Die *function);

/*
 * Where the function ends in a jump to the function of MPI, or to one that does, and so on, in one
 * way alone: the address in the function that is no wrapper and jumps last. 0: it calls others in
 * several ways or in one that is not known, or the compiler doesn't tell calls. Left: how many
 * entries may still be looked at; what takes more is not known.
 */
Dwarf_Addr mwr_tail_call(Dwarf_Die *function, const char *call,
                         mwr_definition_of *definition_of, void *context, uint64_t *left);

#endif
