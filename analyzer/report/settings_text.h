#ifndef MWA_REPORT_SETTINGS_TEXT_H
#define MWA_REPORT_SETTINGS_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/model/trace.h"

/*
 * Writes the report's last line: who recorded the archive, and with which settings that differ from
 * the defaults; of archives that don't tell these, with all that are not off. At most lines lines.
 */
void mwa_put_settings(const struct mwa_trace *trace, unsigned lines, FILE *out);

/* Whether the recorder said that the setting is as by default. Any thread. */
bool mwa_setting_is_default(const struct mwa_trace *trace, const char *name);

#endif
