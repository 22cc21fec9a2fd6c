#include "recorder/state/signals.h"

#include <signal.h>

#include "recorder/recorder.h"

/* The wish is a signal's number; a new generation makes every thread look at it. */
static void wish(int number)
{
    __atomic_store_n(&mwr_recorder.wish, number, __ATOMIC_RELEASE);
    __atomic_add_fetch(&mwr_generation, 1, __ATOMIC_RELEASE);
}

static void install(int number, const char *name)
{
    struct sigaction action = {.sa_handler = wish, .sa_flags = SA_RESTART};
    struct sigaction before;

    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) != 0 || before.sa_handler != SIG_DFL) {
        mwr_say("rank %u: --signals: %s is the program's own", mwr_recorder.rank, name);
        return;
    }
    sigaction(number, &action, NULL);
}

void mwr_signals_install(void)
{
    if (mwr_recorder.settings.signals) {
        install(SIGUSR1, "SIGUSR1");
        install(SIGUSR2, "SIGUSR2");
    }
}

void mwr_signals_obey(void)
{
    int number = __atomic_exchange_n(&mwr_recorder.wish, 0, __ATOMIC_ACQ_REL);

    if (number == SIGUSR1) {
        mwr_recorder_pause();
    } else if (number == SIGUSR2) {
        mwr_recorder_resume();
    }
}
