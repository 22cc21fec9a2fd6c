/*
 * A handler of ours would have to be shared with the program's; blocked, the
 * signal is of this thread alone and is taken away again. Only what was not
 * pending before is ours to take.
 */
#include "recorder/state/shield.h"

#include <errno.h>
#include <time.h>

static const int kept_off[] = {SIGXFSZ, SIGPIPE};

#define KEPT_OFF_COUNT (sizeof kept_off / sizeof kept_off[0])

void mwr_shield_raise(struct mwr_shield *shield)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < KEPT_OFF_COUNT; i++) {
        sigaddset(&set, kept_off[i]);
    }
    pthread_sigmask(SIG_BLOCK, &set, &shield->mask);
    sigpending(&shield->pending);
}

/* Takes one pending signal of this number away. */
static void take_away(int number)
{
    const struct timespec at_once = {0};
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, number);
    sigtimedwait(&set, NULL, &at_once);
}

void mwr_shield_lower(const struct mwr_shield *shield)
{
    int error = errno;
    sigset_t pending;

    sigpending(&pending);
    for (size_t i = 0; i < KEPT_OFF_COUNT; i++) {
        if (sigismember(&pending, kept_off[i]) && !sigismember(&shield->pending, kept_off[i])) {
            take_away(kept_off[i]);
        }
    }
    pthread_sigmask(SIG_SETMASK, &shield->mask, NULL);
    errno = error;
}
