#ifndef MWR_STATE_SIGNALS_H
#define MWR_STATE_SIGNALS_H

/*
 * With --signals, SIGUSR1 pauses recording in a process and SIGUSR2 resumes it. The
 * handlers only leave a wish, which the process's next MPI call obeys.
 */

/*
 * Installs the handlers if the settings ask for them. A signal for which the program has
 * a handler of its own already stays its own, and that is said.
 */
void mwr_signals_install(void);

/* Does what the latest signal asked for. Thread-safe; not from a signal handler. */
void mwr_signals_obey(void);

#endif
