/*
 * A call is of a declaration, as a rule, and what runs then is elsewhere in the file: by its
 * symbol, or as one copy of what was inlined or cloned. Of a library it may be another one's.
 */
#include "recorder/resolve/defined_functions.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool mwr_is_program(Dwfl_Module *module, struct mwr_symbols *symbols)
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
        if (data) {
            return false;
        }
    }
    /* A debug file has kept the symbols alone: only programs are linked with what starts them. */
    return mwr_symbols_global(symbols, module, "_start") > 0;
}

/*
 * The only function that is compiled from a declaration or an abstract one: in the unit, or in all
 * where that is of another one. Then units were optimized as one, and laid out as several, so that
 * what is called can be elsewhere while a copy for other arguments is here.
 */
static bool find_concrete(const struct mwr_definitions *definitions, Dwarf_Die *origin,
                          Dwarf_Die *function)
{
    struct mwr_units *units = definitions->units;
    Dwarf_Die own;
    size_t all = 0;
    const bool is_here = dwarf_diecu(origin, &own, NULL, NULL) &&
                         (own.addr == definitions->unit->die.addr ||
                          dwarf_tag(&own) != DW_TAG_compile_unit); /* but what dwz shares */

    for (size_t i = 0; i < (is_here ? 1 : units->count); i++) {
        size_t count = 0;
        struct mwr_function *found = mwr_unit_concrete(
            is_here ? definitions->unit : mwr_units_read(units, i), origin, &count);

        if (found) {
            *function = found->die;
        }
        all += count;
    }
    return all == 1;
}

/*
 * The function that begins at an address. Linkers fold functions whose code is the same, and the
 * compiler's lines are those of any of them then: it is not known.
 */
static bool find_function(const struct mwr_definitions *definitions, Dwarf_Addr address,
                          const char *name, Dwarf_Die *function)
{
    struct mwr_unit *unit =
        address > 0 ? mwr_units_find(definitions->units, definitions->module, address) : NULL;
    struct mwr_function *found = unit ? mwr_unit_beginning(unit, address) : NULL;

    if (!found || strcmp(mwr_function_name(&found->die), name) != 0 ||
        !mwr_symbols_alone(definitions->symbols, definitions->module, address, name)) {
        return false;
    }
    *function = found->die;
    return true;
}

/* Where the code of an entry is; 0: it has none. */
static Dwarf_Addr code_of(Dwarf_Die *entry)
{
    Dwarf_Addr base, low, high;

    return dwarf_ranges(entry, 0, &base, &low, &high) > 0 ? low : 0;
}

/*
 * Where the function is that the linker had calls lead to; 0: that is not known. Of a weak function
 * calls are those of the strong one, though it is there and is what the compiler says is called.
 */
static Dwarf_Addr linked(const struct mwr_definitions *definitions, Dwarf_Die *origin)
{
    const char *name = mwr_function_name(origin);
    char wrap[4096]; /* by the linker's --wrap; a longer name is left alone */
    const int length = snprintf(wrap, sizeof wrap, "__wrap_%s", name);

    if (length < 0 || (size_t)length >= sizeof wrap ||
        mwr_symbols_has(definitions->symbols, definitions->module, wrap)) {
        return 0;
    }
    /* Where units were optimized as one, nobody else can mean it, and it is not global any more. */
    return mwr_symbols_has(definitions->symbols, definitions->module, name)
               ? mwr_symbols_global(definitions->symbols, definitions->module, name)
               : code_of(origin);
}

/* Calls of what other libraries may define, too, may be calls of theirs. */
static bool definition_of(void *context, Dwarf_Die *origin, Dwarf_Die *function)
{
    struct mwr_definitions *definitions = context;
    const bool is_external = dwarf_hasattr_integrate(origin, DW_AT_external);
    Dwarf_Addr entry;

    if (is_external && !definitions->is_program) {
        return false;
    }
    entry = is_external ? linked(definitions, origin) : code_of(origin);
    if (entry > 0) {
        return find_function(definitions, entry, mwr_function_name(origin), function);
    }
    return !is_external && find_concrete(definitions, origin, function);
}

static Dwarf_Addr tail_call(struct mwr_definitions *definitions, Dwarf_Die *function,
                            const char *call)
{
    struct mwr_led *led = &definitions->led[(uintptr_t)function->addr % MWR_LED_MAX];

    if (led->function != function->addr || led->unit != definitions->unit ||
        strcmp(led->call, call) != 0) {
        led->function = function->addr;
        led->unit = definitions->unit;
        snprintf(led->call, sizeof led->call, "%s", call);
        led->jump = mwr_tail_call(function, call, definition_of, definitions, &definitions->left);
    }
    return led->jump;
}

Dwarf_Addr mwr_follow_jumps(struct mwr_definitions *definitions, Dwarf_Addr address,
                            const char *call)
{
    struct mwr_unit *unit = mwr_units_find(definitions->units, definitions->module, address);
    struct mwr_function *function = unit ? mwr_unit_function(unit, address) : NULL;
    const struct mwr_call *made = NULL;
    Dwarf_Die called;
    Dwarf_Addr jump = 0;

    if (function) {
        mwr_function_calls_read(&function->calls, &function->die, &definitions->left);
        made = mwr_function_calls_find(&function->calls, address + 1);
    }
    definitions->unit = unit;
    if (made && !made->is_jump) {
        Dwarf_Die origin = made->called;

        if (definition_of(definitions, &origin, &called)) {
            jump = tail_call(definitions, &called, call);
        }
    }
    return jump > 0 ? jump : address;
}
