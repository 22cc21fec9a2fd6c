#ifndef MWR_LAUNCHER_TARGET_H
#define MWR_LAUNCHER_TARGET_H

#include "recorder/launcher/linked.h"
#include "recorder/launcher/program.h"

/*
 * The command that the user wants recorded, looked through as far as that is simple:
 * a script's interpreter, and what follows env, nice, numactl, taskset, time, timeout
 * and the like.
 */

struct mwr_target {
    struct mwr_program program; /* what is executed: the command's first word */
    struct mwr_program inner;   /* the innermost program, an interpreter for a script */
    struct mwr_linked linked;   /* the MPI of inner; zeroed if that can't be read */
};

/*
 * Inspects command (words up to a null).
 *
 * \return MW_OK with *target filled.
 * \return MW_ERROR_USAGE when recording can't work: a launcher such as mpirun in the
 * command, a static or privileged program, one of another machine, env -i.
 * \return MW_ERROR_SYSTEM as mwr_program_find; MW_ERROR_MEMORY as mwr_linked_read.
 */
enum mw_status mwr_target_inspect(char *const *command, struct mwr_target *target,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
