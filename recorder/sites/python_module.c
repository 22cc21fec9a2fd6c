/*
 * What wheels and distributions have of extension modules is stripped, and only their beginning is
 * exported; of the libraries below them (HDF5, VTK) functions that are not for others have no name
 * either: all that is known of a call there is how far in the file it is, which says little. Where
 * stacks are told, those libraries' callers have names, and are told.
 * The loader's own dladdr(3) would wait for whoever loads a library meanwhile.
 */
#include "recorder/sites/python_module.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recorder/sites/elf_file.h"
#include "recorder/sites/python_line.h"

/* By the names that Python looks for: module.cpython-311-x86_64-linux-gnu.so, module.abi3.so. */
static bool is_extension(const struct mwr_loaded *loaded)
{
    const char *slash = strrchr(loaded->path, '/');
    const char *name = slash ? slash + 1 : loaded->path;

    return strstr(name, ".cpython-") || strstr(name, ".abi3.");
}

/* Whether a debugger would find what was stripped, as in Debian's packages *-dbgsym. */
static bool has_debug_file(const struct mwr_loaded *loaded)
{
    char path[64 + sizeof loaded->build_id];

    snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%.2s/%s.debug", loaded->build_id,
             strlen(loaded->build_id) > 2 ? loaded->build_id + 2 : "");
    return loaded->build_id[0] != '\0' && access(path, F_OK) == 0;
}

static bool has_address(const ElfW(Sym) *symbol, void *context)
{
    const uintptr_t *address = context;

    return symbol->st_shndx != SHN_UNDEF && *address - symbol->st_value < symbol->st_size;
}

/* Whether one of the functions of a table has the address; true where that can't be seen. */
static bool has_function(int file, const ElfW(Shdr) *table, uintptr_t address)
{
    bool is_read;

    return mwr_elf_symbols(file, table, has_address, &address, &is_read) || !is_read;
}

/* Whether the file has a name for the address, as it counts them; true where that can't be seen. */
static bool has_name(int file, uintptr_t address)
{
    ElfW(Ehdr) header;
    ElfW(Shdr) section;

    if (!mwr_elf_header(file, &header)) {
        return true;
    }
    for (unsigned i = 0; i < header.e_shnum; i++) {
        if (!mwr_elf_section(file, &header, i, &section) || section.sh_type == SHT_SYMTAB ||
            (section.sh_type == SHT_DYNSYM && has_function(file, &section, address))) {
            return true;
        }
    }
    return false;
}

/* A call may be the last thing in its function. */
static bool is_nameless(const struct mwr_loaded *loaded, uintptr_t address)
{
    const int file = open(loaded->path, O_RDONLY | O_CLOEXEC);
    const bool is_named = file < 0 || has_name(file, address - 1 - loaded->bias);

    if (file >= 0) {
        close(file);
    }
    return !is_named;
}

bool mwr_loaded_is_of_python(const struct mwr_loaded *loaded, uintptr_t address)
{
    return mwr_loaded_is_mpi4py(loaded) ||
           (is_extension(loaded) && !has_debug_file(loaded) && is_nameless(loaded, address));
}

bool mwr_loaded_may_be_of_python(const struct mwr_loaded *loaded, uintptr_t address)
{
    return mwr_loaded_is_mpi4py(loaded) ||
           (mwr_python_is_there() && !has_debug_file(loaded) && is_nameless(loaded, address));
}
