/*
 * What is inlined from the system's headers (C++ bindings of MPI, by MPI or by Boost) is not the
 * program, and wrappers of its own that are inlined say little.
 */
#include "recorder/resolve/source.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/table/wrapper_name.h"
#include "recorder/resolve/defined_functions.h"
#include "recorder/resolve/inlined_calls.h"
#include "recorder/resolve/symbols.h"
#include "recorder/resolve/source_units.h"

/* Of the C++ runtime; there is no header of it for C. */
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

#define INLINED_MAX 64 /* functions that are inlined into each other */
#define ENTRIES_MAX 4000000u /* looked at for calls that jumps make: a few seconds at most */

/* Tables are made once: there can be thousands of sites. */
struct mwr_source {
    Dwfl *dwfl;
    enum mw_source_paths paths;
    Dwfl_Callbacks callbacks;
    char *search; /* where debugging information beside the file is, as libdwfl wants it said */
    Dwfl_Module *module;
    struct mwr_units units;
    struct mwr_symbols symbols;
    struct mwr_definitions definitions;
    char file[4096];
    char function[4096];
    char demangled[2048];
};

/* --- a file --------------------------------------------------------------------------- */

static bool has_build_id(Dwfl_Module *module, const char *build_id)
{
    const unsigned char *bytes = NULL;
    GElf_Addr address;
    int count = dwfl_module_build_id(module, &bytes, &address);
    char text[3];

    if (*build_id == '\0') {
        return true;
    }
    for (int i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%02x", bytes[i]);
        if (strncmp(build_id + 2 * i, text, 2) != 0) {
            return false;
        }
    }
    return count > 0 && build_id[2 * count] == '\0';
}

/* Opens the file as the module. False: it can't be read, or is another one by now. */
static bool open_module(struct mwr_source *source, const char *path, const char *build_id)
{
    source->dwfl = dwfl_begin(&source->callbacks);
    if (source->dwfl) {
        source->module = dwfl_report_offline(source->dwfl, "", path, -1);
        (void)dwfl_report_end(source->dwfl, NULL, NULL);
    }
    if (source->module && has_build_id(source->module, build_id)) {
        source->definitions = (struct mwr_definitions){
            .units = &source->units,
            .symbols = &source->symbols,
            .module = source->module,
            .is_program = mwr_is_program(source->module, &source->symbols),
            .left = ENTRIES_MAX,
        };
        return true;
    }
    if (source->dwfl) {
        dwfl_end(source->dwfl);
    }
    source->dwfl = NULL;
    source->module = NULL;
    return false;
}

/* The same for what the user's directory has in its place, which its build-id tells. */
static bool open_kept(struct mwr_source *source, const char *path, const char *build_id,
                      const char *directory)
{
    const char *slash = strrchr(path, '/');
    char kept[4096];

    if (!*directory || strlen(build_id) < 3) {
        return false;
    }
    snprintf(kept, sizeof kept, "%s/.build-id/%.2s/%s.debug", directory, build_id, build_id + 2);
    if (open_module(source, kept, build_id)) {
        return true;
    }
    snprintf(kept, sizeof kept, "%s/%s", directory, slash ? slash + 1 : path);
    return open_module(source, kept, build_id);
}

struct mwr_source *mwr_source_create(const char *path, const char *build_id,
                                     enum mw_source_paths paths, const char *directory)
{
    static const char usual[] = ":.debug:/usr/lib/debug"; /* libdwfl's own, if nothing is said */
    struct mwr_source *source = calloc(1, sizeof *source);
    size_t bytes = sizeof usual + strlen(directory) + 1;

    if (!source) {
        return NULL;
    }
    source->paths = paths;
    source->search = malloc(bytes);
    if (!source->search) {
        mwr_source_destroy(source);
        return NULL;
    }
    snprintf(source->search, bytes, "%s%s%s", usual, *directory ? ":" : "", directory);
    source->callbacks = (Dwfl_Callbacks){
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .debuginfo_path = &source->search,
        .section_address = dwfl_offline_section_address,
    };
    if (!open_module(source, path, build_id) && !open_kept(source, path, build_id, directory)) {
        mwr_source_destroy(source);
        return NULL;
    }
    return source;
}

void mwr_source_destroy(struct mwr_source *source)
{
    mwr_units_fini(&source->units);
    mwr_symbols_fini(&source->symbols);
    if (source->dwfl) {
        dwfl_end(source->dwfl);
    }
    free(source->search);
    free(source);
}

/* --- names ------------------------------------------------------------------------- */

/* Puts the words for a name of the linker's into the source's own text; others mean themselves. */
static const char *demangle(struct mwr_source *source, const char *name)
{
    int status = -1;
    char *text = strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;

    snprintf(source->demangled, sizeof source->demangled, "%s",
             text && status == 0 ? text : name);
    free(text);
    return source->demangled;
}

