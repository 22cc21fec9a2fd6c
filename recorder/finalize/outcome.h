#ifndef MWR_FINALIZE_OUTCOME_H
#define MWR_FINALIZE_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

#include "formats/archive/archive.h"

/* What all ways to an archive have in common: where it is made, what is said of it. */

/* Writes "12.3 MB" to text: for people; exact numbers are in the archive. Returns text. */
const char *mwr_bytes_text(char *text, size_t size, uint64_t bytes);

/*
 * Where the archive's parts are made: beside the spool, unless that device is (nearly)
 * full or there is no spool; then where there is most room. Static storage.
 */
const char *mwr_choose_scratch(void);

/*
 * The one line on an archive that is written, and how long that took since began (mwr_clock), if
 * it was long; none with --quiet, if nothing is lost.
 */
void mwr_say_success(const struct mw_archive_result *result, uint64_t began);

#endif
