#ifndef MWA_MODEL_WRAPPERS_H
#define MWA_MODEL_WRAPPERS_H

#include <stdbool.h>

/*
 * Whether a function (of a site or a frame, in this file) only calls MPI for others: by its name,
 * or as a template of a library (formats/table/wrapper_name.h). "" is none. Call: the name of the
 * function of MPI.
 */
bool mwa_is_wrapper(const char *function, const char *file, const char *call);

#endif
