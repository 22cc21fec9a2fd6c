#ifndef MW_FORMATS_BASE_OPTION_VALUE_H
#define MW_FORMATS_BASE_OPTION_VALUE_H

#include "formats/base/command_line.h"

/* How values of options are read. Any thread. */

/* bool; const char *; uint32_t from least to most; an enum, 0 being the first word of argument. */
mw_option_take mw_take_flag;
mw_option_take mw_take_text;
mw_option_take mw_take_number;
mw_option_take mw_take_choice;

#endif
