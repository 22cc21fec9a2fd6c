/*
 * Preloaded, makes the FAIL_AT-th allocation fail that mpiwatch's library makes in rank
 * FAIL_RANK; with FAIL_ON=all every later one, too. Allocations of others are left alone:
 * the caller's address tells. At exit appends their number to the file FAIL_COUNT.
 * FAIL_IN=program: those of the program itself, without FAIL_RANK in any process. FAIL_IN=all:
 * those of anybody.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

static uintptr_t begin, end;
static unsigned long made;
static unsigned long fail_at;
static int fail_all;

/* name: what is in the path of whose allocations are meant; the program comes first. */
static int look(struct dl_phdr_info *info, size_t size, void *name)
{
    if (!strstr(info->dlpi_name, name)) {
        return 0;
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];

        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            begin = info->dlpi_addr + part->p_vaddr;
            end = begin + part->p_memsz;
        }
    }
    return 1;
}

static __attribute__((constructor)) void start(void)
{
    const char *open_mpi_rank = getenv("OMPI_COMM_WORLD_RANK");
    const char *rank = open_mpi_rank ? open_mpi_rank : getenv("PMI_RANK");
    const char *wanted = getenv("FAIL_RANK");
    const char *at = getenv("FAIL_AT");
    const char *on = getenv("FAIL_ON");
    const char *in = getenv("FAIL_IN");

    dl_iterate_phdr(look, in ? "" : "/libmpiwatch-");
    if (in && strcmp(in, "all") == 0) {
        begin = 1;
        end = UINTPTR_MAX;
    }
    if (at && (wanted ? rank && strcmp(rank, wanted) == 0 : in != NULL)) {
        fail_at = strtoul(at, NULL, 10);
        fail_all = on && strcmp(on, "all") == 0;
    }
}

static __attribute__((destructor)) void tell(void)
{
    const char *path = getenv("FAIL_COUNT");
    char line[32];
    int file = path && begin ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;

    if (file >= 0) {
        (void)!write(file, line, (size_t)snprintf(line, sizeof line, "%lu\n", made));
        close(file);
    }
}

static int fails(const void *caller)
{
    unsigned long number;

    if ((uintptr_t)caller < begin || (uintptr_t)caller >= end) {
        return 0;
    }
    number = __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    if (fail_at == 0 || number < fail_at || (number > fail_at && !fail_all)) {
        return 0;
    }
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, bytes);
}

char *strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);

    return copy ? memcpy(copy, text, bytes) : NULL;
}
