#ifndef MW_FORMATS_SPOOL_SPOOL_INFO_H
#define MW_FORMATS_SPOOL_SPOOL_INFO_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "formats/base/status.h"
#include "formats/spool/definition.h"

/* What a spool directory says of the process that wrote it, and whether that still runs. */

enum mw_run_state {
    MW_RUN_FINALIZED, /* reached the end of MPI_Finalize's record */
    MW_RUN_ABORTED,   /* called MPI_Abort; code is its argument */
    MW_RUN_EXITED,    /* exit without MPI_Finalize; code is the status */
    MW_RUN_FAILED,    /* by an MPI error that is fatal; code is what the MPI ended with */
    MW_RUN_RUNNING,   /* the process has the spool mapped at this moment */
    MW_RUN_SILENT,    /* gone without a word: killed, _exit; or on another host */
    MW_RUN_TERMINATED, /* was sent SIGTERM, with --on-term=finish */
    MW_RUN_STATE_COUNT
};

/*
 * With this code of MW_RUN_FAILED it was no MPI error, whose codes are positive: Open MPI hands on
 * PMIX_ERR_LOST_CONNECTION of PMIx 4 when mpirun was killed.
 */
#define MW_CODE_LAUNCHER_GONE (-61)

/*
 * In a spool directory: made by a process that was sent SIGTERM and waits for its archive. Who
 * makes that writes a byte there when it begins, and a second one when the process may end.
 */
#define MW_SPOOL_TERMINATED "terminated"

struct mw_run_spool {
    char *path; /* absolute, without symbolic links */
    dev_t device; /* what the path was when it was looked at */
    ino_t inode;
    uint64_t nonce;
    uint32_t rank;
    uint32_t size;  /* of MPI_COMM_WORLD; 0: the process died before it said so */
    char *program;  /* null likewise */
    char *host;     /* null likewise */
    uint32_t pid;
    uint64_t started; /* ns since 1970-01-01 UTC */
    uint64_t bytes;   /* of events, as allocated */
    enum mw_run_state state;
    int code;
};

/*
 * Looks into the directory path. A damaged definitions file is read as far as it goes, unless
 * it is damaged where it should say which process this was.
 *
 * \return MW_OK, and mw_run_spool_fini is due.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY; MW_ERROR_FORMAT, MW_ERROR_VERSION: no spool,
 * or one that this program can't read.
 */
enum mw_status mw_run_spool_look(struct mw_run_spool *spool, const char *path,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Removes the directory: what the recorder makes in one, by its names, and nothing else. Only
 * the directory that was looked at, if it has the name of a spool; links are not followed.
 *
 * \return MW_OK; MW_ERROR_USAGE, MW_ERROR_SYSTEM when it stays, or something in it.
 */
enum mw_status mw_run_spool_remove(const struct mw_run_spool *spool,
                                        struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* A zeroed one is fine. */
void mw_run_spool_fini(struct mw_run_spool *spool);

#endif
