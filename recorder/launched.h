#ifndef MWR_LAUNCHED_H
#define MWR_LAUNCHED_H

#include <stdbool.h>
#include <stddef.h>

/* What mpiwatch-record tells the program that it becomes; a variable of ours, and no setting. */
#define MWR_LAUNCHED_VARIABLE "MPIWATCH_LAUNCHED"

/*
 * Sets the variable: this process becomes a program that is linked with the library of an MPI, ""
 * with none. Not thread-safe.
 */
void mwr_launched_becomes(const char *library);

/*
 * Whether this process is what mpiwatch-record became, and none that it started.
 *
 * \param[out] library  as it was told, cut to size; null: of no interest.
 */
bool mwr_launched_as(char *library, size_t size);

#endif
