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

/* The index of what has the address; SIZE_MAX: nothing. */
static size_t find(const struct mwr_ranges *ranges, Dwarf_Addr address)
{
    size_t low = 0;
    size_t high = ranges->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (ranges->list[middle].low <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && address < ranges->list[low - 1].high ? ranges->list[low - 1].index
                                                           : SIZE_MAX;
}

static int add_function(Dwarf_Die *function, void *context)
{
    struct mwr_unit *unit = context;

    if (!mw_array_grow((void **)&unit->functions, unit->function_count,
                       sizeof *unit->functions)) {
        return DWARF_CB_ABORT;
    }
    unit->functions[unit->function_count] = *function;
    return add_ranges(&unit->ranges, function, unit->function_count++) ? DWARF_CB_OK
                                                                       : DWARF_CB_ABORT;
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
    struct mwr_unit *unit;
    size_t index;

    if (!units->is_read) {
        read_units(units, module);
    }
    index = find(&units->ranges, address);
    if (index == SIZE_MAX) {
        return NULL;
    }
    unit = &units->list[index];
    if (!unit->is_read) {
        unit->is_read = true;
        (void)dwarf_getfuncs(&unit->die, add_function, unit, 0);
        sort(&unit->ranges);
    }
    return unit;
}

Dwarf_Die *mwr_unit_function(struct mwr_unit *unit, Dwarf_Addr address)
{
    const size_t index = find(&unit->ranges, address);

    return index != SIZE_MAX ? &unit->functions[index] : NULL;
}

void mwr_units_fini(struct mwr_units *units)
{
    for (size_t i = 0; i < units->count; i++) {
        free(units->list[i].functions);
        free(units->list[i].ranges.list);
    }
    free(units->list);
    free(units->ranges.list);
    *units = (struct mwr_units){0};
}
