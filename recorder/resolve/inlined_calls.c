/*
 * Functions that are called once are inlined whatever they do, also a solver whose name has that
 * of the function of MPI which it calls in several lines: only the compiler's list of calls tells
 * it from a wrapper.
 */
#include "recorder/resolve/inlined_calls.h"

#include <dwarf.h>

/* The line that the compiler has of an address in the unit; 0: none. */
static int line_at(Dwarf_Die *unit, Dwarf_Addr address)
{
    Dwarf_Line *found = dwarf_getsrc_die(unit, address);
    int line = 0;

    return found && dwarf_lineno(found, &line) == 0 ? line : 0;
}

bool mwr_has_other_lines(Dwarf_Die *unit, const struct mwr_function_calls *calls,
                         Dwarf_Die *inlined, Dwarf_Addr address)
{
    const struct mwr_call *made = mwr_function_calls_find(calls, address + 1);
    const int line = line_at(unit, address);
    Dwarf_Addr base;
    Dwarf_Addr low;
    Dwarf_Addr high;

    if (!made) {
        return false;
    }
    for (ptrdiff_t at = 0; (at = dwarf_ranges(inlined, at, &base, &low, &high)) > 0;) {
        for (size_t i = mwr_function_calls_from(calls, low + 1);
             i < calls->count && calls->list[i].behind <= high; i++) {
            if (calls->list[i].called.addr == made->called.addr &&
                line_at(unit, calls->list[i].behind - 1) != line) {
                return true;
            }
        }
    }
    return false;
}
