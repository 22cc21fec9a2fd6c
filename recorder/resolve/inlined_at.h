#ifndef MWR_RESOLVE_INLINED_AT_H
#define MWR_RESOLVE_INLINED_AT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

/* Addresses of something that is inlined into a function, or of a block of it. */
struct mwr_inlined {
    Dwarf_Addr low;
    Dwarf_Addr high;
    size_t order;  /* of entries: what is in another one comes after it */
    size_t around; /* the index of the ones that these are in; SIZE_MAX: the function's own */
    bool is_function;
    Dwarf_Die die;
};

/* All of one function; zeroed at first. */
struct mwr_inlines {
    bool is_read; /* what follows */
    struct mwr_inlined *list; /* sorted by low */
    size_t count;
};

/* Reads them, once. */
void mwr_inlines_read(struct mwr_inlines *inlines, Dwarf_Die *function);

/*
 * The functions that are inlined at the address, outermost first.
 *
 * \return how many there are in chain, at most size.
 */
size_t mwr_inlines_at(const struct mwr_inlines *inlines, Dwarf_Addr address, Dwarf_Die *chain,
                      size_t size);

#endif
