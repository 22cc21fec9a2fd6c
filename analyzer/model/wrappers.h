#ifndef MWA_MODEL_WRAPPERS_H
#define MWA_MODEL_WRAPPERS_H

#include <stdbool.h>

/* Whether somebody else has written it: headers of the system are no program's own. */
bool mwa_is_in_system_header(const char *file);

/*
 * Whether a function (of a site or a frame, in this file) only calls MPI for others: by its name,
 * of which formats/table/wrapper_name.h has the rules, or as a template of a library. "" is none.
 * Call: the name of the function of MPI.
 */
bool mwa_is_wrapper(const char *function, const char *file, const char *call);

#endif
