/*
 * dladdr(3) says neither the build-id nor where the tables of frames are, and dlopen(3) and
 * dlsym(3) leave a message that the program may take for its own.
 */
#include "recorder/sites/loaded.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct search {
    uintptr_t address;
    struct mwr_loaded *loaded;
    bool found;
};

static void write_hexadecimal(char *text, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    }
}

/* Looks for the build-id among the notes of so many bytes. */
static void read_notes(struct mwr_loaded *loaded, const char *notes, size_t bytes)
{
    const ElfW(Nhdr) *note;

    for (size_t at = 0; bytes - at >= sizeof *note;) {
        size_t name = at + sizeof *note;
        size_t content;

        note = (const void *)(notes + at);
        if (note->n_namesz > bytes || note->n_descsz > bytes) {
            return;
        }
        content = name + (note->n_namesz + (size_t)3) / 4 * 4;
        at = content + (note->n_descsz + (size_t)3) / 4 * 4;
        if (at > bytes) {
            return;
        }
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" &&
            memcmp(notes + name, "GNU", sizeof "GNU") == 0 &&
            note->n_descsz <= MWR_BUILD_ID_BYTES_MAX) {
            write_hexadecimal(loaded->build_id, (const unsigned char *)notes + content,
                              note->n_descsz);
            return;
        }
    }
}

static void describe(struct mwr_loaded *loaded, const struct dl_phdr_info *info)
{
    loaded->bias = info->dlpi_addr;
    loaded->begin = UINTPTR_MAX;
    loaded->end = 0;
    snprintf(loaded->path, sizeof loaded->path, "%s", info->dlpi_name ? info->dlpi_name : "");
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header->p_vaddr;

        switch (header->p_type) {
        case PT_LOAD:
            loaded->begin = begin < loaded->begin ? begin : loaded->begin;
            loaded->end =
                begin + header->p_memsz > loaded->end ? begin + header->p_memsz : loaded->end;
            break;
        case PT_NOTE:
            read_notes(loaded, (const char *)begin, header->p_filesz);
            break;
        case PT_GNU_EH_FRAME:
            loaded->frames = (const void *)begin;
            loaded->frames_bytes = header->p_memsz;
            break;
        default:
            break;
        }
    }
}

/* Whether one of its segments has the address. */
static bool holds(const struct dl_phdr_info *info, uintptr_t address)
{
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];

        if (header->p_type == PT_LOAD &&
            address - (info->dlpi_addr + header->p_vaddr) < header->p_memsz) {
            return true;
        }
    }
    return false;
}

static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;

    search->found = holds(info, search->address);
    if (search->found) {
        describe(search->loaded, info);
    }
    return search->found;
}

/* The program's own file, which the loader has no name of. */
static void find_program(char *path, size_t room)
{
    const ssize_t length = readlink("/proc/self/exe", path, room - 1);

    path[length > 0 ? length : 0] = '\0';
}

bool mwr_loaded_find(const void *address, struct mwr_loaded *loaded)
{
    struct search search = {.address = (uintptr_t)address, .loaded = loaded};

    memset(loaded, 0, sizeof *loaded);
    (void)dl_iterate_phdr(visit, &search);
    if (!search.found) {
        return false;
    }
    loaded->is_program = loaded->path[0] == '\0';
    if (loaded->is_program) {
        find_program(loaded->path, sizeof loaded->path);
    }
    return true;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool is_named_python(bool is_program, const char *path)
{
    const char *beginning = is_program ? "python" : "libpython";

    return strncmp(name_of(path), beginning, strlen(beginning)) == 0;
}

bool mwr_loaded_is_python(const struct mwr_loaded *loaded)
{
    return is_named_python(loaded->is_program, loaded->path);
}

static int is_python(struct dl_phdr_info *info, size_t size, void *context)
{
    char program[4096] = "";

    if (info->dlpi_name && info->dlpi_name[0] != '\0') {
        return is_named_python(false, info->dlpi_name);
    }
    find_program(program, sizeof program);
    return is_named_python(true, program);
}

bool mwr_loaded_has_python(void)
{
    return dl_iterate_phdr(is_python, NULL) != 0;
}

/* Whether the name of its file begins with one of these, up to a null. */
static bool begins_with(const struct mwr_loaded *loaded, const char *const *beginnings)
{
    const char *name = name_of(loaded->path);

    for (size_t i = 0; beginnings[i]; i++) {
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) {
            return true;
        }
    }
    return false;
}

bool mwr_loaded_is_own(const struct mwr_loaded *loaded)
{
    static const char here;

    return (uintptr_t)&here - loaded->begin < loaded->end - loaded->begin;
}

bool mwr_loaded_is_mpi(const struct mwr_loaded *loaded)
{
    static const char *const beginnings[] = {
        "libmpi.so",    "libmpi_mpifh.so", "libmpi_usempi", "libmpi_cxx.so", "libmpi_abi",
        "libmpich.so",  "libmpichf",       "libmpichcxx",   "libmpicxx.so",  "libmpifort.so",
        "libfmpich.so", "libcaf_", /* by which Fortran has coarrays */ NULL,
    };

    return begins_with(loaded, beginnings);
}

bool mwr_loaded_is_below_mpi(const struct mwr_loaded *loaded)
{
    static const char *const beginnings[] = {
        "mca_",    "libmca_common_", "libopen-pal", "libopen-rte", "libprrte", "libpmix.so",
        "libucp.", "libuct",         "libucs.",     "libucm.",     "libhcoll", "libfabric.so",
        "libpsm",  NULL,
    };

    return begins_with(loaded, beginnings);
}

bool mwr_loaded_is_c(const struct mwr_loaded *loaded)
{
    static const char *const beginnings[] = {"libc.so", "libc-2.", "libpthread", "ld-linux",
                                             "ld-2.", NULL};

    return begins_with(loaded, beginnings);
}
