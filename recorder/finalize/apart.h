#ifndef MWR_FINALIZE_APART_H
#define MWR_FINALIZE_APART_H

#include <stdbool.h>

/*
 * The end of a process that never called MPI_Init and whose sessions are closed. Nothing
 * collective is possible: others may end much later, or may have gone. Each process notes
 * its end in NAME.run, and the last one writes the archive of all, if their spools are on
 * its host; else it says how mpiwatch-recover does.
 */
void mwr_apart_end(void);

#endif
