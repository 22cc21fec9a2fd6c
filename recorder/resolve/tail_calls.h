#ifndef MWR_RESOLVE_TAIL_CALLS_H
#define MWR_RESOLVE_TAIL_CALLS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A call that a function makes. */
struct mwr_function_call {
    Dwarf_Addr address; /* behind it */
    Dwarf_Die called;
};

/* Those of the function that was asked for last, as there can be thousands; zeroed but for left. */
struct mwr_function_calls {
    const void *function;
    struct mwr_function_call *list; /* by address */
    size_t count;
    uint64_t left; /* how many entries may still be looked at; what takes more is not known */
};

/* Finds the function, of this file and no other, that runs when origin is called: an entry of a
 * function. False: that is not known. */
typedef bool mwr_definition_of(void *context, Dwarf_Die *origin, Dwarf_Die *function);

/*
 * Where the function that is called before the address ends in a jump to the function of MPI, or to
 * one that does, and so on, in one way alone: the address in the function that is no wrapper and
 * jumps last. 0: it is a call of MPI's function itself, of others in several ways or in one that is
 * not known, or the compiler doesn't tell calls. Function: the one that has the address.
 */
Dwarf_Addr mwr_tail_call(Dwarf_Die *function, Dwarf_Addr address, const char *call,
                         mwr_definition_of *definition_of, void *context,
                         struct mwr_function_calls *calls);

void mwr_function_calls_fini(struct mwr_function_calls *calls);

#endif
