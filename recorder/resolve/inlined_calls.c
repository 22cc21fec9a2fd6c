/*
 * Functions that are called once are inlined whatever they do, also a solver whose name has that
 * of the function of MPI which it calls in several lines: only the compiler's list of calls tells
 * it from a wrapper.
 */
#include "recorder/resolve/inlined_calls.h"

#include <dwarf.h>

#define DEPTH_MAX 128u /* of entries: functions and blocks that are in each other */

/* A search for calls; what is called is an offset. */
struct calls {
    Dwarf_Die *unit;
    Dwarf_Die *inlined; /* by what … */
    Dwarf_Off callee;   /* … of what; 0: of the call at address that is looked for */
    Dwarf_Addr address;
    int line; /* where that is */
};

/* Of what a call is, and where. False: the entry is no call, or that is not told. */
static bool read_call(Dwarf_Die *entry, Dwarf_Off *callee, Dwarf_Addr *address)
{
    const int tag = dwarf_tag(entry);
    const bool is_old = tag == DW_TAG_GNU_call_site;
    Dwarf_Attribute attribute;
    Dwarf_Die origin;

    if ((tag != DW_TAG_call_site && !is_old) ||
        !dwarf_formref_die(dwarf_attr(entry, is_old ? DW_AT_abstract_origin : DW_AT_call_origin,
                                      &attribute),
                           &origin) ||
        dwarf_formaddr(dwarf_attr(entry, is_old ? DW_AT_low_pc : DW_AT_call_return_pc, &attribute),
                       address) != 0) {
        return false;
    }
    *callee = dwarf_dieoffset(&origin);
    *address -= 1; /* in the call */
    return true;
}

/* The line that the compiler has of an address in the unit; 0: none. */
static int line_at(Dwarf_Die *unit, Dwarf_Addr address)
{
    Dwarf_Line *found = dwarf_getsrc_die(unit, address);
    int line = 0;

    return found && dwarf_lineno(found, &line) == 0 ? line : 0;
}

/* Whether the entry is what is searched; which is, first, what the call is of. */
static bool is_searched(struct calls *calls, Dwarf_Die *entry)
{
    Dwarf_Addr address;
    Dwarf_Off callee;

    if (!read_call(entry, &callee, &address)) {
        return false;
    }
    if (calls->callee == 0) {
        calls->callee = address == calls->address ? callee : 0;
        return calls->callee != 0;
    }
    return callee == calls->callee && dwarf_haspc(calls->inlined, address) == 1 &&
           line_at(calls->unit, address) != calls->line;
}

/* Searches what is below an entry. */
static bool search(struct calls *calls, Dwarf_Die *entry, unsigned depth)
{
    Dwarf_Die child;
    bool is_found = false;

    for (bool has = depth < DEPTH_MAX && dwarf_child(entry, &child) == 0; has && !is_found;
         has = dwarf_siblingof(&child, &child) == 0) {
        is_found = is_searched(calls, &child) || search(calls, &child, depth + 1);
    }
    return is_found;
}

bool mwr_has_other_lines(Dwarf_Die *unit, Dwarf_Die *function, Dwarf_Die *inlined,
                         Dwarf_Addr address)
{
    struct calls calls = {
        .unit = unit, .inlined = inlined, .address = address, .line = line_at(unit, address)};

    return search(&calls, function, 0) && search(&calls, function, 0);
}
