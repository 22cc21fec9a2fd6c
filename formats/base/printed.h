#ifndef MW_FORMATS_BASE_PRINTED_H
#define MW_FORMATS_BASE_PRINTED_H

#include <stdio.h>

/*
 * Writes what a program has printed to out. Where that can't be, says so on err, in the program's
 * name and with the reason. For main, which ends with what it returns.
 *
 * \return status; unwritten if something of it, now or before, could not be written.
 */
int mw_printed(FILE *out, FILE *err, const char *program, int status, int unwritten);

#endif
