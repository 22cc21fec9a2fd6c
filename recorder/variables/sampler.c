/*
 * The only thread of the recorder's own, and only if the user asks for it
 * (--pvar-when=thread). It blocks all signals, lest one of the program's be
 * delivered to a thread that the program does not know.
 */
#include "recorder/variables/sampler.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

struct sampler {
    pthread_t thread;
    struct timespec period;
    void (*sample)(void);
    bool is_running;
    bool is_stopping;
};

/* Written by who begins and ends recording; is_stopping, by an atomic, ends the thread. */
static struct sampler sampler;

static void *run(void *unused)
{
    nanosleep(&sampler.period, NULL);
    while (!__atomic_load_n(&sampler.is_stopping, __ATOMIC_ACQUIRE)) {
        sampler.sample();
        nanosleep(&sampler.period, NULL);
    }
    return NULL;
}

void mwr_sampler_start(uint64_t period, void (*sample)(void))
{
    sigset_t all;
    sigset_t before;

    sampler.period = (struct timespec){.tv_sec = (time_t)(period / 1000000000u),
                                       .tv_nsec = (long)(period % 1000000000u)};
    sampler.sample = sample;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    sampler.is_running = pthread_create(&sampler.thread, NULL, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void mwr_sampler_stop(void)
{
    if (sampler.is_running) {
        __atomic_store_n(&sampler.is_stopping, true, __ATOMIC_RELEASE);
        pthread_join(sampler.thread, NULL);
        sampler.is_running = false;
    }
}
