#ifndef MWA_CLI_ARGUMENT_H
#define MWA_CLI_ARGUMENT_H

#include "formats/base/command_line.h"

/* Values of options that only mpiwatch-analyze has. */

mw_option_take mwa_take_time;   /* ns: "1.5s", "-20ms", "3us", "7ns" or "7", which is seconds */
mw_option_take mwa_take_length; /* double: mm, "85mm", "7in" */
mw_option_take mwa_take_memory; /* bytes: see mwa_memory_parse */
mw_option_take mwa_take_output; /* const char *; null of "-" */
mw_option_take mwa_take_comm;   /* struct mwa_options: one more of its patterns */
mw_option_take mwa_take_limit;  /* struct mwa_options: one more of its limits */
mw_option_take mwa_take_baseline;  /* the same of its baselines */
mw_option_take mwa_take_tolerance; /* double: "5%" is 0.05 */

#endif
