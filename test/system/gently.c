/*
 * For tests in which ranks stand still for long: where an MPI asks again and again for what does
 * not come, it sleeps in between, and leaves the cores to other tests. Preloaded by gently of
 * lib.sh.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

#define ASKED_AT_ONCE 200u
#define REST_NS 100000

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = REST_NS}, NULL);
}

/* Of Open MPI, with mpi_yield_when_idle. */
int sched_yield(void)
{
    rest();
    return 0;
}

/* Of MPICH, where it is built on UCX. */
unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*next)(void *worker);
    static __thread unsigned asked;
    unsigned found;

    if (!next) {
        next = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    }
    found = next(worker);
    asked = found > 0 ? 0 : asked + 1;
    if (asked > ASKED_AT_ONCE) {
        rest();
    }
    return found;
}
