/*
 * To go through all entries of a function for each call in it takes 3 ms where it has 16,000, and a
 * minute for all of these: what is inlined, and where, is read once, and sorted.
 */
#include "recorder/resolve/inlined_at.h"

#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>

#include "formats/base/array.h"

#define DEPTH_MAX 256u /* of functions and blocks that are in each other */

/* Adds the addresses of an entry. False: it has none. */
static bool add(struct mwr_inlines *inlines, Dwarf_Die *entry, size_t order)
{
    const size_t before = inlines->count;
    struct mwr_inlined found = {
        .order = order,
        .is_function = dwarf_tag(entry) == DW_TAG_inlined_subroutine,
        .die = *entry,
    };
    Dwarf_Addr base;

    for (ptrdiff_t at = 0; (at = dwarf_ranges(entry, at, &base, &found.low, &found.high)) > 0;) {
        if (found.low < found.high &&
            mw_array_grow((void **)&inlines->list, inlines->count, sizeof found)) {
            inlines->list[inlines->count++] = found;
        }
    }
    return inlines->count > before;
}

static void add_all(struct mwr_inlines *inlines, Dwarf_Die *entry, size_t *order, unsigned depth)
{
    Dwarf_Die child;

    for (bool has = depth < DEPTH_MAX && dwarf_child(entry, &child) == 0; has;
         has = dwarf_siblingof(&child, &child) == 0) {
        const int tag = dwarf_tag(&child);

        if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
            add(inlines, &child, ++*order)) {
            add_all(inlines, &child, order, depth + 1);
        }
    }
}

/* What is around others comes before them. */
static int by_low(const void *one, const void *other)
{
    const struct mwr_inlined *a = one;
    const struct mwr_inlined *b = other;

    if (a->low != b->low) {
        return a->low > b->low ? 1 : -1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? 1 : -1;
    }
    return (a->order > b->order) - (a->order < b->order);
}

void mwr_inlines_read(struct mwr_inlines *inlines, Dwarf_Die *function)
{
    size_t around = SIZE_MAX;
    size_t order = 0;

    if (inlines->is_read) {
        return;
    }
    inlines->is_read = true;
    add_all(inlines, function, &order, 0);
    if (inlines->count > 0) {
        qsort(inlines->list, inlines->count, sizeof *inlines->list, by_low);
    }
    for (size_t i = 0; i < inlines->count; i++) {
        while (around != SIZE_MAX && inlines->list[around].high <= inlines->list[i].low) {
            around = inlines->list[around].around;
        }
        inlines->list[i].around = around;
        around = i;
    }
}

/* The index of the innermost, from at on, that has the address; SIZE_MAX: none. */
static size_t out_of(const struct mwr_inlines *inlines, size_t at, Dwarf_Addr address)
{
    while (at != SIZE_MAX && inlines->list[at].high <= address) {
        at = inlines->list[at].around;
    }
    return at;
}

static size_t innermost(const struct mwr_inlines *inlines, Dwarf_Addr address)
{
    size_t low = 0;

    for (size_t high = inlines->count; low < high;) {
        const size_t middle = low + (high - low) / 2;

        if (inlines->list[middle].low <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return out_of(inlines, low > 0 ? low - 1 : SIZE_MAX, address);
}

size_t mwr_inlines_at(const struct mwr_inlines *inlines, Dwarf_Addr address, Dwarf_Die *chain,
                      size_t size)
{
    const size_t inner = innermost(inlines, address);
    size_t depth = 0;
    size_t left;

    for (size_t i = inner; i != SIZE_MAX;
         i = out_of(inlines, inlines->list[i].around, address)) {
        depth += inlines->list[i].is_function;
    }
    left = depth;
    for (size_t i = inner; i != SIZE_MAX;
         i = out_of(inlines, inlines->list[i].around, address)) {
        if (inlines->list[i].is_function && --left < size) {
            chain[left] = inlines->list[i].die;
        }
    }
    return depth < size ? depth : size;
}
