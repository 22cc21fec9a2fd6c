/*
 * The functions are found when recording begins, as calls can't wait for files: from the program's
 * own, which may have been removed or replaced meanwhile where /proc/self/exe is still the same.
 */
#include "recorder/sites/wrapper_code.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/base/array.h"
#include "formats/table/calls.h"
#include "formats/table/wrapper_name.h"
#include "recorder/sites/elf_file.h"

#define NAMES_BYTES_MAX (64u << 20) /* of a file's; of more nothing is read */
#define WRAPPERS_MAX 16384u
#define TEMPLATES_MAX (WRAPPERS_MAX / 2) /* of these; Open MPI's MPI_Comm makes any function one */

/* A function, by addresses as the file counts them. */
struct wrapper {
    uintptr_t begin;
    uintptr_t end;
    char *name; /* null: it may be a template of a library */
};

/* Written before recording begins. */
static struct wrapper *wrappers; /* by begin */
static uint32_t wrapper_count;
static uint32_t template_count; /* of these */

/* Names that a table of symbols has. */
struct names {
    char *text;
    uint64_t bytes;
};

static void forget_names(struct names *names)
{
    (void)munmap(names->text, (size_t)names->bytes);
    names->text = NULL;
}

/*
 * The names of a section; its text is null: there is no memory, or that is no such table. Not by
 * malloc(3), which takes blocks up to the size of the largest one that was freed from its heap.
 */
static struct names read_names(int file, const ElfW(Shdr) *section)
{
    struct names names = {.bytes = section->sh_size};

    if (section->sh_type == SHT_STRTAB && names.bytes > 0 && names.bytes <= NAMES_BYTES_MAX) {
        names.text = mmap(NULL, (size_t)names.bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        names.text = names.text != MAP_FAILED ? names.text : NULL;
    }
    if (names.text &&
        (!mwr_elf_read(file, names.text, (size_t)names.bytes, section->sh_offset) ||
         names.text[names.bytes - 1] != '\0')) {
        forget_names(&names);
    }
    return names;
}

/* Whether the name may be a wrapper's, which what it calls decides; "comp_all" is none. */
static bool may_wrap(const char *name)
{
    const char *module = strstr(name, "mp_");
    const bool is_inside = module && module > name && isalpha((unsigned char)module[-1]);

    return strcasestr(name, "mpi") || (module && !is_inside) || mw_is_named_as_a_call(name);
}

/*
 * Adds a function that may be one. Weak are those of C++ that are defined in headers; of templates
 * around MPI its name is in theirs somewhere.
 */
static bool add(const ElfW(Sym) *symbol, void *context)
{
    const struct names *names = context;
    const char *name = symbol->st_name < names->bytes ? names->text + symbol->st_name : "";
    const bool is_template = ELF64_ST_BIND(symbol->st_info) == STB_WEAK;
    struct wrapper wrapper = {symbol->st_value, symbol->st_value + symbol->st_size, NULL};

    if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_size > 0 && may_wrap(name) &&
        !(is_template && template_count == TEMPLATES_MAX) &&
        mw_array_grow((void **)&wrappers, wrapper_count, sizeof *wrappers)) {
        wrapper.name = is_template ? NULL : strdup(name);
        wrappers[wrapper_count] = wrapper;
        wrapper_count += is_template || wrapper.name;
        template_count += is_template;
    }
    return wrapper_count == WRAPPERS_MAX;
}

/* Of the first table alone: no file has another one, and who reads thousands never ends. */
static void read_file(int file)
{
    ElfW(Ehdr) header;
    ElfW(Shdr) section;
    ElfW(Shdr) of_names;
    bool is_read = mwr_elf_header(file, &header);

    for (unsigned i = 0; is_read && i < header.e_shnum; i++) {
        is_read = mwr_elf_section(file, &header, i, &section);
        if (is_read && section.sh_type == SHT_SYMTAB) {
            struct names names = {NULL};

            if (mwr_elf_section(file, &header, section.sh_link, &of_names)) {
                names = read_names(file, &of_names);
            }
            if (names.text) {
                (void)mwr_elf_symbols(file, &section, add, &names, &is_read);
                forget_names(&names);
            }
            return;
        }
    }
}

static int by_begin(const void *one, const void *other)
{
    const struct wrapper *a = one;
    const struct wrapper *b = other;

    return (a->begin > b->begin) - (a->begin < b->begin);
}

void mwr_wrapper_code_start(void)
{
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

    if (file < 0) {
        return;
    }
    read_file(file);
    (void)close(file);
    if (wrapper_count > 0) {
        qsort(wrappers, wrapper_count, sizeof *wrappers, by_begin);
    }
}

bool mwr_wrapper_code_is(const struct mwr_loaded *loaded, uintptr_t address, unsigned call)
{
    const uintptr_t within = address - loaded->bias - 1; /* in the call */
    uint32_t low = 0;
    uint32_t high = wrapper_count;

    if (!loaded->is_program) {
        return false;
    }
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (wrappers[middle].begin <= within) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && within < wrappers[low - 1].end &&
           (!wrappers[low - 1].name ||
            mw_wraps_calls(wrappers[low - 1].name, mw_call_name(call)));
}
