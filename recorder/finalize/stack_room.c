/* MPICH 4.2 takes 150 KiB of the stack to open a file: more than a process has at first. */
#include "recorder/finalize/stack_room.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define ROOM_BYTES ((size_t)512 << 10)
#define LEFT_BYTES ((size_t)64 << 10) /* at its end, which is not ours to use up */
#define PAGE_BYTES 4096u              /* at least */

static bool is_limited(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* How far the stack can grow from here; SIZE_MAX: not known. */
static size_t room_of_stack(void)
{
    const char here = 0;
    pthread_attr_t attributes;
    void *end;
    size_t size, room = SIZE_MAX;

    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return SIZE_MAX;
    }
    if (pthread_attr_getstack(&attributes, &end, &size) == 0 &&
        (uintptr_t)&here > (uintptr_t)end) {
        room = (uintptr_t)&here - (uintptr_t)end;
    }
    pthread_attr_destroy(&attributes);
    return room;
}

/* From its beginning to its end, as a stack grows. */
MW_APART void touch(void)
{
    volatile char room[ROOM_BYTES] __attribute__((unused));

    for (size_t i = ROOM_BYTES; i >= PAGE_BYTES; i -= PAGE_BYTES) {
        room[i - 1] = 0;
    }
}

/* Whether the process may have that much more memory: malloc may have some left of what it has. */
static bool has_memory(void)
{
    void *memory = mmap(NULL, ROOM_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory != MAP_FAILED && munmap(memory, ROOM_BYTES) == 0;
}

enum mw_status mwr_stack_reserve(struct mw_diagnostic *diagnostic)
{
    if (!is_limited()) {
        return MW_OK;
    }
    if (room_of_stack() < ROOM_BYTES + LEFT_BYTES || !has_memory()) {
        return mw_no_memory(diagnostic, NULL, "for %zu KiB of stack to write the archive with",
                            ROOM_BYTES >> 10);
    }
    touch();
    return MW_OK;
}
