#ifndef MWA_REPORT_LACK_TEXT_H
#define MWA_REPORT_LACK_TEXT_H

#include <stddef.h>

#include "analyzer/analysis/time/core_shortage.h"

#define MWA_LACK_BYTES 80

/* What ranks that share cores lack: "have none for 47% of their run, 12% beside waiting", the
 * latter where it is less; text, of MWA_LACK_BYTES. */
const char *mwa_lack_text(const struct mwa_cores *cores, char *text);

/* Which ranks share what, and what they lack, if that is known: "ranks 0 and 1 are bound to core 0
 * and have none for 49% of their run"; into text, of room bytes. */
void mwa_shared_cores_text(const struct mwa_cores *cores, char *text, size_t room);

#endif
