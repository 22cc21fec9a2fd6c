#ifndef MW_FORMATS_SPOOL_RUN_FILE_H
#define MW_FORMATS_SPOOL_RUN_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "formats/base/status.h"

/* NAME.run, which the recorder writes beside the archive to be (formats/ARCHIVE.md). */

struct mw_run_file {
    uint64_t nonce;
    uint32_t ranks;
    char *output;
    char **spools; /* by rank; "" for a rank that had none, null for one not told */
    char **hosts;  /* by rank, null for one not told */
    bool is_own;   /* the caller's, and nobody else can have written it */
    dev_t device;
    ino_t inode;
};

/*
 * Reads the regular file path, in memory that its length bounds.
 *
 * \return MW_OK, and mw_run_file_fini is due; MW_ERROR_SYSTEM, MW_ERROR_MEMORY;
 * MW_ERROR_FORMAT when it is something else.
 */
enum mw_status mw_run_file_read(struct mw_run_file *file, const char *path,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mw_run_file_fini(struct mw_run_file *file);

#endif
