#ifndef MWR_FINALIZE_WATCHING_H
#define MWR_FINALIZE_WATCHING_H

/*
 * Starts mpiwatch-watch, which looks after the run's processes on this host as --hang and --stuck
 * say. On each host the lowest rank starts it, after the spools of all and NAME.run have been made.
 * It is no child of this process by the time that this returns, and has nothing of it. Says so when
 * it can't be started.
 */
void mwr_watching_start(void);

#endif
