#ifndef MWR_RECOVER_RUN_FILE_H
#define MWR_RECOVER_RUN_FILE_H

#include <stdint.h>

#include "formats/status.h"

/* NAME.run, which the recorder writes beside the archive to be (formats/ARCHIVE.md). */

struct mwr_run_file {
    uint64_t nonce;
    uint32_t ranks;
    char *output;
    char **spools; /* by rank; "" for a rank that had none, null for one not told */
};

/*
 * Reads the file path.
 *
 * \return MW_OK, and mwr_run_file_fini is due; MW_ERROR_SYSTEM, MW_ERROR_MEMORY;
 * MW_ERROR_FORMAT when it is something else.
 */
enum mw_status mwr_run_file_read(struct mwr_run_file *file, const char *path,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwr_run_file_fini(struct mwr_run_file *file);

#endif
