#ifndef MW_FORMATS_BASE_CHILD_H
#define MW_FORMATS_BASE_CHILD_H

#include "formats/base/status.h"

/*
 * Runs a program from inside somebody else's, who is not to notice: no signal tells of its end,
 * wait(2) of others does not see it, it inherits neither descriptors nor handlers, its
 * environment is empty but for LC_ALL, and standard streams are /dev/null. It is ended after
 * seconds.
 *
 * arguments[0] is the program's path; null ends them. Blocks until the program has ended.
 *
 * \return MW_OK: it ended with status 0. MW_ERROR_SYSTEM: it could not be run, failed, or took
 * too long.
 */
enum mw_status mw_child_run(char *const arguments[], unsigned seconds,
                            struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
