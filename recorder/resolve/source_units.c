/*
 * libdw's own way to the unit of an address is .debug_aranges, which clang doesn't write: the
 * units' ranges say it, too.
 */
#include "recorder/resolve/source_units.h"

#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>

#include "formats/base/array.h"

/* Adds the addresses of an entry. False without memory, as for those below. */
static bool add_ranges(struct mwr_ranges *ranges, Dwarf_Die *die, size_t index)
{
    Dwarf_Addr base;
    Dwarf_Addr low;
    Dwarf_Addr high;

    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low, &high)) > 0;) {
        if (!mw_array_grow((void **)&ranges->list, ranges->count, sizeof *ranges->list)) {
            return false;
        }
        ranges->list[ranges->count++] = (struct mwr_range){low, high, index};
    }
    return true;
}

static int by_low(const void *left, const void *right)
{
    const struct mwr_range *a = left;
    const struct mwr_range *b = right;

    return (a->low > b->low) - (a->low < b->low);
}

static void sort(struct mwr_ranges *ranges)
{
    if (ranges->count > 0) {
        qsort(ranges->list, ranges->count, sizeof *ranges->list, by_low);
    }
}

/* How many of the ranges begin before the address. */
static size_t before(const struct mwr_ranges *ranges, Dwarf_Addr address)
{
    size_t low = 0;

    for (size_t high = ranges->count; low < high;) {
        const size_t middle = low + (high - low) / 2;

        if (ranges->list[middle].low < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The index of what has the address; SIZE_MAX: nothing. */
static size_t find(const struct mwr_ranges *ranges, Dwarf_Addr address)
{
    const size_t begun = before(ranges, address + 1);

    return begun > 0 && address < ranges->list[begun - 1].high ? ranges->list[begun - 1].index
                                                               : SIZE_MAX;
}

/* Adds a function to those that are compiled from others. */
static bool add_concrete(struct mwr_unit *unit, Dwarf_Die *function)
{
    const unsigned names[] = {DW_AT_abstract_origin, DW_AT_specification};
    Dwarf_Attribute attribute;
    Dwarf_Die of;

    for (size_t k = 0; k < 2; k++) {
        if (dwarf_formref_die(dwarf_attr(function, names[k], &attribute), &of)) {
            if (!mw_array_grow((void **)&unit->concretes, unit->concrete_count,
                               sizeof *unit->concretes)) {
                return false;
            }
            unit->concretes[unit->concrete_count++] =
                (struct mwr_concrete){of.addr, unit->function_count};
        }
    }
    return true;
}

static int add_function(Dwarf_Die *function, void *context)
{
    struct mwr_unit *unit = context;

    if (!mw_array_grow((void **)&unit->functions, unit->function_count,
                       sizeof *unit->functions) ||
        !add_concrete(unit, function)) {
        return DWARF_CB_ABORT;
    }
    unit->functions[unit->function_count] = (struct mwr_function){.die = *function};
    return add_ranges(&unit->ranges, function, unit->function_count++) ? DWARF_CB_OK
                                                                       : DWARF_CB_ABORT;
}

static int by_origin(const void *one, const void *other)
{
    const struct mwr_concrete *a = one;
    const struct mwr_concrete *b = other;

    return ((uintptr_t)a->origin > (uintptr_t)b->origin) -
           ((uintptr_t)a->origin < (uintptr_t)b->origin);
}

struct mwr_unit *mwr_units_read(struct mwr_units *units, size_t index)
{
    struct mwr_unit *unit = &units->list[index];

    if (!unit->is_read) {
        unit->is_read = true;
        (void)dwarf_getfuncs(&unit->die, add_function, unit, 0);
        sort(&unit->ranges);
        if (unit->concrete_count > 0) {
            qsort(unit->concretes, unit->concrete_count, sizeof *unit->concretes, by_origin);
        }
    }
    return unit;
}

static void read_units(struct mwr_units *units, Dwfl_Module *module)
{
    Dwarf_Addr bias = 0;
    Dwarf *debug = dwfl_module_getdwarf(module, &bias); /* null: there is none */
    Dwarf_CU *each = NULL;
    Dwarf_Half version;
    uint8_t kind;
    Dwarf_Die die;
    Dwarf_Die split;

    units->is_read = true;
    while (debug && dwarf_get_units(debug, each, &each, &version, &kind, &die, NULL) == 0) {
        if (kind != DW_UT_compile && kind != DW_UT_skeleton) {
            continue;
        }
        if (!mw_array_grow((void **)&units->list, units->count, sizeof *units->list) ||
            !add_ranges(&units->ranges, &die, units->count)) {
            break; /* the units so far can be asked for */
        }
        if (kind != DW_UT_skeleton ||
            dwarf_cu_info(each, NULL, NULL, NULL, &split, NULL, NULL, NULL) != 0 || !split.addr) {
            split = die;
        }
        units->list[units->count++] = (struct mwr_unit){.die = split, .skeleton = die};
    }
    sort(&units->ranges);
}

struct mwr_unit *mwr_units_find(struct mwr_units *units, Dwfl_Module *module, Dwarf_Addr address)
{
    size_t index;

    if (!units->is_read) {
        read_units(units, module);
    }
    index = find(&units->ranges, address);
    return index != SIZE_MAX ? mwr_units_read(units, index) : NULL;
}

struct mwr_function *mwr_unit_function(struct mwr_unit *unit, Dwarf_Addr address)
{
    const size_t index = find(&unit->ranges, address);

    return index != SIZE_MAX ? &unit->functions[index] : NULL;
}

struct mwr_function *mwr_unit_beginning(struct mwr_unit *unit, Dwarf_Addr address)
{
    const size_t first = before(&unit->ranges, address);

    return first < unit->ranges.count && unit->ranges.list[first].low == address
               ? &unit->functions[unit->ranges.list[first].index]
               : NULL;
}

struct mwr_function *mwr_unit_concrete(struct mwr_unit *unit, const Dwarf_Die *origin,
                                       size_t *count)
{
    const struct mwr_concrete asked = {.origin = origin->addr};
    size_t low = 0;

    for (size_t high = unit->concrete_count; low < high;) {
        const size_t middle = low + (high - low) / 2;

        if (by_origin(&unit->concretes[middle], &asked) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (*count = 0; low + *count < unit->concrete_count &&
                     unit->concretes[low + *count].origin == origin->addr;) {
        *count += 1;
    }
    return *count > 0 ? &unit->functions[unit->concretes[low].function] : NULL;
}

void mwr_units_fini(struct mwr_units *units)
{
    for (size_t i = 0; i < units->count; i++) {
        struct mwr_unit *unit = &units->list[i];

        for (size_t k = 0; k < unit->function_count; k++) {
            free(unit->functions[k].calls.list);
            free(unit->functions[k].inlines.list);
        }
        free(unit->functions);
        free(unit->ranges.list);
        free(unit->concretes);
    }
    free(units->list);
    free(units->ranges.list);
    *units = (struct mwr_units){0};
}
