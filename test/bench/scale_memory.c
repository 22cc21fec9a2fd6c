/*
 * Whose memory it is: malloc and its kin count for the rank that runs, in all libraries that the
 * program has. With a sanitizer, which has them itself, nothing is counted.
 */
#include "test/bench/scale.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

static struct scale_memory *counted;

void scale_memory_count(struct scale_memory *memory)
{
    counted = memory;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/* glibc's own, under the names that it keeps for whoever stands in for malloc. */
extern void *__libc_malloc(size_t bytes);
extern void __libc_free(void *memory);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

static void count(int64_t bytes)
{
    if (counted) {
        counted->now += bytes;
        counted->peak = counted->now > counted->peak ? counted->now : counted->peak;
    }
}

static void *take(void *memory)
{
    count((int64_t)malloc_usable_size(memory));
    return memory;
}

void *malloc(size_t bytes)
{
    return take(__libc_malloc(bytes));
}

void *calloc(size_t elements, size_t bytes)
{
    return take(__libc_calloc(elements, bytes));
}

void *realloc(void *memory, size_t bytes)
{
    int64_t before = (int64_t)malloc_usable_size(memory);
    void *grown = __libc_realloc(memory, bytes);

    if (grown || bytes == 0) {
        count((int64_t)malloc_usable_size(grown) - before);
    }
    return grown;
}

void free(void *memory)
{
    count(-(int64_t)malloc_usable_size(memory));
    __libc_free(memory);
}

void *memalign(size_t alignment, size_t bytes)
{
    return take(__libc_memalign(alignment, bytes));
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    *memory = memalign(alignment, bytes);
    return *memory ? 0 : ENOMEM;
}

#endif
