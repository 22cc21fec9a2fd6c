#ifndef MWR_RESOLVE_INLINED_CALLS_H
#define MWR_RESOLVE_INLINED_CALLS_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "recorder/resolve/function_calls.h"

/*
 * Whether inlined, a function that was inlined into another one of the unit, calls what it calls at
 * address in other lines, too: they say more than the one line that calls it does. False also where
 * the compiler doesn't tell calls. Calls: of that other one.
 */
bool mwr_has_other_lines(Dwarf_Die *unit, const struct mwr_function_calls *calls,
                         Dwarf_Die *inlined, Dwarf_Addr address);

#endif
