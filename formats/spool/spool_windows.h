#ifndef MW_FORMATS_SPOOL_SPOOL_WINDOWS_H
#define MW_FORMATS_SPOOL_SPOOL_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/base/status.h"
#include "formats/spool/spool.h"

/*
 * The windows of a spool in the order in which they were filled, wherever they are by now: as they
 * were at the moment of mw_spool_windows_create, also while their process goes on.
 */
struct mw_spool_windows;

/* The records of a window, up to an empty one or the end. */
struct mw_spool_window {
    const char *records; /* valid until the next window is asked for */
    size_t bytes;
    uint64_t offset; /* in the file, of the records, or of the block that they are packed in */
    bool is_packed;
};

/* As mw_spool_reader_create. Memory: two windows, and the two that are in the file's front. */
enum mw_status mw_spool_windows_create(const char *path, struct mw_spool_windows **windows,
                                       struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mw_spool_windows_destroy(struct mw_spool_windows *windows);

/* Valid as long as windows. */
const struct mw_spool_header *mw_spool_windows_header(const struct mw_spool_windows *windows);
const char *mw_spool_windows_path(const struct mw_spool_windows *windows);

/* MW_PENDING_BYTES: the record that is pending, or zeros. */
const char *mw_spool_windows_pending(const struct mw_spool_windows *windows);

/* What the call that was entered last waits for; zeros in versions before 3. */
const struct mw_now *mw_spool_windows_now(const struct mw_spool_windows *windows);

/* How many calls a ring has lost to later ones; 0 for other spools. */
uint64_t mw_spool_windows_overwritten(const struct mw_spool_windows *windows);

/* Whether the first window may begin in the midst of a call. */
bool mw_spool_windows_is_cut(const struct mw_spool_windows *windows);

/*
 * Fetches the next window.
 *
 * \return MW_OK; MW_END: there is none, or it was not begun before the process died.
 * \return MW_ERROR_FORMAT with the offset; MW_ERROR_SYSTEM.
 */
enum mw_status mw_spool_windows_next(struct mw_spool_windows *windows,
                                     struct mw_spool_window *window,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
