/*
 * Removing files in a handler would meet the thread that is just making them: it looks at a mark,
 * and clears away itself.
 */
#include "analyzer/export/interruption.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = { SIGHUP, SIGINT, SIGTERM };

#define SIGNALS (sizeof signals / sizeof signals[0])

/* Written by the main thread while it holds them; come also by the handler. */
static struct sigaction before[SIGNALS];
static volatile sig_atomic_t come; /* which; 0: none */

static void note(int number)
{
    come = number;
}

void mwa_interruption_hold(void)
{
    const struct sigaction action = { .sa_handler = note, .sa_flags = SA_RESTART };

    come = 0;
    for (size_t i = 0; i < SIGNALS; i++) {
        if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

bool mwa_interruption_has_come(void)
{
    return come != 0;
}

void mwa_interruption_release(void)
{
    int number = come;

    for (size_t i = 0; i < SIGNALS; i++) {
        if (before[i].sa_handler != SIG_IGN) {
            sigaction(signals[i], &before[i], NULL);
        }
    }
    if (number != 0) {
        raise(number);
    }
}
