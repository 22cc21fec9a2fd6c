#ifndef MWR_RESOLVE_SOURCE_UNITS_H
#define MWR_RESOLVE_SOURCE_UNITS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>

#include "recorder/resolve/function_calls.h"
#include "recorder/resolve/inlined_at.h"

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

/* What is read of it stays, as there may be thousands of calls in each of two that take turns. */
struct mwr_function {
    Dwarf_Die die;
    struct mwr_function_calls calls;
    struct mwr_inlines inlines;
};

/* A function that is compiled from a declaration or an abstract one, which may be of another unit
 * where units are optimized as one. */
struct mwr_concrete {
    const void *origin;
    size_t function;
};

struct mwr_unit {
    Dwarf_Die die;
    Dwarf_Die skeleton; /* of one that is in a file of its own, and itself of others: clang says the
                         * directory there alone */
    bool is_read; /* what follows */
    struct mwr_function *functions;
    size_t function_count;
    struct mwr_ranges ranges; /* of functions */
    struct mwr_concrete *concretes; /* sorted by origin */
    size_t concrete_count;
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
struct mwr_function *mwr_unit_function(struct mwr_unit *unit, Dwarf_Addr address);

/* One of the unit that is compiled from the origin, and how many there are; null: none. */
struct mwr_function *mwr_unit_concrete(struct mwr_unit *unit, const Dwarf_Die *origin,
                                       size_t *count);

/* Its function that begins at the address, or goes on there; null: none. */
struct mwr_function *mwr_unit_beginning(struct mwr_unit *unit, Dwarf_Addr address);

/* A unit by its index, with its functions. */
struct mwr_unit *mwr_units_read(struct mwr_units *units, size_t index);

void mwr_units_fini(struct mwr_units *units);

#endif