/* The linker's name of the function that has the address; null: it has none. */
static const char *symbol_at(struct mwr_source *source, Dwarf_Addr address, uint64_t *offset)
{
    GElf_Addr bias = 0;

    return dwfl_module_getelf(source->module, &bias)
               ? mwr_symbols_find(&source->symbols, source->module, address + bias, offset)
               : NULL;
}

/*
 * The symbol of a function of C++ that no other file sees, for which compilers write no more than
 * "f" or "operator()", as others of its file may be called. Null: it has none. What stands behind a
 * dot is which copy of it was made (f.constprop.0). The text is the source's own.
 */
static const char *own_symbol(struct mwr_source *source, Dwarf_Addr address)
{
    uint64_t offset;
    const char *name = symbol_at(source, address, &offset);

    if (!name || strncmp(name, "_Z", 2) != 0) {
        return NULL;
    }
    snprintf(source->function, sizeof source->function, "%.*s", (int)strcspn(name, "."), name);
    return source->function;
}

/* Puts the type that an entry has, or points to, there, without what qualifies it. */
static bool take_type(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;

    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) &&
           dwarf_peel_type(type, type) == 0;
}

/*
 * A method's name with that of its class, to which it has a pointer (object_pointer). All lambdas
 * of a file are called operator(), of a class without a name or "<lambda(int)>", but begin in lines
 * of their own. Null: it is no method, or what tells it apart is not there. The text is the
 * source's own.
 */
static const char *own_method(struct mwr_source *source, Dwarf_Die *die, const char *name)
{
    Dwarf_Attribute attribute;
    Dwarf_Die object, pointer, type;
    const char *file, *class_name;
    int line = 0;

    if (!name ||
        !dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_object_pointer, &attribute), &object) ||
        !take_type(&object, &pointer) || !take_type(&pointer, &type)) {
        return NULL;
    }
    class_name = dwarf_diename(&type);
    file = dwarf_decl_file(&type);
    if (class_name && *class_name && *class_name != '<') {
        snprintf(source->function, sizeof source->function, "%.2000s::%.2000s", class_name, name);
    } else if (file && dwarf_decl_line(&type, &line) == 0) {
        snprintf(source->function, sizeof source->function, "%.2000s at %.2000s:%d", name,
                 strrchr(file, '/') ? strrchr(file, '/') + 1 : file, line);
    } else {
        return NULL;
    }
    return source->function;
}

static bool is_inlined_anywhere(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Word how = DW_INL_not_inlined;

    (void)dwarf_formudata(dwarf_attr_integrate(die, DW_AT_inline, &attribute), &how);
    return dwarf_tag(die) == DW_TAG_inlined_subroutine || how == DW_INL_inlined ||
           how == DW_INL_declared_inlined;
}

/* Puts the name of a function's entry there, or of the one that an inlined one is of. Of one that
 * is inlined anywhere all copies have one name; others have that of the symbol at address. */
static void name_of(struct mwr_source *source, Dwarf_Die *die, Dwarf_Addr address)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(
        dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    const char *own;

    if (!name || strncmp(name, "_Z", 2) != 0) {
        name = dwarf_diename(die);
        own = is_inlined_anywhere(die) || (name && strncmp(name, "_Z", 2) == 0)
                  ? NULL
                  : own_symbol(source, address);
        own = own ? own : own_method(source, die, name);
        name = own ? own : name;
    }
    if (name && dwarf_hasattr_integrate(die, DW_AT_main_subprogram) &&
        mw_may_wrap_calls(name)) {
        name = "MAIN__"; /* a program bench_mpi_barrier of Fortran is no wrapper */
    }
    (void)demangle(source, name ? name : "");
}

/* --- places ------------------------------------------------------------------------ */

/* Puts file as it is seen from directory there, if they have more in common than the root. */
static void make_relative(char *file, size_t size, const char *directory)
{
    char text[4096];
    size_t common = 0;
    size_t used = 0;
    size_t i = 0;

    for (; file[i] && file[i] == directory[i]; i++) {
        common = file[i] == '/' ? i : common;
    }
    if (file[i] == '/' && directory[i] == '\0') {
        common = i;
    }
    if (common == 0) {
        return;
    }
    for (const char *at = directory + common; *at && used < sizeof text; at++) {
        if (at[0] == '/' && at[1]) {
            used += (size_t)snprintf(text + used, sizeof text - used, "../");
        }
    }
    if (used < sizeof text) {
        snprintf(text + used, sizeof text - used, "%s", file + common + 1);
        snprintf(file, size, "%s", text);
    }
}

