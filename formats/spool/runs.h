#ifndef MW_FORMATS_SPOOL_RUNS_H
#define MW_FORMATS_SPOOL_RUNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "formats/spool/spool_info.h"

/* Spool directories, collected from what the user named and grouped into runs. */

struct mw_run {
    uint64_t nonce;
    char *output;  /* of NAME.run, where that was read; else null */
    char *run_file; /* its path, likewise */
    bool is_foreign; /* such a file is not the caller's: it names spools, and nothing else */
    dev_t run_device; /* what the path was when it was read */
    ino_t run_inode;
    struct mw_run_spool *spools; /* of different ranks, rising */
    uint32_t spool_count;
    uint32_t size; /* ranks of the run, as far as known */
    char **hosts;  /* of host_count ranks as NAME.run has them, null: not told */
    uint32_t host_count;
};

/* A name that led to nothing usable, and why. */
struct mw_run_refusal {
    struct mw_diagnostic why;
};

struct mw_runs {
    struct mw_run *runs;
    uint32_t count;
    struct mw_run_refusal *refusals;
    uint32_t refusal_count;
};

/*
 * Adds what path holds: a spool directory, a directory with spool directories in it
 * (mpiwatch-NONCE-RANK), a NAME.run file, whose spools are taken as far as they can
 * be seen from here, or those of all runs that were to write the archive path. Names below
 * path that are symbolic links are passed over.
 *
 * Of a NAME.run that somebody else may have written only the spools' places are taken: not
 * where the archive is to go.
 *
 * Of a rank that is there twice, the spool with more in it counts.
 *
 * \return MW_OK, also when there was nothing usable (a refusal tells); MW_ERROR_MEMORY.
 */
enum mw_status mw_runs_add(struct mw_runs *runs, const char *path,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* A zeroed one is fine. */
void mw_runs_fini(struct mw_runs *runs);

/*
 * Describes how a run ended, for people: "MPI_Abort with code 3 on rank 1; killed, or
 * ended without a word: ranks 0, 2-3". Empty when all ranks came through MPI_Finalize.
 *
 * \return text.
 */
const char *mw_run_ending(const struct mw_run *run, char *text, size_t size);

#endif
