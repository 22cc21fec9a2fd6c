#ifndef MWR_FINALIZE_WATCHING_H
#define MWR_FINALIZE_WATCHING_H

/*
 * Starts what the settings ask for: mpiwatch-watch, which looks after the run's processes on this
 * host as --hang and --stuck say, and mpiwatch-finish, for --on-term. On each host the lowest rank
 * starts them, after the spools of all and NAME.run have been made. They are no children of this
 * process by the time that this returns, and have nothing of it. Says so when one can't be started.
 */
void mwr_watching_start(void);

#endif
