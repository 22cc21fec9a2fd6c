#ifndef MWA_MODEL_FUNCTION_NAME_H
#define MWA_MODEL_FUNCTION_NAME_H

#include <stddef.h>

/*
 * A function's name for people, who have a column for it: of C++ without parameters, arguments of
 * templates and what is returned, "paso::Coupler<double>::finishCollect()+0x6b" as
 * "paso::Coupler::finishCollect+0x6b". Names without parameters are as they were, as those of C and
 * Fortran. What does not fit into text, of size bytes, is left out at the front: the end says most;
 * and so is what of a namespace would be left of it there, unless that is most of the room.
 *
 * \return text
 */
const char *mwa_function_name(const char *function, char *text, size_t size);

/*
 * The same of a function where others have that name, too: with what tells it from them, as far as
 * there is room. "solver::norm<double>", "Grid::relax<double, 3>": the first argument of a template
 * in which they differ, or, where that leaves others, all from there to the last one; of functions
 * whose parameters alone differ that one, or all, "solver::norm(int)"; or both,
 * "Grid::at<double>(int, int)". Others: of count, none of which is function.
 *
 * \return text
 */
const char *mwa_function_name_among(const char *function, const char *const *others, size_t count,
                                    char *text, size_t size);

#endif
