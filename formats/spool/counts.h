#ifndef MW_FORMATS_SPOOL_COUNTS_H
#define MW_FORMATS_SPOOL_COUNTS_H

#include <stddef.h>

#include "formats/spool/spool.h"

/*
 * What records come to (struct mw_counts): counted by the writer when a window is full, and by who
 * reads a window that is not.
 */

#define MW_COUNTS_SLACK 64u

/*
 * Adds the records up to the first empty one, of at most bytes, which begin at a multiple of 8.
 * *last becomes the last record of them that is no member and no sample, and stays as it is if
 * there is none. Records of which nobody knows that they are sound may be followed by anything, but
 * for MW_COUNTS_SLACK of readable memory. The time of a call that is open is not in it, and where
 * tools told their own time of a call only in the next window, it is.
 *
 * Thread-safe, async-signal-safe; nothing that is read is trusted.
 */
void mw_counts_add(struct mw_counts *counts, const char *records, size_t bytes,
                   struct mw_call_record *last);

/* Adds the time in a call that was not left when its window was counted, if it is left now. */
void mw_counts_close(struct mw_counts *counts, const struct mw_call_record *kept);

#endif
