#ifndef MW_FORMATS_ARCHIVE_STACK_DEFINITIONS_H
#define MW_FORMATS_ARCHIVE_STACK_DEFINITIONS_H

#include "formats/archive/defining.h"

/*
 * The stacks that calls were made in, as calling contexts, and the functions in them, as regions: a
 * part of formats/archive/global_definitions. The regions of places begin with first_place, and
 * those of functions with first_function. Nothing is written where there are no stacks.
 */
void mw_stack_definitions_write(struct mw_defining *defining, uint32_t first_place,
                                uint32_t first_function);

/* The id of the first merged context; the others follow. */
uint32_t mw_stack_first_context(const struct mw_merged_sites *sites);

#endif