/* Puts the name of a file of the unit, with its directory, into the source's own text. */
static void take_file(struct mwr_source *source, Dwarf_Die *unit, const char *name)
{
    Dwarf_Attribute attribute;
    const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));

    if (name[0] == '/' || !directory) {
        snprintf(source->file, sizeof source->file, "%s", name);
    } else {
        while (strncmp(name, "./", 2) == 0) {
            name += 2;
        }
        snprintf(source->file, sizeof source->file, "%s/%s", directory, name);
    }
    if (source->paths == MW_PATHS_RELATIVE && directory) {
        make_relative(source->file, sizeof source->file, directory);
    } else if (source->paths == MW_PATHS_BASE) {
        name = strrchr(source->file, '/');
        name = name ? name + 1 : source->file;
        memmove(source->file, name, strlen(name) + 1);
    }
}

/* Where an inlined function was called from. False: that is not told. */
static bool find_call(Dwarf_Die *unit, Dwarf_Die *inlined, const char **file, int *line)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    Dwarf_Word called = 0;
    Dwarf_Files *files = NULL;
    size_t count = 0;

    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) != 0 ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &called) != 0 ||
        dwarf_getsrcfiles(unit, &files, &count) != 0 || number >= count) {
        return false;
    }
    *file = dwarf_filesrc(files, number, NULL, NULL);
    *line = (int)called;
    return *file != NULL;
}

/* Whether an inlined function only calls MPI for others, by its name. */
static bool is_wrapper(Dwarf_Die *inlined)
{
    const char *name = dwarf_diename(inlined);

    return name && mw_wraps_calls(name, NULL) &&
           !dwarf_hasattr_integrate(inlined, DW_AT_main_subprogram);
}

/*
 * The name of the function that makes the call: the innermost one, or, of wrappers and of those
 * inlined from headers of others, whose calls are where they were inlined, the first one around;
 * where all around it is of others the innermost one. Of a wrapper whose own line says more, it is
 * left nevertheless: frames of stacks are those of functions that are not inlined. *file and *line
 * are the innermost place at first.
 */
static const char *leave_others(struct mwr_source *source, struct mwr_unit *unit,
                                Dwarf_Addr address, const char **file, int *line)
{
    struct mwr_function *function = mwr_unit_function(unit, address);
    Dwarf_Die chain[INLINED_MAX]; /* the first is the function itself */
    const char *around = *file;
    int around_line = *line;
    size_t count, left;

    source->demangled[0] = '\0';
    if (!function) {
        return source->demangled;
    }
    mwr_inlines_read(&function->inlines, &function->die);
    mwr_function_calls_read(&function->calls, &function->die, &source->definitions.left);
    chain[0] = function->die;
    count = 1 + mwr_inlines_at(&function->inlines, address, chain + 1, INLINED_MAX - 1);
    left = count;
    while (left > 1 &&
           (mw_is_installed_header(around) ||
            (is_wrapper(&chain[left - 1]) &&
             !mwr_has_other_lines(&unit->die, &function->calls, &chain[left - 1], address))) &&
           find_call(&unit->die, &chain[left - 1], &around, &around_line)) {
        left--;
    }
    if (!mw_is_installed_header(around)) {
        *file = around;
        *line = around_line;
        for (count = left; count > 1 && is_wrapper(&chain[count - 1]);) {
            count--;
        }
    }
    name_of(source, &chain[count - 1], address);
    return source->demangled;
}

/* By the lines. False: nothing is known of this address. */
static bool find_line(struct mwr_source *source, uint64_t address, struct mwr_source_place *place)
{
    struct mwr_unit *unit = mwr_units_find(&source->units, source->module, address);
    Dwarf_Line *found = unit ? dwarf_getsrc_die(&unit->die, address) : NULL;
    const char *file;
    int line = 0;

    file = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
    if (!file || dwarf_lineno(found, &line) != 0 || line <= 0) {
        return false;
    }
    place->function = leave_others(source, unit, address, &file, &line);
    take_file(source, &unit->skeleton, file);
    place->file = source->file;
    place->line = (uint32_t)line;
    return true;
}

/* By the symbols: which function it is, and how far in it. */
static void find_symbol(struct mwr_source *source, uint64_t address,
                        struct mwr_source_place *place)
{
    uint64_t offset = 0;
    const char *name = symbol_at(source, address, &offset);

    if (name) {
        snprintf(source->function, sizeof source->function, "%.4000s+0x%" PRIx64,
                 demangle(source, name), offset);
        place->function = source->function;
    }
}

void mwr_source_find(struct mwr_source *source, uint64_t address, const char *call,
                     struct mwr_source_place *place)
{
    *place = (struct mwr_source_place){.file = "", .function = ""};
    if (address == 0) {
        return;
    }
    address--; /* in the call: what comes behind it may be of another line */
    if (*call) {
        address = mwr_follow_jumps(&source->definitions, address, call);
    }
    if (!find_line(source, address, place)) {
        find_symbol(source, address, place);
    }
}
