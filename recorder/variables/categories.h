#ifndef MWR_VARIABLES_CATEGORIES_H
#define MWR_VARIABLES_CATEGORIES_H

#include <stdbool.h>
#include <stddef.h>

/* The categories in which MPI_T puts its variables. MPI_T must be initialised. */

enum mwr_variable_kind { MWR_PERFORMANCE_VARIABLE, MWR_CONTROL_VARIABLE };

/* Whether the variable at index is in a category whose name fits pattern, a glob. */
bool mwr_category_has(enum mwr_variable_kind kind, int index, const char *pattern);

/* Puts the names of those it is in into text, with ", " between, as far as they have room. */
void mwr_categories_of(enum mwr_variable_kind kind, int index, char *text, size_t size);

#endif
