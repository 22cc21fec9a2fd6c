/*
 * Archives may be larger than the machine: a limit of the process's own turns what
 * would be the end of it, or of others (the kernel's OOM killer), into a sentence.
 */
#include "analyzer/cli/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

bool mwa_memory_parse(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    const char *unit;
    char *end;
    unsigned long long number;
    unsigned shift = 0;

    errno = 0;
    number = strtoull(text, &end, 10);
    if (errno || end == text || text[0] < '0' || text[0] > '9') {
        return false;
    }
    unit = *end ? strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end) : NULL;
    if (unit) {
        shift = 10 * (unsigned)(unit - units + 1);
        end++;
    }
    if (*end || number > UINT64_MAX >> shift || number << shift < MWA_MEMORY_MIN) {
        return false;
    }
    *bytes = (uint64_t)number << shift;
    return true;
}

/* What the machine and the control group allow. */
static uint64_t memory_there_is(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "r");
    unsigned long long allowed;

    if (file && fscanf(file, "%20llu", &allowed) == 1 && allowed < bytes) {
        bytes = allowed;
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

uint64_t mwa_memory_taken(void)
{
    FILE *file = fopen("/proc/self/statm", "r"); /* its sixth number: data and stack, in pages */
    const long page = sysconf(_SC_PAGESIZE);
    unsigned long long pages = 0;

    if (file) {
        if (fscanf(file, "%*u %*u %*u %*u %*u %20llu", &pages) != 1) {
            pages = 0;
        }
        fclose(file);
    }
    return page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

void mwa_memory_limit(uint64_t bytes, uint64_t spared)
{
    struct rlimit limit;

    if (IS_SANITIZED) { /* sanitizers reserve more than there is */
        return;
    }
    if (bytes == 0) {
        bytes = memory_there_is() / 2;
        bytes = bytes < MWA_MEMORY_MIN ? MWA_MEMORY_MIN : bytes;
    }
    bytes = bytes < UINT64_MAX - spared ? bytes + spared : UINT64_MAX;
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur > bytes) {
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_DATA, &limit);
    }
}
