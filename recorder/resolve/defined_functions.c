/*
 * A call is of a declaration, as a rule, and what runs then is elsewhere in the file: by its
 * symbol, or as one copy of what was inlined or cloned. Of a library it may be another one's.
 */
#include "recorder/resolve/defined_functions.h"

#include <dwarf.h>
#include <gelf.h>

bool mwr_is_program(Dwfl_Module *module)
{
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(module, &bias);
    GElf_Ehdr header;
    GElf_Dyn entry;
    Elf_Scn *section = NULL;
    GElf_Shdr about;

    if (!elf || !gelf_getehdr(elf, &header) || header.e_type == ET_EXEC) {
        return elf && header.e_type == ET_EXEC;
    }
    while ((section = elf_nextscn(elf, section))) {
        Elf_Data *data = gelf_getshdr(section, &about) && about.sh_type == SHT_DYNAMIC
                             ? elf_getdata(section, NULL)
                             : NULL;

        for (int i = 0; data && gelf_getdyn(data, i, &entry); i++) {
            if (entry.d_tag == DT_FLAGS_1) {
                return (entry.d_un.d_val & DF_1_PIE) != 0;
            }
        }
    }
    return false;
}

/* The only function of the unit that is compiled from a declaration or an abstract one. */
static bool find_concrete(struct mwr_unit *unit, Dwarf_Die *origin, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Die of;
    unsigned count = 0;

    for (size_t i = 0; i < unit->function_count; i++) {
        const unsigned names[] = {DW_AT_abstract_origin, DW_AT_specification};

        for (size_t k = 0; k < 2; k++) {
            if (dwarf_formref_die(dwarf_attr(&unit->functions[i], names[k], &attribute), &of) &&
                of.addr == origin->addr) {
                *function = unit->functions[i];
                count++;
            }
        }
    }
    return count == 1;
}

/* The function that begins at an address. */
static bool find_function(const struct mwr_definitions *definitions, Dwarf_Addr address,
                          Dwarf_Die *function)
{
    struct mwr_unit *unit =
        address > 0 ? mwr_units_find(definitions->units, definitions->module, address) : NULL;
    Dwarf_Die *found = unit ? mwr_unit_function(unit, address) : NULL;
    Dwarf_Addr entry = 0;

    if (!found || dwarf_entrypc(found, &entry) != 0 || entry != address) {
        return false;
    }
    *function = *found;
    return true;
}

/* Calls of what other libraries may define, too, may be calls of theirs. */
static bool definition_of(void *context, Dwarf_Die *origin, Dwarf_Die *function)
{
    struct mwr_definitions *definitions = context;
    Dwarf_Attribute attribute;
    const bool is_external = dwarf_hasattr_integrate(origin, DW_AT_external);
    const char *name = dwarf_formstring(
        dwarf_attr_integrate(origin, DW_AT_linkage_name, &attribute));
    Dwarf_Addr entry = 0;

    if (is_external && !definitions->is_program) {
        return false;
    }
    if (dwarf_entrypc(origin, &entry) == 0 && entry > 0) {
        return find_function(definitions, entry, function);
    }
    if (is_external) {
        name = name ? name : dwarf_diename(origin);
        return name &&
               find_function(definitions,
                             mwr_symbols_global(definitions->symbols, definitions->module, name),
                             function);
    }
    return find_concrete(definitions->unit, origin, function);
}

Dwarf_Addr mwr_follow_jumps(struct mwr_definitions *definitions, Dwarf_Addr address,
                            const char *call)
{
    Dwarf_Die *function;
    Dwarf_Addr jump = 0;

    definitions->unit = mwr_units_find(definitions->units, definitions->module, address);
    function = definitions->unit ? mwr_unit_function(definitions->unit, address) : NULL;
    if (function) {
        jump = mwr_tail_call(function, address + 1, call, definition_of, definitions,
                             &definitions->calls);
    }
    return jump > 0 ? jump : address;
}
