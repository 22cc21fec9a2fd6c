#ifndef MWA_REPORT_RECORDED_ON_H
#define MWA_REPORT_RECORDED_ON_H

#include <stdio.h>

#include "analyzer/model/trace.h"

/* What a run was recorded on, for people, as far as the recorder told: screen and page say it in
 * the same words. */

/* Prints a line: what it is, and what that was. Neither is clean nor escaped. */
typedef void (*mwa_recorded_on_put)(const char *name, const char *value, FILE *out);

/*
 * Has put print the CPU and the cores of rank 0's host, how many of them its control group allows,
 * which each rank may run on, the commit of the program, and what the environment of rank 0 said to
 * the batch system and to the MPI; but not what launchers say to the processes that they start:
 * that is counted.
 */
void mwa_recorded_on(const struct mwa_trace *trace, mwa_recorded_on_put put, FILE *out);

#endif
