#ifndef MWR_RESOLVE_DEFINED_FUNCTIONS_H
#define MWR_RESOLVE_DEFINED_FUNCTIONS_H

#include "recorder/resolve/symbols.h"
#include "recorder/resolve/tail_calls.h"
#include "recorder/resolve/source_units.h"

#define MWR_LED_MAX 256u

/* Where a function leads to, as thousands of calls can be of the same one. */
struct mwr_led {
    const void *function; /* null: none */
    const struct mwr_unit *unit;
    char call[64];
    Dwarf_Addr jump;
};

/* What is known of the functions that one file defines. */
struct mwr_definitions {
    struct mwr_units *units;
    struct mwr_symbols *symbols;
    Dwfl_Module *module;
    bool is_program; /* (mwr_is_program) whose functions are called whatever libraries have */
    uint64_t left;   /* how many entries may still be looked at */
    struct mwr_unit *unit; /* set by mwr_follow_jumps: of the call */
    struct mwr_led led[MWR_LED_MAX]; /* by their functions */
};

/* Whether the file is a program, and no library: by its dynamic section, or by its symbols. */
bool mwr_is_program(Dwfl_Module *module, struct mwr_symbols *symbols);

/*
 * Where MPI's function is called, of a call at the address: in a function that is called there and
 * ends in a jump to it (recorder/resolve/tail_calls.h), or at the address itself.
 */
Dwarf_Addr mwr_follow_jumps(struct mwr_definitions *definitions, Dwarf_Addr address,
                            const char *call);

#endif
