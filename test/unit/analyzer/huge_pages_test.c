/*
 * What the kernel says of the heap in /proc/self/smaps: "hg" in a mapping's VmFlags is that huge
 * pages were asked for. Where it knows none, or malloc is another's (sanitizers), nothing is asked.
 */
#include "analyzer/model/huge_pages.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/model/pool.h"

#define OBJECT_BYTES 1024u
#define MEBIBYTE (UINT64_C(1) << 20)

struct heap {
    uint64_t asked; /* bytes for which huge pages were asked for */
    uint64_t bytes;
};

static struct heap look_at_heap(void)
{
    FILE *smaps = fopen("/proc/self/smaps", "r");
    struct heap heap = { 0 };
    bool is_heap = false;
    uint64_t from, to, size = 0;
    char line[512];

    cr_assert_not_null(smaps);
    while (fgets(line, sizeof line, smaps)) {
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &from, &to) == 2) {
            is_heap = strstr(line, "[heap]") != NULL;
            size = is_heap ? to - from : 0;
            heap.bytes += size;
        } else if (is_heap && strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " hg")) {
            heap.asked += size;
        }
    }
    fclose(smaps);
    return heap;
}

static bool are_there_huge_pages(void)
{
    return access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0 &&
           mallopt(M_PERTURB, 0); /* is glibc's malloc */
}

static void fill(struct mwa_pool *pool)
{
    for (uint64_t i = 0; i < 100 * MEBIBYTE / OBJECT_BYTES; i++) {
        cr_assert_not_null(mwa_pool_take(pool));
    }
}

Test(huge_pages, are_asked_for_all_that_a_pool_takes)
{
    struct mwa_pool pool = { .size = OBJECT_BYTES };
    struct heap heap;

    if (!are_there_huge_pages()) {
        cr_skip_test("no huge pages, or another malloc");
    }
    mwa_huge_pages_begin();
    fill(&pool);
    heap = look_at_heap();
    /* But for what was there before (below 2 MiB) and parts of huge pages at either end. */
    cr_expect_gt(heap.asked, 100 * MEBIBYTE);
    cr_expect_lt(heap.bytes - heap.asked, 6 * MEBIBYTE);
    cr_expect_lt(heap.bytes, 140 * MEBIBYTE, "a step too much at most");
    mwa_pool_fini(&pool);
}

Test(huge_pages, are_not_asked_for_by_programs_that_do_not_begin_to)
{
    struct mwa_pool pool = { .size = OBJECT_BYTES };

    fill(&pool);
    cr_expect_eq(look_at_heap().asked, 0);
    mwa_pool_fini(&pool);
}
