#ifndef MWR_FINISH_GATHERING_H
#define MWR_FINISH_GATHERING_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "formats/spool/run_file.h"
#include "formats/spool/runs.h"

/*
 * How the spools of several hosts, each on a disk of its own, come to one process without the MPI:
 * as copies in a directory beside the archive to be, where all hosts see them
 * (OUTPUT.NONCE.spools). A spool appears there under its own name once all of it is copied.
 */

struct mwr_gathering {
    char path[PATH_MAX];
};

/* Names the directory. \return false: the name would be too long. */
bool mwr_gathering_name(struct mwr_gathering *gathering, const struct mw_run_file *run);

/* Makes it, if nobody has. \return false: it can't be made. */
bool mwr_gathering_begin(const struct mwr_gathering *gathering);

bool mwr_gathering_is_there(const struct mwr_gathering *gathering);

/* Copies a spool there. \return false: it could not, and nothing of it appears. */
bool mwr_gathering_add(const struct mwr_gathering *gathering, const struct mw_run_spool *spool);

/* Of the run's spools, those that are neither where NAME.run says, as seen from here, nor there. */
uint32_t mwr_gathering_missing(const struct mwr_gathering *gathering,
                               const struct mw_run_file *run);

#endif
