/*
 * The state of a thousand ranks is 50 MiB, of which each batch of events touches a little of all:
 * with small pages the processor asks where a page is more often than it finds it in its table of
 * them, which took a fifth of the time of `waits`. With one heap for all threads (M_ARENA_MAX) they
 * would wait for each other whenever a page is cleared for one of them.
 */
#include "analyzer/model/huge_pages.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define STEP_BYTES (32 << 20)   /* by which the heap grows */
#define STEPS_ALLOWED 32        /* at least: one may be in vain before memory is out */
#define MAPPED_BYTES (4 << 20)  /* arrays from this size on are no part of the heap */
#define HUGE_BYTES ((uintptr_t)2 << 20)

/* The huge page up to which the heap has been asked for; 0: nothing is. By whoever finds that it
 * has grown. */
static _Atomic uintptr_t asked_to;

/* By how many bytes the heap may grow, at most STEP_BYTES: few, where memory is limited. */
static int allowed_step(void)
{
    rlim_t step = STEP_BYTES;
    struct rlimit limit;

    for (unsigned i = 0; i < 2; i++) {
        if (getrlimit(i == 0 ? RLIMIT_DATA : RLIMIT_AS, &limit) == 0 &&
            limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / STEPS_ALLOWED < step) {
            step = limit.rlim_cur / STEPS_ALLOWED;
        }
    }
    return (int)step;
}

void mwa_huge_pages_begin(void)
{
    const uintptr_t end = (uintptr_t)sbrk(0);
    const int step = allowed_step();

    if ((unsigned)step >= HUGE_BYTES && mallopt(M_TOP_PAD, step) &&
        mallopt(M_TRIM_THRESHOLD, INT32_MAX) && mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES)) {
        atomic_store(&asked_to, (end + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES);
    }
}

void mwa_huge_pages_go_on(void)
{
    uintptr_t from = atomic_load_explicit(&asked_to, memory_order_relaxed);
    const uintptr_t to = from > 0 ? (uintptr_t)sbrk(0) / HUGE_BYTES * HUGE_BYTES : 0;

    if (to > from && atomic_compare_exchange_strong(&asked_to, &from, to)) {
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE); /* a wish */
    }
}
