#ifndef MWR_RESOLVE_FUNCTION_CALLS_H
#define MWR_RESOLVE_FUNCTION_CALLS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the compiler tells of a call. */
struct mwr_call {
    Dwarf_Addr behind; /* where it returns to; 0: not told, as for those below */
    Dwarf_Addr own;    /* where it is */
    bool is_jump;      /* and does not come back */
    bool is_known;     /* what is called, which it is not by a pointer: */
    Dwarf_Die called;
};

/* Those of a function that are known, by where they return to; zeroed at first. */
struct mwr_function_calls {
    bool is_read; /* what follows */
    struct mwr_call *list;
    size_t count;
};

typedef void mwr_take_call(void *context, const struct mwr_call *call);

/* Hands over all calls of a function; left: how many entries may still be looked at. False: there
 * may be more of them. */
bool mwr_calls_of(Dwarf_Die *function, uint64_t *left, mwr_take_call *take, void *context);

/* Reads them, once. */
void mwr_function_calls_read(struct mwr_function_calls *calls, Dwarf_Die *function,
                             uint64_t *left);

/* The index of the first that returns to the address or behind it; the count: none. */
size_t mwr_function_calls_from(const struct mwr_function_calls *calls, Dwarf_Addr address);

/* The call that returns to the address; null: it is not told. */
struct mwr_call *mwr_function_calls_find(const struct mwr_function_calls *calls,
                                         Dwarf_Addr address);

#endif
