#ifndef MWR_FINALIZE_NAMES_H
#define MWR_FINALIZE_NAMES_H

#include <stddef.h>

#include "recorder/settings.h"

/*
 * Names that the recorder takes from the process it is in. Every text is cut to size
 * and terminated; "" when it can't be known.
 */

/* The absolute path of the executable. */
void mwr_name_program(char *text, size_t size);

/* The command line, quoted as for sh. */
void mwr_name_arguments(char *text, size_t size);

/*
 * The absolute path of the archive to be: what --output says (output_pattern.h), or
 * ./<program>-<date>-<time>-<pid>.otf2.zip (without .zip for a directory), taken from the
 * working directory of this moment.
 */
void mwr_name_output(const struct mwr_settings *settings, char *text, size_t size);

#endif
