#ifndef MWR_SITES_WRAPPER_CODE_H
#define MWR_SITES_WRAPPER_CODE_H

#include <stdbool.h>

#include "recorder/sites/loaded.h"

/*
 * The functions of the program's own file that only call MPI for others, by the names in its table
 * of symbols (formats/table/wrapper_name.h), or may do so, as templates of libraries do: none where
 * that table was stripped.
 */

/* Reads the names. Before recording begins. Without memory, or in doubt, there are none. */
void mwr_wrapper_code_start(void);

/*
 * Whether code in the program's own file, which loaded says, that returns to address is of such a
 * function; call is what it calls. Takes no lock.
 */
bool mwr_wrapper_code_is(const struct mwr_loaded *loaded, uintptr_t address, unsigned call);

#endif
