#ifndef MWR_STATE_SHIELD_H
#define MWR_STATE_SHIELD_H

#include <signal.h>

/*
 * Writing may raise signals that end the program: SIGXFSZ past RLIMIT_FSIZE, which a program
 * can lower at any time, and SIGPIPE. Behind a shield what the recorder writes fails with
 * EFBIG or EPIPE, and nothing else happens. Of the calling thread; shields nest.
 */
struct mwr_shield {
    sigset_t mask;    /* of the thread before */
    sigset_t pending; /* what was there already, which is not ours */
};

void mwr_shield_raise(struct mwr_shield *shield);

/* Takes away what the writing has raised. errno stays. */
void mwr_shield_lower(const struct mwr_shield *shield);

#endif
