#ifndef MWR_RESOLVE_SOURCE_UNITS_H
#define MWR_RESOLVE_SOURCE_UNITS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>

/* The compilation units of one file, and their functions, by addresses. */

/* Addresses from low to high, of something by its index. */
struct mwr_range {
    Dwarf_Addr low;
    Dwarf_Addr high;
    size_t index;
};

struct mwr_ranges {
    struct mwr_range *list; /* sorted by low, once all are in */
    size_t count;
};

struct mwr_unit {
    Dwarf_Die die;
    Dwarf_Die skeleton; /* of one that is in a file of its own, and itself of others: clang says the
                         * directory there alone */
    bool is_read; /* what follows */
    Dwarf_Die *functions;
    size_t function_count;
    struct mwr_ranges ranges; /* of functions */
};

/* Zeroed at first; read when one is asked for, and the functions of each likewise. */
struct mwr_units {
    bool is_read; /* what follows */
    struct mwr_unit *list;
    size_t count;
    struct mwr_ranges ranges; /* of units */
};

/* The unit that has the address, with its functions; null: none. */
struct mwr_unit *mwr_units_find(struct mwr_units *units, Dwfl_Module *module, Dwarf_Addr address);

/* The unit's function that has the address; null: none. */
Dwarf_Die *mwr_unit_function(struct mwr_unit *unit, Dwarf_Addr address);

void mwr_units_fini(struct mwr_units *units);

#endif
