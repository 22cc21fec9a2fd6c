/*
 * For the programs that show a wait: sleeping for a known time, and saying so. Only the rank
 * that is late says anything.
 */
#ifndef MW_EXAMPLES_NAP_H
#define MW_EXAMPLES_NAP_H

#include <stdio.h>
#include <time.h>

static double nap_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Sleeps at least so long; how long it was by this rank's own clock. */
static double nap(double seconds)
{
    const struct timespec time = { (time_t)seconds,
                                   (long)(1e9 * (seconds - (double)(time_t)seconds)) };
    double begin = nap_clock();

    nanosleep(&time, NULL);
    return nap_clock() - begin;
}

/* Says that these ranks ("0,1") wait in this pattern for rank cause, each so long. */
static void tell(const char *pattern, const char *ranks, int cause, double seconds)
{
    printf("%s: ranks %s wait %.6f s for rank %d\n", pattern, ranks, seconds, cause);
}

#endif
