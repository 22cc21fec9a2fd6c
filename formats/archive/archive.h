#ifndef MW_FORMATS_ARCHIVE_ARCHIVE_H
#define MW_FORMATS_ARCHIVE_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/archive/transport.h"
#include "formats/base/status.h"

/*
 * From the spools of a run to its archive. A process's spool directory holds
 *
 *   definitions       formats/spool/definition.h
 *   <thread>.events   formats/spool/spool.h, thread = 0, 1, …
 *
 * and is the only input: finalize and mpiwatch-recover run the same code.
 */

enum mw_archive_format { MW_ARCHIVE_ZIP, MW_ARCHIVE_DIRECTORY };

/* How files of the source are named: whole, from where they were compiled, without directories. */
enum mw_source_paths { MW_PATHS_FULL, MW_PATHS_RELATIVE, MW_PATHS_BASE };

/* How events say where calls are made: by their region, or by an attribute beside the call's. */
enum mw_site_form { MW_SITES_REGION, MW_SITES_ATTRIBUTE };

struct mw_archive_job {
    const char *const *spools; /* spool directories that this process writes */
    uint32_t spool_count;      /* 0 is fine: the process only takes part */
    const char *scratch;       /* existing directory for temporary files; emptied again */
    const char *output;        /* rank 0's counts: absolute path of the archive to be */
    enum mw_archive_format format;
    int level;       /* of deflate, 0 to 9 */
    bool replace;    /* an output that exists is replaced; else the next free name is taken */
    uint64_t nonce;  /* of the run */
    bool incomplete; /* say in the archive that the run did not finish */
    bool salvage;    /* of a damaged spool take what comes before the damage */
    const char *ended; /* how the run ended, for the archive, in words; null: "finalized" */
    const char *resolver; /* mpiwatch-resolve's path, for the lines of call sites; null: none */
    const char *debug_directory; /* absolute path, where it also looks; null: none */
    enum mw_source_paths paths;
    enum mw_site_form site_form; /* rank 0's counts */
    uint32_t rank;     /* whose spool is gone, if gone is not 0 */
    uint64_t gone;     /* calls that were in it; its process takes part without a spool */
    char *const *hosts; /* rank 0's count: of host_count ranks, for those without a spool; a null
                           in it: not known */
    uint32_t host_count;
};

/* Equal on all processes after MW_OK. */
struct mw_archive_result {
    char path[4096]; /* what it is called in the end: may differ from the job's output */
    uint64_t bytes;
    uint64_t events; /* OTF2 events */
    uint64_t calls;
    uint64_t lost;   /* calls and completions not recorded, all ranks */
    uint32_t ranks;  /* whose events are in it */
    uint32_t ranks_expected;
    uint32_t ranks_damaged; /* whose spool is damaged: what came behind that is lost */
    uint32_t places_given_up; /* of calls: addresses, as looking up lines failed or took long */
    uint32_t ranks_unheard; /* of which is not even known how many calls were lost */
    bool complete; /* all ranks are in it from MPI_Init to MPI_Finalize; losses don't count */
};

/*
 * Writes the archive: replay, deflate, one file (or a directory) under a .partial
 * name, check, rename. Collective over transport; a process that fails keeps taking
 * part. Spools are only read. On failure no output and no scratch is left, and every
 * process gets a status: its own, or MW_ERROR_PEER.
 *
 * Memory per process: some MiB, whatever the spools' size, plus the definitions.
 */
enum mw_status mw_archive_write(const struct mw_archive_job *job,
                                const struct mw_transport *transport,
                                struct mw_archive_result *result,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
