#ifndef MWA_MODEL_FUNCTION_NAME_H
#define MWA_MODEL_FUNCTION_NAME_H

#include <stddef.h>

/*
 * A function's name for people, who have a column for it: of C++ without parameters, arguments of
 * templates and what is returned, "paso::Coupler<double>::finishCollect()+0x6b" as
 * "paso::Coupler::finishCollect+0x6b". Names without parameters are as they were, as those of C and
 * Fortran. What does not fit into text, of size bytes, is left out at the front: the end says most.
 *
 * \return text
 */
const char *mwa_function_name(const char *function, char *text, size_t size);

#endif
