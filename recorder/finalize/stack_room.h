#ifndef MWR_FINALIZE_STACK_ROOM_H
#define MWR_FINALIZE_STACK_ROOM_H

#include "formats/base/status.h"

/*
 * The calling thread's stack gets the room now that writing the archive takes, 512 KiB: one that
 * has to grow where the process may have no more memory (RLIMIT_AS) ends the program.
 *
 * \return MW_OK; MW_ERROR_MEMORY: there is no such room. Where nothing limits the process nothing
 * is done, as there is nothing to be known where the thread's stack can't be looked up.
 */
enum mw_status mwr_stack_reserve(struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
