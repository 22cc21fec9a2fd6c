#ifndef MW_FORMATS_BASE_HELP_LAYOUT_H
#define MW_FORMATS_BASE_HELP_LAYOUT_H

#include <argp.h>
#include <stdio.h>

/*
 * Prints to out what argp_help prints of argp's options, with an empty line before them
 * (ARGP_HELP_LONG behind ARGP_HELP_PRE_DOC), each indent where it belongs.
 */
void mw_help_print_options(const struct argp *argp, char *name, FILE *out);

#endif
