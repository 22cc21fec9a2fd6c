/*
 * libdw's own way to the unit of an address is .debug_aranges, which clang doesn't write: the
 * units' ranges say it, too. What is inlined from MPI's own headers (C++ bindings) is not the
 * program.
 */
#include "recorder/resolve/source.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the C++ runtime; there is no header of it for C. */
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

#define SCOPES_MAX 64

struct mwr_source {
    Dwfl *dwfl;
    Dwfl_Module *module;
    char file[4096];
    char function[4096];
    char demangled[2048];
};

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

struct mwr_source *mwr_source_create(const char *path, const char *build_id)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
    };
    struct mwr_source *source = calloc(1, sizeof *source);

    if (!source) {
        return NULL;
    }
    source->dwfl = dwfl_begin(&callbacks);
    if (source->dwfl) {
        source->module = dwfl_report_offline(source->dwfl, "", path, -1);
        (void)dwfl_report_end(source->dwfl, NULL, NULL);
    }
    if (!source->module || !has_build_id(source->module, build_id)) {
        mwr_source_destroy(source);
        return NULL;
    }
    return source;
}

void mwr_source_destroy(struct mwr_source *source)
{
    if (source->dwfl) {
        dwfl_end(source->dwfl);
    }
    free(source);
}

/* --- names ------------------------------------------------------------------------- */

/* Puts the words for a name of the linker's into the source's own text. */
static const char *demangle(struct mwr_source *source, const char *name)
{
    int status = -1;
    char *text = __cxa_demangle(name, NULL, NULL, &status);

    if (text && status == 0) {
        snprintf(source->demangled, sizeof source->demangled, "%s", text);
    } else {
        snprintf(source->demangled, sizeof source->demangled, "%s", name);
    }
    free(text);
    return source->demangled;
}

/* The name of a function's entry, or of the one that an inlined one is of. */
static const char *name_of(struct mwr_source *source, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(
        dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));

    if (name && strncmp(name, "_Z", 2) == 0) {
        return demangle(source, name);
    }
    name = dwarf_diename(die);
    return name ? name : "";
}

/* Whether it is a header by which an MPI inlines calls into programs. */
static bool is_of_mpi(const char *file)
{
    static const char *const names[] = {"mpicxx.h", "_inln.h", "mpi_cxx.h", NULL};

    for (size_t i = 0; names[i]; i++) {
        size_t length = strlen(names[i]);
        size_t all = strlen(file);

        if (all >= length && strcmp(file + all - length, names[i]) == 0) {
            return true;
        }
    }
    return strstr(file, "/ompi/mpi/cxx/") != NULL;
}

/* --- places ------------------------------------------------------------------------ */

/* The unit that has address (of the debugging information) among its ranges; false: none. */
static bool find_unit(Dwarf *debug, Dwarf_Addr address, Dwarf_Die *unit)
{
    Dwarf_CU *each = NULL;
    Dwarf_Half version;
    uint8_t kind;

    while (dwarf_get_units(debug, each, &each, &version, &kind, unit, NULL) == 0) {
        if (kind == DW_UT_compile && dwarf_haspc(unit, address) == 1) {
            return true;
        }
        if (kind == DW_UT_skeleton) {
            Dwarf_Die split;

            if (dwarf_haspc(unit, address) == 1 && dwarf_cu_info(each, NULL, NULL, NULL, &split,
                                                                  NULL, NULL, NULL) == 0) {
                *unit = split;
                return true;
            }
        }
    }
    return false;
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
}

/*
 * From the innermost function outwards: past what was inlined from MPI's headers, whose calls'
 * own place is that where it was inlined. *file and *line are the innermost place at first.
 *
 * \return the name of the function that the place is in.
 */
static const char *leave_headers(struct mwr_source *source, Dwarf_Die *unit, Dwarf_Addr address,
                                 const char **file, int *line)
{
    Dwarf_Die *scopes = NULL;
    Dwarf_Die innermost;
    Dwarf_Die *chain = NULL;
    const char *name = "";
    int count = dwarf_getscopes(unit, address, &scopes);

    /* The scopes of an inlined instance's place are those of its own entry. */
    if (count > 0) {
        innermost = scopes[0];
        free(scopes);
        count = dwarf_getscopes_die(&innermost, &chain);
    }
    for (int i = 0; i < count; i++) {
        int tag = dwarf_tag(&chain[i]);

        if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine &&
            tag != DW_TAG_entry_point) {
            continue;
        }
        name = name_of(source, &chain[i]);
        if (tag != DW_TAG_inlined_subroutine || !is_of_mpi(*file)) {
            break;
        }
        Dwarf_Attribute attribute;
        Dwarf_Word number = 0;
        Dwarf_Word called = 0;
        Dwarf_Files *files = NULL;
        size_t file_count = 0;

        if (dwarf_formudata(dwarf_attr(&chain[i], DW_AT_call_file, &attribute), &number) == 0 &&
            dwarf_formudata(dwarf_attr(&chain[i], DW_AT_call_line, &attribute), &called) == 0 &&
            dwarf_getsrcfiles(unit, &files, &file_count) == 0 && number < file_count) {
            *file = dwarf_filesrc(files, number, NULL, NULL);
            *line = (int)called;
        }
    }
    if (name != source->demangled) {
        snprintf(source->demangled, sizeof source->demangled, "%s", name);
    }
    free(chain);
    return source->demangled;
}

/* By the lines. False: nothing is known of this address. */
static bool find_line(struct mwr_source *source, uint64_t address, struct mwr_source_place *place)
{
    Dwarf_Addr bias = 0;
    Dwarf *debug = dwfl_module_getdwarf(source->module, &bias);
    Dwarf_Die unit;
    Dwarf_Line *found;
    const char *file;
    int line = 0;

    if (!debug || !find_unit(debug, address, &unit)) {
        return false;
    }
    found = dwarf_getsrc_die(&unit, address);
    file = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
    if (!file || dwarf_lineno(found, &line) != 0 || line <= 0) {
        return false;
    }
    place->function = leave_headers(source, &unit, address, &file, &line);
    take_file(source, &unit, file);
    place->file = source->file;
    place->line = (uint32_t)line;
    return true;
}

/* By the symbols: which function it is, and how far in it. */
static void find_symbol(struct mwr_source *source, uint64_t address,
                        struct mwr_source_place *place)
{
    GElf_Addr bias = 0;
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *name;

    if (!dwfl_module_getelf(source->module, &bias)) {
        return;
    }
    name = dwfl_module_addrinfo(source->module, address + bias, &offset, &symbol, NULL, NULL,
                                NULL);
    /* The nearest one says nothing where another function is, whose name was removed. */
    if (name && (symbol.st_size == 0 || offset < symbol.st_size)) {
        snprintf(source->function, sizeof source->function, "%.4000s+0x%" PRIx64,
                 demangle(source, name), (uint64_t)offset);
        place->function = source->function;
    }
}

void mwr_source_find(struct mwr_source *source, uint64_t address, struct mwr_source_place *place)
{
    *place = (struct mwr_source_place){.file = "", .function = ""};
    if (address == 0) {
        return;
    }
    address--; /* in the call: what comes behind it may be of another line */
    if (!find_line(source, address, place)) {
        find_symbol(source, address, place);
    }
}
