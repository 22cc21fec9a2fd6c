#ifndef MWR_FINALIZE_TERMINATING_H
#define MWR_FINALIZE_TERMINATING_H

/*
 * With --on-term=say, the first of a few ranks to get SIGTERM says how the archive is made of what
 * is left, and all end by that signal at once. Of an archive that has been made there is nothing to
 * say.
 *
 * With --on-term=finish, SIGTERM stops the thread that gets it where it is, so that the process
 * lives until mpiwatch-finish has made the archive, and then ends by that signal as it would have
 * at once. A launcher or batch system that ends a job step once its processes are gone would
 * end mpiwatch-finish with them.
 *
 * The handler tells of itself by a file in the spool directory (MW_SPOOL_TERMINATED). If nobody
 * takes notice of that in 5 s it does not wait any longer, and 10 minutes at most.
 */

/*
 * Installs the handler, if the settings ask for it and the process has a spool. A handler that the
 * program has installed stays its own, and of finish that is said; one that it installs later takes
 * the place of this.
 */
void mwr_terminating_install(void);

/*
 * In MPI_Finalize, once its archive is written: what has come meanwhile ends the process, and what
 * comes later is no longer the recorder's.
 */
void mwr_terminating_finish(void);

#endif
