#ifndef MWR_RESOLVE_SYMBOLS_H
#define MWR_RESOLVE_SYMBOLS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The symbols of one file, by their addresses. */

struct mwr_symbol {
    GElf_Addr low;
    GElf_Addr high;  /* low: an assembler's label, which has no size */
    GElf_Addr reach; /* the highest one of those up to this one */
    int index;       /* in the file's table, as libdwfl counts */
    unsigned char binding;
};

struct mwr_named_symbol {
    const char *name; /* the module's */
    GElf_Addr low;
    bool is_defined; /* as a function, and not only named */
};

/* Zeroed at first; read when one is asked for. */
struct mwr_symbols {
    bool is_read; /* what follows */
    struct mwr_symbol *list; /* sorted by low; null: libdwfl has to be asked */
    size_t count;
    struct mwr_symbol *labels; /* the same of those without a size */
    size_t label_count;
    bool are_named; /* what follows */
    struct mwr_named_symbol *named; /* those that are not local, sorted by name */
    size_t named_count;
};

/*
 * Finds the function that has the address, which is the module's as libdwfl counts: what is nearest
 * before it, if that does not end before it.
 *
 * \return its name, which is the module's, and how far in it the address is; null: there is none.
 */
const char *mwr_symbols_find(struct mwr_symbols *symbols, Dwfl_Module *module, GElf_Addr address,
                             uint64_t *offset);

/*
 * Where the function is that other files of the program's source call so, the module's own, global
 * one, as the file counts addresses; 0: there is none.
 */
GElf_Addr mwr_symbols_global(struct mwr_symbols *symbols, Dwfl_Module *module, const char *name);

/* Whether no function begins at the address, as the file counts, but those of the name and copies
 * of them, as "name.constprop.0". */
bool mwr_symbols_alone(struct mwr_symbols *symbols, Dwfl_Module *module, GElf_Addr address,
                       const char *name);

/* Whether the file names it, be it defined elsewhere. */
bool mwr_symbols_has(struct mwr_symbols *symbols, Dwfl_Module *module, const char *name);

void mwr_symbols_fini(struct mwr_symbols *symbols);

#endif
