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

/* Where a window is to be found again, when it has become a block, too. All zero: the first one. */
struct mw_spool_place {
    uint64_t block;    /* in the file: of a block that is not behind it, or where that will be; 0:
                          it is not known yet, and the next window is the first one */
    uint32_t first;    /* the number of that block's window */
    uint32_t sequence; /* its own number */
    uint32_t segment;  /* of the block; 0 where there is no ring */
};

/* The records of a window, up to an empty one or the end. */
struct mw_spool_window {
    const char *records; /* valid until the next window is asked for */
    size_t bytes;
    uint64_t offset; /* in the file, of the records, or of the block that they are packed in */
    bool is_packed;
    struct mw_spool_place place; /* in version 1 none */
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

/*
 * Looks at the file again, as far as its process has come by now: the next windows are those from
 * place->first on, or, where a ring has written over that, the first that there is (*is_lost).
 *
 * \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_FORMAT, MW_ERROR_MEMORY; MW_ERROR_VERSION: spools of
 * version 1 can be read only once.
 */
enum mw_status mw_spool_windows_again(struct mw_spool_windows *windows,
                                      const struct mw_spool_place *place, bool *is_lost,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
